"""Boards of the other games as text, by the points of the player to act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gammon.variants._position import VariantPosition

__all__ = ["draw"]

_PARALLEL = ("fevga", "nardi_long", "gul_bara", "jacquet")
"""Games in which both sides run the same way round."""


def _across(point: int, *, parallel: bool) -> int:
    """The number that the other side gives a point."""
    return (point + 11) % 24 + 1 if parallel else 25 - point


def _cell(mine: int, his: int, pinned: str) -> str:
    if pinned:
        top, count = ("X", mine) if pinned == "O" else ("O", his)
        return f"{top}{count}[{pinned}]"
    return f"X{mine}" if mine else f"O{his}" if his else "."


def draw(position: VariantPosition) -> str:
    """Return the board as text."""
    fields = position.fields
    game = position.variant
    parallel = game.name in _PARALLEL and game.options.get("celebi") != "true"
    mine = {int(point): count for point, count in fields["me"].items()}
    his = {_across(int(point), parallel=parallel): count for point, count in fields["opp"].items()}
    pins: dict[str, list[int]] = fields.get("pinned", {})
    under = dict.fromkeys(pins.get("me", []), "X")
    under |= {_across(point, parallel=parallel): "O" for point in pins.get("opp", [])}
    cells = {
        point: _cell(mine.get(point, 0), his.get(point, 0), under.get(point, "")) for point in range(1, 25)
    }
    width = max(4, *(len(cell) + 1 for cell in cells.values()))

    def row(points: list[int], texts: dict[int, str]) -> str:
        halves = ("".join(f"{texts[point]:>{width}}" for point in half) for half in (points[:6], points[6:]))
        return "  |".join(halves)

    numbers = {point: str(point) for point in range(1, 25)}
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    lines = [row(upper, numbers), row(upper, cells), "", row(lower, cells), row(lower, numbers)]
    return "\n".join([*lines, *_notes(fields)])


def _notes(fields: dict[str, Any]) -> list[str]:
    """What else there is to see, one line each."""
    names = {"bar": "on the bar", "hand": "in hand", "off": "off"}
    lines = []
    for key, words in names.items():
        if key in fields:
            mine, his = fields[key]
            lines.append(f"{words}: X {mine}, O {his}")
    if "tt" in fields:
        marking = fields["tt"]
        points, holes = marking["pts"], marking["holes"]
        lines.append(f"points: X {points[0]}, O {points[1]}; holes: X {holes[0]}, O {holes[1]}")
    if "asks" in fields:
        lines.append("to decide: " + " ".join(map(str, fields["asks"])))
    return lines
