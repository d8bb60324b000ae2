"""gammon itself, asked the ways its users and its peers' users ask."""

from __future__ import annotations

import json
import subprocess

import gammon
from adapters import makebearoff
from adapters.task import Measured, Task
from sets import RESULTS, ROLLS, Boards, array, expansions, fresh_boards, speed_boards

DISTRIBUTION = "gammon"

#: Names the ratios are taken to.
CORE, BATCH, SINGLE = "Rust core, buffer reused", "expand(), 256 a call", "position.plays(roll)"

GAMES = 10_000
EVALUATIONS = 16_384

PAIRS = len(speed_boards()) * len(ROLLS)


def core_task(command: list[str]) -> Task:
    """The generator alone, without Python: ``cargo bench``'s program measures it, once a round."""

    def measured() -> Measured:
        output = subprocess.run(
            [*command, "--only", "contact", "--rounds", "1", "--json"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        row = next(row for row in json.loads(output) if row["name"] == "contact")
        return Measured(row["seconds_per_unit"] * row["units"], row["units"], row["count"], RESULTS)

    return Task(DISTRIBUTION, CORE, "expansions", PAIRS, run=lambda call: 0, measured=measured)


def tasks() -> list[Task]:
    boards, rolls = expansions()
    positions = [gammon.Position.from_board(board) for board in array(speed_boards())]
    all_rolls = [gammon.Roll(*roll) for roll in ROLLS]

    def expand(size: int) -> int:
        results = 0
        for first in range(0, len(boards), size):
            batch = slice(first, first + size)
            results += int(gammon.expand(boards[batch], rolls[batch], threads=1)[1][-1])
        return results

    def single(call: int) -> int:
        results = 0
        for position in positions:
            for roll in all_rolls:
                results += len(position.plays(roll))
        return results

    def play(seed: int) -> int:
        return int(gammon.random_games(GAMES, seed, threads=1).turns.sum())

    def evaluate(boards: Boards) -> int:
        return len(gammon.evaluate(boards, threads=1))

    def fresh(call: int) -> Boards:
        boards = fresh_boards()
        first = call * EVALUATIONS % (len(boards) - EVALUATIONS)
        return boards[first : first + EVALUATIONS]

    def batch(size: int, name: str) -> Task:
        return Task(
            DISTRIBUTION,
            name,
            "expansions",
            PAIRS,
            lambda call: expand(size),
            expected=lambda call: RESULTS,
        )

    return [
        batch(256, BATCH),
        batch(4_096, "expand(), 4,096 a call"),
        batch(PAIRS, "expand(), 42,000 a call"),
        Task(DISTRIBUTION, SINGLE, "expansions", PAIRS, single, expected=lambda call: RESULTS),
        Task(DISTRIBUTION, "random_games(10,000)", "games", GAMES, play),
        Task(
            DISTRIBUTION,
            "evaluate(), 16,384 a call",
            "evaluations",
            EVALUATIONS,
            evaluate,
            prepare=fresh,
            expected=lambda call: EVALUATIONS,
        ),
        *makebearoff.our_tasks(),
    ]
