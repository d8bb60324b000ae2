"""Evaluations a second of the packaged net, one thread."""

from __future__ import annotations

import time

import numpy as np
import pytest

import gammon
from conftest import Measure
from sets import array, fresh_boards, speed_boards

pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.mark.parametrize("size", [1, 16, 256, 4_096, 42_000])
def test_evaluate_by_batch_size(size: int, measure: Measure) -> None:
    boards = fresh_boards()[: max(size, 4_096)]
    batches = [boards[i : i + size] for i in range(0, len(boards), size)]
    expected = gammon.evaluate(boards, threads=1)
    chances = measure(
        lambda: [gammon.evaluate(batch, threads=1) for batch in batches], len(boards), "evaluations"
    )
    assert np.array_equal(np.concatenate(chances), expected)
    assert ((expected >= 0) & (expected <= 1)).all()
    assert (np.diff(expected[:, :3]) <= 0).all()
    assert (np.diff(expected[:, 3:]) <= 0).all()


def test_evaluate_speed_positions(measure: Measure) -> None:
    """The 2,000 speed positions: their mean chances are those of one position evaluated at a time."""
    boards = array(speed_boards())
    chances = measure(lambda: gammon.evaluate(boards, threads=1), len(boards), "evaluations")
    one_by_one = np.concatenate([gammon.evaluate(board[None], threads=1) for board in boards])
    assert np.array_equal(chances, one_by_one)
