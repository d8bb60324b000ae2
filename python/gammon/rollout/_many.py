"""Rollouts of many positions: what came of them, as arrays, and how they share the work."""

import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from gammon import met as tables
from gammon._native import Position, RolloutSubject, Situation, roll_out_many
from gammon._typing import Boards, PositionLike
from gammon.errors import SettingError
from gammon.evaluators import Evaluator
from gammon.rollout._asked import MetLike, checked, situation_of
from gammon.rollout._engine import Game, executor_of
from gammon.rollout._settings import Settings

__all__ = ["Many", "run_many"]


_CHUNK = 64
"""Positions of a job sent to an executor."""


_TOGETHER = 512
"""Positions rolled out side by side on threads."""


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
    asked = checked(settings)
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
        return given, [situation_of(Position.from_board(board)) for board in given]
    if isinstance(given, Path):
        lines = map(str.strip, given.read_text(encoding="utf-8-sig").splitlines())
        given = [line for line in lines if line and not line.startswith("#")]
    known = [Situation(one) if cube and isinstance(one, str) else one for one in given]
    boards = [Position(one).board for one in known]
    rows = np.stack(boards) if boards else np.empty((0, 2, 25), np.uint8)
    return rows, [situation_of(one) for one in known] if cube else None
