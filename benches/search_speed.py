"""Checker plays a second with lookahead, on one thread, beside GNU Backgammon and bgsage where installed.

    python benches/search_speed.py [--cube] [--rounds N] [--json]

Every program ranks all plays of the same decisions (the speed positions, each with a roll drawn once, new
ones every round, as gnubg caches evaluations), in CPU time of this process, taking turns. Depths are named
as ours are: bgsage calls our 0 plies "1ply". Widths are equal: GNU Backgammon's normal filter lets up to 8
plays within 0.16 of the best at 0 plies go deeper, bgsage by default 5 within 0.08, and gammon is measured
with either. gnubg and gammon judge without a cube there; bgsage always uses one, and so does gammon in its
rows for it. If a small net is packaged, one row has it look first. With `--cube` the decisions are about a
centred cube in money play instead, each by a cubeful evaluation as deep (bgsage: by the model on chances as
deep). `docs/search.md` has the tables.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import gammon
import sets
from adapters import bgsage as sage
from adapters import gnubg as gnu

DECISIONS = {0: 400, 1: 40, 2: 4, 3: 1}
"""Decisions a round at each depth."""

CUBES = {0: 400, 1: 60, 2: 4}
"""The same for the cube."""

GNU_WIDTH = [(1, 8, 0.16), (8, 8, 99.0), (8, 8, 99.0)]
SAGE_WIDTH = [(1, 5, 0.08), (5, 5, 99.0), (5, 5, 99.0)]

Decision = tuple[sets.Board, tuple[int, int]]


@dataclass
class Row:
    """A program at a depth, and the decisions it made each second of each round."""

    name: str
    plies: int
    rank: Callable[[list[Any]], int]
    prepare: Callable[[Decision], Any]
    rates: list[float] = field(default_factory=list)

    def measure(self, decisions: list[Decision]) -> int:
        work = [self.prepare(decision) for decision in decisions]
        started = time.process_time()
        plays = self.rank(work)
        self.rates.append(len(work) / (time.process_time() - started))
        return plays

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)


def ours(
    name: str,
    plies: int,
    width: list[tuple[int, int, float]],
    cubeful: bool,
    prefilter: gammon.search.Prefilter | None = None,
) -> Row:
    asked: dict[str, Any] = {"plies": plies, "filter": width[:plies], "cubeful": cubeful, "threads": 1}

    def rank(work: list[Any]) -> int:
        return sum(len(gammon.rank(*decision, prefilter=prefilter, **asked)) for decision in work)

    def prepare(decision: Decision) -> tuple[gammon.Position, tuple[int, int]]:
        board, roll = decision
        return gammon.Position.from_board(sets.array([board])[0]), roll

    return Row(name, plies, rank, prepare)


def gnubg_row(plies: int) -> Row:
    import gnubg

    money, context = gnubg.cube_info(), gnubg.eval_context(0, plies, 1, 1, 0.0)

    def rank(work: list[Any]) -> int:
        return sum(len(gnubg.find_best_moves(board, money, context, roll)) or 1 for board, roll in work)

    return Row("gnubg", plies, rank, lambda decision: (gnu.board(decision[0]), decision[1]))


def bgsage_row(plies: int) -> Row:
    import bgsage

    def rank(work: list[Any]) -> int:
        ranked = bgsage.batch_checker_play(work, f"{plies + 1}ply", n_threads=1, jacoby=False)
        return sum(len(decision.moves) or 1 for decision in ranked)

    def prepare(decision: Decision) -> dict[str, Any]:
        board, (high, low) = decision
        cube = {"cube_value": 1, "cube_owner": "centered"}
        return {"board": sage.board(board), "die1": high, "die2": low, **cube}

    return Row("bgsage", plies, rank, prepare)


def our_cubes(plies: int) -> Row:
    def decide(work: list[Any]) -> int:
        return len(gammon.cube.decide_boards("start", sets.array(work), plies=plies, threads=1))

    return Row("gammon", plies, decide, lambda decision: decision[0])


def gnubg_cubes(plies: int) -> Row:
    import gnubg

    money, context = gnubg.cube_info(), gnubg.eval_context(1, plies, 1, 1, 0.0)

    def decide(work: list[Any]) -> int:
        return len([gnubg.evaluate(board, money, context) for board in work])

    return Row("gnubg", plies, decide, lambda decision: gnu.board(decision[0]))


def bgsage_cubes(plies: int) -> Row:
    import bgsage

    def decide(work: list[Any]) -> int:
        return len(bgsage.batch_cube_action(work, f"{plies + 1}ply", n_threads=1))

    def prepare(decision: Decision) -> dict[str, Any]:
        return {"board": sage.board(decision[0]), "cube_value": 1, "cube_owner": "centered"}

    return Row("bgsage", plies, decide, prepare)


def cube_rows() -> list[Row]:
    found = []
    for plies in CUBES:
        found.append(our_cubes(plies))
        found += theirs(plies, gnubg_cubes, bgsage_cubes)
    return found


def rows() -> list[Row]:
    found, small = [], gammon.evaluators.small()
    for plies in DECISIONS:
        found.append(ours("gammon", plies, GNU_WIDTH, cubeful=False))
        if small != gammon.evaluators.default():
            first = gammon.search.Prefilter(small)
            found.append(ours("gammon, small", plies, GNU_WIDTH, cubeful=False, prefilter=first))
        found.append(ours("gammon, cube", plies, SAGE_WIDTH, cubeful=True))
        # bgsage takes a minute for a decision at 3 plies.
        found += theirs(plies, gnubg_row, bgsage_row) if plies < 3 else theirs(plies, gnubg_row)
    return found


def theirs(plies: int, *make: Callable[[int], Row]) -> list[Row]:
    """The rows of the programs that are installed."""
    found = []
    for row in make:
        try:
            found.append(row(plies))
        except ImportError as error:
            print(f"skipped: {error}", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cube", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rng, boards = Random(7), sets.speed_boards()
    measured, counts = (cube_rows(), CUBES) if asked.cube else (rows(), DECISIONS)
    decisions = [(board, rng.choice(sets.ROLLS)) for board in boards]
    rng.shuffle(decisions)
    for number in range(asked.rounds + 1):
        for plies, count in counts.items():
            first = number * count % (len(decisions) - count)
            work = decisions[first : first + count]
            plays = {row.name: row.measure(work) for row in measured if row.plies == plies}
            if len(set(plays.values())) > 1:
                print(f"different numbers of results at {plies} plies: {plays}", file=sys.stderr)
        if number == 0:  # to warm up
            for row in measured:
                row.rates.clear()
    if asked.json:
        print(json.dumps([{"name": row.name, "plies": row.plies, "rates": row.rates} for row in measured]))
        return
    print(f"{'program':<14}{'plies':>6}{'a second':>10}{'lowest':>10}{'highest':>10}")
    for row in measured:
        print(f"{row.name:<14}{row.plies:>6}{row.rate:>10.1f}{min(row.rates):>10.1f}{max(row.rates):>10.1f}")


if __name__ == "__main__":
    main()
