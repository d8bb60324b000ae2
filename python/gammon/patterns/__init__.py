"""Positions by pattern: which of many positions and decisions are of a kind that is described in a line.

>>> from gammon.match import Engine, Match, play_match
>>> from gammon.patterns import Pattern, find
>>> match = play_match(Match(3, ("A", "B"), seed=8), (Engine(), Engine()))
>>> found = find("race and lead < 0 and kind == play", match)
>>> len(found) > 0, {one.kind for one in found}
(True, {'play'})
>>> import gammon
>>> boards = gammon.Position.start().plays("31").boards
>>> int(Pattern("opp[5] >= 2").fits(boards).sum())
1

A pattern speaks of the player on roll (`me`, or nothing before the name) and the other (`opp`); `NAMES` lists
what it may ask, docs/patterns.md explains it.
"""

from gammon.patterns._columns import NAMES, About
from gammon.patterns._files import Searched, search
from gammon.patterns._find import Found, find
from gammon.patterns._language import Pattern
from gammon.patterns._rows import Rows

__all__ = ["NAMES", "About", "Found", "Pattern", "Rows", "Searched", "find", "search"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
