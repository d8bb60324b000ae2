"""The board as an SVG picture, for notebooks, pages and documents: nothing but text."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypedDict

from gammon._native import Situation
from gammon._typing import PositionLike
from gammon.errors import SettingError
from gammon.viz._arrows import Arrow, arrows
from gammon.viz._layout import BAR, CHECKER, CUBE, EDGE, HALF, POINT, ROWS, STRIP, TRAY, Layout
from gammon.viz._markup import attributes, escape, number
from gammon.viz._scene import Numbers, Perspective, Scene, Side, describe, one_of, scene
from gammon.viz._themes import Theme, ThemeLike, theme_of

__all__ = ["FONT", "BoardOptions", "Home", "board", "framed", "picture"]

Home: TypeAlias = Literal["right", "left"]
"""On which side the players bear off."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


class BoardOptions(TypedDict, total=False):
    """What `svg`, `png` and `save` take beside the position."""

    perspective: Perspective
    home: Home
    numbers: Numbers
    theme: ThemeLike
    arrows: Iterable[Arrow]
    pips: bool
    names: Sequence[str] | None
    title: str | None


def board(
    position: PositionLike,
    *,
    perspective: Perspective = "roller",
    home: Home = "right",
    numbers: Numbers = "turning",
    theme: ThemeLike = "light",
    arrows: Iterable[Arrow] = (),
    pips: bool = True,
    names: Sequence[str] | None = None,
    title: str | None = None,
) -> str:
    """Draw a position as an SVG picture; of a situation also its dice, cube and score.

    The player at the bottom has the light checkers and moves them towards `home`. `perspective` says who that
    is: the player on roll ('roller'), whoever has to decide ('decider'), or seat 1, the bottom player of an
    XGID ('absolute'). Points bear the numbers in which plays are written, those of the player on roll (of the
    'decider' in that perspective); `numbers` may keep them at the bottom's or leave them out.

    `arrows` are plays of the player on roll: plays, texts such as '8/5 6/5', or pairs of one and how good it
    is ('best', 'good', 'doubtful', 'bad', 'very bad'), which colours it. `names` are those of seat 0 and seat
    1. The picture says what it shows in `<title>` and `<desc>`; `title` replaces the first.

    Raises `SettingError` for unknown options, `ParseError` for no position, and what `Position.play` raises
    for arrows.

    >>> from gammon import viz
    >>> viz.svg("start").count("<circle")
    30
    >>> id = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:4:0:7:10"
    >>> drawn = viz.svg(id, arrows=[("8/5 6/5", "best"), ("24/20", "bad")], names=("Anna", "Bo"))
    >>> drawn.count('class="arrow best"'), "Bo to play 31" in drawn, "match to 7" in drawn
    (2, True, True)
    """
    one_of("home", home, ("right", "left"))
    colours = theme_of(theme)
    shown = scene(position, perspective=perspective, numbers=numbers, names=names)
    layout = layout_of(shown, home, pips=pips)
    return picture(
        shown,
        layout,
        colours,
        arrows=arrows,
        situation=position,
        pips=pips,
        title=title,
        frame=framed(layout, colours, shown.numbers),
    )


def layout_of(shown: Scene, home: Home, *, pips: bool) -> Layout:
    """Return the measures that a picture needs."""
    return Layout(
        home=home,
        has_cube=shown.cube is not None,
        has_strips=pips or shown.cube is not None or any(side.name for _, side in shown.players),
    )


def picture(
    shown: Scene,
    layout: Layout,
    theme: Theme,
    *,
    arrows: Iterable[Arrow],
    situation: PositionLike,
    pips: bool,
    title: str | None,
    frame: str,
) -> str:
    """Return the picture; `frame` is the empty board, or whatever refers to one that is on the page."""
    if not (title is None or isinstance(title, str)):
        raise SettingError(f"title must be a text, got {title!r:.120}")
    usual, words = map(escape, describe(shown))
    name = usual if title is None else escape(title)
    body = [
        *_checkers(shown, layout, theme),
        *_cube(shown, layout, theme),
        *_dice(shown, layout, theme),
        *_arrows(shown, layout, theme, arrows, situation),
        *_strips(shown, layout, theme, pips=pips),
    ]
    inside = "\n".join([frame, *body])
    # The same picture twice on a page has the same words, so that equal names do no harm.
    key = hashlib.sha256(f"{name}{words}{inside}".encode()).hexdigest()[:10]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {layout.height}" '
        f'width="{layout.width}" height="{layout.height}" font-family="{FONT}" text-anchor="middle" '
        f'role="img" aria-labelledby="t{key} d{key}">\n'
        f'<title id="t{key}">{name}</title>\n<desc id="d{key}">{words}</desc>\n'
        f"{inside}\n</svg>\n"
    )


