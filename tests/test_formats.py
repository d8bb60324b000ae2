"""Files of every format: read, written, read again; real ones where they are at hand; and damaged ones."""

from __future__ import annotations

import json
import os
import random
import shutil
import struct
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dialects
import fuzz_formats
import gammon
import matches
from gammon import Position, formats
from gammon.errors import FormatError, SettingError
from gammon.formats import _rtf, _xg_archive
from gammon.formats._reading import Warnings
from gammon.match import (
    CubeAction,
    CubeFinding,
    IllegalPlay,
    LuckFinding,
    Played,
    PlayFinding,
    Resignation,
    Rolled,
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


def test_analysis_of_extreme_gammon_is_read_to_the_last_bit() -> None:
    data = dialects.analysed_xg()
    series = formats.read(data).match
    raw = _xg_archive.unpack(data, Warnings())["temp.xg"]
    stored: list[tuple[float, ...]] = []
    for index in range(len(raw) // 2560):
        if raw[index * 2560 + 8] == 3 and raw[index * 2560 + 2308]:
            stored.append(struct.unpack_from("<7f", raw, index * 2560 + 124 + 1284))
    read = []
    for game in series.games:
        for record in game.records:
            if isinstance(record, Played):
                (finding,) = record.findings
                assert isinstance(finding, PlayFinding)
                (candidate,) = finding.candidates
                assert finding.chosen == 0
                assert candidate.play == str(record.play)
                probs = candidate.evaluation.probs
                assert probs is not None
                win, gammon, backgammon, lost_gammon, lost_backgammon = probs
                read.append(
                    (lost_backgammon, lost_gammon, win, gammon, backgammon, candidate.evaluation.equity)
                )
    assert len(read) == 331
    assert read == [(a, b, d, e, f, g) for a, b, _, d, e, f, g in stored]


def test_rollouts_comments_and_luck_of_extreme_gammon() -> None:
    game = formats.read(dialects.analysed_xg()).match.games[0]
    played = [record for record in game.records if isinstance(record, Played)]
    assert played[0].comment == "good été\nsecond"
    (finding,) = played[1].findings
    assert isinstance(finding, PlayFinding)
    source = finding.candidates[0].evaluation.source
    assert (source.program, source.level, source.plies) == ("eXtreme Gammon", "Rollout", None)
    rollout = source.rollout
    assert rollout is not None
    assert (rollout.trials, rollout.seed, rollout.truncate, rollout.variance_reduction) == (1296, 7, 11, True)
    assert "plays 3-ply" in rollout.text
    assert finding.candidates[0].evaluation.equity_error == pytest.approx(0.01 / 1.96, rel=1e-3)
    assert finding.error == pytest.approx(0.0005)
    rolled = [record for record in game.records if isinstance(record, Rolled)]
    cube, luck = rolled[1].findings
    assert isinstance(cube, CubeFinding)
    assert cube.double_take is not None
    assert cube.double_take.equity == -0.5
    assert isinstance(luck, LuckFinding)
    assert luck.equity == 0.125
    plies = {record.findings[0].candidates[0].evaluation.source.plies for record in played[2:]}  # type: ignore[union-attr]
    assert plies <= {0, 1, 2, 3}
    assert len(plies) > 1


def test_a_position_of_extreme_gammon_goes_there_and_back(tmp_path: Path) -> None:
    for text in (
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:3:4:0:7:10",
        "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10",
        "XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:3:0:10",
        "XGID=-BDB-------------a------e-:0:0:1:00:4:0:1:5:10",
    ):
        situation = gammon.parse(text)
        path = tmp_path / "position.xgp"
        formats.write(situation, path)
        reading = formats.read(path)
        assert reading.format == "xgp"
        assert reading.warnings == ()
        assert reading.position == situation


def test_comments_in_rtf() -> None:
    for text in ("plain", "two\nlines", "brace { } and \\ back", "été – “x” 中 \t tab", "a  b"):
        assert _rtf.to_text(_rtf.from_text(text)) == text
    assert _rtf.to_text("not rtf\r\n") == "not rtf"
    nested = "{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}{\\b bold {\\i both}} \\'e9\\u8211?\\par}"
    assert _rtf.to_text(nested) == "bold both é–"


# Positions in texts.


def position_reading(text: str) -> formats.Reading:
    reading = formats.read(text.encode())
    assert reading.format == "text"
    return reading


def test_position_text_of_extreme_gammon_in_any_language() -> None:
    first, second = position_reading(dialects.XG_POSITION).positions
    assert first.situation.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:3:4:0:7:10"
    assert [player.name for player in first.players] == ["Anna Berg", "Bo Lind"]
    assert first.comment == "A note about it"
    (plays,) = first.findings
    assert isinstance(plays, PlayFinding)
    best, other = plays.candidates
    assert (best.play, best.evaluation.equity, best.evaluation.source.level) == (
        "8/5 6/5",
        0.159,
        "XG Roller++",
    )
    assert best.evaluation.probs == (0.551, 0.1715, 0.0112, 0.126, 0.0063)
    assert (other.evaluation.source.plies, other.evaluation.source.met) == (2, "Kazaross XG2")
    (cube,) = second.findings
    assert isinstance(cube, CubeFinding)
    assert cube.no_double is not None
    assert cube.double_take is not None
    assert (cube.no_double.equity, cube.no_double.cubeless_equity) == (0.133, 0.064)
    assert (cube.double_take.equity, cube.best) == (-0.156, "No double / Take")
    assert cube.no_double.source.level == "XG Roller+"
    assert second.comment == "Another note"
    assert second.players[1].name == "Cleo"


def test_position_text_of_bgblitz() -> None:
    (found,) = position_reading(dialects.BGBLITZ).positions
    assert found.situation.cube_owner == "roller"
    assert [player.name for player in found.players] == ["Grün", "Rot"]
    (plays,) = found.findings
    assert isinstance(plays, PlayFinding)
    assert [candidate.play for candidate in plays.candidates] == ["8/5 6/5", "24/23 13/10"]
    first = plays.candidates[0].evaluation
    assert (first.mwc, first.equity, first.probs) == (0.551, 0.159, (0.551, 0.171, 0.011, 0.126, 0.006))
    assert first.source.program == "BGBlitz"
    (found,) = position_reading(dialects.BGBLITZ_CUBE).positions
    (cube,) = found.findings
    assert isinstance(cube, CubeFinding)
    assert cube.no_double is not None
    assert cube.no_double.probs == (0.512, 0.13, 0.006, 0.12, 0.005)
    assert cube.best == "Pas de double / Prendre"


def test_boards_as_people_paste_them() -> None:
    both = position_reading(dialects.GNUBG_BOARD + dialects.FIBS_BOARD).positions
    gnubg, fibs = both
    assert gnubg.situation.position == Position("sGfwATDgc/ABMA")
    assert [player.name for player in gnubg.players] == ["gnubg", "root"]
    numbered = dialects.GNUBG_BOARD.replace("O: gnubg", "O: Player 1")
    assert position_reading(numbered).positions[0].players[0].name == "Player 1"
    assert (fibs.situation.position, fibs.situation.length) == (Position.start(), 5)
    assert fibs.situation.score == (1, 2)
    assert str(fibs.situation.roll) == "62"
    # Without the identifiers the board alone says it all, seen by O, whose roll it is.
    board = "\n".join(dialects.GNUBG_BOARD.splitlines()[2:])
    (alone,) = position_reading(board).positions
    assert alone.situation.position == Position("sGfwATDgc/ABMA")
    assert (alone.situation.seat, str(alone.situation.roll), alone.situation.length) == (0, "64", 7)


@pytest.mark.parametrize("phase", ["contact", "bearoff", "race", "crashed"])
@pytest.mark.parametrize("seat", [0, 1])
def test_our_own_boards_are_read(phase: Any, seat: int) -> None:
    for seed in range(12):
        owner = (None, "roller", "opponent")[seed % 3]
        situation = gammon.Situation.from_parts(
            Position.random(phase, seed),
            seat=seat,
            length=7,
            score=(2, 4),
            cube=4 if owner else 1,
            cube_owner=owner,  # type: ignore[arg-type]
            roll=(None, "31")[seed % 2],
        )
        (found,) = position_reading(situation.draw()).positions
        # Who sits where is only said by the letters: the player who is drawn below takes seat 1.
        assert found.situation.position == situation.position, situation.draw()
        for name in ("length", "score", "cube", "cube_owner", "roll"):
            assert getattr(found.situation, name) == getattr(situation, name), situation.draw()


def test_identifiers_in_prose_and_damaged_ones() -> None:
    text = (
        "What about XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10?\n"
        "and XGID=bBBBCBcBbccbB:0:0:1:00:0:0:3:0:10 (dashes eaten)\n"
        "or 4HPwATDgc/ABMA:cAkAAAAAAAAE, or 11ccccchhhjjjjj:66666888dddddoo:N0N:51:B::0:0:7:\n"
    )
    reading = position_reading(text)
    assert [found.situation.format for found in reading.positions] == ["xgid", "gnuid", "ogid"]
    (warning,) = reading.warnings
    assert warning.place == "line 2"
    assert "dashes lost in copying" in warning.text


def test_snowie_and_oldmoves() -> None:
    reading = formats.read(dialects.snowie())
    assert reading.format == "snowie"
    first, second = reading.positions
    assert first.situation.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:4:0:7:10"
    assert (second.situation.cube_owner, second.situation.jacoby, second.situation.seat) == (
        "opponent",
        True,
        0,
    )
    written, lost = formats.dumps(reading, "snowie")
    assert isinstance(written, str)
    assert lost == []
    assert formats.read(written.encode()).positions == reading.positions
    look = dialects.look_alike(1)
    fibs = formats.read(dialects.oldmoves(look))
    assert (fibs.format, fibs.warnings) == ("oldmoves", ())
    told = [line for line in dialects.story(look) if line[0] != "roll"]
    games = [i for i, line in enumerate(told) if isinstance(line[0], int)]
    expected = [line for line in told[: games[2]] if line[0] in ("play", "cube")]
    assert [line for line in dialects.story(fibs.match) if line[0] in ("play", "cube")] == expected
    assert fibs.match.score == (3, 0)


def test_opengammon_through_its_package() -> None:
    pytest.importorskip("ogxm", reason="the package ogxm is not installed: OGXM is not tested")
    look = dialects.look_alike(1)
    reading = formats.read(dialects.ogxm(look))
    assert (reading.format, reading.warnings) == ("ogxm", ())
    told = [line for line in dialects.story(look) if line[0] in ("play", "cube")]
    read = [line for line in dialects.story(reading.match) if line[0] in ("play", "cube")]
    assert read == told[: len(read)]
    assert len(read) == 30 + 2 + 54 + 2
    assert reading.match.score == (3, 0)


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ogxm", None)
    with pytest.raises(FormatError, match=r"needs the package ogxm: pip install 'gammon\[ogxm\]'"):
        formats.read(b"OGXM" + bytes(60))


# Recognising.


SNIFFED: dict[str, Callable[[], bytes]] = {
    "xg": dialects.analysed_xg,
    "json": lambda: content(dialects.look_alike(1), "json")[0],
    "sgf": dialects.sgf_setup,
    "mat": lambda: dialects.DIALECTS["stars"],
    "oldmoves": lambda: dialects.oldmoves(dialects.look_alike(1)),
    "snowie": dialects.snowie,
    "text": lambda: dialects.XG_POSITION.encode(),
}


@pytest.mark.parametrize("name", SNIFFED)
def test_formats_are_recognised_by_what_is_in_the_file(name: str, tmp_path: Path) -> None:
    data = SNIFFED[name]()
    path = tmp_path / "misleading.doc"
    path.write_bytes(data)
    assert formats.sniff(data) == formats.sniff(path) == name
    assert formats.read(path).path == str(path)
    if name not in ("xg",):
        marked = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
        assert formats.sniff(marked) == name
        assert formats.sniff(data.decode().encode("utf-16")) == name
        assert formats.read(data.decode().encode("utf-16")).matches == formats.read(data).matches


def test_old_encodings() -> None:
    text = dialects.DIALECTS["strict"].decode().replace("A :", "Zoë :").encode("cp1252")
    assert formats.read(text).match.players[0].name == "Zoë"


@pytest.mark.parametrize(
    "data", [b"", b"   \n", b"hello world", b"\x00" * 100, b"%PDF-1.4", b"RIFF", bytes(range(256))]
)
def test_what_is_of_no_format_is_said(data: bytes) -> None:
    assert formats.sniff(data) is None
    with pytest.raises(FormatError, match=r"no known format: (there is nothing in it|it begins with)"):
        formats.read(data)


def test_mistakes_are_named(tmp_path: Path) -> None:
    look = dialects.look_alike(1)
    with pytest.raises(SettingError, match=r"format must be one of xg, .* got 'pgn'"):
        formats.read(b"x", format="pgn")
    with pytest.raises(SettingError, match="'xgid' is read as 'text'"):
        formats.read(b"x", format="xgid")
    with pytest.raises(SettingError, match="'ogxm' is read, not written"):
        formats.dumps(look, "ogxm")
    with pytest.raises(SettingError, match="no format has the extension 'pdf'"):
        formats.write(look, tmp_path / "x.pdf")
    with pytest.raises(FormatError, match="one match, not 2 matches"):
        formats.dumps([look, look], "mat")
    with pytest.raises(FormatError, match="there is none that is not part of a match"):
        formats.dumps(look, "xgid")
    with pytest.raises(FormatError, match="holds 1 matches and no single position"):
        _ = formats.read(content(look, "mat")[0]).position
    with pytest.raises(FormatError, match="holds 1 positions and no match"):
        _ = formats.read(b"4HPwATDgc/ABMA:cAkAAAAAAAAE").match
    with pytest.raises(TypeError, match="can be written, not dict"):
        formats.dumps({"a": 1}, "json")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        formats.read(tmp_path / "missing.mat")
    assert list(tmp_path.iterdir()) == []


def test_several_matches_and_positions_in_json() -> None:
    mixed: list[Any] = [dialects.look_alike(1), *formats.read(dialects.XG_POSITION.encode()).positions]
    text, lost = formats.dumps(mixed, "json")
    assert isinstance(text, str)
    assert lost == []
    reading = formats.read(text.encode())
    assert reading.matches == (mixed[0],)
    assert list(reading.positions) == mixed[1:]


# Real files, which may not be given away: a folder of one's own.

SAMPLES = Path(os.environ.get("GAMMON_SAMPLES", ""))
needs_samples = pytest.mark.skipif(
    not os.environ.get("GAMMON_SAMPLES"),
    reason="REAL FILES ARE NOT TESTED: set GAMMON_SAMPLES to a folder with gbf_test.mat and its companions",
)


@needs_samples
@pytest.mark.parametrize(
    "name", ["gbf_test.mat", "gbf_test_xgtext.txt", "gbf_test_analysed.sgf", "gbf_test.xg"]
)
def test_a_real_match_in_four_formats(name: str) -> None:
    reading = formats.read(SAMPLES / name)
    assert reading.warnings == ()
    assert dialects.counts(reading.match) == (331, 334, 14, 7)
    assert reading.match.score == (7, 4)
    reference = formats.read(SAMPLES / "gbf_test.mat").match
    assert dialects.story(reading.match) == dialects.story(reference)


@needs_samples
def test_all_real_files_load_and_go_through_json() -> None:
    names = sorted(path for path in SAMPLES.iterdir() if path.suffix in (".mat", ".sgf", ".xg", ".txt"))
    assert len(names) >= 10
    for path in names:
        reading = formats.read(path)
        assert reading.warnings == (), path.name
        text, _ = formats.dumps(reading, "json")
        assert isinstance(text, str)
        again = formats.read(text.encode())
        assert again.matches == reading.matches
        assert again.positions == reading.positions


@needs_samples
@pytest.mark.parametrize("name", ["gbf_test_analysed.sgf", "gnubg_1.sgf", "gnubg_3.sgf"])
def test_real_analysis_is_written_again_without_loss(name: str) -> None:
    match = formats.read(SAMPLES / name).match
    data, lost = content(match, "sgf")
    assert lost == []
    assert formats.read(data).match == match


@needs_samples
@pytest.mark.parametrize("name", ["gbf_test.xg", "gbf_match_with_comment.xg"])
def test_every_number_of_real_analysis_is_what_is_stored(name: str) -> None:
    data = (SAMPLES / name).read_bytes()
    raw = _xg_archive.unpack(data, Warnings())["temp.xg"]
    plays: list[tuple[float, ...]] = []
    cubes: list[tuple[float, ...]] = []
    for start in range(0, len(raw), 2560):
        kind = raw[start + 8]
        if kind == 3:
            for i in range(struct.unpack_from("<i", raw, start + 124 + 64)[0]):
                plays.append(struct.unpack_from("<7f", raw, start + 124 + 1284 + 28 * i))
        elif kind == 2 and struct.unpack_from("<h", raw, start + 64 + 56)[0] != -100:
            cubes.append(struct.unpack_from("<3f", raw, start + 64 + 88))
    read_plays: list[tuple[Any, ...]] = []
    read_cubes: list[tuple[Any, ...]] = []
    for game in formats.read(data).match.games:
        for record in game.records:
            for finding in record.findings:
                if isinstance(finding, PlayFinding):
                    for candidate in finding.candidates:
                        probs = candidate.evaluation.probs
                        assert probs is not None
                        win, gammon, backgammon, lost_gammon, lost_backgammon = probs
                        equity = candidate.evaluation.equity
                        read_plays.append((lost_backgammon, lost_gammon, win, gammon, backgammon, equity))
                elif isinstance(finding, CubeFinding):
                    sides = (finding.no_double, finding.double_take, finding.double_pass)
                    read_cubes.append(tuple(side and side.equity for side in sides))
    assert len(read_plays) > 1_000
    assert read_plays == [(a, b, d, e, f, g) for a, b, _, d, e, f, g in plays]
    assert len(read_cubes) > 100
    assert read_cubes == cubes


@needs_samples
def test_comments_of_a_real_file() -> None:
    match = formats.read(SAMPLES / "gbf_match_with_comment.xg").match
    comments = [record.comment for game in match.games for record in game.records if record.comment]
    assert len(comments) == 2
    assert "à" in comments[1]
    data, lost = content(match, "xg")
    assert {phrase.split(" (")[0] for phrase in lost} == {"evaluations found in files"}
    again = formats.read(data).match
    assert [record.comment for game in again.games for record in game.records if record.comment] == comments


# GNU Backgammon reads what is written.

GNUBG = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU BACKGAMMON IS NOT TESTED: no gnubg on the path")


def through_gnubg(data: bytes, load: str, folder: Path) -> Any:
    """What GNU Backgammon writes of a file that it has read."""
    assert GNUBG is not None
    source, target, script = folder / "in.txt", folder / "out.mat", folder / "commands"
    source.write_bytes(data)
    script.write_text(f"{load} {source}\nexport match mat {target}\n")
    command = [GNUBG, "-t", "-q", "-r", "-c", str(script)]
    told = subprocess.run(
        command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False
    )
    assert target.exists(), told.stdout[-2000:]
    return formats.read(target)


@needs_gnubg
@pytest.mark.parametrize(("name", "load"), [("mat", "import mat"), ("sgf", "load match")])
def test_gnu_backgammon_reads_our_files_as_the_same_match(name: str, load: str, tmp_path: Path) -> None:
    for seed in range(2):
        look = dialects.look_alike(seed)
        reading = through_gnubg(content(look, name)[0], load, tmp_path)
        # It writes a throw that was not played like a dance.
        told_of = {warning.text.partition(": ")[2] for warning in reading.warnings}
        assert told_of <= {"the roll can be played, so passing is not allowed"}
        for game in reading.match.games:
            last = next((i for i, record in enumerate(game.records) if record.illegal), None)
            if last is not None:
                game.undo(len(game) - last)
        told = [line for line in dialects.story(look) if line[0] in ("play", "cube")]
        assert len(told) == 331 + 14
        assert [line for line in dialects.story(reading.match) if line[0] in ("play", "cube")] == told
        assert [game.score for game in reading.match.games] == [game.score for game in look.games]


@needs_gnubg
def test_gnu_backgammon_reads_a_position_we_put_up(tmp_path: Path) -> None:
    match = formats.read(b"XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10").positions[0].to_match()
    game = match.games[0]
    game.add_play(1, game.state.position.plays("21")[0])
    data, lost = content(match, "sgf")
    assert lost == ["rules of play: cube_limit"]
    source, script = tmp_path / "in.sgf", tmp_path / "commands"
    source.write_bytes(data)
    script.write_text(f"load match {source}\nfirst move\nnext 10\nshow board\n")
    assert GNUBG is not None
    told = subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-c", str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
    ).stdout
    after = game.state.position
    assert after.id in told or after.flip().id in told, told[-3000:]


# Damaged files.


@pytest.mark.parametrize("name", fuzz_formats.READERS)
def test_damaged_files_raise_only_our_errors_and_soon(name: str) -> None:
    if name == "ogxm":
        pytest.importorskip("ogxm", reason="the package ogxm is not installed: OGXM is not tested")
    count = int(os.environ.get("GAMMON_FUZZ", "40"))
    read, _, _ = fuzz_formats.run(name, count, seed=7)
    assert read > 0


@pytest.mark.parametrize("name", sorted(fuzz_formats.corpus()))
def test_the_corpus_of_damaged_files(name: str) -> None:
    if name == "ogxm":
        pytest.importorskip("ogxm", reason="the package ogxm is not installed: OGXM is not tested")
    kept = fuzz_formats.corpus()[name]
    assert kept
    for data in kept:
        fuzz_formats.check(data, name, forced=True)


def test_small_files_that_unpack_into_large_ones_are_cut_off() -> None:
    for data in fuzz_formats.bombs():
        fuzz_formats.check(data, "xg", forced=True)


@pytest.mark.parametrize("name", ["mat", "sgf", "xg", "json"])
def test_files_that_break_off_anywhere(name: str) -> None:
    data = content(dialects.look_alike(1), name)[0]
    for end in range(0, len(data), max(len(data) // 60, 1)):
        fuzz_formats.check(data[:end], name, forced=True)


def test_long_lines_and_deep_brackets_end_soon() -> None:
    for data, name in (
        (b"5 point match\n Game 1\n" + b" 1) 31: " + b"8/5 " * 200_000, "mat"),
        (b"(;GM[6]C[" + b"\\" * 300_000, "sgf"),
        (b"(" * 200_000 + b";GM[6]", "sgf"),
        (b'{"format": "gammon-match", "a": ' + b"[" * 100_000, "json"),
        (b"XGID=" + b"-" * 300_000, "text"),
        ((b"+13-14-15-16-17-18------19-20-21-22-23-24-+\n") * 5_000, "text"),
        (b"0;0;" * 100_000, "snowie"),
        (b"X: (3 1) " + b"8-5 " * 100_000, "oldmoves"),
    ):
        fuzz_formats.check(data, name, forced=True)


# The schema of our JSON.


def test_the_schema_describes_what_is_written() -> None:
    jsonschema = pytest.importorskip(
        "jsonschema", reason="jsonschema is not installed: THE SCHEMA IS NOT TESTED"
    )
    path = Path(__file__).parents[1] / "docs" / "gammon-match.schema.json"
    validator = jsonschema.Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    things: list[Any] = [matches.random_series(seed, money=seed % 2 == 0) for seed in range(30)]
    things += [formats.read(data).match for data in dialects.small_texts()]
    things += [formats.read(dialects.analysed_xg()), formats.read(dialects.sgf_setup())]
    things += [formats.read(data) for data in dialects.position_texts()]
    for thing in things:
        text = formats.dumps(thing, "json")[0]
        error = next(validator.iter_errors(json.loads(text)), None)
        assert error is None, f"{error.json_path}: {error.message}"[:500] if error else ""
    broken = formats.dumps(dialects.look_alike(1), "json")[0]
    assert isinstance(broken, str)
    for was, now in (
        ('"kind": "roll"', '"kind": "throw"'),
        ('"player": 1', '"player": 2'),
        ('"roll": "', '"roll": "7'),
    ):
        assert was in broken
        assert any(validator.iter_errors(json.loads(broken.replace(was, now))))
        with pytest.raises(FormatError):
            formats.read(broken.replace(was, now).encode())


# Many files.


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    (source / "deep").mkdir(parents=True)
    for name, data in (
        ("a.mat", dialects.DIALECTS["strict"]),
        ("a.sgf", dialects.sgf_setup()),
        ("bad.mat", b"nothing of the kind"),
        ("deep/c.xg", dialects.analysed_xg()),
        ("deep/two.mat", dialects.DIALECTS["two_matches"]),
        (".hidden.mat", b""),
    ):
        (source / name).write_bytes(data)
    done = list(formats.convert([source], target, format="sgf"))
    assert [Path(one.source).name for one in done] == ["a.mat", "a.sgf", "bad.mat", "c.xg", "two.mat"]
    assert [bool(one.error) for one in done] == [False, False, True, False, True]
    assert "2 matches" in done[4].error
    assert sorted(path.relative_to(target).as_posix() for path in target.rglob("*.*")) == [
        "a-2.sgf",
        "a.sgf",
        "deep/c.sgf",
    ]
    assert dialects.counts(formats.read(target / "deep" / "c.sgf").match) == (331, 334, 14, 7)
    again = list(formats.convert([source / "*.mat", source / "deep"], target, format="json"))
    assert [one.error for one in again if Path(one.source).name != "bad.mat"] == ["", "", ""]
    assert all(
        "exists already" in one.error for one in formats.convert([source / "deep"], target, format="json")
    )
    with pytest.raises(SettingError, match="give a format for the files in the folder"):
        formats.convert([source], target)


def test_many_files_take_no_more_memory_than_few(tmp_path: Path) -> None:
    count = int(os.environ.get("GAMMON_FILES", "60"))
    data = content(dialects.look_alike(1), "mat")[0]
    for i in range(count):
        (tmp_path / f"{i}.mat").write_bytes(data)
    tracemalloc.start()
    try:
        heights = []
        for i, path in enumerate(formats.find([tmp_path])):
            assert len(formats.read(path).match.games) == 7
            if i % (count // 10) == 0:
                heights.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert heights[-1] < heights[1] + 300_000, heights
