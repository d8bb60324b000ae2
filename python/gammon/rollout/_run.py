"""Running rollouts on this machine."""

import time
from collections.abc import Callable
from dataclasses import replace

from gammon._native import Position, RolloutPart, Situation, roll_out, roll_out_many
from gammon._typing import Boards, PositionLike
from gammon.evaluators import Evaluator, default
from gammon.rollout._many import Many
from gammon.rollout._result import Result
from gammon.rollout._settings import Settings

__all__ = ["run", "run_many"]


def run(
    position: PositionLike,
    settings: Settings | None = None,
    *,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    threads: int | None = None,
    progress: Callable[[RolloutPart], object] | None = None,
) -> Result:
    """Play a position to the end many times, both sides' plays chosen by an evaluator.

    The player on roll throws first, and games are worth their points at a cube of 1: of an identifier that
    says more, dice, score, cube and pending offer are not used, and `Result.ignored` names them.

    The result depends on position, settings and evaluators alone, not on threads. `progress` is told some
    twenty times a second what is finished, as a `RolloutPart`; if it returns something false but not `None`
    the rollout stops, and what is finished by then is returned. Without an evaluator the packaged net
    chooses; one of your own is asked by one thread at a time. A `small` evaluator spares it work: it picks
    the candidates that the other is asked about (`Settings.prefilter`).

    Raises `ParseError` for a text that is no identifier, `SettingError` for a setting outside its range or a
    game that is over, `EvaluatorError` for an unusable answer of an evaluator of your own, and whatever that
    raises itself.
    """
    asked = _checked(settings)
    if isinstance(position, str):
        position = Situation(position)
    if asked.opening is None:
        opening = isinstance(position, Situation) and position.format == "start"
        asked = replace(asked, opening=opening)
    chooser = default() if evaluator is None else evaluator
    ignored = _ignored(position) if isinstance(position, Situation) else ()
    subject = Position(position)
    begun = time.perf_counter()
    part, complete, evaluations = roll_out(
        [subject], chooser, small, asked, after_play=False, threads=threads, progress=progress
    )
    seconds = time.perf_counter() - begun
    return Result(subject, asked, _named(chooser, small), part, complete, seconds, evaluations, ignored)


def run_many(
    boards: Boards,
    settings: Settings | None = None,
    *,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Many:
    """Roll out many positions, `uint8[n, 2, 25]`, with the same settings: arrays with a row a position.

    Each is rolled out as `run` does it, to the same bits; threads share the work. `progress` is told some
    twenty times a second how many trials are done of all; if it returns something false but not `None` the
    work stops, and positions without trials have chances that are not a number.

    Raises what `run` does, `ArrayError` for another dtype or shape, and `IllegalPositionError` for a row that
    is no position.

    >>> import numpy as np, gammon
    >>> from gammon import rollout
    >>> boards = np.stack([gammon.Position.from_points({n: 2}, {1: 2}).board for n in (1, 2, 6)])
    >>> found = rollout.run_many(boards, rollout.Settings(trials=36))
    >>> found.chances.shape, bool(found.chances[0, 0] == 1.0), found.trials.tolist()
    ((3, 5), True, [36, 36, 36])
    """
    asked = _checked(settings)
    if asked.opening is None:
        asked = replace(asked, opening=False)
    chooser = default() if evaluator is None else evaluator
    begun = time.perf_counter()
    trials, chances, equities, evaluations = roll_out_many(
        boards, chooser, small, asked, threads=threads, progress=progress
    )
    seconds = time.perf_counter() - begun
    return Many(asked, _named(chooser, small), trials, *chances, *equities, seconds, evaluations)


def _checked(settings: Settings | None) -> Settings:
    if settings is not None and not isinstance(settings, Settings):
        raise TypeError(f"settings must be a rollout.Settings, got {type(settings).__name__}")
    return Settings() if settings is None else settings


def _named(chooser: Evaluator, small: Evaluator | None) -> str:
    return chooser.id if small is None else f"{chooser.id}, filtered by {small.id}"


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
