"""eXtreme Gammon's analysis: candidates, cube decisions, luck, and the rollouts behind them.

An evaluation is seven numbers: lost backgammons, gammons and games, won games, gammons and backgammons, and
an equity, which is cubeful for plays and cubeless for the cube.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon._native import Position, Roll
from gammon.errors import GammonError
from gammon.formats import _xg_levels
from gammon.formats import _xg_records as records
from gammon.match import Candidate, CubeFinding, Evaluation, LuckFinding, PlayFinding
from gammon.match._findings import Five


def position_of(places: npt.NDArray[np.int8], player: int) -> Position:
    """Return the position of 26 signed numbers of player 1's frame, seen by a player, 1 or -1.

    Raises `IllegalPositionError` if they are none.
    """
    numbers = [int(n) for n in places]
    if player != 1:
        numbers = [-n for n in reversed(numbers)]
    roller = {point: n for point, n in enumerate(numbers) if n > 0}
    opponent = {25 - point: -n for point, n in enumerate(numbers) if n < 0}
    return Position.from_points(roller, opponent)


def pairs(numbers: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """Return the moves of eight numbers: from and to, from 0 on; below 0 is off, and no start."""
    found = []
    values = [int(number) for number in numbers]
    for source, target in zip(values[::2], values[1::2], strict=True):
        if not 0 <= source <= 24:
            break
        found.append((source + 1, max(0, min(target + 1, 25))))
    return found


def play_finding(
    found: np.void, before: Position, roll: Roll, after: Position | None, rollouts: Sequence[np.void]
) -> tuple[PlayFinding, ...]:
    """Return the plays that were considered, if any were."""
    analysis = found["analysis"]
    count = max(0, min(int(analysis["count"]), 32))
    if not count:
        return ()
    candidates = []
    chosen = None
    for i in range(count):
        candidate, there = _candidate(analysis, i, int(found["rollouts"][i]), before, roll, rollouts)
        if there == after and chosen is None and after is not None:
            chosen = i
        candidates.append(candidate)
    error = float(found["error"])
    return (PlayFinding(candidates=tuple(candidates), chosen=chosen, error=_error(error)),)


def _candidate(
    analysis: np.void, index: int, rollout: int, before: Position, roll: Roll, rollouts: Sequence[np.void]
) -> tuple[Candidate, Position | None]:
    level = int(analysis["levels"][index]["level"])
    made = rollouts[rollout] if level == _xg_levels.ROLLOUT and 0 <= rollout < len(rollouts) else None
    evaluation = _evaluation(analysis["evaluations"][index], level, made, cubeful=True)
    moves = pairs(analysis["moves"][index])
    try:
        play = before.play(moves, roll) if moves else before.play("", roll)
    except GammonError:
        play = None
    try:
        there: Position | None = position_of(analysis["after"][index], 1).flip()
    except GammonError:
        there = None
    if play is not None and (there is None or play.after == there):
        return Candidate(str(play), evaluation), play.after
    text = " ".join(f"{source}/{target}" for source, target in moves)
    return Candidate(text, evaluation, there), there


def cube_finding(found: np.void, rollouts: Sequence[np.void]) -> CubeFinding | None:
    """Return what is said of the cube, if it was analysed."""
    analysis = found["analysis"]
    level = int(analysis["level"])
    if int(analysis["double"]) == -100 or int(found["level"]) < 0:
        return None
    rollout = int(found["rollout"])
    made = rollouts[rollout] if level == _xg_levels.ROLLOUT and 0 <= rollout < len(rollouts) else None
    equities = [_number(equity) for equity in analysis["equities"]]
    sides = []
    for i, name in enumerate(("no_double", "double_take")):
        evaluation = _evaluation(analysis[name], level, made, cubeful=False, row=i)
        sides.append(_with_equity(evaluation, equities[i]))
    source = sides[0].source
    passed = None if equities[2] is None else Evaluation(source=source, equity=equities[2])
    return CubeFinding(
        no_double=sides[0],
        double_take=sides[1],
        double_pass=passed,
        error=_error(float(found["error"])),
        answer_error=_error(float(found["error_take"])) if int(found["double"]) == 1 else None,
    )


def _with_equity(found: Evaluation, equity: float | None) -> Evaluation:
    return Evaluation(
        source=found.source,
        probs=found.probs,
        cubeless_equity=found.cubeless_equity,
        equity=equity,
        equity_error=found.equity_error,
    )


def luck_finding(found: np.void) -> LuckFinding | None:
    """Return how lucky a roll was, if that was worked out."""
    luck = float(found["luck"])
    if not _is_number(luck) or luck <= records.NOT_ANALYSED:
        return None
    return LuckFinding(source=_xg_levels.source(int(found["level_luck"])), equity=luck)


def _evaluation(
    numbers: npt.NDArray[Any], level: int, rollout: np.void | None, *, cubeful: bool, row: int = 0
) -> Evaluation:
    values = [_number(number) for number in numbers]
    lost_backgammons, lost_gammons, _, won, gammons, backgammons, equity = values
    five = (won, gammons, backgammons, lost_gammons, lost_backgammons)
    known = [number for number in five if number is not None]
    probs: Five | None = (known[0], known[1], known[2], known[3], known[4]) if len(known) == 5 else None
    error = None if rollout is None else _number(rollout["error"][row])
    return Evaluation(
        source=_xg_levels.source(level, rollout),
        probs=probs,
        equity=equity if cubeful else None,
        cubeless_equity=None if cubeful else equity,
        equity_error=None if error is None else error / _xg_levels.INTERVAL,
    )


def _is_number(value: float) -> bool:
    return value - value == 0.0


def _number(value: Any) -> float | None:
    """Return a number, or nothing for those that stand for nothing."""
    number = float(value)
    return number if _is_number(number) and number > records.NOT_ANALYSED else None


def _error(value: float) -> float | None:
    """Return an error, which is stored with either sign."""
    return abs(value) if _is_number(value) and value > records.NOT_ANALYSED else None
