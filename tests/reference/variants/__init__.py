"""The other games of the family, one module a game, written from their rules and slow on purpose.

`make(name, options)` gives the rules of one game; `state` says how a position is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference.variants import (
    acey_deucey,
    backgammon,
    dutch,
    fevga,
    gul_bara,
    jacquet,
    kirik_tavla,
    nardi_long,
    plakoto,
    tavla,
    trictrac,
)
from reference.variants.turns import Game

GAMES: dict[str, type[Game]] = {
    game.name: game
    for game in (
        backgammon.Backgammon,
        backgammon.Nackgammon,
        backgammon.Longgammon,
        backgammon.Hypergammon,
        backgammon.Portes,
        backgammon.NardiShort,
        tavla.Tavla,
        kirik_tavla.KirikTavla,
        dutch.Dutch,
        acey_deucey.AceyDeucey,
        plakoto.Plakoto,
        fevga.Fevga,
        nardi_long.NardiLong,
        gul_bara.GulBara,
        jacquet.Jacquet,
        trictrac.Trictrac,
    )
}


def make(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The rules of this game; options are named as the rules name them, `fevga.start_quarter` say."""
    return GAMES[name](options or {})
