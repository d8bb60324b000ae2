"""Hypergammon by plain iteration over the slow rules: all positions, from nothing, until nothing changes."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

from reference.variants import make
from reference.variants.state import State, side

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
BAR, OFF = 25, 0

# Equity without a cube; win, gammons and backgammons won, gammons and backgammons lost; equities not doubling
# with the cube in the middle and owned by the one on roll, and with the other owning it.
Numbers = tuple[float, ...]
NOTHING: Numbers = (0.0,) * 9


def states(checkers: int) -> list[State]:
    """Every position: where the checkers of both are, no point shared, somebody still there."""
    found = []
    places = list(combinations_with_replacement(range(BAR + 1), checkers))
    for mine, his in product(places, places):
        shared = any(point not in (OFF, BAR) and BAR - point in his for point in mine)
        if shared or (set(mine) == set(his) == {OFF}):
            continue
        found.append(
            State(
                side({point: mine.count(point) for point in range(1, BAR)}),
                side({point: his.count(point) for point in range(1, BAR)}),
                bar=(mine.count(BAR), his.count(BAR)),
                off=(mine.count(OFF), his.count(OFF)),
            )
        )
    return found


def finished(state: State, checkers: int) -> Numbers | None:
    """The numbers of a game that is over."""
    if checkers not in state.off:
        return None
    won = state.off[0] == checkers
    loser_off, home = (state.off[1], state.opp) if won else (state.off[0], state.me)
    on_bar = state.bar[1] if won else state.bar[0]
    gammon = loser_off == 0
    backgammon = gammon and (on_bar > 0 or any(home[19:25]))
    points = 1 + gammon + backgammon
    if won:
        return (points, 1.0, float(gammon), float(backgammon), 0.0, 0.0, points, points, points)
    return (-points, 0.0, 0.0, 0.0, float(gammon), float(backgammon), -points, -points, -points)


def decided(no_double: float, opponent_owned: float) -> float:
    """With the best decision: wait, or double, which the other takes or passes."""
    return max(no_double, min(2 * opponent_owned, 1.0))


def seen_by_mover(after: Numbers) -> Numbers:
    """What a position is worth to him who has just moved, whose opponent it shows."""
    equity, win, won, won_more, lost, lost_more, centred, owned, opponent_owned = after
    return (
        -equity,
        1 - win,
        lost,
        lost_more,
        won,
        won_more,
        -decided(centred, opponent_owned),
        -opponent_owned,  # he owns the cube, which the other sees owned by his opponent
        -decided(owned, opponent_owned),
    )


def iterate(checkers: int) -> list[tuple[dict[str, Any], Numbers]]:
    """The fields of every position, and its numbers."""
    game = make("hypergammon", {"hypergammon.checkers": checkers})
    everything = states(checkers)
    values = {state: finished(state, checkers) or NOTHING for state in everything}
    plays = {
        state: [[after.flip() for after in sorted(game.turn(state, dice), key=repr)] for dice in ROLLS]
        for state in everything
        if finished(state, checkers) is None
    }
    change = 1.0
    while change > 1e-9:
        change = 0.0
        improved = {}
        for state, results in plays.items():
            sums = [0.0] * 9
            for dice, afters in zip(ROLLS, results, strict=True):
                weight = (1 if dice[0] == dice[1] else 2) / 36
                seen = [seen_by_mover(values[after]) for after in afters]
                cubeless = max(seen, key=lambda numbers: numbers[0])
                best = (*cubeless[:6], *(max(numbers[i] for numbers in seen) for i in (6, 7, 8)))
                sums = [total + weight * number for total, number in zip(sums, best, strict=True)]
            improved[state] = tuple(sums)
            pairs = zip(sums, values[state], strict=True)
            change = max(change, *(abs(new - old) for new, old in pairs))
        values |= improved
    return [(fields(state), values[state]) for state in everything]


def fields(state: State) -> dict[str, Any]:
    """The position as the engine reads it."""
    return {
        "me": {point: state.me[point] for point in range(1, 25) if state.me[point]},
        "opp": {point: state.opp[point] for point in range(1, 25) if state.opp[point]},
        "bar": list(state.bar),
        "off": list(state.off),
    }
