"""Features of positions against the slow reference and GNU Backgammon's classes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import gammon
from boards import boards, random_position
from golden import rows, speed_positions
from reference import features as slow
from reference.backgammon import Position, Side
from reference.position_id import decode, encode


def some_positions() -> list[Position]:
    draw = random.Random(3)
    return [decode(text) for text in speed_positions()] + [random_position(draw) for _ in range(2_000)]


def points_of(bits: int) -> list[int]:
    return [point for point in range(32) if bits >> point & 1]


def test_columns_equal_the_reference() -> None:
    positions = some_positions()
    found = gammon.features(boards(positions))
    for i, (me, opponent) in enumerate(positions):
        where = encode((me, opponent))
        assert gammon.PHASES[found.phase[i]] == slow.phase(me, opponent), where
        sides: list[Side] = [me, opponent]
        for j, side in enumerate(sides):
            made = slow.made_points(side)
            assert found.pips[i, j] == slow.pips(side), where
            assert (found.bar[i, j], found.off[i, j]) == (side[24], slow.off(side)), where
            assert points_of(int(found.blot_set[i, j])) == slow.blots(side), where
            assert found.blots[i, j] == len(slow.blots(side)), where
            assert points_of(int(found.point_set[i, j])) == made, where
            assert found.points[i, j] == len(made), where
            assert found.home_points[i, j] == sum(point <= 6 for point in made), where
            assert found.anchors[i, j] == sum(point >= 19 for point in made), where
            assert found.prime[i, j] == slow.prime(side), where
            assert found.crunched[i, j] == slow.crunched(side), where


def test_phases_are_gnu_backgammons_classes() -> None:
    facts = list(rows("evals.jsonl.gz"))
    found = gammon.features(boards([decode(fact["position_id"]) for fact in facts]))
    names = {"bearoff1": "bearoff", "bearoff2": "bearoff"}
    for fact, phase in zip(facts, found.phase, strict=True):
        assert gammon.PHASES[phase] == names.get(fact["class"], fact["class"]), fact["position_id"]
    assert len(facts) == 992


def test_shots_equal_the_reference() -> None:
    positions = some_positions()[::20]
    each, some = gammon.shots(boards(positions))
    for i, (me, opponent) in enumerate(positions):
        # Each side's blots, as the other side hits them.
        for j, (hitter, other) in enumerate([(opponent, me), (me, opponent)]):
            expected, any_blot = slow.shots(hitter, other)
            where = (encode((me, opponent)), j)
            found = {point: int(n) for point, n in enumerate(each[i, j], start=1)}
            assert {point: n for point, n in found.items() if n} == {
                p: n for p, n in expected.items() if n
            }, where
            assert some[i, j] == any_blot, where


def test_columns_do_not_depend_on_threads() -> None:
    many = np.tile(boards(some_positions()), (4, 1, 1))
    one, three = gammon.features(many, threads=1), gammon.features(many, threads=3)
    for name in ("phase", "pips", "blot_set", "point_set", "prime", "crunched"):
        assert getattr(one, name).tobytes() == getattr(three, name).tobytes(), name
    for first, second in zip(gammon.shots(many, threads=1), gammon.shots(many, threads=3), strict=True):
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("phase", gammon.PHASES)
def test_random_positions_are_of_the_phase_and_the_seed(phase: Any) -> None:
    drawn = [gammon.Position.random(phase, seed) for seed in range(200)]
    assert drawn == [gammon.Position.random(phase, seed) for seed in range(200)]
    assert len(set(drawn)) > 140
    for position in drawn:
        me, opponent = (tuple(side) for side in position.board.tolist())
        assert slow.phase(me, opponent) == phase


def test_an_unknown_phase_is_named() -> None:
    with pytest.raises(ValueError, match=r"opening.*contact"):
        gammon.Position.random("opening", 1)  # type: ignore[arg-type]


def test_flat_columns_for_a_table() -> None:
    found = gammon.features(boards(some_positions()[:50]))
    columns = found.to_dict()
    assert all(column.shape == (50,) and column.flags.c_contiguous for column in columns.values())
    assert len(columns) == 23
    assert (columns["phase"] == found.phase).all()
    for name in ("pips", "blot_set", "crunched"):
        for side, side_name in enumerate(("roller", "opponent")):
            column = columns[f"{name}_{side_name}"]
            assert column.dtype == getattr(found, name).dtype
            assert (column == getattr(found, name)[:, side]).all()
    games = gammon.random_games(30, seed=2)
    outcomes = games.to_dict()
    assert {name: column.shape for name, column in outcomes.items()} == {"points": (30,), "turns": (30,)}
