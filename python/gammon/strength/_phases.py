"""Kinds of position that a reference set tells apart, by features alone."""

from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

import gammon
from gammon._typing import Boards

__all__ = ["GAME_PHASES", "GamePhase", "game_phases"]

GamePhase: TypeAlias = Literal[
    "race", "crashed", "prime against prime", "back game", "bear-in", "blitz", "opening", "contact"
]

GAME_PHASES: tuple[GamePhase, ...] = get_args(GamePhase)
"""The kinds, in the order in which they are tried: a position is of the first that fits."""

Bits: TypeAlias = npt.NDArray[np.bool_]


def game_phases(boards: Boards) -> npt.NDArray[np.intp]:
    """Return the kind of each position as its place in `GAME_PHASES`; -1 for finished games.

    Features are those of `gammon.features`. What is said of a side may be true of either.

    - race: no contact.
    - crashed: `phase` is crashed: a side has at most six checkers that are still of use.
    - prime against prime: each side holds four or more neighbouring points, with a checker of the other
      behind them.
    - back game: a side has two or more anchors in the other's home board and is 25 pips or more behind.
    - bear-in: a side has all its checkers on its own points 1 to 12, and the other has some behind them.
    - blitz: a side is on the bar, without an anchor, against three or more points in the home board.
    - opening: each side has more than 140 pips to go.
    - contact: all else.

    >>> import gammon
    >>> from gammon.strength import GAME_PHASES, game_phases
    >>> GAME_PHASES[game_phases(gammon.Position.start().board[None])[0]]
    'opening'
    """
    features = gammon.features(boards)
    names = np.array(gammon.PHASES)[features.phase]
    pips = features.pips.astype(np.int64)
    rearmost = _rearmost(boards)
    other = [1, 0]
    tests: dict[GamePhase, Bits] = {
        "race": (names == "race") | (names == "bearoff"),
        "crashed": names == "crashed",
        "prime against prime": _both(_traps(boards)),
        "back game": _either((features.anchors >= 2) & (pips - pips[:, other] >= 25)),
        "bear-in": _either(rearmost <= 12),
        "blitz": _either(
            (features.bar >= 1) & (features.anchors == 0) & (features.home_points[:, other] >= 3)
        ),
        "opening": _both(pips > 140),
        "contact": names == "contact",
    }
    kinds = np.argmax([tests[name] for name in GAME_PHASES], axis=0)
    return np.where(names == "over", -1, kinds)


def _rearmost(boards: Boards) -> npt.NDArray[np.intp]:
    """The point of each side's rearmost checker, 25 for the bar, 0 without any: `[n, 2]`."""
    any_there = boards[:, :, ::-1] > 0
    found: npt.NDArray[np.intp] = np.where(any_there.any(axis=2), 25 - any_there.argmax(axis=2), 0)
    return found


def _traps(boards: Boards) -> Bits:
    """Whether each side holds four or more neighbouring points with a checker of the other behind them."""
    # The other's rearmost checker is that nearest to the owner's ace point: 25 less its own number there.
    deepest = 25 - _rearmost(boards)[:, ::-1]
    made = boards[:, :, :24] >= 2
    four = made[:, :, :-3] & made[:, :, 1:-2] & made[:, :, 2:-1] & made[:, :, 3:]
    # A prime that begins on point p has it behind if it stands below p.
    behind = four & (np.arange(1, 22) > deepest[:, :, None])
    found: Bits = np.logical_or.reduce(behind, axis=2)
    return found


def _either(sides: Bits) -> Bits:
    """Whether it is true of a side."""
    found: Bits = np.logical_or(sides[:, 0], sides[:, 1])
    return found


def _both(sides: Bits) -> Bits:
    """Whether it is true of both sides."""
    found: Bits = np.logical_and(sides[:, 0], sides[:, 1])
    return found
