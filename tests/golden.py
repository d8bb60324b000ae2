"""Reads the files of ``tests/data`` and ``benches/positions``; their README names the sources."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference.backgammon import Position, Side, side

DATA = Path(__file__).parent / "data"
SPEED_POSITIONS = Path(__file__).parents[1] / "benches" / "positions" / "speed_positions.txt"


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a ``.jsonl`` or ``.jsonl.gz`` file."""
    path = DATA / name
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return (json.loads(line) for line in text.splitlines())


def speed_positions() -> list[str]:
    """The 2,000 position ids of the move generation benches."""
    return SPEED_POSITIONS.read_text().split()


def case_position(points: dict[str, dict[str, int]]) -> Position:
    """The position of a case in ``standard_cases.jsonl``, the player on roll first."""

    def one(checkers: dict[str, int]) -> Side:
        return side({int(p): n for p, n in checkers.items() if p != "bar"}, checkers.get("bar", 0))

    return one(points["me"]), one(points["opponent"])