# The empty board.


def framed(layout: Layout, theme: Theme, numbers: Literal["bottom", "top"] | None) -> str:
    """Return the board without checkers."""
    boxes = [
        (layout.left, 6 * POINT),
        (layout.left + 6 * POINT + BAR, 6 * POINT),
        (layout.right + 4, TRAY - 4),
    ]
    felt = "".join(
        f'<rect x="{number(layout.box(x, width))}" y="{layout.top}" width="{width}" height="{2 * HALF}"/>'
        for x, width in boxes
    )
    parts = [
        f'<rect x="0.5" y="0.5" width="{layout.width - 1}" height="{layout.height - 1}" rx="8" '
        f'fill="{theme.frame}" stroke="{theme.line}"/>',
        f'<g fill="{theme.felt}" stroke="{theme.line}" stroke-width="0.5">{felt}</g>',
        f'<path fill="{theme.odd}" d="{_triangles(layout, 1)}"/>',
        f'<path fill="{theme.even}" d="{_triangles(layout, 0)}"/>',
    ]
    if numbers is not None:
        parts.append(_numbers(layout, theme, turned=numbers == "top"))
    return "\n".join(parts)


def _triangles(layout: Layout, odd: int) -> str:
    paths = []
    for point in range(2 - odd, 25, 2):
        x = layout.point(point) - POINT / 2
        base, height = (layout.bottom, 40 - HALF) if point <= 12 else (layout.top, HALF - 40)
        paths.append(f"M{number(x)} {base}h{POINT}l-{POINT // 2} {height}z")
    return "".join(paths)


def _numbers(layout: Layout, theme: Theme, *, turned: bool) -> str:
    labels = []
    for point in range(1, 25):
        y = layout.bottom + 16 if point <= 12 else layout.top - 7
        label = 25 - point if turned else point
        labels.append(f'<text x="{number(layout.point(point))}" y="{y}">{label}</text>')
    return f'<g font-size="12" fill="{theme.frame_ink}">{"".join(labels)}</g>'


# Checkers.


def _checkers(shown: Scene, layout: Layout, theme: Theme) -> list[str]:
    sides = (
        (shown.bottom, True, theme.light, theme.light_ink, "light"),
        (shown.top, False, theme.dark, theme.dark_ink, "dark"),
    )
    parts = []
    for side, own, fill, ink, name in sides:
        drawn = "".join(_stack(layout, point, count, own=own) for point, count in _places(side, own=own))
        tray = "".join(_flat(layout, row, own=own) for row in range(side.off))
        digits = "".join(_digit(layout, point, count, own=own) for point, count in _places(side, own=own))
        inked = f'<g font-size="15" fill="{ink}">{digits}</g>' if digits else ""
        parts.append(
            f'<g class="{name}"><g fill="{fill}" stroke="{theme.line}" stroke-width="1.5">{drawn}{tray}</g>'
            f"{inked}</g>"
        )
    return parts


def _places(side: Side, *, own: bool) -> list[tuple[int, int]]:
    """Return where a side has checkers, by the numbers of the player at the bottom, and how many."""
    here = [
        (point if own or point == 25 else 25 - point, count) for point, count in enumerate(side.counts, 1)
    ]
    return [(point, count) for point, count in here if count]


