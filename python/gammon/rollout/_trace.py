"""How the numbers of a rollout came about: equities with their bands over the trials, drawn."""

import html
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gammon._native import RolloutPart

__all__ = ["Point", "Trace"]

_MOST = 256
"""Points kept of a curve."""

_COLOURS = ("#1f5fa8", "#c8501e", "#3a7d34", "#7b4ba0", "#8a6d1b", "#555555")


@dataclass(frozen=True, slots=True)
class Point:
    """An equity after some trials."""

    trials: int
    """Trials by then."""
    mean: float
    """The mean."""
    error: float
    """Its standard error."""

    @property
    def band(self) -> tuple[float, float]:
        """The mean ± 1.96 standard errors."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error


@dataclass(slots=True)
class Trace:
    """Remembers what a rollout said on the way: give it as `progress`, and look at it afterwards.

    However long the rollout is, no more than some hundred points are kept.

    >>> from gammon import rollout
    >>> trace = rollout.Trace()
    >>> found = rollout.run("start", rollout.Settings(trials=90, truncate=3), progress=trace)
    >>> _ = trace(found.part)  # the end, whenever progress was told last
    >>> [points[-1].trials for points in trace.curves.values()]
    [90]
    >>> trace.svg().startswith("<svg")
    True
    """

    then: Callable[[RolloutPart], object] | None = None
    """Told the same, and what it says is said: a `progress` of your own."""
    curves: dict[str, list[Point]] = field(default_factory=dict)
    """The points of each position rolled out, by its Position ID; of a cube decision's branches, by their
    names."""
    _step: int = field(default=1, repr=False)
    _told: int = field(default=0, repr=False)

    def __call__(self, part: RolloutPart) -> object:
        """Note the equities of a part."""
        if part.trials > 1:
            self._told += 1
            for branch, name in enumerate(_names(part)):
                self._note(self.curves.setdefault(name, []), _point(part, branch))
            if max(map(len, self.curves.values())) >= _MOST:
                self._thin()
        return None if self.then is None else self.then(part)

    def _note(self, points: list[Point], new: Point) -> None:
        if points and points[-1].trials >= new.trials:
            return
        # Every so manieth stays; the last one is always the newest.
        if points and (self._told % self._step) and len(points) > 1:
            points[-1] = new
        else:
            points.append(new)

    def _thin(self) -> None:
        self._step *= 2
        for points in self.curves.values():
            points[:] = [*points[:-1:2], points[-1]]

    def _shown(self) -> tuple[dict[str, list[Point]], int, float, float]:
        """The curves without what is too unsure to draw, the most trials, and the range of equities."""
        curves = {
            name: [point for point in points if math.isfinite(point.error)]
            for name, points in self.curves.items()
        }
        curves = {name: points for name, points in curves.items() if points}
        ends = [point.trials for points in curves.values() for point in points]
        # The first bands are wide; those of the second half decide what is drawn.
        late = [
            bound
            for points in curves.values()
            for point in points
            if 4 * point.trials >= points[-1].trials
            for bound in point.band
        ]
        if not late:
            return {}, 0, 0.0, 0.0
        low, high = min(late), max(late)
        margin = 0.08 * (high - low) or 0.01
        return curves, max(ends), low - margin, high + margin

    def svg(self, labels: Mapping[str, str] | None = None, *, width: int = 720, height: int = 320) -> str:
        """Draw equities over trials with their 95 % bands, as SVG; `labels` are names for the curves."""
        curves, most, low, high = self._shown()
        left, right, top, bottom = 64, 16, 12, 40
        across, down = width - left - right, height - top - bottom

        def x(trials: float) -> float:
            return left + across * trials / most

        def y(equity: float) -> float:
            return top + down * (high - min(max(equity, low), high)) / (high - low)

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="sans-serif" font-size="12">',
            "<title>Equity over trials</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]
        if not curves:
            return "".join([*parts, "</svg>"])
        for tick in _ticks(low, high, 5):
            parts.append(
                f'<line x1="{left}" x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
                f'stroke="#ddd"/>'
                f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:+.3f}</text>'
            )
        for tick in _ticks(0, most, 6):
            parts.append(
                f'<text x="{x(tick):.1f}" y="{height - bottom + 16}" text-anchor="middle">{tick:,.0f}</text>'
            )
        parts.append(f'<text x="{left + across / 2:.0f}" y="{height - 6}" text-anchor="middle">trials</text>')
        for number, (name, points) in enumerate(curves.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            upper = [f"{x(point.trials):.1f},{y(point.band[1]):.1f}" for point in points]
            lower = [f"{x(point.trials):.1f},{y(point.band[0]):.1f}" for point in reversed(points)]
            line = " ".join(f"{x(point.trials):.1f},{y(point.mean):.1f}" for point in points)
            label = html.escape((labels or {}).get(name, name))
            parts.append(
                f'<polygon points="{" ".join([*upper, *lower])}" fill="{colour}" fill-opacity="0.15"/>'
                f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
                f'<circle cx="{x(points[-1].trials):.1f}" cy="{y(points[-1].mean):.1f}" r="2.5" '
                f'fill="{colour}"/>'
                f'<text x="{width - right - 4}" y="{top + 14 + 15 * number}" text-anchor="end" '
                f'fill="{colour}">{label}</text>'
            )
        return "".join([*parts, "</svg>"])

    def text(self, labels: Mapping[str, str] | None = None, *, width: int = 72, height: int = 14) -> str:
        """Draw the same with letters: the numbers of the curves, and dots for the band of the first."""
        curves, most, low, high = self._shown()
        if not curves:
            return "Nothing to draw yet."
        margin = 9
        across = width - margin
        grid = [[" "] * across for _ in range(height)]

        def row(equity: float) -> int:
            place = (high - equity) / (high - low) * (height - 1)
            return round(min(max(place, 0), height - 1))

        for number, points in reversed(list(enumerate(curves.values(), 1))):
            for column in range(across):
                point = _last_by(points, most * (column + 1) / across)
                if point is None or (column + 1) / across * most > points[-1].trials + most / across:
                    continue
                if number == 1:
                    for line in range(row(point.band[1]), row(point.band[0]) + 1):
                        grid[line][column] = "·" if grid[line][column] == " " else grid[line][column]
                grid[row(point.mean)][column] = "*" if len(curves) == 1 else str(number % 10)
        lines = []
        for number, cells in enumerate(grid):
            labelled = number in (0, height // 2, height - 1)
            equity = high - (high - low) * number / (height - 1)
            scale = f"{equity:+.4f}" if labelled else ""
            lines.append(f"{scale:>{margin - 2}} |{''.join(cells)}".rstrip())
        lines.append(" " * (margin - 1) + "+" + "-" * across)
        lines.append(" " * margin + f"{f'{most:,} trials':>{across}}")
        if len(curves) > 1:
            names = labels or {}
            lines += [f"  {number}: {names.get(name, name)}" for number, name in enumerate(curves, 1)]
        return "\n".join(lines)


def _names(part: RolloutPart) -> list[str]:
    if part.subject.kind == "decision":
        return ["no double", "double, take"][: part.branches]
    return [position.id for position in part.subject.positions]


def _point(part: RolloutPart, branch: int) -> Point:
    with_cube = part.subject.situation is not None
    mean, error = part.cubeful_of(branch) if with_cube else part.equity_of(branch)
    return Point(part.trials, mean, error)


def _last_by(points: list[Point], trials: float) -> Point | None:
    """The last point of not more than so many trials; the first where there is none, if it is near."""
    before = [point for point in points if point.trials <= trials]
    if before:
        return before[-1]
    return None


def _ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers within a range, about so many."""
    rough = (high - low) / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]
