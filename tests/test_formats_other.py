"""Analysis of eXtreme Gammon, positions in texts of all kinds, Snowie, oldmoves and OGXM."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

import dialects
import gammon
from gammon import Position, formats
from gammon.errors import FormatError
from gammon.formats import _rtf, _xg_archive
from gammon.formats._reading import Warnings
from gammon.match import (
    CubeFinding,
    LuckFinding,
    Played,
    PlayFinding,
    Rolled,
)


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
