"""Steps of plays as texts and as numbers."""

from typing import Literal, TypeAlias

__all__ = ["NOWHERE", "WAITING", "Place", "number_of", "pairs_of"]

Place: TypeAlias = int | Literal["bar", "hand", "off"]
"""Where a checker can be."""

WAITING = 25
"""The number of the place where checkers wait: the bar or the hand."""

NOWHERE = 99
"""The number of what is no place."""


def pairs_of(text: str) -> list[tuple[Place, Place]] | None:
    """Return the steps that a text says, some of which are no steps; `None` for a word."""
    if "/" not in text:
        return [] if not text.strip() or text == "(no move)" else None
    pairs: list[tuple[Place, Place]] = []
    for part in text.replace("*", "").split():
        step, times, count = part.partition("(")
        places = [_place(place) for place in step.split("/")]
        alike = int(count[0]) if count in ("1)", "2)", "3)", "4)") else 0
        is_step = len(places) == 2 and (alike > 0 or not times)
        # Of a part that is no step no play is made.
        pairs.extend([(places[0], places[1]) if is_step else (NOWHERE, NOWHERE)] * max(alike, 1))
    return pairs


def _place(text: str) -> Place:
    if text in ("bar", "hand", "off"):
        return text  # type: ignore[return-value]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else NOWHERE


def number_of(place: Place) -> int:
    """Return the number of a place; one that is none is refused later, as any that no checker can be on."""
    if isinstance(place, str):
        return {"bar": WAITING, "hand": WAITING, "off": 0}.get(place, NOWHERE)
    return place if 0 < place < WAITING else NOWHERE
