"""Names for what functions take and give."""

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon._native import Play, Position, Roll, Situation

__all__ = ["Boards", "Phase", "PlayLike", "PositionLike", "Progress", "RollLike", "Rolls"]

PositionLike: TypeAlias = Position | Situation | str
"""Whatever is taken for a position: a `Position`, a `Situation` or any identifier."""

RollLike: TypeAlias = Roll | str | tuple[int, int] | npt.NDArray[np.integer]
"""Whatever is taken for a roll: a `Roll`, a text such as '31', or two numbers."""

PlayLike: TypeAlias = Play | str | list[tuple[int, int]]
"""Whatever is taken for a play: a `Play`, a text such as '8/5 6/5', or pairs of points."""

Boards: TypeAlias = npt.NDArray[np.uint8]
"""Many positions, `uint8[n, 2, 25]`: the player on roll first, each from his ace point to the bar."""

Rolls: TypeAlias = npt.NDArray[np.uint8]
"""Many rolls, `uint8[n, 2]`."""

Phase: TypeAlias = Literal["over", "bearoff", "race", "crashed", "contact"]
"""What kind of position it is."""

Progress: TypeAlias = Callable[[int], object]
"""Called some twenty times a second with the number of finished blocks; returning `False` stops the work."""
