"""What games and positions are worth, and how they went."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["VariantEvent", "VariantGames", "VariantResult", "VariantValue"]


@dataclass(frozen=True)
class VariantResult:
    """How a game ended."""

    winner: Literal["me", "opponent"] | None
    """The player to act, the other one, or nobody after a draw."""
    kind: str
    """`single`, `gammon`, `backgammon`, `mother`, `bredouille`, `draw` or `void`."""
    points: int
    """What the winner gets."""


@dataclass(frozen=True)
class VariantValue:
    """What a position is worth to the player to act; `variants.evaluate` says what the numbers mean."""

    win: float
    """Chance to win, a draw counting half."""
    win_gammon: float
    """Chance to win two points or more."""
    win_backgammon: float
    """Chance to win three points."""
    lose_gammon: float
    """Chance to lose two points or more."""
    lose_backgammon: float
    """Chance to lose three points."""
    equity: float
    """Points on average, without a cube."""


@dataclass(frozen=True)
class VariantEvent:
    """Points of one kind in a throw of Trictrac."""

    name: str
    """What for, as `fill_grand` or `true_hit@10`; a hit checker is named by the thrower's point."""
    who: Literal["me", "opponent"]
    """Who gets them, the thrower being `me`."""
    points: int
    """How many they are."""


@dataclass(frozen=True)
class VariantGames:
    """How random games went, one entry a game."""

    points: npt.NDArray[np.int32]
    """Points of the player who began, negative if he lost."""
    decisions: npt.NDArray[np.uint32]
    """Decisions made."""
    kinds: tuple[str | None, ...]
    """How each ended, as `VariantResult.kind`; `None` for a game that was given up."""
