"""Speed of reading and writing identifiers, one at a time as users do."""

from __future__ import annotations

import time

import pytest

import gammon
from conftest import Measure
from sets import decode, speed_ids

pytestmark = pytest.mark.benchmark(timer=time.process_time)


def test_read_position_ids(measure: Measure) -> None:
    ids = speed_ids()
    positions = measure(lambda: [gammon.Position.from_id(text) for text in ids], len(ids), "ids")
    assert [position.board.tolist() for position in positions] == [
        [list(side) for side in decode(text)] for text in ids
    ]


def test_write_position_ids(measure: Measure) -> None:
    positions = [gammon.Position.from_id(text) for text in speed_ids()]
    ids = measure(lambda: [position.id for position in positions], len(positions), "ids")
    assert ids == speed_ids()


def test_read_plays(measure: Measure) -> None:
    """Every play of the start with 3-1, read as text."""
    start = gammon.Position.start()
    plays = list(start.plays("31"))
    texts = [str(play) for play in plays]
    assert measure(lambda: [start.play(text, "31") for text in texts], len(texts), "plays") == plays


def test_read_xgids(measure: Measure) -> None:
    situations = [gammon.parse(text) for text in speed_ids()]
    xgids = [situation.xgid for situation in situations]
    read = measure(lambda: [gammon.parse(text) for text in xgids], len(xgids), "XGIDs")
    assert [situation.position for situation in read] == [situation.position for situation in situations]
