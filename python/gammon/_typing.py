"""Names for what functions take and give."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon._native import Play, Position, Roll, Situation

__all__ = [
    "Boards",
    "Chances",
    "EquityKind",
    "Format",
    "Offer",
    "Phase",
    "PlayLike",
    "Player",
    "PositionLike",
    "Progress",
    "RollLike",
    "Rolls",
    "State",
]

PositionLike: TypeAlias = Position | Situation | str
"""Whatever is taken for a position: a `Position`, a `Situation` or any identifier."""

RollLike: TypeAlias = Roll | str | Sequence[int] | npt.NDArray[np.integer]
"""Whatever is taken for a roll: a `Roll`, a text such as '31', or two numbers."""

PlayLike: TypeAlias = Play | str | Sequence[tuple[int, int]] | npt.NDArray[np.integer]
"""Whatever is taken for a play: a text such as '8/5 6/5', a `Play`, or pairs of points."""

Boards: TypeAlias = npt.NDArray[np.uint8]
"""Many positions, `uint8[n, 2, 25]`: the player on roll first, each from his ace point to the bar."""

Rolls: TypeAlias = npt.NDArray[np.uint8]
"""Many rolls, `uint8[n, 2]`."""

Chances: TypeAlias = npt.NDArray[np.float32]
"""The five chances of many positions, `float32[n, 5]`."""

EquityKind: TypeAlias = Literal[
    "cubeless", "centred_no_double", "centred_best", "owned_no_double", "owned_best", "opponent_owned"
]
"""One of the equities of a two-sided bear-off table."""

Phase: TypeAlias = Literal["over", "bearoff", "race", "crashed", "contact"]
"""What kind of position it is."""

Format: TypeAlias = Literal["xgid", "gnuid", "posid", "fibs", "ogid"]
"""The formats a situation can be written in."""

Offer: TypeAlias = Literal[
    "double", "beaver", "raccoon", "resign-single", "resign-gammon", "resign-backgammon"
]
"""An offer that waits for an answer."""

Player: TypeAlias = Literal["roller", "opponent"]
"""One of the two players, named by whose roll it is."""

State: TypeAlias = Literal["not-started", "playing", "over", "resigned", "dropped"]
"""How far a game has got."""

Progress: TypeAlias = Callable[[int], object]
"""Called some twenty times a second with how much is done; answering with something false stops the work.

`None`, what a function without `return` answers, and whatever is true go on; `False`, numpy's `False_` and 0
stop.

Counted are games in `random_games` and in training, paths in `perft`, steps of the work when a table is
built.
"""
