"""Games that begin at a position."""

from __future__ import annotations

import gammon
from gammon.match import Game, Series, Setup


def at(series: Series, id: str) -> Game:
    """A game at a position; whoever it says is on roll."""
    game = series.new_game()
    situation = gammon.parse(id)
    game.add(Setup(situation.seat, situation))
    return game
