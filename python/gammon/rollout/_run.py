"""Rolling out positions, plays and cube decisions."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon import met as tables
from gammon._native import (
    Play,
    Position,
    RolloutPart,
    RolloutSubject,
    Situation,
    roll_out_many,
)
from gammon._typing import Boards, PlayLike, PositionLike, RollLike
from gammon.errors import SettingError
from gammon.evaluators import Evaluator
from gammon.rollout import _variants
from gammon.rollout._engine import Game, executor_of, play
from gammon.rollout._many import Many
from gammon.rollout._result import Candidate, Comparison, CubeResult, Result
from gammon.rollout._settings import Settings, Until
from gammon.search import rank
from gammon.variants import VariantPlay, VariantPosition

__all__ = ["compare", "decide", "run", "run_many"]

Progress = Callable[[RolloutPart], object]
MetLike = tables.Met | str | os.PathLike[str]

_CHUNK = 64
"""Positions of a job sent to an executor."""


def run(
    position: PositionLike | VariantPosition,
    settings: Settings | None = None,
    *,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play a position to the end many times, both sides' plays chosen by an evaluator.

    The player on roll throws first. Without `cube` games are worth their points at a cube of 1, and of an
    identifier that says more, dice, score, cube and pending offer are not used: `Result.ignored` names them.
    With `cube` the score and the cube count too, and both sides turn it during play (by `met`, and by
    Janowski's model with `life`); the result then has both equities.

    The result depends on position, settings and evaluators alone, not on threads or executors. `progress` is
    told some twenty times a second what is finished, as a `RolloutPart`; if it returns something false but
    not `None` the rollout stops, and what is finished by then is returned. Rules of `until` end it earlier.
    Without an evaluator the packaged net chooses; one of your own is asked by one thread at a time. A `small`
    evaluator spares it work: it picks the candidates that the other is asked about (`Settings.prefilter`).

    A `checkpoint` file is written every two seconds and at the end, whole at any time; with `resume` the
    rollout goes on from what it holds, to the same bits, and more trials may be asked for than before. Ctrl-C
    raises `KeyboardInterrupt` as ever, after the checkpoint has been written.

    `executor` plays the games elsewhere: any `concurrent.futures.Executor`, or a `dask.distributed.Client`.

    A `VariantPosition` is rolled out by the rules of its game, without a cube or lookahead, by an evaluator
    of that game (`evaluators.default(game)` if none is given); the result is a `VariantRollout`.

    Raises `ParseError` for a text that is no identifier, `SettingError` for a setting outside its range or a
    game that is over, `CheckpointError` for a checkpoint of another rollout, which is left as it is,
    `EvaluatorError` for an unusable answer of an evaluator of your own, and whatever that raises itself.
    """
    if isinstance(position, VariantPosition):
        return _variants.run(
            position,
            _checked(settings),
            cube=cube,
            evaluator=evaluator,
            small=small,
            until=until,
            checkpoint=checkpoint,
            resume=resume,
            threads=threads,
            executor=executor,
            progress=progress,
        )
    asked, known = _opened(_checked(settings), position)
    subject = Position(known)
    context = _situation(known) if cube else None
    rolled = RolloutSubject("position", [subject], context, _table(context, met), life)
    game = Game(rolled, asked, evaluator, small)
    found = play(
        game,
        until=until,
        checkpoint=checkpoint,
        resume=resume,
        threads=threads,
        executor=executor,
        progress=progress,
    )
    ignored = _ignored(known, cube=cube) if isinstance(known, Situation) else ()
    return Result(
        subject,
        asked,
        game.name,
        found.part,
        found.complete,
        found.seconds,
        found.evaluations,
        ignored,
        found.stopped,
    )


