"""What all results of rollouts say about how they were made."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gammon._names import short_id
from gammon._native import RolloutPart, build_info
from gammon.rollout._settings import Settings

if TYPE_CHECKING:
    from gammon.rollout._comparison import Comparison
    from gammon.rollout._decision import CubeResult
    from gammon.rollout._result import Result

__all__ = ["foot_of", "notes_of", "told_by_all"]


def told_by_all(found: "Result | Comparison | CubeResult") -> dict[str, Any]:
    """Return what every result says about how it was made, as plain values."""
    settings = found.settings
    return {
        "gammon": build_info()["version"],
        "trials": found.trials,
        "complete": found.complete,
        "stopped": found.stopped,
        "seed": settings.seed,
        "first": settings.first,
        "opening": settings.opening,
        "luck": settings.luck,
        "strata": settings.strata,
        "truncate": settings.truncate,
        "settings": asdict(settings),
        "evaluator": found.evaluator,
        "seconds": found.seconds,
        "evaluations": found.evaluations,
        "notes": list(found.notes),
    }


def notes_of(settings: Settings, part: RolloutPart) -> tuple[str, ...]:
    """Return what one should know about the numbers, one sentence each."""
    size = settings.replication
    notes = []
    if part.trials % size:
        notes.append(f"{part.trials:,} trials are no multiple of {size:,}, whose dice belong together.")
    if part.trials and size > 1 and not part.by_replications:
        notes.append(
            f"With fewer than {16 * size:,} trials the standard errors shown are too high"
            " rather than too low."
        )
    return tuple(notes)


def foot_of(settings: Settings, part: RolloutPart, complete: bool, seconds: float, evaluator: str) -> str:
    """Write the line below the numbers."""
    asked = "" if complete else f" of {settings.trials:,} asked for"
    speed = f", {part.trials * part.branches / seconds:,.0f} games/s" if seconds > 0 else ""
    return (
        f"{part.trials:,} games{asked}, seed {settings.seed}, {seconds:.1f} s{speed}, "
        f"plays by {short_id(evaluator)}; ± is one standard error"
    )
