"""What a second thread brings, against what it can bring on this machine in this minute.

    python benches/threads.py [--rounds N] [--json] [--save FILE]

Cores are shared with other programs, so "twice as fast" may not be there to be had. The control is
arithmetic that touches no memory to speak of and lets the interpreter go: SHA-256 of a small block many
times over (``hashlib.pbkdf2_hmac``), the same amount on one thread and split over two. Each round measures
control, call and control again, on one thread and on two, by the wall clock; the ratio of the two speed-ups
is what gammon answers for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gammon
from sets import RESULTS, expansions, fresh_boards

#: Does the same work on so many threads and returns something that must not depend on their number.
Call = Callable[[int], Any]

#: Iterations of the control: some 50 milliseconds.
ITERATIONS = 60_000


def control() -> Call:
    pool = ThreadPoolExecutor(2)

    def digest(part: bytes) -> bytes:
        return hashlib.pbkdf2_hmac("sha256", part, b"salt", ITERATIONS // 2)

    def run(threads: int) -> list[bytes]:
        halves = [b"first", b"second"]
        return list(pool.map(digest, halves)) if threads == 2 else [digest(half) for half in halves]

    return run


def calls() -> Iterator[tuple[str, Call]]:
    boards, rolls = expansions()
    few = slice(0, 16_384)

    def expand(part: slice, expected: int | None) -> Call:
        def run(threads: int) -> tuple[int, int]:
            results, offsets = gammon.expand(boards[part], rolls[part], threads=threads)
            assert expected is None or offsets[-1] == expected
            return int(offsets[-1]), results[-1].tobytes()

        return run

    def games(threads: int) -> int:
        return int(gammon.random_games(10_000, 1, threads=threads).turns.sum())

    def perft(threads: int) -> int:
        paths = gammon.perft(gammon.Position.start(), 2, threads=threads).paths
        assert paths == 202_782
        return paths

    yield "expand(), 16,384 a call", expand(few, None)
    yield "expand(), 42,000 a call", expand(slice(None), RESULTS)
    yield "random_games(10,000)", games
    yield "perft(start, 2)", perft
    if hasattr(gammon, "evaluate"):
        many = fresh_boards()[:65_536]
        yield "evaluate(65,536)", lambda threads: gammon.evaluate(many, threads=threads).tobytes()


#: Least wall seconds of one measurement.
LEAST = 0.08


def seconds(call: Call, threads: int) -> float:
    """Wall seconds of one run."""
    runs, started = 0, time.perf_counter()
    while True:
        call(threads)
        runs += 1
        elapsed = time.perf_counter() - started
        if elapsed >= LEAST:
            return elapsed / runs


def speed_up(call: Call) -> float:
    """How many times faster two threads are, 1-2-2-1 so that a drift cancels."""
    one, two, two_again, one_again = (seconds(call, threads) for threads in (1, 2, 2, 1))
    return (one + one_again) / (two + two_again)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="measured rounds (default 7)")
    parser.add_argument("--json", action="store_true", help="print everything measured, for programs")
    parser.add_argument("--save", metavar="FILE", type=Path, help="also write that to a file")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds {arguments.rounds}: at least one is needed")

    run_control, rows = control(), list(calls())
    for name, call in rows:
        assert call(1) == call(2), f"{name}: two threads give another result"
    own: dict[str, list[float]] = {name: [] for name, _ in rows}
    ratios: dict[str, list[float]] = {name: [] for name, _ in rows}
    controls: list[float] = []
    for number in range(arguments.rounds):
        for name, call in rows:
            control_before, gained, control_after = (
                speed_up(run_control),
                speed_up(call),
                speed_up(run_control),
            )
            at_hand = (control_before + control_after) / 2
            controls.append(at_hand)
            own[name].append(gained)
            ratios[name].append(gained / at_hand)
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)

    found = {
        name: {
            "speed_up": statistics.median(own[name]),
            "of_control": statistics.median(ratios[name]),
            "least": min(ratios[name]),
            "most": max(ratios[name]),
        }
        for name, _ in rows
    }
    data = json.dumps({"control": statistics.median(controls), "calls": found}, indent=1)
    if arguments.save:
        arguments.save.write_text(data + "\n")
    if arguments.json:
        print(data)
        return 0
    print(f"control: {statistics.median(controls):.2f} times as fast on two threads (PBKDF2 with SHA-256)\n")
    print(f"{'':<28}{'speed-up':>10}{'of control':>12}   least..most")
    for name, row in found.items():
        line = f"{name:<28}{row['speed_up']:>10.2f}{row['of_control']:>12.2f}"
        print(f"{line}   {row['least']:.2f}..{row['most']:.2f}")
    print(f"\nMedian of {arguments.rounds} rounds, wall clock.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
