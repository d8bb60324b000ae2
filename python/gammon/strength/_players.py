"""Whoever chooses plays in a duel: an evaluator, with lookahead or without, or another program."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from gammon import evaluators, search
from gammon._native import Position
from gammon._typing import Boards, Rolls
from gammon.errors import EvaluatorError, GammonError, SettingError
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


def equities(chances: npt.NDArray[np.floating]) -> Equities:
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
        prefilter: evaluators.Prefilter | None = None,
        noise: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        """Without an evaluator the packaged one chooses; the other options are those of `gammon.rank`.

        With `noise` a normally distributed error of that standard deviation is added to every equity; it
        depends on the position and `seed` alone.

        Raises `SettingError` for plies beyond 4, a negative noise, and noise together with lookahead.
        """
        if not 0 <= plies <= 4:
            raise SettingError(f"plies must be from 0 to 4, got {plies}")
        if not 0 <= noise < np.inf:
            raise SettingError(f"noise must be at least 0, got {noise}")
        if noise and (plies or prefilter is not None):
            raise SettingError("noise is for players without lookahead and without a pre-filter")
        self.evaluator = evaluators.default() if evaluator is None else evaluator
        self.plies = plies
        self.filter = filter
        self.prefilter = prefilter
        self.noise = noise
        self.seed = seed
        self.threads = threads

    @property
    def id(self) -> str:
        """The evaluator's id, who picks plays for it, and how far it looks ahead."""
        name = self.evaluator.id
        if self.prefilter is not None:
            small = self.prefilter
            name += f" behind {small.evaluator.id} (top {small.top}, inside {small.inside})"
        if self.noise:
            name += f" with noise {self.noise:g} (seed {self.seed})"
        return f"{name} {self.plies}-ply ({self.filter})" if self.plies else name

    @property
    def is_plain(self) -> bool:
        """Whether every play is valued by the evaluator, without lookahead and noise."""
        return self.plies == 0 and self.prefilter is None and not self.noise

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision is played."""
        if self.plies == 0 and self.prefilter is None:
            chances = evaluators.evaluate(decisions.results, self.evaluator, threads=self.threads)
            values = equities(chances)
            if self.noise:
                values = values + self.noise * errors_of(decisions.results, self.seed)
            return best_for_mover(values, decisions.offsets)
        best = self.best(decisions.boards, decisions.rolls)
        alike = (decisions.results == np.repeat(best, np.diff(decisions.offsets), axis=0)).all(axis=(1, 2))
        return np.flatnonzero(alike) - decisions.offsets[:-1]

    def best(self, boards: Boards, rolls: Rolls) -> Boards:
        """Return what the best play of each roll leads to, the opponent on roll: `uint8[n, 2, 25]`."""
        return search.rank_many(
            boards,
            rolls,
            plies=self.plies,
            filter=self.filter,
            evaluator=self.evaluator,
            prefilter=self.prefilter,
            max_candidates=1,
            threads=self.threads,
        ).best


def errors_of(boards: Boards, seed: int) -> Equities:
    """Return a number for each position, as if drawn from the standard normal distribution: `float64[n]`."""
    factors = np.random.Generator(np.random.Philox(seed)).integers(1, 2**63, size=50, dtype=np.uint64) | 1
    words = boards.reshape(-1, 50).astype(np.uint64) @ factors
    uniform = [(_mixed(words + np.uint64(i)) >> np.uint64(11)).astype(np.float64) / 2**53 for i in (1, 2)]
    drawn: Equities = np.sqrt(-2 * np.log1p(-uniform[0])) * np.cos(2 * np.pi * uniform[1])
    return drawn


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Scatter words (the last steps of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def choose_by_words(
    decisions: Decisions, play: Callable[[Position, tuple[int, int]], str], who: str
) -> Numbers:
    """Return which results a program plays that is asked for each decision and answers in words.

    Raises `EvaluatorError` for what is no legal play.
    """
    picked = []
    for board, roll, results in decisions:
        position = Position.from_board(board)
        dice = (int(roll[0]), int(roll[1]))
        text = play(position, dice)
        try:
            after = position.play(text, dice).after
        except GammonError as error:
            raise EvaluatorError(
                f"{who} played {text!r:.60} in {position.id} with {dice[0]}{dice[1]}: {error}"
            ) from None
        picked.append(_place_of(after, results, who))
    return np.array(picked, dtype=np.int64)


def _place_of(after: Position, results: Boards, who: str) -> int:
    """Return where a position is among the results of a roll.

    Raises `EvaluatorError` if it is not: then the play was not legal.
    """
    places = np.flatnonzero((results == after.board).all(axis=(1, 2)))
    if len(places) != 1:
        raise EvaluatorError(f"{who} chose {after.id}, which no legal play leads to")
    return int(places[0])
