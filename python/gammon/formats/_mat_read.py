"""Jellyfish `.mat`, the text format of matches, in all the dialects that share it.

    ; [Player 1 "B"]                         tags, as eXtreme Gammon writes them
     5 point match                           0 is a money session
     Game 1
     A : 0                        B : 0
      1) 31: 8/5 6/5              64: 24/14
      2)  Doubles => 2             Takes

Seat 0 is the left column. Points are the mover's own; the bar is 25, `bar` or `Bar`, off is 0, `off` or
`Off`. A roll without a play is a dance, one with `???` was never played. The columns are told apart by what
they hold, so that their width does not matter. eXtreme Gammon's text export and Snowie's have the same
grammar.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from gammon._native import Position, Situation
from gammon.errors import FormatError, GammonError
from gammon.formats._mat_tags import apply_tags, new_series
from gammon.formats._reading import Reading, Warnings
from gammon.formats._recorder import MOST_POINTS, Recorder
from gammon.formats._snowie import read_snowie
from gammon.formats._source import Line, Source, whole_number
from gammon.match import Match, Session, Setup
from gammon.match._records import Reason

MOST_OF_A_SESSION = 999_999_999
"""The highest score of money play that is read, and the highest number of points a game may bring."""

RIGHT_COLUMN = 18
"""Where the right column may begin at the earliest: the left one is wider than that in all dialects."""

_LENGTH = re.compile(
    r"^\W*(?P<length>\d+|unlimited|money)[\s-]+(?:points?\s+match|game|session|match)\b", re.IGNORECASE
)
_GAME = re.compile(r"^\s*Game\s+(?P<number>\d{1,6})\b(?P<rest>.*)$", re.IGNORECASE)
_SCORES = re.compile(
    r"^\s*(?P<left>\S.*?|)\s*:\s*(?P<score0>-?\d+)\s+(?P<right>\S.*?|)\s*:\s*(?P<score1>-?\d+)\s*$"
)
_ROW = re.compile(r"^\s*(?P<number>\d{1,5})\)(?P<cells>.*)$")
_CELL = re.compile(
    r"(?<![^\s)])(?:(?P<d1>[1-6])(?P<d2>[1-6])\s*:|(?P<word>(?:re)?doubles?|takes?|accepts?|drops?|pass(?:es)?"
    r"|rejects?|beavers?|raccoons?|wins?|los(?:s|es|ses|e)|resign\w*|lost on time|forfeit\w*)\b)",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"^(?P<lead>\s*)(?P<word>wins?|los(?:s|es|ses|e))\s+(?P<points>\d+)\s+points?", re.IGNORECASE
)
_TAG = re.compile(r'^\s*[;#]\s*\[(?P<name>[^"\]]+?)\s+"(?P<value>.*)"\s*\]')
_COMMENT = re.compile(r"^\s*[;#]\s?(?P<text>.*)$")
_SETUP = re.compile(r"Set\s+Pos\s*=\s*(?P<board>[-A-Pa-p]{26})(?P<rest>.*)$", re.IGNORECASE)
_UNPLAYED = re.compile(r"^\s*\?{2,}")
_DANCE = re.compile(
    r"^\s*(?:cannot\s+move|no\s+(?:legal\s+)?(?:move|play)|dance[sd]?|-+|\(?no play\)?)?\s*\.?$",
    re.IGNORECASE,
)
_ILLEGAL = re.compile(r"illegal\s+play\s*\(?(?P<position>[^)]*)\)?", re.IGNORECASE)
_ASIDE = re.compile(r"[\[{](?P<text>[^\]}]*)[\]}]")


@dataclass(slots=True)
class _Reader:
    """Where reading has got to."""

    warnings: Warnings
    assumed: dict[str, str]
    """Tags that hold where the file says nothing."""
    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    """Comments before the match."""
    recorder: Recorder | None = None
    names: tuple[str, str] | None = None
    """The players as the first line with scores has them."""
    number: int = 1
    """The number of the current game."""
    awaiting_score: bool = False
    """Whether the line with names and scores of a new game has not come yet."""
    setup: tuple[str, Line] | None = None
    """A position put on the board, until it is known who goes on from it."""
    reason: tuple[Reason | None, bool] = (None, False)
    """Why the game ended and whether the match did with it, if the loser's side said so."""
    jacoby_broken: bool = False
    """Whether a gammon counted although the Jacoby rule, which no tag says, would not have let it."""
    decided: bool = False
    """Whether the result of the game has been read."""
    done: list[Match | Session] = field(default_factory=list)


