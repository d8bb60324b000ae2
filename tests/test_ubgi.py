"""UBGI: what is asked in three drafts, and how it is answered."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

import gammon
from gammon.errors import SettingError
from gammon.match import Engine, Match, play_match
from gammon.ubgi import Server, serve

START = "4HPwATDgc/ABMA"


def asked(*lines: str, dialect: Any = "auto") -> list[str]:
    """Everything that is answered to these lines."""
    server = Server(dialect)
    return [answer for line in lines for answer in server.answer(line)]


def last(*lines: str, dialect: Any = "auto") -> str:
    return asked(*lines, dialect=dialect)[-1]


@pytest.mark.parametrize(
    ("dialect", "end", "has", "has_not"),
    [
        ("auto", "ubgiok", ("key engine.ply", "option name Ply", "proto 0.2"), ()),
        ("0.2", "ubgiok", ("key engine.ply", "proto 0.2"), ("option",)),
        ("0.1", "ubgiok", ("option name Ply type spin default 1 min 1 max 5",), ("key", "proto")),
        ("0.01", "readyok", (), ("key", "proto", "option")),
    ],
)
def test_hello(dialect: Any, end: str, has: tuple[str, ...], has_not: tuple[str, ...]) -> None:
    lines = asked("ubgi", dialect=dialect)
    assert lines[0] == "id name gammon"
    assert lines[-1] == end
    assert all(any(line.startswith(part) for line in lines) for part in has)
    assert not any(line.startswith(part) for line in lines for part in has_not)
    assert asked("isready", dialect=dialect) == ["readyok"]


@pytest.mark.parametrize(
    "go", ["go", "go chequer", "go role chequer", "go role chequer depth 2 movetime 100"]
)
def test_the_best_move(go: str) -> None:
    found = asked("newgame", f"position gnubgid {START}", "dice 1 3", go)
    assert found[-1] == "bestmove 8/5 6/5"
    assert found[0].startswith("eval eq ")


def test_steps_are_written_on_their_own() -> None:
    assert last(f"position gnubgid {START}", "dice 6 5", "go") == "bestmove 24/18 18/13"
    closed = gammon.Situation.from_parts(
        gammon.Position.from_points({"bar": 1, 6: 2}, dict.fromkeys(range(1, 7), 2))
    ).position
    assert last(f"position gnubgid {closed.id}", "dice 6 6", "go") == "bestmove pass"
    bearing = gammon.Position.from_points({6: 2, 1: 1}, {1: 2})
    assert last(f"position gnubgid {bearing.id}", "dice 6 6", "go") == "bestmove 6/off 6/off 1/off"
    entering = gammon.Position.from_points({"bar": 1, 13: 2}, {1: 2})
    assert last(f"position gnubgid {entering.id}", "dice 6 6", "go").startswith("bestmove bar/19 ")


def test_cube_decisions_at_a_score() -> None:
    # Two points away each, a last roll: double; in the Crawford game nobody doubles.
    ahead = gammon.Position.from_points({1: 1, 4: 1}, {1: 1}).id  # 29 of 36 rolls win
    lines = ["newsession type match length 5 crawford off", "setscore 3 3", f"position gnubgid {ahead}"]
    assert last(*lines, "go role cube") == "bestcube double"
    crawford = ["newsession type match length 5 crawford on", "setscore 4 3", f"position gnubgid {ahead}"]
    assert last(*crawford, "go role cube") == "bestcube nodouble"
    owned = [*lines, "setscore 0 0", "setcube value 2 owner p1"]
    assert last(*owned, "go role cube") == "bestcube nodouble"
    assert last(*owned, "setturn p1", "go role cube") == "bestcube double"
    keys = ["set game.length 5", "set game.score0 3", "set game.score1 3", f"position gnubgid {ahead}"]
    assert asked(*keys, "go cube") == asked(*lines, "go role cube")


def test_turns_and_pending_doubles() -> None:
    lines = [f"position gnubgid {START}", "dice 3 1"]
    assert last(*lines, "go turn") == "bestturn cube=nodouble move=8/5 6/5"
    after = gammon.Position.start().play("8/5 6/5", "31").after.id
    assert last(*lines, "go role turn") == f"bestturn cube=nodouble moveid={after}"
    doubled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"
    assert last(f"position xgid {doubled}", "go cube") == "bestcube take"


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "8/5 6/5"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "roll"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "take"),
        ("XGID=-A--A-------------------a-:0:0:1:00:0:0:0:0:10", "double"),
        ("XGID=-A--A-------------------a-:0:0:1:D:0:0:0:0:10", "drop"),
        ("XGID=-b----E-C:0:0:1:31:0:0:0:0:10", "sorry"),
        (gammon.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10").to("fibs")[0], "8/5 6/5"),
        ("XGID=------B------------bbbbbbA:0:0:1:66:0:0:0:0:10", ""),  # closed out
    ],
)
def test_draft_0_01_wants_a_position_and_gives_an_action(id: str, answer: str) -> None:
    assert asked(id, dialect="0.01") == [answer]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["nonsense"], "error bad_command unknown command nonsense"),
        (["go"], "error bad_state no position"),
        ([f"position gnubgid {START}", "go"], "error bad_state no dice"),
        (["position fen x"], "error unsupported position fen"),
        (["position gnubgid x"], "error bad_value "),
        (["dice 7 1"], "error bad_value die must_be 1..6, got 7"),
        (["set engine.ply 6"], "error bad_value engine.ply must_be 1..5, got 6"),
        (["set engine.filter odd"], "error bad_value engine.filter must_be narrow|normal|wide|all, got odd"),
        (["set nothing 1"], "error unsupported no key nothing"),
        (["set game.variant plakoto"], "error unsupported the game plakoto"),
        (["set x"], "error bad_command expected: set <key> <value>"),
        (["go sideways"], "error bad_value go chequer, cube or turn, not sideways"),
        (["go role chequer"], "error missing_context no position"),
        (["setoption name Colour value red"], "error unsupported_feature no option Colour"),
        (["setoption Colour red"], "error bad_argument expected: setoption"),
        (["newsession type friendly"], "error bad_argument expected: newsession"),
        (["newsession type match length 0"], "error bad_argument length must_be 1..32767, got 0"),
        (["setcube value 3 owner p0"], "error bad_argument cube must_be a power of two, got 3"),
        (["setcube value 2 owner p2"], "error bad_argument owner must_be center, p0 or p1, got p2"),
        (["setturn p2"], "error bad_argument turn must_be p0 or p1, got p2"),
        (["setscore 1"], "error bad_argument expected: setscore"),
    ],
)
def test_mistakes_are_named_in_the_draft_that_is_spoken(lines: list[str], error: str) -> None:
    assert last(*lines).startswith(error)
    assert last(*lines, dialect="0.01") == "sorry"


def test_contradictions_are_refused_when_they_matter() -> None:
    # A score beyond the length, a Crawford game too early.
    lines = [
        "newsession type match length 5 crawford on",
        f"position gnubgid {START}",
        "dice 3 1",
        "go role chequer",
    ]
    assert last(*lines).startswith("error bad_argument contradictory situation")


def test_settings_come_back_as_they_are() -> None:
    server = Server()
    for key, value in (
        ("engine.ply", "3"),
        ("engine.filter", "wide"),
        ("engine.mode", "cubeless"),
        ("engine.threads", "2"),
        ("game.length", "7"),
        ("game.score1", "4"),
        ("game.crawford", "true"),
        ("game.jacoby", "false"),
        ("game.cube", "4"),
        ("game.owner", "p1"),
        ("game.turn", "p1"),
    ):
        assert server.answer(f"set {key} {value}") == []
        assert server.answer(f"get {key}") == [f"value {key} {value}"]
    assert server.answer("setoption name Ply value 2") == []
    assert server.answer("setoption name Deterministic value true") == []
    assert server.answer("setoption name Seed value 42") == []
    assert server.answer("get engine.ply") == ["value engine.ply 2"]


def test_nothing_is_answered_after_quit() -> None:
    out = io.StringIO()
    serve(Server(), ["isready\n", "\n", "quit\n", "isready\n"], out)
    assert out.getvalue() == "readyok\n"
    with pytest.raises(SettingError, match="dialect must be"):
        Server("1.0")  # type: ignore[arg-type]


def test_the_command() -> None:
    lines = f"ubgi\nposition gnubgid {START}\ndice 3 1\ngo\nquit\n"
    found = subprocess.run(
        [sys.executable, "-m", "gammon", "ubgi", "--dialect", "0.2"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == "bestmove 8/5 6/5"


@pytest.mark.parametrize("plies", [0, 1])
def test_a_server_plays_what_an_engine_plays(plies: int) -> None:
    """Every decision of a match, asked by draft 0.01 and made by the engine, is the same."""
    server = Server("0.01", plies=plies)
    match = play_match(Match(2, seed=3), (Engine(plies=plies), Engine(plies=plies)))
    for moment in match.games[0]:
        if moment.record.kind == "play":
            (answer,) = server.answer(moment.id)
            play = moment.record.play  # type: ignore[union-attr]
            made = moment.situation.position.play(answer, play.roll) if answer else None
            assert (made is None and play.is_pass) or (made is not None and made.after == play.after)
        elif moment.record.kind == "cube" and moment.record.action == "double":  # type: ignore[union-attr]
            assert server.answer(moment.id) == ["double"]
