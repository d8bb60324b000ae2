"""Between arrays of positions and the sides the reference works on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reference.backgammon import BAR, Position, on, with_one_more

ROW = 50  # bytes of one position: 25 counts a side


def board(position: Position) -> NDArray[np.uint8]:
    """One position as ``uint8[2, 25]``, the player on roll first."""
    return np.array(position, dtype=np.uint8)


def boards(positions: Sequence[Position]) -> NDArray[np.uint8]:
    """Many positions as ``uint8[n, 2, 25]``."""
    return np.array(positions, dtype=np.uint8).reshape(-1, 2, 25)


def row(position: Position) -> bytes:
    """The bytes of one position in such an array."""
    me, opponent = position
    return bytes(me + opponent)


def positions(array: NDArray[np.uint8]) -> list[Position]:
    """The positions of an array."""
    return [(tuple(me), tuple(opponent)) for me, opponent in array.tolist()]


def results(array: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Iterator[list[bytes]]:
    """For each pair that was expanded the rows of its results."""
    data = array.tobytes()
    for start, stop in pairwise(offsets.tolist()):
        yield [data[i * ROW : (i + 1) * ROW] for i in range(start, stop)]


def random_position(draw: random.Random) -> Position:
    """Up to fifteen checkers a side anywhere: many bars, many blocked rolls, bear-offs with contact."""
    me: tuple[int, ...] = (0,) * 25
    opponent: tuple[int, ...] = (0,) * 25
    farthest, farthest_opposing = draw.choice([6, 12, 25]), draw.choice([6, 12, 25])
    for _ in range(draw.randint(1, 15)):
        me = with_one_more(me, draw.randint(1, farthest))
    for _ in range(draw.randint(1, 15)):
        point = draw.randint(1, farthest_opposing)
        if point == BAR or on(me, 25 - point) == 0:
            opponent = with_one_more(opponent, point)
    return me, opponent
