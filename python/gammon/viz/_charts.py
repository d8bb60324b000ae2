"""Graphs of an analysis as plain SVG, for reports and notebooks: no package is needed to draw them."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from gammon.analysis import Analysis
from gammon.viz._markup import attributes, escape, number
from gammon.viz._points import CoursePoint, Place, course, place_of, ticks, unit_of
from gammon.viz._svg import FONT
from gammon.viz._themes import Quality, Theme

__all__ = ["bar_chart", "course_chart", "told"]

_WIDTH, _LEFT, _RIGHT = 900, 58, 14


def _canvas(title: str, words: str, height: int, body: Iterable[str], theme: Theme) -> str:
    inside = "\n".join(part for part in body if part)
    key = hashlib.sha256(f"{escape(title)}{inside}".encode()).hexdigest()[:10]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" font-family="{FONT}" font-size="13" fill="{theme.ink}" role="img" '
        f'aria-labelledby="t{key} d{key}">\n<title id="t{key}">{escape(title)}</title>\n'
        f'<desc id="d{key}">{escape(words)}</desc>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="{theme.paper}"/>\n{inside}\n</svg>\n'
    )


class _Scale:
    """From values to heights: `low` at `bottom`, `high` at `top`."""

    def __init__(self, marks: Sequence[float], top: float, bottom: float) -> None:
        self.marks = marks
        self._low, self._high = marks[0], marks[-1]
        self._top, self._bottom = top, bottom

    def __call__(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return self._bottom - share * (self._bottom - self._top)

    def grid(self, say: Callable[[float], str], theme: Theme) -> list[str]:
        """Return a line and a label at each mark."""
        right = _WIDTH - _RIGHT
        lines = "".join(f"M{_LEFT} {number(self(mark))}H{right}" for mark in self.marks)
        labels = "".join(
            f'<text x="{_LEFT - 8}" y="{number(self(mark) + 4.5)}">{escape(say(mark))}</text>'
            for mark in self.marks
        )
        return [
            f'<path d="{lines}" stroke="{theme.faint}" fill="none"/>',
            f'<g text-anchor="end">{labels}</g>',
        ]


# The course of a match or a game.


def course_chart(
    analysis: Analysis,
    theme: Theme,
    *,
    seat: int = 0,
    game: int | None = None,
    least: float | None = None,
    links: Mapping[Place, str] | None = None,
) -> str:
    """Draw how a seat stood at each decision, with errors and cubes marked; of a match also where games end.

    Errors from `least` on (by default from the lowest threshold) are marked; those in `links` lead there.
    """
    points = course(analysis, seat, game)
    unit = unit_of(analysis, None)
    name = analysis.label(seat)
    title = f"{name}'s {'match winning chances' if unit == 'mwc' else 'points'}"
    title += "" if game is None else f" in game {analysis.games[game].number}"
    values = [value for point in points for value in (point.before, point.after)] or [0.0]
    marks = [0.0, 0.25, 0.5, 0.75, 1.0] if unit == "mwc" else ticks(min(0.0, *values), max(0.0, *values))
    if len(marks) < 2:
        marks = [-1.0, 0.0, 1.0]
    scale = _Scale(marks, 34, 260)
    across = _across(len(points))
    bound = analysis.settings.thresholds.doubtful if least is None else least
    errors = [point for point in points if point.decision.error >= bound]
    line = " ".join(
        f"{number(across(point.place))},{number(scale(value))}"
        for point in points
        for value in (point.before, point.after)
    )
    words = f"{len(points)} decisions, {len(errors)} of them errors of {bound:g} or more."
    if points:
        words += f" It begins at {told(points[0].before, unit)} and ends at {told(points[-1].after, unit)}."
    body = [
        *scale.grid(lambda value: told(value, unit), theme),
        *_game_ends(analysis, points, across, theme),
        f'<polyline points="{line}" fill="none" stroke="{theme.first if seat == 0 else theme.second}" '
        f'stroke-width="2" stroke-linejoin="round"/>',
        *(_cube_mark(point, across, theme) for point in points if point.decision.kind != "play"),
        *(_error_mark(analysis, point, across, scale, theme, links or {}) for point in errors),
    ]
    return _canvas(title, words, 292, body, theme)


def told(value: float, unit: str) -> str:
    """Return a value in words."""
    return f"{value:.0%}" if unit == "mwc" else f"{value:+g}" if value else "0"


def _across(count: int) -> Callable[[int], float]:
    width = _WIDTH - _LEFT - _RIGHT
    return lambda place: _LEFT + width * (place + 0.5) / max(count, 1)


def _game_ends(
    analysis: Analysis, points: Sequence[CoursePoint], across: Callable[[int], float], theme: Theme
) -> list[str]:
    """Return a line where each game begins, and its number where there is room for it."""
    lines, labels = "", ""
    half = (across(1) - across(0)) / 2
    last = -100.0
    for game, group in groupby(points, key=lambda point: point.decision.game):
        x = across(next(group).place) - half
        lines += f"M{number(x)} 34V260"
        if x - last > 62:
            labels += f'<text x="{number(x + 3)}" y="279">game {analysis.games[game].number}</text>'
            last = x
    return [
        f'<path d="{lines}" stroke="{theme.ink}" stroke-opacity="0.35" fill="none"/>',
        f'<g font-size="12">{labels}</g>',
    ]


def _cube_mark(point: CoursePoint, across: Callable[[int], float], theme: Theme) -> str:
    """A cube above where it was turned, and what was answered."""
    decision = point.decision
    x = across(point.place)
    if decision.made.name == "double":
        return (
            f'<g text-anchor="middle"><title>{escape(f"doubled to {2 * decision.cube}")}</title>'
            f'<rect{attributes(x=x - 10, y=7, width=20, height=18)} rx="3" fill="{theme.cube}" '
            f'stroke="{theme.line}"/><text{attributes(x=x, y=20)} font-size="11" fill="{theme.cube_ink}">'
            f"{2 * decision.cube}</text></g>"
        )
    if decision.kind == "answer":
        return f'<text{attributes(x=x + 10, y=20)} font-size="11">{escape(decision.made.name)}</text>'
    return ""


_SHAPES: dict[Quality, str] = {
    "doubtful": "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
    "bad": "M0 -7L6.5 5H-6.5Z",
    "very bad": "M-5.5 -5.5H5.5V5.5H-5.5Z",
}
"""Circle, triangle and square, so that colour is not all there is."""


def _error_mark(
    analysis: Analysis,
    point: CoursePoint,
    across: Callable[[int], float],
    scale: _Scale,
    theme: Theme,
    links: Mapping[Place, str],
) -> str:
    decision = point.decision
    mark = analysis.mark(decision)
    what = f"{analysis.label(decision.player)}: {decision.made.name}, better {decision.best.name}"
    shape = _SHAPES.get(mark, _SHAPES["doubtful"])
    place = f"translate({number(across(point.place))} {number(scale(point.after))})"
    drawn = (
        f'<path class="error" transform="{place}" d="{shape}" '
        f'fill="{theme.quality(mark or "good")}" stroke="{theme.paper}">'
        f"<title>{escape(f'{what} (-{decision.error:.3f})')}</title></path>"
    )
    link = links.get(place_of(decision))
    # A pointer finds it; whoever uses the keyboard has the list of errors itself.
    return f'<a href="#{link}" tabindex="-1">{drawn}</a>' if link else drawn


# Bars.

_KEY = 340
"""Room for a colour's name in the key."""


