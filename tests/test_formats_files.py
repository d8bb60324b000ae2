"""Files recognised, refused and damaged; the schema of our JSON; many files."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dialects
import fuzz_formats
import matches
from gammon import formats
from gammon.analysis import analyse
from gammon.errors import FormatError, SettingError
from test_formats import content

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


@pytest.mark.parametrize(
    "text",
    [
        '{"ids": ["4HPwATDgc/ABMA:cAkAAAAAAAAE"]}',
        '\ufeff\n{ "id": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" }',
        '["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"]',
        '[ {"id": "4HPwATDgc/ABMA:cAkAAAAAAAAE"} ]',
        '[[0, "4HPwATDgc/ABMA:cAkAAAAAAAAE"]]',
        '{"id": "4HPwATDgc/ABMA:cAkAAAAAAAAE"}\n{"id": "4HPwATDgc/ABMA:cAkAAAAAAAAE"}\n',
        '{"a": "(;GM[6]", "b": " 5 point match"}',
    ],
)
def test_json_of_other_programs_is_not_searched_for_positions(text: str) -> None:
    data = text.encode()
    assert formats.sniff(data) is None
    with pytest.raises(FormatError, match=r"^json: it is JSON, but neither matches nor positions as gammon"):
        formats.read(data)
    if "cAkA" in text or "XGID" in text:
        assert formats.read(data, format="text").positions


def test_an_analysis_is_said_to_be_one() -> None:
    data = json.dumps(analyse(dialects.look_alike(1), plies=0).to_dict()).encode()
    with pytest.raises(FormatError, match="gammon find searches it"):
        formats.read(data)


@pytest.mark.parametrize(
    "text", ["[[4HPwATDgc/ABMA:cAkAAAAAAAAE]]", "{ 4HPwATDgc/ABMA:cAkAAAAAAAAE }", "[1] {}"]
)
def test_brackets_alone_are_no_json(text: str) -> None:
    data = f"{text}\n4HPwATDgc/ABMA:cAkAAAAAAAAE\n".encode()
    assert formats.sniff(data) == "text"
    assert formats.read(data).positions


def test_several_matches_and_positions_in_json() -> None:
    mixed: list[Any] = [dialects.look_alike(1), *formats.read(dialects.XG_POSITION.encode()).positions]
    text, lost = formats.dumps(mixed, "json")
    assert isinstance(text, str)
    assert lost == []
    reading = formats.read(text.encode())
    assert reading.matches == (mixed[0],)
    assert list(reading.positions) == mixed[1:]


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
