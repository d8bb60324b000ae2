"""Numbers with standard errors, and how sure they make one."""

import math
from dataclasses import dataclass

from gammon._native import RolloutPart

__all__ = [
    "Estimate",
    "confidence_of",
    "cubeful_of",
    "mwc_of",
    "percent",
    "plain",
    "ratio",
    "shown",
    "sure",
]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over trials."""

    mean: float
    """The mean."""
    error: float
    """Its standard error; infinite for a single trial."""

    @property
    def interval(self) -> tuple[float, float]:
        """The mean ± 1.96 standard errors: about 95 such ranges of 100 hold the true value."""
        return (self.mean - 1.96 * self.error, self.mean + 1.96 * self.error)

    def __str__(self) -> str:
        """Give the mean and its standard error with as many digits as they deserve."""
        return f"{self.mean:.4f} ± {shown(self.error, 4)}"


def cubeful_of(part: RolloutPart, branch: int) -> Estimate | None:
    """Return the equity of a branch with the cube; `None` without one."""
    mean, error = part.cubeful_of(branch)
    return None if math.isnan(mean) else Estimate(mean, error)


def mwc_of(part: RolloutPart, branch: int) -> Estimate | None:
    """Return the chance of a branch to win the match; `None` where there is none."""
    found = part.mwc_of(branch)
    return None if found is None else Estimate(*found)


def plain(value: Estimate) -> dict[str, float | None]:
    """Return it for JSON, which has no infinity: a single trial has no standard error."""
    return {"mean": value.mean, "error": value.error if math.isfinite(value.error) else None}


def percent(estimate: Estimate) -> str:
    """Write a chance with its error."""
    return f"{100 * estimate.mean:.2f} % ± {shown(100 * estimate.error, 2)}"


def ratio(difference: float, error: float) -> float:
    """Return a difference in standard errors."""
    return difference / error if error > 0 else math.inf


def confidence_of(ratio: float) -> float:
    """Return how much of a normal distribution lies below so many standard errors."""
    return 0.5 * (1 + math.erf(ratio / math.sqrt(2)))


def sure(confidence: float) -> str:
    """Write how sure something is."""
    return f"{100 * confidence:.1f} % sure" if confidence < 0.9995 else "over 99.9 % sure"


def shown(error: float, digits: int) -> str:
    """Write a standard error; a dash for the infinite one of a single trial."""
    return f"{error:.{digits}f}" if math.isfinite(error) else "-"
