"""Positions with GNU Backgammon's chances as text files, for the Rust example ``train``.

    python benches/references.py FOLDER

Reads ``tests/data/evals.jsonl.gz`` and writes a file for each kind of position that docs/training.md tells
apart: 50 counts a line, the player on roll first, then the five chances at 2 plies. How far a net is from
them, ``gammon strength`` prints.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gammon

Row = dict[str, Any]

EVALS = Path(__file__).parents[1] / "tests" / "data" / "evals.jsonl.gz"

KINDS: dict[str, Callable[[Row], bool]] = {
    "contact-selfplay": lambda row: (row["class"], row["src"]) == ("contact", "selfplay"),
    "contact-random-play": lambda row: (row["class"], row["src"]) == ("contact", "random_play"),
    "contact": lambda row: row["class"] == "contact",
    "crashed": lambda row: row["class"] == "crashed",
    "race": lambda row: row["class"] == "race",
    "bearoff-one-sided": lambda row: row["class"] == "bearoff1",
}


def line(row: Row) -> str:
    """Counts and chances of a row, separated by commas."""
    counts = gammon.Position.from_id(row["position_id"]).board.ravel().tolist()
    return ",".join(map(str, [*counts, *row["p2"][:5]]))


def main(folder: Path) -> None:
    """Write the files and print how many positions each holds."""
    rows: list[Row] = [json.loads(text) for text in gzip.decompress(EVALS.read_bytes()).splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    for name, belongs in KINDS.items():
        found = [row for row in rows if belongs(row)]
        path = folder / f"{name}.csv"
        path.write_text("".join(line(row) + "\n" for row in found))
        print(f"{path}: {len(found)} positions")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benches/references.py FOLDER")
    main(Path(sys.argv[1]))