def sniff(text: str) -> bool:
    """Whether a text looks like a match of this kind."""
    return bool(
        re.search(r"^\W{0,9}(?:\d+|unlimited|money)[\s-]+(?:points? match|session|game)\b", text, re.M | re.I)
    ) or (
        bool(re.search(r"^\s{0,9}Game \d+\s*$", text, re.M | re.I))
        and bool(re.search(r"^\s{0,9}\d+\)", text, re.M))
    )


def read(source: Source) -> Reading:
    """Read matches; whatever cannot be understood is a warning. Raises `FormatError` if there is no match."""
    reader = _read(source, {})
    if reader.jacoby_broken:
        # Gammons counted that would not have: money play without the Jacoby rule, which no tag says.
        reader = _read(source, {"Jacoby": "Off"})
    if not reader.done:
        raise FormatError("mat", "no line such as '7 point match' or 'Game 1'")
    matches, warnings = tuple(reader.done), reader.warnings.all()
    return Reading(format="mat", matches=matches, warnings=warnings, path=source.path)


def _read(source: Source, assumed: dict[str, str]) -> _Reader:
    """Read all lines, with these tags where the file has no such."""
    reader = _Reader(Warnings(), assumed)
    for line in source.lines():
        if line.text.strip():
            _read_line(reader, line)
    _finish(reader)
    return reader


def _read_line(reader: _Reader, line: Line) -> None:
    if found := _TAG.match(line.text):
        _read_tag(reader, found["name"].strip(), found["value"], line)
    elif found := _COMMENT.match(line.text):
        _read_comment(reader, found["text"].rstrip(), line)
    elif reader.awaiting_score and (found := _SCORES.match(line.text)):
        _read_scores(reader, found, line)
    elif found := _ROW.match(line.text):
        _read_row(reader, found["cells"], line)
    elif found := _LENGTH.match(line.text):
        _begin_match(reader, found["length"], line)
    elif found := _GAME.match(line.text):
        _begin_game(reader, int(found["number"]), line)
    elif found := _RESULT.match(line.text):
        _read_result(reader, line.text.strip(), int(len(found["lead"]) >= RIGHT_COLUMN), line)
    elif reader.recorder is not None and _CELL.search(line.text):
        _read_row(reader, line.text, line)
    else:
        _read_comment(reader, line.text.strip(), line)
        reader.warnings.add(f"not understood: {line.text.strip()[:60]!r}", line.place)


def _read_tag(reader: _Reader, name: str, value: str, line: Line) -> None:
    if reader.recorder is None or not reader.recorder.has_game:
        reader.tags[name] = value
    else:
        _read_comment(reader, f"{name}: {value}", line)


def _read_comment(reader: _Reader, text: str, line: Line) -> None:
    if found := _SETUP.search(text):
        reader.setup = (f"{found['board']}:{_cube(found['rest'])}", line)
    elif reader.recorder is None:
        reader.remarks.append(text)
    else:
        reader.recorder.comment(text)


def _cube(rest: str) -> str:
    """Return cube and owner as an XGID has them, from what follows the board of a position put up."""
    numbers = re.findall(r"-?\d{1,5}", rest)[:2]
    value = int(numbers[0]) if numbers else 0
    log2 = value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else 0
    owner = max(-1, min(1, int(numbers[1]))) if len(numbers) > 1 else 0
    return f"{log2}:{owner}"


