"""The end of the race, exactly: bear-off tables, race chances and the counts people use.

Tables are built on first use, in well under a second for the default sizes, and kept in the cache folder.
Several processes may build the same table at once; a damaged file is built again.

>>> import gammon.bearoff
>>> table = gammon.bearoff.one_sided()
>>> round(table.probe([7]).mean_rolls, 7), round(table.probe([13]).epc, 4)
(3.5509259, 50.0)
>>> race = gammon.bearoff.race()
>>> boards = gammon.Position.from_points({1: 3}, {1: 3}).board[None]
>>> round(float(race.evaluate(boards)[0, 0]), 4)
0.8611
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from gammon import _data
from gammon._native import (
    Bearoff,
    Equities,
    OneSided,
    Race,
    RaceCount,
    TwoSided,
    epc_verdict,
    race_count_columns,
    race_counts,
)
from gammon._typing import Boards, Progress
from gammon.errors import TableFormatError

__all__ = [
    "Bearoff",
    "CountColumns",
    "Equities",
    "OneSided",
    "Race",
    "RaceCount",
    "TwoSided",
    "count",
    "counts",
    "epc_verdict",
    "one_sided",
    "race",
    "table_path",
    "two_sided",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


Storage = Literal["u16", "f32"]
Method = Literal["pips", "kleinman", "thorp", "ward", "keith", "trice", "isight"]


class CountColumns(TypedDict):
    """Positions counted by one method."""

    counts: npt.NDArray[np.float64]
    """Adjusted counts, `(n, 2)`, the player on roll first."""
    double: npt.NDArray[np.bool_]
    """Double with the cube in the middle."""
    redouble: npt.NDArray[np.bool_]
    """Redouble with the cube owned."""
    take: npt.NDArray[np.bool_]
    """Take a double."""
    win: npt.NDArray[np.float64]
    """Chance to win; not a number where the method gives none."""


def table_path(kind: Literal["one", "two"], points: int, checkers: int, storage: Storage = "u16") -> Path:
    """Return where a table is kept in the cache folder."""
    suffix = f"-{storage}" if kind == "two" else ""
    return _data.cache_folder() / "bearoff" / f"{kind}-sided-{points}x{checkers}{suffix}.bo"


def one_sided(
    points: int = 6,
    checkers: int = 15,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    save: bool = True,
) -> OneSided:
    """Return a one-sided table: from the cache folder, else built and, if `save`, kept there."""

    def build() -> OneSided:
        return OneSided.build(points, checkers, threads=threads, progress=progress)

    return _cached(table_path("one", points, checkers), OneSided.open, build, save)


def two_sided(
    points: int = 6,
    checkers: int = 6,
    *,
    storage: Storage = "u16",
    threads: int | None = None,
    progress: Progress | None = None,
    save: bool = True,
) -> TwoSided:
    """Return a two-sided table: from the cache folder, else built and, if `save`, kept there."""

    def build() -> TwoSided:
        return TwoSided.build(points, checkers, storage=storage, threads=threads, progress=progress)

    return _cached(table_path("two", points, checkers, storage), TwoSided.open, build, save)


Table = TypeVar("Table", OneSided, TwoSided)


def _cached(path: Path, read: Callable[[Path], Table], build: Callable[[], Table], save: bool) -> Table:
    try:
        return read(path)
    except (FileNotFoundError, TableFormatError):
        table = build()
    if save:
        try:
            table.save(path)
        except OSError:
            # A cache that cannot be written is no reason to refuse the table.
            return table
    return table


@functools.cache
def race() -> Race:
    """Return the evaluator of race positions on the default tables.

    Exact where both sides have at most 6 checkers, all at home; otherwise each side is taken to play for its
    fewest mean rolls, which are exact for checkers at home and estimated for others.
    """
    return Race(one_sided(), two_sided(storage="f32"))


def counts(position: Any) -> list[RaceCount]:
    """Return the position counted by every method: adjusted counts, verdict on the cube, chance to win."""
    return race_counts(position)


def count(boards: Boards, method: Method) -> CountColumns:
    """Return many positions counted by one method, as columns."""
    columns: CountColumns = race_count_columns(boards, method)
    return columns
