"""Graphs by matplotlib (`pip install 'gammon[plots]'`): each function returns a `matplotlib.figure.Figure`.

>>> from gammon.analysis import analyse
>>> from gammon.match import Engine, Match, play_match
>>> from gammon.viz import plots
>>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine(noise=0.3)))
>>> figure = plots.course(analyse(match, plies=0))
>>> figure.axes[0].get_ylabel(), plots.to_svg(figure).startswith("<?xml")
("A's match winning chances", True)

All raise `ModuleNotFoundError` without matplotlib. A figure is shown by a notebook, saved by
`figure.savefig("x.png")`, and made text by `to_svg`. Nothing of matplotlib's own state is touched.
"""

import io
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gammon._native import CubeDecision
from gammon.analysis import Analysis
from gammon.errors import SettingError
from gammon.search import RollTable, ScoreTable
from gammon.viz._charts import told
from gammon.viz._points import (
    BOUNDS,
    CoursePoint,
    Swing,
    Unit,
    bin_labels,
    error_counts,
    match_swing,
    swings,
    unit_of,
)
from gammon.viz._points import course as course_of
from gammon.viz._themes import Quality, Theme, ThemeLike, theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

__all__ = [
    "PlayerLike",
    "course",
    "errors",
    "luck_and_skill",
    "ratings",
    "score_matrix",
    "temperature_map",
    "to_svg",
]

PlayerLike: TypeAlias = int | str
"""Whatever names a player of a match: a seat, or a name in any case."""


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


def _figure(theme: ThemeLike, width: float, height: float) -> tuple["Figure", "Axes", Theme]:
    """Return an empty figure in the colours of a theme. Raises `ModuleNotFoundError` without matplotlib."""
    colours = theme_of(theme)
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "graphs need the package matplotlib: pip install 'gammon[plots]'", name=missing.name
        ) from None
    figure = Figure(figsize=(width, height), facecolor=colours.paper, layout="constrained")
    axes = figure.add_subplot(facecolor=colours.paper)
    axes.tick_params(colors=colours.ink)
    for spine in axes.spines.values():
        spine.set_color(colours.ink)
    for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
        text.set_color(colours.ink)
    return figure, axes, colours


def _legend(axes: "Axes", theme: Theme) -> None:
    axes.legend(facecolor=theme.paper, edgecolor=theme.faint, labelcolor=theme.ink, fontsize="small")