def _shortened(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


def bar_chart(
    title: str,
    groups: Sequence[str],
    series: Sequence[tuple[str, str, Sequence[float]]],
    say: Callable[[float], str],
    theme: Theme,
) -> str:
    """Draw groups of bars, one of each series in each: `(name, colour, values)`."""
    everything = [value for _, _, values in series for value in values] or [0.0]
    low, high = min(0.0, *everything), max(0.0, *everything)
    marks = ticks(low, high) if high > low else [0.0, 1.0]
    scale = _Scale(marks, 34, 230)
    room = (_WIDTH - _LEFT - _RIGHT) / max(len(groups), 1)
    width = min(room * 0.8 / len(series), 60)
    bars = []
    for place, group in enumerate(groups):
        middle = _LEFT + room * (place + 0.5)
        for index, (name, colour, values) in enumerate(series):
            top, bottom = sorted((scale(values[place]), scale(0.0)))
            x = middle + (index - len(series) / 2) * width
            box = attributes(x=x, y=top, width=width - 2, height=max(bottom - top, 0.5))
            bars.append(
                f'<rect class="bar"{box} fill="{colour}">'
                f"<title>{escape(f'{name}, {group}: {say(values[place])}')}</title></rect>"
            )
    every = max(1, -(-len(groups) // 14))
    labels = "".join(
        f'<text x="{number(_LEFT + room * (place + 0.5))}" y="249">{escape(group)}</text>'
        for place, group in enumerate(groups)
        if place % every == 0
    )
    keys = "".join(
        f'<rect x="{_LEFT + _KEY * index}" y="8" width="13" height="13" fill="{colour}"/>'
        f'<text x="{_LEFT + _KEY * index + 19}" y="19">{escape(_shortened(name))}</text>'
        for index, (name, colour, _) in enumerate(series)
    )
    words = "; ".join(
        f"{name}: " + ", ".join(f"{group} {say(value)}" for group, value in zip(groups, values, strict=True))
        for name, _, values in series
    )
    axis = f'<path d="M{_LEFT} {number(scale(0.0))}H{_WIDTH - _RIGHT}" stroke="{theme.ink}"/>'
    body = [*scale.grid(say, theme), *bars, axis, f'<g text-anchor="middle">{labels}</g>', keys]
    return _canvas(title, words, 260, body, theme)
