"""Counts of all plays to a depth, by roll and in total."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gammon
from golden import rows
from reference.backgammon import ROLLS

FACTS = list(rows("perft.jsonl"))
TOTALS = [fact for fact in FACTS if "unique" in fact]
FIRST_ROLLS = [fact for fact in FACTS if "roll" in fact]
LAST_ROLLS = [fact for fact in FACTS if "last_roll" in fact]


def roll_name(fact: dict[str, Any]) -> str:
    high, low = fact.get("roll") or fact["last_roll"]
    return f"{high}{low}"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fact", TOTALS, ids=lambda fact: f"depth-{fact['depth']}")
def test_totals_from_the_start(fact: dict[str, Any], threads: int) -> None:
    found = gammon.perft(gammon.Position.start(), fact["depth"], threads=threads)
    assert (found.paths, found.passes, found.unique) == (fact["paths"], fact["passes"], fact["unique"])


@pytest.mark.parametrize("fact", FIRST_ROLLS, ids=roll_name)
def test_each_first_roll(fact: dict[str, Any]) -> None:
    plays = gammon.Position.start().plays(fact["roll"])
    assert len(plays) == fact["count"]
    below = sum(gammon.perft(play.after, 1).paths for play in plays)
    assert below == fact["depth2_paths_under_this_roll"]
    afters = np.repeat(plays.boards, len(ROLLS), axis=0)
    seconds, _ = gammon.expand(afters, np.tile(np.array(ROLLS, np.uint8), (len(plays), 1)))
    unique = len(np.unique(seconds.reshape(len(seconds), -1), axis=0))
    assert unique == fact["depth2_unique_under_this_roll"]


@pytest.mark.parametrize("fact", LAST_ROLLS, ids=roll_name)
def test_each_last_roll(fact: dict[str, Any]) -> None:
    start = np.repeat(gammon.Position.start().board[None], len(ROLLS), axis=0)
    firsts, _ = gammon.expand(start, np.array(ROLLS, np.uint8))
    seconds, _ = gammon.expand(firsts, np.tile(np.array(fact["last_roll"], np.uint8), (len(firsts), 1)))
    assert len(seconds) == fact["paths"]


def test_the_facts_cover_what_they_should() -> None:
    assert [(fact["paths"], fact["unique"]) for fact in TOTALS] == [(447, 406), (202_782, 163_706)]
    assert len(FIRST_ROLLS) == len(LAST_ROLLS) == 14


def test_depth_zero_is_the_position_itself() -> None:
    found = gammon.perft(gammon.Position.start(), 0)
    assert (found.paths, found.unique) == (1, 1)
