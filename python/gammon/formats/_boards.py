"""Boards drawn in characters, as programs and servers print them and people paste them.

    +13-14-15-16-17-18------19-20-21-22-23-24-+     O: the player above
    | X           O    |   | O              X |     0 points
    ...                |BAR|                        7 point match (Cube: 1)
    | O           X    |   | X              O |     Rolled 31
    +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: the player below

GNU Backgammon, FIBS, eXtreme Gammon, BGBlitz and gammon itself draw alike. Where the numbers stand says where
the points are. They are counted by the player on whose side 1 stands; who that is, the label on that side
says, and otherwise X is the player below. A digit on a stack is the whole of it if it is 6 or more, or else
what is beyond the checkers drawn.
"""

import itertools
import re
from dataclasses import dataclass, field

from gammon._native import Position, Roll, Situation
from gammon.errors import FormatError, GammonError
from gammon.formats._source import Line

FRAME = re.compile(r"\+[-+]{0,4}\d{1,2}[-+\d]{20,60}\+")
"""The upper or lower edge of a board."""

_ROWS = range(6, 18)
"""Lines that may stand between the edges."""

_LABEL = re.compile(r"^\s*(?P<side>[XO])\s*:\s*(?P<name>.*)$")
_PIPS = re.compile(r"\s{2,}(?P<pips>\d{1,3})\s*$")
_DICE = re.compile(
    r"(?:rolled|to play|to move|playing)\W*([1-6])\W{0,3}([1-6])\b|\bRolled:?\s*([1-6])\s*([1-6])",
    re.IGNORECASE,
)
_CUBE = re.compile(r"Cube(?:\s+at)?:?\s*(\d{1,5})", re.IGNORECASE)
_OWNS = re.compile(r"([XO])\s+(?:owns?|has)\b", re.IGNORECASE)
_POINTS = re.compile(r"(?P<points>\d{1,5})\s+points?\s*$")
_SCORE = re.compile(r"score\s*(?:is)?\s*:?\s*(\d{1,5})", re.IGNORECASE)
_LENGTH = re.compile(
    r"(\d{1,5})[\s-]*(?:point|pt\.?\(?s?\)?)s?\s*\.?\s*match|match to (\d{1,5}) points?", re.IGNORECASE
)
_BOX = re.compile(r"^\s*\|\s*(\d{1,5})\s*\|\s*$")


@dataclass(slots=True)
class Board:
    """A board that was found, and what stands beside it."""

    first: int
    """The index of its upper edge among the lines."""
    last: int
    """That of its lower edge."""
    sides: dict[str, dict[int, int]]
    """The checkers of X and O by their own points."""
    below: str
    """Whose home is below: X or O."""
    counted_below: bool
    """Whether the points are counted by the player below."""
    names: dict[str, str] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)
    """What stands to the right of each line."""


def find(lines: list[Line]) -> list[Board]:
    """Return all boards in these lines; what looks like one and is none is left out."""
    found: list[Board] = []
    edges = [(i, match) for i, line in enumerate(lines) if (match := FRAME.search(line.text))]
    used = -1
    for (i, upper), (j, lower) in itertools.pairwise(edges):
        if i > used and j - i in _ROWS and abs(upper.start() - lower.start()) <= 3:
            board = _board(lines, i, j, upper, lower)
            if board is not None:
                found.append(board)
                used = j
    return found


def _columns(edge: re.Match[str]) -> dict[int, float]:
    """Return where the numbers of an edge stand."""
    return {
        int(n[0]): (edge.start() + n.start() + edge.start() + n.end() - 1) / 2
        for n in re.finditer(r"\d{1,2}", edge[0])
    }


