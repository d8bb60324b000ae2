"""What graphs of an analysis show, worked out once for every way of drawing them."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal, TypeAlias

from gammon.analysis import Analysis, Decision
from gammon.errors import SettingError

__all__ = [
    "BOUNDS",
    "CoursePoint",
    "Swing",
    "Unit",
    "bin_labels",
    "course",
    "error_counts",
    "swings",
    "unit_of",
]

Unit: TypeAlias = Literal["mwc", "points", "equity"]
"""Match winning chances; points in money play; or equities per unit of the cube, normalised in a match."""

BOUNDS: tuple[float, ...] = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Where the sizes of errors are divided: each is twice the one before."""


Place: TypeAlias = tuple[int, int, str]
"""Which decision: its game, its record and its kind."""


def place_of(decision: Decision) -> Place:
    """Return which decision of its match it is."""
    return decision.game, decision.record, decision.kind


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """How things stood at a decision, for the seat whose graph it is."""

    place: int
    """Which decision it is, from 0."""
    decision: Decision
    before: float
    """What it could be worth: the value of the best choice."""
    after: float
    """What it was worth: that of the choice made."""


@dataclass(frozen=True, slots=True)
class Swing:
    """What a game or match brought a seat by luck and by play."""

    label: str
    luck: float
    """The seat's luck less the opponent's."""
    skill: float
    """The opponent's errors less the seat's."""
    won: bool | None
    """`None` if nobody won."""


def unit_of(analysis: Analysis, unit: Unit | None) -> Unit:
    """Return what values are counted in. Raises `SettingError` for a unit the analysis does not have."""
    usual: Unit = "mwc" if analysis.length else "points"
    if unit is None:
        return usual
    if unit not in (usual, "equity"):
        raise SettingError(f"unit must be {usual!r} or 'equity' for this analysis, got {unit!r:.120}")
    return unit


def course(
    analysis: Analysis, seat: int = 0, game: int | None = None, unit: Unit | None = None
) -> list[CoursePoint]:
    """Return how a seat stood at each decision of a game (its place in `games`), or of all of them.

    In money play the points of the games before are counted, but for a single game. Raises `SettingError`
    for a seat, game or unit that there is not.
    """
    if seat not in (0, 1):
        raise SettingError(f"seat must be 0 or 1, got {seat!r:.120}")
    counted = unit_of(analysis, unit)
    carried = (
        _carried(analysis, seat) if counted == "points" and game is None else [0.0] * len(analysis.games)
    )
    points = []
    for place, decision in enumerate(analysis.select(game=game)):
        before, after = (
            _value(decision, equity, seat, counted) + carried[decision.game]
            for equity in (decision.best.equity, decision.made.equity)
        )
        points.append(CoursePoint(place, decision, before, after))
    return points


def _carried(analysis: Analysis, seat: int) -> list[float]:
    """Return the points a seat had won before each game, less those it had lost."""
    gains = [_gain(summary.winner, summary.points, seat) for summary in analysis.games]
    return [0.0, *accumulate(gains)][: len(gains)]


def _gain(winner: int | None, points: float, seat: int) -> float:
    return 0.0 if winner is None else points if winner == seat else -points


def _value(decision: Decision, equity: float, seat: int, unit: Unit) -> float:
    mine = decision.player == seat
    chance = decision.mwc(equity)
    if unit == "mwc" and chance is not None:
        return chance if mine else 1.0 - chance
    value = equity * decision.cube if unit == "points" else equity
    return value if mine else -value


def bin_labels(bounds: Sequence[float] = BOUNDS) -> list[str]:
    """Return what the sizes between bounds are called."""
    between = [f"{low:g}–{high:g}" for low, high in pairwise(bounds)]
    return [*between, f"{bounds[-1]:g}+"]


def error_counts(
    analysis: Analysis, player: int | None = None, bounds: Sequence[float] = BOUNDS
) -> list[int]:
    """Return how many errors there are of each size, from the first bound on, the last open above.

    Raises `SettingError` unless the bounds rise from above 0.
    """
    if not bounds or bounds[0] <= 0 or any(low >= high for low, high in pairwise(bounds)):
        raise SettingError(f"bounds must rise from above 0, got {list(bounds)!r:.120}")
    counts = [0] * len(bounds)
    for decision in analysis.errors(player, at_least=bounds[0]):
        counts[bisect_right(bounds, decision.error) - 1] += 1
    return counts


def swings(analysis: Analysis, seat: int = 0) -> list[Swing]:
    """Return luck and play of each game for a seat, in match winning chances or, in money play, in points."""
    return [
        _swing(analysis, seat, game, f"game {summary.number}", summary.winner)
        for game, summary in enumerate(analysis.games)
    ]


def match_swing(analysis: Analysis, seat: int = 0, label: str = "") -> Swing:
    """Return luck and play of a whole match or session for a seat."""
    result = analysis.result[seat]
    winner = None if result == 0 else seat if result > 0 else 1 - seat
    return _swing(analysis, seat, None, label, winner)


def _swing(analysis: Analysis, seat: int, game: int | None, label: str, winner: int | None) -> Swing:
    luck, lost = [], []
    for player in (seat, 1 - seat):
        rolls, errors = analysis.luck_totals(player, game=game), analysis.totals(player, game=game)
        luck.append(rolls.points if rolls.mwc is None else rolls.mwc)
        lost.append(errors.error_points if errors.error_mwc is None else errors.error_mwc)
    return Swing(label, luck[0] - luck[1], lost[1] - lost[0], None if winner is None else winner == seat)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers that cover a range, some `about` of them.

    >>> from gammon.viz._points import ticks
    >>> ticks(-1.3, 2.2)
    [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
    """
    span = max(high - low, 1e-9)
    raw = span / about
    scale = 10.0 ** math.floor(math.log10(raw))
    step = next(size * scale for size in (1, 2, 5, 10) if size * scale >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]
