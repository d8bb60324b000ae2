"""What a rollout is asked for: arguments read and checked."""

import math
import os
from dataclasses import replace
from typing import SupportsFloat, TypeAlias

from gammon import met as tables
from gammon._native import PipCount, Roll, Situation, VariantNet
from gammon._typing import PositionLike
from gammon.errors import SettingError
from gammon.evaluators import Evaluator
from gammon.rollout._settings import Settings

__all__ = [
    "MetLike",
    "bound_of",
    "checked",
    "ignored_of",
    "opened",
    "situation_of",
    "standard",
    "table_of",
]

MetLike: TypeAlias = tables.Met | str | os.PathLike[str]
"""A match equity table: itself, its name or its file."""


def checked(settings: Settings | None) -> Settings:
    """Return the settings, those by default if there are none."""
    if settings is not None and not isinstance(settings, Settings):
        raise TypeError(f"settings must be a rollout.Settings, got {type(settings).__name__}")
    return Settings() if settings is None else settings


def opened(settings: Settings, position: PositionLike) -> tuple[Settings, PositionLike]:
    """Return settings that know whether it is an opening, and the position; texts are read."""
    known = Situation(position) if isinstance(position, str) else position
    if settings.opening is None:
        opening = isinstance(known, Situation) and known.format == "start"
        settings = replace(settings, opening=opening)
    return settings, known


def situation_of(known: PositionLike) -> Situation:
    """Return the situation of a text, or of a position alone: money play, a centred cube."""
    if isinstance(known, Situation):
        return known
    return Situation(known if isinstance(known, str) else known.id)


def table_of(situation: Situation | None, met: MetLike) -> tables.Met | None:
    """Return the table that counts in a match; `None` elsewhere."""
    return tables.load(met) if situation is not None and situation.length else None


def standard(evaluator: Evaluator | VariantNet | PipCount | None) -> Evaluator | None:
    """Return the evaluator. Raises `SettingError` for one that plays other games only."""
    if isinstance(evaluator, (VariantNet, PipCount)):
        raise SettingError(f"{evaluator!r} plays other games only: give it a VariantPosition")
    return evaluator


def bound_of(drop: float | None) -> float | None:
    """Return the standard errors at which plays are dropped, if that is a number of them."""
    if drop is None:
        return None
    if isinstance(drop, bool) or not isinstance(drop, SupportsFloat):
        raise TypeError(f"drop must be a number or None, got {drop!r:.120}")
    try:
        bound = float(drop)
    except OverflowError:
        bound = math.inf
    if not (math.isfinite(bound) and bound > 0):
        raise SettingError(f"drop must be above 0 and finite, got {drop!s:.80}")
    return bound


def ignored_of(situation: Situation, *, cube: bool, thrown: Roll | None = None) -> tuple[str, ...]:
    """Return what a situation says that a rollout does not use, one phrase each."""
    phrases = {
        f"the dice {situation.roll}": situation.roll not in (None, thrown),
        "the score": not cube and situation.length > 0,
        f"the cube at {situation.cube}": not cube and (situation.cube > 1 or bool(situation.cube_owner)),
        "the Jacoby rule": not cube and situation.jacoby,
        f"the offer ({situation.offer})": situation.offer is not None,
        f"how the game ended ({situation.state})": situation.state in ("resigned", "dropped"),
    }
    return tuple(phrase for phrase, said in phrases.items() if said)
