"""``gnubg-nn``: GNU Backgammon's move generator and nets as a Python extension.

Its board is [opponent, player on roll]; ``moves`` gives the keys of the distinct results, none for an
unplayable roll. Evaluations are cached, so no position is shown twice.
"""

from __future__ import annotations

from random import Random

from adapters.task import Task
from adapters.work import Part, fresh
from sets import ROLLS, START, Board

DISTRIBUTION = "gnubg-nn"

GAMES = 100
EVALUATIONS = 5_000

ALL = Part(2_000)
FEW = Part(50)


def board(position: Board) -> list[list[int]]:
    roller, opponent = position
    return [list(opponent), list(roller)]


def tasks() -> list[Task]:
    import gnubg_nn

    def expand(boards: list[list[list[int]]]) -> int:
        moves, results = gnubg_nn.moves, 0
        for board in boards:
            for high, low in ROLLS:
                results += len(moves(board, high, low)) or 1
        return results

    def play(seed: int) -> int:
        rng, plies = Random(seed), 0
        for _ in range(GAMES):
            position = board(START)
            dice = rng.sample(range(1, 7), 2)
            while True:
                keys = gnubg_nn.moves(position, *dice)
                plies += 1
                if keys:
                    waiting, mover = gnubg_nn.board_from_position_key(rng.choice(keys))
                    if not any(mover):
                        break
                    position = [list(mover), list(waiting)]
                else:
                    position.reverse()
                dice = [rng.randint(1, 6), rng.randint(1, 6)]
        return plies

    def evaluate(boards: list[list[list[int]]]) -> int:
        return len([gnubg_nn.probabilities(board, 0) for board in boards])

    def decide(boards: list[list[list[int]]]) -> int:
        return len([gnubg_nn.best_move(board, *roll) for board in boards for roll in ROLLS])

    boards = [board(position) for position in ALL.boards(0)]
    return [
        Task(
            DISTRIBUTION,
            "moves()",
            "expansions",
            ALL.expansions,
            expand,
            prepare=lambda call: boards,
            expected=ALL.results,
        ),
        Task(DISTRIBUTION, "games, plays from moves()", "games", GAMES, play),
        Task(
            DISTRIBUTION,
            "probabilities(board, 0)",
            "evaluations",
            EVALUATIONS,
            evaluate,
            prepare=lambda call: [board(position) for position in fresh(EVALUATIONS, call)],
            expected=lambda call: EVALUATIONS,
        ),
        Task(
            DISTRIBUTION,
            "best_move(), 0-ply, prunes",
            "decisions",
            FEW.expansions,
            decide,
            prepare=lambda call: [board(position) for position in FEW.boards(call)],
            expected=lambda call: FEW.expansions,
        ),
    ]
