"""Plays as arrows on a board."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias, get_args

from gammon._native import Play, Position, Roll
from gammon.errors import SettingError
from gammon.match import IllegalPlay
from gammon.viz._layout import Layout
from gammon.viz._markup import number
from gammon.viz._themes import Quality, Theme

__all__ = ["Arrow", "arrows"]

Arrow: TypeAlias = Play | IllegalPlay | str | tuple[Play | IllegalPlay | str, Quality]
"""A play, or a play and how good it is; a text needs a picture with dice."""

_STROKE, _HEAD, _APART = 5.0, 13.0, 9.0
"""Width of a shaft, length of a head, distance between the arrows of different plays."""

_DASHES: dict[Quality, str | None] = {"doubtful": "14 5", "bad": "9 5", "very bad": "4 5"}
"""Errors are dashed, the worse the shorter, so that colour is not all there is."""

_Place: TypeAlias = tuple[float, float]


def arrows(
    wanted: Iterable[Arrow],
    position: Position,
    roll: Roll | None,
    layout: Layout,
    theme: Theme,
    *,
    mine: bool,
) -> list[str]:
    """Return the arrows of plays of the player on roll, who sits at the bottom if they are `mine`.

    Raises `SettingError` for an unknown quality or a text without dice, and what `Position.play` raises.
    """
    listed = [_known(arrow, position, roll) for arrow in wanted]
    parts = []
    for index, (play, quality) in enumerate(listed):
        aside = (index - (len(listed) - 1) / 2) * _APART
        paths = [_shifted(path, aside) for path in _paths(play, position, layout, mine=mine)]
        parts += [_drawn(path, theme, quality) for path in paths]
    return parts


def _known(arrow: Arrow, position: Position, roll: Roll | None) -> tuple[Play | IllegalPlay, Quality]:
    if isinstance(arrow, tuple) and len(arrow) != 2:
        raise SettingError(f"an arrow is a play, or a play and its quality, got {arrow!r:.120}")
    play, quality = arrow if isinstance(arrow, tuple) else (arrow, "")
    if quality not in get_args(Quality):
        raise SettingError(
            f"a quality is one of {', '.join(map(repr, get_args(Quality)))}, got {quality!r:.120}"
        )
    if isinstance(play, str):
        if roll is None:
            raise SettingError(f"the arrows of {play!r:.120} need a position whose dice are thrown")
        return position.play(play, roll), quality
    if not isinstance(play, Play | IllegalPlay):
        raise TypeError(f"arrows are of plays, got {type(play).__name__}")
    return play, quality


def _paths(play: Play | IllegalPlay, position: Position, layout: Layout, *, mine: bool) -> list[list[_Place]]:
    """Return where each checker goes: from where it stands to where it will, by way of the blots it hits."""
    own, other = position.board.tolist()
    tray = position.borne_off[0]
    paths: list[tuple[int, list[_Place]]] = []
    """Where each path has come to, and its places; a place where nothing was hit gives way to the next."""
    hit_at: set[int] = set()

    def place(point: int, row: int) -> _Place:
        seen = point if mine or point in (0, 25) else 25 - point
        return layout.checker(seen, max(row, 0), own=mine)

    for source, target in play.moves:
        if not (1 <= source <= 25 and 0 <= target <= 24):
            continue
        hits = target > 0 and other[24 - target] == 1
        end = place(target, tray if target == 0 else own[target - 1])
        going_on = next((number for number, (at, _) in enumerate(paths) if at == source), None)
        if going_on is None:
            paths.append((target, [place(source, own[source - 1] - 1), end]))
        else:
            places = paths[going_on][1]
            paths[going_on] = (target, [*(places if source in hit_at else places[:-1]), end])
        own[source - 1] = max(own[source - 1] - 1, 0)
        if target == 0:
            tray += 1
        else:
            own[target - 1] += 1
        if hits:
            other[24 - target] = 0
            hit_at.add(target)
    return [places for _, places in paths]


def _shifted(path: Sequence[_Place], aside: float) -> list[_Place]:
    """Return a path moved to the right of its direction as a whole."""
    (x, y), (end_x, end_y) = path[0], path[-1]
    length = math.hypot(end_x - x, end_y - y) or 1.0
    across, down = -(end_y - y) / length * aside, (end_x - x) / length * aside
    return [(at_x + across, at_y + down) for at_x, at_y in path]


def _drawn(path: Sequence[_Place], theme: Theme, quality: Quality) -> str:
    (before_x, before_y), (tip_x, tip_y) = path[-2], path[-1]
    angle = math.atan2(tip_y - before_y, tip_x - before_x)
    neck = (tip_x - _HEAD * math.cos(angle), tip_y - _HEAD * math.sin(angle))
    shaft = "M" + "L".join(_pair(place) for place in [*path[:-1], neck])
    wings = (
        (
            tip_x - 1.3 * _HEAD * math.cos(angle + turn),
            tip_y - 1.3 * _HEAD * math.sin(angle + turn),
        )
        for turn in (0.5, -0.5)
    )
    head = f"M{_pair((tip_x, tip_y))}L" + "L".join(_pair(wing) for wing in wings) + "Z"
    colour, dashes = theme.quality(quality), _DASHES.get(quality)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    start = path[0]
    return (
        f'<g class="arrow {quality.replace(" ", "-") or "plain"}" fill="none" stroke-linejoin="round">'
        f'<path d="{shaft}" stroke="{theme.halo}" stroke-width="{_STROKE + 3:g}"/>'
        f'<path d="{shaft}" stroke="{colour}" stroke-width="{_STROKE:g}"{dashed}/>'
        f'<path d="{head}" fill="{colour}" stroke="{theme.halo}" stroke-width="1"/>'
        f'<circle cx="{number(start[0])}" cy="{number(start[1])}" r="5" fill="{colour}" '
        f'stroke="{theme.halo}"/></g>'
    )


def _pair(place: _Place) -> str:
    return f"{number(place[0])} {number(place[1])}"
