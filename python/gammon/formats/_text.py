"""Positions in a text: identifiers and drawn boards, with the analysis that stands with them.

Everything that names the same checkers and stands together is one position: an XGID above a board, a board
above a Position ID. What is read goes by the most exact of them. Programs print in many languages, so nothing
depends on words where numbers and structure will do.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gammon._native import Situation
from gammon._native import parse as parse_id
from gammon.errors import FormatError, GammonError
from gammon.formats import _boards, _text_analysis
from gammon.formats._reading import FoundPosition, Reading, Warnings
from gammon.formats._source import Line, Source, split_lines
from gammon.match import PlayerInfo

NEARBY = 45
"""Lines within which things may belong to one position."""

MOST_POSITIONS = 100_000
"""Positions that are read of one text."""

_XGID = re.compile(r"(?:XGID\s*=?\s*|(?<![-\w:]))(?P<id>[-A-Pa-p]{10,26}(?::-?\w{0,6}){7,9})(?![\w:])")
_XGID_LABEL = re.compile(r"XGID\s*=", re.IGNORECASE)
_OGID = re.compile(
    r"(?:OGID\s*=\s*)?(?<![\w:])(?P<id>[0-9a-q]{0,15}:[0-9a-q]{0,15}:[NWB]\d{1,2}[NOTP](?::[\w]{0,6}){0,8})"
)
_FIBS = re.compile(r"(?P<id>board:[^\s:]{1,40}:[^\s:]{1,40}(?::[-+]?\d{1,5}){50})", re.IGNORECASE)
_PAIR = re.compile(r"(?<![\w+/=])(?P<id>[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12})(?![\w+/])")
_POSITION_ID = re.compile(r"Position[\s-]*ID\s*:?\s*(?P<id>[A-Za-z0-9+/]{14})(?![\w+/])", re.IGNORECASE)
_MATCH_ID = re.compile(r"Match[\s-]*ID\s*:?\s*(?P<id>[A-Za-z0-9+/]{12})(?![\w+/])", re.IGNORECASE)
_LONE_ID = re.compile(r"^\s*(?P<id>[A-Za-z0-9+/]{14})(?:[\s:]+(?P<match>[A-Za-z0-9+/]{12}))?\s*$")
_NAMES = re.compile(r"^\s*X\s*:\s*(?P<x>\S.*?)\s{2,}O\s*:\s*(?P<o>\S.*?)\s*$")


@dataclass(slots=True)
class _Clue:
    """Something that names a position."""

    first: int
    last: int
    """The lines it takes, by index."""
    rank: int
    """How exact it is: 0 is the most."""
    situation: Situation
    board: _boards.Board | None = None


@dataclass(slots=True)
class _Block:
    """Clues that belong together."""

    clues: list[_Clue] = field(default_factory=list)

    @property
    def best(self) -> _Clue:
        return min(self.clues, key=lambda clue: clue.rank)

    @property
    def last(self) -> int:
        return max(clue.last for clue in self.clues)

    def takes(self, clue: _Clue) -> bool:
        """Whether a clue names the same checkers, nearby, in another way than those already here."""
        here = self.best.situation
        if clue.first - self.last > NEARBY or any(one.rank == clue.rank for one in self.clues):
            return False
        if clue.situation.position not in (here.position, here.position.flip()):
            return False
        drawn = any(one.board is not None for one in (*self.clues, clue))
        return drawn or _moment(clue.situation) == _moment(here)


def _moment(situation: Situation) -> tuple[object, ...]:
    """Return what two names of the same moment agree in, whoever is on roll."""
    return situation.length, sorted(situation.score), situation.cube, situation.roll


def sniff(text: str) -> bool:
    """Whether there may be a position in a text."""
    found = (pattern.search(text) for pattern in (_XGID, _XGID_LABEL, _OGID, _FIBS, _PAIR, _POSITION_ID))
    if any(found) or _boards.FRAME.search(text):
        return True
    return any(
        _LONE_ID.match(line.text) and _is_position(line.text) for line in split_lines(text[:20_000])[:200]
    )


def _is_position(text: str) -> bool:
    try:
        parse_id(text.strip())
    except GammonError:
        return False
    return True


def read(source: Source) -> Reading:
    """Read all positions of a text.

    Raises `FormatError` if there is none, naming what was wrong with the first.
    """
    warnings = Warnings()
    lines = source.lines()
    blocks: list[_Block] = []
    for clue in _clues(lines, warnings):
        if blocks and blocks[-1].takes(clue):
            blocks[-1].clues.append(clue)
        elif len(blocks) < MOST_POSITIONS:
            blocks.append(_Block([clue]))
    if not blocks:
        said = warnings.all()
        raise FormatError(
            "text", said[0].text if said else "no identifier and no board", said[0].place if said else ""
        )
    positions = []
    begin = 0
    for i, block in enumerate(blocks):
        end = blocks[i + 1].clues[0].first if i + 1 < len(blocks) else len(lines)
        found, begin = _position(block, lines, begin, end)
        positions.append(found)
    return Reading(format="text", positions=tuple(positions), warnings=warnings.all(), path=source.path)


def _clues(lines: list[Line], warnings: Warnings) -> Iterator[_Clue]:
    """Go through everything that names a position, in the order of the lines."""
    boards = {board.first: board for board in _boards.find(lines)}
    for i, line in enumerate(lines):
        if (board := boards.get(i)) is not None:
            try:
                yield _Clue(i, board.last, 5, _boards.situation(board, lines), board)
            except GammonError as error:
                warnings.add(f"a board that shows no position: {error}", line.place)
        for rank, find in enumerate((_xgids, _pairs, _ogids, _fibs, _positions)):
            for text in find(lines, i):
                try:
                    yield _Clue(i, i, rank, parse_id(text))
                except GammonError as error:
                    warnings.add(str(error), line.place)


def _xgids(lines: list[Line], i: int) -> list[str]:
    text = lines[i].text
    found = [f"XGID={match['id']}" for match in _XGID.finditer(text)]
    if not found and _XGID_LABEL.search(text):
        return [text[text.upper().index("XGID") :].split()[0][:200]]
    return found


def _pairs(lines: list[Line], i: int) -> list[str]:
    """Return Position IDs with a Match ID: together, or each after its label on this line or the next two."""
    text = lines[i].text
    found = [match["id"] for match in _PAIR.finditer(text)]
    if not found and (position := _POSITION_ID.search(text)):
        below = "\n".join(line.text for line in lines[i : i + 3])
        if match := _MATCH_ID.search(below):
            return [f"{position['id']}:{match['id']}"]
    if not found and (lone := _LONE_ID.match(text)) and lone["match"]:
        return [f"{lone['id']}:{lone['match']}"]
    return found


def _ogids(lines: list[Line], i: int) -> list[str]:
    return [match["id"] for match in _OGID.finditer(lines[i].text)]


def _fibs(lines: list[Line], i: int) -> list[str]:
    return [match["id"] for match in _FIBS.finditer(lines[i].text)]


def _positions(lines: list[Line], i: int) -> list[str]:
    """Return Position IDs that have no Match ID."""
    text = lines[i].text
    if _pairs(lines, i):
        return []
    if found := _POSITION_ID.search(text):
        return [found["id"]]
    lone = _LONE_ID.match(text)
    return [lone["id"]] if lone and _is_position(lone["id"]) else []


def _position(block: _Block, lines: list[Line], begin: int, end: int) -> tuple[FoundPosition, int]:
    """Return the position of a block, and the line after the last that belongs to it."""
    best, first = block.best, min(clue.first for clue in block.clues)
    situation = best.situation
    board = next((clue.board for clue in block.clues if clue.board is not None), None)
    if best.rank in (4, 5) and board is not None:
        situation = _boards_rest(block, situation)
    players = _players(lines[first:end], situation, board)
    names = {seat: player.name for seat, player in enumerate(players)}
    findings, used = _text_analysis.read(lines[first:end], situation, names)
    after = max(block.last + 1, first + used)
    comment = "\n".join(line.text.strip() for line in lines[begin:first] if line.text.strip())
    found = FoundPosition(
        situation=situation, players=players, findings=findings, comment=comment, place=lines[first].place
    )
    return found, after


def _boards_rest(block: _Block, situation: Situation) -> Situation:
    """Return what a board shows, if the identifier beside it names only the checkers."""
    drawn = next(clue.situation for clue in block.clues if clue.board is not None)
    return drawn if drawn.position == situation.position else situation


def _players(
    lines: list[Line], situation: Situation, board: _boards.Board | None
) -> tuple[PlayerInfo, PlayerInfo]:
    """Return who sits at seat 0 and at seat 1.

    In a line `X:A  O:B` X is the player on roll, as eXtreme Gammon prints it; at the edges of a board X is
    seat 1 unless X is above.
    """
    names = ["", ""]
    for line in lines[:12]:
        if found := _NAMES.match(line.text):
            names[situation.seat], names[1 - situation.seat] = found["x"], found["o"]
            return PlayerInfo(names[0]), PlayerInfo(names[1])
    if board is not None:
        above = "O" if board.below == "X" else "X"
        names = [board.names.get(above, ""), board.names.get(board.below, "")]
    return PlayerInfo(names[0]), PlayerInfo(names[1])
