"""Speed of features as columns, one thread."""

from __future__ import annotations

import time

import pytest

import gammon
from conftest import Measure
from sets import fresh_boards

pytestmark = pytest.mark.benchmark(timer=time.process_time)

SIZE = 16_384


def test_features(measure: Measure) -> None:
    boards = fresh_boards()[:SIZE]
    features = measure(lambda: gammon.features(boards, threads=1), SIZE, "positions")
    pips = (boards[:, 0, :].astype("int64") * range(1, 26)).sum(axis=1)
    assert (features.pips[:, 0] == pips).all()
