"""Patterns in files: what is found, told and refused, by `search` and by `gammon find`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import run, run_json
from gammon import formats
from gammon.analysis import Analysis, analyse
from gammon.cli.find import _deed
from gammon.errors import PatternError
from gammon.match import Series
from gammon.patterns import Found, Rows, find, search
from searched import MANY, SERIES, told


def files(folder: Path) -> dict[str, Any]:
    series: dict[str, Any] = {"one.mat": SERIES[0], "two.json": SERIES[2], "three.sgf": SERIES[1]}
    for name, match in series.items():
        formats.write(match, folder / name)
    (folder / "bad.mat").write_bytes(b"\x00\x01")
    (folder / "ids.txt").write_text("4HPwATDgc/ABMA\n" + MANY[1].id + "\n", encoding="utf-8")
    return series


def test_files_are_searched_and_none_stops_the_rest(tmp_path: Path) -> None:
    series = files(tmp_path)
    results = {Path(one.source).name: one for one in search("prime >= 3", [tmp_path])}
    assert "no known format" in results["bad.mat"].error
    for name, match in series.items():
        one = results[name]
        assert [(hit.id, hit.made) for hit in one.found] == [
            (hit.id, hit.made) for hit in find("prime >= 3", match)
        ]
        assert one.looked_at == len(told(match))
    assert (results["ids.txt"].match, results["ids.txt"].looked_at) == (0, 2)
    asked = []

    def judge(match: Any) -> Any:
        asked.append(match)
        return analyse(match, plies=0, luck=False)

    errors = [one for one in search("error > 0.2", [tmp_path / "*.mat"], judge=judge) if one.found]
    assert len(asked) == 1
    assert errors
    assert errors[0].found[0].error is not None
    with pytest.raises(PatternError):
        search("nothing > 1", [tmp_path])


def test_analyses_kept_as_lines_are_searched(tmp_path: Path) -> None:
    files(tmp_path)
    lines = run("analyze", tmp_path / "one.mat", tmp_path / "two.json", "--plies", 0, "--json").stdout
    kept = tmp_path / "judged.jsonl"
    kept.write_text(lines + "{nonsense}\n", encoding="utf-8")
    results = list(search("error > 0.3 and kind == play", [kept]))
    assert [Path(one.source).name for one in results] == ["one.mat", "two.json", "judged.jsonl"]
    assert results[2].error.startswith("line 3: ")
    match = formats.read(tmp_path / "one.mat").match
    expected = analyse(match, plies=0)
    assert [one.id for one in results[0].found] == [
        one.id for one in expected.decisions if one.error > 0.3 and one.kind == "play"
    ]


def test_a_file_that_cannot_be_searched_stops_no_other(tmp_path: Path) -> None:
    files(tmp_path)
    sources = [tmp_path / name for name in ("one.mat", "three.sgf")]
    asked: list[Series] = []

    def judge(match: Series) -> Analysis:
        asked.append(match)
        if len(asked) == 1:
            raise TypeError("not what was expected")
        return analyse(match, plies=0, luck=False)

    first, second = search("error >= 0", sources, judge=judge)
    assert (first.error, second.error) == ("TypeError: not what was expected", "")
    assert second.found

    def broken(rows: Rows) -> Any:
        raise TypeError("no pattern")

    with pytest.raises(TypeError, match="no pattern"):  # a mistake of the pattern is none of the file
        list(search(broken, sources))


def test_names_that_cannot_be_printed_are_escaped(tmp_path: Path) -> None:
    files(tmp_path)
    values = formats.read(tmp_path / "one.mat").match.to_dict()
    values["players"][0]["name"] = "\ud800"
    (tmp_path / "a.json").write_text(json.dumps(values), encoding="utf-8")
    judged = analyse(formats.read(tmp_path / "one.mat").match, plies=0).to_dict()
    judged["players"] = ["\ud800", "B"]
    (tmp_path / "b.jsonl").write_text(json.dumps(judged) + "\n", encoding="utf-8")
    names = [tmp_path / name for name in ("a.json", "b.jsonl", "one.mat")]
    done = run("find", "error >= 0 or race", *names, code=1)
    assert "a.json: json: players[0]: name must be a text" in done.stderr
    assert "of 3 files, 1 not read" in done.stderr
    assert ": \\ud800 played" in done.stdout
    assert "one.mat: game 1" in done.stdout


def test_turns_are_found_in_analyses_as_in_their_matches(tmp_path: Path) -> None:
    match = SERIES[0]
    judged = analyse(match, plies=0)
    kept = tmp_path / "judged.jsonl"
    kept.write_text(json.dumps(judged.to_dict()) + "\n", encoding="utf-8")
    decided = {(judged.games[one.game].number, one.record) for one in judged.decisions}
    for pattern in ("turn > 10", "turn == 1", "turn <= 3 and kind != roll"):
        (one,) = search(pattern, [kept])
        assert one.found, pattern
        assert [(hit.game, hit.record, hit.turn) for hit in one.found] == [
            (hit.game, hit.record, hit.turn)
            for hit in find(pattern, match)
            if (hit.game, hit.record) in decided
        ]
    thrown = [[moment for moment in game if moment.record.kind == "roll"] for game in match.games]
    assert {(luck.game, thrown[luck.game][luck.turn - 1].index) for luck in judged.luck} == {
        (luck.game, luck.record) for luck in judged.luck
    }


def test_the_command(tmp_path: Path) -> None:
    files(tmp_path)
    done = run("find", "prime >= 4", tmp_path, code=1)
    lines = done.stdout.splitlines()
    assert lines
    assert all(line.startswith("XGID=") for line in lines)
    assert "bad.mat: no known format" in done.stderr
    assert f"{len(lines)} found among " in done.stderr
    assert "of 5 files, 1 not read" in done.stderr
    good = [tmp_path / name for name in ("one.mat", "three.sgf", "two.json")]
    ids = run("find", "prime >= 4", *good, "--ids").stdout.splitlines()
    assert ids == [line.split("  ")[0] for line in lines if "ids.txt" not in line]
    assert len(run("find", "prime >= 4", *good, "--limit", 2).stdout.splitlines()) == 2
    assert run("find", "prime >= 4", *good, "--count").stdout == f"{len(ids)}\n"
    counted = run_json("find", "prime >= 4", *good, "--count")
    assert (counted["found"], counted["matches"], counted["failed"]) == (len(ids), 3, 0)
    objects = [json.loads(line) for line in run("find", "prime >= 4", *good, "--json").stdout.splitlines()]
    assert [one["id"] for one in objects] == ids
    drawn = run("find", "prime >= 4", *good, "--limit", 1, "--boards").stdout
    assert "+-13-14-" in drawn
    judged = run("find", "error > 0.3", good[0], "--plies", 0, "--cache", tmp_path / "cache.jsonl")
    assert judged.stdout
    assert judged.stdout == run("find", "error > 0.3", good[0], "--plies", 0).stdout
    unjudged = "nobody has judged these: add --plies 0 (or 1, 2)"
    assert unjudged in run("find", "error > 0.3", good[0]).stderr
    assert unjudged not in run("find", "error > 0.3", good[0], "--plies", 0).stderr
    assert unjudged not in run("find", "race", good[0]).stderr
    cached = run("find", "error > 0.3", tmp_path / "cache.jsonl", code=1)
    assert "a cache (--cache), not what gammon analyze --json prints" in cached.stderr


def test_a_stopped_search_tells_how_much_was_searched(tmp_path: Path) -> None:
    files(tmp_path)
    script = f"""
