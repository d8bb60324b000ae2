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

from gammon import (
    analysis,
    anki,
    bearoff,
    cube,
    errors,
    evaluators,
    formats,
    hypergammon,
    match,
    met,
    patterns,
    rollout,
    search,
    strength,
    training,
    ubgi,
    variants,
    viz,
)
from gammon._native import (
    PHASES,
    CubeDecision,
    CubeDecisions,
    CubePoints,
    Features,
    Met,
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
from gammon.search import rank

Sequence.register(Plays)

__version__: str = build_info()["version"]

__all__ = [
    "PHASES",
    "CubeDecision",
    "CubeDecisions",
    "CubePoints",
    "Features",
    "Met",
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
    "analysis",
    "anki",
    "bearoff",
    "build_info",
    "cube",
    "errors",
    "evaluate",
    "evaluators",
    "expand",
    "features",
    "formats",
    "hypergammon",
    "match",
    "met",
    "parse",
    "patterns",
    "perft",
    "random_games",
    "rank",
    "rollout",
    "search",
    "shots",
    "strength",
    "thread_count",
    "training",
    "ubgi",
    "variants",
    "viz",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
