"""Plays as users list them, write them and step through them."""

import collections.abc

import numpy as np
import pytest

from gammon import Play, Plays, Position, Roll, Step
from gammon._typing import Phase
from gammon.errors import GammonError, IllegalPlayError, IllegalRollError, ParseError

START = Position.start()


def position(roller: dict[int | str, int], opponent: dict[int | str, int]) -> Position:
    return Position.from_points(roller, opponent)


def test_plays_are_a_sequence() -> None:
    plays = START.plays("31")
    assert isinstance(plays, collections.abc.Sequence)
    assert len(plays) == 16
    assert [plays[i] for i in range(16)] == list(plays) == plays[:]
    assert plays[-1] == list(plays)[-1]
    assert list(reversed(plays)) == plays[::-1]
    assert plays[3:8:2] == [plays[3], plays[5], plays[7]]
    assert plays[5] in plays
    assert plays.index(plays[5]) == 5
    assert plays.count(plays[5]) == 1
    assert START.plays("41")[0] not in plays
    assert "8/5 6/5" not in plays


def test_numbers_outside_the_sequence() -> None:
    plays = START.plays("31")
    for number in (16, -17, 10**30):
        with pytest.raises(IndexError):
            plays[number]
    with pytest.raises(TypeError):
        plays["8/5"]  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="is not among these plays"):
        plays.index(START.plays("41")[0])


def test_plays_are_distinct_and_hand_over_the_roll() -> None:
    plays = START.plays((6, 5))
    assert len({play.after for play in plays}) == len(plays)
    for play, board in zip(plays, plays.boards, strict=True):
        assert play.before == START
        assert play.roll == Roll(6, 5)
        assert np.array_equal(play.after.board, board)
        assert play.after.pip_count == (167, 167 - 11)


@pytest.mark.parametrize(
    "roll", [Roll(3, 1), Roll(1, 3), "31", "13", "3-1", (3, 1), [1, 3], np.array([3, 1], np.uint8)]
)
def test_every_form_of_a_roll(roll: object) -> None:
    assert START.plays(roll).roll == Roll(3, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["8/5 6/5", "6/5 8/5", "8-5, 6-5", " 6/5  8/5 "])
def test_lenient_reading_strict_printing(text: str) -> None:
    play = START.play(text, "31")
    assert str(play) == "8/5 6/5"
    assert play.moves == ((8, 5), (6, 5))
    assert play in START.plays("31")
    assert START.play([(6, 5), (8, 5)], "31") == play


def test_bar_off_hits_and_counts() -> None:
    entering = position({"bar": 2, 6: 5}, {3: 1, 6: 5})
    play = entering.play("25/22 25/22 6/3(2)", "33")
    assert str(play) == "bar/22*(2) 6/3(2)"
    assert play.hits == 1
    assert play.moves == ((25, 22), (25, 22), (6, 3), (6, 3))
    bearing = position({6: 1, 5: 1}, {1: 2})
    assert str(bearing.play("5/0 6/0", "65")) == "6/off 5/off"
    assert bearing.play("6/off 5/off", "65").after.is_over


def test_a_pass() -> None:
    shut_out = position({"bar": 1}, dict.fromkeys(range(1, 7), 2))
    plays = shut_out.plays("66")
    assert plays.is_pass
    assert plays.is_forced
    assert [str(play) for play in plays] == ["pass"]
    assert plays[0].is_pass
    assert plays[0].after == shut_out.flip()
    assert shut_out.play("pass", "66") == plays[0]
    assert not START.plays("66").is_forced


@pytest.mark.parametrize(
    ("subject", "text", "roll", "reason"),
    [
        (START, "13/8 6/1", "52", "dice cannot make 6/1"),
        (START, "13/8 13/2", "56", "dice cannot make 13/2"),
        (START, "8/5", "31", "2 dice can be played, this plays 1"),
        (START, "24/18 24/19", "65", "the 19-point is blocked"),
        (START, "9/8 9/6", "31", "no checker on the 9-point"),
        (START, "6/9 6/5", "31", "6/9 does not lead towards home"),
        (START, "pass", "31", "passing is not allowed"),
        (START, "6/off", "61", "no bearing off while a checker is on the 24-point"),
        (position({"bar": 1, 6: 2}, {6: 2}), "6/3 6/5", "31", "a checker on the bar must enter first"),
        (position({6: 2, 5: 1}, {1: 2}), "5/off 6/5", "61", "too large while a checker is on the 6-point"),
    ],
)
def test_illegal_plays_name_the_reason(subject: Position, text: str, roll: str, reason: str) -> None:
    with pytest.raises(IllegalPlayError, match=reason) as caught:
        subject.play(text, roll)
    assert caught.value.play == text
    assert caught.value.roll in {roll, roll[::-1]}
    assert f"illegal play {text} for roll" in str(caught.value)


