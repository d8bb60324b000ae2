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
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon import met as tables
from gammon._native import (
    Play,
    Position,
    RankedPlay,
    Ranking,
    Roll,
    SearchCache,
    Situation,
    rank_at_scores,
    rank_plays,
    rank_rolls,
)
from gammon._typing import Boards, Chances, PositionLike, RollLike, Rolls
from gammon.cube import MetLike
from gammon.errors import SettingError
from gammon.evaluators import Prefilter

__all__ = [
    "FilterLike",
    "Prefilter",
    "RankedPlay",
    "Ranking",
    "Rankings",
    "RollTable",
    "ScoreTable",
    "SearchCache",
    "by_roll",
    "by_score",
    "rank",
    "rank_many",
]


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
    prefilter: Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    max_candidates: int | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Ranking:
    """Rank all legal plays of a roll, best first; without a roll, that of the identifier or situation.

    Every play stays in the list and says at which depth it was judged (`RankedPlay.plies`): those judged more
    deeply come first, equal ones in the order of `Position.plays`. `filter` says which go deeper.
    `max_candidates` cuts the list that comes back, nothing else. Plays that did not pass a `prefilter`
    come last, with its numbers (`RankedPlay.is_prefiltered`).

    Equities are cubeless money points. With `cubeful` they are those of the score and cube of the situation
    (money play with a centred cube for a bare `Position`), per unit of the cube and normalised in a match;
    `met` and `life` are as in `cube.decide`. Without an evaluator the packaged net judges. The result does
    not depend on `threads`, nor on a `cache`.

    Raises `SettingError` for a finished game, a missing roll, plies beyond 4 or an unknown filter, what
    `cube.decide` does for a score, `EvaluatorError` for an unusable answer of an evaluator of your own, and
    whatever that raises itself.
    """
    situation, thrown = _thrown(position, roll)
    score = None
    if cubeful:
        score = situation if isinstance(situation, Situation) else Situation.from_parts(situation)
    return rank_plays(
        situation,
        thrown,
        evaluators.default() if evaluator is None else evaluator,
        plies=plies,
        filter=filter,
        prefilter=prefilter,
        score=score,
        life=life,
        met=tables.load(met) if score is not None and score.length else None,
        max_candidates=max_candidates,
        cache=cache,
        threads=threads,
    )


def _thrown(position: PositionLike, roll: RollLike | None) -> tuple[Situation | Position, RollLike]:
    situation = Situation(position) if isinstance(position, str) else position
    thrown = situation.roll if roll is None and isinstance(situation, Situation) else roll
    if thrown is None:
        raise SettingError("no roll: give one, or a situation whose dice have been thrown")
    return situation, thrown


@dataclass(frozen=True, eq=False)
class Rankings:
    """The plays of many rolls, one decision after the other, each best first.

    Those of decision `i` are the rows `offsets[i]` to `offsets[i + 1]` of the other arrays.
    """

    offsets: npt.NDArray[np.int64]
    """`(n + 1,)`."""
    boards: Boards
    """The positions after the plays, the opponent on roll, `(m, 2, 25)`."""
    equities: npt.NDArray[np.float64]
    """The mover's equities, `(m,)`."""
    probs: Chances
    """The mover's chances, `(m, 5)`."""
    plies: npt.NDArray[np.uint8]
    """The depth at which each was judged, `(m,)`."""
    is_prefiltered: npt.NDArray[np.bool_]
    """Whether only the pre-filter has looked at it, `(m,)`."""

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self.offsets) - 1

    @property
    def best(self) -> Boards:
        """The positions after the best plays, `(n, 2, 25)`."""
        return self.boards[self.offsets[:-1]]

    @property
    def best_equities(self) -> npt.NDArray[np.float64]:
        """The mover's equities after the best plays, `(n,)`."""
        return self.equities[self.offsets[:-1]]


