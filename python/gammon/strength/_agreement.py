"""How far an evaluator is from known chances, by kind of position."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon._names import short_id
from gammon.strength._known import Known, known
from gammon.strength._players import equities

__all__ = ["QUANTITIES", "Agreement", "ClassAgreement", "Differences", "agreement"]

QUANTITIES = ("equity", "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
"""What is compared: cubeless money equity in points, then the five chances."""


Figures = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Differences:
    """Statistics of differences, one number for each of `QUANTITIES`."""

    absolute: tuple[float, ...]
    """Mean absolute difference."""
    rms: tuple[float, ...]
    """Root of the mean squared difference."""
    mean: tuple[float, ...]
    """Mean difference: positive where the player on roll is rated too high."""
    worst: tuple[float, ...]
    """Largest absolute difference."""

    @classmethod
    def of(cls, differences: Figures) -> "Differences":
        """Sum up differences `float64[n, 6]`."""
        absolute = np.abs(differences)
        return cls(
            tuple(absolute.mean(axis=0).tolist()),
            tuple(np.sqrt((differences**2).mean(axis=0)).tolist()),
            tuple(differences.mean(axis=0).tolist()),
            tuple(absolute.max(axis=0).tolist()),
        )

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return everything by name of the statistic and of the quantity."""
        return {
            name: dict(zip(QUANTITIES, getattr(self, name), strict=True))
            for name in ("absolute", "rms", "mean", "worst")
        }


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """How far an evaluator, and beside it GNU Backgammon's own 0-ply, are from its 2-ply."""

    count: int
    """Positions of the kind."""
    ours: Differences
    """The evaluator's differences."""
    static: Differences | None
    """Those of GNU Backgammon at 0 plies, where they are known."""
    excess: tuple[float, float] | None
    """Mean absolute difference in equity above that of the 0-ply, and the standard error of that (paired)."""
    worst_id: str
    """The position whose equity is furthest off."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        found: dict[str, Any] = {
            "count": self.count,
            "ours": self.ours.to_dict(),
            "worst_id": self.worst_id,
        }
        if self.static is not None and self.excess is not None:
            excess, error = self.excess
            found["gnubg_0_ply"] = self.static.to_dict()
            # JSON has no infinity: a single position has no standard error.
            found["excess"] = {"mean": excess, "error": error if math.isfinite(error) else None}
        return found


@dataclass(frozen=True, slots=True)
class Agreement(Mapping[str, ClassAgreement]):
    """Agreement by kind of position, in the order of the table."""

    evaluator: str
    """The evaluator's id."""
    plies: int
    """Rolls it looked ahead."""
    classes: dict[str, ClassAgreement]
    """What was found, by kind of position; kinds without a position are left out."""

    def __getitem__(self, name: str) -> ClassAgreement:
        return self.classes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "evaluator": self.evaluator,
            "plies": self.plies,
            "classes": {name: found.to_dict() for name, found in self.items()},
        }

    def __str__(self) -> str:
        """Write a table for people: mean absolute differences, but for the columns named otherwise."""
        return table([self])


def agreement(
    evaluator: evaluators.Evaluator | None = None,
    *,
    positions: Known | None = None,
    plies: int = 0,
    threads: int | None = None,
) -> Agreement:
    """Compare an evaluator with known chances, by kind of position.

    Without an evaluator the packaged one is compared, without positions with GNU Backgammon's cubeless 2-ply,
    on those that come with the package; `Reference.known` has others.

    Raises `SettingError` for plies beyond 4, `EvaluatorError` for an unusable answer of an evaluator of your
    own, and whatever that raises itself.

    >>> from gammon import strength
    >>> found = strength.agreement()
    >>> [found[name].count for name in ("contact", "crashed", "race")]
    [599, 122, 124]
    >>> f"{found['contact'].static.absolute[0]:.4f}"  # GNU Backgammon's own 0-ply
    '0.0322'
    """
    asked = evaluators.default() if evaluator is None else evaluator
    told = known() if positions is None else positions
    chances = evaluators.evaluate(told.boards, asked, plies=plies, threads=threads).astype(np.float64)
    deep = _quantities(told.deep)
    ours = _quantities(chances) - deep
    theirs = None if told.static is None else _quantities(told.static) - deep
    kinds = {
        name: _of_kind(ours[places], None if theirs is None else theirs[places], told.ids, places)
        for name, places in told.kinds.items()
        if len(places)
    }
    return Agreement(asked.id, plies, kinds)


def _of_kind(
    ours: Figures, theirs: Figures | None, ids: tuple[str, ...], places: npt.NDArray[np.intp]
) -> ClassAgreement:
    """Sum up the differences of one kind of position."""
    off = np.abs(ours[:, 0])
    excess = None
    if theirs is not None:
        more = off - np.abs(theirs[:, 0])
        excess = (float(more.mean()), _standard_error(more))
    return ClassAgreement(
        len(places),
        Differences.of(ours),
        None if theirs is None else Differences.of(theirs),
        excess,
        ids[places[off.argmax()]],
    )


def _quantities(chances: Figures) -> Figures:
    """Equity and the five chances: `float64[n, 6]`."""
    return np.column_stack([equities(chances), chances])


def _standard_error(values: Figures) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.inf


_HEADS = ("equity", "rms", "mean", "worst", "win", "gammon", "backg.", "lose g.", "lose b.")


def table(found: list[Agreement], names: list[str] | None = None) -> str:
    """Write a table: for each kind of position a line an evaluator, then GNU Backgammon's 0-ply.

    Evaluators are called by their ids unless `names` are given.
    """
    called = [_short(one) for one in found] if names is None else names
    wide = max(map(len, [*called, "gnubg 0-ply"]))
    lines = [f"{'positions':<21}{'number':>7}  {'':<{wide}}" + "".join(f"{head:>9}" for head in _HEADS)]
    for kind, first in found[0].items():
        rows = [(name, one[kind].ours) for name, one in zip(called, found, strict=True)]
        if first.static is not None:
            rows.append(("gnubg 0-ply", first.static))
        left = f"{kind:<21}{first.count:>7}"
        for name, differences in rows:
            lines.append(f"{left:<28}  {name:<{wide}}" + _figures(differences))
            left = ""
    return "\n".join(lines)


def _figures(found: Differences) -> str:
    equity = (found.absolute[0], found.rms[0], found.mean[0], found.worst[0])
    texts = [f"{equity[0]:.4f}", f"{equity[1]:.4f}", f"{equity[2]:+.4f}", f"{equity[3]:.3f}"]
    return "".join(f"{text:>9}" for text in [*texts, *(f"{value:.4f}" for value in found.absolute[1:])])


def _short(found: Agreement) -> str:
    return short_id(found.evaluator) + (f" {found.plies}-ply" if found.plies else "")
