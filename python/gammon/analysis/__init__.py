"""Analysis: how good every decision of a match was, and how lucky the dice.

>>> from gammon.analysis import analyse
>>> from gammon.match import Engine, Match, play_match
>>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine(noise=0.3)))
>>> found = analyse(match, plies=0)
>>> worst = found.errors(1)[0]
>>> worst.error > 0.04, found.mark(worst) != "", worst.made.name != worst.best.name
(True, True, True)
"""

from gammon.analysis._decisions import Choice, Decision, Kind, Luck, Skipped
from gammon.analysis._ratings import RATINGS, Rating, RatingRule
from gammon.analysis._result import Analysis, GameSummary, LuckTotals, Totals
from gammon.analysis._run import analyse, count
from gammon.analysis._settings import LuckMark, Mark, Settings, Thresholds
from gammon.analysis._store import Store

__all__ = [
    "RATINGS",
    "Analysis",
    "Choice",
    "Decision",
    "GameSummary",
    "Kind",
    "Luck",
    "LuckMark",
    "LuckTotals",
    "Mark",
    "Rating",
    "RatingRule",
    "Settings",
    "Skipped",
    "Store",
    "Thresholds",
    "Totals",
    "analyse",
    "count",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
