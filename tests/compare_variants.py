"""Engine and slow reference on random positions and throws of every game.

`python tests/compare_variants.py --pairs 20000` compares as many for each game; the tests compare a few.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gammon import variants
from gammon.variants import Variant, VariantPlay, VariantPosition
from reference.variants import make
from reference.variants.nodes import THROW, Node, decide, ended, node
from reference.variants.trictrac import Trictrac
from reference.variants.turns import Game

# Each game by default, and with options so that every one of them is met.
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("nackgammon", {}),
    ("longgammon", {}),
    ("hypergammon", {}),
    ("hypergammon", {"hypergammon.checkers": 1}),
    ("portes", {}),
    ("portes", {"portes.hit_and_run": "forbidden_home", "portes.triple": True}),
    ("plakoto", {}),
    ("plakoto", {"plakoto.mother_rule": False, "plakoto.bear_off_with_pin": "home_pin_ok"}),
    ("plakoto", {"plakoto.mother_points": 1}),
    ("fevga", {}),
    ("fevga", {"fevga.start_quarter": "unless_passed", "fevga.start_front": True}),
    ("fevga", {"fevga.start_quarter": "free", "fevga.runner": "none", "fevga.prime_open": False}),
    ("fevga", {"fevga.preset": "moultezim"}),
    ("tavla", {}),
    ("tavla", {"tavla.triple": True}),
    ("tavla", {"tavla.preset": "rulebook"}),
    ("kirik_tavla", {}),
    ("kirik_tavla", {"kirik.entry": "standard", "kirik.six_hit_mars": True}),
    ("gul_bara", {}),
    ("gul_bara", {"gul_bara.leftover": "opponent", "gul_bara.normal_turns": 0}),
    ("gul_bara", {"gul_bara.prime": "nardi", "gul_bara.runner": True, "gul_bara.config_bonus": True}),
    ("gul_bara", {"gul_bara.celebi": True, "gul_bara.leftover": "opponent", "gul_bara.config_bonus": True}),
    ("nardi_short", {}),
    ("nardi_short", {"nardi_short.triple": False}),
    ("nardi_long", {}),
    ("nardi_long", {"nardi_long.head_exception": "blocked", "nardi_long.block": "never_six"}),
    ("nardi_long", {"nardi_long.block_check": "step", "nardi_long.head_exception": "none"}),
    ("nardi_long", {"nardi_long.block": "free", "nardi_long.home_mars": True, "nardi_long.koks": True}),
    ("nardi_long", {"nardi_long.last_throw_draw": True, "nardi_long.doubles": 2}),
    ("jacquet", {}),
    ("jacquet", {"jacquet.prime": "nardi", "jacquet.must_bear_off": True}),
    ("jacquet", {"jacquet.prime": "never_six", "jacquet.doubles": "value"}),
    ("jacquet", {"jacquet.prime": "free", "jacquet.triple_no_prime": True}),
    ("jacquet", {"jacquet.style": "hitting"}),
    ("dutch", {}),
    ("dutch", {"dutch.hit_right": "current"}),
    ("acey_deucey", {}),
    ("acey_deucey", {"acey.bar_first": True, "acey.double_on_acey": True, "acey.count": "on_board"}),
    ("acey_deucey", {"acey.version": "european", "acey.exact_bear_off": True}),
    ("trictrac", {}),
    ("trictrac", {"trictrac.misery_pile": True, "trictrac.stake": "quadruple"}),
    ("trictrac", {"trictrac.mode": "ecrire"}),
    ("trictrac", {"trictrac.ecoles": True}),
    ("trictrac", {"trictrac.ecoles": True, "trictrac.mode": "ecrire", "trictrac.misery_pile": True}),
    ("trictrac", {"trictrac.stake": "none", "trictrac.target": 3}),
]


def pairs(game: Variant, count: int, seed: int) -> Iterator[tuple[VariantPosition, Any]]:
    """Positions of random games with their throws; late ones are as likely as early ones."""
    trial = 0
    while count > 0:
        for position, roll in game.random_game(seed, trial)[:2000]:
            if count == 0:
                return
            count -= 1
            yield position, roll
        trial += 1


def compare(game: Variant, slow: Game, position: VariantPosition, roll: Any) -> int:
    """Asserts that both find the same results, and the same end of the game; how many there are."""
    where = f"{game!r} {position.id} {roll}"
    before = node(position.fields, slow.checkers)
    dice = None if roll is None else (roll.high, roll.low)
    expected = decide(slow, before, dice)
    plays = position.plays(roll)
    found = [node(play.after.fields, slow.checkers, play.again) for play in plays]
    assert len(set(found)) == len(found), where
    assert set(found) == expected, f"{where}: {set(found) ^ expected}"
    for play, after in zip(plays, found, strict=True):
        assert result(play) == slow_result(slow, after), f"{where} {play.after.id}"
    if isinstance(slow, Trictrac) and dice:
        events = {(event.name, event.who, event.points) for event in position.events(roll)}
        named = {
            (event.name, ("me", "opponent")[event.who], event.points)
            for event in slow.events(before.state, dice)
        }
        assert events == named, where
    return len(found)


def result(play: VariantPlay) -> tuple[Any, ...] | None:
    end = play.after.result
    return None if end is None else (end.winner, end.kind, end.points)


def slow_result(slow: Game, after: Node) -> tuple[Any, ...] | None:
    if isinstance(slow, Trictrac):
        assert after.marking
        if slow.options["mode"] == "ecrire":
            end = slow.payment(after.marking) if after.asks == ("nothing",) else None
        else:
            end = slow.stake(after.marking) if slow.won(after.marking) else None
    else:
        end = ended(slow, after.state)
    if end is None:
        return None
    return {"me": "me", "opp": "opponent", None: None}[end.winner], end.kind, end.points


ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def slow_perft(slow: Game, start: Node, depth: int) -> tuple[int, int]:
    """Paths of so many decisions, all 21 throws each where one is thrown, and different ends."""
    layer: dict[Node, int] = {start: 1}
    over: dict[Node, int] = {}
    for _ in range(depth):
        reached: dict[Node, int] = {}
        for before, paths in layer.items():
            if slow_result(slow, before):
                over[before] = over.get(before, 0) + paths
                continue
            for dice in ROLLS if before.asks == THROW else [None]:
                for after in decide(slow, before, dice):
                    plain = replace(after, again=False)
                    reached[plain] = reached.get(plain, 0) + paths
        layer = reached
    return sum(layer.values()) + sum(over.values()), len(layer.keys() | over.keys())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20_000, help="positions and throws of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--perft", type=int, metavar="DEPTH", help="count both ways from the start instead")
    parser.add_argument("names", nargs="*", help="games; by default all")
    arguments = parser.parse_args()
    # What is played by default comes first.
    for name, options in sorted(SETTINGS, key=lambda setting: bool(setting[1])):
        if arguments.names and name not in arguments.names:
            continue
        begun = time.perf_counter()
        game, slow = variants.get(name, options), make(name, options)
        if arguments.perft is not None:
            if not options:
                found = game.perft(arguments.perft)
                expected = slow_perft(slow, node(game.start.fields, slow.checkers), arguments.perft)
                assert (found.paths, found.unique) == expected, f"{name}: {found} {expected}"
                row = {"variant": name, "depth": found.depth, "paths": found.paths}
                print(json.dumps(row | {"passes": found.passes, "unique": found.unique}), flush=True)
            continue
        # All of them by default, a tenth for every further set of options.
        count = arguments.pairs // (10 if options else 1)
        results = sum(compare(game, slow, *pair) for pair in pairs(game, count, arguments.seed))
        seconds = time.perf_counter() - begun
        print(f"{name} {options or ''}: {count} pairs, {results} results equal, {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
