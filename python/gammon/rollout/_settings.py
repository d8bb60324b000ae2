"""What is asked of a rollout."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a position is rolled out.

    `trials`: games to play, at least 1.

    `seed`: seed of the dice, 0 to 2**64 - 1; trial `i` of a seed throws the same dice in every rollout.

    `first`: number of the first trial. A rollout of trials 0 to 71 and one of 72 to 143 (`first=72`) are
    together one of 144: merge their parts.

    `max_turns`: turns after which a game is broken off and valued by the evaluator, at least 1.

    `opening`: whether the first roll is that of a new game, which is never a double. `None` means: only if
    the position is given as the word 'start'. Its Position ID and `Position.start()` are the same checkers
    at any time of a game, where doubles count; say `True` to roll out an opening given so.

    >>> from gammon.rollout import Settings
    >>> Settings(trials=72, first=72)
    Settings(trials=72, seed=1, first=72, max_turns=5000, opening=None)
    """

    trials: int = 1296
    """Games to play."""
    seed: int = 1
    """Seed of the dice; trial `i` of a seed throws the same dice in every rollout."""
    first: int = 0
    """Number of the first trial: parts with adjoining numbers are one rollout."""
    max_turns: int = 5000
    """Turns after which a game is broken off and valued by the evaluator."""
    opening: bool | None = None
    """Whether the first roll is a game's, never a double; `None`: only for the identifier 'start'."""

    def __post_init__(self) -> None:
        """Refuse what is no bool, where 'false' would mean yes; numbers are checked when they are used."""
        if not (self.opening is None or isinstance(self.opening, bool)):
            raise TypeError(f"opening must be True, False or None, got {self.opening!r:.120}")
