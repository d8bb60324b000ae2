"""The rules around the board: opening, cube, money, match, resignation, settlement, time."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

import gammon
from gammon import Roll
from gammon._typing import Player
from gammon.errors import IllegalActionError, SettingError
from gammon.match import (
    CubeAction,
    Flag,
    Game,
    GivenDice,
    Match,
    Played,
    Result,
    Rolled,
    Series,
    Session,
    Setup,
)
from set_up import at


def begun(series: Series, starter: int = 1) -> Game:
    """A game in which both have thrown, the starter on roll again."""
    game = series.new_game()
    game.roll("31", player=starter)
    game.play("8/5 6/5")
    game.roll("31")
    game.play("8/5 6/5")
    return game


# The start.


def test_the_higher_die_starts_and_plays_both_numbers() -> None:
    game = Match(3, dice=GivenDice(["25", "31"])).new_game()
    assert game.roll() == Roll(5, 2)
    assert (game.state.turn, game.actions) == (1, ("play", "resign"))
    game.play("13/8 13/11")
    assert game.roll() == Roll(3, 1)
    assert [moment.record.kind for moment in game] == ["opening", "roll", "play", "roll"]


def test_the_starter_may_throw_both_dice_again() -> None:
    game = Match(3, dice=GivenDice(["25", "44"]), opening="reroll").new_game()
    assert game.roll() == Roll(4, 4)
    assert game.state.turn == 1


def test_nobody_doubles_before_the_first_throw() -> None:
    game = Match(3, dice=GivenDice(["25", "44"]), opening="reroll").new_game()
    with pytest.raises(IllegalActionError, match="nobody doubles before the first throw"):
        game.double()
    game.roll()
    game.play("13/5 6/2(2)")
    assert "double" in game.actions  # the second player, before his own first throw


@pytest.mark.parametrize(
    ("throws", "options", "cube", "starter"),
    [
        (["33", "55", "14"], {"auto_doubles": None}, 4, 1),
        (["33", "55", "41"], {"auto_doubles": 1}, 2, 0),
        (["66", "22", "53"], {"auto_doubles": None, "six_six_triples": True}, 6, 0),
        (["66", "22", "53"], {"auto_doubles": 1, "six_six_triples": True}, 3, 0),
        (["33", "14"], {}, 1, 1),
    ],
)
def test_ties_raise_the_stake_as_agreed(
    throws: list[str], options: dict[str, Any], cube: int, starter: int
) -> None:
    game = Session(dice=GivenDice(throws), **options).new_game()
    game.roll()
    assert (game.state.cube, game.state.owner, game.state.turn) == (cube, None, starter)


def test_ties_never_raise_the_stake_in_a_match() -> None:
    game = Match(3, dice=GivenDice(["33", "62"]), auto_doubles=None).new_game()
    game.roll()
    assert (game.state.cube, game.state.turn) == (1, 0)


def test_a_tripled_stake_is_shown_as_the_power_of_two_in_it() -> None:
    game = Session(dice=GivenDice(["66", "22", "53"]), auto_doubles=None, six_six_triples=True).new_game()
    game.roll()
    assert (game.state.cube, game.situation.cube) == (6, 2)


# The cube.


@pytest.mark.parametrize(
    ("actions", "options", "cube", "owner"),
    [
        ("double take", {}, 2, 0),
        ("double beaver take", {}, 4, 0),
        ("double beaver raccoon take", {"raccoons": True}, 8, 0),
        ("double beaver raccoon take", {"raccoons": True, "raccoon_owner": "doubler"}, 8, 1),
    ],
)
def test_the_cube_is_turned_and_owned(actions: str, options: dict[str, Any], cube: int, owner: int) -> None:
    game = begun(Session(**options))
    for action in actions.split():
        getattr(game, action)()
    assert (game.state.cube, game.state.owner, game.phase) == (cube, owner, "to-roll")
    assert game.to_act == 1
    assert "double" not in game.actions or owner == 1


@pytest.mark.parametrize(
    ("actions", "winner", "points"),
    [
        ("double drop", 1, 1),
        ("double beaver drop", 0, 2),
        ("double beaver raccoon drop", 1, 4),
    ],
)
def test_an_offer_that_is_refused_ends_the_game(actions: str, winner: int, points: int) -> None:
    session = Session(raccoons=True)
    game = begun(session)
    for action in actions.split():
        getattr(game, action)()
    assert game.result == Result(winner=winner, points=points, level="single", reason="passed")
    assert session.score[winner] == points


def test_a_redouble_that_is_passed_wins_what_the_cube_was() -> None:
    game = begun(Session())
    game.double()
    game.take()
    game.roll("31")
    game.play("24/23 13/10")
    game.double()  # seat 0 owns the cube
    game.drop()
    assert game.result == Result(winner=0, points=2, level="single", reason="passed")


def test_the_answer_comes_before_anything_else() -> None:
    game = begun(Session(settlement=True))
    game.double()
    assert (game.to_act, game.actions) == (0, ("take", "pass", "beaver"))
    for action in (game.roll, game.double, lambda: game.resign(), lambda: game.settle(0)):
        with pytest.raises(IllegalActionError, match="double has not been answered"):
            action()
    with pytest.raises(IllegalActionError, match="no dice have been thrown"):
        game.play("8/5 6/5")


def test_animals_come_in_their_order_and_where_they_are_played() -> None:
    game = begun(Session(raccoons=True))
    game.double()
    with pytest.raises(IllegalActionError, match="a raccoon answers a beaver"):
        game.raccoon()
    game.beaver()
    with pytest.raises(IllegalActionError, match="a beaver answers a double"):
        game.beaver()
    game.raccoon()
    assert game.actions == ("take", "pass")
    for series, why in ((Match(5, beavers=True), "in a match"), (Session(beavers=False), "not played")):
        game = begun(series)
        game.double()
        with pytest.raises(IllegalActionError, match=why):
            game.beaver()


def test_a_beaver_may_have_to_be_accepted() -> None:
    game = begun(Session(beaver_refusal=False))
    game.double()
    game.beaver()
    assert game.actions == ("take",)
    with pytest.raises(IllegalActionError, match="may not be refused"):
        game.drop()


@pytest.mark.parametrize(
    ("series", "id", "player", "why"),
    [
        (Session(), "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", 1, "the other player owns"),
        (Session(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", 1, "the dice have been thrown"),
        (Session(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 0, "the other player's roll"),
        (Session(cube=False), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 1, "there is no cube"),
        (Session(cube_limit=64), "XGID=-b----E-C---eE---c-e----B-:6:1:1:00:0:0:0:0:10", 1, "limit of 64"),
        (Session(), "XGID=-b----E-C---eE---c-e----B-:15:1:1:00:0:0:0:0:15", 1, "limit of 32768"),
        (Match(5, score=(4, 2)), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10", 1, "Crawford"),
        (
            Match(7, score=(3, 5)),
            "XGID=-b----E-C---eE---c-e----B-:2:1:1:00:0:0:0:7:10",
            1,
            "the cube is dead",
        ),
        (Match(1), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10", 1, "the cube is dead"),
    ],
)
def test_a_double_that_may_not_be_offered(series: Series, id: str, player: int, why: str) -> None:
    game = at(series, id)
    assert why in game.add(CubeAction(player, "double")).illegal


def test_the_limit_holds_for_animals() -> None:
    game = begun(Session(cube_limit=4, raccoons=True))
    game.double()
    game.beaver()
    with pytest.raises(IllegalActionError, match="a cube of 8 is above the limit of 4"):
        game.raccoon()


@pytest.mark.parametrize(
    ("score", "player", "allowed"), [((4, 4), 0, False), ((4, 3), 0, True), ((4, 3), 1, True)]
)
def test_the_cube_is_dead_when_either_win_decides_the_match(
    score: tuple[int, int], player: int, allowed: bool
) -> None:
    match = Match(5)
    first = match.new_game(score=(4, 2))
    first.end(Result(winner=1, points=score[1] - 2))
    game = begun(match, starter=player)
    assert (game.score, game.crawford) == (score, False)
    assert ("double" in game.actions) == allowed
    alive = Match(5, rules=Match(5, dead_cube=False).rules, score=(4, 4))
    game = alive.new_game(crawford=False)
    game.roll("31", player=1)
    game.play("8/5 6/5")
    assert "double" in game.actions


# The match.


@pytest.mark.parametrize(
    ("results", "score", "crawford"),
    [
        ([(0, 2), (0, 2)], (4, 0), True),
        ([(0, 2), (0, 2), (1, 1)], (4, 1), False),
        ([(0, 4), (1, 2), (1, 2)], (4, 4), False),
        ([(0, 2), (1, 2)], (2, 2), False),
    ],
)
def test_there_is_one_crawford_game(
    results: list[tuple[int, int]], score: tuple[int, int], crawford: bool
) -> None:
    match, without = Match(5), Match(5, crawford=False)
    for winner, points in results:
        match.new_game().end(Result(winner=winner, points=points))
        without.new_game().end(Result(winner=winner, points=points))
    assert (match.score, match.new_game().crawford) == (score, crawford)
    assert without.new_game().crawford is False


def test_after_crawford_doubling_may_wait_for_two_throws_each() -> None:
    match = Match(5, holland=True)
    match.new_game(score=(4, 0)).end(Result(winner=1, points=1))
    game = match.new_game()
    game.roll("31", player=0)
    game.play("8/5 6/5")
    for _ in range(3):
        assert "double" not in game.actions
        game.roll("21")
        game.play("13/11 24/23")
    assert "double" in game.actions


def test_overshoot_has_no_meaning_and_the_match_ends() -> None:
    match = Match(3)
    game = begun(match)
    game.double()
    game.take()
    game.resign("backgammon")
    game.accept()
    assert (match.score, match.winner, match.is_over) == ((6, 0), 0, True)


# The value of a game.


@pytest.mark.parametrize(
    ("checkers", "options", "cube", "offered", "level", "points"),
    [
        ("f........o", {"jacoby": False}, 2, True, "gammon", 4),
        ("loser in winner's home", {"jacoby": False}, 1, False, "backgammon", 3),
        ("loser has one off", {"jacoby": False}, 1, False, "single", 1),
        ("loser in winner's home", {"jacoby": True}, 1, False, "backgammon", 1),
        ("f........o", {"jacoby": True}, 2, False, "gammon", 2),  # the cube was raised by a tie
        ("f........o", {"jacoby": True}, 2, True, "gammon", 4),
    ],
)
def test_what_a_win_is_worth(
    checkers: str, options: dict[str, Any], cube: int, offered: bool, level: str, points: int
) -> None:
    loser: dict[int, int] = {
        "f........o": {7: 15},
        "loser in winner's home": {22: 1, 6: 14},
        "loser has one off": {22: 1, 6: 13},
    }[checkers]
    position = gammon.Position.from_points({1: 1}, loser)
    game = Session(
        dice=GivenDice(["33", "41"] if cube == 2 and not offered else ["41"]), auto_doubles=1, **options
    ).new_game()
    game.roll()
    owner: Player | None = "roller" if offered else None
    situation = gammon.Situation.from_parts(position, cube=cube, cube_owner=owner, roll="21", seat=1)
    game.add(Setup(1, situation))
    game.play("1/off")
    assert game.result == Result(winner=1, points=points, level=level)  # type: ignore[arg-type]


# Resigning and settling.


@pytest.mark.parametrize(
    ("level", "jacoby", "turned", "points"),
    [
        ("single", False, False, 1),
        ("gammon", False, True, 4),
        ("gammon", True, False, 1),
        ("gammon", True, True, 4),
        ("backgammon", False, True, 6),
    ],
)
def test_a_resignation_is_worth_its_level(level: Any, jacoby: bool, turned: bool, points: int) -> None:
    game = begun(Session(jacoby=jacoby))
    if turned:
        game.double()
        game.take()
    game.resign(level, player=0)
    assert (game.to_act, game.actions, game.situation.offer) == (1, ("accept", "decline"), f"resign-{level}")
    game.accept()
    assert game.result == Result(winner=1, points=points, level=level, reason="resigned")


def test_a_resignation_that_is_declined_costs_nothing() -> None:
    game = begun(Match(5))
    game.roll("31")
    game.resign("single", player=0)
    with pytest.raises(IllegalActionError, match="the resignation has not been answered"):
        game.play("24/23 13/10")
    game.decline()
    assert (game.is_over, game.phase, game.to_act) == (False, "to-play", 1)
    game.play("24/23 13/10")


def test_games_may_have_to_be_played_while_there_is_contact() -> None:
    game = begun(Match(5, resign_when="no_contact"))
    assert "resign" not in game.actions
    with pytest.raises(IllegalActionError, match="without contact only"):
        game.resign()
    race = at(Match(5, resign_when="no_contact"), "XGID=-EED-------------------bb-:0:0:1:00:0:0:0:5:10")
    assert "resign" in race.actions


def test_a_level_that_is_none() -> None:
    with pytest.raises(SettingError, match="level must be single"):
        begun(Match(5)).resign("double")  # type: ignore[arg-type]


def test_a_game_is_settled_for_what_both_agree_on() -> None:
    session = Session(settlement=True)
    game = begun(session)
    game.settle(Fraction(1, 2))
    assert game.actions == ("accept", "decline")
    game.decline()
    game.settle(Fraction(-3, 2))
    game.accept()
    assert game.result == Result(winner=0, points=Fraction(3, 2), reason="settled")
    assert session.score == (Fraction(3, 2), 0)
    begun(session).settle(0)
    session.games[-1].accept()
    assert session.games[-1].result == Result(winner=None, points=0, reason="settled")


def test_a_settlement_is_for_money_only_and_within_three_cubes() -> None:
    with pytest.raises(IllegalActionError, match="4 points are more than 3"):
        begun(Session(settlement=True)).settle(4)
    for series in (Match(5, settlement=True), Session()):
        with pytest.raises(IllegalActionError, match="games are not settled"):
            begun(series).settle(1)


# Completion, and plays against the rules.


def test_an_illegal_play_noticed_in_time_is_corrected() -> None:
    game = begun(Match(5))
    game.add(Rolled(1, Roll(5, 2)))
    assert game.add_play(1, "13/7 24/23").illegal
    game.correct("13/8 13/11")
    assert not game[-1].record.illegal
    assert game.to_act == 0
    with pytest.raises(IllegalActionError, match="not an illegal play"):
        game.correct("13/8 24/22")  # a completed play cannot be taken back


def test_an_illegal_play_stands_once_the_opponent_has_thrown() -> None:
    game = begun(Match(5))
    game.add_turn(1, "52", "13/7 24/23")
    game.roll("31")
    with pytest.raises(IllegalActionError, match="not an illegal play"):
        game.correct("13/8 13/11")


def test_the_opponent_may_condone_an_illegal_play_where_that_is_agreed() -> None:
    for rule, allowed in (("responsible", True), ("legal_moves_only", False)):
        game = begun(Match(5, illegal_play=rule))
        game.add_turn(1, "52", "13/7 24/23")
        if allowed:
            game.condone()
            assert game[-1].record.marks == ("condoned",)
        else:
            with pytest.raises(IllegalActionError, match="must be corrected"):
                game.condone()


# Time.


def test_a_fallen_flag_loses_the_match() -> None:
    match = Match(7, score=(5, 2))
    game = begun(match)
    game.flag(0)
    assert game.result == Result(winner=1, points=5, reason="time", ends_match=True)
    assert (match.winner, match.is_over) == (1, True)


def test_a_fallen_flag_may_cost_points() -> None:
    match = Match(7, score=(5, 2), flag_fall=2)
    game = begun(match)
    game.flag(0)
    assert (match.score, game.is_over, game.situation.score) == ((5, 4), False, (4, 5))
    game.flag(1)
    assert (match.score, match.winner) == ((7, 4), 0)
    assert game.result == Result(winner=0, points=0, reason="time", ends_match=True)


def test_a_fallen_flag_in_money_play_loses_the_game() -> None:
    session = Session()
    game = begun(session)
    game.flag(0)
    assert (session.score, session.is_over) == ((0, 1), False)


def test_a_record_of_every_kind_after_the_end_is_marked() -> None:
    for record in (Rolled(0, Roll(3, 1)), CubeAction(0, "double"), CubeAction(0, "take"), Flag(1)):
        game = begun(Match(5))
        game.double()
        game.drop()
        assert game.add(record).illegal == "the game is over"


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.product(["roll", "play", "double", "take"], repeat=2))
)
def test_whatever_a_file_says_is_got_through(first: str, second: str) -> None:
    game = Match(5).new_game()
    for name in (first, second, first, second):
        for player in (0, 1):
            if name == "roll":
                game.add(Rolled(player, Roll(6, 6)))
            elif name == "play":
                game.add_play(player, "24/18 13/7", "66")
            else:
                game.add(CubeAction(player, name))  # type: ignore[arg-type]
            assert game.situation.position.pip_count[0] > 0
    assert any(moment.record.illegal for moment in game)
    assert all(isinstance(moment.id, str) for moment in game)
    assert not any(isinstance(moment.record, Played) and moment.record.play is None for moment in game)
