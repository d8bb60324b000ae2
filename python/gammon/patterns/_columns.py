"""What a pattern may ask of a position or a decision, by name."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gammon._native import PHASES

Kind: TypeAlias = Literal["number", "flag", "text"]

SIDES = ("me", "opp")
"""The player on roll, and the other."""

BAR = 25
"""The number of the bar among a player's points."""


@dataclass(frozen=True, slots=True)
class About:
    """What a name stands for."""

    kind: Kind
    """A number, something that is so or not, or a text."""
    text: str
    by_side: bool = False
    """Whether each player has one: `me.pips` (or just `pips`) and `opp.pips`."""
    of_game: bool = False
    """Whether a position alone does not have it."""
    words: tuple[str, ...] = ()
    """The texts there are, if they are few."""


KINDS = ("roll", "play", "double", "take", "pass", "beaver", "raccoon")
"""What was done: 'roll' is throwing without a double."""


def _side(text: str, kind: Kind = "number", *, of_game: bool = False) -> About:
    return About(kind, text, by_side=True, of_game=of_game)


NAMES: dict[str, About] = {
    "pips": _side("pips still needed"),
    "bar": _side("checkers on the bar"),
    "off": _side("checkers borne off"),
    "home": _side("checkers in the own home board, points 1 to 6"),
    "back": _side("checkers in the opponent's home board and on the bar, points 19 to 25"),
    "blots": _side("single checkers"),
    "points": _side("points made, of all 24"),
    "home_points": _side("points made in the own home board"),
    "anchors": _side("points made in the opponent's home board"),
    "prime": _side("length of the longest row of points made"),
    "stack": _side("checkers on the fullest point"),
    "crunched": _side("whether at most six checkers are still of use", "flag"),
    "shots": _side("rolls of 36 that hit one of this player's blots"),
    "lead": About("number", "pips by which the player on roll is ahead"),
    "phase": About("text", "kind of position", words=PHASES),
    "race": About("flag", "no contact any more"),
    "contact": About("flag", "there is contact"),
    "score": _side("points so far", of_game=True),
    "away": _side("points to go; 0 in money play", of_game=True),
    "length": About("number", "points of the match; 0 is money play", of_game=True),
    "money": About("flag", "money play", of_game=True),
    "crawford": About("flag", "the Crawford game", of_game=True),
    "post_crawford": About("flag", "a game after the Crawford game", of_game=True),
    "cube": About("number", "the cube, before a double that waits for an answer", of_game=True),
    "owner": About("text", "who has the cube", of_game=True, words=("me", "opp", "none")),
    "roll": About("number", "dice to be played, as 31; 0 before the throw", of_game=True),
    "doubles": About("flag", "two dice alike to be played", of_game=True),
    "kind": About("text", "what was done", of_game=True, words=KINDS),
    "made": About("text", "the play as it is written, or as `kind`", of_game=True),
    "hit": About("flag", "the play hit", of_game=True),
    "error": About("number", "what it lost, in equity, if it was judged", of_game=True),
    "luck": About("number", "luck of the roll, in equity, if it was judged", of_game=True),
    "player": About("text", "name of the player who decided", of_game=True),
    "opponent": About("text", "name of the other", of_game=True),
    "seat": About("number", "seat of the player who decided, 0 or 1", of_game=True),
    "game": About("number", "number of the game", of_game=True),
    "turn": About("number", "number of the throw in its game", of_game=True),
}
"""Every name of the language; besides there are `me[1]` to `me[25]` and `opp[1]` to `opp[25]`."""
