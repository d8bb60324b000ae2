"""GNU Backgammon's ``makebearoff`` beside gammon's builds of the same tables, in CPU time.

    python benches/bearoff_peers.py [--rounds N] [--command MAKEBEAROFF] [--eight]

One thread each, in turns; the ratio is taken within each round, the median over rounds is printed. Without
``makebearoff`` only gammon's times are printed, and a word says so. ``--eight`` adds the one-sided table of
eight points, which takes ``makebearoff`` half a minute a round.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gammon import bearoff

TABLES: dict[str, tuple[Callable[[], int], int, list[str]]] = {
    "one-sided, 6 points": (lambda: len(bearoff.OneSided.build(6, threads=1)), 54_264, ["-o", "6"]),
    "two-sided, 6 x 6": (lambda: len(bearoff.TwoSided.build(6, 6, threads=1)), 924**2, ["-t", "6x6"]),
    "one-sided, 8 points": (lambda: len(bearoff.OneSided.build(8, threads=1)), 490_314, ["-o", "8"]),
}


def ours(build: Callable[[], int], entries: int) -> float:
    """CPU seconds of a build, whose size is checked."""
    begun = time.process_time()
    assert build() == entries
    return time.process_time() - begun


def theirs(command: str, options: list[str], folder: Path) -> float:
    """CPU seconds of a run of ``makebearoff``, which must leave a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = folder / "table.bd"
    subprocess.run([command, *options, "-f", str(made)], check=True, capture_output=True)
    assert made.stat().st_size > 0
    made.unlink()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--command", default="makebearoff")
    parser.add_argument("--eight", action="store_true")
    options = parser.parse_args()
    command = shutil.which(options.command)
    if command is None:
        print(f"{options.command} is not installed: gammon alone")
    names = [name for name in TABLES if options.eight or "8" not in name]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            build, entries, arguments = TABLES[name]
            pairs = [
                (ours(build, entries), theirs(command, arguments, Path(folder)) if command else None)
                for _ in range(options.rounds)
            ]
            line = f"{name:<22} gammon {statistics.median(pair[0] for pair in pairs):8.3f} s"
            peers = [(mine, his) for mine, his in pairs if his is not None]
            if peers:
                ratio = statistics.median(his / mine for mine, his in peers)
                peer = statistics.median(his for _, his in peers)
                line += f"   makebearoff {peer:8.2f} s   {ratio:6.1f} times"
            print(line)


if __name__ == "__main__":
    main()
