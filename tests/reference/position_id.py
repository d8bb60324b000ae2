"""GNU Backgammon position ids, read and written bit by bit.

Eighty bits, the lowest bit of each byte first, in base64 without padding: first the opponent, then the
player on roll; each point from the owner's ace point to his bar is one 1 for every checker, then a 0.
"""

from __future__ import annotations

import base64

from .backgammon import Position, Side


def decode(text: str) -> Position:
    """The position of this id, the player on roll first."""
    data = base64.b64decode(text + "==")
    bits = [byte >> i & 1 for byte in data for i in range(8)]
    sides: list[Side] = []
    for _ in range(2):
        counts = []
        for _ in range(25):
            count = bits.index(0)
            counts.append(count)
            bits = bits[count + 1 :]
        sides.append(tuple(counts))
    opponent, me = sides
    return me, opponent


def encode(position: Position) -> str:
    """The id of this position."""
    me, opponent = position
    bits = [bit for count in (*opponent, *me) for bit in [1] * count + [0]]
    bits += [0] * (80 - len(bits))
    data = bytes(sum(bits[start + i] << i for i in range(8)) for start in range(0, 80, 8))
    return base64.b64encode(data).decode().rstrip("=")
