"""Checker plays a second with lookahead, on one thread, beside GNU Backgammon and bgsage where installed.

    python benches/search_speed.py [--rounds N] [--json]

Every program ranks all plays of the same decisions (the speed positions, each with a roll drawn once, new
ones every round, as gnubg caches evaluations), in CPU time of this process, taking turns. Depths are named
as ours are: bgsage calls our 0 plies "1ply". Widths are equal: GNU Backgammon's normal filter lets up to 8
plays within 0.16 of the best at 0 plies go deeper, bgsage by default 5 within 0.08, and gammon is measured
with either. gnubg and gammon judge without a cube there; bgsage always uses one, and so does gammon in its
rows for it. `docs/search.md` has the table.
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

DECISIONS = {0: 400, 1: 40, 2: 4}
"""Decisions a round at each depth."""

GNU_WIDTH = [(1, 8, 0.16), (8, 8, 99.0)]
SAGE_WIDTH = [(1, 5, 0.08), (5, 5, 99.0)]

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


def ours(name: str, plies: int, width: list[tuple[int, int, float]], cubeful: bool) -> Row:
    def rank(work: list[Any]) -> int:
        return sum(
            len(gammon.rank(position, roll, plies=plies, filter=width[:plies], cubeful=cubeful, threads=1))
            for position, roll in work
        )

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


def rows() -> list[Row]:
    found = []
    for plies in DECISIONS:
        found.append(ours("gammon", plies, GNU_WIDTH, cubeful=False))
        found.append(ours("gammon, cube", plies, SAGE_WIDTH, cubeful=True))
        for make in (gnubg_row, bgsage_row):
            try:
                found.append(make(plies))
            except ImportError as error:
                print(f"skipped: {error}", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rng, boards, measured = Random(7), sets.speed_boards(), rows()
    decisions = [(board, rng.choice(sets.ROLLS)) for board in boards]
    rng.shuffle(decisions)
    for number in range(asked.rounds + 1):
        for plies, count in DECISIONS.items():
            first = number * count % (len(decisions) - count)
            work = decisions[first : first + count]
            plays = {row.name: row.measure(work) for row in measured if row.plies == plies}
            if len(set(plays.values())) > 1:
                print(f"different numbers of plays at {plies} plies: {plays}", file=sys.stderr)
        if number == 0:  # to warm up
            for row in measured:
                row.rates.clear()
    if asked.json:
        print(json.dumps([{"name": row.name, "plies": row.plies, "rates": row.rates} for row in measured]))
        return
    print(f"{'program':<14}{'plies':>6}{'plays/s':>10}{'lowest':>10}{'highest':>10}")
    for row in measured:
        print(f"{row.name:<14}{row.plies:>6}{row.rate:>10.1f}{min(row.rates):>10.1f}{max(row.rates):>10.1f}")


if __name__ == "__main__":
    main()
