"""What a second thread brings, against what it can bring on this machine in this minute.

    python benches/threads.py [--rounds N] [--only WORD] [--json] [--save FILE]

Cores are shared with other programs, so "twice as fast" may not be there to be had. The control is
arithmetic that touches no memory to speak of and lets the interpreter go: SHA-256 of a small block many
times over (``hashlib.pbkdf2_hmac``), on one thread or split over two, as long as the call takes. Each
round measures control, call and control again, on one thread and on two, by the wall clock; the ratio of the
two speed-ups is what gammon answers for.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gammon
from gammon import rollout
from sets import RESULTS, expansions, fresh_boards

#: Does the same work on so many threads or processes; what it returns must not depend on their number.
Call = Callable[[int], Any]

#: Helps the control; a call of gammon starts its own thread.
POOL = ThreadPoolExecutor(1)


def control(iterations: int) -> Call:
    """So much arithmetic, one half after the other or side by side."""

    def half(salt: bytes) -> bytes:
        return hashlib.pbkdf2_hmac("sha256", b"control", salt, iterations // 2)

    def run(threads: int) -> tuple[bytes, bytes]:
        if threads == 1:
            return half(b"one"), half(b"two")
        other = POOL.submit(half, b"one")
        mine = half(b"two")
        return other.result(), mine

    return run


def control_as_long_as(call: Call) -> Call:
    """The control that takes as long as this call on one thread."""
    some = 100_000
    a_second = some / min(seconds(control(some), 1) for _ in range(3))
    return control(max(2, round(a_second * min(seconds(call, 1) for _ in range(3)))))


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
        paths = gammon.perft(gammon.Position.start(), 2, unique=False, threads=threads).paths
        assert paths == 202_782
        return paths

    yield "expand(), 16,384 a call", expand(few, None)
    yield "expand(), 42,000 a call", expand(slice(None), RESULTS)
    yield "random_games(10,000)", games
    yield "perft(start, 2)", perft
    many = fresh_boards()[:65_536]
    yield "evaluate(65,536)", lambda threads: gammon.evaluate(many, threads=threads).tobytes()

    def rolled_out(threads: int) -> list[int]:
        return rollout.run(gammon.Position.start(), threads=threads).part.sums

    yield "rollout of 1,296 games", rolled_out

    def by_processes(processes: int) -> list[int]:
        return rollout.run(gammon.Position.start(), executor=workers(processes)).part.sums

    yield "the same, two processes", by_processes


@functools.cache
def workers(number: int) -> ProcessPoolExecutor:
    """So many processes. Each call is made once before it is measured: by then they have nets and tables."""
    return ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("spawn"))


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


def compare(call: Call, beside: Call) -> tuple[float, float]:
    """The speed-up of a call and that of its control, taken before and after."""
    before, gained, after = speed_up(beside), speed_up(call), speed_up(beside)
    return gained, (before + after) / 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="measured rounds (default 7)")
    parser.add_argument("--only", metavar="WORD", default="", help="only calls with this word in their name")
    parser.add_argument("--json", action="store_true", help="print everything measured, for programs")
    parser.add_argument("--save", metavar="FILE", type=Path, help="also write that to a file")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds {arguments.rounds}: at least one is needed")

    rows = [row for row in calls() if arguments.only in row[0]]
    if not rows:
        parser.error(f"--only {arguments.only}: no such call")
    for name, call in rows:
        assert call(1) == call(2), f"{name}: two threads give another result"
    beside = [control_as_long_as(call) for _, call in rows]
    measured: list[list[tuple[float, float]]] = [[] for _ in rows]
    for number in range(arguments.rounds):
        for (_, call), own_control, pairs in zip(rows, beside, measured, strict=True):
            pairs.append(compare(call, own_control))
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)

    found = {name: summary(pairs) for (name, _), pairs in zip(rows, measured, strict=True)}
    data = json.dumps(found, indent=1)
    if arguments.save:
        arguments.save.write_text(data + "\n")
    if arguments.json:
        print(data)
        return 0
    print(f"{'two threads for one':<28}{'speed-up':>10}{'control':>10}{'ratio':>8}   least..most")
    for name, row in found.items():
        line = f"{name:<28}{row['speed_up']:>10.2f}{row['control']:>10.2f}{row['ratio']:>8.2f}"
        print(f"{line}   {row['least']:.2f}..{row['most']:.2f}")
    print(f"\nMedian of {arguments.rounds} rounds, wall clock.")
    return 0


def summary(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """Medians over rounds; the ratio is taken within each."""
    ratios = [own / control for own, control in pairs]
    return {
        "speed_up": statistics.median(own for own, _ in pairs),
        "control": statistics.median(control for _, control in pairs),
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
    }


if __name__ == "__main__":
    sys.exit(main())
