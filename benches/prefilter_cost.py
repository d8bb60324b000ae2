"""What a quick net in front of the good one costs and saves.

    python benches/prefilter_cost.py [--small NET] [--plies 1 2] [--widths 1,1,0 2,5,0.08 ...] [--json]

The decisions are those of `tests/data/moves_2ply.jsonl.gz`, searched with and without the pre-filter,
cubeless, filter "normal". A play's cost is what it loses by the search without it, so it also holds the noise
of two plays that are as good as equal. CPU time of both, in turns. `--small` names a net file; by default the
smallest packaged net looks first. `docs/search.md` has the table.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from pathlib import Path
from typing import Any

import gammon
from gammon.search import Prefilter

DATA = Path(__file__).parents[1] / "tests" / "data" / "moves_2ply.jsonl.gz"


def width(text: str) -> tuple[int, int, float]:
    least, most, within = text.split(",")
    return int(least), int(most), float(within)


def compare(rows: list[dict[str, Any]], plies: int, prefilter: Prefilter) -> dict[str, float]:
    """How often both play the same, what it costs where they do not, and the time each takes."""
    losses, seconds, same = [], [0.0, 0.0], 0
    for row in rows:
        rankings = []
        for number, first in enumerate((None, prefilter)):
            started = time.process_time()
            rankings.append(
                gammon.rank(row["position_id"], row["roll"], plies=plies, prefilter=first, threads=1)
            )
            seconds[number] += time.process_time() - started
        plain, through = rankings
        loss = {ranked.play: ranked.loss for ranked in plain}[through.best.play]
        losses.append(max(loss, 0.0))
        same += plain.best.play == through.best.play
    return {
        "same": same,
        "mean loss": statistics.fmean(losses),
        "worst": max(losses),
        "times as fast": seconds[0] / seconds[1],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", type=Path)
    parser.add_argument("--plies", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--widths", type=width, nargs="+", default=[(1, 1, 0.0), (2, 5, 0.08), (4, 10, 0.16)])
    parser.add_argument("--decisions", type=int, default=223)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    small = gammon.evaluators.small() if asked.small is None else gammon.evaluators.load(asked.small)
    lines = gzip.decompress(DATA.read_bytes()).decode().splitlines()
    rows = [json.loads(line) for line in lines][: asked.decisions]
    found = {}
    for plies in asked.plies:
        for inside in asked.widths:
            found[f"{plies}-ply {inside}"] = compare(rows, plies, Prefilter(small, inside=inside))
    if asked.json:
        print(json.dumps(found))
        return
    main_net = gammon.evaluators.strong()
    print(f"{len(rows)} decisions, {small.hidden} units ({small.id[:12]}) before {main_net.hidden}")
    print(f"{'search, inside':<24}{'same play':>10}{'mean loss':>11}{'worst':>8}{'times as fast':>15}")
    for name, row in found.items():
        numbers = f"{row['same']:>10}{row['mean loss']:>11.5f}{row['worst']:>8.4f}"
        print(f"{name:<24}{numbers}{row['times as fast']:>15.2f}")


if __name__ == "__main__":
    main()