def _begin_match(reader: _Reader, length: str, line: Line) -> None:
    if reader.recorder is not None and not reader.recorder.has_game and not reader.awaiting_score:
        reader.warnings.add("the match length stands twice", line.place)
    _finish(reader)
    number = whole_number(length, MOST_POINTS)
    if length.isdigit() and number is None:
        reader.warnings.add(f"a match to {length[:12]} points: taken for a money session", line.place)
    reader.recorder = Recorder(new_series(number or 0, reader.assumed | reader.tags), reader.warnings)


def _begin_game(reader: _Reader, number: int, line: Line) -> None:
    if reader.recorder is None:
        reader.warnings.add("no line says how long the match is: taken for a money session", line.place)
        reader.recorder = Recorder(new_series(0, reader.assumed | reader.tags), reader.warnings)
    if reader.awaiting_score:
        _new_game(reader, None, line)
    reader.awaiting_score = True
    reader.decided = False
    reader.reason = (None, False)
    reader.number = number
    expected = len(reader.recorder.series.games) + 1
    if number != expected:
        reader.warnings.add(f"game {number} stands where game {expected} is expected", line.place)


def _read_scores(reader: _Reader, found: re.Match[str], line: Line) -> None:
    assert reader.recorder is not None
    score = _score(reader, (found["score0"], found["score1"]), line)
    first = not reader.recorder.series.games
    names = found["left"], found["right"]
    if first:
        reader.names = names
        apply_tags(reader.recorder, names, reader.tags, reader.remarks)
    _new_game(reader, score, line)
    if names != reader.names:
        reader.recorder.warn(f"the players are called {names[0]!r} and {names[1]!r}", line.place)


def _score(reader: _Reader, texts: tuple[str, str], line: Line) -> tuple[int, int]:
    """Return the points of both; those that no match or session can have are said."""
    assert reader.recorder is not None
    most = MOST_POINTS if reader.recorder.series.length else MOST_OF_A_SESSION
    found = []
    for text in texts:
        number = -1 if text.startswith("-") else whole_number(text, most)
        if number is None or number < 0:
            reader.warnings.add(f"a score of {text[:20]}: taken for {0 if number else most}", line.place)
        found.append(max(number, 0) if number is not None else most)
    return found[0], found[1]


def _new_game(reader: _Reader, score: tuple[int, int] | None, line: Line | None = None) -> None:
    """Begin the game whose number has been read."""
    assert reader.recorder is not None
    game = reader.recorder.new_game(score, place=line.place if line else "")
    game.number = reader.number
    reader.awaiting_score = False


def _read_row(reader: _Reader, cells: str, line: Line) -> None:
    if reader.recorder is None:
        reader.warnings.add("a row before any game", line.place)
        return
    if reader.awaiting_score:
        _new_game(reader, None, line)
    found = list(_CELL.finditer(cells))
    aside = cells[: found[0].start()] if found else cells
    if aside.strip():
        reader.recorder.comment(aside.strip())
        reader.recorder.warn(f"not understood: {aside.strip()[:60]!r}", line.place)
    for i, cell in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(cells)
        right = i > 0 if len(found) > 1 else cell.start() >= RIGHT_COLUMN
        _read_cell(reader, cell, cells[cell.end() : end], int(right), line)


def _read_cell(reader: _Reader, cell: re.Match[str], rest: str, player: int, line: Line) -> None:
    recorder = reader.recorder
    assert recorder is not None
    word = (cell["word"] or "").lower()
    if not word:
        _put_up(reader, player)
        _read_roll(reader, player, cell["d1"] + cell["d2"], rest, line)
        return
    if "double" in word:
        _put_up(reader, player)
        value = re.match(r"\s*(?:=>|->|to|=)?\s*(\d+)", rest)
        recorder.double(player, value=_number(value[1]) if value else None, place=line.place)
        return
    for action, words in _ANSWERS:
        if word.startswith(words):
            recorder.answer(player, action, line.place)
            return
    _read_result(reader, word + rest, player, line)


_ANSWERS: tuple[tuple[Literal["take", "pass", "beaver", "raccoon"], tuple[str, ...]], ...] = (
    ("take", ("take", "accept")),
    ("pass", ("drop", "pass", "reject")),
    ("beaver", ("beaver",)),
    ("raccoon", ("raccoon",)),
)


