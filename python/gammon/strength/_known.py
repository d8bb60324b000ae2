"""Positions whose chances are known from another program."""

import functools
import gzip
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon import _data
from gammon._native import Position
from gammon._typing import Boards
from gammon.errors import ParseError, SettingError

__all__ = ["Known", "known", "read_known"]

Figures: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]


_KINDS: dict[str, Callable[[str, str], bool]] = {
    "contact, self-play": lambda kind, source: (kind, source) == ("contact", "selfplay"),
    "contact, random play": lambda kind, source: (kind, source) == ("contact", "random_play"),
    "contact, contrived": lambda kind, source: kind == "contact" and source in ("contrived", "bar"),
    "contact": lambda kind, source: kind == "contact",
    "crashed": lambda kind, source: kind == "crashed",
    "contact and crashed": lambda kind, source: kind in ("contact", "crashed"),
    "race": lambda kind, source: kind == "race",
    "bear-off, one-sided": lambda kind, source: kind == "bearoff1",
    "bear-off, two-sided": lambda kind, source: kind == "bearoff2",
}
"""The kinds of position: by GNU Backgammon's class, and by where a contact position comes from."""


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """Positions whose chances are known."""

    ids: tuple[str, ...]
    """Position IDs."""
    boards: Boards
    """The positions, `uint8[n, 2, 25]`."""
    kinds: dict[str, Places]
    """Which positions are of each kind, in the order of a table; a position may be of several."""
    deep: Figures
    """The five chances as they are known, `float64[n, 5]`."""
    static: Figures | None
    """The five chances by GNU Backgammon at 0 plies, `float64[n, 5]`, if `deep` are its 2 plies."""

    def __len__(self) -> int:
        return len(self.ids)


def read_known(path: str | os.PathLike[str]) -> Known:
    """Read positions from a `.jsonl.gz` file: one JSON object a line.

    Each has `position_id`, `class` (contact, crashed, race, bearoff1 or bearoff2), `src` (selfplay,
    random_play, ...), `p0` and `p2`; the last two begin with the five chances of the player on roll. Other
    fields are not read.

    Raises `OSError` if the file cannot be read, `SettingError` for a line that is none of that kind.
    """
    return _parse(Path(path).read_bytes(), os.fspath(path))


@functools.cache
def known() -> Known:
    """Return the positions that come with the package.

    They are 992, from GNU Backgammon 1.07.001 (weights 1.00, cubeless); none of them was used to train a net.
    """
    return _parse(_data.packaged("strength", "evals.jsonl.gz").read_bytes(), "the packaged evals.jsonl.gz")


def _parse(packed: bytes, name: str) -> Known:
    try:
        lines = gzip.decompress(packed).decode().splitlines()
    except (EOFError, OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{name} is no gzipped text: {error}") from error
    rows = [_row(line, f"{name}, line {number}") for number, line in enumerate(lines, 1)]
    if not rows:
        raise SettingError(f"{name} holds no position")
    kinds = {
        name: np.flatnonzero([belongs(row["class"], row["src"]) for row in rows])
        for name, belongs in _KINDS.items()
    }
    if not any(map(len, kinds.values())):
        raise SettingError(f"{name} has no position of a class known here, such as 'contact'")
    return Known(
        tuple(row["position_id"] for row in rows),
        np.stack([row["board"] for row in rows]),
        kinds,
        np.array([row["p2"] for row in rows]),
        np.array([row["p0"] for row in rows]),
    )


def _row(line: str, place: str) -> dict[str, Any]:
    """A line's fields, checked, and its board."""
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise SettingError(f"{place}: no JSON: {error}") from error
    if not isinstance(fields, Mapping):
        raise SettingError(f"{place}: expected an object, got {line!r:.60}")
    row: dict[str, Any] = {}
    for name in ("position_id", "class", "src"):
        if not isinstance(fields.get(name), str):
            raise SettingError(f"{place}: {name} must be a text, got {fields.get(name)!r:.60}")
        row[name] = fields[name]
    for name in ("p0", "p2"):
        row[name] = _chances(fields.get(name), f"{place}: {name}")
    try:
        row["board"] = Position.from_id(row["position_id"]).board
    except ParseError as error:
        raise SettingError(f"{place}: {error}") from error
    return row


def _chances(value: object, place: str) -> list[float]:
    if (
        isinstance(value, Sequence)
        and len(value) >= 5
        and all(isinstance(chance, int | float) and 0 <= chance <= 1 for chance in value[:5])
    ):
        return [float(chance) for chance in value[:5]]
    raise SettingError(f"{place} must begin with five chances from 0 to 1, got {value!r:.60}")
