"""Input for the adapters: parts of the speed positions and what they should give."""

from __future__ import annotations

import sets


class Part:
    """So many of the speed positions at a time, the next ones each call, round and round."""

    def __init__(self, size: int, rolls: list[tuple[int, int]] = sets.ROLLS) -> None:
        self.size = size
        self.rolls = rolls
        self.columns = [sets.ROLLS.index(roll) for roll in rolls]

    @property
    def expansions(self) -> int:
        """Expansions of a call."""
        return self.size * len(self.rolls)

    def places(self, call: int) -> slice:
        """Which positions it is the turn of."""
        first = call * self.size % len(sets.speed_boards())
        return slice(first, first + self.size)

    def boards(self, call: int) -> list[sets.Board]:
        """The positions of a call."""
        return sets.speed_boards()[self.places(call)]

    def results(self, call: int) -> int:
        """Distinct results of a call's expansions; an unplayable roll has one."""
        return int(sets.counts()[self.places(call)][:, self.columns].sum())


def fresh(size: int, call: int) -> list[sets.Board]:
    """Positions that no earlier call was given, until all of some 200,000 have been."""
    boards = sets.fresh_boards()
    first = call * size % (len(boards) - size)
    return [(tuple(roller), tuple(opponent)) for roller, opponent in boards[first : first + size].tolist()]