def _read_roll(reader: _Reader, player: int, dice: str, text: str, line: Line) -> None:
    recorder = reader.recorder
    assert recorder is not None
    asides = [found["text"].strip() for found in _ASIDE.finditer(text)]
    comment = "\n".join(aside for aside in asides if aside)
    play = _ASIDE.sub(" ", text).strip()
    if _UNPLAYED.match(play):
        recorder.turn(player, dice, place=line.place, comment=comment)
    elif found := _ILLEGAL.search(play):
        after = _position_after(recorder, player, found["position"], line)
        recorder.turn(player, dice, play, after=after, place=line.place, comment=comment)
    else:
        recorder.turn(player, dice, "" if _DANCE.match(play) else play, place=line.place, comment=comment)


def _position_after(recorder: Recorder, player: int, text: str, line: Line) -> Position | None:
    """Return the position an illegal play led to, seen by the opponent."""
    try:
        situation = read_snowie(text).situation
    except GammonError as error:
        recorder.warn(f"the position of an illegal play cannot be read: {error}", line.place)
        return None
    return situation.position.flip() if situation.seat == player else situation.position


def _put_up(reader: _Reader, player: int) -> None:
    """Put up the position that was waiting for somebody to go on from it."""
    if reader.setup is None or reader.recorder is None:
        return
    text, line = reader.setup
    reader.setup = None
    recorder = reader.recorder
    length, score = recorder.series.length, recorder.game.score
    turn = 1 if player == 1 else -1
    try:
        situation = Situation(f"XGID={text}:{turn}:00:{int(score[1])}:{int(score[0])}:0:{length}:10")
    except GammonError as error:
        recorder.warn(f"a position put up cannot be read: {error}", line.place)
        return
    recorder.add(Setup(player, situation), line.place)


def _read_result(reader: _Reader, text: str, player: int, line: Line) -> None:
    recorder = reader.recorder
    if recorder is None or not recorder.has_game:
        reader.warnings.add("a result before any game", line.place)
        return
    lower = text.lower()
    reason: Reason | None = "time" if "time" in lower else "forfeited" if "forfeit" in lower else None
    points = re.search(r"(?<!\d)(\d+)\s+point", lower)
    ends_match = ("match" in lower and reason is not None) or lower.startswith(
        ("resigned match", "resigns match")
    )
    if not lower.startswith("win"):
        # The loser's side of it; who wins says for how much, unless nobody does.
        if reason is not None:
            reader.reason = (reason, ends_match)
        if points is not None and not reader.decided:
            lost = _number(points[1])
            recorder.end(1 - player, lost, reason=reason, ends_match=ends_match, place=line.place)
        elif reason is None:
            recorder.comment(text.strip())
        return
    if points is None:
        recorder.warn(f"not understood: {text.strip()[:60]!r}", line.place)
        return
    reader.decided = True
    if reason is None:
        reason, ends_match = reader.reason
        ends_match = ends_match or (reason is not None and "match" in lower)
    state, terms = recorder.game.state, recorder.game.terms
    if terms.jacoby and not state.offered and state.offer is None and "Jacoby" not in reader.tags:
        reader.jacoby_broken |= _number(points[1]) in (2 * state.cube, 3 * state.cube)
    recorder.end(player, _number(points[1]), reason=reason, ends_match=ends_match, place=line.place)


def _number(digits: str) -> int:
    """Return a number; one beyond all sense is the highest that is read, and whoever takes it will wonder."""
    return min(int(digits[:12]), MOST_OF_A_SESSION)


def _finish(reader: _Reader) -> None:
    """Close the match that is being read, if any."""
    if reader.recorder is not None:
        if reader.awaiting_score:
            _new_game(reader, None)
        if reader.names is None:
            apply_tags(reader.recorder, ("", ""), reader.tags, reader.remarks)
        reader.done.append(reader.recorder.series)
        reader.tags, reader.remarks, reader.names = {}, [], None
    reader.recorder = None
    reader.awaiting_score = reader.decided = False
    reader.setup = None
