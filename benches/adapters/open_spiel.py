"""OpenSpiel (``open_spiel``): games for research, backgammon among them.

A state cannot be set up from Python, so the positions are those of its own random games; gammon
expands the same ones for the count to compare with. A double is played as two halves of two dice; the results
are those of the second half.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import gammon
from adapters.task import Task
from sets import ROLLS, Board, array, with_rolls

DISTRIBUTION = "open_spiel"

GAMES = 20
POSITIONS = 20
BAR = 100


def board(state: Any, player: int) -> Board:
    """The position of a state with this player on roll. Player 0 moves upwards, player 1 downwards."""
    sides = [
        (*(state.board(0, 23 - i) for i in range(24)), state.board(0, BAR)),
        (*(state.board(1, i) for i in range(24)), state.board(1, BAR)),
    ]
    return sides[player], sides[1 - player]


def tasks() -> list[Task]:
    import pyspiel

    backgammon = pyspiel.load_game("backgammon")

    def turns(rng: Random) -> list[Any]:
        """States of a random game before each roll but the first."""
        state, states = backgammon.new_initial_state(), []
        while not state.is_terminal():
            if state.is_chance_node():
                states.append(state.clone())
                rolls, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(rolls, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return states[1:]

    def play(seed: int) -> int:
        rng = Random(seed)
        return sum(len(turns(rng)) + 1 for _ in range(GAMES))

    @cache
    def rolls() -> list[int]:
        """One chance outcome for each of the 21 rolls; it has all 36 throws."""
        state = turns(Random(0))[0]
        dice = {}
        for action, _ in state.chance_outcomes():
            line = next(line for line in str(state.child(action)).splitlines() if line.startswith("Dice"))
            dice["".join(sorted(line.removeprefix("Dice: ")))] = action
        assert len(dice) == len(ROLLS)
        return list(dice.values())

    @cache
    def states(call: int) -> list[Any]:
        rng = Random(call)
        chosen = []
        while len(chosen) < POSITIONS:
            game = turns(rng)
            # As in the set of the others: from ply 6 on, contact, ten checkers a side.
            fit = [state for state in game[5:] if in_play(board(state, 0))]
            if fit:
                chosen.append(rng.choice(fit))
        return chosen

    def in_play(position: Board) -> bool:
        contact = not gammon.Position.from_board(array([position])[0]).is_race
        return contact and min(map(sum, position)) >= 10

    def expected(call: int) -> int:
        boards = []
        for state in states(call):
            after_roll = state.child(rolls()[0])
            boards.append(board(state, after_roll.current_player()))
        _, offsets = gammon.expand(*with_rolls(array(boards)), threads=1)
        return int(offsets[-1])

    def legal(states: list[Any]) -> int:
        for state in states:
            for roll in rolls():
                rolled = state.clone()
                rolled.apply_action(roll)
                rolled.legal_actions()
        return 0

    def expand(states: list[Any]) -> int:
        results = 0
        for state in states:
            for roll in rolls():
                rolled = state.child(roll)
                player = rolled.current_player()
                after, halves = set(), [rolled]
                for half in halves:
                    for action in half.legal_actions():
                        child = half.child(action)
                        if child.current_player() == player:
                            halves.append(child)
                        else:
                            after.add(str(child))
                results += len(after)
        return results

    expansions = POSITIONS * len(ROLLS)
    return [
        Task(
            DISTRIBUTION,
            "clone, roll, legal_actions()",
            "expansions",
            expansions,
            legal,
            prepare=states,
            note="ids of actions, not results; doubles half",
        ),
        Task(
            DISTRIBUTION,
            "every action applied, distinct",
            "expansions",
            expansions,
            expand,
            prepare=states,
            expected=expected,
            note="own positions",
        ),
        Task(DISTRIBUTION, "games, actions at random", "games", GAMES, play, note="uniform over actions"),
    ]