def rank_many(
    boards: Boards,
    rolls: Rolls,
    *,
    plies: int = 0,
    filter: FilterLike = "normal",
    score: Situation | str | None = None,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    max_candidates: int | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Rankings:
    """Rank the legal plays of many rolls in one call: `uint8[n, 2, 25]` and `uint8[n, 2]`.

    Each decision is what `rank` finds. With a `score` all are ranked with its score and cube, the mover
    being the player on roll of that situation; without, by cubeless money points. An unplayable roll has
    one row, the position handed over. `max_candidates` keeps so many rows a decision.

    Raises what `rank` does, and `ArrayError`, `IllegalPositionError` and `IllegalRollError` for rows that
    are no positions and rolls.

    >>> import gammon, numpy as np
    >>> start = np.repeat(gammon.Position.start().board[None], 2, axis=0)
    >>> found = gammon.search.rank_many(start, np.array([[3, 1], [6, 4]], np.uint8))
    >>> len(found), found.offsets.tolist(), found.best.shape
    (2, [0, 16, 30], (2, 2, 25))
    """
    known = Situation(score) if isinstance(score, str) else score
    columns = rank_rolls(
        boards,
        rolls,
        evaluators.default() if evaluator is None else evaluator,
        plies=plies,
        filter=filter,
        prefilter=prefilter,
        score=known,
        life=life,
        met=tables.load(met) if known is not None and known.length else None,
        max_candidates=max_candidates,
        cache=cache,
        threads=threads,
    )
    after, offsets, equities, probs, depths, prefiltered = columns
    return Rankings(offsets, after, equities, probs, depths, prefiltered)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """What the plays of a roll are worth at every score up to some points away, the cube in the middle.

    Row `i` is the mover `i + 1` points away, column `j` the opponent. A score at which one of them alone
    needs a single point is the Crawford game. Equities are normalised, as in `cube.decide`.
    """

    ranking: Ranking
    """All plays, ranked by cubeless money points."""
    best: npt.NDArray[np.int64]
    """The number of the best play in `ranking`, `(size, size)`: of those judged most deeply."""
    equities: npt.NDArray[np.float64]
    """The mover's equity of each play, `(size, size, plays)`."""
    mwc: npt.NDArray[np.float64]
    """His match winning chance, `(size, size, plays)`."""
    money: npt.NDArray[np.float64]
    """His equity in money play, `(plays,)`."""


def by_score(
    position: PositionLike,
    roll: RollLike | None = None,
    size: int = 7,
    *,
    plies: int = 0,
    filter: FilterLike = "normal",
    evaluator: evaluators.Evaluator | None = None,
    prefilter: Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> ScoreTable:
    """Rank the plays of a roll at every score up to `size` points away.

    Chances are searched for once, without a cube; each score then judges them by Janowski's model. A play is
    looked at more deeply if it passes the filter at any of the scores.

    Raises what `rank` does, and `SettingError` for a size that is not from 1 to 64.

    >>> import gammon
    >>> table = gammon.search.by_score("start", "31", 3)
    >>> table.best.shape, str(table.ranking[int(table.best[2, 2])].play)
    ((3, 3), '8/5 6/5')
    """
    situation, thrown = _thrown(position, roll)
    asked = evaluators.default() if evaluator is None else evaluator
    table = tables.load(met)
    found = rank_at_scores(
        situation,
        thrown,
        asked,
        size,
        table,
        plies=plies,
        filter=filter,
        prefilter=prefilter,
        life=life,
        cache=cache,
        threads=threads,
    )
    return ScoreTable(*found)


@dataclass(frozen=True, eq=False)
class RollTable:
    """What each of the 21 rolls is worth to the player on roll after its best play."""

    position: Position
    """Before the throw."""
    rolls: tuple[Roll, ...]
    """The 21 rolls, as `Roll.all()` has them."""
    plays: tuple[Play, ...]
    """The best play of each."""
    equities: npt.NDArray[np.float64]
    """The equity after it, `(21,)`."""

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """How likely each roll is, `(21,)`."""
        return np.array([roll.weight for roll in self.rolls], np.float64) / 36

    @property
    def mean(self) -> float:
        """What the throw is worth: the mean over all rolls."""
        return float(self.weights @ self.equities)

    @property
    def deviation(self) -> float:
        """How much rolls differ: the standard deviation of their equities."""
        return float(np.sqrt(self.weights @ (self.equities - self.mean) ** 2))


def by_roll(
    position: PositionLike,
    *,
    plies: int = 0,
    filter: FilterLike = "normal",
    cubeful: bool = False,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> RollTable:
    """Rank the plays of all 21 rolls and return the best of each; dice that are thrown are not looked at.

    Equities are what `rank` gives. Raises what that does.

    >>> import gammon
    >>> table = gammon.search.by_roll("start")
    >>> len(table.rolls), str(table.plays[table.equities.argmax()]), 0.0 < table.mean < 0.1
    (21, '24/18(2) 13/7(2)', True)
    """
    known = Situation(position) if isinstance(position, str) else position
    here = known if isinstance(known, Position) else known.position
    score = None
    if cubeful:
        score = known if isinstance(known, Situation) else Situation.from_parts(known)
    rolls = Roll.all()
    found = rank_many(
        np.repeat(here.board[None], len(rolls), axis=0),
        np.array([(roll.high, roll.low) for roll in rolls], np.uint8),
        plies=plies,
        filter=filter,
        score=score,
        evaluator=evaluator,
        prefilter=prefilter,
        met=met,
        life=life,
        cache=cache,
        threads=threads,
    )
    after = [Position.from_board(board).id for board in found.best]
    plays = tuple(
        next(play for play in here.plays(roll) if play.after.id == wanted)
        for roll, wanted in zip(rolls, after, strict=True)
    )
    return RollTable(here, rolls, plays, found.best_equities)
