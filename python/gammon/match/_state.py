"""The state of a game between two records: everything that the next decision depends on.

`_legal` says why a record is against the rules, `_after` what comes of it whether it is or not: a file may
hold anything, and a reader must get through it.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gammon._native import Position, Roll, Situation
from gammon._typing import Offer
from gammon._typing import Player as Side
from gammon.errors import IllegalSituationError
from gammon.match._records import Points, Result
from gammon.match._rules import LEVELS, MAX_CUBE, Level, Rules

__all__ = ["RESIGNATIONS", "TURNS", "CubeOffer", "Phase", "State", "Terms", "scores"]


Phase: TypeAlias = Literal["start", "to-roll", "to-play", "to-answer", "over"]
"""What comes next: the throws for the start, a throw or a double, a play, the answer to a double, nothing."""


CubeOffer: TypeAlias = Literal["double", "beaver", "raccoon"]


TURNS: dict[CubeOffer, int] = {"double": 2, "beaver": 4, "raccoon": 8}
"""What each offer makes of the cube as it was before the double."""


_USUAL_LIMIT = 1024


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is played for and by."""

    rules: Rules
    length: int
    """Points of the match; 0 is money play."""
    score: tuple[Points, Points]
    """Points of seat 0 and seat 1 before the game; whole but for settlements."""
    crawford: bool

    @property
    def jacoby(self) -> bool:
        """Whether the Jacoby rule applies."""
        return self.rules.jacoby and not self.length

    @property
    def post_crawford(self) -> bool:
        """Whether it is a game after the Crawford game."""
        one_away = self.length > 1 and max(self.score) == self.length - 1
        return one_away and self.rules.crawford and not self.crawford

    def points(self, level: Level, cube: int, *, offered: bool) -> int:
        """Return what a win of this level is worth."""
        counts = LEVELS.index(level) + 1 if offered or not self.jacoby else 1
        return counts * cube


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the next decision depends on, but for the terms."""

    position: Position
    """Seen by `turn`, who has the roll; by the winner of the start before it is known."""
    turn: int | None = None
    phase: Phase = "start"
    roll: Roll | None = None
    opening: Roll | None = None
    """The dice thrown for the start, which have to be played."""
    cube: int = 1
    """Its value before a pending offer."""
    owner: int | None = None
    offered: bool = False
    """Whether a double has been taken."""
    offer: CubeOffer | None = None
    resignation: tuple[int, Level] | None = None
    """Who offers to lose the game, and how."""
    settlement: tuple[int, Points] | None = None
    """Who offers to settle, and what he would get."""
    throws: tuple[int, int] = (0, 0)
    """How often each has thrown in turn."""
    penalties: tuple[int, int] = (0, 0)
    """Points each got because the other's time ran out."""
    result: Result | None = None

    @property
    def to_act(self) -> int | None:
        """The seat that has to decide; `None` if the game has not begun or is over."""
        if self.turn is None or self.phase == "over":
            return None
        if self.resignation is not None:
            return 1 - self.resignation[0]
        if self.settlement is not None:
            return 1 - self.settlement[0]
        if self.offer in ("double", "raccoon"):
            return 1 - self.turn
        return self.turn

    @property
    def stake(self) -> int:
        """The cube, a pending offer counted."""
        return self.cube if self.offer is None else self.cube * TURNS[self.offer]

    def situation(self, terms: Terms, turn: int = 1) -> Situation:
        """Return the same as a `Situation`; `turn` is the seat that is taken to be on roll before the start.

        A cube that a triple for sixes has raised is divided by it: a situation knows powers of two. What
        contradicts itself, as a double in the Crawford game, is left out.
        """
        seat = turn if self.turn is None else self.turn
        money = not terms.length
        score = tuple(min(int(points), 32_767) for points in scores(terms, self))
        side: dict[int | None, Side | None] = {None: None, seat: "roller", 1 - seat: "opponent"}
        limit = terms.rules.highest_cube
        if limit >= MAX_CUBE:  # no limit: other programs expect the usual one, while it makes no difference
            limit = _USUAL_LIMIT if self.stake * 2 <= _USUAL_LIMIT else MAX_CUBE
        offer: Offer | None = self.offer
        to_act: Side | None = None
        if self.resignation is not None:
            by, level = self.resignation
            offer = RESIGNATIONS[level]
            to_act = side[1 - by]
        reason = "" if self.result is None else self.result.reason
        cube = self.cube & -self.cube
        whole = Situation.from_parts(
            self.position,
            length=terms.length,
            score=(score[seat], score[1 - seat]),
            jacoby=terms.jacoby,
            beavers=money and terms.rules.beavers,
            seat=seat,
            state="not-started" if self.turn is None else _STATES.get(reason, "playing"),
            roll=self.roll,
        )
        for crawford, owner, held, pending in (
            (terms.crawford, self.owner, cube, offer),
            (False, self.owner, cube, offer),
            (terms.crawford, self.owner, cube, None),
            (False, self.owner, cube, None),
        ):
            try:
                return Situation.from_parts(
                    self.position,
                    length=terms.length,
                    score=whole.score,
                    crawford=crawford,
                    cube=held,
                    cube_owner=side[owner],
                    jacoby=whole.jacoby,
                    beavers=whole.beavers,
                    cube_limit=None if limit == MAX_CUBE else max(1 << (limit.bit_length() - 1), held),
                    roll=self.roll,
                    offer=pending,
                    to_act=None if pending is None else to_act,
                    seat=seat,
                    state=whole.state,
                )
            except IllegalSituationError:
                continue
        return whole


RESIGNATIONS: dict[Level, Offer] = {
    "single": "resign-single",
    "gammon": "resign-gammon",
    "backgammon": "resign-backgammon",
}


_STATES: dict[str, Literal["over", "resigned", "dropped"]] = {
    "played": "over",
    "passed": "dropped",
    "resigned": "resigned",
    "settled": "over",
    "time": "over",
    "forfeited": "over",
    "unknown": "over",
}


def scores(terms: Terms, state: State) -> tuple[Points, Points]:
    """Return the score before the game with the penalties during it."""
    return terms.score[0] + state.penalties[0], terms.score[1] + state.penalties[1]
