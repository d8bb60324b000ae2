"""Matches and sessions played at random, with everything that can happen in them."""

from __future__ import annotations

import random

from gammon.match import Decider, Game, Match, Series, Session, carry_out, play_match


def random_player(seed: int, *, doubles: float = 0.15, resigns: float = 0.01) -> Decider:
    """A player who may do anything: any legal play, doubles, resignations, settlements, answers."""
    chance = random.Random(seed)

    def decide(game: Game) -> object:
        actions = list(game.actions)
        if "resign" in actions and chance.random() < resigns:
            return chance.choice(["resign", "resign-gammon", "resign-backgammon"])
        if "settle" in actions and chance.random() < resigns:
            most = 3 * game.state.cube
            return "settle", chance.randint(-most, most)
        if "play" in actions:
            return chance.choice(list(game.plays))
        if "double" in actions and chance.random() < doubles:
            return "double"
        if "roll" in actions:
            return "roll"
        answers = [action for action in actions if action not in ("resign", "settle")]
        return chance.choice([*answers, "take"] if "take" in answers else answers)

    return decide  # type: ignore[return-value]


def random_match(seed: int, length: int | None = None) -> Match:
    """A match played to its end."""
    points = random.Random(seed).choice([1, 2, 3, 5]) if length is None else length
    match = Match(points, ("A", "B"), seed=seed)
    play_match(match, (random_player(2 * seed), random_player(2 * seed + 1)))
    return match


def random_session(seed: int, games: int = 2) -> Session:
    """A money session with beavers, raccoons, settlements and automatic doubles."""
    chance = random.Random(seed)
    session = Session(
        ("A", "B"),
        seed=seed,
        jacoby=chance.random() < 0.5,
        raccoons=chance.random() < 0.5,
        settlement=chance.random() < 0.5,
        auto_doubles=chance.choice([0, 1, None]),
        six_six_triples=chance.random() < 0.3,
        opening=chance.choice(["use_dice", "reroll"]),
    )
    play_match(session, (random_player(2 * seed), random_player(2 * seed + 1)), games=games)
    return session


__all__ = ["Series", "carry_out", "random_match", "random_player", "random_session"]
