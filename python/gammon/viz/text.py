"""The board in plain text, as a terminal shows it."""

from gammon._native import Position

__all__ = ["board"]

_ROWS = 5
"""Checkers drawn on a point before a number says how many there are."""


def board(position: Position) -> str:
    """Draw the position seen by the player on roll, who plays X and moves towards point 1.

    A point with more than five checkers shows their number nearest to the middle of the board.

    >>> print(board(Position.start()))
     13 14 15 16 17 18     19 20 21 22 23 24
    +-----------------+---+-----------------+
    | X           O   |   | O           X   |  O: 167 pips
    ...
    """
    roller, opponent = position.board.tolist()
    columns = {point: (roller[point - 1], opponent[24 - point]) for point in range(1, 25)}
    bar = (roller[24], opponent[24])
    pips, off = position.pip_count, position.borne_off

    top = [_line(row, range(13, 25), columns, (0, bar[1])) for row in range(_ROWS)]
    bottom = [_line(row, range(12, 0, -1), columns, (bar[0], 0)) for row in reversed(range(_ROWS))]
    notes = [f"O: {pips[1]} pips"] + ([f"   {off[1]} off"] if off[1] else [])
    for row, note in enumerate(notes):
        top[row] += "  " + note
    notes = ([f"   {off[0]} off"] if off[0] else []) + [f"X: {pips[0]} pips, on roll"]
    for row, note in enumerate(reversed(notes)):
        bottom[-1 - row] += "  " + note
    edge = "+" + "-" * 18 + "+---+" + "-" * 18 + "+"
    middle = "|" + " " * 18 + "|bar|" + " " * 18 + "|"
    lines = [_numbers(range(13, 25)), edge, *top, middle, *bottom, edge, _numbers(range(12, 0, -1))]
    return "\n".join(line.rstrip() for line in lines)


def _numbers(points: range) -> str:
    cells = [f"{point:>3}" for point in points]
    return " " + "".join(cells[:6]) + "     " + "".join(cells[6:])


def _line(row: int, points: range, columns: dict[int, tuple[int, int]], bar: tuple[int, int]) -> str:
    cells = [f"{_cell(row, *columns[point]):>2} " for point in points]
    return "|" + "".join(cells[:6]) + "|" + f"{_cell(row, *bar):>2} " + "|" + "".join(cells[6:]) + "|"


def _cell(row: int, roller: int, opponent: int) -> str:
    """What stands at one height of a point: a checker, the number of a tall stack, or nothing."""
    count = max(roller, opponent)
    if row == _ROWS - 1 and count > _ROWS:
        return str(count)
    if row >= count:
        return ""
    return "X" if roller else "O"
