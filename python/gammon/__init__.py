"""Backgammon: positions, legal moves, evaluation and rollouts.

>>> import gammon
>>> start = gammon.Position.start()
>>> plays = start.plays("31")
>>> len(plays), plays.is_forced
(16, False)
>>> start.play("8/5 6/5", "31").after.pip_count
(167, 163)
"""

from collections.abc import Sequence

from gammon import errors, evaluators, rollout, training, viz
from gammon._native import (
    PHASES,
    Features,
    Net,
    Perft,
    Play,
    Plays,
    Position,
    RandomGames,
    Roll,
    Situation,
    Step,
    build_info,
    expand,
    features,
    parse,
    perft,
    random_games,
    shots,
    thread_count,
)
from gammon.evaluators import evaluate

Sequence.register(Plays)

__version__: str = build_info()["version"]

__all__ = [
    "PHASES",
    "Features",
    "Net",
    "Perft",
    "Play",
    "Plays",
    "Position",
    "RandomGames",
    "Roll",
    "Situation",
    "Step",
    "__version__",
    "build_info",
    "errors",
    "evaluate",
    "evaluators",
    "expand",
    "features",
    "parse",
    "perft",
    "random_games",
    "rollout",
    "shots",
    "thread_count",
    "training",
    "viz",
]
