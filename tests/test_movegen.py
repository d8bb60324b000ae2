"""Legal plays: the engine against recorded facts and against the slow reference."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import gammon
from boards import ROW, board, boards, random_position, results, row
from golden import rows, speed_positions
from reference.backgammon import ROLLS, START, Position, flip, follow, legal_afterstates
from reference.position_id import decode, encode

Pairs = tuple[NDArray[np.uint8], NDArray[np.uint8]]


@pytest.fixture(scope="module")
def recorded() -> list[dict[str, Any]]:
    return list(rows("legal_moves.jsonl.gz"))


def test_results_equal_every_recorded_row(recorded: list[dict[str, Any]]) -> None:
    pairs = boards([decode(row["position_id"]) for row in recorded])
    expanded = results(*gammon.expand(pairs, np.array([row["dice"] for row in recorded], np.uint8)))
    for fact, found in zip(recorded, expanded, strict=True):
        position = decode(fact["position_id"])
        expected = {result for _, result in fact["plays"]} or {encode(flip(position))}
        ids = [encode((tuple(result[:25]), tuple(result[25:]))) for result in found]
        assert set(ids) == expected, (fact["position_id"], fact["dice"])
        assert len(ids) == len(expected), "a result twice"
    assert len(recorded) == 2_341


def test_recorded_play_texts_are_understood(recorded: list[dict[str, Any]]) -> None:
    for fact in recorded:
        position = gammon.Position.from_board(board(decode(fact["position_id"])))
        for text, result in fact["plays"]:
            after = position.play(text, fact["dice"]).after.board.tobytes()
            assert after == row(decode(result)), (fact["position_id"], fact["dice"], text)


def test_play_texts_say_what_happens(recorded: list[dict[str, Any]]) -> None:
    for fact in recorded:
        start = decode(fact["position_id"])
        plays = gammon.Position.from_board(board(start)).plays(fact["dice"])
        assert len({str(play) for play in plays}) == len(plays)
        if plays.is_pass:
            assert not fact["plays"]
            continue
        for play in plays:
            # Followed word by word, stars and all, the text leads to the position the play holds.
            assert row(follow(start, str(play))) == play.after.board.tobytes(), (fact, str(play))


def test_results_of_the_speed_positions() -> None:
    ids = speed_positions()
    starts = np.repeat(boards([decode(text) for text in ids]), 21, axis=0)
    rolls = np.tile(np.array(ROLLS, np.uint8), (len(ids), 1))
    found, offsets = gammon.expand(starts, rolls)
    assert len(starts) == 42_000
    assert len(found) == offsets[-1] == 913_440


def pairs_of_random_games(count: int, seed: int) -> Pairs:
    """Positions of games of random plays, side by side, and a roll for each."""
    draw = np.random.default_rng(seed)
    games, turns = 500, count // 500
    current = np.repeat(board(START)[None], games, axis=0)
    starts, rolls = [], []
    for _ in range(turns):
        dice = draw.integers(1, 7, (games, 2), dtype=np.uint8)
        starts.append(current)
        rolls.append(dice)
        afters, offsets = gammon.expand(current, dice)
        current = afters[draw.integers(offsets[:-1], offsets[1:])]
        current[(current.sum(axis=2) == 0).any(axis=1)] = board(START)  # over: begin again
    return np.concatenate(starts), np.concatenate(rolls)


def pairs_of_random_boards(count: int, seed: int) -> Pairs:
    draw = random.Random(seed)
    starts = boards([random_position(draw) for _ in range(count)])
    rolls = np.array([draw.choice(ROLLS) for _ in range(count)], np.uint8)
    return starts, rolls


@pytest.mark.parametrize("pairs", [pairs_of_random_games, pairs_of_random_boards])
def test_results_equal_the_reference_on_fifty_thousand(pairs: Any) -> None:
    starts, rolls = pairs(50_000, seed=20261129)
    assert len(starts) == 50_000
    expanded = results(*gammon.expand(starts, rolls))
    for start, roll, found in zip(starts.tolist(), rolls.tolist(), expanded, strict=True):
        me, opponent = tuple(start[0]), tuple(start[1])
        expected = {row(after) for after in legal_afterstates(me, opponent, tuple(roll))}
        assert set(found) == expected, (encode((me, opponent)), roll)
        assert len(found) == len(expected), (encode((me, opponent)), roll, "a result twice")


@st.composite
def some_positions(draw: st.DrawFn) -> Position:
    return random_position(draw(st.randoms(use_true_random=False)))


@settings(max_examples=500, derandomize=True, deadline=None)
@given(some_positions(), st.sampled_from(ROLLS))
def test_a_single_call_equals_the_reference(position: Position, roll: tuple[int, int]) -> None:
    plays = gammon.Position.from_board(board(position)).plays(roll)
    expected = {row(after) for after in legal_afterstates(*position, roll)}
    assert {play.after.board.tobytes() for play in plays} == expected
    assert len(plays) == len(expected)


def test_batches_do_not_depend_on_threads_or_chunks() -> None:
    starts, rolls = pairs_of_random_boards(3_000, seed=7)
    found, offsets = gammon.expand(starts, rolls, threads=1)
    for threads in (2, 3):
        again, same = gammon.expand(starts, rolls, threads=threads)
        assert again.tobytes() == found.tobytes()
        assert same.tobytes() == offsets.tobytes()
    pieces = [gammon.expand(starts[i : i + 7], rolls[i : i + 7])[0] for i in range(0, 3_000, 7)]
    assert np.concatenate(pieces).tobytes() == found.tobytes()
    assert found.nbytes == ROW * int(offsets[-1])


def test_no_pairs_have_no_results() -> None:
    found, offsets = gammon.expand(np.empty((0, 2, 25), np.uint8), np.empty((0, 2), np.uint8))
    assert found.shape == (0, 2, 25)
    assert offsets.tolist() == [0]
