"""What is asked of a rollout."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a position is rolled out."""

    trials: int = 1296
    """Games to play."""
    seed: int = 1
    """Seed of the dice; trial `i` of a seed throws the same dice in every rollout."""
    first: int = 0
    """Number of the first trial: parts with adjoining numbers are one rollout."""
    max_turns: int = 5000
    """Turns after which a game is broken off and valued by the evaluator."""
    opening: bool | None = None
    """Whether the first roll is a game's, never a double; by default only for the identifier 'start'."""

    def __post_init__(self) -> None:
        """Refuse what is no bool, where 'false' would mean yes; numbers are checked when they are used."""
        if not (self.opening is None or isinstance(self.opening, bool)):
            raise TypeError(f"opening must be True, False or None, got {self.opening!r:.120}")
