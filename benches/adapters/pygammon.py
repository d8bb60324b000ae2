"""``pygammon``: a game to be played by two callables.

It has no list of plays. What it can say is how many dice can be played, by trying on copies of the game,
and it stops at the first full play; doubles, which try far more, are left out. Where it says none, gammon
must find a pass.
"""

from __future__ import annotations

from typing import Any

import gammon
from adapters.task import Task
from adapters.work import Part
from sets import ROLLS, Board, array

DISTRIBUTION = "pygammon"

FEW = Part(10, [roll for roll in ROLLS if roll[0] != roll[1]])


def tasks() -> list[Task]:
    from pygammon.core import Game
    from pygammon.structures import Point, Side

    def game(position: Board) -> Any:
        roller, opponent = position
        game = Game(Side.FIRST)
        game.board = [
            Point(Side.FIRST, roller[i])
            if roller[i]
            else Point(Side.SECOND, opponent[23 - i])
            if opponent[23 - i]
            else Point()
            for i in range(24)
        ]
        for side, counts in ((Side.FIRST, roller), (Side.SECOND, opponent)):
            game.players[side].hit = counts[24]
            game.players[side].borne = 15 - sum(counts)
        return game

    def passes(games: list[Any]) -> int:
        count = 0
        for game in games:
            for game.dice in FEW.rolls:
                count += game.get_max_move_count() == 0
        return count

    def expected(call: int) -> int:
        positions = [gammon.Position.from_board(board) for board in array(FEW.boards(call))]
        return sum(position.plays(roll).is_pass for position in positions for roll in FEW.rolls)

    return [
        Task(
            DISTRIBUTION,
            "get_max_move_count(), no doubles",
            "expansions",
            FEW.expansions,
            passes,
            prepare=lambda call: [game(position) for position in FEW.boards(call)],
            expected=expected,
            note="finds no results; passes are checked",
        )
    ]
