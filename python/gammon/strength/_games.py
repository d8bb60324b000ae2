"""Games of two players, advanced together so that evaluators see large batches.

A pair is two games with the same dice: in one the first player begins, in the other the second. As long as
both games have the same checkers (both players have chosen alike so far) luck is not counted: what one
player has in one game, the other has in the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon._native import Position, expand, rolls
from gammon._typing import Boards, Rolls
from gammon.errors import EvaluatorError
from gammon.strength._players import (
    Decisions,
    Equities,
    EvaluatorPlayer,
    Numbers,
    Player,
    best_for_mover,
    equities,
)

__all__ = ["ALL_ROLLS", "MAX_TURNS", "Finished", "Games"]

MAX_TURNS = 5_000
"""Turns after which a game is broken off; it counts as a draw."""

ALL_ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], dtype=np.uint8)
_DOUBLES = ALL_ROLLS[:, 0] == ALL_ROLLS[:, 1]
_ANY = np.where(_DOUBLES, 1.0, 2.0) / 36.0
_OPENING = np.where(_DOUBLES, 0.0, 2.0) / 30.0


def _roll_index(dice: Rolls) -> Numbers:
    """Where rolls, the larger die first, are among the 21."""
    high, low = dice.astype(np.int64).T
    index: Numbers = high * (high - 1) // 2 + low - 1
    return index


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over, seen by the first player."""

    pair: int
    """Number of its pair."""
    second_began: bool
    """Which game of the pair it is."""
    points: int
    """Points the first player won; 0 if it was broken off."""
    luck: float
    """Points by which the first player's dice were better than the second's."""
    turns: int
    """Turns played."""


class Games:
    """Some pairs of games at a time, of those that are still to be played."""

    def __init__(
        self,
        players: tuple[Player, Player],
        luck: evaluators.Evaluator | None,
        *,
        seed: int,
        pairs: Sequence[int],
        at_once: int,
        threads: int | None,
    ) -> None:
        self.players = players
        self.judge = luck
        self.seed = seed
        self.waiting = list(reversed(pairs))
        self.at_once = at_once
        self.threads = threads
        self.boards: Boards = np.zeros((0, 2, 25), np.uint8)
        self.pair = np.zeros(0, np.uint64)
        self.turn = np.zeros(0, np.uint64)
        self.second_began = np.zeros(0, bool)
        self.common = np.zeros(0, bool)
        """Whether the other game of the pair has stood alike so far; such two stand side by side."""
        self.luck = np.zeros(0)

    def __bool__(self) -> bool:
        """Whether any is still to be played."""
        return bool(self.waiting) or len(self.pair) > 0

    def step(self) -> list[Finished]:
        """Play a turn of every game; return those that are over by it."""
        self._begin()
        dice = rolls(self.seed, self.pair, self.turn, opening=True)
        first_player = (self.turn % 2 == 1) == self.second_began
        choices = self._expand(dice, first_player)
        self._choose(dice, first_player, choices)
        self.turn += 1
        over = self._finished(first_player)
        self._part()
        return over

    def _begin(self) -> None:
        """Let new pairs in for those that are over."""
        free = (2 * self.at_once - len(self.pair)) // 2
        new = [self.waiting.pop() for _ in range(min(free, len(self.waiting)))]
        if not new:
            return
        start = Position.start().board
        self.boards = np.concatenate([self.boards, np.repeat(start[None], 2 * len(new), axis=0)])
        self.pair = np.concatenate([self.pair, np.repeat(np.array(new, np.uint64), 2)])
        self.turn = np.concatenate([self.turn, np.zeros(2 * len(new), np.uint64)])
        self.second_began = np.concatenate([self.second_began, np.tile([False, True], len(new))])
        self.common = np.concatenate([self.common, np.ones(2 * len(new), bool)])
        self.luck = np.concatenate([self.luck, np.zeros(2 * len(new))])

    def _expand(self, dice: Rolls, first_player: npt.NDArray[np.bool_]) -> "_Choices":
        """List the results of all rolls thrown, and count luck where it is to be counted."""
        choices = _Choices(len(dice))
        counted = ~self.common if self.judge is not None else np.zeros(len(dice), bool)
        plain = np.flatnonzero(~counted)
        results, offsets = expand(self.boards[plain], dice[plain], threads=self.threads)
        choices.add(plain, results, offsets, None)
        weighed = np.flatnonzero(counted)
        if self.judge is not None and len(weighed):
            rows = np.repeat(self.boards[weighed], 21, axis=0)
            results, offsets = expand(rows, np.tile(ALL_ROLLS, (len(weighed), 1)), threads=self.threads)
            values = equities(evaluators.evaluate(results, self.judge, threads=self.threads))
            best = -np.minimum.reduceat(values, offsets[:-1]).reshape(-1, 21)
            chances = np.where((self.turn[weighed] == 0)[:, None], _OPENING, _ANY)
            thrown = _roll_index(dice[weighed])
            order = np.arange(len(weighed))
            gain = best[order, thrown] - (best * chances).sum(axis=1)
            self.luck[weighed] += np.where(first_player[weighed], gain, -gain)
            places = order * 21 + thrown
            rows_kept, kept = _slices(offsets[places], offsets[places + 1])
            choices.add(weighed, results[rows_kept], kept, values[rows_kept])
        return choices

    def _choose(self, dice: Rolls, first_player: npt.NDArray[np.bool_], choices: "_Choices") -> None:
        """Let the players choose, each everything at once, and move the checkers."""
        chosen = choices.first.copy()
        count = choices.end - choices.first
        results = choices.results
        for player, moves in zip(self.players, (first_player, ~first_player), strict=True):
            games = np.flatnonzero(moves & (count > 1))
            if not len(games):
                continue
            # Those whose results have been evaluated by this very evaluator need not be asked about again.
            known = choices.valued[games] & _is_judged_by(player, self.judge)
            for some, values in ((games[known], choices.values), (games[~known], None)):
                if len(some):
                    rows, offsets = _slices(choices.first[some], choices.end[some])
                    if values is not None:
                        picked = best_for_mover(values[rows], offsets)
                    else:
                        asked = Decisions(self.boards[some], dice[some], results[rows], offsets)
                        picked = _checked(player.choose(asked), count[some], player.id)
                    chosen[some] += picked
        self.boards = results[chosen]

    def _finished(self, first_player: npt.NDArray[np.bool_]) -> list[Finished]:
        """Take out the games that are over."""
        loser, winner = self.boards[:, 0], self.boards[:, 1]
        won = ~winner.any(axis=1)
        over = won | (self.turn >= MAX_TURNS)
        if not over.any():
            return []
        gammon = loser.sum(axis=1) == 15
        # The loser's 19- to 24-point are the winner's home board; beyond them is the bar.
        backgammon = gammon & loser[:, 18:].any(axis=1)
        points = np.where(first_player, 1, -1) * won * (1 + gammon + backgammon)
        found = [
            Finished(
                int(self.pair[i]),
                bool(self.second_began[i]),
                int(points[i]),
                float(self.luck[i]),
                int(self.turn[i]),
            )
            for i in np.flatnonzero(over)
        ]
        for name in ("boards", "pair", "turn", "second_began", "common", "luck"):
            setattr(self, name, getattr(self, name)[~over])
        return found

    def _part(self) -> None:
        """Notice which pairs no longer stand alike."""
        one = np.flatnonzero(self.common)[::2]
        alike = (self.boards[one] == self.boards[one + 1]).all(axis=(1, 2))
        self.common[one] = alike
        self.common[one + 1] = alike


