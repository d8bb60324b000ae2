"""How fast evaluators are on one core, with other engines on the same positions in the same run."""

import functools
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

import gammon
from gammon import evaluators
from gammon._native import Position, expand
from gammon._typing import Boards, Rolls
from gammon.errors import EvaluatorError, SettingError
from gammon.strength._engine import Engine
from gammon.strength._games import ALL_ROLLS
from gammon.strength._known import known
from gammon.strength._players import EvaluatorPlayer

__all__ = ["Speed", "speed"]

Kind: TypeAlias = Literal["evaluations", "decisions", "decisions, one at a time"]

_OURS: dict[Kind, int] = {"evaluations": 16_384, "decisions": 2_048, "decisions, one at a time": 512}
_THEIRS: dict[Kind, int] = {"evaluations": 2_048, "decisions": 256}
"""How many of each are measured at a time."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast an evaluator did one thing."""

    evaluator: str
    """Whose speed it is."""
    kind: Kind
    """What was done."""
    rates: tuple[float, ...]
    """How many a second of CPU time, round by round."""

    @property
    def rate(self) -> float:
        """The median of all rounds."""
        return statistics.median(self.rates)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "evaluator": self.evaluator,
            "kind": self.kind,
            "per_second": self.rate,
            "rounds": list(self.rates),
        }

    def __str__(self) -> str:
        low, high = min(self.rates), max(self.rates)
        return f"{self.rate:>12,.0f} {self.kind}/s ({low:,.0f} to {high:,.0f})"


def speed(asked: Sequence[evaluators.Evaluator | EvaluatorPlayer], *, rounds: int = 5) -> tuple[Speed, ...]:
    """Measure evaluators on unrelated positions, taking turns, on one thread, in CPU time.

    Evaluations are of batches from numpy arrays. A decision is a position and a roll, of which all plays are
    found and valued and the best is chosen: by `gammon.search.rank_many`, and one at a time by `gammon.rank`;
    an `EvaluatorPlayer` does it in its own way, with a prefilter or lookahead. Of an `Engine` only the time
    within the engine counts, not that of its process, and a decision is its own ranking of plays. No position
    comes twice, since engines remember.

    Raises `SettingError` for no rounds or more than there are positions for, `EvaluatorError` for an engine
    that finds other plays than gammon, and whatever evaluators raise.
    """
    most = len(_pool()) // sum(_OURS.values())
    if not 1 <= rounds < most:
        raise SettingError(f"rounds must be from 1 to {most - 1}, got {rounds}")
    supply = _Supply()
    rates: dict[tuple[int, Kind], list[float]] = {}
    for number in range(rounds + 1):
        for place, evaluator in enumerate(asked):
            counts = _THEIRS if isinstance(evaluator, Engine) else _OURS
            for kind, count in counts.items():
                boards, dice = supply.take(count)
                seconds = _measure(evaluator, kind, boards, dice)
                if number:  # the first is to warm up
                    rates.setdefault((place, kind), []).append(count / seconds)
    return tuple(Speed(asked[place].id, kind, tuple(found)) for (place, kind), found in rates.items())


def _measure(asked: evaluators.Evaluator | EvaluatorPlayer, kind: Kind, boards: Boards, dice: Rolls) -> float:
    """CPU seconds that something took."""
    if isinstance(asked, Engine):
        return _measure_engine(asked, kind, boards, dice)
    given = asked if isinstance(asked, EvaluatorPlayer) else EvaluatorPlayer(asked)
    player = EvaluatorPlayer(
        given.evaluator, plies=given.plies, filter=given.filter, prefilter=given.prefilter, threads=1
    )
    if kind == "decisions, one at a time":
        positions = [*map(Position.from_board, boards)]
        begun = time.process_time()
        for position, roll in zip(positions, dice, strict=True):
            gammon.rank(
                position,
                roll,
                plies=player.plies,
                filter=player.filter,
                evaluator=player.evaluator,
                prefilter=player.prefilter,
                threads=1,
            )
    elif kind == "decisions":
        begun = time.process_time()
        player.best(boards, dice)
    else:
        begun = time.process_time()
        evaluators.evaluate(boards, player.evaluator, threads=1)
    return max(time.process_time() - begun, 1e-9)


def _measure_engine(engine: Engine, kind: Kind, boards: Boards, dice: Rolls) -> float:
    if kind == "evaluations":
        return float(engine.ask(boards)["seconds"])
    answer = engine.ask(boards, dice)
    plays = int(expand(boards, dice, threads=1)[1][-1])
    if answer["count"] != plays:
        raise EvaluatorError(f"{engine.id} found {answer['count']} plays of {len(boards)} rolls, not {plays}")
    return float(answer["seconds"])


@functools.cache
def _pool() -> Boards:
    """Contact positions in random order: what all rolls lead to from the known ones."""
    boards = known().boards[known().kinds["contact"]]
    dice = np.tile(ALL_ROLLS, (len(boards), 1))
    results = np.unique(expand(np.repeat(boards, len(ALL_ROLLS), axis=0), dice)[0], axis=0)
    playing = (results.sum(axis=2) > 0).all(axis=1)
    return np.random.default_rng(1).permutation(results[playing])


class _Supply:
    """Positions and rolls that nobody was given yet."""

    def __init__(self) -> None:
        self.taken = 0
        self.dice = np.random.default_rng(2).integers(0, len(ALL_ROLLS), len(_pool()))

    def take(self, count: int) -> tuple[Boards, Rolls]:
        """The next ones, from the beginning again after the last."""
        if self.taken + count > len(_pool()):
            self.taken = 0
        places = slice(self.taken, self.taken + count)
        self.taken += count
        return _pool()[places], ALL_ROLLS[self.dice[places]]


def table(found: Sequence[Speed], names: dict[str, str]) -> str:
    """Write a table: a line each, and how many times slower than the first of its kind it is."""
    first: dict[Kind, float] = {}
    wide = max(len(names[one.evaluator]) for one in found)
    lines = []
    for one in sorted(found, key=lambda one: [*_OURS].index(one.kind)):
        times = first.setdefault(one.kind, one.rate) / one.rate
        slower = "" if times == 1 else f"  {times:.1f} times slower"
        lines.append(f"{names[one.evaluator]:<{wide}} {one}{slower}")
    return "\n".join(lines)
