"""How a match is analysed, and what counts as an error."""

from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal, TypeAlias

from gammon.errors import CubeError, SettingError

Mark: TypeAlias = Literal["", "doubtful", "bad", "very bad"]
"""How bad an error is; empty below the lowest threshold."""

LuckMark: TypeAlias = Literal["", "very lucky", "lucky", "unlucky", "very unlucky"]
"""How lucky a roll is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From which size on errors and luck are marked, in equity. The defaults are GNU Backgammon's.

    Raises `SettingError` unless they rise from above 0, `TypeError` for what is no number.

    >>> from gammon.analysis import Thresholds
    >>> Thresholds().mark(0.1), Thresholds(bad=0.12).mark(0.1), Thresholds().luck_mark(-0.7)
    ('bad', 'doubtful', 'very unlucky')
    """

    doubtful: float = 0.04
    bad: float = 0.08
    very_bad: float = 0.16
    lucky: float = 0.3
    very_lucky: float = 0.6

    def __post_init__(self) -> None:
        for field in fields(self):
            _number(field.name, getattr(self, field.name))
        if not 0 < self.doubtful <= self.bad <= self.very_bad:
            raise SettingError(
                f"thresholds must rise from above 0, got {self.doubtful}, {self.bad}, {self.very_bad}"
            )
        if not 0 < self.lucky <= self.very_lucky:
            raise SettingError(
                f"thresholds of luck must rise from above 0, got {self.lucky}, {self.very_lucky}"
            )

    def mark(self, error: float) -> Mark:
        """Return how bad an error of this size is."""
        if error >= self.very_bad:
            return "very bad"
        if error >= self.bad:
            return "bad"
        return "doubtful" if error >= self.doubtful else ""

    def luck_mark(self, luck: float) -> LuckMark:
        """Return how lucky a roll that gained so much is."""
        if abs(luck) < self.lucky:
            return ""
        if luck > 0:
            return "very lucky" if luck >= self.very_lucky else "lucky"
        return "very unlucky" if luck <= -self.very_lucky else "unlucky"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an analysis was made with."""

    plies: int
    """Rolls looked ahead by plays and cube decisions."""
    filter: str
    """Which plays were looked at more deeply."""
    luck_plies: int | None
    """Rolls looked ahead for luck; `None` if luck was not asked for."""
    evaluator: str
    """The evaluator's id."""
    prefilter: str = ""
    """The quick evaluator before it, and how much that lets pass; empty without one."""
    met: str
    """The match equity table; empty in money play."""
    life: float | None
    """The cube life, if one was given."""
    thresholds: Thresholds
    rollout: str = ""
    """How close decisions were rolled out; empty if they were not."""
    close: float | None = None
    """Which decisions were: those in which another choice was within this of the best."""


def check(life: float | None, close: float, thresholds: Thresholds | None) -> None:
    """Refuse at once what would otherwise turn up in every single decision, or in none."""
    if life is not None:
        _number("life", life)
        if not 0 <= life <= 1:
            raise CubeError(f"cube life {life} is not between 0 and 1")
    _number("close", close)
    if not close >= 0:
        raise SettingError(f"close must be at least 0, got {close}")
    if not (thresholds is None or isinstance(thresholds, Thresholds)):
        raise TypeError(f"thresholds must be an analysis.Thresholds, got {type(thresholds).__name__}")


def _number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r:.120}")
