"""Reads the `oldmoves` of the FIBS server: the games of a match in words and points.

    Score is 0-1 in a 5 point match.
    X is A - O is B
    X: (3 1) 8-5 6-5
    O: (6 4) 24-14
    X: doubles
    O: accepts

X is seat 0. A side's points are its own if they fall from start to end of a move, or else the other side's.
"""

import re

from gammon.errors import FormatError
from gammon.formats._reading import Reading, Warnings
from gammon.formats._recorder import MOST_POINTS, Recorder
from gammon.formats._source import Line, Source, whole_number
from gammon.match import Match, Session

_SCORE = re.compile(
    r"Score\s+is\s+(?P<x>\d{1,6})\s*-\s*(?P<o>\d{1,6})(?:\s+in\s+an?\s+(?P<length>\d{1,6}|unlimited)[\s-]*(?:point)?\s*match)?",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"^\W*(?P<side>[XO])\s*:\s*\(?\s*(?P<d1>[1-6])\s*[-, ]?\s*(?P<d2>[1-6])\s*\)?\s*:?\s*(?P<play>.*)$"
)
_ACTION = re.compile(r"^\W*(?P<side>[XO])\s*:\s*(?P<words>[A-Za-z].*)$")
_NAMED = re.compile(
    r"(?P<name>\S+)\s+(?:is|plays)\s+(?P<side>[XO])\b|\b(?P<side2>[XO])\s+is\s+(?P<name2>\S+)"
)
_MOVE = re.compile(r"(?P<from>bar|\d{1,2})\s*[-/]\s*(?P<to>off|home|bar|\d{1,2})", re.IGNORECASE)


def sniff(text: str) -> bool:
    """Whether a text is a record of this kind."""
    return bool(re.search(r"^\W{0,9}[XO]\s{0,3}:\s{0,3}\(\s?[1-6]", text, re.MULTILINE))


def read(source: Source) -> Reading:
    """Read matches. Raises `FormatError` if there is no turn in the text."""
    reader = _Reader()
    for line in source.lines():
        if line.text.strip():
            reader.line(line)
    if not reader.matches:
        raise FormatError("oldmoves", "no line such as 'X: (3 1) 8-5 6-5'")
    return Reading(
        format="oldmoves", matches=tuple(reader.matches), warnings=reader.warnings.all(), path=source.path
    )


class _Reader:
    """Reads line after line."""

    def __init__(self) -> None:
        self.warnings = Warnings()
        self.matches: list[Match | Session] = []
        self._recorder: Recorder | None = None
        self._names: dict[str, str] = {}

    def line(self, line: Line) -> None:
        """Read a line."""
        if found := _SCORE.search(line.text):
            self._score(found, line)
        elif found := _TURN.match(line.text):
            self._turn(found, line)
        elif found := _ACTION.match(line.text):
            self._action(found, line)
        elif names := list(_NAMED.finditer(line.text)):
            for name in names:
                self._names[name["side"] or name["side2"]] = (name["name"] or name["name2"]).strip(".,;:")
            self._name()
        else:
            self._begun().comment(line.text.strip())
            self.warnings.add(f"not understood: {line.text.strip()[:60]!r}", line.place)

    def _begun(self) -> Recorder:
        if self._recorder is None:
            self._recorder = Recorder(Session(), self.warnings)
            self.matches.append(self._recorder.series)
            self._name()
        return self._recorder

    def _name(self) -> None:
        if self._recorder is not None:
            for seat, side in enumerate("XO"):
                if side in self._names:
                    self._recorder.rename(seat, name=self._names[side])

    def _score(self, found: re.Match[str], line: Line) -> None:
        length = whole_number(found["length"] or "0", MOST_POINTS) or 0
        score = (min(int(found["x"]), MOST_POINTS), min(int(found["o"]), MOST_POINTS))
        recorder = self._recorder
        goes_on = recorder is not None and recorder.series.length == length and score != (0, 0)
        if recorder is None or (not goes_on and recorder.has_game):
            series: Match | Session = Match(length) if length else Session()
            recorder = self._recorder = Recorder(series, self.warnings)
            self.matches.append(series)
            self._name()
        recorder.new_game(score, place=line.place)

    def _turn(self, found: re.Match[str], line: Line) -> None:
        player = "XO".index(found["side"])
        moves = [_own(move) for move in _MOVE.finditer(found["play"])]
        if (
            not moves
            and found["play"].strip()
            and not re.search(r"can.?t|can\s?not|no move|dance", found["play"], re.I)
        ):
            self.warnings.add(f"a play that is none: {found['play'].strip()[:40]!r}", line.place)
        self._begun().turn(player, found["d1"] + found["d2"], moves or "", place=line.place)

    def _action(self, found: re.Match[str], line: Line) -> None:
        recorder, player = self._begun(), "XO".index(found["side"])
        words = found["words"].lower()
        points = re.search(r"(\d{1,5})\s+point", words)
        if "redouble" in words or "double" in words:
            recorder.double(player, place=line.place)
        elif "beaver" in words:
            recorder.answer(player, "beaver", line.place)
        elif re.match(r"(?:accept|take)", words) and recorder.game.state.offer:
            recorder.answer(player, "take", line.place)
        elif re.match(r"(?:reject|drop|pass|decline|give)", words) and recorder.game.state.offer:
            recorder.answer(player, "pass", line.place)
        elif "win" in words:
            recorder.end(player, int(points[1]) if points else recorder.game.state.cube, place=line.place)
        elif re.match(r"can.?t|can\s?not|no move", words):
            return
        else:
            recorder.comment(f"{found['side']}: {found['words'].strip()}")
            self.warnings.add(f"not understood: {line.text.strip()[:60]!r}", line.place)


def _own(move: re.Match[str]) -> tuple[int, int]:
    """Return a move by the mover's own points."""
    source, target = move["from"].lower(), move["to"].lower()
    if source == "bar":
        there = int(target) if target.isdigit() else 0
        return 25, there if there >= 19 else 25 - there
    here = min(int(source), 25)
    if not target.isdigit():
        return (here if here <= 6 else 25 - here), 0
    there = min(int(target), 25)
    return (here, there) if here > there else (25 - here, 25 - there)
