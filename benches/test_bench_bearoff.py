"""Speed of bear-off tables and race chances from numpy, one thread. Each bench asserts what it computed."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

from conftest import Measure
from gammon import bearoff
from sets import Boards

pytestmark = pytest.mark.benchmark(timer=time.process_time)

MANY = 200_000


@pytest.fixture(scope="module")
def one() -> bearoff.OneSided:
    return bearoff.OneSided.build()


@pytest.fixture(scope="module")
def two() -> bearoff.TwoSided:
    return bearoff.TwoSided.build()


def sides(checkers: int, points: int) -> Boards:
    """Seeded pairs of sides with up to so many checkers on the lowest points."""
    draw = np.random.default_rng(7)
    boards = np.zeros((MANY, 2, 25), np.uint8)
    for _ in range(checkers):
        point = draw.integers(0, points, (MANY, 2))
        keep = draw.random((MANY, 2)) < 0.9
        np.put_along_axis(
            boards,
            point[..., None],
            np.take_along_axis(boards, point[..., None], 2) + keep[..., None].astype(np.uint8),
            2,
        )
    boards[..., 0] += (boards.sum(2) == 0).astype(np.uint8)
    return boards


def test_build_one_sided(measure: Measure) -> None:
    assert measure(lambda: len(bearoff.OneSided.build(threads=1)), 1, "builds") == 54_264


def test_build_two_sided(measure: Measure) -> None:
    assert measure(lambda: len(bearoff.TwoSided.build(threads=1)), 1, "builds") == 924**2


def test_two_sided_look_ups(two: bearoff.TwoSided, measure: Measure) -> None:
    boards = sides(6, 6)
    assert measure(lambda: int(np.isfinite(two.equities(boards)).all(1).sum()), MANY, "positions") == MANY


def test_two_sided_look_ups_of_one_kind(two: bearoff.TwoSided, measure: Measure) -> None:
    boards = sides(6, 6)
    look_up = partial(two.equities, boards, "cubeless")
    assert measure(lambda: int(np.isfinite(look_up()).sum()), MANY, "positions") == MANY


def test_two_sides_compared(one: bearoff.OneSided, measure: Measure) -> None:
    boards = sides(15, 6)
    assert measure(lambda: int((one.win(boards) >= 0).sum()), MANY, "positions") == MANY


@pytest.mark.parametrize("points", [6, 12])
def test_race_chances(points: int, one: bearoff.OneSided, two: bearoff.TwoSided, measure: Measure) -> None:
    race, boards = bearoff.Race(one, two), sides(15, points)
    assert (
        measure(lambda: int((race.evaluate(boards, threads=1)[:, 0] >= 0).sum()), MANY, "positions") == MANY
    )
