"""What is asked of a rollout."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a position is rolled out.

    `trials`: games to play, at least 1.

    `seed`: seed of the dice, 0 to 2**64 - 1; trial `i` of a seed throws the same dice in every rollout.

    `first`: number of the first trial. A rollout of trials 0 to 71 and one of 72 to 143 (`first=72`) are
    together one of 144: merge their parts.

    `luck`: whose numbers say how lucky each roll was, which is then taken out of the result: those of the
    evaluator ('large'), of the small one beside it ('small'), or nobody's ('off').

    `strata`: 36 makes each throw come once at every turn of 36 trials, 1296 also each pair of first two
    throws once in 1,296; 1 leaves all dice independent.

    `truncate`: turns after which a game is broken off and valued by the evaluator; `None` plays to the end.

    `stop_at_exact`: whether games are broken off as soon as the evaluator's numbers are exact, as they are
    where a composite's two-sided bear-off table reaches.

    `prefilter`: with a small evaluator, how many candidates of a roll it passes on to the large one at most,
    and within how many points of its best.

    `opening`: whether the first roll is that of a new game, which is never a double. `None` means: only if
    the position is given as the word 'start'. Its Position ID and `Position.start()` are the same checkers
    at any time of a game, where doubles count; say `True` to roll out an opening given so. An opening has 30
    throws where others have 36, and its trials come in thirties.

    >>> from gammon.rollout import Settings
    >>> settings = Settings(trials=72, truncate=7)
    >>> settings.luck, settings.strata, settings.first
    ('large', 36, 0)
    """

    trials: int = 1296
    """Games to play."""
    seed: int = 1
    """Seed of the dice; trial `i` of a seed throws the same dice in every rollout."""
    first: int = 0
    """Number of the first trial: parts with adjoining numbers are one rollout."""
    luck: Literal["off", "small", "large"] = "large"
    """Whose numbers luck is measured by."""
    strata: Literal[1, 36, 1296] = 36
    """First rolls, or pairs of them, that come equally often."""
    truncate: int | None = None
    """Turns after which a game is broken off and valued by the evaluator."""
    stop_at_exact: bool = True
    """Whether a game is broken off where the evaluator is exact."""
    prefilter: tuple[int, float] = (4, 0.12)
    """Candidates that a small evaluator passes on, and within how many points of its best."""
    opening: bool | None = None
    """Whether the first roll is a game's, never a double; `None`: only for the identifier 'start'."""

    def __post_init__(self) -> None:
        """Refuse what is no bool, where 'false' would mean yes; numbers are checked when they are used."""
        if not (self.opening is None or isinstance(self.opening, bool)):
            raise TypeError(f"opening must be True, False or None, got {self.opening!r:.120}")

    @property
    def replication(self) -> int:
        """Trials whose dice are drawn together; ask for a multiple of it."""
        throws = 30 if self.opening else 36
        return {1: 1, 36: throws}.get(self.strata, 36 * throws)