import contextlib, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    yield lambda: True
_progress.interruptible = stopped
sys.argv = ["gammon", "find", "error > 0", {str(tmp_path / "one.mat")!r}, "--plies", "1"]
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 130, done.stderr
    assert "no files found" not in done.stderr
    assert "Stopped after 0 positions and decisions." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pip > 1", "x"], "unknown name 'pip'"),
        (["race", "x", "--cache", "y"], "--cache is for what is judged: give --plies"),
    ],
)
def test_the_command_refuses_in_words(arguments: list[str], words: str) -> None:
    assert words in run("find", *arguments, code=2).stderr
    assert "No such file" in run("find", "race", "no-such.mat", code=1).stderr


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("roll", "rolled"),
        ("play", "played 8/5 6/5"),
        ("double", "doubled"),
        ("take", "took"),
        ("pass", "passed"),
        ("beaver", "beavered"),
        ("raccoon", "raccooned"),
    ],
)
def test_what_was_done_is_said_in_words(kind: str, words: str) -> None:
    made = "8/5 6/5" if kind == "play" else kind
    assert _deed(Found(id="start", kind=kind, made=made)) == words
    assert _deed(Found(id="start", kind=kind, made=made, error=0.25)) == f"{words} (-0.250)"


def test_many_files_need_no_more_memory_than_few(tmp_path: Path) -> None:
    """As many files as `GAMMON_FILES` says, 10,000 say; `benches/many_matches.py` measures them."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("/proc/self/statm, which tells the memory in use, is not there")

    def memory() -> float:
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    count = int(os.environ.get("GAMMON_FILES", "100"))
    texts = [str(formats.dumps(series, "mat")[0]) for series in SERIES[:2]]
    for number in range(count):
        (tmp_path / f"{number:06}.mat").write_text(texts[number % 2], encoding="utf-8")
    heights = []
    for number, one in enumerate(search("shots > 3 or opp.prime > 2 or made == x or error > 0", [tmp_path])):
        assert one.found
        if number % (count // 10) == 0:
            heights.append(memory())
    assert heights[-1] < heights[1] + 5 + 0.0005 * count, heights  # the names of the files are kept


def test_the_first_analyses_told_no_turns(tmp_path: Path) -> None:
    judged = analyse(SERIES[0], plies=0)
    plain = json.loads(json.dumps(judged.to_dict()))
    for one in (*plain["decisions"], *plain["luck"]):
        del one["turn"]
    file = tmp_path / "first.json"
    file.write_text(json.dumps(plain), encoding="utf-8")
    (found,) = search("turn > 0", [file])
    assert (found.error, found.found) == ("", ())
    (found,) = search("turn == 0", [file])
    assert len(found.found) > len(judged.decisions) / 2


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("decisions", 0, "made", "equity"), {}),
        (("decisions", 0, "made", "name"), 5),
        (("decisions", 0, "game"), 99),
        (("decisions", 0, "record"), "x"),
        (("decisions", 0, "turn"), "x"),
        (("decisions", 0, "turn"), True),
        (("decisions", 0, "turn"), -1),
        (("decisions", 0, "turn"), 2**31),
        (("decisions", 0, "turn"), 2**70),
        (("luck", 0, "turn"), 2**70),
        (("luck", 0, "player"), "x"),
        (("decisions", 0, "id"), 5),
        (("luck", 0, "equity"), []),
        (("luck", 0, "record"), []),
        (("settings", "thresholds", "bad"), "x"),
        (("settings", "thresholds"), 5),
    ],
)
def test_analyses_that_are_damaged_are_told_of(
    path: tuple[str | int, ...], value: object, tmp_path: Path
) -> None:
    plain = json.loads(json.dumps(analyse(SERIES[0], plies=0).to_dict()))
    inner = plain
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps(plain), encoding="utf-8")
    (found,) = search("error > 0 or luck > 0 or turn > 2", [file])
    assert found.error.startswith("line 1: no analysis as gammon writes it"), found
    assert not any(word in found.error for word in ("object", "NoneType", "unpack", "index"))
    told = ("values of other kinds", "must be", "is none of")
    assert any(word in found.error for word in told), found.error


@pytest.mark.parametrize(
    "text", ['{"format": "zz", "ids": ["4HPwATDgc/ABMA"]}', "[{}]", ' {"decisions": {}}']
)
def test_json_of_other_programs_is_not_searched(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    (found,) = search("turn > 30", [file])
    assert "json" in found.error
    assert found.looked_at == 0
