"""Ratings: errors a decision, by the definitions of three programs.

None counts a forced play, nor a cube that cannot be turned. What they count beyond that, and by what they
multiply, is in `RATINGS`; docs/analysis.md names the sources and what was checked.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gammon.analysis._decisions import Decision
from gammon.errors import SettingError

_GNUBG_CLOSE = 0.16
"""A double that would lose less than this is close for GNU Backgammon."""

_XG_CLOSE = 0.2
"""A double that would lose no more than this is close for eXtreme Gammon."""

_XG_LEAST = 0.001
"""eXtreme Gammon counts no decision in which less than this can be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRule:
    """How a rating is worked out: `factor` times the errors, divided by the decisions that count."""

    factor: float
    counts: Callable[[Decision], bool]
    """Whether a decision is among those divided by; the error of every decision is among the errors."""
    all_plays: bool
    """Whether instead all plays of both players are divided by."""
    names: tuple[tuple[float, str], ...]
    """What a rating is called: the first name whose bound it is below."""

    def name(self, rating: float) -> str:
        """Return what a rating is called."""
        return next((name for bound, name in self.names if rating < bound), self.names[-1][1])


def _xg_counts(decision: Decision) -> bool:
    if decision.kind == "play":
        return not decision.is_forced and decision.spread >= _XG_LEAST
    if decision.kind == "double" and decision.made.name == "no double":
        return -_XG_CLOSE <= decision.spread < 0 or decision.error >= _XG_LEAST
    return True


def _gnubg_counts(decision: Decision) -> bool:
    if decision.kind == "play":
        return not decision.is_forced
    if decision.kind == "double" and decision.made.name == "no double":
        return decision.spread > -_GNUBG_CLOSE
    return True


_XG_NAMES = (
    (2.5, "world champion"),
    (5.0, "world class"),
    (7.5, "expert"),
    (12.5, "advanced"),
    (17.5, "intermediate"),
    (22.5, "casual player"),
    (30.0, "beginner"),
    (float("inf"), "distracted"),
)

_GNUBG_NAMES = (
    (2.0, "supernatural"),
    (5.0, "world class"),
    (8.0, "expert"),
    (12.0, "advanced"),
    (18.0, "intermediate"),
    (26.0, "casual player"),
    (35.0, "beginner"),
    (float("inf"), "awful"),
)

RATINGS: dict[str, RatingRule] = {
    "xg": RatingRule(factor=500.0, counts=_xg_counts, all_plays=False, names=_XG_NAMES),
    "gnubg": RatingRule(factor=1000.0, counts=_gnubg_counts, all_plays=False, names=_GNUBG_NAMES),
    "snowie": RatingRule(factor=1000.0, counts=_gnubg_counts, all_plays=True, names=_GNUBG_NAMES),
}
"""The ratings there are: `xg` (PR), `gnubg` (error rate) and `snowie` (Snowie error rate)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How well someone played: lower is better."""

    rule: str
    """Which of `RATINGS`."""
    value: float | None
    """`None` if there was nothing to decide."""
    name: str
    """What it is called; empty without a value."""
    error: float
    """All errors, in equity."""
    error_mwc: float | None
    """All errors, in match winning chances; `None` in money play."""
    decisions: int
    """What the errors were divided by."""


def rate(rule: str, decisions: Iterable[Decision], all_plays: int) -> Rating:
    """Rate one player's decisions; `all_plays` is the number of plays of both, forced ones too.

    Raises `SettingError` for an unknown rule.
    """
    known = rating_rule(rule)
    mine = list(decisions)
    error = sum(decision.error for decision in mine)
    losses = [decision.error_mwc for decision in mine]
    error_mwc = sum(loss for loss in losses if loss is not None) if losses and None not in losses else None
    count = all_plays if known.all_plays else sum(known.counts(decision) for decision in mine)
    value = known.factor * error / count if count else None
    return Rating(
        rule=rule,
        value=value,
        name="" if value is None else known.name(value),
        error=error,
        error_mwc=error_mwc,
        decisions=count,
    )


def rating_rule(rule: str) -> RatingRule:
    """Return a rule by its name. Raises `SettingError` for an unknown one."""
    if rule not in RATINGS:
        raise SettingError(f"rating must be one of {', '.join(RATINGS)}, got {rule!r}")
    return RATINGS[rule]
