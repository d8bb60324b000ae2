"""What puts numbers on positions: nets, or any object of your own.

>>> import numpy as np
>>> class Pips:
...     id = "pips"
...
...     def evaluate(self, boards):
...         pips = gammon.features(boards).pips.astype(np.float32)
...         chances = np.zeros((len(boards), 5), np.float32)
...         chances[:, 0] = pips[:, 1] / pips.sum(axis=1)
...         return chances
>>> gammon.evaluate(gammon.Position.start().board[None], Pips())
array([[0.5, 0. , 0. , 0. , 0. ]], dtype=float32)
"""

import functools
import os
import tomllib
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from gammon import _data
from gammon._native import Net, SearchCache, evaluate_with, search_values
from gammon._typing import Boards

__all__ = ["Evaluator", "Net", "default", "evaluate", "load"]


@runtime_checkable
class Evaluator(Protocol):
    """Anything that can evaluate: always a batch, answered in its order."""

    @property
    def id(self) -> str:
        """A short name for results to carry."""

    def evaluate(self, boards: Boards, /) -> npt.NDArray[np.float32]:
        """Return the chances of the player on roll in each position, who is yet to throw.

        Five columns, each including the next: games won, gammons won, backgammons won; then gammons lost and
        backgammons lost.
        """


@functools.cache
def default() -> Net:
    """Return the net shipped with the package."""
    manifest = tomllib.loads(_data.packaged("nets", "manifest.toml").read_text())
    return Net(_data.packaged("nets", manifest["default"]).read_bytes())


def load(path: str | os.PathLike[str]) -> Net:
    """Read a net file, such as `gammon train` writes."""
    return Net(Path(path).read_bytes())


def evaluate(
    boards: Boards,
    evaluator: Evaluator | None = None,
    *,
    plies: int = 0,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.float32]:
    """Return the chances of the player on roll in each position: `float32[n, 5]`.

    The columns are games won, gammons and backgammons won, gammons and backgammons lost, cumulative as most
    programs print them. Without an evaluator the packaged net answers.
    """
    return evaluate_with(boards, default() if evaluator is None else evaluator, threads=threads)
