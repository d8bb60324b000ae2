"""Another engine's side of the line: run by the interpreter that has the engine, without gammon.

Usage: python _worker.py ENGINE PLIES. A line of JSON comes in, a line of JSON goes out; arrays are base64 of
their bytes, boards 50 bytes each: the player on roll first, each side from its ace point to the bar.
"""

from __future__ import annotations

import base64
import importlib
import importlib.metadata
import json
import os
import sys
import time
from array import array
from typing import Any

Side = tuple[int, ...]
Board = tuple[Side, Side]


class Gnubg:
    """The `gnubg` package: GNU Backgammon as an extension module."""

    narrow = (8, 0.16)

    def __init__(self, plies: int) -> None:
        gnubg = self.engine = importlib.import_module("gnubg")
        self.money = {**gnubg.cube_info(), "jacoby": 0, "gammonprice": ((1.0, 1.0), (1.0, 1.0))}
        self.contexts = [gnubg.eval_context(0, depth, 1, 1, 0.0) for depth in range(plies + 1)]
        self.id = "gnubg package " + gnubg.__version__

    def prepare(self, boards: list[Board]) -> list[Any]:
        return [(opponent, roller) for roller, opponent in boards]

    def evaluate(self, prepared: list[Any], plies: int) -> list[Any]:
        evaluate, money, context = self.engine.evaluate, self.money, self.contexts[plies]
        return [evaluate(board, money, context) for board in prepared]

    def chances(self, answers: list[Any]) -> list[float]:
        return [number for answer in answers for number in answer[:5]]

    def prepare_decisions(self, boards: list[Board], rolls: list[tuple[int, int]]) -> list[Any]:
        return [*zip(self.prepare(boards), rolls, strict=True)]

    def decide(self, prepared: list[Any]) -> int:
        ranked, money, context = self.engine.find_best_moves, self.money, self.contexts[0]
        return sum(len(ranked(board, money, context, roll)) or 1 for board, roll in prepared)


class Bgsage:
    """The `bgsage` package: Open Sage. It calls an evaluation without lookahead 1-ply."""

    narrow = (5, 0.08)

    def __init__(self, plies: int) -> None:
        self.engine = importlib.import_module("bgsage")
        self.id = "bgsage " + importlib.metadata.version("bgsage")

    def prepare(self, boards: list[Board]) -> list[Any]:
        # It wants positions as the player who has just moved sees them: our opponent.
        return [
            {"board": self.board(opponent, roller), "cube_owner": "centered"} for roller, opponent in boards
        ]

    @staticmethod
    def board(mover: Side, other: Side) -> list[int]:
        points = [mover[i] - other[23 - i] for i in range(24)]
        return [other[24], *points, mover[24]]

    def evaluate(self, prepared: list[Any], plies: int) -> list[Any]:
        level = f"{plies + 1}ply"
        found: list[Any] = self.engine.batch_post_move_evaluate(prepared, level, n_threads=1, jacoby=False)
        return found

    def chances(self, answers: list[Any]) -> list[float]:
        numbers: list[float] = []
        for answer in answers:
            p = answer.probs
            numbers += (1 - p.win, p.gammon_loss, p.backgammon_loss, p.gammon_win, p.backgammon_win)
        return numbers

    def prepare_decisions(self, boards: list[Board], rolls: list[tuple[int, int]]) -> list[Any]:
        cube = {"cube_value": 1, "cube_owner": "centered"}
        return [
            {"board": self.board(*board), "die1": roll[0], "die2": roll[1], **cube}
            for board, roll in zip(boards, rolls, strict=True)
        ]

    def decide(self, prepared: list[Any]) -> int:
        ranked = self.engine.batch_checker_play(prepared, "1ply", n_threads=1, jacoby=False)
        return sum(len(decision.moves) or 1 for decision in ranked)


ENGINES: dict[str, type[Gnubg] | type[Bgsage]] = {"gnubg": Gnubg, "bgsage": Bgsage}


def boards_of(text: str) -> list[Board]:
    """Both sides of each board, as tuples."""
    data = base64.b64decode(text)
    return [(tuple(data[i : i + 25]), tuple(data[i + 25 : i + 50])) for i in range(0, len(data), 50)]


def answer(engine: Gnubg | Bgsage, request: dict[str, Any]) -> dict[str, Any]:
    """What a request is answered with; `seconds` is CPU time of the engine alone."""
    boards = boards_of(request["boards"])
    if "rolls" in request:
        dice = base64.b64decode(request["rolls"])
        prepared = engine.prepare_decisions(boards, [*zip(dice[::2], dice[1::2], strict=True)])
        begun = time.process_time()
        count = engine.decide(prepared)
        return {"seconds": time.process_time() - begun, "count": count}
    prepared = engine.prepare(boards)
    begun = time.process_time()
    found = engine.evaluate(prepared, request["plies"])
    seconds = time.process_time() - begun
    return {"seconds": seconds, "chances": base64.b64encode(array("f", engine.chances(found))).decode()}


def main() -> None:
    """Answer until the other side hangs up."""
    # What the engine prints must not get into the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    engine = ENGINES[sys.argv[1]](int(sys.argv[2]))
    greeting = {"id": engine.id, "narrow": engine.narrow}
    print(json.dumps(greeting), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(engine, json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
