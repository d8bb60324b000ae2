"""``gym-backgammon``: an environment in plain Python, for the old ``gym``.

``get_valid_plays`` lists sequences of moves, many with the same result. To know the results each play has to
be carried out and taken back; that is the second row.
"""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from typing import Any

from adapters.task import Task
from adapters.work import Part
from sets import ROLLS, Board

DISTRIBUTION = "gym-backgammon"

GAMES = 8
MANY, FEW = Part(50), Part(10)


def tasks() -> list[Task]:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        from gym_backgammon.envs.backgammon import BLACK, WHITE, Backgammon
        from gym_backgammon.envs.backgammon_env import BackgammonEnv

        env = BackgammonEnv()

    def game(position: Board) -> Any:
        """White is on roll and moves towards index 0, with negative dice."""
        roller, opponent = position
        game = Backgammon()
        game.board = [
            (roller[i], WHITE) if roller[i] else (opponent[23 - i], BLACK) if opponent[23 - i] else (0, None)
            for i in range(24)
        ]
        game.bar = [roller[24], opponent[24]]
        game.off = [15 - sum(roller), 15 - sum(opponent)]
        game.players_positions = game.get_players_positions()
        return game

    def plays(games: list[Any]) -> int:
        for game in games:
            for high, low in ROLLS:
                game.get_valid_plays(WHITE, (-high, -low))
        return 0

    def expand(games: list[Any]) -> int:
        results = 0
        for game in games:
            before = game.save_state()
            for high, low in ROLLS:
                after = set()
                for play in game.get_valid_plays(WHITE, (-high, -low)):
                    game.execute_play(WHITE, play)
                    after.add((tuple(game.board), tuple(game.bar), tuple(game.off)))
                    game.restore_state(before)
                results += len(after) or 1
        return results

    def play(seed: int) -> int:
        random.seed(seed)
        plies = 0
        for _ in range(GAMES):
            _, roll, _ = env.reset()
            done = False
            while not done:
                actions = sorted(env.get_valid_actions(roll), key=str)
                _, _, done, _ = env.step(random.choice(actions) if actions else None)
                plies += 1
                agent = env.get_opponent_agent()
                sign = -1 if agent == WHITE else 1
                roll = (sign * random.randint(1, 6), sign * random.randint(1, 6))
        return plies

    return [
        Task(
            DISTRIBUTION,
            "get_valid_plays() alone",
            "expansions",
            MANY.expansions,
            plays,
            prepare=lambda call: [game(position) for position in MANY.boards(call)],
            note="lists plays, not results",
        ),
        Task(
            DISTRIBUTION,
            "plays, carried out, distinct",
            "expansions",
            FEW.expansions,
            expand,
            prepare=lambda call: [game(position) for position in FEW.boards(call)],
            expected=FEW.results,
        ),
        Task(DISTRIBUTION, "games, with its features", "games", GAMES, play),
    ]
