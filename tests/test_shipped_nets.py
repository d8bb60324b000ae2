"""The nets and the evaluator people get without asking: quick to load, sane, ordered as the game is."""

import time
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon import evaluators, strength
from gammon.rollout import Settings, run

NETS = {"strong": evaluators.strong, "small": evaluators.small}


def test_they_load_within_20_ms() -> None:
    folder = files("gammon").joinpath("data", "nets")
    contents = [path.read_bytes() for path in folder.iterdir() if path.name.endswith(".net")]
    assert len(contents) == len(NETS)
    assert sum(map(len, contents)) <= 5_000_000
    times = []
    for _ in range(20):
        begun = time.perf_counter()
        for content in contents:
            gammon.Net(content)
        times.append(time.perf_counter() - begun)
    # The best of many: other work on the machine is not the nets' doing.
    assert min(times) < 0.02, times


def test_the_default_evaluator_asks_tables_where_there_is_no_contact() -> None:
    last_roll = gammon.Position.from_points({6: 1}, {1: 1})
    assert gammon.evaluate(last_roll.board[None])[0, 0] == 27 / 36
    start = gammon.Position.start().board[None]
    assert np.array_equal(gammon.evaluate(start), gammon.evaluate(start, evaluators.strong()))


@pytest.mark.parametrize("name", NETS)
def test_a_roll_is_worth_what_it_should_be(name: str) -> None:
    """The start, whoever rolls: 52.5 % wins, 15 % gammons, 0.7 % backgammons for the player on roll."""
    chances = gammon.evaluate(gammon.Position.start().board[None], NETS[name]())[0]
    published = [0.525, 0.149, 0.007, 0.124, 0.005]
    assert np.abs(chances - published).max() < 0.02, chances


def test_gammons_of_the_opening_are_as_often_as_published() -> None:
    part = run("start", Settings(trials=1_080, seed=5, truncate=30)).part
    win, gammons, backgammons, *_ = (mean for mean, _ in part.chances)
    assert abs(win - 0.525) < 0.01, win
    assert abs(gammons - 0.15) < 0.01, gammons
    assert abs(backgammons - 0.007) < 0.005, backgammons


def test_the_committed_reference_set_is_whole_and_near() -> None:
    known = strength.read_reference(Path(__file__).parents[1] / "benches/positions/reference.jsonl.gz")
    assert len(known) == 3_200
    assert known.equity_error.max() < 0.0105
    difference = strength.equities(gammon.evaluate(known.boards)) - known.equity
    assert np.abs(difference).mean() < 0.03
    assert np.abs(difference.mean()) < 0.01


def race(rng: np.random.Generator) -> np.ndarray:
    """A race: both sides' checkers on their own twelve points, some borne off."""
    board = np.zeros((2, 25), np.uint8)
    for side in board:
        checkers = int(rng.integers(1, 16))
        np.add.at(side, rng.integers(0, int(rng.integers(3, 13)), checkers), 1)
    return board


def test_moving_a_checker_back_in_a_race_never_helps() -> None:
    # By six pips: a shorter way can fill a gap, and then it does help.
    rng = np.random.default_rng(3)
    before: list[np.ndarray] = []
    after: list[np.ndarray] = []
    while len(before) < 2_000:
        board = race(rng)
        point = int(rng.choice(np.flatnonzero(board[0])))
        back = board.copy()
        back[0, point] -= 1
        back[0, point + 6] += 1
        if point < 6:
            before.append(board)
            after.append(back)
    gained = gammon.evaluate(np.stack(after))[:, 0] - gammon.evaluate(np.stack(before))[:, 0]
    assert gained.max() < 0.002
    assert gained.mean() < -0.05


def test_filling_a_gap_can_be_worth_more_than_a_pip() -> None:
    gap = gammon.Position.from_points({1: 2, 2: 3, 4: 4}, {2: 3, 5: 2, 6: 2})
    filled = gammon.Position.from_points({1: 2, 2: 2, 3: 1, 4: 4}, {2: 3, 5: 2, 6: 2})
    chances = gammon.evaluate(np.stack([gap.board, filled.board]))[:, 0]
    assert chances[1] > chances[0] + 0.03


def test_without_contact_nobody_loses_a_gammon_he_has_escaped() -> None:
    position = gammon.Position.from_id("mxmAQ4PbAQAAAA")
    off = position.borne_off
    for evaluator in (evaluators.strong(), evaluators.small(), evaluators.default()):
        chances = gammon.evaluate(position.board[None], evaluator)[0]
        if off[1] > 0:
            assert chances[1] == chances[2] == 0
        if off[0] > 0:
            assert chances[3] == chances[4] == 0
    assert max(off) > 0
