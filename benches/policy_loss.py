"""What a net's plays cost where the right ones are known: sixty bear-offs, by the exact two-sided table.

    python benches/policy_loss.py [--net FILE ...] [--trials N] [--json]

The statistics of rollouts are tested with plays from the table (`statistics_tests.rs`). This is the other
part of what a rollout's number can be wrong by: that both sides play as the net does. For each net: the mean
loss of a play in these positions, every roll weighted by its chance; and by how much the equities of
rollouts, both sides playing so to the end, are off the exact ones. `docs/rollouts.md` has the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gammon
from gammon import bearoff, evaluators
from gammon.rollout import Settings, run_many
from sets import ROLLS

WEIGHTS = np.array([1.0 if high == low else 2.0 for high, low in ROLLS]) / 36


def positions(count: int = 60) -> NDArray[np.uint8]:
    """Bear-offs of four to six checkers a side, won by the player on roll in 10 to 90 of 100 games."""
    rng, race, boards = np.random.default_rng(60), bearoff.race(), []
    while len(boards) < count:
        sides = [rng.multinomial(rng.integers(4, 7), [1 / 6] * 6) for _ in range(2)]
        board = np.zeros((2, 25), np.uint8)
        board[:, :6] = sides
        if 0.1 < race.evaluate(board[None])[0, 0] < 0.9:
            boards.append(board)
    return np.stack(boards)


def equities(boards: NDArray[np.uint8], evaluator: Any) -> NDArray[np.float64]:
    """Equities of the player on roll where no gammon is possible."""
    return 2.0 * gammon.evaluate(boards, evaluator)[:, 0].astype(float) - 1


def loss_of_a_play(boards: NDArray[np.uint8], net: Any) -> float:
    """Mean loss of the plays a net makes, in points."""
    pairs = np.repeat(boards, len(ROLLS), axis=0)
    rolls = np.tile(np.array(ROLLS, dtype=np.uint8), (len(boards), 1))
    results, offsets = gammon.expand(pairs, rolls)
    exact, judged = equities(results, bearoff.race()), equities(results, net)
    losses = []
    for start, end in pairwise(offsets):
        made = start + int(np.argmin(judged[start:end]))
        losses.append(exact[made] - exact[start:end].min())
    return float(np.mean(np.array(losses).reshape(-1, len(ROLLS)) @ WEIGHTS))


def measure(name: str, net: Any, boards: NDArray[np.uint8], trials: int) -> dict[str, Any]:
    exact = equities(boards, bearoff.race())
    settings = Settings(trials=trials, stop_at_exact=False, prefilter=None)
    found = run_many(boards, settings, evaluator=net)
    off = found.equity - exact
    return {
        "net": name,
        "loss_of_a_play": loss_of_a_play(boards, net),
        "mean_off": float(off.mean()),
        "mean_error": float(np.sqrt((found.equity_error**2).sum()) / len(boards)),
        "most_off": float(np.abs(off).max()),
        "in_errors": float(np.sqrt((off**2).sum() / (found.equity_error**2).sum())) if off.any() else 0.0,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--net", nargs="*", type=Path, default=[], help="nets to measure beside the packaged")
    parser.add_argument("--trials", type=int, default=1296, help="games of each position (default 1296)")
    parser.add_argument("--json", action="store_true", help="print everything measured, for programs")
    arguments = parser.parse_args()
    nets = [
        ("the table itself", bearoff.race()),
        ("strong", evaluators.strong()),
        ("small", evaluators.small()),
    ]
    nets += [(path.stem, evaluators.load(path)) for path in arguments.net]
    boards = positions()
    rows = [measure(name, net, boards, arguments.trials) for name, net in nets]
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return 0
    print(f"{'':<18}{'a play loses':>14}{'rollouts off':>14}{'':>9}{'at most':>10}{'in errors':>11}")
    for row in rows:
        print(
            f"{row['net']:<18}{row['loss_of_a_play']:>14.6f}{row['mean_off']:>+14.5f}"
            f" ±{row['mean_error']:.5f}{row['most_off']:>10.4f}{row['in_errors']:>11.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
