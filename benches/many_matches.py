"""Ten thousand matches read, searched and converted one after another: time, and memory that does not grow.

    python benches/many_matches.py --matches 10000

Some fifty different matches are played, and every file is one of them under other names. Prints for each kind
of work how long it took, and the memory of the process after a tenth and at the end.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from gammon import formats
from gammon.match import Engine, Match, play_match
from gammon.patterns import search

PATTERN = "opp.prime >= 4 and back >= 2 and roll > 0 and lead < 0"


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--matches", type=int, default=10_000)
    options.add_argument("--different", type=int, default=50)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder, "in"), asked.matches, asked.different)
        size = sum(os.path.getsize(file) for file in files)
        print(f"{len(files)} files of {size / len(files) / 1000:.1f} kB")
        work: dict[str, Callable[[], Iterator[object]]] = {
            "read": lambda: (formats.read(file) for file in formats.find([Path(folder, "in")])),
            "find": lambda: search(PATTERN, [Path(folder, "in")]),
            "convert to sgf": lambda: formats.convert(
                [Path(folder, "in")], Path(folder, "out"), format="sgf"
            ),
        }
        for name, begin in work.items():
            measure(name, begin(), len(files))


def make(folder: Path, count: int, different: int) -> list[Path]:
    """Write matches, the same ones again and again under other names of players."""
    folder.mkdir()
    texts = []
    for seed in range(min(different, count)):
        match = Match(7, ("PLAYER A", "PLAYER B"), seed=seed)
        play_match(match, (Engine(noise=0.1, seed=1), Engine(noise=0.1, seed=2)))
        texts.append(str(formats.dumps(match, "mat")[0]))
    files = []
    for number in range(count):
        text = texts[number % len(texts)].replace("PLAYER A", f"Player {number}")
        files.append(folder / f"{number:06}.mat")
        files[-1].write_text(text, encoding="utf-8")
    return files


def measure(name: str, work: Iterator[object], count: int) -> None:
    """Do something with every file and print time and memory."""
    begun, used = time.perf_counter(), time.process_time()
    heights = []
    done = 0
    for done, _ in enumerate(work, 1):
        if done % max(count // 10, 1) == 0:
            heights.append(memory())
    seconds, used = time.perf_counter() - begun, time.process_time() - used
    print(
        f"{name}: {done} matches, {seconds:.0f} s ({used:.0f} s of CPU), "
        f"memory {heights[0]:.1f} MB after a tenth, {heights[-1]:.1f} MB at the end"
    )


def memory() -> float:
    """Megabytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
