"""`gammon convert` with files: one or many, good and bad."""

import json
from pathlib import Path

import dialects
from commands import run, run_json
from gammon import formats


def test_a_match_from_one_format_to_another(tmp_path: Path) -> None:
    source, target = tmp_path / "match.xg", tmp_path / "match.mat"
    source.write_bytes(dialects.analysed_xg())
    told = run("convert", source, target)
    assert told.stdout.splitlines()[0] == f"{source} -> {target}"
    assert "not in it: the program it came from; evaluations found in files (672)" in told.stdout
    assert dialects.counts(formats.read(target).match) == (331, 334, 14, 7)
    refused = run("convert", source, target, code=1)
    assert "exists already" in refused.stderr
    data = run_json("convert", source, target, "--overwrite")
    assert (data["files"], data["failed"], data["matches"]) == (1, 0, 1)
    run("convert", source, "--to", "sgf")
    assert formats.read(tmp_path / "match.sgf").match.score == (7, 4)


def test_many_files_with_a_bad_one(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("strict", "illegal", "money"):
        (tmp_path / "in" / f"{name}.mat").write_bytes(dialects.DIALECTS[name])
    (tmp_path / "in" / "bad.mat").write_bytes(b"\x00\x01\x02")
    told = run("convert", tmp_path / "in" / "*.mat", tmp_path / "out", "--to", "json", code=1)
    assert told.stdout.splitlines()[-1] == "4 files with 3 matches: 3 converted, 1 not, 2 warnings"
    assert "bad.mat: not converted: no known format" in told.stderr
    assert "illegal.mat: line 4: game 1: no die is left for 6/5" in told.stderr
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["illegal.json", "money.json", "strict.json"]


def test_a_position_into_a_file(tmp_path: Path) -> None:
    target = tmp_path / "position.xgp"
    text = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
    run("convert", text, target)
    assert formats.read(target).position.xgid == text
    assert "say --force to replace it" in run("convert", text, target, code=2).stderr
    ids = tmp_path / "ids.txt"
    run("convert", target, ids, "--to", "gnuid")
    assert ids.read_text() == "b9sBCIC5bYDQAA:QQnlAGAAGAAE\n"


def test_mistakes_are_named(tmp_path: Path) -> None:
    assert "missing.mat: no such file" in run("convert", "missing.mat", code=2).stderr
    (tmp_path / "a.mat").write_bytes(dialects.DIALECTS["strict"])
    assert "give a file or folder to write" in run("convert", tmp_path / "a.mat", code=2).stderr
    assert "give a format for the files" in run("convert", tmp_path, tmp_path / "out", code=2).stderr
    told = run("convert", tmp_path / "a.mat", tmp_path / "b.pdf", code=2)
    assert "no format has the extension 'pdf'" in told.stderr
    nothing = run("convert", tmp_path / "*.xg", tmp_path / "out", "--to", "mat", code=1)
    assert "no files found" in nothing.stderr
    listed = json.loads(run("convert", tmp_path, tmp_path / "out", "--to", "sgf", "--json").stdout)
    assert [Path(one["target"]).name for one in listed["converted"]] == ["a.sgf"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    told = run("convert", tmp_path / "no.mat", tmp_path / "x.sgf", code=1)
    assert told.stderr == f"{tmp_path / 'no.mat'}: not converted: No such file or directory\n"
    assert not (tmp_path / "x.sgf").exists()
