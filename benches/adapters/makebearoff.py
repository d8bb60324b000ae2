"""GNU Backgammon's ``makebearoff``, and gammon's builds of the same tables.

It comes with GNU Backgammon, outside the package index; Debian puts it where only games are looked for.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.task import Kind, Measured, Task
from gammon import bearoff

DISTRIBUTION = "makebearoff"


@dataclass(frozen=True)
class Table:
    """A table that both can build."""

    name: str
    kind: Kind
    entries: int
    ours: Callable[[], int]
    theirs: tuple[str, str]

    def our_build(self) -> Measured:
        """One build on one thread, whose size is checked by whoever prints it."""
        begun = time.process_time()
        found = self.ours()
        return Measured(time.process_time() - begun, self.entries, found, self.entries)

    def their_build(self, command: str) -> Measured:
        """One run, which must leave a file."""
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "table.bd"
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([command, *self.theirs, "-f", str(made)], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if made.stat().st_size == 0:
                raise RuntimeError(f"{command} left an empty file")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Measured(seconds, self.entries, 0, None)


TABLES = [
    Table(
        "one-sided, 6 points",
        "solved sides",
        54_264,
        lambda: len(bearoff.OneSided.build(6, threads=1)),
        ("-o", "6"),
    ),
    Table(
        "two-sided, 6 x 6",
        "solved pairs",
        924**2,
        lambda: len(bearoff.TwoSided.build(6, 6, threads=1)),
        ("-t", "6x6"),
    ),
]

EIGHT_POINTS = Table(
    "one-sided, 8 points",
    "solved sides",
    490_314,
    lambda: len(bearoff.OneSided.build(8, threads=1)),
    ("-o", "8"),
)
"""Takes ``makebearoff`` half a minute a round."""


def find() -> str | None:
    """The program, if it is installed."""
    return shutil.which("makebearoff", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))


def tasks() -> list[Task]:
    command = find()
    if command is None:
        raise ImportError("GNU Backgammon is not installed")

    def task(table: Table) -> Task:
        def measured() -> Measured:
            return table.their_build(command)

        return Task("makebearoff", table.name, table.kind, table.entries, run=int, measured=measured)

    return [task(table) for table in TABLES]


def our_tasks() -> list[Task]:
    return [
        Task("gammon", table.name, table.kind, table.entries, run=int, measured=table.our_build)
        for table in TABLES
    ]
