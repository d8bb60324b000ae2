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

    The player on roll throws first, and games are worth their points at a cube of 1: of an identifier that
    says more, dice, score, cube and pending offer are not used, and `Result.ignored` names them.

    The result depends on position, settings and evaluator alone, not on threads. `progress` is told some
    twenty times a second what is finished, as a `RolloutPart`; if it returns something false but not `None`
    the rollout stops, and what is finished by then is returned. Without an evaluator the packaged net
    chooses; one of your own is asked by one thread at a time.

    Raises `ParseError` for a text that is no identifier, `SettingError` for a setting outside its range or a
    game that is over, `EvaluatorError` for an unusable answer of an evaluator of your own, and whatever that
    raises itself.
    """
    if settings is not None and not isinstance(settings, Settings):
        raise TypeError(f"settings must be a rollout.Settings, got {type(settings).__name__}")
    asked = Settings() if settings is None else settings
    if isinstance(position, str):
        position = Situation(position)
    if asked.opening is None:
        opening = isinstance(position, Situation) and position.format == "start"
        asked = replace(asked, opening=opening)
    chooser = default() if evaluator is None else evaluator
    ignored = _ignored(position) if isinstance(position, Situation) else ()
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
    seconds = time.perf_counter() - begun
    return Result(subject, asked, chooser.id, part, complete, seconds, ignored)


def _ignored(situation: Situation) -> tuple[str, ...]:
    """What a situation says that a rollout does not use, one phrase each."""
    phrases = {
        f"the dice {situation.roll}": situation.roll is not None,
        "the score": situation.length > 0,
        f"the cube at {situation.cube}": situation.cube > 1 or situation.cube_owner is not None,
        "the Jacoby rule": situation.jacoby,
        f"the offer ({situation.offer})": situation.offer is not None,
        f"how the game ended ({situation.state})": situation.state in ("resigned", "dropped"),
    }
    return tuple(phrase for phrase, said in phrases.items() if said)
