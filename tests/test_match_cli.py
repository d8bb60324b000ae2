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

from gammon import formats
from gammon.analysis import Analysis
from gammon.match import Engine, FairDice, Match, Session, play_match
from random_matches import random_player
from test_cli import GAMMON, run, run_json

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
    assert process.returncode == 0


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
    assert tags.startswith(" gammon ")
    before = deck.read_bytes()
    run("export", "anki", folder / "a.json", "-o", deck, "--plies", 0, "--player", 1)
    assert deck.read_bytes() == before
    assert (
        "no player" in run("export", "anki", folder / "a.json", "-o", deck, "--player", "Cleo", code=2).stderr
    )
