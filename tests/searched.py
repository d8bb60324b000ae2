"""What is searched in the tests of patterns: positions of every kind, matches, and all that is in them."""

from __future__ import annotations

import random
from typing import Any

import gammon
from boards import board, random_position
from gammon.match import Engine, Match, play_match
from random_matches import random_session


def positions(count: int = 400) -> list[gammon.Position]:
    """Positions of every kind."""
    draw = random.Random(5)
    found = [gammon.Position.start()]
    for seed in range(count // 4):
        found += [gammon.Position.random(phase, seed) for phase in ("contact", "race", "bearoff")]
        found.append(gammon.Position.from_board(board(random_position(draw))))
    return found


MANY = positions()


def played(seed: int, length: int) -> Match:
    """A match in which much goes wrong."""
    match = Match(length, ("A", "B"), seed=seed)
    play_match(match, (Engine(noise=0.5, seed=1), Engine(noise=0.5, seed=2)))
    return match


SERIES: list[Any] = [played(3, 5), played(4, 3), random_session(5, 8)]


def told(series: Any) -> list[tuple[Any, Any, int]]:
    """All throws, plays and cube actions, with the game and the throw's number."""
    found = []
    for game in series.games:
        turn = 0
        for moment in game:
            turn += moment.record.kind == "roll" or (
                moment.record.kind == "cube" and moment.record.action == "double"
            )
            if moment.record.kind in ("roll", "play", "cube"):
                found.append((game, moment, turn))
    return found
