"""Running a rollout on this machine."""

import time
from collections.abc import Callable
from dataclasses import replace

from gammon._native import Position, RolloutPart, Situation, roll_out
from gammon._typing import PositionLike
from gammon.evaluators import Evaluator, default
from gammon.rollout._result import Result
from gammon.rollout._settings import Settings

__all__ = ["run"]


def run(
    position: PositionLike,
    settings: Settings | None = None,
    *,
    evaluator: Evaluator | None = None,
    threads: int | None = None,
    progress: Callable[[RolloutPart], object] | None = None,
) -> Result:
    """Play a position to the end many times, both sides' plays chosen by an evaluator.

    The result depends on position, settings and evaluator alone, not on threads. `progress` is told some
    twenty times a second what is finished; if it returns `False` the rollout stops, and what is finished by
    then is returned. Without an evaluator the packaged net chooses.
    """
    asked = settings or Settings()
    if isinstance(position, str):
        position = Situation(position)
    if asked.opening is None:
        opening = isinstance(position, Situation) and position.format == "start"
        asked = replace(asked, opening=opening)
    chooser = default() if evaluator is None else evaluator
    subject = Position(position)
    begun = time.perf_counter()
    part, complete = roll_out(
        subject,
        chooser,
        trials=asked.trials,
        seed=asked.seed,
        first=asked.first,
        max_turns=asked.max_turns,
        opening=bool(asked.opening),
        threads=threads,
        progress=progress,
    )
    return Result(subject, asked, chooser.id, part, complete, time.perf_counter() - begun)
