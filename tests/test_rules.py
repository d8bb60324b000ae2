"""The cases of the standard game against the engine; ``test_reference.py`` runs the same file slowly."""

from __future__ import annotations

from typing import Any

import pytest

import gammon
from boards import board, row
from golden import case_position, rows
from reference.backgammon import flip

CASES = list(rows("standard_cases.jsonl"))


def cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES if case["kind"] == kind]


def position_of(case: dict[str, Any]) -> gammon.Position:
    return gammon.Position.from_board(board(case_position(case["position"])))


def after(points: dict[str, dict[str, int]]) -> bytes:
    """A result of a case, the mover still first there, as the engine gives it."""
    return row(flip(case_position(points)))


@pytest.mark.parametrize("case", cases("moves"))
def test_moves(case: dict[str, Any]) -> None:
    plays = position_of(case).plays(case["dice"])
    assert {play.after.board.tobytes() for play in plays} == {after(result) for result in case["results"]}
    assert len(plays) == len(case["results"])


@pytest.mark.parametrize("case", cases("count"))
def test_count(case: dict[str, Any]) -> None:
    assert len(position_of(case).plays(case["dice"])) == case["count"]


@pytest.mark.parametrize("case", cases("play"))
def test_play(case: dict[str, Any]) -> None:
    position = position_of(case)
    if "result" in case:
        assert position.play(case["play"], case["dice"]).after.board.tobytes() == after(case["result"])
    else:
        with pytest.raises((gammon.errors.IllegalPlayError, gammon.errors.ParseError)) as caught:
            position.play(case["play"], case["dice"])
        assert case["play"] in str(caught.value)


@pytest.mark.parametrize("case", cases("outcome"))
def test_outcome(case: dict[str, Any]) -> None:
    position = position_of(case)
    assert position.is_over == (case["winner"] is not None)
    if case["winner"]:
        gammon_, backgammon = case["outcome"] != "single", case["outcome"] == "backgammon"
        won = [1, gammon_, backgammon, 0, 0] if case["winner"] == "me" else [0, 0, 0, gammon_, backgammon]
        assert gammon.evaluate(position.board[None]).tolist() == [won]