class _Choices:
    """The results of the rolls thrown, game by game, and their values where they are known."""

    def __init__(self, games: int) -> None:
        self.first = np.zeros(games, np.int64)
        self.end = np.zeros(games, np.int64)
        self.valued = np.zeros(games, bool)
        self.results: Boards = np.zeros((0, 2, 25), np.uint8)
        self.values: Equities = np.zeros(0)

    def add(self, games: Numbers, results: Boards, offsets: Numbers, values: Equities | None) -> None:
        """Add the results of some games."""
        self.first[games] = offsets[:-1] + len(self.results)
        self.end[games] = offsets[1:] + len(self.results)
        self.valued[games] = values is not None
        self.results = np.concatenate([self.results, results])
        self.values = np.concatenate([self.values, np.zeros(len(results)) if values is None else values])


def _slices(first: Numbers, end: Numbers) -> tuple[Numbers, Numbers]:
    """Return the rows of many slices one after the other, and the offsets that part them."""
    offsets = np.concatenate([[0], np.cumsum(end - first)])
    rows = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], end - first)
    return rows, offsets


def _is_judged_by(player: Player, judge: evaluators.Evaluator | None) -> bool:
    return isinstance(player, EvaluatorPlayer) and player.is_plain and player.evaluator is judge


def _checked(picked: object, count: Numbers, who: str) -> Numbers:
    """Return a player's choices if they are some."""
    if not (
        isinstance(picked, np.ndarray)
        and np.issubdtype(picked.dtype, np.integer)
        and picked.shape == count.shape
    ):
        raise EvaluatorError(f"{who}: choose must return {len(count)} whole numbers, got {picked!r:.80}")
    wrong = np.flatnonzero((picked < 0) | (picked >= count))
    if len(wrong):
        i = wrong[0]
        raise EvaluatorError(f"{who}: decision {i} has {count[i]} plays, but choose returned {picked[i]}")
    return picked.astype(np.int64)