def _board(lines: list[Line], i: int, j: int, upper: re.Match[str], lower: re.Match[str]) -> Board | None:
    above, under = _columns(upper), _columns(lower)
    if set(above) | set(under) != set(range(1, 25)) or len(above) != 12 or len(under) != 12:
        return None
    rows = [line.text for line in lines[i + 1 : j]]
    middle = next((k for k, row in enumerate(rows) if "BAR" in row.upper()), len(rows) // 2)
    bar = _bar_column(rows, middle)
    counted_below = 1 in under
    piles: dict[int, str] = {}
    for columns, part in ((above, rows[:middle]), (under, rows[middle + 1 :])):
        for number, column in columns.items():
            piles[number] = "".join(_at(row, column) for row in part)
    on_bar = ["".join(_at(row, bar) for row in part) for part in (rows[:middle], rows[middle + 1 :])]
    beside = [line.text[max(upper.end(), lower.end()) :] for line in lines[i : j + 1]]
    names = _names(beside)
    below = _below(beside)
    sides = _sides(piles, on_bar, below, counted_below)
    if sides is None:
        return None
    return Board(i, j, sides, below, counted_below, names, beside)


def _bar_column(rows: list[str], middle: int) -> float:
    place = rows[middle].upper().find("BAR") if middle < len(rows) else -1
    if place >= 0:
        return place + 1
    found = re.search(r"\|(\s{1,5})\|", rows[0]) if rows else None
    return (found.start(1) + found.end(1) - 1) / 2 if found else -9


def _at(row: str, column: float) -> str:
    """Return the checker or the number nearest to a column; empty if there is none."""
    if column < 0:
        return ""
    for place in sorted(range(int(column) - 1, int(column) + 3), key=lambda k: abs(k - column)):
        if not (abs(place - column) <= 1.0 and 0 <= place < len(row)):
            continue
        if row[place] in "XOxo":
            return row[place].upper()
        if row[place] in "0123456789":
            around = next(found for found in re.finditer(r"\d+", row) if found.start() <= place < found.end())
            return "O" if around[0] == "0" else around[0][:2]
    return ""


def _labels(beside: list[str]) -> list[tuple[bool, str, str]]:
    """Return the labels at the edges: whether one is below, the side, and what follows it."""
    places = ((False, beside[0]), (False, beside[1]), (True, beside[-1]), (True, beside[-2]))
    found = [(below, label) for below, text in places if (label := _LABEL.match(text))]
    return [(below, label["side"], label["name"]) for below, label in found]


def _names(beside: list[str]) -> dict[str, str]:
    names = {}
    for _, side, text in _labels(beside):
        name = re.sub(r"\s*-\s*score:?\s*\d+\s*$", "", text, flags=re.IGNORECASE)
        names[side] = "" if re.match(r"\d+ pips", name) else _PIPS.sub("", name).strip()
    return names


def _below(beside: list[str]) -> str:
    """Return whose home is below, by the labels at the edges."""
    for below, side, _ in _labels(beside):
        return side if below else "O" if side == "X" else "X"
    return "X"


def _sides(
    piles: dict[int, str], on_bar: list[str], below: str, counted_below: bool
) -> dict[str, dict[int, int]] | None:
    """Return the checkers of both sides, digits read in whichever way gives a position."""
    other = "O" if below == "X" else "X"
    counter = below if counted_below else other
    for whole in (None, True, False):
        sides: dict[str, dict[int, int]] = {"X": {}, "O": {}}
        for number, pile in piles.items():
            side, count = _pile(pile, whole)
            if side:
                sides[side][number if side == counter else 25 - number] = count
        for pile in on_bar:
            for side in "XO":
                drawn = pile.count(side)
                digits = re.search(r"\d+", pile)
                if drawn:
                    sides[side][25] = sides[side].get(25, 0) + (int(digits[0]) if digits else drawn)
        if all(sum(side.values()) <= 15 for side in sides.values()) and any(map(bool, sides.values())):
            return sides
    return None


def _pile(pile: str, whole: bool | None) -> tuple[str, int]:
    """Return whose checkers a pile is and how many."""
    drawn = {side: pile.count(side) for side in "XO"}
    side = max(drawn, key=lambda one: drawn[one])
    if not drawn[side]:
        return "", 0
    digits = re.search(r"\d{1,2}", pile)
    if digits is None:
        return side, drawn[side]
    number = int(digits[0])
    total = number >= 6 if whole is None else whole
    return side, number if total else drawn[side] + number


def situation(board: Board, lines: list[Line]) -> Situation:
    """Return what a board shows: X, or who is below, has seat 1.

    Raises `FormatError` or what `Situation.from_parts` does if it shows no situation.
    """
    above = "O" if board.below == "X" else "X"
    seats = {board.below: 1, above: 0}
    text = "\n".join(line.text for line in lines[max(board.first - 3, 0) : board.last + 8])
    roller = _roller(board, text)
    other = "O" if roller == "X" else "X"
    dice = _DICE.search("\n".join(board.beside)) or _DICE.search(text)
    numbers = [int(n) for n in dice.groups() if n] if dice else []
    cube, owner = _cube(board, text)
    length, score = _match(board, text)
    try:
        position = Position.from_points(board.sides[roller], board.sides[other])
    except GammonError as error:
        raise FormatError("board", str(error), lines[board.first].place) from error
    return Situation.from_parts(
        position,
        length=length,
        score=(score[roller], score[other]),
        crawford=bool(length and "crawford" in text.lower() and cube == 1 and owner == ""),
        cube=cube,
        cube_owner=None if not owner else "roller" if owner == roller else "opponent",
        roll=Roll(numbers[0], numbers[1]) if len(numbers) == 2 else None,
        seat=seats[roller],
    )


def _roller(board: Board, text: str) -> str:
    """Return who is on roll: as it is said, or the player who counts the points."""
    above = "O" if board.below == "X" else "X"
    for k, beside in enumerate(board.beside):
        if re.search(r"\b(?:on roll|rolled)\b", beside, re.IGNORECASE):
            return above if k < len(board.beside) / 2 else board.below
    if found := re.search(r"\b([XO])\s+(?:to play|to move|on roll|to roll)", text):
        return found[1]
    for side, name in board.names.items():
        if name and re.search(
            rf"^\s*{re.escape(name)}\s+(?:to move|to play|to roll|rolled|on roll)",
            text,
            re.MULTILINE | re.IGNORECASE,
        ):
            return side
    return board.below if board.counted_below else above


def _cube(board: Board, text: str) -> tuple[int, str]:
    """Return the cube and its owner, X, O or nobody: by words, or by the height at which it is drawn."""
    above = "O" if board.below == "X" else "X"
    rows = len(board.beside)
    for k, beside in enumerate(board.beside):
        found = _BOX.match(beside) or re.search(r"\(Cube:?\s*(\d{1,5})\)", beside, re.IGNORECASE)
        if found:
            height = k / max(rows - 1, 1)
            owner = "" if 0.38 < height < 0.62 else above if height < 0.5 else board.below
            return _power(int(found[1])), owner
    if found := _CUBE.search(text):
        owns = _OWNS.search(text[found.end() : found.end() + 40])
        return _power(int(found[1])), owns[1].upper() if owns else ""
    return 1, ""


def _power(value: int) -> int:
    """Return a cube, 1 if it is none; 64 in the middle is how a cube that has not been turned lies."""
    return value if 1 <= value <= 1 << 15 and value & (value - 1) == 0 else 1


def _match(board: Board, text: str) -> tuple[int, dict[str, int]]:
    """Return the length of the match and the score of X and O."""
    above = "O" if board.below == "X" else "X"
    score = {"X": 0, "O": 0}
    for k, beside in enumerate(board.beside):
        side = above if k < len(board.beside) / 2 else board.below
        if found := _POINTS.search(beside) or _SCORE.search(beside):
            score[side] = min(int(found[1]), 32_767)
    if found := re.search(r"X:\s*(\d{1,5})\s+O:\s*(\d{1,5})\s", text):
        score = {"X": min(int(found[1]), 32_767), "O": min(int(found[2]), 32_767)}
    length = _LENGTH.search(text)
    if length is None:
        return 0, score
    named = {
        side: re.search(rf"\b{re.escape(name)}\s*-\s*(\d{{1,5}})\b", text)
        for side, name in board.names.items()
        if name
    }
    for side, found in named.items():
        if found:
            score[side] = min(int(found[1]), 32_767)
    return min(int(length[1] or length[2]), 32_767), score
