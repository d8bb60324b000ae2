"""Turns counted: the number of the throw that each record of a game belongs to."""

from collections.abc import Sequence

from gammon.match._records import AnyRecord, CubeAction, Rolled

__all__ = ["turns"]


def turns(records: Sequence[AnyRecord]) -> tuple[int, ...]:
    """Return for each record the number of its throw in the game, from 1.

    A play has the number of the throw that is played, what is done with the cube that of the throw before
    which it is done.
    """
    found = []
    thrown = 0
    for record in records:
        thrown += isinstance(record, Rolled)
        found.append(thrown + 1 if isinstance(record, CubeAction) else max(thrown, 1))
    return tuple(found)