def compare(
    situation: Situation | Position | VariantPosition | str,
    roll: RollLike | None = None,
    plays: Sequence[PlayLike | VariantPlay] | None = None,
    settings: Settings | None = None,
    *,
    candidates: int = 5,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Roll out some plays of one roll with the same dice, and say which is best and how surely.

    The roll is the one given, or the situation's. Without `plays` the `candidates` best ones by the evaluator
    are rolled out. Chances and equities are those of the player who moves. What `cube`,
    `until` and the others mean is said at `run`. The plays of a `VariantPosition` are `VariantPlay`s, or what
    its `play` reads, and the result is a `VariantComparison`.

    Raises what `run` does, `SettingError` without dice, and `IllegalPlayError` for a play that is not legal.
    """
    if isinstance(situation, VariantPosition):
        return _variants.compare(
            situation,
            roll,
            plays,  # type: ignore[arg-type]
            _checked(settings),
            candidates=candidates,
            cube=cube,
            evaluator=evaluator,
            small=small,
            until=until,
            checkpoint=checkpoint,
            resume=resume,
            threads=threads,
            executor=executor,
            progress=progress,
        )
    asked = _checked(settings)
    if asked.opening is None:
        asked = replace(asked, opening=False)  # the dice have been thrown
    known = Situation(situation) if isinstance(situation, str) else situation
    thrown = roll if roll is not None else getattr(known, "roll", None)
    if thrown is None:
        raise SettingError("plays of which roll? Give one, or an identifier that says which was thrown")
    position = Position(known)
    made = _plays(position, thrown, plays, candidates, evaluator)  # type: ignore[arg-type]
    context = _situation(known) if cube else None
    after = [one.after for one in made]
    subject = RolloutSubject("plays", after, context, _table(context, met), life)
    game = Game(subject, asked, evaluator, small)
    found = play(
        game,
        until=until,
        checkpoint=checkpoint,
        resume=resume,
        threads=threads,
        executor=executor,
        progress=progress,
    )
    rows = tuple(Candidate(one, found.part, branch) for branch, one in enumerate(made))
    return Comparison(
        position,
        asked,
        game.name,
        rows,
        found.part,
        found.complete,
        found.stopped,
        found.seconds,
        found.evaluations,
    )


def decide(
    situation: Situation | str,
    settings: Settings | None = None,
    *,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: Progress | None = None,
) -> CubeResult:
    """Roll out a cube decision: no double this turn, and double and take, with the same dice.

    Where no double may be offered, only the first is rolled out. What the arguments mean is said at `run`.

    Raises what `run` does, and `CubeError` for a score that contradicts itself.
    """
    asked, opened = _opened(_checked(settings), situation)
    known = _situation(opened)
    if known.roll is not None:
        raise SettingError("the dice have been thrown: the cube can only be turned before")
    position = Position(known)
    game = Game(
        RolloutSubject("decision", [position], known, _table(known, met), life), asked, evaluator, small
    )
    found = play(
        game,
        until=until,
        checkpoint=checkpoint,
        resume=resume,
        threads=threads,
        executor=executor,
        progress=progress,
    )
    return CubeResult(
        known, asked, game.name, found.part, found.complete, found.stopped, found.seconds, found.evaluations
    )


def run_many(
    boards: Boards | Iterable[PositionLike],
    settings: Settings | None = None,
    *,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    threads: int | None = None,
    executor: object | None = None,
    progress: Callable[[int], object] | None = None,
) -> Many:
    """Roll out many positions with the same settings, cubeless: arrays with a row a position.

    The positions are an array, `uint8[n, 2, 25]`, or anything that `Position` reads, such as the lines of a
    file of identifiers. Each is rolled out as `run` does it, to the same bits; threads share the work, or the
    workers of an `executor`, which get some positions at a time. `progress` is told some twenty times a
    second how many trials are done of all; if it returns something false but not `None` the work stops, and
    positions without trials have chances that are not a number.

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
    rows = boards if isinstance(boards, np.ndarray) else _stacked(boards)
    game = Game(RolloutSubject("position", [Position.start()]), asked, evaluator, small)
    begun = time.perf_counter()
    if executor is None:
        trials, chances, equities, evaluations = roll_out_many(
            rows, game.chooser, small, asked, threads=threads, progress=progress
        )
        columns: Columns = (trials, *chances, *equities)
    else:
        columns, evaluations = _sent_out(game, rows, executor_of(executor), progress)
    seconds = time.perf_counter() - begun
    trials, chance, chance_error, equity, error, raw, raw_error = columns
    return Many(
        asked,
        game.name,
        trials,
        chance,
        chance_error,
        equity,
        error,
        raw,
        raw_error,
        seconds,
        evaluations,
    )


Columns = tuple[npt.NDArray[Any], ...]


def _many_job(game: Game, rows: Boards) -> tuple[Columns, int]:
    trials, chances, equities, evaluations = roll_out_many(
        rows, game.chooser, game.small, game.settings, threads=1
    )
    return (trials, *chances, *equities), evaluations


def _sent_out(
    game: Game, rows: Boards, executor: Executor, progress: Callable[[int], object] | None
) -> tuple[Columns, int]:
    """Send positions out in chunks and put what comes back into its place."""
    first, _ = _many_job(game, rows[:0])

    def empty(part: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.full((len(rows), *part.shape[1:]), 0 if part.dtype.kind == "u" else np.nan, part.dtype)

    columns = tuple(map(empty, first))
    starts = range(0, len(rows), _CHUNK)
    running = {executor.submit(_many_job, game, rows[start : start + _CHUNK]): start for start in starts}
    evaluations = 0
    try:
        for future in as_completed(running):
            found, work = future.result()
            start = running[future]
            for column, part in zip(columns, found, strict=True):
                column[start : start + len(part)] = part
            evaluations += work
            answer = None if progress is None else progress(int(columns[0].sum()))
            if answer is not None and not answer:
                break
    finally:
        for future in running:
            future.cancel()
    return columns, evaluations


def _stacked(positions: Iterable[PositionLike]) -> Boards:
    boards = [Position(position).board for position in positions]
    return np.stack(boards) if boards else np.empty((0, 2, 25), np.uint8)


def _checked(settings: Settings | None) -> Settings:
    if settings is not None and not isinstance(settings, Settings):
        raise TypeError(f"settings must be a rollout.Settings, got {type(settings).__name__}")
    return Settings() if settings is None else settings


def _opened(settings: Settings, position: PositionLike) -> tuple[Settings, PositionLike]:
    """Settings that know whether it is an opening; texts are read."""
    known = Situation(position) if isinstance(position, str) else position
    if settings.opening is None:
        opening = isinstance(known, Situation) and known.format == "start"
        settings = replace(settings, opening=opening)
    return settings, known


def _situation(known: PositionLike) -> Situation:
    """The situation of a text, or of a position alone: money play, a centred cube."""
    if isinstance(known, Situation):
        return known
    return Situation(known if isinstance(known, str) else known.id)


def _table(situation: Situation | None, met: MetLike) -> tables.Met | None:
    return tables.load(met) if situation is not None and situation.length else None


def _plays(
    position: Position,
    roll: RollLike,
    plays: Sequence[PlayLike] | None,
    candidates: int,
    evaluator: Evaluator | None,
) -> list[Play]:
    if plays is not None:
        return [position.play(one, roll) for one in plays]
    if candidates < 1:
        raise SettingError(f"candidates must be at least 1, got {candidates}")
    ranking = rank(position, roll, evaluator=evaluator)
    return [ranked.play for ranked in list(ranking)[:candidates]]


def _ignored(situation: Situation, *, cube: bool) -> tuple[str, ...]:
    """What a situation says that a rollout does not use, one phrase each."""
    phrases = {
        f"the dice {situation.roll}": situation.roll is not None,
        "the score": not cube and situation.length > 0,
        f"the cube at {situation.cube}": not cube and (situation.cube > 1 or bool(situation.cube_owner)),
        "the Jacoby rule": not cube and situation.jacoby,
        f"the offer ({situation.offer})": situation.offer is not None,
        f"how the game ended ({situation.state})": situation.state in ("resigned", "dropped"),
    }
    return tuple(phrase for phrase, said in phrases.items() if said)
