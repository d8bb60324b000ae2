"""Backgammon: positions, legal moves, evaluation and rollouts.

>>> import gammon
>>> start = gammon.Position.start()
>>> len(start.plays("31"))
16
"""

from gammon import errors
from gammon._native import Perft, Play, Plays, Position, Roll, build_info, perft, thread_count

__version__: str = build_info()["version"]

__all__ = [
    "Perft",
    "Play",
    "Plays",
    "Position",
    "Roll",
    "__version__",
    "build_info",
    "errors",
    "perft",
    "thread_count",
]
