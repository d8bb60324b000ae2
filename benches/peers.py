"""Every installed program that expands or evaluates backgammon positions, on the same ones, in one run.

    python benches/peers.py [--rounds N] [--only NAME] [--core COMMAND] [--json] [--save FILE]

Needs gammon and, to have something to compare with, any of: bgsage, gnubg, gnubg-nn, open_spiel,
gym-backgammon (which needs gym and pyglet), pygammon; and GNU Backgammon's makebearoff (20 s a round;
larger tables: ``bearoff_peers.py``). What is not installed is skipped with a word. All work is done on one
thread and measured in CPU time of the process that does it; tasks take turns, round after round, so that a
slow minute of the machine hits all of them; ratios are taken within a round, and medians over rounds.
``docs/benchmarks.md`` says what the rows mean.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import platform
import shlex
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gammon
from adapters import PEERS, ours
from adapters.task import Kind, Measured, Task


@dataclass
class Row:
    """A task and what was measured of it, one entry a round."""

    task: Task
    rounds: list[Measured] = field(default_factory=list)
    next_call: int = 0

    def measure(self) -> None:
        measured, self.next_call = self.task.measure(self.next_call)
        self.rounds.append(measured)

    @property
    def rates(self) -> list[float]:
        return [measured.units / measured.seconds for measured in self.rounds]

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    @property
    def counted_rate(self) -> float | None:
        """Results, or plies, a second; None if the task finds none."""
        if not any(measured.counted for measured in self.rounds):
            return None
        return statistics.median(measured.counted / measured.seconds for measured in self.rounds)

    @property
    def is_right(self) -> bool | None:
        """Whether every count was as expected; None if no count is known."""
        known = [measured for measured in self.rounds if measured.expected is not None]
        return all(measured.counted == measured.expected for measured in known) if known else None

    def times_slower_than(self, ours: Row) -> float:
        return statistics.median(own / peer for own, peer in zip(ours.rates, self.rates, strict=True))


def collect(core: list[str] | None, only: str | None) -> tuple[list[Row], list[str]]:
    """The tasks of everything installed, and a word on what is not."""
    tasks, skipped = ours.tasks(), []
    if core:
        tasks.insert(0, ours.core_task(core))
    else:
        skipped.append("the Rust core by itself: no --core")
    for peer in PEERS:
        if only and only != peer.DISTRIBUTION:
            continue
        try:
            tasks += peer.tasks()
        except ImportError as error:
            skipped.append(f"{peer.DISTRIBUTION}: {error}")
    return [Row(task) for task in tasks], skipped


def run(rows: list[Row], rounds: int) -> None:
    """Measures everything in turn, after one round to warm up that does not count."""
    for number in range(rounds + 1):
        for row in rows:
            row.measure()
        if number == 0:
            for row in rows:
                row.rounds.clear()
        print(f"round {number} of {rounds}", file=sys.stderr, flush=True)


def find(rows: list[Row], name: str) -> Row | None:
    return next((row for row in rows if row.task.program == "gammon" and row.task.name == name), None)


def references(rows: list[Row], kind: Kind) -> list[tuple[str, Row]]:
    """gammon's rows that those of a kind are compared with, and a short name for each."""
    if kind == "expansions":
        names = {"core": ours.CORE, "batch": ours.BATCH, "call": ours.SINGLE}
        found = {short: find(rows, name) for short, name in names.items()}
        return [(short, row) for short, row in found.items() if row]
    own = [row for row in rows if row.task.program == "gammon" and row.task.kind == kind]
    return [("gammon", row) for row in own[:1]]