def _whole(axis: "Axis") -> None:
    """Mark only whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def to_svg(figure: "Figure") -> str:
    """Return a figure as an SVG picture that needs nothing else, texts drawn as shapes.

    The same figure gives the same text.
    """
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "gammon", "svg.image_inline": True}):
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": "gammon"})
    return content.getvalue().decode()


# One match.

_MARKERS: dict[Quality, str] = {"doubtful": "o", "bad": "^", "very bad": "s"}


def course(
    analysis: Analysis,
    *,
    seat: int = 0,
    game: int | None = None,
    unit: Unit | None = None,
    theme: ThemeLike = "light",
) -> "Figure":
    """Draw how a seat stood at every decision of a match or of one game (its place in `games`).

    The line goes through what each decision could have been worth and what it was worth: errors are steps,
    the rest is dice. Errors are marked by size, cubes above where they were turned. Values are match winning
    chances, or points in money play; with `unit='equity'` they are equities.

    Raises `SettingError` for a seat, game or unit that there is not.
    """
    points = course_of(analysis, seat, game, unit)
    counted = unit_of(analysis, unit)
    figure, axes, colours = _figure(theme, 9, 4)
    places = [point.place for point in points for _ in (0, 1)]
    values = [value for point in points for value in (point.before, point.after)]
    line = colours.first if seat == 0 else colours.second
    axes.plot(places, values, color=line, linewidth=1.5, label=analysis.label(seat))
    for mark, marker in _MARKERS.items():
        found = [point for point in points if analysis.mark(point.decision) == mark]
        if found:
            axes.plot(
                [point.place for point in found],
                [point.after for point in found],
                linestyle="none",
                marker=marker,
                color=colours.quality(mark),
                label=mark,
            )
    _cubes(axes, points, colours)
    _games(axes, analysis, points, colours)
    axes.set_ylabel(f"{analysis.label(seat)}'s {'match winning chances' if counted == 'mwc' else counted}")
    axes.set_xlabel("decisions")
    axes.yaxis.set_major_formatter(lambda value, _: told(value, counted))
    if counted == "mwc":
        axes.set_ylim(-0.02, 1.02)
    axes.grid(axis="y", color=colours.faint, linewidth=0.8)
    _legend(axes, colours)
    return figure


def _cubes(axes: "Axes", points: Sequence[CoursePoint], theme: Theme) -> None:
    """Write every cube above the graph, with its answer."""
    for point in points:
        decision = point.decision
        if decision.made.name == "double":
            text = str(2 * decision.cube)
            box: dict[str, Any] | None = {
                "facecolor": theme.cube,
                "edgecolor": theme.line,
                "boxstyle": "round",
            }
            ink = theme.cube_ink
        elif decision.kind == "answer":
            text, box, ink = f"  {decision.made.name}", None, theme.ink
        else:
            continue
        axes.annotate(
            text,
            (point.place, 1.03),
            xycoords=("data", "axes fraction"),
            color=ink,
            fontsize="x-small",
            ha="left" if box is None else "center",
            bbox=box,
        )


def _games(axes: "Axes", analysis: Analysis, points: Sequence[CoursePoint], theme: Theme) -> None:
    groups = groupby(points, key=lambda point: point.decision.game)
    starts = [next(group).place for _, group in groups][1:]
    for start in starts:
        axes.axvline(start - 0.5, color=theme.ink, linewidth=0.8, alpha=0.4)


def errors(
    analyses: Analysis | Sequence[Analysis],
    *,
    player: PlayerLike | None = None,
    bounds: Sequence[float] = BOUNDS,
    theme: ThemeLike = "light",
) -> "Figure":
    """Draw how many errors there are of each size: of both players of a match, or of one player of several.

    `bounds` divide the sizes; the last is open above. Raises `SettingError` for bounds that do not rise, a
    player who is in none of the matches, or several matches without a player.
    """
    listed = [analyses] if isinstance(analyses, Analysis) else list(analyses)
    figure, axes, colours = _figure(theme, 7, 4)
    if player is None:
        if len(listed) != 1:
            raise SettingError("errors of several matches are those of one player: give player=")
        series = [(listed[0].label(seat), error_counts(listed[0], seat, bounds)) for seat in (0, 1)]
    else:
        counts = np.zeros(len(bounds), np.int64)
        for analysis, seat in _seats(listed, player):
            counts += error_counts(analysis, seat, bounds)
        series = [(_name(listed, player), counts.tolist())]
    width = 0.8 / len(series)
    for index, (name, heights) in enumerate(series):
        places = np.arange(len(bounds)) + (index - (len(series) - 1) / 2) * width
        axes.bar(places, heights, width, color=(colours.first, colours.second)[index], label=name)
    axes.set_xticks(range(len(bounds)), bin_labels(bounds))
    axes.set_xlabel("size of the error")
    axes.set_ylabel("errors")
    _whole(axes.yaxis)
    _legend(axes, colours)
    return figure


def luck_and_skill(
    analyses: Analysis | Sequence[Analysis], *, player: PlayerLike = 0, theme: ThemeLike = "light"
) -> "Figure":
    """Draw luck against play: a point for each game of a match, or for each of several matches.

    To the right are games in which the player had more luck than the opponent, above those in which he lost
    less by errors; in match winning chances, or in points in money play. Full points were won.

    Raises `SettingError` for a player who is in none of the matches, matches mixed with money play, or an
    analysis without luck.
    """
    one = isinstance(analyses, Analysis)
    listed = [analyses] if isinstance(analyses, Analysis) else list(analyses)
    chosen = _seats(listed, player)
    if len({bool(analysis.length) for analysis, _ in chosen}) > 1:
        raise SettingError("matches and money sessions have no common unit of luck: draw them apart")
    if any(analysis.settings.luck_plies is None for analysis, _ in chosen):
        raise SettingError("an analysis without luck was given: analyse(..., luck=True)")
    found: list[Swing] = []
    for number, (analysis, seat) in enumerate(chosen, 1):
        found += swings(analysis, seat) if one else [match_swing(analysis, seat, str(number))]
    figure, axes, colours = _figure(theme, 6, 5)
    for won, fill, label in ((True, colours.first, "won"), (False, colours.paper, "not won")):
        points = [swing for swing in found if bool(swing.won) is won]
        if points:
            axes.scatter(
                [swing.luck for swing in points],
                [swing.skill for swing in points],
                s=50,
                facecolor=fill,
                edgecolor=colours.first,
                label=label,
            )
    for swing in found:
        axes.annotate(
            swing.label.removeprefix("game "),
            (swing.luck, swing.skill),
            xytext=(5, 4),
            textcoords="offset points",
            fontsize="x-small",
            color=colours.ink,
        )
    for draw in (axes.axhline, axes.axvline):
        draw(0, color=colours.ink, linewidth=0.8)
    unit = "match winning chances" if chosen[0][0].length else "points"
    name = _name(listed, player)
    axes.set_xlabel(f"luck of {name} less the opponent's, {unit}")
    axes.set_ylabel(f"errors of the opponent less {name}'s, {unit}")
    _legend(axes, colours)
    return figure


def ratings(
    analyses: Sequence[Analysis],
    *,
    player: PlayerLike = 0,
    rule: str = "xg",
    window: int = 5,
    theme: ThemeLike = "light",
) -> "Figure":
    """Draw a player's rating match by match, with the mean of the last `window` of them.

    `rule` is one of `analysis.RATINGS`: 'xg' is PR. Matches without a decision that counts are left out.
    Raises `SettingError` for an unknown rule, a `window` below 1, or a player who is in none of the matches.
    """
    if not (isinstance(window, int) and window >= 1):
        raise SettingError(f"window must be at least 1, got {window!r:.120}")
    found = [
        (number, value)
        for number, (analysis, seat) in enumerate(_seats(analyses, player), 1)
        if (value := analysis.rating(seat, rule).value) is not None
    ]
    figure, axes, colours = _figure(theme, 8, 4)
    numbers, values = [number for number, _ in found], [value for _, value in found]
    means = [float(np.mean(values[max(0, end - window) : end])) for end in range(1, len(values) + 1)]
    axes.plot(numbers, values, linestyle="none", marker="o", color=colours.second, label="each match")
    axes.plot(numbers, means, color=colours.first, label=f"mean of the last {window}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("match")
    names = {"xg": "PR", "gnubg": "error rate (GNU Backgammon)", "snowie": "Snowie error rate"}
    axes.set_ylabel(f"{names.get(rule, rule)} of {_name(analyses, player)}")
    _whole(axes.xaxis)
    axes.grid(axis="y", color=colours.faint, linewidth=0.8)
    _legend(axes, colours)
    return figure


def _seats(analyses: Sequence[Analysis], player: PlayerLike) -> list[tuple[Analysis, int]]:
    """Return the matches a player is in, each with his seat."""
    if player in (0, 1) and not isinstance(player, str):
        found = [(analysis, int(player)) for analysis in analyses]
    else:
        wanted = str(player).casefold()
        found = [
            (analysis, seat)
            for analysis in analyses
            for seat in (0, 1)
            if analysis.players[seat].casefold() == wanted
        ]
    if not found:
        raise SettingError(f"no player {player!r:.120} in these matches")
    return found


def _name(analyses: Sequence[Analysis], player: PlayerLike) -> str:
    names = {analysis.label(seat) for analysis, seat in _seats(analyses, player)}
    return names.pop() if len(names) == 1 else f"seat {player}" if isinstance(player, int) else player


# One position.


def temperature_map(table: RollTable, *, theme: ThemeLike = "light") -> "Figure":
    """Draw what each of the 21 rolls is worth after its best play, by the numbers of both dice.

    Colours are about the mean of all rolls: blue is better, red is worse. `table` is that of
    `search.by_roll`.
    """
    figure, axes, colours = _figure(theme, 6, 5)
    grid = np.empty((6, 6))
    for roll, equity in zip(table.rolls, table.equities, strict=True):
        grid[roll.high - 1, roll.low - 1] = grid[roll.low - 1, roll.high - 1] = equity
    reach = (
        1.5 * float(np.abs(grid - table.mean).max()) or 1.0
    )  # the darkest colours would hide what is written
    shown = axes.imshow(grid, cmap="RdBu", vmin=table.mean - reach, vmax=table.mean + reach)
    for row in range(6):
        for column in range(6):
            axes.text(column, row, f"{grid[row, column]:+.3f}", ha="center", va="center", fontsize="small")
    axes.set_xticks(range(6), [str(die) for die in range(1, 7)])
    axes.set_yticks(range(6), [str(die) for die in range(1, 7)])
    axes.set_title(f"mean {table.mean:+.3f}", color=colours.ink)
    bar = figure.colorbar(shown)
    bar.ax.tick_params(colors=colours.ink)
    return figure


_ACTIONS = {
    ("no double", ""): ("ND", "no double", 0),
    ("double", "take"): ("D/T", "double, take", 1),
    ("double", "beaver"): ("D/B", "double, beaver", 1),
    ("double", "pass"): ("D/P", "double, pass", 2),
    ("too good", ""): ("TG", "too good to double", 3),
    ("none", ""): ("–", "no double allowed", 4),
}
_ACTION_COLOURS = ("#f4f1e8", "#9fd3a8", "#f2b36b", "#8fb8e8", "#d0d0d0")

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def score_matrix(
    matrix: Sequence[Sequence[CubeDecision]] | ScoreTable, *, theme: ThemeLike = "light"
) -> "Figure":
    """Draw what is right at each score: cube decisions of `cube.matrix`, or plays of `search.by_score`.

    Rows are the points the player on roll needs, columns those of the opponent. Of plays each has a letter,
    that of the best play at most scores first.
    """
    cells, legend = _plays_at(matrix) if isinstance(matrix, ScoreTable) else _cubes_at(matrix)
    size = len(cells)
    figure, axes, colours = _figure(theme, 2 + 0.62 * size + 2.2, 1 + 0.55 * size)
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    palette = [colour for _, _, colour in legend]
    places = {text: index for index, (text, _, _) in enumerate(legend)}
    grid = np.array([[places[text] for text in row] for row in cells])
    axes.imshow(grid, cmap=ListedColormap(palette), vmin=-0.5, vmax=len(palette) - 0.5)
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            axes.text(column, row, text, ha="center", va="center", color="#111111", fontsize="small")
    away = [str(number) for number in range(1, size + 1)]
    axes.set_xticks(range(size), away)
    axes.set_yticks(range(size), away)
    axes.set_xlabel("points the opponent needs")
    axes.set_ylabel("points the player on roll needs")
    patches = [Patch(facecolor=colour, label=f"{text}: {name}") for text, name, colour in legend]
    axes.legend(
        handles=patches,
        loc="upper left",
        bbox_to_anchor=(1.02, 1),
        facecolor=colours.paper,
        edgecolor=colours.faint,
        labelcolor=colours.ink,
        fontsize="small",
    )
    return figure


def _cubes_at(
    matrix: Sequence[Sequence[CubeDecision]],
) -> tuple[list[list[str]], list[tuple[str, str, str]]]:
    kinds = [[_ACTIONS[_action(decision)] for decision in row] for row in matrix]
    used = sorted({kind for row in kinds for kind in row}, key=lambda kind: kind[2])
    legend = [(text, name, _ACTION_COLOURS[colour]) for text, name, colour in used]
    return [[text for text, _, _ in row] for row in kinds], legend


def _action(decision: CubeDecision) -> tuple[str, str]:
    if decision.refusal is not None or decision.action is None:
        return "none", ""
    if decision.action != "double":
        return decision.action, ""
    return "double", decision.answer or "take"


def _plays_at(table: ScoreTable) -> tuple[list[list[str]], list[tuple[str, str, str]]]:
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    best = table.best
    numbers = sorted(set(best.flat), key=lambda number: (-int((best == number).sum()), int(number)))
    texts = {
        number: _LETTERS[place] if place < len(_LETTERS) else str(place + 1)
        for place, number in enumerate(numbers)
    }
    palette = colormaps["Set3"]
    legend = [
        (text, str(table.ranking[int(number)].play), to_hex(palette(place % 12)))
        for place, (number, text) in enumerate(texts.items())
    ]
    return [[texts[number] for number in row] for row in best], legend