def _stack(layout: Layout, point: int, count: int, *, own: bool) -> str:
    parts = []
    for row in range(min(count, ROWS)):
        x, y = layout.checker(point, row, own=own)
        parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{CHECKER // 2 - 1}"/>')
    return "".join(parts)


def _digit(layout: Layout, point: int, count: int, *, own: bool) -> str:
    if count <= ROWS:
        return ""
    x, y = layout.checker(point, ROWS - 1, own=own)
    return f'<text x="{number(x)}" y="{number(y + 5)}">{count}</text>'


def _flat(layout: Layout, row: int, *, own: bool) -> str:
    """Checkers borne off lie flat in the tray."""
    x, y = layout.checker(0, row, own=own)
    width, height = layout.flat
    return (
        f'<rect x="{number(x - width / 2)}" y="{number(y - height / 2)}" width="{number(width)}" '
        f'height="{number(height)}" rx="2"/>'
    )


# The cube and the dice.

_SIZE = 34


def _cube(shown: Scene, layout: Layout, theme: Theme) -> list[str]:
    if shown.cube is None:
        return []
    if shown.offered_to is not None:
        # On the felt: on the side of the home boards if the player at the bottom is asked.
        side = 1 if (shown.offered_to == "bottom") == (layout.home == "right") else -1
        x, y = layout.bar + side * (BAR / 2 + 3 * POINT), float(layout.middle)
    else:
        x = layout.across(EDGE + CUBE / 2 - 6)
        inset = _SIZE / 2 + 4
        y = {"bottom": layout.bottom - inset, "top": layout.top + inset, None: float(layout.middle)}[
            shown.owner
        ]
    # A cube that was never turned lies with its 64 up, as on every board.
    face = 64 if shown.cube == 1 else shown.cube
    size = {1: 18, 2: 18, 3: 15, 4: 12}.get(len(str(face)), 10)
    return [
        f'<g class="cube"><rect{attributes(x=x - _SIZE / 2, y=y - _SIZE / 2, width=_SIZE, height=_SIZE)} '
        f'rx="6" fill="{theme.cube}" stroke="{theme.line}" stroke-width="1.5"/>'
        f'<text{attributes(x=x, y=y + size * 0.36)} font-size="{size}" font-weight="bold" '
        f'fill="{theme.cube_ink}">{face}</text></g>'
    ]


_DIE = 34
_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _dice(shown: Scene, layout: Layout, theme: Theme) -> list[str]:
    """The dice lie to the right hand of the player on roll."""
    if shown.dice is None:
        return []
    mine = shown.roller == "bottom"
    side = 1 if mine == (layout.home == "right") else -1
    fill, ink = (theme.light, theme.light_ink) if mine else (theme.dark, theme.dark_ink)
    parts = []
    for die, shift in zip(shown.dice, (-22, 22), strict=True):
        x, y = layout.bar + side * (BAR / 2 + 3 * POINT) + shift, layout.middle
        box = attributes(x=x - _DIE / 2, y=y - _DIE / 2, width=_DIE, height=_DIE)
        dots = "".join(f"M{number(x + 9 * column)} {number(y + 9 * row)}h0" for column, row in _SPOTS[die])
        parts.append(
            f'<rect{box} rx="5" fill="{fill}" stroke="{theme.line}"/>'
            f'<path d="{dots}" stroke="{ink}" stroke-width="6.5" stroke-linecap="round"/>'
        )
    return [f'<g class="dice">{"".join(parts)}</g>']


def _arrows(
    shown: Scene, layout: Layout, theme: Theme, wanted: Iterable[Arrow], situation: PositionLike
) -> list[str]:
    known = Situation(situation) if isinstance(situation, str) else situation
    roll = known.roll if isinstance(known, Situation) else None
    return arrows(wanted, shown.position, roll, layout, theme, mine=shown.roller == "bottom")


# What is written above and below.


def _strips(shown: Scene, layout: Layout, theme: Theme, *, pips: bool) -> list[str]:
    if not layout.has_strips:
        return []
    above, below = STRIP - 6, layout.height - 9
    parts = [
        _line(12, above, "start", _about(shown.top, shown, pips=pips)),
        _line(12, below, "start", _about(shown.bottom, shown, pips=pips)),
        _line(layout.width - 12, above, "end", _played_for(shown)),
        _line(layout.width - 12, below, "end", shown.to_do),
    ]
    return [f'<g font-size="14" fill="{theme.frame_ink}">{"".join(parts)}</g>']


def _line(x: int, y: int, anchor: str, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>' if text else ""


_LONGEST_NAME = 24
"""Letters of a name that have room."""


def _about(side: Side, shown: Scene, *, pips: bool) -> str:
    name = side.name if len(side.name) <= _LONGEST_NAME else side.name[: _LONGEST_NAME - 1] + "…"
    score = f"{side.score} of {shown.length}" if side.score is not None and shown.length else ""
    return " · ".join(part for part in (name, score, f"{side.pips} pips" if pips else "") if part)


def _played_for(shown: Scene) -> str:
    if shown.cube is None:
        return ""
    if not shown.length:
        return "money play"
    return f"match to {shown.length}{', Crawford' if shown.crawford else ''}"