def versions() -> dict[str, str]:
    """Versions of all that took part."""
    found = {"python": platform.python_version(), "gammon": gammon.__version__}
    for name in ["numpy", *(peer.DISTRIBUTION for peer in PEERS)]:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def cpu() -> str:
    """What the system calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name, family, model = (fields.get(key, "?") for key in ("model name", "cpu family", "model"))
    return f"{name} (family {family}, model {model})"


TITLES: dict[Kind, tuple[str, str]] = {
    "expansions": ("Legal positions: one position, one roll, all distinct results", "results/s"),
    "games": ("Games of random plays from the start", "plies/s"),
    "evaluations": ("Evaluations of different positions, nothing cached", ""),
    "decisions": ("Checker plays: all results generated, evaluated and ranked", "results/s"),
    "solved sides": ("Bear-off table of one side built: 6 points, 15 checkers", ""),
    "solved pairs": ("Bear-off table of both sides built: 6 points, 6 checkers each", ""),
}


def print_tables(rows: list[Row]) -> None:
    for kind, (title, counted) in TITLES.items():
        of_kind = [row for row in rows if row.task.kind == kind]
        if not of_kind:
            continue
        against = references(rows, kind)
        ratios = "".join(f"{'x ' + short:>10}" for short, _ in against)
        print(f"\n{title}")
        print(f"  {'':<16}{'':<36}{kind + '/s':>14}{'spread':>9}{counted:>12}{ratios}  counts")
        for row in of_kind:
            line = f"  {row.task.program:<16}{row.task.name:<36}{row.rate:>14,.0f}{spread(row):>9}"
            per_second = row.counted_rate if counted else None
            line += f"{per_second:>12,.0f}" if per_second else f"{'':>12}"
            for _, own in against:
                line += f"{number(row.times_slower_than(own)):>10}"
            print(f"{line}  {verdict(row)}")


def spread(row: Row) -> str:
    """Half the distance from the slowest to the fastest round, in percent of the median."""
    return f"±{(max(row.rates) - min(row.rates)) / 2 / row.rate:.0%}"


def number(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def verdict(row: Row) -> str:
    right, note = row.is_right, row.task.note
    if right is None:
        return note
    if right:
        return ", ".join(["right", *([note] if note else [])])
    wrong = [m for m in row.rounds if m.counted != m.expected]
    return f"{wrong[0].counted:,} counted, right is {wrong[0].expected:,}" + (f"; {note}" if note else "")


def as_json(rows: list[Row], skipped: list[str], arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": cpu(),
        "versions": versions(),
        "rounds": arguments.rounds,
        "skipped": skipped,
        "rows": [
            {
                "program": row.task.program,
                "name": row.task.name,
                "kind": row.task.kind,
                "per_second": row.rate,
                "rounds": row.rates,
                "counted_per_second": row.counted_rate,
                "counts_right": row.is_right,
                "note": row.task.note,
                "times_slower_than": {
                    short: row.times_slower_than(own) for short, own in references(rows, row.task.kind)
                },
            }
            for row in rows
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (default 5)")
    parser.add_argument("--only", metavar="NAME", help="this peer alone, by its name on the package index")
    parser.add_argument("--core", metavar="COMMAND", help="runs the movegen bench: its core joins the rounds")
    parser.add_argument("--json", action="store_true", help="print everything measured, for programs")
    parser.add_argument("--save", metavar="FILE", type=Path, help="also write that to a file")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds {arguments.rounds}: at least one is needed")
    if arguments.only and arguments.only not in {peer.DISTRIBUTION for peer in PEERS}:
        parser.error(f"--only {arguments.only}: known are {', '.join(peer.DISTRIBUTION for peer in PEERS)}")

    rows, skipped = collect(shlex.split(arguments.core) if arguments.core else None, arguments.only)
    run(rows, arguments.rounds)
    data = json.dumps(as_json(rows, skipped, arguments), indent=1)
    if arguments.save:
        arguments.save.write_text(data + "\n")
    if arguments.json:
        print(data)
    else:
        print(f"{datetime.date.today()}, {cpu()}, {', '.join(' '.join(v) for v in versions().items())}")
        print_tables(rows)
        for word in skipped:
            print(f"\nskipped {word}")
        print(f"\nMedian of {arguments.rounds} rounds, one thread, CPU time.")
    ours_wrong = [row.task.name for row in rows if row.task.program == "gammon" and row.is_right is False]
    if ours_wrong:
        print(f"gammon counted wrongly: {', '.join(ours_wrong)}", file=sys.stderr)
    return bool(ours_wrong)


if __name__ == "__main__":
    sys.exit(main())
