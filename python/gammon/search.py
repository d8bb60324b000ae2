"""Lookahead: which play is best, judged some rolls ahead.

>>> import gammon
>>> ranking = gammon.rank("4HPwATDgc/ABMA", "31", plies=1)
>>> str(ranking.best.play), ranking.best.plies, len(ranking)
('8/5 6/5', 1, 16)

A value at 0 plies is the evaluator's own; each ply looks one roll further (eXtreme Gammon and some other
programs call the first of them 1-ply). At n plies it is the mean over the 21 rolls of the value at n - 1
plies after the reply that the evaluator itself likes best.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from gammon import evaluators
from gammon import met as tables
from gammon._native import RankedPlay, Ranking, SearchCache, Situation, rank_plays
from gammon._typing import PositionLike, RollLike
from gammon.cube import MetLike
from gammon.errors import SettingError

__all__ = ["FilterLike", "RankedPlay", "Ranking", "SearchCache", "rank"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


FilterLike: TypeAlias = Literal["narrow", "normal", "wide", "all"] | Sequence[tuple[int, int, float]]
"""Which plays are looked at more deeply: a name, or `(least, most, within)` for each ply."""

Sequence.register(Ranking)


def rank(
    position: PositionLike,
    roll: RollLike | None = None,
    *,
    plies: int = 0,
    filter: FilterLike = "normal",
    cubeful: bool = False,
    evaluator: evaluators.Evaluator | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Ranking:
    """Rank all legal plays of a roll, best first; without a roll, that of the identifier or situation.

    Every play stays in the list and says at which depth it was judged (`RankedPlay.plies`): those judged more
    deeply come first, equal ones in the order of `Position.plays`. `filter` says which go deeper.

    Equities are cubeless money points. With `cubeful` they are those of the score and cube of the situation
    (money play with a centred cube for a bare `Position`), per unit of the cube and normalised in a match;
    `met` and `life` are as in `cube.decide`. Without an evaluator the packaged net judges. The result does
    not depend on `threads`, nor on a `cache`.

    Raises `SettingError` for a finished game, a missing roll, plies beyond 4 or an unknown filter, what
    `cube.decide` does for a score, `EvaluatorError` for an unusable answer of an evaluator of your own, and
    whatever that raises itself.
    """
    situation = Situation(position) if isinstance(position, str) else position
    thrown = situation.roll if roll is None and isinstance(situation, Situation) else roll
    if thrown is None:
        raise SettingError("no roll: give one, or a situation whose dice have been thrown")
    score = None
    if cubeful:
        score = situation if isinstance(situation, Situation) else Situation.from_parts(situation)
    return rank_plays(
        situation,
        thrown,
        evaluators.default() if evaluator is None else evaluator,
        plies=plies,
        filter=filter,
        score=score,
        life=life,
        met=tables.load(met) if score is not None and score.length else None,
        cache=cache,
        threads=threads,
    )
