"""What rollouts of many positions found, as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gammon.rollout._settings import Settings

__all__ = ["Many"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Many:
    """Rollouts of many positions: arrays with a row a position, seen by the player on roll.

    Errors are standard errors; positions without trials have numbers that are not a number, and so have all
    without a cube or a match where these would count.
    """

    settings: Settings
    """What was asked for."""
    evaluator: str
    """Who chose the plays."""
    trials: NDArray[np.uint64]
    """Games counted, `uint64[n]`."""
    chances: NDArray[np.float64]
    """The five chances, luck taken out, `float64[n, 5]`; the columns are those of `gammon.evaluate`."""
    chance_errors: NDArray[np.float64]
    """Their errors, `float64[n, 5]`."""
    equity: NDArray[np.float64]
    """Cubeless money equity, luck taken out, `float64[n]`."""
    equity_error: NDArray[np.float64]
    """Its error, `float64[n]`."""
    raw_equity: NDArray[np.float64]
    """Cubeless money equity as the games ended, `float64[n]`."""
    raw_equity_error: NDArray[np.float64]
    """Its error, `float64[n]`."""
    cubeful: NDArray[np.float64]
    """Equity with the cube, per unit of the cube, in a match normalised, `float64[n]`."""
    cubeful_error: NDArray[np.float64]
    """Its error, `float64[n]`."""
    mwc: NDArray[np.float64]
    """Chance to win the match, `float64[n]`."""
    mwc_error: NDArray[np.float64]
    """Its error, `float64[n]`."""
    seconds: float
    """How long it took."""
    evaluations: int
    """Positions evaluated in all."""

    @property
    def complete(self) -> bool:
        """Whether all trials asked for are in."""
        return bool((self.trials == self.settings.trials).all())

    def __len__(self) -> int:
        return len(self.trials)

    def __repr__(self) -> str:
        return f"<Many of {len(self)} positions, {int(self.trials.sum()):,} trials>"
