"""``bgsage``: the Open Sage engine.

A board is 26 numbers, the mover's checkers positive on his points 1 to 24 and on 25, his bar; 0 is the
opponent's bar. ``possible_moves`` gives the distinct results, seen by the same side; for an unplayable roll
the board as it is.
"""

from __future__ import annotations

from random import Random
from typing import Any

from adapters.task import Task
from adapters.work import Part, fresh
from sets import ROLLS, START, Board

DISTRIBUTION = "bgsage"

GAMES = 30
EVALUATIONS = 5_000
DECISIONS = 40

ALL = Part(2_000)
FEW = Part(DECISIONS)


def board(position: Board) -> list[int]:
    roller, opponent = position
    points = [roller[i] - opponent[23 - i] for i in range(24)]
    return [opponent[24], *points, roller[24]]


def tasks() -> list[Task]:
    import bgsage

    def expand(boards: list[list[int]]) -> int:
        moves, results = bgsage.possible_moves, 0
        for board in boards:
            for high, low in ROLLS:
                results += len(moves(board, high, low))
        return results

    def play(seed: int) -> int:
        rng, plies = Random(seed), 0
        for _ in range(GAMES):
            position = board(START)
            dice = rng.sample(range(1, 7), 2)
            while True:
                after = rng.choice(bgsage.possible_moves(position, *dice))
                plies += 1
                if bgsage.check_game_over(after):
                    break
                position = bgsage.flip_board(after)
                dice = [rng.randint(1, 6), rng.randint(1, 6)]
        return plies

    def moved(position: Board) -> dict[str, Any]:
        roller, opponent = position
        return {"board": board((opponent, roller)), "cube_owner": "centered"}

    def evaluate(positions: list[dict[str, Any]]) -> int:
        return len(bgsage.batch_post_move_evaluate(positions, "1ply", n_threads=1))

    def decide(positions: list[dict[str, Any]]) -> int:
        ranked = bgsage.batch_checker_play(positions, "1ply", n_threads=1)
        return sum(len(decision.moves) or 1 for decision in ranked)

    def decisions(call: int) -> list[dict[str, Any]]:
        return [
            {"board": board(position), "die1": high, "die2": low, "cube_value": 1, "cube_owner": "centered"}
            for position in FEW.boards(call)
            for high, low in ROLLS
        ]

    boards = [board(position) for position in ALL.boards(0)]
    return [
        Task(
            DISTRIBUTION,
            "possible_moves()",
            "expansions",
            ALL.expansions,
            expand,
            prepare=lambda call: boards,
            expected=ALL.results,
        ),
        Task(DISTRIBUTION, "games, plays from possible_moves()", "games", GAMES, play),
        Task(
            DISTRIBUTION,
            "batch_post_move_evaluate(5,000)",
            "evaluations",
            EVALUATIONS,
            evaluate,
            prepare=lambda call: [moved(position) for position in fresh(EVALUATIONS, call)],
            expected=lambda call: EVALUATIONS,
        ),
        Task(
            DISTRIBUTION,
            "batch_checker_play(840), 1ply",
            "decisions",
            FEW.expansions,
            decide,
            prepare=decisions,
            expected=FEW.results,
        ),
    ]
