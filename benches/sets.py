"""What the benches work on: the speed positions, rolls, and the counts that every run must reach."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gammon

#: Two sides of 25 counts, each from its own ace point, the bar last: player on roll, opponent.
Board = tuple[tuple[int, ...], tuple[int, ...]]
Boards = NDArray[np.uint8]
Rolls = NDArray[np.uint8]

#: The 21 rolls, the larger die first.
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

#: Distinct results of the 2,000 positions with every roll; an unplayable roll has one.
RESULTS = 913_440

START: Board = ((0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, *[0] * 10, 2, 0),) * 2


@cache
def speed_ids() -> list[str]:
    """The 2,000 Position IDs of ``positions/speed_positions.txt``: contact, both sides with ten or more."""
    return (Path(__file__).parent / "positions" / "speed_positions.txt").read_text().split()


def decode(position_id: str) -> Board:
    """The board of a Position ID, read without ``gammon``.

    The ID is 80 bits in base64, the lowest bit of each byte first: for the opponent and then the player on
    roll, each of 25 counts as so many ones and a zero.
    """
    data = int.from_bytes(base64.b64decode(position_id + "=="), "little")
    ones = format(data, "080b")[::-1].split("0")
    counts = tuple(map(len, ones[:50]))
    return counts[25:], counts[:25]


@cache
def speed_boards() -> list[Board]:
    """The speed positions as plain tuples."""
    return [decode(position_id) for position_id in speed_ids()]


def array(boards: list[Board]) -> Boards:
    """The boards as ``uint8[n, 2, 25]``."""
    return np.array(boards, dtype=np.uint8).reshape(-1, 2, 25)


def with_rolls(boards: Boards, rolls: list[tuple[int, int]] = ROLLS) -> tuple[Boards, Rolls]:
    """Every board with every roll."""
    return np.repeat(boards, len(rolls), axis=0), np.tile(np.array(rolls, dtype=np.uint8), (len(boards), 1))


@cache
def expansions() -> tuple[Boards, Rolls]:
    """The 42,000 pairs of a speed position and a roll."""
    return with_rolls(array(speed_boards()))


@cache
def counts() -> NDArray[np.int64]:
    """How many results each speed position (row) has with each roll (column)."""
    _, offsets = gammon.expand(*expansions(), threads=1)
    assert offsets[-1] == RESULTS
    return np.diff(offsets).reshape(-1, len(ROLLS))


@cache
def fresh_boards() -> Boards:
    """Different positions in random order, to be evaluated once each: results of the expansions."""
    results, _ = gammon.expand(*expansions(), threads=1)
    return np.random.default_rng(1).permutation(np.unique(results[::4], axis=0))
