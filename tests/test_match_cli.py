"""Commands about matches."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from commands import GAMMON, run, run_json
from gammon import formats
from gammon.analysis import Analysis
from gammon.match import Engine, FairDice, Match, Session, play_match
from random_matches import random_player

SECRETS = ("11" * 32, "2f" * 32)


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    match = Match(1, dice=FairDice.of(*SECRETS))
    play_match(match, (random_player(1), random_player(2)))
    path = tmp_path / "match.json"
    path.write_text(json.dumps(match.to_dict()), encoding="utf-8")
    return path


def test_verify(match_file: Path) -> None:
    kept = FairDice.of(*SECRETS).commitments
    assert "all as they should be" in run("verify", match_file).stdout
    found = run_json("verify", match_file, "--commitment", *kept)
    assert found["problems"] == []
    assert found["dice"] == "secrets"
    wrong = run("verify", match_file, "--commitment", kept[0], kept[0], code=1)
    assert "the commitment of seat 1 is another one in the file" in wrong.stdout


def test_verify_finds_what_was_changed(match_file: Path) -> None:
    values = json.loads(match_file.read_text(encoding="utf-8"))
    records = values["games"][0]["records"]
    throws = records[0]["throws"]
    throws[0] = [throws[0][1], throws[0][0]]
    match_file.write_text(json.dumps(values), encoding="utf-8")
    assert "NOT as they should be" in run("verify", match_file, code=1).stdout


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "other"}', "[" * 100_000])
def test_verify_refuses_what_is_no_match(tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.json"
    path.write_text(text, encoding="utf-8")
    assert run("verify", path, code=2).stderr.startswith("gammon: ")
    assert "No such file" in run("verify", tmp_path / "none.json", code=2).stderr


# Whole matches judged.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in two formats, a session, and a file that is none."""
    folder = tmp_path_factory.mktemp("matches")
    match = Match(1, ("Anna", "Ben"), seed=8)
    match.event = "Club night"
    play_match(match, (Engine(), Engine(noise=0.3)))
    (folder / "a.json").write_text(json.dumps(match.to_dict()), encoding="utf-8")
    formats.write(match, folder / "b.mat")
    session = play_match(Session(("Anna", "Ben"), seed=3), (Engine(noise=0.1), Engine()), games=1)
    (folder / "c.json").write_text(json.dumps(session.to_dict()), encoding="utf-8")
    (folder / "d.sgf").write_text("nothing of the kind", encoding="utf-8")
    return folder


def test_analyze_a_match(folder: Path) -> None:
    out = run("analyze", folder / "a.json", "--plies", 0).stdout
    assert "a.json: 1-point match, Club night; 0-ply" in out
    for part in ("PR (XG)", "Anna", "Ben: ", "errors of 0.04 or more", "better", "XGID="):
        assert part in out
    few = run("analyze", folder / "a.json", "--plies", 0, "--show", 1, "--least", 0.01).stdout
    assert few.count("XGID=") <= 2
    assert "errors of 0.01 or more" in few


def test_analyze_gives_json_that_reads_back(folder: Path) -> None:
    found = run_json("analyze", folder / "b.mat", "--plies", 0)
    analysis = Analysis.from_dict(found)
    assert analysis.players == ("Anna", "Ben")
    assert found["ratings"] == [
        {rule: analysis.rating(player, rule).value for rule in ("xg", "gnubg", "snowie")} for player in (0, 1)
    ]


