"""Commands about matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gammon.match import FairDice, Match, play_match
from random_matches import random_player
from test_cli import run, run_json

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
