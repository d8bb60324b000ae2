"""The board as an SVG picture, for notebooks and documents."""

from gammon._native import Position
from gammon._typing import PositionLike

__all__ = ["board"]

_POINT, _CHECKER, _TRAY, _BAR, _EDGE = 40, 36, 46, 44, 22
"""Widths of a point, a checker, the tray, the bar and the rim, in pixels."""

_ROWS = 5
_HALF = _ROWS * _CHECKER + 26
"""Height of one half of the board: five checkers and some air."""

_LEFT = _EDGE
_RIGHT = _LEFT + 12 * _POINT + _BAR
_TOP = _EDGE
_BOTTOM = _TOP + 2 * _HALF
_WIDTH, _HEIGHT = _RIGHT + _TRAY + _EDGE, _BOTTOM + _EDGE

_WOOD, _FELT, _LIGHT, _DARK, _LINE, _TEXT = "#7a5230", "#e9dcc1", "#d3b98c", "#a9744a", "#4f3620", "#f4ead6"
_SIDES = {"roller": ("#fbf8f0", "#222222"), "opponent": ("#2b2b2e", "#f4f4f4")}
"""Fill and number colour of each side's checkers: the player on roll plays the light ones."""


def board(position: PositionLike) -> str:
    """Draw the position seen by the player on roll, who plays the light checkers towards point 1.

    >>> from gammon import viz
    >>> viz.svg("start").count("<circle")
    30
    """
    shown = Position(position)
    roller, opponent = shown.board.tolist()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="{_WOOD}"/>',
        _box(_LEFT, 6 * _POINT),
        _box(_LEFT + 6 * _POINT + _BAR, 6 * _POINT),
        _box(_RIGHT + 4, _TRAY - 4),
    ]
    for point in range(1, 25):
        parts.append(_triangle(point))
        parts.append(_stack("roller", roller[point - 1], _x(point), up=point <= 12))
        parts.append(_stack("opponent", opponent[24 - point], _x(point), up=point <= 12))
    middle = _LEFT + 6 * _POINT + _BAR / 2
    parts.append(_stack("roller", roller[24], middle, up=True))
    parts.append(_stack("opponent", opponent[24], middle, up=False))
    for side, off, up in zip(_SIDES, shown.borne_off, (True, False), strict=True):
        parts.append(_tray(side, off, up=up))
    parts.append("</svg>")
    return "\n".join(part for part in parts if part) + "\n"


def _box(x: float, width: float) -> str:
    return f'<rect x="{x:g}" y="{_TOP}" width="{width:g}" height="{2 * _HALF}" fill="{_FELT}"/>'


def _x(point: int) -> float:
    """The middle of a point: 12 to 1 along the bottom from the left, 13 to 24 along the top."""
    column = 12 - point if point <= 12 else point - 13
    return _LEFT + column * _POINT + _POINT / 2 + (_BAR if column >= 6 else 0)


def _triangle(point: int) -> str:
    x, half = _x(point), _POINT / 2
    base, tip = (_BOTTOM, _BOTTOM - _HALF + 40) if point <= 12 else (_TOP, _TOP + _HALF - 40)
    label = _BOTTOM + 16 if point <= 12 else _TOP - 7
    fill = _LIGHT if point % 2 else _DARK
    return (
        f'<path d="M{x - half:g} {base} L{x + half:g} {base} L{x:g} {tip} Z" fill="{fill}"/>'
        f'<text x="{x:g}" y="{label}" font-size="12" fill="{_TEXT}">{point}</text>'
    )


def _stack(side: str, count: int, x: float, *, up: bool) -> str:
    fill, ink = _SIDES[side]
    parts = []
    for row in range(min(count, _ROWS)):
        y = _BOTTOM - _CHECKER * (row + 0.5) if up else _TOP + _CHECKER * (row + 0.5)
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{_CHECKER / 2 - 1:g}" fill="{fill}" '
            f'stroke="{_LINE}" stroke-width="1.5"/>'
        )
        if row == _ROWS - 1 and count > _ROWS:
            parts.append(f'<text x="{x:g}" y="{y + 5:g}" font-size="15" fill="{ink}">{count}</text>')
    return "".join(parts)


def _tray(side: str, off: int, *, up: bool) -> str:
    """Checkers borne off lie flat in the tray."""
    fill, _ = _SIDES[side]
    parts = []
    for row in range(off):
        y = _BOTTOM - 11 * (row + 1) if up else _TOP + 11 * row
        parts.append(
            f'<rect x="{_RIGHT + 8}" y="{y}" width="{_TRAY - 12}" height="10" rx="2" fill="{fill}" '
            f'stroke="{_LINE}" stroke-width="1"/>'
        )
    return "".join(parts)
