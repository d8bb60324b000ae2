"""The unit of ``peers.py``: something one program does, that takes a time and gives a count."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["expansions", "games", "evaluations", "decisions", "solved sides", "solved pairs"]

#: Least CPU seconds of one measurement; shorter tasks are repeated.
LEAST = 0.05


@dataclass(frozen=True)
class Measured:
    """What a round of a task took and gave."""

    seconds: float
    units: int
    counted: int
    expected: int | None


@dataclass(frozen=True)
class Task:
    """One call or loop of calls to measure.

    ``prepare(call)`` makes the input of the call with that number outside the clock; a program with a cache
    gets different input each time. ``run(input)`` does ``units`` of work and returns a count: distinct
    results of expansions, plies of games, evaluations made. ``expected(call)`` is the count it should return,
    if that is known.
    """

    program: str
    name: str
    kind: Kind
    units: int
    run: Callable[[Any], int]
    prepare: Callable[[int], Any] = lambda call: call
    expected: Callable[[int], int | None] = lambda call: None
    note: str = ""
    #: Instead of all above: measures itself.
    measured: Callable[[], Measured] | None = None

    def measure(self, first_call: int) -> tuple[Measured, int]:
        """Runs until the clock has something to show; also returns the number of the next call."""
        if self.measured is not None:
            return self.measured(), first_call
        seconds, counted, expected, call = 0.0, 0, 0, first_call
        known = True
        while seconds < LEAST:
            work = self.prepare(call)
            started = time.process_time()
            counted += self.run(work)
            seconds += time.process_time() - started
            should = self.expected(call)
            known = known and should is not None
            expected += should or 0
            call += 1
        units = self.units * (call - first_call)
        return Measured(seconds, units, counted, expected if known else None), call
