"""Commands about cube decisions, match equities and plays of a position."""

import json
import re
from pathlib import Path

import pytest

from commands import run, run_json
from gammon import evaluators


def test_cube_of_a_match_score() -> None:
    xgid = "XGID=-a----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10"
    text = run("cube", xgid, "--probs", "0.72 0.2 0.01 0.08 0", "--life", "0.68").stdout
    assert "chances as given; cube life 0.680, Kazaross-XG2" in text
    assert re.search(r"double, take +\+1\.\d{4} .* MWC +\d\d\.\d\d %", text)
    assert text.rstrip().endswith("double, pass")
    data = run_json("cube", xgid, "--probs", "0.72,0.2,0.01,0.08,0", "--met", "woolsey-heinrich")
    assert (data["label"], data["met"]) == ("double, take", "Woolsey-Heinrich")
    mwc = data["mwc"]
    assert isinstance(mwc, dict)
    assert mwc["double_pass"] == pytest.approx(0.66)  # 3-away, 5-away by Woolsey and Heinrich


def test_cube_says_where_its_chances_come_from() -> None:
    text = run("cube", "start").stdout
    assert f"static evaluation (0-ply) by net {evaluators.default().id[:12]}" in text
    assert text.rstrip().splitlines()[-2] == "no double, take"
    assert "% wrong passes" in text.rstrip().splitlines()[-1]


def test_cube_answers_what_is_offered() -> None:
    opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:3:0:10"
    losing = run("cube", opening.format("D"), "--probs", "0.4 0.1 0 0.12 0").stdout
    assert losing.rstrip().splitlines()[-1] == "the double is offered: beaver"
    beavered = run("cube", opening.format("B"), "--probs", "0.4 0.1 0 0.12 0").stdout
    assert beavered.rstrip().splitlines()[-1] == "the beaver is offered: play on"
    mistaken = run("cube", opening.format("B"), "--probs", "0.7 0.1 0 0.02 0").stdout
    assert mistaken.rstrip().splitlines()[-1] == "the beaver is offered: raccoon"


def test_cube_at_every_score() -> None:
    lines = run("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--matrix", "3").stdout.splitlines()
    assert [line.split() for line in lines[2:4]] == [["1", "-", "-", "-"], ["2", "-", "DT", "NT"]]
    data = run_json("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--matrix", "2")
    matrix = data["matrix"]
    assert isinstance(matrix, list)
    assert matrix[0][0]["refusal"] == "dead-cube"
    assert matrix[1][1]["action"] == "double"


def test_cube_refuses_in_words() -> None:
    assert "five numbers" in run("cube", "start", "--probs", "0.5", code=2).stderr
    both = run("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--plies", 1, code=2).stderr
    assert "either --probs or --plies" in both
    assert "are no chances" in run("cube", "start", "--probs", "2 0 0 0 0", code=2).stderr
    xgid = "XGID=-a----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10"
    assert "kazaross-xg2" in run("cube", xgid, "--met", "snowie", code=2).stderr


def test_met() -> None:
    listed = run("met", "list").stdout.splitlines()
    assert "* kazaross-xg2       Kazaross-XG2, known to 25 points" in listed
    assert len(listed) == 8
    data = run_json("met", "list")
    assert data["default"] == "kazaross-xg2"
    shown = run("met", "show", "--size", "3").stdout.splitlines()
    assert shown[2].split() == ["1", "50.00", "67.74", "75.08"]
    assert shown[-1].split() == ["post", "50.00", "48.80", "32.26"]
    data = run_json("met", "show", "jac100", "--size", "2")
    assert data["pre_crawford"] == [[0.52, 0.715], [0.335, 0.53]]
    assert "unknown match equity table" in run("met", "show", "nothing", code=2).stderr


def test_analyze_ranks_the_plays_of_dice() -> None:
    thrown = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"
    text = run("analyze", thrown, "--plies", 1, "--show", 3).stdout
    for word in ("31 to play; 1-ply", "Kazaross-XG2", "filter normal", "13 more", "backg."):
        assert word in text
    assert re.search(r"^ +1 8/5 6/5 +1 +\+0\.\d{4} ", text, re.MULTILINE)
    data = run_json("analyze", thrown, "--plies", 1, "--show", 3)
    plays = data["plays"]
    assert isinstance(plays, list)
    assert (data["kind"], data["roll"], data["cubeful"], data["ties"], len(plays)) == (
        "plays",
        "31",
        True,
        1,
        16,
    )
    assert (plays[0]["play"], plays[0]["plies"], plays[0]["loss"]) == ("8/5 6/5", 1, 0)
    cubeless = run_json("analyze", "start", "--roll", "31", "--plies", 0, "--cubeless")
    assert isinstance(cubeless["plays"], list)
    assert cubeless["plays"][0]["equity"] < plays[0]["equity"]
    assert "unknown filter" in run("analyze", thrown, "--filter", "huge", code=2).stderr


def test_analyze_shows_the_best_play_at_every_score() -> None:
    text = run("analyze", "start", "--roll", "31", "--plies", 0, "--by-score", 3).stdout
    assert "   1  A  A  A" in text
    assert "A 8/5 6/5 " in text
    assert "9 scores" in text
    data = run_json("analyze", "start", "--roll", "31", "--plies", 0, "--by-score", 3)
    assert (data["kind"], data["best"]) == ("scores", [[0] * 3] * 3)
    assert "--by-score needs dice" in run("analyze", "start", "--by-score", 3, code=2).stderr


def test_analyze_reads_a_file_of_identifiers(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_text("# two of them\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\nstart\n")
    lines = run("analyze", file, "--plies", 0, "--json").stdout.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["plays", "cube"]
    file.write_text("start\nnonsense\n")
    assert "ids.txt, line 2: not a valid identifier" in run("analyze", file, code=2).stderr
    file.write_text("\n")
    assert "no identifier in it" in run("analyze", file, code=2).stderr
    reason = run("analyze", "nosuch", code=2).stderr
    assert "'nosuch' is neither a file nor an identifier" in reason


def test_analyze_decides_about_the_cube_without_dice() -> None:
    last_roll = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"
    text = run("analyze", last_roll).stdout
    assert "no double, beaver" in text
    assert "2-ply" in text
    data = run_json("analyze", last_roll)
    assert (data["kind"], data["label"]) == ("cube", "no double, beaver")
    assert data["equity"]["no_double"] == pytest.approx(-2 / 3)  # type: ignore[index]
    deeper = run_json("cube", last_roll, "--plies", 2)
    assert deeper["equity"] == data["equity"]
    assert str(deeper["source"]).startswith("evaluation 2 plies deep by net")
