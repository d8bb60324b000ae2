"""Matches and sessions as records: built, read with mistakes, replayed, compared, and put into JSON."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

import gammon
from gammon import Position, Roll, formats
from gammon.errors import FormatError, IllegalActionError, IllegalPlayError, MatchDataError, SettingError
from gammon.match import (
    Candidate,
    CubeAction,
    CubeFinding,
    Evaluation,
    Game,
    IllegalPlay,
    LuckFinding,
    Match,
    Opening,
    Played,
    PlayerInfo,
    PlayFinding,
    Resignation,
    Result,
    Rolled,
    RolloutSettings,
    Series,
    Session,
    Setup,
    Source,
)


def short_game(match: Series) -> Game:
    """Seat 1 starts and plays, seat 0 doubles and is passed."""
    game = match.new_game()
    game.add(Opening(1, ((3, 3), (1, 3))))
    game.add_turn(1, "31", "8/5 6/5", comment="the best")
    game.add(CubeAction(0, "double"))
    game.add(CubeAction(1, "pass"))
    return game


FINDINGS = (
    PlayFinding(
        candidates=(
            Candidate(
                "8/5 6/5",
                Evaluation(
                    source=Source(
                        program="Some Program 2.1",
                        level="rollout",
                        rollout=RolloutSettings(trials=1296, seed=7, variance_reduction=True),
                    ),
                    probs=(0.55, 0.15, 0.01, 0.12, 0.005),
                    equity=0.159,
                    probs_error=(0.001, 0.001, 0.0, 0.001, 0.0),
                    equity_error=0.004,
                ),
                after=Position.start().play("8/5 6/5", "31").after,
            ),
            Candidate("24/20", Evaluation(source=Source(program="Some Program 2.1", plies=2), equity=-0.01)),
        ),
        chosen=0,
        error=0.0,
    ),
    LuckFinding(source=Source(program="Some Program 2.1"), equity=0.12, mwc=0.01),
    CubeFinding(
        no_double=Evaluation(source=Source(program="Other", plies=0), equity=0.3, mwc=0.55),
        double_pass=Evaluation(source=Source(program="Other", plies=0), equity=1.0),
        best="No double, take",
        answer_error=0.5,
    ),
)


def rich_match() -> Match:
    """A match with something of everything a file may hold."""
    match = Match(5, (PlayerInfo("A", 1612.5, 300), "B"), holland=True)
    match.event, match.place, match.round, match.date = "Open", "Here", "3", "2026-11-30T09:30"
    match.annotator, match.transcriber, match.program = "C", "D", "Some Program 2.1"
    match.comment, match.tags = "a line\nand another", {"Stake": "10", "Ünlü": "ü"}
    game = short_game(match)
    game.comment, game.closing_comment = "to begin with", "at last"
    game.note(2, findings=FINDINGS, marks=("very good", "lucky"), time_left=(600.5, None))
    game = match.new_game(score=(1, 0))
    game.add_turn(0, "66", "24/18(2) 13/7(2)")  # no double starts a game
    game.add_turn(1, "21", "13/8 6/2")  # no legal play
    game.add_turn(0, "53", "8/3 6/3")
    game.add_turn(0, "31")  # twice in a row, and never played
    game.add(Setup(1, gammon.parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:52:0:0:0:5:10")))
    game.add_play(1, "13/11 13/8")
    game.add(Resignation(0, "offer", "gammon"))
    game.add(Resignation(1, "decline"))
    game.end(Result(winner=1, points=2, reason="forfeited"))
    return match


def test_records_are_replayed_with_the_situation_before_each() -> None:
    game = short_game(Match(5))
    assert [moment.record.kind for moment in game] == ["opening", "roll", "play", "cube", "cube"]
    start, rolled, played, doubled, passed = game
    assert start.situation.state == "not-started"
    assert (rolled.situation.roll, rolled.situation.seat) == (None, 1)
    assert played.situation.roll == Roll(3, 1)
    assert played.situation.position == Position.start()
    assert doubled.situation.position == Position.start().play("8/5 6/5", "31").after
    assert (doubled.situation.seat, doubled.situation.offer) == (0, None)
    assert (passed.situation.offer, passed.situation.to_act) == ("double", "opponent")
    assert passed.id == gammon.parse(passed.id).xgid
    assert game.result == Result(winner=0, points=1, level="single", reason="passed")


def test_every_id_reads_back_to_the_same_decision() -> None:
    for game in rich_match().games:
        for moment in game:
            read = gammon.parse(moment.id)
            assert read.position == moment.situation.position
            assert (read.roll, read.cube, read.seat) == (
                moment.situation.roll,
                moment.situation.cube,
                moment.situation.seat,
            )


def test_what_a_file_has_wrong_is_kept_and_marked() -> None:
    _, game = rich_match().games
    marked = {moment.index: moment.record.illegal for moment in game if moment.record.illegal}
    assert set(marked) == {0, 3, 6}
    assert marked[0] == "no game starts with a double"
    assert marked[3] == "the dice cannot make 13/8"
    assert marked[6] == "it is the other player's roll"
    illegal = game[3].record
    assert isinstance(illegal, Played)
    assert isinstance(illegal.play, IllegalPlay)
    assert (str(illegal.play), illegal.play.moves) == ("13/8 6/2", ((13, 8), (6, 2)))
    assert illegal.play.after == game[4].before.position
    assert illegal.play.after.flip().board[0, [1, 5, 7, 12]].tolist() == [1, 4, 4, 4]


@pytest.mark.parametrize(
    ("text", "pips", "hits"),
    [
        ("24/20*", 163, 0),  # there is nothing to hit
        ("13/1 24/14", 157, 0),  # the first of these points is the opponent's and stays his
        ("what was that", 167, 0),
        ("99/5", 167, 0),
    ],
)
def test_an_illegal_play_moves_what_can_be_moved(text: str, pips: int, hits: int) -> None:
    game = Match(1).new_game()
    *_, record = game.add_turn(1, "63", text)
    assert isinstance(record, Played)
    assert isinstance(record.play, IllegalPlay)
    assert record.illegal
    assert (record.play.after.pip_count[1], record.play.hits) == (pips, hits)


def test_an_illegal_hit_sends_a_checker_to_the_bar() -> None:
    game = Match(1).new_game()
    game.add_turn(1, "21", "13/11 6/5")
    *_, record = game.add_turn(0, "65", "24/20*")
    assert isinstance(record, Played)
    assert record.play.hits == 1
    assert game.situation.position.board[0, 24] == 1


def test_the_position_a_file_states_goes_before_the_moves() -> None:
    game = Match(1).new_game()
    stated = Position.start().play("24/23 13/10", "31").after
    *_, record = game.add_turn(1, "31", "8/5 6/5", after=stated)
    assert (
        record.illegal
        == f"it leads to another position than {Position.start().play('8/5 6/5', '31').after.id}"
    )
    assert game.situation.position == stated


def test_a_result_that_contradicts_the_game_is_kept_and_says_so() -> None:
    game = short_game(Match(5))
    assert game.end(Result(winner=0, points=2)).illegal == "the game is worth 1, not 2"
    assert game.end(Result(winner=1, points=1)).illegal == "seat 0 has won, not seat 1"
    assert game.end(Result(winner=0, points=1, reason="passed")).illegal == ""
    assert game.result == Result(winner=0, points=1, level="single", reason="passed")


def test_nothing_happens_after_the_end() -> None:
    game = short_game(Match(5))
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.roll("31")
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.play("8/5 6/5")
    assert (game.actions, game.to_act, game.phase) == ((), None, "over")


def test_playing_enforces_the_rules() -> None:
    game = Match(5).new_game()
    with pytest.raises(SettingError, match="has no dice"):
        game.roll()
    with pytest.raises(SettingError, match="player must be 0 or 1"):
        game.roll("31")
    game.roll("31", player=0)
    with pytest.raises(IllegalPlayError):
        game.play("13/8 6/2")
    with pytest.raises(IllegalActionError, match="illegal roll: 31 has not been played"):
        game.roll("31")
    with pytest.raises(IllegalActionError, match="illegal double: the dice have been thrown"):
        game.double()
    game.play("8/5 6/5")
    assert len(game) == 2


def test_undo_takes_back_records_and_results() -> None:
    match = Match(5)
    game = short_game(match)
    before = copy.deepcopy(match)
    assert [record.kind for record in game.undo(2)] == ["cube", "cube"]
    assert game.to_act == 0
    assert game.result is None
    game.double()
    game.drop()
    assert match == before
    with pytest.raises(SettingError, match="there are 5 records"):
        game.undo(6)


def test_a_record_with_another_seat_is_refused() -> None:
    game = Match(5).new_game()
    with pytest.raises(SettingError, match="player must be 0 or 1, got 2"):
        game.add(Rolled(2, Roll(3, 1)))


def test_notes_change_and_what_happened_does_not() -> None:
    game = short_game(Match(5))
    game.note(-1, comment="a pity")
    assert game[-1].record.comment == "a pity"
    with pytest.raises(SettingError, match="not player"):
        game.note(0, player=1)
    with pytest.raises(AttributeError):
        game[0].record.comment = "changed"  # type: ignore[misc]


def test_matches_are_equal_if_everything_is() -> None:
    assert rich_match() == rich_match()
    assert copy.deepcopy(rich_match()) == rich_match()
    assert pickle.loads(pickle.dumps(rich_match())) == rich_match()
    other = rich_match()
    other.games[0].note(0, comment="new")
    assert other != rich_match()
    assert Session() != Match(1)


def test_json_keeps_everything() -> None:
    match = rich_match()
    text = json.dumps(match.to_dict())
    assert Series.from_dict(json.loads(text)) == match
    assert Match.from_dict(json.loads(text)).games[0].note(2).findings == FINDINGS


def test_json_of_a_session_with_a_settlement() -> None:
    session = Session(("A", "B"), score=(Fraction(1, 2), 3), settlement=True, auto_doubles=None)
    game = session.new_game()
    game.add(Opening(0, ((6, 6), (5, 2))))
    game.roll()
    game.play("13/8 13/11")
    game.settle(Fraction(-3, 2), player=0)
    game.accept()
    assert session.score == (Fraction(1, 2), Fraction(9, 2))
    assert Session.from_dict(json.loads(json.dumps(session.to_dict()))) == session


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="other"), "format is 'other'"),
        (lambda d: d.update(version=2), "version 2"),
        (lambda d: d.update(length="5"), "the match: length must be a whole number, got '5'"),
        (lambda d: d.update(length=-1), "length"),
        (lambda d: d["rules"].update(jacobi=True), "rules: unknown jacobi"),
        (lambda d: d["rules"].update(opening="no"), "rules: opening must be one of"),
        (lambda d: d.update(players=[]), "expected two"),
        (lambda d: d.update(games={}), "games must be a list"),
        (lambda d: d["games"][0].update(crawford=1), "game 1: crawford must be true or false, got 1"),
        (lambda d: d["games"][0].update(records=[3]), "game 1, record 0 must be an object"),
        (lambda d: d["games"][0]["records"][1].update(roll="71"), "game 1, record 1: "),
        (lambda d: d["games"][0]["records"][1].update(kind="dance"), "kind must be one of"),
        (lambda d: d["games"][0]["records"][2].update(play="13/1"), "game 1, record 2: .*13/1"),
        (lambda d: d["games"][0]["records"][3].update(action="doubles"), "action must be one of"),
        (lambda d: d["games"][0]["records"][3].update(player=2), "player must be 0 or 1, got 2"),
        (lambda d: d["games"][0]["records"][2]["findings"].append({"kind": "x"}), "a finding is of kind"),
        (lambda d: d["games"][0]["result"].update(points=1.5), "points must be a whole number"),
        (
            lambda d: d["games"][0]["result"].update(points=-7),
            "game 1, result: points must be from 0 to .*-7",
        ),
        (lambda d: d["games"][0]["result"].update(points=10**30), "game 1, result: points must be from 0 to"),
        (lambda d: d["games"][0]["result"].update(points="1e99999999"), "points must be a whole number or a"),
        (lambda d: d["games"][0]["result"].update(points="1/0"), "game 1, result: "),
        (
            lambda d: d["games"][0]["result"].update(winner="x"),
            r"game 1, result: winner .*\(0, 1, None\).*'x'",
        ),
        (lambda d: d["games"][0]["result"].update(winner=True), "game 1, result: winner must be one of"),
        (lambda d: d["games"][0]["result"].update(level=-1), "game 1, result: level .* or null, got -1"),
        (lambda d: d["games"][0]["result"].update(reason="luck"), "game 1, result: reason .*'luck'"),
        (lambda d: d["games"][0]["result"].update(ends_match=1), "ends_match must be true or false, got 1"),
        (
            lambda d: d["games"][0].update(number=10**30),
            "game 1: number must be from 0 to 2147483647, got 10",
        ),
        (lambda d: d["games"][0].update(score=[10**30, 0]), "game 1, score: points must be from"),
        (lambda d: d["games"][0].update(score=[0]), r"game 1, score: expected two, got \[0\]"),
        (lambda d: d["games"][0]["records"][0].update(throws=[[1.5, 2]]), "throws must be a whole number"),
        (lambda d: d["games"][0]["records"][2].update(marks="bad"), "marks must be a list"),
        (lambda d: d["games"][0]["records"][2].update(marks=[1]), r"marks\[0\] must be a text, got 1"),
        (lambda d: d["games"][0]["records"][2].update(time_left=["x", 1]), "time_left must be a number"),
        (lambda d: d["games"][0]["records"][2]["findings"][0].update(chosen=9), "chosen must be from 0 to 1"),
        (lambda d: d["players"][0].update(name=1.5), r"players\[0\]: name must be a text, got 1.5"),
        (lambda d: d["players"][1].update(name="\ud800"), r"players\[1\]: name .* UTF-16 .*ud800"),
        (lambda d: d["players"][1].update(rating=float("inf")), r"players\[1\]: rating must be from .*inf"),
        (lambda d: d.update(date="\ud800"), "the match: date .* UTF-16"),
        (lambda d: d.update(tags={"Stake": 10}), "tags: Stake must be a text, got 10"),
        (lambda d: d.update(kind=-1), "the match: kind must be one of .*'match'.*-1"),
        (lambda d: d.update(kind={}), "the match: kind must be one of .*'match'.*{}"),
        (lambda d: d.update(kind="session"), "the match: kind must be one of .*'match'.*'session'"),
    ],
)
def test_json_that_is_none_is_refused_with_its_place(change: Any, message: str) -> None:
    values = json.loads(json.dumps(rich_match().to_dict()))
    change(values)
    with pytest.raises(MatchDataError, match=message):
        Series.from_dict(values)


def test_a_name_given_twice_in_json_is_refused() -> None:
    text = json.dumps(rich_match().to_dict())
    with pytest.raises(FormatError, match="an object has 'length' twice"):
        formats.read(text.replace('"length": 5', '"length": 5, "length": 7').encode())
    with pytest.raises(FormatError, match="an object has 'name' twice"):
        formats.read(text.replace('"name": "A"', '"name": "A", "name": "A"').encode())


def test_a_match_is_no_session() -> None:
    with pytest.raises(SettingError, match="expected a Session, got a Match"):
        Session.from_dict(Match(3).to_dict())


def test_games_follow_one_another() -> None:
    match = Match(2)
    short_game(match)
    assert match.score == (1, 0)
    game = match.new_game()
    assert (game.number, game.score, game.crawford) == (2, (1, 0), True)
    with pytest.raises(IllegalActionError, match="game 2 is not over"):
        match.new_game()
    game.roll("31", player=0)
    game.resign("single", player=1)
    game.accept()
    assert (match.score, match.winner, match.is_over) == ((2, 0), 0, True)
    with pytest.raises(IllegalActionError, match="the match is over"):
        match.new_game()


def test_a_setting_that_means_nothing_is_refused() -> None:
    for options in ({"opening": "x"}, {"cube_limit": 0}, {"auto_doubles": -1}, {"flag_fall": 0}):
        with pytest.raises(SettingError):
            Match(5, **options)
    with pytest.raises(SettingError, match="length must be from 1"):
        Match(0)
    with pytest.raises(SettingError, match="not both"):
        Match(3, rules=Session().rules, crawford=False)


def test_a_setting_of_the_wrong_type_is_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"length": True}, "length must be a whole number of points, got True"),
        ({"length": 5.0}, "length must be a whole number of points, got 5.0"),
        ({"length": "5"}, "length must be a whole number of points, got '5'"),
        ({"players": "AB"}, "players must be two names, got 'AB'"),
        ({"players": 2}, "players must be two names, got 2"),
        ({"players": ("A", 7)}, "player 1 must be a name or a PlayerInfo, got 7"),
        ({"dice": "31"}, "dice must be a function of game and throw, or None, got '31'"),
        ({"rules": {}}, "rules must be a match.Rules, got {}"),
        ({"cube_limit": 8.0}, "cube_limit must be a whole number or None, got 8.0"),
        ({"auto_doubles": True}, "auto_doubles must be a whole number or None, got True"),
        ({"flag_fall": "1"}, "flag_fall must be a whole number or None, got '1'"),
        ({"variant": None}, "variant must be a text, got None"),
    ]
    switches = ("cube", "crawford", "holland", "dead_cube", "jacoby", "beavers", "beaver_refusal")
    for name in (*switches, "raccoons", "six_six_triples", "settlement"):
        wrong += [({name: value}, f"{name} must be True or False, got") for value in ("no", 1, None)]
    for options, message in wrong:
        with pytest.raises(TypeError, match=message):
            Match(**{"length": 5, **options})
        if "length" not in options:
            with pytest.raises(TypeError, match=message):
                Session(**options)
    for names in ((), ("A",), ("A", "B", "C")):
        with pytest.raises(SettingError, match=f"players must be two names, got {len(names)}"):
            Match(5, names)
    for limit in (3, 48):
        with pytest.raises(SettingError, match=f"cube_limit must be a power of two, or None, got {limit}"):
            Session(cube_limit=limit)
    assert Match(5, ["A", "B"], cube_limit=64).label(1) == "B"


WRONG: list[Any] = [None, -1, -7, 2.5, "x", "", [], {}, True, [[]], 10**30, 10**5000, 1e300, "\ud800", "1/7"]


def places(values: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested lists and objects."""
    found = [path] if path else []
    items = (
        values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    )
    for name, value in items:
        found += places(value, (*path, name))
    return found


def test_json_with_anything_in_any_place_is_refused_or_read() -> None:
    whole = json.loads(json.dumps(rich_match().to_dict()))
    refused = 0
    for path in places(whole):
        for wrong in WRONG:
            values = copy.deepcopy(whole)
            place = values
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = wrong
            try:
                read: Any = Series.from_dict(values)
            except MatchDataError as error:
                refused += 1
                str(error).encode()
                continue
            for name in ("json", "xg", "sgf", "mat"):  # what is read can be written
                with contextlib.suppress(FormatError):
                    formats.dumps(read, name)
    assert refused > 2000
