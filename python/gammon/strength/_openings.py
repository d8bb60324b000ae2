"""What an evaluator plays first."""

import gammon
from gammon import evaluators
from gammon._native import RankedPlay, Roll

__all__ = ["openings"]


def openings(
    evaluator: evaluators.Evaluator | None = None, *, plies: int = 0, threads: int | None = None
) -> dict[Roll, RankedPlay]:
    """Return the play an evaluator likes best for each of the 15 opening rolls, by cubeless equity.

    Without an evaluator the packaged one chooses.

    Raises what `gammon.rank` does.

    >>> import gammon
    >>> from gammon import strength
    >>> first = strength.openings()
    >>> len(first), str(first[gammon.Roll(3, 1)].play)
    (15, '8/5 6/5')
    """
    return {
        roll: gammon.rank("start", roll, plies=plies, evaluator=evaluator, threads=threads).best
        for roll in Roll.all()
        if not roll.is_double
    }
