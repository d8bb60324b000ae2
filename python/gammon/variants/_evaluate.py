"""Positions evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon._native import variant_numbers

if TYPE_CHECKING:
    from gammon.variants._game import Variant
    from gammon.variants._position import VariantPosition

__all__ = ["evaluate", "evaluator_of"]


def evaluate(
    positions: Sequence[VariantPosition], evaluator: Any = None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return what positions of one game are worth to the player to act: `float32[n, 5]` and `float32[n]`.

    The five numbers are chances: to win, a draw counting half; to win two points or more; to win three; and
    to lose two or more, and three. In games whose wins are worth many different amounts (acey-deucey, or
    trictrac for a quadruple stake) the second number is the mean over all games of (points - 1) / (most - 1)
    in those that are won, the fourth the same of those lost, and the others are 0. The second array holds
    the mean number of points. Without an evaluator that of `evaluators.default(game)` answers.

    Raises `SettingError` for positions of different games, or an evaluator that cannot play theirs.

    >>> from gammon import variants
    >>> numbers, equities = variants.evaluate([variants.get("plakoto").start])
    >>> numbers.shape, bool(abs(equities[0]) < 0.5)
    ((1, 5), True)
    """
    if not positions:
        return np.zeros((0, 5), np.float32), np.zeros(0, np.float32)
    game = positions[0].variant
    states = [position._state for position in positions]
    return variant_numbers(game._rules, states, evaluator_of(game, evaluator))


def evaluator_of(game: Variant, given: Any) -> Any:
    """Return the evaluator that is given, or that of the game."""
    from gammon import evaluators  # it knows the games, so they cannot ask for it first

    return evaluators.default(game) if given is None else given
