"""What happens in a game, one record a decision or throw.

Records never change; a `Game` owns their sequence. `player` is a seat: 0 is the top player of an XGID, the
left column of a `.mat` file; 1 is the bottom one, the right column.
"""

import re
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias

from gammon._native import Play, Position, Roll, Situation
from gammon.match._findings import Finding
from gammon.match._rules import Level

Points: TypeAlias = int | Fraction
"""Points won: whole but for settlements."""

Reason: TypeAlias = Literal["played", "passed", "resigned", "settled", "time", "forfeited", "unknown"]
"""How a game came to its end."""


@dataclass(frozen=True, slots=True)
class Record:
    """What all records have: whose it is, and what was noted about it."""

    kind: ClassVar[str] = ""
    player: int
    """The seat, 0 or 1."""
    _: KW_ONLY
    comment: str = ""
    illegal: str = ""
    """Why the rules do not allow it; empty if they do. It happened all the same."""
    marks: tuple[str, ...] = ()
    """What a file says of it in a word, such as 'very bad' or 'lucky'."""
    findings: tuple[Finding, ...] = ()
    """Evaluations found in a file: plays with `Played`, luck and the cube decision before the throw with
    `Rolled`, those of a decision not taken with the `Setup` of its position."""
    time_left: tuple[float | None, float | None] | None = None
    """Seconds left to seat 0 and seat 1 after it."""


@dataclass(frozen=True, slots=True)
class Opening(Record):
    """The throws that decide who starts: `player` is the winner, each throw seat 0's die and seat 1's."""

    kind: ClassVar[str] = "opening"
    throws: tuple[tuple[int, int], ...]

    @property
    def ties(self) -> tuple[int, ...]:
        """The numbers both threw before the deciding throw."""
        return tuple(first for first, second in self.throws if first == second)


@dataclass(frozen=True, slots=True)
class Rolled(Record):
    """A throw: the player did not double, or could not."""

    kind: ClassVar[str] = "roll"
    roll: Roll


@dataclass(frozen=True, slots=True)
class IllegalPlay:
    """A play the rules do not allow, kept as it was made; it has what a `Play` has, as far as it can."""

    before: Position
    """The position before it, the player on roll."""
    after: Position
    """The position after it, the opponent on roll."""
    roll: Roll
    moves: tuple[tuple[int, int], ...]
    """Moves of single checkers as they were written; 25 is the bar, 0 is off."""
    text: str
    """The play as it was written."""
    reason: str

    @property
    def is_pass(self) -> bool:
        """Whether nothing was moved."""
        return not self.moves

    @property
    def hits(self) -> int:
        """How many blots were hit."""
        return int(self.after.board[0, 24]) - int(self.before.board[1, 24])

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Played(Record):
    """A roll played."""

    kind: ClassVar[str] = "play"
    play: Play | IllegalPlay

    @property
    def roll(self) -> Roll:
        """The roll that was played."""
        return self.play.roll


@dataclass(frozen=True, slots=True)
class CubeAction(Record):
    """An offer of the cube or an answer to one. Playing on after a beaver is 'take', giving up 'pass'."""

    kind: ClassVar[str] = "cube"
    action: Literal["double", "take", "pass", "beaver", "raccoon"]


@dataclass(frozen=True, slots=True)
class Resignation(Record):
    """An offer to lose the game at a level, or the answer to one."""

    kind: ClassVar[str] = "resignation"
    action: Literal["offer", "accept", "decline"]
    level: Level | None = None
    """What is offered; not needed in an answer."""


@dataclass(frozen=True, slots=True)
class Settlement(Record):
    """An offer to end a money game for points, or the answer to one."""

    kind: ClassVar[str] = "settlement"
    action: Literal["offer", "accept", "decline"]
    points: Points | None = None
    """What the player who offers would win; negative is what he would pay."""


@dataclass(frozen=True, slots=True)
class Setup(Record):
    """Position, cube, dice and turn are put as this situation has them; its score is not looked at."""

    kind: ClassVar[str] = "setup"
    situation: Situation


@dataclass(frozen=True, slots=True)
class Flag(Record):
    """The player's reserve of time has run out."""

    kind: ClassVar[str] = "flag"
    points: int = 0
    """The penalty; 0 is the loss of the match."""


AnyRecord: TypeAlias = Opening | Rolled | Played | CubeAction | Resignation | Settlement | Setup | Flag
"""One of the records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a game ended."""

    winner: int | None
    """The seat; `None` if it was settled for nothing or nobody knows."""
    points: Points = 0
    """What the winner got."""
    level: Level | None = None
    """What kind of win; `None` where that has no meaning. By the Jacoby rule a gammon may count one point."""
    reason: Reason = "played"
    ends_match: bool = False
    """Whether the match is over with it whatever the score: lost on time, or given up."""
    illegal: str = ""
    """What contradicts it in the game."""


_MOVE = re.compile(
    r"(?P<points>(?:bar|off|\d+)(?:\*?[/-](?:bar|off|\d+))+)\*?(?:\((?P<times>[1-4])\))?", re.IGNORECASE
)


def moves_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the moves a text such as '13/8*/5 6/4(2)' names, whether or not a board allows them.

    What is no move is read over; points outside the board make the text none at all.
    """
    moves: list[tuple[int, int]] = []
    for found in _MOVE.finditer(text):
        names = re.split(r"\*?[/-]", found["points"].lower())
        points = [25 if name == "bar" else 0 if name == "off" else int(name[:3]) for name in names]
        if any(point > 25 for point in points):
            return ()
        moves.extend(list(pairwise(points)) * int(found["times"] or 1))
    return tuple(moves)


def carried_out(before: Position, moves: tuple[tuple[int, int], ...]) -> Position:
    """Return the position after moves that need not be legal, the opponent on roll.

    A move without a checker to make it, or onto a point the opponent holds, is left out: no position has it.
    """
    board = before.board
    mine, theirs = board[0], board[1]
    for source, target in moves:
        if not (1 <= source <= 25 and 0 <= target <= 24) or mine[source - 1] == 0:
            continue
        if target:
            there = theirs[24 - target]
            if there > 1:
                continue
            if there == 1:
                theirs[24 - target] = 0
                theirs[24] += 1
        mine[source - 1] -= 1
        if target:
            mine[target - 1] += 1
    return Position.from_board(board).flip()
