"""Rolling out positions, plays and cube decisions."""

import math
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from gammon import met as tables
from gammon._native import (
    PipCount,
    Play,
    Position,
    Roll,
    RolloutPart,
    RolloutSubject,
    Situation,
    VariantNet,
    roll_out_many,
)
from gammon._typing import Boards, PlayLike, PositionLike, RollLike
from gammon.errors import SettingError
from gammon.evaluators import Evaluator
from gammon.rollout import _variants
from gammon.rollout._engine import Game, Outcome, executor_of, play
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

_TOGETHER = 512
"""Positions rolled out side by side on threads."""


def run(
    position: PositionLike | VariantPosition,
    settings: Settings | None = None,
    *,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | VariantNet | PipCount | None = None,
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
    Without an evaluator the packaged large net chooses, among candidates that the packaged small one picks;
    one of your own is asked by one thread at a time. A `small` evaluator spares it work in the same way
    (`Settings.prefilter`).

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
    game = Game(rolled, asked, _standard(evaluator), small)
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
    drop: float | None = None,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | VariantNet | PipCount | None = None,
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
    are rolled out. Chances and equities are those of the player who moves. With `drop` plays that are so many
    standard errors of the difference behind the best are not rolled out any longer; that is looked at after
    144, 288, 576, ... trials (120, ... of an opening), so that it depends on nothing else. Without `cube`
    equities are cubeless money points, and `Comparison.ignored` names what was not used. What `cube`,
    `until` and the others mean is said at `run`. The plays of a `VariantPosition` are `VariantPlay`s, or what
    its `play` reads, and the result is a `VariantComparison`.

    Raises what `run` does, `SettingError` without dice, `IllegalPlayError` for a play that is not legal, and
    `SettingError` for one that is named twice, however it is written.
    """
    if isinstance(plays, str):
        raise TypeError(f"plays is a list of plays, got a text: {plays!r:.80}")
    if isinstance(situation, VariantPosition):
        if drop is not None:
            raise SettingError("drop is for the standard game alone")
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
    chooser = _standard(evaluator)
    made = _plays(position, thrown, plays, candidates, chooser)  # type: ignore[arg-type]
    context = _situation(known) if cube else None
    after = [one.after for one in made]
    subject = RolloutSubject("plays", after, context, _table(context, met), life)
    game = Game(subject, asked, chooser, small)
    found = play(
        game,
        until=until,
        checkpoint=checkpoint,
        resume=resume,
        threads=threads,
        executor=executor,
        progress=progress,
        drop=_bound(drop),
    )
    rows = tuple(_candidate(one, number, found) for number, one in enumerate(made))
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
        _ignored(known, cube=cube, thrown=made[0].roll) if isinstance(known, Situation) else (),
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
    boards: Boards | Iterable[PositionLike] | Path,
    settings: Settings | None = None,
    *,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    threads: int | None = None,
    executor: object | None = None,
    progress: Callable[[int], object] | None = None,
) -> Many:
    """Roll out many positions with the same settings: arrays with a row a position.

    The positions are an array, `uint8[n, 2, 25]`, the path of a file with an identifier on each line (empty
    lines and those that begin with # do not count), or anything that `Position` reads. Each is rolled out as
    `run` does it, to the same bits; threads share the work, or the workers of an `executor`, which get some
    positions at a time. With
    `cube` the score and the cube of each identifier count, those of an array being money play with a centred
    cube.
    `progress` is told some twenty times a second how many trials are done of all; if it returns something
    false but not `None` the work stops, and positions without trials have chances that are not a number.

    Raises what `run` does, `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is
    no position, and `OSError` for a file that cannot be read.

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
    rows, situations = _rows(boards, cube=cube)
    game = Game(RolloutSubject("position", [Position.start()]), asked, evaluator, small)
    scores = _Scores(situations, tables.load(met) if cube else None, life)
    begun = time.perf_counter()
    if executor is None:
        columns, evaluations = _side_by_side(game, rows, scores, threads, progress)
    else:
        columns, evaluations = _sent_out(game, rows, scores, executor_of(executor), progress)
    return Many(
        asked,
        game.name,
        **dict(zip(_COLUMNS, columns, strict=True)),
        seconds=time.perf_counter() - begun,
        evaluations=evaluations,
    )


Columns = tuple[npt.NDArray[Any], ...]

_COLUMNS = (
    "trials",
    "chances",
    "chance_errors",
    "equity",
    "equity_error",
    "raw_equity",
    "raw_equity_error",
    "cubeful",
    "cubeful_error",
    "mwc",
    "mwc_error",
)
"""Fields of `Many`, in the order of the numbers."""


@dataclass(frozen=True, slots=True)
class _Scores:
    """Score and cube of each position, where they count."""

    situations: list[Situation] | None
    met: tables.Met | None
    life: float | None

    def of(self, part: slice) -> "_Scores":
        return replace(self, situations=None if self.situations is None else self.situations[part])


def _some(
    game: Game,
    rows: Boards,
    scores: _Scores,
    threads: int | None,
    progress: Callable[[int], object] | None = None,
) -> tuple[Columns, int]:
    trials, chances, equities, evaluations = roll_out_many(
        rows,
        game.chooser,
        game.filter,
        game.settings,
        situations=scores.situations,
        met=scores.met,
        life=scores.life,
        threads=threads,
        progress=progress,
    )
    return (trials, *chances, *(column for pair in equities for column in pair)), evaluations


def _side_by_side(
    game: Game, rows: Boards, scores: _Scores, threads: int | None, progress: Callable[[int], object] | None
) -> tuple[Columns, int]:
    """Roll out some hundred positions after others, so that no more sums are held than these have."""
    columns, evaluations, done, going = _empty(game, rows, scores), 0, 0, True

    def told(trials: int) -> bool:
        nonlocal going
        answer = None if progress is None else progress(done + trials)
        going = answer is None or bool(answer)
        return going

    for start in range(0, len(rows), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        try:
            found, work = _some(game, rows[part], scores.of(part), threads, told)
        except SettingError as error:
            raise _numbered(error, start) from None
        _put(columns, found, start)
        evaluations, done = evaluations + work, done + int(found[0].sum())
        if not going:
            break
    return columns, evaluations


def _numbered(error: SettingError, start: int) -> SettingError:
    """Count the position an error names from the first of all."""
    number = re.match(r"boards\[(\d+)\]", str(error))
    if number is None:
        return error
    return SettingError(f"boards[{int(number[1]) + start}]{str(error)[number.end() :]}")


def _empty(game: Game, rows: Boards, scores: _Scores) -> Columns:
    """Columns for all positions, of which nothing is known yet."""
    none, _ = _some(game, rows[:0], scores.of(slice(0, 0)), 1)
    return tuple(
        np.full((len(rows), *part.shape[1:]), 0 if part.dtype.kind == "u" else np.nan, part.dtype)
        for part in none
    )


def _put(columns: Columns, found: Columns, start: int) -> None:
    for column, part in zip(columns, found, strict=True):
        column[start : start + len(part)] = part


def _sent_out(
    game: Game,
    rows: Boards,
    scores: _Scores,
    executor: Executor,
    progress: Callable[[int], object] | None,
) -> tuple[Columns, int]:
    """Send positions out in chunks and put what comes back into its place."""
    columns, evaluations = _empty(game, rows, scores), 0
    parts = [slice(start, start + _CHUNK) for start in range(0, len(rows), _CHUNK)]
    running = {executor.submit(_some, game, rows[part], scores.of(part), 1): part.start for part in parts}
    try:
        for future in as_completed(running):
            found, work = future.result()
            _put(columns, found, running[future])
            evaluations += work
            answer = None if progress is None else progress(int(columns[0].sum()))
            if answer is not None and not answer:
                break
    finally:
        for future in running:
            future.cancel()
    return columns, evaluations


def _rows(
    given: Boards | Iterable[PositionLike] | Path, *, cube: bool
) -> tuple[Boards, list[Situation] | None]:
    """Positions as an array, and their scores if these count."""
    if isinstance(given, np.ndarray):
        if not cube:
            return given, None
        return given, [_situation(Position.from_board(board)) for board in given]
    if isinstance(given, Path):
        lines = map(str.strip, given.read_text(encoding="utf-8-sig").splitlines())
        given = [line for line in lines if line and not line.startswith("#")]
    known = [Situation(one) if cube and isinstance(one, str) else one for one in given]
    boards = [Position(one).board for one in known]
    rows = np.stack(boards) if boards else np.empty((0, 2, 25), np.uint8)
    return rows, [_situation(one) for one in known] if cube else None


def _bound(drop: float | None) -> float | None:
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


def _candidate(play: Play, number: int, found: Outcome) -> Candidate:
    """A play with the sums of all stages it took part in."""
    stages = [
        (stage.part, stage.branches.index(number)) for stage in found.stages if number in stage.branches
    ]
    part, branch = stages.pop()
    return Candidate(play, part, branch, tuple(stages))


def _standard(evaluator: Evaluator | VariantNet | PipCount | None) -> Evaluator | None:
    """The evaluator, unless it plays other games only."""
    if isinstance(evaluator, (VariantNet, PipCount)):
        raise SettingError(f"{evaluator!r} plays other games only: give it a VariantPosition")
    return evaluator


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
        return _variants.distinct([position.play(one, roll) for one in plays])
    if candidates < 1:
        raise SettingError(f"candidates must be at least 1, got {candidates}")
    ranking = rank(position, roll, evaluator=evaluator)
    return [ranked.play for ranked in list(ranking)[:candidates]]


def _ignored(situation: Situation, *, cube: bool, thrown: Roll | None = None) -> tuple[str, ...]:
    """What a situation says that a rollout does not use, one phrase each."""
    phrases = {
        f"the dice {situation.roll}": situation.roll not in (None, thrown),
        "the score": not cube and situation.length > 0,
        f"the cube at {situation.cube}": not cube and (situation.cube > 1 or bool(situation.cube_owner)),
        "the Jacoby rule": not cube and situation.jacoby,
        f"the offer ({situation.offer})": situation.offer is not None,
        f"how the game ended ({situation.state})": situation.state in ("resigned", "dropped"),
    }
    return tuple(phrase for phrase, said in phrases.items() if said)
