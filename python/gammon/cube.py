"""Cube decisions: whether to double, take, pass or beaver, and what each error costs.

>>> import gammon
>>> from gammon import cube
>>> last_roll = gammon.parse("XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10")
>>> decision = cube.decide(last_roll, (6 / 36, 0, 0, 0, 0), life=0)
>>> decision.label, round(decision.no_double_equity, 3), round(decision.double_take_equity, 3)
('no double, beaver', -0.667, -1.333)

Equities are those of the player on roll, per unit of the cube's present value. In a match they are normalised
(winning the cube now is 1, losing it -1) and `decision.mwc(equity)` gives the match winning chance.
"""

import os
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon import evaluators
from gammon import met as tables
from gammon._native import (
    CubeDecision,
    CubeDecisions,
    CubePoints,
    Met,
    Position,
    SearchCache,
    Situation,
    cube_decision,
    cube_decisions,
    cube_matrix,
    cube_points,
    search_cube,
    search_cubes,
)
from gammon._typing import Boards
from gammon.errors import SettingError

__all__ = [
    "CubeDecision",
    "CubeDecisions",
    "CubePoints",
    "chances",
    "decide",
    "decide_boards",
    "decide_many",
    "matrix",
    "points",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


MetLike = Met | str | os.PathLike[str]
Chances = Sequence[float] | npt.NDArray[np.floating]


def chances(
    situation: Situation | Position | str,
    evaluator: evaluators.Evaluator | None = None,
    *,
    plies: int = 0,
    prefilter: evaluators.Prefilter | None = None,
    threads: int | None = None,
) -> tuple[float, float, float, float, float]:
    """Return the five chances of the player on roll, cubeless, by default without lookahead."""
    position = situation if isinstance(situation, Position) else Position(situation)
    found = evaluators.evaluate(
        position.board[None], evaluator, plies=plies, prefilter=prefilter, threads=threads
    )
    row = found[0]
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(chance) for chance in row)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


def decide(
    situation: Situation | str,
    probs: Chances | None = None,
    *,
    plies: int = 0,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: evaluators.Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> CubeDecision:
    """Decide about the cube before the player on roll throws.

    `probs` are the five chances of the player on roll; without them `evaluator` (by default the packaged net)
    gives them. With `plies` a cubeful search so many rolls deep gives the equities, in which both may double
    on the way, and beaver where that is played. An evaluator with a two-sided bear-off table, such as
    `evaluators.composite()`, gives exact equities in money play where its table reaches. `life` is
    Janowski's cube life, 0 for a dead and 1 for a live cube; by default it depends on the phase. A match
    is judged by `met`; in a table for unequal players the first player is the one in seat 1.

    That no double may be offered (the Crawford game, the other's cube, a dead cube, the limit) is an answer:
    `decision.refusal`. Raises `CubeError` for a finished game, thrown dice, five numbers that are no chances,
    or a pending double that was not allowed.
    """
    known = Situation(situation) if isinstance(situation, str) else situation
    if probs is not None:
        if plies:
            raise SettingError("plies are looked ahead to find chances: give either probs or plies")
        return cube_decision(known, _five(probs), life=life, met=_table(known, met))
    return search_cube(
        known,
        evaluators.default() if evaluator is None else evaluator,
        plies=plies,
        prefilter=prefilter,
        life=life,
        met=_table(known, met),
        cache=cache,
        threads=threads,
    )


def decide_boards(
    score: Situation | str,
    boards: Boards,
    *,
    plies: int = 0,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: evaluators.Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> CubeDecisions:
    """Decide about the cube in many positions, `uint8[n, 2, 25]`, each as `decide` does, in one call.

    All are at the score and with the cube of one situation, seen by the player on roll in the positions.
    Raises what `decide` does, and `ArrayError` or `IllegalPositionError` for rows that are no positions.
    """
    known = Situation(score) if isinstance(score, str) else score
    return search_cubes(
        known,
        boards,
        evaluators.default() if evaluator is None else evaluator,
        plies=plies,
        prefilter=prefilter,
        life=life,
        met=_table(known, met),
        cache=cache,
        threads=threads,
    )


def points(
    situation: Situation | str,
    probs: Chances | None = None,
    *,
    evaluator: evaluators.Evaluator | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
) -> CubePoints:
    """Return the chances to win at which decisions change, with the mix of gammons that `probs` has."""
    known = Situation(situation) if isinstance(situation, str) else situation
    five = _five(chances(known, evaluator) if probs is None else probs)
    return cube_points(known, five, life=life, met=_table(known, met))


def decide_many(
    score: Situation | str,
    probs: npt.NDArray[np.float32],
    life: float | npt.NDArray[np.float64],
    *,
    met: MetLike = tables.DEFAULT,
    threads: int | None = None,
) -> CubeDecisions:
    """Decide about the cube in many positions at the score and with the cube of one situation."""
    known = Situation(score) if isinstance(score, str) else score
    return cube_decisions(known, probs, life, met=_table(known, met), threads=threads)


def matrix(
    position: Position | Situation | str,
    size: int,
    probs: Chances | None = None,
    *,
    plies: int = 0,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: evaluators.Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    threads: int | None = None,
) -> list[list[CubeDecision]]:
    """Decide the same position with a centred cube at every score up to `size` points away.

    Row `i` is the player on roll `i + 1` points away, column `j` the opponent. A score at which one
    player alone needs a single point is the Crawford game. Chances are looked for once, with `plies` some
    rolls ahead and without a cube; each score then judges them by the model.

    Raises `SettingError` for a size that is not from 1 to 64, and what `decide` does.
    """
    here = position if isinstance(position, Position) else Position(position)
    if probs is not None and plies:
        raise SettingError("plies are looked ahead to find chances: give either probs or plies")
    found = (
        chances(here, evaluator, plies=plies, prefilter=prefilter, threads=threads)
        if probs is None
        else probs
    )
    return cube_matrix(here, _five(found), size, tables.load(met), life=life)


def _five(probs: Chances) -> tuple[float, float, float, float, float]:
    if len(probs) != 5:
        raise SettingError(f"probs must be five chances, got {len(probs)}")
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(chance) for chance in probs)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


def _table(situation: Situation, met: MetLike) -> Met | None:
    return tables.load(met) if situation.length else None
