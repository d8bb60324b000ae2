"""Whoever chooses plays in a duel: an evaluator, with lookahead or without, or another program."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

import gammon
from gammon import evaluators
from gammon._native import Position
from gammon._typing import Boards, Chances, Rolls
from gammon.errors import EvaluatorError, SettingError
from gammon.search import FilterLike

__all__ = ["Decisions", "EvaluatorPlayer", "Player", "best_for_mover", "equities"]

Numbers: TypeAlias = npt.NDArray[np.int64]
Equities: TypeAlias = npt.NDArray[np.float64]

_WEIGHTS = np.array([2.0, 1.0, 1.0, -1.0, -1.0])


@dataclass(frozen=True, eq=False, slots=True)
class Decisions:
    """Many plays to be chosen, each among two or more."""

    boards: Boards
    """The positions, `uint8[n, 2, 25]`: the mover on roll."""
    rolls: Rolls
    """The rolls, `uint8[n, 2]`."""
    results: Boards
    """What the legal plays lead to, `uint8[m, 2, 25]`: the opponent on roll."""
    offsets: Numbers
    """Results of decision `i` are rows `offsets[i]` to `offsets[i + 1]`: `int64[n + 1]`."""

    def __len__(self) -> int:
        return len(self.boards)

    def __iter__(self) -> Iterator[tuple[Boards, npt.NDArray[np.uint8], Boards]]:
        """Give the board, the roll and the results of each."""
        for i, (first, end) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
            yield self.boards[i], self.rolls[i], self.results[first:end]


@runtime_checkable
class Player(Protocol):
    """Whoever chooses plays."""

    @property
    def id(self) -> str:
        """A name for results to carry, lookahead included."""

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision is played, counted from 0 within the decision: `int64[n]`."""


def equities(chances: Chances) -> Equities:
    """Return the cubeless money equity of each row of chances, for the player on roll: `float64[n]`."""
    found: Equities = chances.astype(np.float64) @ _WEIGHTS - 1.0
    return found


def best_for_mover(values: Equities, offsets: Numbers) -> Numbers:
    """Return the first result of each decision with the lowest value for the opponent, who is on roll."""
    lowest = np.minimum.reduceat(values, offsets[:-1])
    places = np.flatnonzero(values == np.repeat(lowest, np.diff(offsets)))
    first = places[np.searchsorted(places, offsets[:-1])]
    return first - offsets[:-1]


class EvaluatorPlayer:
    """Plays what an evaluator likes best by cubeless equity, some rolls ahead."""

    def __init__(
        self,
        evaluator: evaluators.Evaluator | None = None,
        *,
        plies: int = 0,
        filter: FilterLike = "normal",
        threads: int | None = None,
    ) -> None:
        """Without an evaluator the packaged one chooses; `plies` and `filter` are as in `gammon.rank`.

        Raises `SettingError` for plies beyond 4.
        """
        if not 0 <= plies <= 4:
            raise SettingError(f"plies must be from 0 to 4, got {plies}")
        self.evaluator = evaluators.default() if evaluator is None else evaluator
        self.plies = plies
        self.filter = filter
        self.threads = threads

    @property
    def id(self) -> str:
        """The evaluator's id, and how far it looks ahead."""
        if not self.plies:
            return self.evaluator.id
        return f"{self.evaluator.id} {self.plies}-ply ({self.filter})"

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision is played."""
        if not self.plies:
            chances = evaluators.evaluate(decisions.results, self.evaluator, threads=self.threads)
            return best_for_mover(equities(chances), decisions.offsets)
        return np.array([self._look_ahead(*decision) for decision in decisions], dtype=np.int64)

    def _look_ahead(self, board: Boards, roll: npt.NDArray[np.uint8], results: Boards) -> int:
        best = gammon.rank(
            Position.from_board(board),
            roll,
            plies=self.plies,
            filter=self.filter,
            evaluator=self.evaluator,
            threads=self.threads,
        ).best
        return place_of(best.play.after, results, self.id)


def place_of(after: Position, results: Boards, who: str) -> int:
    """Return where a position is among the results of a roll.

    Raises `EvaluatorError` if it is not: then the play was not legal.
    """
    places = np.flatnonzero((results == after.board).all(axis=(1, 2)))
    if len(places) != 1:
        raise EvaluatorError(f"{who} chose {after.id}, which no legal play leads to")
    return int(places[0])
