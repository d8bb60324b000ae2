"""Matches: who starts, and the Tavli cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

CYCLE = ("portes", "plakoto", "fevga")


def opening(mode: str, dice: tuple[int, int]) -> dict[str, Any]:
    """Who starts after one die each, and whether those dice are played."""
    return {"starter": "me" if dice[0] > dice[1] else "opp", "uses_opening_dice": mode == "use_dice"}


def tavli(options: Mapping[str, Any], games: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The state of a Tavli match after these games."""
    best_of_three = options.get("tavli.mode", "race") == "best_of_three"
    target = options.get("tavli.target", 7)
    score, wins = {"me": 0, "opp": 0}, {"me": 0, "opp": 0}
    place, starter = 0, "roll"
    for game in games:
        if game["winner"] is None:
            starter = "roll"
            place += not best_of_three
            continue
        score[game["winner"]] += game["points"]
        wins[game["winner"]] += 1
        starter = game["winner"]
        place += 1
    reached = {who for who in ("me", "opp") if (wins[who] >= 2 if best_of_three else score[who] >= target)}
    state: dict[str, Any] = {
        "score": [score["me"], score["opp"]],
        "over": bool(reached),
        "winner": next(iter(reached), None),
    }
    return state if reached else state | {"next": CYCLE[place % 3], "starter": starter}


def ecrire(rounds: int, games: Sequence[tuple[int, int, int]]) -> dict[str, Any]:
    """Rounds "a ecrire", each given by the holes of both and the winner's longest run of holes.

    The sum of the payments (what "me" gets, less what he pays), rounds won, draws of the round being
    played, and who throws first in it, "me" having begun.
    """
    paid, won, draws = 0, 0, 0
    for mine, his, run in games:
        assert won < rounds, "no round is left"
        if mine == his:
            draws += 1
            continue
        k = 4 if run >= 12 else 2 if run >= 6 else 1
        payment = k * max(mine, his) - min(mine, his) + 2 * k * 2**draws
        paid += payment if mine > his else -payment
        won, draws = won + 1, 0
    return {"paid": paid, "won": won, "draws": draws, "first": "me" if won % 2 == 0 else "opp"}
