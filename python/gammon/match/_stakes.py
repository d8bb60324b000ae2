"""What the end of a game is worth in a match."""

from gammon._native import Met
from gammon.match._state import State, Terms, scores


def match_chance(met: Met, terms: Terms, state: State, seat: int, points: int) -> float:
    """Return a player's chance to win the match once he has won these points in this game, or lost them.

    Points below 0 are the opponent's. In a table for unequal players the first one is in seat 1.
    """
    mine, theirs = scores(terms, state)[seat], scores(terms, state)[1 - seat]
    away = terms.length - int(mine) - max(points, 0)
    other = terms.length - int(theirs) - max(-points, 0)
    if away <= 0 or other <= 0:
        return 1.0 if away <= 0 else 0.0
    played = terms.crawford or terms.post_crawford or not terms.rules.crawford
    table = met if seat == 1 else met.exchanged()
    return table.mwc(away, other, crawford=min(away, other) == 1 and not played)


def match_scale(met: Met, terms: Terms, state: State, seat: int) -> tuple[float, float]:
    """Return a player's match chances if he wins, and if he loses, what the cube shows: equities 1 and -1."""
    cube = state.cube
    return match_chance(met, terms, state, seat, cube), match_chance(met, terms, state, seat, -cube)
