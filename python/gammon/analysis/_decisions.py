"""Decisions as they are judged, one by one."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gammon._typing import Phase

Kind: TypeAlias = Literal["play", "double", "answer"]
"""A checker play, whether to double, and what to answer to a double or a beaver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something that could have been done, and what it is worth to the player who decides."""

    name: str
    """A play, or 'no double', 'double', 'take', 'pass', 'beaver', 'raccoon'."""
    equity: float
    """Per unit of the cube before the decision; normalised in a match."""
    plies: int
    """The depth at which it was judged."""
    probs: tuple[float, float, float, float, float] | None = None
    """The chances after a play."""
    after: str | None = None
    """The Position ID after a play, the opponent on roll."""
    trials: int = 0
    """Games of the rollout that judged it; 0 if none did."""
    equity_error: float | None = None
    """Standard error of a rollout's equity, of a play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of a match and how good it was."""

    game: int
    """The place of its game in `Series.games`."""
    record: int
    """The place of its record in the game; a double that was not offered is the record of the roll."""
    player: int
    """The seat that decided."""
    kind: Kind
    id: str
    """The XGID before it."""
    phase: Phase
    made: Choice
    """What was done."""
    best: Choice
    """What should have been done."""
    choices: tuple[Choice, ...]
    """The best choices, best first, what was done among them."""
    spread: float
    """What the worst choice would have lost; of a double, what doubling gains, or loses if it is negative."""
    is_forced: bool
    """Whether there was nothing to choose."""
    cube: int
    """The value of the cube before it."""
    mwc_scale: tuple[float, float] | None
    """The player's match winning chances at equity 1 and at equity -1; `None` in money play."""
    turn: int = 0
    """The number of its throw in the game, from 1: the one played, or to be thrown after what is done with
    the cube; 0 if it is not of a game."""

    @property
    def error(self) -> float:
        """What it lost, in equity: 0 or more."""
        return max(self.best.equity - self.made.equity, 0.0)

    @property
    def error_mwc(self) -> float | None:
        """What it lost in match winning chances; `None` in money play."""
        return None if self.mwc_scale is None else self.error * (self.mwc_scale[0] - self.mwc_scale[1]) / 2

    def _repr_html_(self) -> str:
        from gammon.viz._decision import decision_html

        return decision_html(self)

    def mwc(self, equity: float) -> float | None:
        """Return the match winning chance of one of the equities; `None` in money play."""
        if self.mwc_scale is None:
            return None
        win, lose = self.mwc_scale
        return lose + (equity + 1) / 2 * (win - lose)


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """How lucky a roll was: the value of its best play less the mean of those of all rolls."""

    game: int
    record: int
    player: int
    """The seat that threw."""
    roll: str
    equity: float
    """In equity: above 0 is lucky."""
    mwc: float | None
    """In match winning chances; `None` in money play."""
    cube: int
    plies: int
    turn: int = 0
    """The number of the throw in the game, from 1; 0 if it is not of a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A decision that could not be judged."""

    game: int
    record: int
    reason: str
