"""The slow reference alone against facts from elsewhere: what judges the engine is judged first."""

from __future__ import annotations

from typing import Any

import pytest

from golden import case_position, rows, speed_positions
from reference.backgammon import (
    ROLLS,
    START,
    dice_used,
    flip,
    follow,
    legal_afterstates,
    orders,
    outcome,
    perft,
    reached_by,
)
from reference.position_id import decode, encode

CASES = list(rows("standard_cases.jsonl"))


def cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES if case["kind"] == kind]


def test_equals_gnu_backgammon_on_every_row() -> None:
    count = 0
    for row in rows("legal_moves.jsonl.gz"):
        position, dice = decode(row["position_id"]), tuple(row["dice"])
        expected = {result for _, result in row["plays"]} or {encode(flip(position))}
        where = f"{row['position_id']} {dice}"
        assert {encode(after) for after in legal_afterstates(*position, dice)} == expected, where
        assert dice_used([reached_by(position, order) for order in orders(dice)]) == row["used"], where
        for text, result in row["plays"]:
            assert encode(follow(position, text)) == result, f"{where} {text}"
        count += 1
    assert count == 2_341


def test_position_ids_of_the_data_round_trip() -> None:
    assert encode(START) == "4HPwATDgc/ABMA"
    for text in speed_positions():
        assert encode(decode(text)) == text


def test_perft_by_roll() -> None:
    for row in rows("perft.jsonl"):
        if row["depth"] == 1 and "roll" in row:
            afters = legal_afterstates(*START, tuple(row["roll"]))
            assert len(afters) == row["count"]
            assert sum(perft(after, 1) for after in afters) == row["depth2_paths_under_this_roll"]


def test_perft_totals() -> None:
    afters = [after for dice in ROLLS for after in legal_afterstates(*START, dice)]
    seconds = {second for after in afters for dice in ROLLS for second in legal_afterstates(*after, dice)}
    assert (len(afters), len(set(afters))) == (447, 406)
    assert (perft(START, 2), len(seconds)) == (202_782, 163_706)


def test_results_of_the_speed_positions() -> None:
    positions = [decode(text) for text in speed_positions()]
    assert sum(len(legal_afterstates(*position, dice)) for position in positions for dice in ROLLS) == 913_440


@pytest.mark.parametrize("case", cases("moves"))
def test_moves(case: dict[str, Any]) -> None:
    expected = {flip(case_position(result)) for result in case["results"]}
    assert legal_afterstates(*case_position(case["position"]), tuple(case["dice"])) == expected


@pytest.mark.parametrize("case", cases("count"))
def test_count(case: dict[str, Any]) -> None:
    assert len(legal_afterstates(*case_position(case["position"]), tuple(case["dice"]))) == case["count"]


@pytest.mark.parametrize("case", cases("play"))
def test_play(case: dict[str, Any]) -> None:
    position = case_position(case["position"])
    legal = legal_afterstates(*position, tuple(case["dice"]))
    if "result" in case:
        result = flip(case_position(case["result"]))
        assert result in legal
        assert follow(position, case["play"]) == result
    else:
        try:
            after = follow(position, case["play"])
        except AssertionError:
            return  # No such moves, whatever the dice.
        assert after not in legal


@pytest.mark.parametrize("case", cases("outcome"))
def test_outcome(case: dict[str, Any]) -> None:
    expected = (case["winner"], case["outcome"]) if case["winner"] else None
    assert outcome(case_position(case["position"])) == expected
