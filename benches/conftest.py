"""How the benches measure: a call, what it is made of, and the rate at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

#: Runs a call again and again; takes the call, how many units it does and what they are called.
Measure = Callable[..., Any]


@pytest.fixture
def measure(benchmark: Any) -> Measure:
    """Measures ``call()``, which does so many units, and returns what its last run returned."""

    def run(call: Callable[[], T], units: int, unit: str) -> T:
        result: T = benchmark(call)
        if benchmark.stats is not None:
            benchmark.extra_info["unit"] = unit
            benchmark.extra_info["per_second"] = units / benchmark.stats.stats.median
        return result

    return run


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Units a second of each bench: the table above shows times of whole calls."""
    session = getattr(config, "_benchmarksession", None)
    rows = [bench for bench in session.benchmarks if "unit" in bench.extra_info] if session else []
    if not rows:
        return
    terminalreporter.section("rates (median)")
    for bench in rows:
        rate, unit = bench.extra_info["per_second"], bench.extra_info["unit"]
        terminalreporter.write_line(f"{bench.name:<48}{rate:>14,.0f} {unit}/s")