@pytest.mark.parametrize("pairs", [[(8, 5, 3)], [8, 5], 85, None, [("8", "5")]])
def test_what_is_no_play_is_shown_beside_what_one_is(pairs: object) -> None:
    with pytest.raises(TypeError, match=r"a play is a text such as .*, or pairs of points such as") as caught:
        START.play(pairs, "31")  # type: ignore[arg-type]
    assert repr(pairs) in str(caught.value)


@pytest.mark.parametrize("text", ["8/x", "8", "8/5 6/", "8/5(9)", "26/20", "☃", "8/5 8/5 8/5 8/5 8/5", "*"])
def test_unreadable_plays_name_the_place(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        START.play(text, "31")
    assert caught.value.format == "play"
    assert caught.value.text == text
    assert 0 <= caught.value.offset <= len(text.encode())
    assert caught.value.reason in str(caught.value)


@pytest.mark.parametrize("roll", [(7, 1), (0, 1), (3,), (1, 2, 3), (300, 1), (-1, 2)])
def test_impossible_rolls(roll: object) -> None:
    with pytest.raises(IllegalRollError):
        START.plays(roll)  # type: ignore[arg-type]


@pytest.mark.parametrize("roll", ["71", "3", "", "311", "x1"])
def test_unreadable_rolls(roll: str) -> None:
    with pytest.raises(ParseError, match="two dice from 1 to 6"):
        START.plays(roll)


def test_rolls() -> None:
    rolls = Roll.all()
    assert len(rolls) == 21
    assert sum(roll.weight for roll in rolls) == 36
    assert sorted(rolls) == list(rolls)
    assert Roll(1, 3).dice == (3, 1)
    assert Roll(2, 2).dice == (2, 2, 2, 2)
    assert (Roll(1, 3).high, Roll(1, 3).low, Roll(1, 3).is_double) == (3, 1, False)
    assert str(Roll(1, 3)) == "31"
    with pytest.raises(IllegalRollError, match=r"illegal roll \(7, 1\)"):
        Roll(7, 1)


def walk(subject: Position, dice: tuple[int, ...] | str, found: set[Position]) -> None:
    """Every position that clicking through legal steps ends in."""
    steps = subject.steps(dice)
    if not steps:
        found.add(subject.flip())
    for step in steps:
        walk(step.after, step.dice_left, found)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("roll", ["31", "65", "22", "66"])
def test_stepping_ends_in_exactly_the_plays(seed: int, roll: str) -> None:
    phases: tuple[Phase, ...] = ("contact", "crashed", "bearoff")
    phase = phases[seed % 3]
    subject = Position.random(phase, seed)
    found: set[Position] = set()
    walk(subject, roll, found)
    assert found == {play.after for play in subject.plays(roll)}


def test_only_steps_that_keep_the_turn_legal() -> None:
    # The 6 or the 5 can be played, then the 13-point is in the way: it must be the 6.
    cramped = position({24: 1}, {12: 2})
    assert [(step.source, step.target) for step in cramped.steps("65")] == [(24, 18)]
    assert cramped.steps("65")[0].after.steps((5,)) == []
    step = START.steps((3,))[0]
    assert (step.source, step.target, step.die, step.is_hit, step.dice_left) == (24, 21, 3, False, ())
    assert START.steps(()) == []
    assert (step.before, step.dice, str(step)) == (START, (3,), "24/21")
    entering = position({"bar": 1, 1: 1}, {5: 1})
    assert [str(step) for step in entering.steps((5,))] == ["bar/20*"]
    assert [str(step) for step in position({1: 1}, {5: 1}).steps((6,))] == ["1/off"]


def test_a_step_made_by_hand() -> None:
    assert Step(START, "31", 24, 3) in START.steps("31")
    with pytest.raises(IllegalPlayError, match=r"illegal step 24 with a 5, dice left \(5,\)") as caught:
        Step(START, (5,), 24, 5)
    assert (caught.value.play, caught.value.roll) == ("24 with a 5", "(5,)")
    assert caught.value.reason in str(caught.value)


@pytest.mark.parametrize("dice", [(3, 3, 1), (7,), (1, 1, 1, 1, 1), "x", (1, 2, 3)])
def test_dice_no_turn_can_have_left(dice: object) -> None:
    with pytest.raises(GammonError):
        START.steps(dice)  # type: ignore[arg-type]


def test_a_play_made_by_hand() -> None:
    play = Play(START, "31", "8/5 6/5")
    assert play == START.play("8/5 6/5", (3, 1))
    assert play.after == START.play("6/5 8/5", "13").after
    assert isinstance(START.plays("31"), Plays)
    assert Plays(START, "31") == START.plays((1, 3))
    assert Plays(START, "31") != START.plays("32")
    assert Plays("start", "31")[0] == START.plays("31")[0]
