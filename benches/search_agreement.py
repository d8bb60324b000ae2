"""How often gammon plays what GNU Backgammon's two-ply search plays, and what the others cost by its numbers.

    python benches/search_agreement.py [--plies 0 1 2] [--filter normal] [--threads N] [--json]

The positions are `tests/data/moves_2ply.jsonl.gz`: money play, cube centred, no Jacoby, with the two-ply
cubeful equities of the best five plays. A play that is not among the five counts as the fifth's loss. The
paired difference to 0 plies has its standard error. `docs/search.md` has the table.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import gammon

DATA = Path(__file__).parents[1] / "tests" / "data" / "moves_2ply.jsonl.gz"


@dataclass
class Outcome:
    """What one way of playing achieved over all positions."""

    plies: int
    cubeful: bool
    same: int
    unlisted: int
    losses: list[float]
    seconds: float

    @property
    def mean(self) -> float:
        return statistics.fmean(self.losses)

    def gain(self, other: Outcome) -> tuple[float, float]:
        """How much less is lost than by another, and the standard error of that."""
        differences = [theirs - ours for ours, theirs in zip(self.losses, other.losses, strict=True)]
        return statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(len(differences))


def play(rows: list[dict[str, Any]], plies: int, cubeful: bool, width: Any, threads: int | None) -> Outcome:
    outcome = Outcome(plies, cubeful, 0, 0, [], 0.0)
    started = time.perf_counter()
    for row in rows:
        known = dict(row["plays"])
        ranking = gammon.rank(
            row["position_id"], row["roll"], plies=plies, cubeful=cubeful, filter=width, threads=threads
        )
        after = ranking.best.play.after.id
        best, worst = max(known.values()), min(known.values())
        outcome.losses.append(best - known.get(after, worst))
        outcome.same += after == row["plays"][0][0]
        outcome.unlisted += after not in known
    outcome.seconds = time.perf_counter() - started
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--filter", default="normal")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).decode().splitlines()]
    outcomes = [
        play(rows, plies, cubeful, asked.filter, asked.threads)
        for cubeful in (False, True)
        for plies in asked.plies
    ]
    if asked.json:
        print(json.dumps([asdict(outcome) for outcome in outcomes]))
        return
    print(f"{len(rows)} positions, filter {asked.filter}, net {gammon.evaluators.strong().id[:12]}")
    print(
        f"{'search':<14}{'same play':>12}{'mean loss':>11}{'unlisted':>10}{'gain on 0-ply':>24}{'seconds':>9}"
    )
    for outcome in outcomes:
        first = next(other for other in outcomes if other.cubeful == outcome.cubeful)
        gain, error = outcome.gain(first)
        name = f"{outcome.plies}-ply {'cubeful' if outcome.cubeful else 'cubeless'}"
        same = f"{outcome.same} ({100 * outcome.same / len(rows):.0f} %)"
        print(
            f"{name:<14}{same:>13}{outcome.mean:>10.5f}{outcome.unlisted:>10}"
            f"{f'{gain:+.5f} ± {error:.5f}':>24}{outcome.seconds:>9.1f}"
        )


if __name__ == "__main__":
    main()
