"""A short measurement of this machine, and a signature that says whether results have changed."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gammon._native import PHASES, Position, Roll, expand, perft, random_games
from gammon.evaluators import evaluate, small, strong
from gammon.rollout import Settings, run

__all__ = ["Measurement", "measure", "signature"]

_PHASES = [phase for phase in PHASES if phase != "over"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """How fast one thing was done."""

    name: str
    """What was done."""
    per_second: float
    """How many a second, the best of several goes."""
    unit: str
    """Of what."""


def _positions(count: int) -> list[Position]:
    return [Position.random(_PHASES[seed % len(_PHASES)], seed) for seed in range(count)]


def _best(work: Callable[[], int], seconds: float) -> float:
    """Units of work a second in the best go; at least three goes."""
    best, begun, goes = 0.0, time.perf_counter(), 0
    while goes < 3 or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - start))
        goes += 1
    return best


def measure(*, threads: int | None = 1, seconds: float = 0.5) -> list[Measurement]:
    """Measure move generation, evaluation and games, for about `seconds` each."""
    positions = _positions(200)
    rolls = Roll.all()
    boards = np.repeat(np.stack([position.board for position in positions]), len(rolls), axis=0)
    dice = np.tile(np.array([roll.dice[:2] for roll in rolls], np.uint8), (len(positions), 1))
    results = len(expand(boards, dice)[0])
    sample = expand(boards, dice)[0][:20_000]

    def batch() -> int:
        if len(expand(boards, dice, threads=threads)[0]) != results:
            raise AssertionError("a batch gave another number of results")
        return len(boards)

    def single() -> int:
        if sum(len(position.plays(roll)) for position in positions for roll in rolls) != results:
            raise AssertionError("single calls gave another number of results than the batch")
        return len(boards)

    def count() -> int:
        found = perft(Position.start(), 2, threads=threads)
        if found.paths != 202_782:
            raise AssertionError(f"perft found {found.paths} paths instead of 202,782")
        return found.paths

    def games() -> int:
        return len(random_games(2_000, 1, threads=threads).points)

    def by_strong() -> int:
        return len(evaluate(sample, strong(), threads=threads))

    def by_small() -> int:
        return len(evaluate(sample, small(), threads=threads))

    def rollout() -> int:
        return run("start", Settings(trials=60), threads=threads).trials

    work = [
        ("expand, one array", batch, "expansions"),
        ("plays, one call each", single, "expansions"),
        ("perft", count, "positions"),
        ("random games", games, "games"),
        ("evaluate, strong net", by_strong, "evaluations"),
        ("evaluate, small net", by_small, "evaluations"),
        ("rollout of the start", rollout, "games"),
    ]
    return [Measurement(name, _best(done, seconds), unit) for name, done, unit in work]


def signature() -> str:
    """Return a digest of fixed positions, plays, evaluations, games and a rollout.

    It changes only if results change, never with threads or machines.
    """
    digest = hashlib.sha256()
    positions = _positions(64)
    boards = np.stack([position.board for position in positions])
    dice = np.array([Roll.all()[i % 21].dice[:2] for i in range(len(positions))], np.uint8)
    results, offsets = expand(boards, dice)
    games = random_games(64, 7)
    part = run("start", Settings(trials=60, seed=7, truncate=12)).part
    arrays: list[np.ndarray] = [boards, results, offsets, games.points, games.turns]
    for array in arrays + [evaluate(results, net) for net in (strong(), small())]:
        digest.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    digest.update(repr((part.trials, part.outcomes(), part.turns(), part.chances, part.equity)).encode())
    return digest.hexdigest()[:16]
