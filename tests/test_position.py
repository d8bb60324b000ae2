"""Positions as users make them, look at them and keep them."""

import numpy as np
import pytest

import gammon
from gammon import Position, Situation
from gammon._typing import Phase
from gammon.errors import ArrayError, IllegalPositionError, SettingError

START = {24: 2, 13: 5, 8: 3, 6: 5}
"""Points of either side at the start, each from its own ace point."""


def test_the_start_from_points_and_from_its_board() -> None:
    start = Position.start()
    assert Position.from_points(START, START) == start
    assert Position.from_board(start.board) == start
    assert start.pip_count == (167, 167)
    assert start.borne_off == (0, 0)
    assert start.phase == "contact"
    assert not start.is_race
    assert not start.is_over
    assert start.flip() == start


def test_the_board_is_roller_first_each_from_his_own_ace_point() -> None:
    position = Position.from_points({6: 15, "bar": 0}, {1: 2, 25: 1})
    board = position.board
    assert board.dtype == np.uint8
    assert board.shape == (2, 25)
    assert board[0, 5] == 15
    assert board[1, 0] == 2
    assert board[1, 24] == 1
    assert board.sum() == 18
    assert position.pip_count == (90, 27)
    assert position.borne_off == (0, 12)
    assert np.array_equal(position.flip().board, board[::-1])


def test_a_board_is_a_copy() -> None:
    start = Position.start()
    start.board[:] = 0
    assert start == Position.start()


def test_races_and_finished_games() -> None:
    race = Position.from_points({6: 5, 5: 5}, {1: 3})
    assert race.is_race
    assert race.phase == "bearoff"
    over = Position.from_points({}, {6: 3})
    assert over.is_over
    assert over.phase == "over"


def test_a_closed_out_checker_on_the_bar_is_legal() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    position = Position.from_points({"bar": 1}, closed)
    assert position.plays("65").is_pass


@pytest.mark.parametrize(
    ("roller", "opponent", "words"),
    [
        ({6: 16}, {6: 1}, ["player on roll has 16 checkers", "at most 15"]),
        ({6: 1}, {6: 8, "bar": 8}, ["opponent has 16 checkers"]),
        ({6: 200}, {6: 200}, ["player on roll has 200", "opponent has 200"]),
        ({6: 1}, {19: 1}, ["both sides", "6-point"]),
        ({}, {}, ["neither side has a checker"]),
        ({6: 16, 5: 1}, {20: 1}, ["17 checkers", "5-point"]),
        ({0: 1}, {6: 1}, ["roller: no point 0"]),
        ({6: 1}, {26: 1}, ["opponent: no point 26"]),
        ({6: 1}, {"rail": 1}, ["no point 'rail'"]),
        ({6: -1}, {6: 1}, ["-1 checkers on point 6"]),
    ],
)
def test_impossible_checkers_are_named(
    roller: dict[int | str, int], opponent: dict[int | str, int], words: list[str]
) -> None:
    with pytest.raises(IllegalPositionError) as caught:
        Position.from_points(roller, opponent)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.problems
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ([[0] * 25] * 2, ["numpy array", "uint8", "list"]),
        (np.zeros((2, 25)), ["uint8", "float64"]),
        (np.zeros((2, 25), np.int8), ["uint8", "int8"]),
        (np.zeros((2, 24), np.uint8), ["(2, 25)", "(2, 24)"]),
        (np.zeros(50, np.uint8), ["(2, 25)", "(50,)"]),
        (np.zeros((1, 2, 25), np.uint8), ["(2, 25)", "(1, 2, 25)"]),
    ],
)
def test_an_array_that_is_no_board_is_named(board: object, words: list[str]) -> None:
    with pytest.raises(ArrayError) as caught:
        Position.from_board(board)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_a_board_may_be_strided() -> None:
    wide = np.zeros((2, 50), np.uint8)
    wide[:, ::2] = Position.start().board
    assert Position.from_board(wide[:, ::2]) == Position.start()
    turned = np.asfortranarray(Position.start().board)
    assert Position.from_board(turned) == Position.start()


def test_text_board() -> None:
    text = str(Position.from_points({6: 8, "bar": 1}, {6: 4, 24: 1}))
    assert text.splitlines() == [
        " +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+",
        " |                   |   |  O                |  O: 48 pips, 10 off",
        " |                   |   |  O                |",
        " |                   |   |  O                |",
        " |                   |   |  O                |",
        " |                   |   |                   |",
        " |                   |BAR|                   |  cube at 1, centred",
        " |                   | X |  8                |",
        " |                   |   |  X                |",
        " |                   |   |  X                |",
        " |                   |   |  X                |",
        " |                   |   |  X              O |  X: 73 pips, 6 off",
        " +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+",
        " Money play. X to roll or double.",
    ]


def test_pictures_show_every_checker() -> None:
    position = Position.from_points({6: 2, 3: 1}, {6: 4, 24: 1, "bar": 1})
    picture = position._repr_svg_()
    assert picture.startswith("<svg")
    assert picture.count("<circle") == 9
    assert Position.start()._repr_svg_().count("<circle") == 30


@pytest.mark.parametrize("phase", gammon.PHASES)
def test_drawn_positions_are_of_the_phase_and_repeatable(phase: Phase) -> None:
    drawn = [Position.random(phase, seed) for seed in range(20)]
    assert all(position.phase == phase for position in drawn)
    assert len(set(drawn)) > 10
    assert drawn[7] == Position.random(phase, 7)


def test_an_unknown_phase_or_seed_is_named() -> None:
    with pytest.raises(SettingError, match=r"unknown phase \"middle\": expected one of over, bearoff"):
        Position.random("middle", 1)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="seed must be from 0"):
        Position.random("race", -1)


def test_what_is_no_text_is_told_where_to_go() -> None:
    start = Position.start()
    with pytest.raises(TypeError, match=r"got ndarray; Position\.from_board"):
        Position(start.board)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"got Position; Situation\.from_parts"):
        Situation(start)  # type: ignore[arg-type]


def test_a_board_of_other_numbers_is_refused_in_few_words() -> None:
    with pytest.raises(IllegalPositionError, match=r"; and \d+ more$") as caught:
        Position.from_board(Position.start().board + 1)
    assert len(caught.value.problems) > 20
    assert len(str(caught.value)) < 500
