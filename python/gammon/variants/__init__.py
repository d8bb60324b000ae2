"""The other games of the family: rules, plays, counts and random games of each.

>>> from gammon import variants
>>> plakoto = variants.get("plakoto")
>>> sorted(str(play) for play in plakoto.start.plays("65"))
['24/18 18/13', '24/18 24/19']
>>> plakoto.perft(1).paths
59

Every position is seen by the player to act. In most games he throws and moves; the stages of a Gul bara
cascade, the double that an acey-deucey earns, and Trictrac's choice between staying and leaving are decisions
of their own: `position.asks` says what is to be done, and `play.again` whether the same player acts once
more.
"""

from gammon.variants._evaluate import evaluate
from gammon.variants._game import OptionValue as OptionValue
from gammon.variants._game import Variant, get, mark, names, parse
from gammon.variants._matches import EcrireMatch, MatchGame, Round, TavliMatch, VariantMatch
from gammon.variants._plays import RankedVariantPlay, VariantPlay, VariantPlays
from gammon.variants._position import VariantPosition
from gammon.variants._steps import Place as Place
from gammon.variants._values import VariantEvent, VariantGames, VariantResult, VariantValue

__all__ = [
    "EcrireMatch",
    "MatchGame",
    "RankedVariantPlay",
    "Round",
    "TavliMatch",
    "Variant",
    "VariantEvent",
    "VariantGames",
    "VariantMatch",
    "VariantPlay",
    "VariantPlays",
    "VariantPosition",
    "VariantResult",
    "VariantValue",
    "evaluate",
    "get",
    "mark",
    "names",
    "parse",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