def test_a_bad_file_does_not_stop_the_others(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "judged.jsonl"
    found = run("analyze", folder, "--plies", 0, "--cache", cache, code=1)
    assert [name for name in ("a.json:", "b.mat:", "c.json:") if name in found.stdout] == [
        "a.json:",
        "b.mat:",
        "c.json:",
    ]
    assert "3 matches judged, 1 files not read" in found.stderr
    assert "d.sgf" in found.stderr
    lines = len(cache.read_text(encoding="utf-8").splitlines())
    again = run("analyze", folder / "*.json", folder / "b.mat", "--plies", 0, "--cache", cache)
    assert "3 matches judged, 0 files not read" in again.stderr
    assert len(cache.read_text(encoding="utf-8").splitlines()) == lines


def test_analyze_refuses_what_makes_no_sense(folder: Path) -> None:
    assert "about a position" in run("analyze", folder / "a.json", "--roll", "31", code=2).stderr
    assert "No such file" in run("analyze", folder / "a.json", "nowhere", "--plies", 0, code=1).stderr
    assert "is neither a file nor an identifier" in run("analyze", "nowhere", code=2).stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_stops_an_analysis_at_once_with_what_is_done(folder: Path, tmp_path: Path) -> None:
    match = Match(25, ("Anna", "Ben"), seed=8)
    play_match(match, (Engine(noise=0.1), Engine(noise=0.1)))
    path = tmp_path / "long.json"
    path.write_text(json.dumps(match.to_dict()), encoding="utf-8")
    cache = tmp_path / "judged.jsonl"
    command = [*GAMMON, "analyze", str(path), "--plies", "2", "--cache", str(cache)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (cache.exists() and cache.stat().st_size > 0):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert "stopped: not everything has been judged" in out
    assert "gammon: stopped" in errors
    assert "Traceback" not in errors
    assert process.returncode == 130


# Cards.


def test_cards_are_exported_for_errors(folder: Path, tmp_path: Path) -> None:
    deck = tmp_path / "deck.apkg"
    out = run("export", "anki", folder / "a.json", "-o", deck, "--plies", 0, "--player", "Ben").stdout
    with zipfile.ZipFile(deck) as package:
        assert set(package.namelist()) == {"collection.anki2", "media"}
        (tmp_path / "collection").write_bytes(package.read("collection.anki2"))
    collection = sqlite3.connect(tmp_path / "collection")
    try:
        notes = collection.execute("SELECT guid, flds, tags FROM notes").fetchall()
        assert collection.execute("SELECT count(*) FROM cards").fetchone() == (len(notes),)
    finally:
        collection.close()
    assert f"{len(notes)} cards" in out
    assert len(notes) > 3
    guid, fields, tags = notes[0]
    name, front, back, own = fields.split("\x1f")
    assert (name, own) == (guid, "")
    assert front.startswith("<svg")
    assert "XGID=" in back
    assert any('class="arrow best"' in fields for _, fields, _ in notes)
    assert tags.startswith(" gammon ")
    before = deck.read_bytes()
    again = ("export", "anki", folder / "a.json", "-o", deck, "--plies", 0)
    assert "say --force" in run(*again, code=2).stderr
    run(*again, "--player", 1, "--force")
    assert deck.read_bytes() == before
    assert "no player" in run(*again, "--force", "--player", "Cleo", code=2).stderr
    assert deck.read_bytes() == before


def test_cards_never_replace_what_they_are_made_of(folder: Path, tmp_path: Path) -> None:
    match = tmp_path / "a.json"
    match.write_bytes((folder / "a.json").read_bytes())
    before = match.read_bytes()
    for files in (match, tmp_path, tmp_path / "*.json"):
        found = run("export", "anki", files, "-o", match, "--force", "--plies", 0, code=2)
        assert "is one of the files to read" in found.stderr
    assert match.read_bytes() == before
    deck = tmp_path / "deck.apkg"  # a package among the matches is no input
    for more in ((), ("--force",)):
        assert run_json("export", "anki", tmp_path, "-o", deck, "--plies", 0, *more)["failed"] == 0


def test_without_a_match_no_cards_are_written(folder: Path, tmp_path: Path) -> None:
    deck = tmp_path / "deck.apkg"
    found = run("export", "anki", folder / "d.sgf", "-o", deck, code=1)
    assert "nothing written" in found.stderr
    assert not deck.exists()
    deck.write_text("kept", encoding="utf-8")
    run("export", "anki", folder / "d.sgf", tmp_path / "none.mat", "-o", deck, "--force", code=1)
    assert deck.read_text(encoding="utf-8") == "kept"


# What cannot be judged, and what is no file.


@pytest.fixture
def too_long(tmp_path: Path) -> Path:
    """A folder with a match that no table reaches, and one that can be judged."""
    folder = tmp_path / "long"
    folder.mkdir()
    match = Match(99, ("Anna", "Ben"), seed=8)
    match.new_game().roll("31", player=0)
    match.games[0].play("8/5 6/5")
    match.games[0].roll("62")
    match.games[0].play("24/18 13/11")
    formats.write(match, folder / "a.json")
    match = Match(3, ("Anna", "Ben"), seed=8)
    match.new_game().roll("31", player=0)
    match.games[0].play("24/20")
    formats.write(match, folder / "b.json")
    return folder


def test_a_match_that_cannot_be_judged_does_not_stop_the_others(too_long: Path, tmp_path: Path) -> None:
    found = run("analyze", too_long, "--plies", 0, code=1)
    assert "a.json: match 1 left out: " in found.stderr
    assert "1 matches judged, 0 files not read, 1 matches left out" in found.stderr
    assert "b.json: 3-point match" in found.stdout
    for wrong in (("--filter", "none"), ("--met", "none"), ("--life", 9)):
        assert "left out" not in run("analyze", too_long, *wrong, code=2).stderr
    deck = tmp_path / "deck.apkg"
    found = run("export", "anki", too_long, "-o", deck, "--plies", 0, code=1)
    assert "a.json: match 1 left out: " in found.stderr
    assert "of 1 matches" in found.stdout
    assert deck.exists()


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"start\n\xff\xfe\x80 nothing")
    assert "byte 6 is not UTF-8" in run("analyze", path, code=2).stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_in_a_folder_are_left_out(folder: Path, tmp_path: Path) -> None:
    matches = tmp_path / "matches"
    matches.mkdir()
    (matches / "a.json").write_bytes((folder / "a.json").read_bytes())
    os.mkfifo(matches / "pipe.mat")
    said: list[str] = []
    assert list(formats.find([matches], skipped=said.append)) == [str(matches / "a.json")]
    assert said == [str(matches / "pipe.mat")]
    found = run("analyze", matches, "--plies", 0)
    assert "pipe.mat: no regular file: left out" in found.stderr
    found = run("convert", matches, tmp_path / "to", "--to", "sgf")
    assert "pipe.mat: no regular file: left out" in found.stderr
    assert sorted(path.name for path in (tmp_path / "to").iterdir()) == ["a.sgf"]


# A match that is played is saved.


def play(*arguments: object, lines: bytes = b"", code: int = 0) -> tuple[str, str]:
    command = [*GAMMON, "play", *map(str, arguments)]
    found = subprocess.run(command, input=lines, capture_output=True)
    out, errors = found.stdout.decode("utf-8"), found.stderr.decode("utf-8")
    assert found.returncode == code, (out, errors)
    assert "Traceback" not in errors
    return out, errors


def test_play_refuses_at_the_start_what_cannot_be_saved(tmp_path: Path) -> None:
    for name in ("match", "match.doc", "match.xgid", "no/such/folder/match.json", 251 * "a" + ".json", ""):
        out, errors = play("--save", tmp_path / name, lines=b"quit\n", code=2)
        assert out == ""
        assert errors.startswith("gammon: ")
    assert list(tmp_path.iterdir()) == []
    assert "match equity tables reach 64 points" in play("--length", 65, code=2)[1]
    play("--length", 64, lines=b"quit\n")


def test_play_saves_whatever_happens(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    out, _ = play("--save", path, "--seed", 4, lines=b"\xff\xfe\nquit\n")
    assert "saved in" in out
    assert len(formats.read(path).match.games) == 1
    path.unlink()
    command = [*GAMMON, "play", "--save", str(path), "--seed", "4"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b"help\n" * 5)
    process.stdin.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert len(formats.read(path).match.games) == 1
