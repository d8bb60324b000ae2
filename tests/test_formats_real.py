"""Real files, where they are at hand, and GNU Backgammon reading what is written."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

import dialects
from gammon import formats
from gammon.formats import _xg_archive
from gammon.formats._reading import Warnings
from gammon.match import (
    CubeFinding,
    PlayFinding,
)
from test_formats import content

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
