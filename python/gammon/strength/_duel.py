"""Duels: two players, many games, the same dice for both, luck taken out."""

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon._files import replacing
from gammon._names import short_id
from gammon.errors import SettingError
from gammon.rollout import Estimate
from gammon.strength._games import Finished, Games
from gammon.strength._players import EvaluatorPlayer, Player

__all__ = ["Duel", "duel", "read_duel"]

_FORMAT = "gammon duel 1"
"""The id of a net, of which people want to see the beginning."""
_SAVE_SECONDS = 20.0
_TELL_SECONDS = 0.05
_AT_ONCE = {0: 64, 1: 8}
"""Pairs played at a time, by plies looked ahead: a turn of all should take no more than a moment."""


@dataclass(frozen=True, eq=False, slots=True)
class Duel:
    """Cubeless money games of two players, seen by the first.

    Games come in pairs with the same dice: in one the first player begins, in the other the second.
    """

    players: tuple[str, str]
    """Who plays: their ids."""
    seed: int
    """Seed of the dice; pair `i` of a seed throws the same dice in every duel."""
    judge: str | None
    """By whose values luck was counted; `None` if it was not."""
    pairs: npt.NDArray[np.uint64]
    """Numbers of the pairs, rising."""
    points: npt.NDArray[np.int8]
    """Points the first player won, `int8[n, 2]`: in the game he began, in the game he did not."""
    luck: npt.NDArray[np.float64]
    """Points by which the dice of both games together were better for the first player, `float64[n]`."""
    turns: int
    """Turns played in all games."""
    unfinished: int = 0
    """Games broken off after 5,000 turns, which count as draws."""

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * len(self.pairs)

    @property
    def raw(self) -> Estimate:
        """Points a game of the first player, as the games ended."""
        return _estimate(self.points.sum(axis=1) / 2)

    @property
    def adjusted(self) -> Estimate | None:
        """Points a game of the first player without luck; `None` if luck was not counted.

        It estimates the same as `raw` whatever the values that luck is counted by: the mean luck of a roll is
        0. The better they are, the smaller is the error.
        """
        return None if self.judge is None else _estimate((self.points.sum(axis=1) - self.luck) / 2)

    @property
    def best(self) -> Estimate:
        """The estimate with the smaller error: `adjusted` where there is one."""
        return self.raw if self.adjusted is None else self.adjusted

    def merge(self, other: "Duel") -> "Duel":
        """Return both together, for different pairs of the same duel.

        Raises `SettingError` if they share a pair, or differ in players, seed or the judge of luck.
        """
        for name in ("players", "seed", "judge"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise SettingError(f"these are not parts of one duel: {name} {mine!r} and {theirs!r}")
        pairs = np.concatenate([self.pairs, other.pairs])
        order = np.argsort(pairs, kind="stable")
        if len(np.unique(pairs)) < len(pairs):
            twice = int(pairs[order][:-1][np.diff(pairs[order]) == 0][0])
            raise SettingError(f"both parts have the pair {twice}, which counts only once")
        return Duel(
            self.players,
            self.seed,
            self.judge,
            pairs[order],
            np.concatenate([self.points, other.points])[order],
            np.concatenate([self.luck, other.luck])[order],
            self.turns + other.turns,
            self.unfinished + other.unfinished,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to a file, which `read_duel` reads. Raises `OSError` if it cannot be written."""
        fields = {
            "format": _FORMAT,
            "players": self.players,
            "seed": self.seed,
            "judge": self.judge,
            "turns": self.turns,
            "unfinished": self.unfinished,
            "pairs": self.pairs.tolist(),
            "points": self.points.tolist(),
            "luck": self.luck.tolist(),
        }
        with replacing(path) as part:
            part.write_text(json.dumps(fields) + "\n", encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """Return a summary as plain values, ready for JSON."""
        estimates = {"raw": self.raw, "adjusted": self.adjusted} if self.games else {}
        return {
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "judge": self.judge,
            "turns": self.turns,
            "unfinished": self.unfinished,
            **{name: None if value is None else _plain(value) for name, value in estimates.items()},
            "outcomes": self._outcomes(),
        }

    def _outcomes(self) -> dict[str, dict[str, int]]:
        counts = Counter(self.points.ravel().tolist())
        names = ("single", "gammon", "backgammon")
        return {
            side: {name: counts[sign * points] for points, name in enumerate(names, 1)}
            for side, sign in (("won", 1), ("lost", -1))
        }

    def __str__(self) -> str:
        """Write it for people."""
        if not self.games:
            return "No pair of games was finished."
        first, second = map(short_id, self.players)
        told = self._outcomes()
        counts = " and ".join(
            f"{side} {sum(ends.values()):,} ({ends['gammon']:,} gammons, {ends['backgammon']:,} backgammons)"
            for side, ends in told.items()
        )
        lines = [f"{first} against {second}: {self.games:,} games, {counts}"]
        for name, value in (("raw", self.raw), ("luck-adjusted", self.adjusted)):
            if value is not None:
                low, high = value.interval
                line = f"{name:<14}{value.mean:+.4f}"
                if math.isfinite(value.error):
                    line += f" ± {value.error:.4f} points a game, 95 % interval {low:+.4f} to {high:+.4f}"
                lines.append(line)
        if self.unfinished:
            lines.append(f"{self.unfinished} games were broken off and count as draws")
        return "\n".join(lines)


def _estimate(values: npt.NDArray[np.float64]) -> Estimate:
    """Mean and standard error of values that belong to pairs."""
    if not len(values):
        return Estimate(math.nan, math.inf)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Estimate(float(values.mean()), float(error))


def _plain(value: Estimate) -> dict[str, Any]:
    """JSON has no infinity: a single pair has no standard error."""
    finite = math.isfinite(value.error)
    return {
        "mean": value.mean,
        "error": value.error if finite else None,
        "interval": list(value.interval) if finite else None,
    }


def read_duel(path: str | os.PathLike[str]) -> Duel:
    """Read what `Duel.save` has written.

    Raises `OSError` if the file cannot be read, `SettingError` if it holds no duel.
    """
    try:
        fields = json.loads(Path(path).read_text(encoding="utf-8"))
        if fields["format"] != _FORMAT:
            raise ValueError(f"format {fields['format']!r:.40}")
        first, second = map(str, fields["players"])
        found = Duel(
            (first, second),
            int(fields["seed"]),
            None if fields["judge"] is None else str(fields["judge"]),
            np.array(fields["pairs"], np.uint64),
            np.array(fields["points"], np.int8).reshape(-1, 2),
            np.array(fields["luck"], np.float64),
            int(fields["turns"]),
            int(fields["unfinished"]),
        )
        if not len(found.pairs) == len(found.points) == len(found.luck) == len(np.unique(found.pairs)):
            raise ValueError("columns of different lengths")
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise SettingError(f"{os.fspath(path)} holds no duel: {error}") from error
    return found


def duel(
    first: Player | evaluators.Evaluator,
    second: Player | evaluators.Evaluator,
    *,
    games: int = 1_000,
    seed: int = 1,
    begin: int = 0,
    judge: evaluators.Evaluator | Literal["default"] | None = "default",
    threads: int | None = None,
    progress: Callable[[Duel], object] | None = None,
    save: str | os.PathLike[str] | None = None,
) -> Duel:
    """Let two players play cubeless money games against each other and say who is how much better.

    Games come in pairs with the same dice, each player beginning once; `games` is their number, `begin` the
    number of the first pair. Luck is taken out: for every roll its value, by the best reply according to
    `judge`, less the mean of that over all rolls. That is unbiased whoever judges; `None` saves the time.
    The result depends on players, seed, pairs and judge alone.

    An evaluator given as a player plays what it likes best without lookahead; `EvaluatorPlayer` looks ahead.

    `progress` is told some twenty times a second what is finished; if it returns something false but not
    `None` the duel stops. A stop leaves the unbroken run of finished pairs from the first one on: counting
    whatever has ended would favour short games. With `save` that is kept in a file, also after Ctrl-C, and a
    file that exists is taken up again: pairs in it are not played again.

    Raises `SettingError` for an odd number of games or a file of another duel, `EvaluatorError` for an
    unusable answer of a player, and whatever that raises itself.

    >>> from gammon import evaluators, strength
    >>> net = evaluators.default()
    >>> found = strength.duel(net, net, games=20)
    >>> found.games, found.raw.mean, found.adjusted.mean
    (20, 0.0, 0.0)
    """
    if games < 2 or games % 2:
        raise SettingError(f"games must be an even number of at least 2, got {games}")
    players = (_player(first, threads), _player(second, threads))
    by = evaluators.default() if judge == "default" else judge
    names = (players[0].id, players[1].id)
    record = _Record(names, seed, None if by is None else by.id, save)
    wanted = [pair for pair in range(begin, begin + games // 2) if pair not in record.known]
    plies = max(getattr(player, "plies", 0) for player in players)
    playing = Games(players, by, seed=seed, pairs=wanted, at_once=_AT_ONCE.get(plies, 2), threads=threads)
    record.expect(wanted)
    try:
        while playing:
            for game in playing.step():
                record.add(game)
            if progress is not None and record.is_time_to_tell():
                answer = progress(record.duel())
                if answer is not None and not answer:
                    break
            record.save_now_and_then()
    finally:
        record.save()
    return record.duel()


def _player(given: Player | evaluators.Evaluator, threads: int | None) -> Player:
    if isinstance(given, Player):
        return given
    if isinstance(given, evaluators.Evaluator):
        return EvaluatorPlayer(given, threads=threads)
    raise TypeError(f"a player must have an id, and choose or evaluate, got {type(given).__name__}")


class _Record:
    """What is finished: pairs taken up from a file, and the unbroken run of new ones."""

    def __init__(
        self,
        players: tuple[str, str],
        seed: int,
        judge: str | None,
        path: str | os.PathLike[str] | None,
    ) -> None:
        none = np.zeros(0)
        self.kept = Duel(players, seed, judge, none.astype(np.uint64), np.zeros((0, 2), np.int8), none, 0)
        if path is not None and Path(path).exists():
            self.kept = self.kept.merge(read_duel(path))
        self.path = path
        self.known = frozenset(self.kept.pairs.tolist())
        self.order: list[int] = []
        self.waiting: dict[int, list[Finished]] = {}
        self.pairs: list[tuple[Finished, Finished]] = []
        self.told = self.saved = time.monotonic()

    def expect(self, pairs: list[int]) -> None:
        """Say which pairs are going to be played, in their order."""
        self.order = pairs

    def add(self, game: Finished) -> None:
        """Take a finished game."""
        self.waiting.setdefault(game.pair, []).append(game)
        while len(self.pairs) < len(self.order):
            both = self.waiting.get(self.order[len(self.pairs)], [])
            if len(both) < 2:
                break
            one, other = sorted(both, key=lambda game: game.second_began)
            del self.waiting[one.pair]
            self.pairs.append((one, other))

    def duel(self) -> Duel:
        """Return what is finished."""
        new = Duel(
            self.kept.players,
            self.kept.seed,
            self.kept.judge,
            np.array([one.pair for one, _ in self.pairs], np.uint64),
            np.array([(one.points, two.points) for one, two in self.pairs], np.int8).reshape(-1, 2),
            np.array([one.luck + two.luck for one, two in self.pairs], np.float64),
            sum(one.turns + two.turns for one, two in self.pairs),
            sum((one.points == 0) + (two.points == 0) for one, two in self.pairs),
        )
        return self.kept.merge(new)

    def is_time_to_tell(self) -> bool:
        """Whether the callback has not been asked for a while."""
        now = time.monotonic()
        if now - self.told < _TELL_SECONDS:
            return False
        self.told = now
        return True

    def save_now_and_then(self) -> None:
        """Write the file if that was not done for a while."""
        if time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the file, if there is to be one."""
        if self.path is not None:
            self.duel().save(self.path)
        self.saved = time.monotonic()
