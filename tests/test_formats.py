"""Files written and read again, and one match in the dialects of several programs."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

import dialects
import gammon
import matches
from gammon import Position, formats
from gammon.errors import FormatError
from gammon.match import (
    CubeAction,
    CubeFinding,
    IllegalPlay,
    Match,
    Played,
    PlayFinding,
    Resignation,
    Session,
    Setup,
)

CASES = int(os.environ.get("GAMMON_CASES", "25"))
"""Matches and sessions drawn for each property; 1000 were tried when this was written."""

WRITTEN = ("json", "mat", "sgf", "xg")


def content(series: Any, name: str) -> tuple[bytes, list[str]]:
    text, lost = formats.dumps(series, name)
    return (text if isinstance(text, bytes) else text.encode()), lost


# What is written is read again.


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("money", [False, True], ids=["match", "session"])
def test_what_is_written_is_read_again_but_for_what_was_said_to_be_lost(name: str, money: bool) -> None:
    for seed in range(CASES):
        series = matches.random_series(seed, money=money)
        data, lost = content(series, name)
        reading = formats.read(data)
        assert reading.format == name
        assert matches.left(reading.match, lost) == matches.left(series, lost), (seed, lost)
        if name == "json":
            assert lost == []
            assert reading.match == series
        else:
            assert content(reading.match, name)[0] == data or lost


@pytest.mark.parametrize("name", ["json", "sgf", "xg"])
def test_games_that_begin_with_a_position_come_back(name: str) -> None:
    for seed in range(CASES):
        rng = random.Random(seed)
        owner: Any = rng.choice([None, "roller", "opponent"])
        situation = gammon.Situation.from_parts(
            Position.random(rng.choice(["contact", "race", "bearoff"]), seed),
            length=rng.choice([0, 7, 11]),
            score=(rng.randint(0, 3), rng.randint(0, 3)),
            cube=rng.choice([2, 4]) if owner else 1,
            cube_owner=owner,
            roll=rng.choice([None, "31", "66"]),
            seat=rng.choice([0, 1]),
        )
        series = formats.FoundPosition(situation=situation).to_match()
        if rng.random() < 0.9:
            matches.play_game(series.games[0], rng, give_dice=True)
        data, lost = content(series, name)
        assert {phrase.partition(" (")[0].partition(":")[0] for phrase in lost} <= {
            "rules of play",
            "the program it came from",
            "resignations that were not accepted",
            "evaluations found in files",
            "marks such as 'very bad'",
            "time left on the clocks",
            "comments on what happened",
        }
        reading = formats.read(data)
        assert matches.left(reading.match, lost) == matches.left(series, lost), seed


def test_the_comparison_notices_what_is_not_said_to_be_lost() -> None:
    series = dialects.look_alike(1)
    other = dialects.look_alike(1)
    other.games[3].note(5, comment="changed")
    assert matches.left(series, []) != matches.left(other, [])
    assert matches.left(series, ["comments on what happened"]) == matches.left(
        other, ["comments on what happened"]
    )
    other.games[3].undo(1)
    assert matches.left(series, ["comments on what happened"]) != matches.left(
        other, ["comments on what happened"]
    )


def test_everything_random_matches_hold_is_met() -> None:
    every = [matches.random_series(seed, money=money) for seed in range(60) for money in (False, True)]
    records = [record for series in every for game in series.games for record in game.records]
    assert {record.kind for record in records} >= {
        "opening",
        "roll",
        "play",
        "cube",
        "resignation",
        "settlement",
    }
    actions = {record.action for record in records if isinstance(record, CubeAction | Resignation)}
    assert actions >= {"double", "take", "pass", "beaver", "raccoon", "offer", "accept", "decline"}
    levels = {game.result.level for series in every for game in series.games if game.result is not None}
    assert levels >= {"single", "gammon", "backgammon"}
    assert any(isinstance(record, Played) and record.play.is_pass for record in records)


@pytest.mark.parametrize("seed", range(3))
def test_a_match_without_notes_loses_nothing(seed: int) -> None:
    look = dialects.look_alike(seed)
    for name in WRITTEN:
        data, lost = content(look, name)
        assert lost == (["the program it came from"] if name == "xg" else []), name
        read = formats.read(data).match
        read.program = look.program
        assert matches.left(read, []) == matches.left(look, [])


# One match in the clothes of several programs.


def test_one_match_is_the_same_from_every_format() -> None:
    look = dialects.look_alike(1)
    story = dialects.story(look)
    assert dialects.counts(look) == (331, 334, 14, 7)
    for data in (
        dialects.xg_mat(look),
        dialects.xg_text(look),
        content(look, "sgf")[0],
        content(look, "xg")[0],
        content(look, "mat")[0],
    ):
        reading = formats.read(data)
        assert reading.warnings == ()
        assert dialects.counts(reading.match) == (331, 334, 14, 7)
        assert dialects.story(reading.match) == story
        assert reading.match.score == look.score == (7, 4)
        assert [player.name for player in reading.match.players] == ["Zoë Ångström", "Bo Lind-2"]


@pytest.mark.parametrize("name", dialects.DIALECTS)
def test_dialects_of_mat(name: str) -> None:
    reading = formats.read(dialects.DIALECTS[name])
    assert reading.format == "mat"
    if name != "illegal":
        assert reading.warnings == ()
    assert all(game.records or game.number == 2 for game in reading.match.games)


def test_what_dialects_of_mat_say() -> None:
    def read(name: str) -> Any:
        return formats.read(dialects.DIALECTS[name])

    assert str(read("strict").match) == "<5-point match: A 1, B 0; 1 games>"
    losses = read("losses").match
    assert losses.score == (0, 1)
    assert losses.winner is None
    time = read("lost_on_time").match
    assert (time.games[0].result.reason, time.games[0].result.ends_match) == ("time", True)
    assert [record.comment for record in time.games[0].records if record.comment] == ["12.5s", "3s"]
    rated = read("ratings").match
    assert [(player.name, player.rating) for player in rated.players] == [("anna", 1623.0), ("bo", 1500.5)]
    commented = read("comments").match
    assert commented.comment.count("something to say") == 80
    assert commented.games[0].comment == "at the start"
    assert commented.games[0].records[-1].comment == "well played"
    assert [series.length for series in read("two_matches").matches] == [1, 3]
    money = read("money").match
    assert isinstance(money, Session)
    assert [record.action for record in money.games[0].records if isinstance(record, CubeAction)] == [
        "double",
        "beaver",
        "take",
    ]
    assert money.score == (4, 0)
    setup = read("setup").match.games[0].records[0]
    assert isinstance(setup, Setup)
    assert (setup.situation.cube, setup.situation.cube_owner, setup.situation.seat) == (2, "roller", 1)


def test_gammons_that_count_show_that_there_is_no_jacoby_rule() -> None:
    game = " Game 1\n a : 0          b : 0\n 1) 31: 8/5 6/5        64: 24/14\n"
    text = f" 0 point match\n{game}      Wins {{}} points\n"
    for points, jacoby in ((1, True), (2, False), (3, False)):
        reading = formats.read(text.format(points).encode())
        assert reading.match.rules.jacoby is jacoby
        assert reading.warnings == ()
        result = reading.match.games[0].result
        assert result is not None
        assert (result.points, result.level) == (points, ("single", "gammon", "backgammon")[points - 1])
    tagged = '; [Jacoby "On"]\n' + text.format(2)
    assert formats.read(tagged.encode()).match.rules.jacoby


def test_an_illegal_play_is_kept_as_it_was_and_said() -> None:
    reading = formats.read(dialects.DIALECTS["illegal"])
    game = reading.match.games[0]
    first, second = (record for record in game.records if isinstance(record, Played) and record.illegal)
    assert isinstance(first.play, IllegalPlay)
    assert first.play.text == "8/4 6/5"
    assert first.play.moves == ((8, 4), (6, 5))
    # The second is told only by the position after it, and the game goes on from there.
    assert second.play.after == game[game.records.index(second) + 1].before.position
    assert second.play.after.board[1, 17] == 1
    assert len(game) == 6
    assert [warning.place for warning in reading.warnings] == ["line 4", "line 4"]
    assert "no die is left for 6/5" in reading.warnings[0].text
    with pytest.raises(FormatError, match="cannot hold a position that is set up"):
        formats.dumps(formats.read(dialects.DIALECTS["setup"]), "mat")


def test_sgf_with_positions_branches_and_comments() -> None:
    reading = formats.read(dialects.sgf_setup())
    match = reading.match
    assert reading.warnings == ()
    assert [player.name for player in match.players] == ["A", "B [x] y"]
    game = match.games[0]
    assert (game.comment, game.score, match.starting_score) == ("before]it", (1, 2), (1, 2))
    assert [record.comment for record in game.records if record.comment] == ["good", "first line"]
    assert [record.marks for record in game.records if record.marks] == [("very bad",)]
    setup = next(record for record in game.records if isinstance(record, Setup))
    assert setup.situation.position == Position.from_points({6: 2, 8: 1}, {24: 1, "bar": 1})
    assert (setup.situation.cube, setup.situation.cube_owner) == (2, "opponent")
    rolled = game.records[game.records.index(setup) + 1]
    (cube,) = rolled.findings
    assert isinstance(cube, CubeFinding)
    assert cube.no_double is not None
    assert (cube.no_double.mwc, cube.no_double.probs) == (0.51, (0.5, 0.1, 0.0, 0.1, 0.0))
    assert cube.double_take is not None
    assert cube.double_take.mwc is None
    assert cube.double_take.source.plies == 0


def test_a_rollout_in_sgf() -> None:
    text = (
        b"(;GM[6]MI[length:0]PW[a]PB[b];B[31hefe]A[1][hgge E ver 3 0.5 0.1 0.0 0.1 0.0 0.1 2C 0 1 0.0 1]"
        b"[qtst X ver 3 Score 0.16 0.12 Trials 1296 Output 0.55 0.17 0.01 0.13 0.01 0.12 0.16 StdDev 0.001 "
        b"0.002 0.003 0.004 0.005 0.006 0.007];W[double]"
        b"DA[X ver 3 Eq Trials 648 NoDouble Output .5 .1 0 .1 0 .0 .02 "
        b"StdDev 1 1 1 1 1 1 .01 DoubleTake Output .5 .1 0 .1 0 .0 -.3 StdDev 1 1 1 1 1 1 .02])"
    )
    game = formats.read(text).match.games[0]
    (plays,) = next(record.findings for record in game.records if isinstance(record, Played))
    assert isinstance(plays, PlayFinding)
    rollout = plays.candidates[1].evaluation
    assert (plays.chosen, rollout.equity, rollout.equity_error, rollout.probs_error) == (
        1,
        0.16,
        0.007,
        (0.001, 0.002, 0.003, 0.004, 0.005),
    )
    assert rollout.source.rollout is not None
    assert rollout.source.rollout.trials == 1296
    (cube,) = game.records[-1].findings
    assert isinstance(cube, CubeFinding)
    assert cube.double_take is not None
    assert (cube.double_take.equity, cube.double_take.equity_error) == (-0.3, 0.02)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize(
    "odd", ["A\0B", "half \ud800 pair", "x" * 5_000, "tab\there", "\x01\x07", "a\u2028b\x85c"]
)
def test_odd_names_and_texts_are_written_or_said_to_be_lost(name: str, odd: str) -> None:
    match = Match(3, (odd, "Bo"))
    match.event = match.comment = odd
    game = match.new_game()
    game.roll("31", player=1)
    game.play("8/5 6/5", comment=odd)
    data, lost = content(match, name)
    reading = formats.read(data)
    read = reading.match
    assert reading.warnings == ()
    assert read.games[0].records[-1].kind == "play"
    same = (read.players[0].name, read.event, read.comment) == (odd, odd, odd)
    assert same or lost, "something is lost, and nothing is said"
    if name == "json":
        assert same == ("\ud800" not in odd)
    if "names" not in " ".join(lost) and "characters" not in " ".join(lost):
        assert read.players[0].name.split() == odd.split()


def test_numbers_beyond_all_sense_in_mat_are_said() -> None:
    session = b"""
 0 point match

 Game 1
 A : 98304                    B : 999999999
  1) 31: 8/5 6/5              64: 24/14
  2)  Doubles => 2             Drops
      Wins 1 point
"""
    reading = formats.read(session)
    assert reading.match.games[0].score == (98304, 999999999)
    assert reading.warnings == ()
    beyond = session.replace(b": 98304 ", b": 98304000000 ").replace(b"999999999", b"-5")
    texts = [str(warning) for warning in formats.read(beyond).warnings]
    assert texts[:2] == [
        "line 5: a score of 98304000000: taken for 999999999",
        "line 5: a score of -5: taken for 0",
    ]
    match = session.replace(b" 0 point", b" 7 point")
    texts = [str(warning) for warning in formats.read(match).warnings]
    assert texts[:2] == [
        "line 5: a score of 98304: taken for 32767",
        "line 5: a score of 999999999: taken for 32767",
    ]
    doubled = formats.read(session.replace(b"=> 2", b"=> 104857600")).warnings
    assert any("a double to 104857600 of a cube at 1" in str(warning) for warning in doubled)
    won = formats.read(session.replace(b"Wins 1 point", b"Wins 1000001 points")).warnings
    assert any("1000001" in str(warning) for warning in won)
