"""Backgammon: positions, legal moves, evaluation and rollouts.

>>> import gammon
>>> start = gammon.Position.start()
>>> len(start.plays("31"))
16
"""

from gammon import errors
from gammon._native import (
    Perft,
    Play,
    Plays,
    Position,
    RandomGames,
    Roll,
    build_info,
    expand,
    perft,
    random_games,
    thread_count,
)

__version__: str = build_info()["version"]

__all__ = [
    "Perft",
    "Play",
    "Plays",
    "Position",
    "RandomGames",
    "Roll",
    "__version__",
    "build_info",
    "errors",
    "expand",
    "perft",
    "random_games",
    "thread_count",
]
