"""``gnubg``: the GNU Backgammon program as a Python extension.

It generates moves only together with their evaluation, so that is a decision, not an expansion: the list
holds every distinct result and is empty for an unplayable roll. Evaluations are cached, so no position is
evaluated twice.
"""

from __future__ import annotations

from typing import Any

from adapters.task import Task
from adapters.work import Part, fresh
from sets import ROLLS, Board

DISTRIBUTION = "gnubg"

EVALUATIONS = 5_000

FEW = Part(50)


def board(position: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    roller, opponent = position
    return opponent, roller


def tasks() -> list[Task]:
    import gnubg

    money = gnubg.cube_info()
    cubeless_0_ply = gnubg.eval_context(0, 0, 1, 0, 0.0)

    def evaluate(boards: list[Any]) -> int:
        return len([gnubg.evaluate(board, money, cubeless_0_ply) for board in boards])

    def decide(boards: list[Any]) -> int:
        ranked, results = gnubg.find_best_moves, 0
        for board in boards:
            for roll in ROLLS:
                results += len(ranked(board, money, cubeless_0_ply, roll)) or 1
        return results

    return [
        Task(
            DISTRIBUTION,
            "evaluate(), 0-ply",
            "evaluations",
            EVALUATIONS,
            evaluate,
            prepare=lambda call: [board(position) for position in fresh(EVALUATIONS, call)],
            expected=lambda call: EVALUATIONS,
        ),
        Task(
            DISTRIBUTION,
            "find_best_moves(), 0-ply",
            "decisions",
            FEW.expansions,
            decide,
            prepare=lambda call: [board(position) for position in FEW.boards(call)],
            expected=FEW.results,
        ),
    ]
