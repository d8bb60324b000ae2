"""Positions of all kinds, from games of an evaluator with itself that sometimes strays."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon._native import Position, expand, random_numbers, rolls
from gammon._typing import Boards, Chances
from gammon.errors import SettingError
from gammon.strength._phases import GAME_PHASES, game_phases
from gammon.strength._players import Equities, best_for_mover, equities

__all__ = ["Sampling", "sample"]

_GAMES_AT_ONCE = 512
_MAX_TURNS = 1_000
_TURN_NUMBERS = 4
"""Random numbers a turn has: whether to stray, where to, and one in reserve for each of two."""
_GAME_NUMBERS = 16
"""Random numbers of the game as a whole and of picking positions from it, before those of its turns."""

Numbers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How positions are drawn."""

    each: int = 400
    """Positions of each kind."""
    seed: int = 1
    """Seed of dice and choices."""
    stray: float = 0.1
    """Chance that a play is any legal one instead of the best."""
    random_start: float = 0.3
    """Chance that a game begins with some turns of random play."""
    random_turns: int = 10
    """Most turns of that."""
    open: float = 0.2
    """Least standard deviation of the points a game may still end with, by the evaluator: what is all but
    decided is left out."""
    most_games: int = 1_000_000
    """Games after which a kind that is too rare is given up."""

    def __post_init__(self) -> None:
        """Refuse what cannot be followed."""
        for name in ("each", "random_turns", "most_games"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("stray", "random_start"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be from 0 to 1, got {getattr(self, name)}")


def sample(
    evaluator: evaluators.Evaluator,
    sampling: Sampling,
    *,
    apart_from: Iterable[Boards] = (),
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[Boards, Numbers]:
    """Draw positions with the player on roll: `uint8[n, 2, 25]` and their kinds, one of each kind in turn.

    No game gives more than one of a kind, none comes twice, and none is among those to keep apart from. The
    result depends on evaluator, settings and positions to keep apart from alone. `progress` is told how many
    are found; an answer that is false but not `None` stops, and what is found by then is returned.

    Raises `SettingError` if a kind is too rare.
    """
    seen = {board.tobytes() for boards in apart_from for board in boards}
    found: list[list[Boards]] = [[] for _ in GAME_PHASES]
    for first in range(0, sampling.most_games, _GAMES_AT_ONCE):
        numbers = np.arange(first, min(first + _GAMES_AT_ONCE, sampling.most_games), dtype=np.uint64)
        boards, games = _play(evaluator, sampling, numbers, threads)
        for kind, board in _pick(boards, games, numbers, evaluator, sampling, threads):
            if len(found[kind]) < sampling.each and board.tobytes() not in seen:
                seen.add(board.tobytes())
                found[kind].append(board)
        count = sum(map(len, found))
        answer = None if progress is None else progress(count)
        if count == sampling.each * len(GAME_PHASES) or (answer is not None and not answer):
            break
    else:
        lacking = [
            name for name, boards_ in zip(GAME_PHASES, found, strict=True) if len(boards_) < sampling.each
        ]
        raise SettingError(
            f"{sampling.most_games} games have not {sampling.each} positions of {', '.join(lacking)}"
        )
    # The first of each kind, then the second of each: the beginning of the list is a smaller list.
    order = sorted((i, kind) for kind, boards_ in enumerate(found) for i in range(len(boards_)))
    drawn = [found[kind][i] for i, kind in order]
    return np.array(drawn, np.uint8).reshape(-1, 2, 25), np.array([kind for _, kind in order], np.int64)


def _play(
    evaluator: evaluators.Evaluator, sampling: Sampling, numbers: npt.NDArray[np.uint64], threads: int | None
) -> tuple[Boards, npt.NDArray[np.intp]]:
    """All positions of some games, and the place of its game for each."""
    chance = _Chance(sampling.seed, numbers)
    begins_at_random = chance.of_game(0) < sampling.random_start
    strays_until = np.where(
        begins_at_random, 1 + (chance.of_game(1) * sampling.random_turns).astype(np.int64), 0
    )
    boards = np.repeat(Position.start().board[None], len(numbers), axis=0)
    games = np.arange(len(numbers))
    all_boards, all_games = [], []
    for turn in range(_MAX_TURNS):
        all_boards.append(boards)
        all_games.append(games)
        turns = np.full(len(games), turn, np.uint64)
        dice = rolls(sampling.seed, numbers[games], turns, opening=True)
        results, offsets = expand(boards, dice, threads=threads)
        values = equities(evaluators.evaluate(results, evaluator, threads=threads))
        chosen = best_for_mover(values, offsets)
        strays = (turn < strays_until[games]) | (chance.of_turn(games, turn, 0) < sampling.stray)
        anywhere = (chance.of_turn(games, turn, 1) * np.diff(offsets)).astype(np.int64)
        boards = results[offsets[:-1] + np.where(strays, anywhere, chosen)]
        playing = boards[:, 1].any(axis=1)
        boards, games = boards[playing], games[playing]
        if not len(games):
            break
    return np.concatenate(all_boards), np.concatenate(all_games)


class _Chance:
    """Random numbers of some games, which depend on the seed, the game and the place in it alone."""

    def __init__(self, seed: int, numbers: npt.NDArray[np.uint64]) -> None:
        self.seed = seed
        self.numbers = numbers

    def of_game(self, number: int) -> npt.NDArray[np.float64]:
        """One for each game."""
        return random_numbers(self.seed, self.numbers, np.full(len(self.numbers), number, np.uint64))

    def of_turn(self, games: npt.NDArray[np.intp], turn: int, number: int) -> npt.NDArray[np.float64]:
        """One for each of these games at a turn."""
        counter = _GAME_NUMBERS + turn * _TURN_NUMBERS + number
        return random_numbers(self.seed, self.numbers[games], np.full(len(games), counter, np.uint64))


def _pick(
    boards: Boards,
    games: npt.NDArray[np.intp],
    numbers: npt.NDArray[np.uint64],
    evaluator: evaluators.Evaluator,
    sampling: Sampling,
    threads: int | None,
) -> list[tuple[int, Boards]]:
    """One position of each kind that a game has, game by game: any of them is as likely."""
    kinds = game_phases(boards)
    chances = evaluators.evaluate(boards, evaluator, threads=threads)
    rest = np.flatnonzero((kinds >= 0) & (spread(chances) >= sampling.open))
    # Of each game and kind the position number floor(u * count), in the order of the game.
    order = rest[np.lexsort((rest, kinds[rest], games[rest]))]
    keys = games[order] * len(GAME_PHASES) + kinds[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(starts, append=len(order))
    picking = np.array(
        [
            random_numbers(sampling.seed, numbers, np.full(len(numbers), 2 + kind, np.uint64))
            for kind in range(len(GAME_PHASES))
        ]
    )
    first = order[starts]
    chosen = order[starts + (picking[kinds[first], games[first]] * counts).astype(np.int64)]
    return [(int(kinds[place]), boards[place]) for place in chosen]


def spread(chances: Chances) -> Equities:
    """Return the standard deviation of the points that games with these chances end with."""
    _, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances.astype(np.float64).T
    # Points squared are 1, 4 and 9: each chance adds what it is worth more than the one before.
    squares = 1.0 + 3.0 * (win_gammon + lose_gammon) + 5.0 * (win_backgammon + lose_backgammon)
    deviation: Equities = np.sqrt(np.maximum(squares - equities(chances) ** 2, 0.0))
    return deviation
