"""Files that are replaced whole or not at all, and what lies beside them."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import GAMMON, run
from gammon import formats
from gammon._files import replaces, replacing, writable
from gammon.match import Engine, Match, play_match


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "x.txt"
    with replacing(target) as part:
        part.write_text("first", encoding="utf-8")
        assert not target.exists()
        assert part.parent == tmp_path
    assert target.read_text(encoding="utf-8") == "first"

    def broken() -> None:
        with replacing(target) as part:
            part.write_text("sec", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert target.read_text(encoding="utf-8") == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


def test_names_beside_a_file_are_never_taken_twice(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 250)  # as long as names may be, or nearly
    with contextlib.ExitStack() as all_of_them:
        parts = {all_of_them.enter_context(replacing(target)) for _ in range(20)}
        assert len(parts) == 20
        assert set(tmp_path.iterdir()) == parts
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name == "nt", reason="rights and links are those of POSIX")
def test_rights_and_links_stay_as_they_are(tmp_path: Path) -> None:
    plain, private, link, fixed = (tmp_path / name for name in ("plain", "private", "link", "fixed"))
    with (tmp_path / "usual").open("w"):
        usual = stat.S_IMODE((tmp_path / "usual").stat().st_mode)
    private.write_text("mine", encoding="utf-8")
    private.chmod(0o600)
    link.symlink_to(private)
    for path in (plain, link):
        with replacing(path) as part:
            part.write_text("new", encoding="utf-8")
    assert stat.S_IMODE(plain.stat().st_mode) == usual
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert link.is_symlink()
    assert private.read_text(encoding="utf-8") == "new"
    fixed.write_text("old", encoding="utf-8")
    fixed.chmod(0o444)
    if os.access(fixed, os.W_OK):  # by the administrator alone
        with replacing(fixed) as part:
            part.write_text("new", encoding="utf-8")
        assert fixed.read_text(encoding="utf-8") == "new"
    else:
        with pytest.raises(PermissionError):
            writable(fixed)
    assert stat.S_IMODE(fixed.stat().st_mode) == 0o444


@pytest.mark.skipif(os.name == "nt", reason="pipes have no names there")
def test_what_is_no_regular_file_stays_and_gets_what_was_written(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            writable(path)
            with replacing(path) as part:
                part.write_text("through a pipe", encoding="utf-8")
                assert os.read(reader, 100) == b""  # nothing before it is whole
            assert os.read(reader, 100) == b"through a pipe"
        finally:
            os.close(reader)
        assert pipe.is_fifo()
        assert link.is_symlink()
        assert not replaces(path)


@pytest.mark.skipif(os.name == "nt", reason="open files have no names there")
def test_an_open_file_is_written_on_where_it_is(tmp_path: Path) -> None:
    target, link = tmp_path / "x.txt", tmp_path / "link"
    with target.open("wb") as file, target.open("rb") as reading:
        link.symlink_to(f"/dev/fd/{file.fileno()}")
        file.write(b"printed before, ")
        file.flush()
        for path in (f"/dev/fd/{file.fileno()}", link):
            writable(path)
            with replacing(path) as part:
                part.write_bytes(b"a page, ")
            assert not replaces(path)
        file.write(b"and after")
        with pytest.raises(OSError, match="Bad file descriptor") as raised:
            writable(f"/dev/fd/{reading.fileno()}")
        assert raised.value.filename == f"/dev/fd/{reading.fileno()}"
    assert target.read_bytes() == b"printed before, a page, a page, and after"
    assert replaces(target)
    assert replaces(tmp_path / "new.txt")


def test_a_folder_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("check", [writable, lambda path: replacing(path).__enter__()])
def test_a_protected_file_is_left_as_it_is(
    check: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.txt"
    target.write_text("keep", encoding="utf-8")
    # What the system says to anybody but its administrator, who the tests may be run by.
    monkeypatch.setattr(os, "access", lambda path, mode: (Path(path), mode) != (target, os.W_OK))
    with pytest.raises(PermissionError) as raised:
        check(target)
    assert raised.value.filename == str(target)
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_text(encoding="utf-8") == "keep"


def test_a_file_system_without_rights_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "x.txt"
    target.write_text("old", encoding="utf-8")

    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(Path, "chmod", refuse)
    with replacing(target) as part:
        part.write_text("new", encoding="utf-8")
    assert target.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_written_is_on_the_disk_before_it_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, synced = tmp_path / "x.txt", []

    def sync(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_size, target.exists()))

    monkeypatch.setattr(os, "fsync", sync)
    with replacing(target) as part:
        part.write_text("12345", encoding="utf-8")
    assert synced == [(5, False)]
    assert target.read_text(encoding="utf-8") == "12345"


def test_what_cannot_be_replaced_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "folder" / "x.txt"
    target.parent.mkdir()
    target.write_text("keep", encoding="utf-8")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    opened = os.open

    def closed_folder(path: Path, flags: int, mode: int = 0o777) -> int:
        if Path(path).parent == target.parent:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", closed_folder)
    for path in (target, link, target.with_name("new.txt")):
        with pytest.raises(PermissionError) as raised:
            writable(path)
        assert raised.value.filename == os.path.realpath(path)
    writable(tmp_path / "y.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link.txt"]
    assert list(target.parent.iterdir()) == [target]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "no" / "such.mat"
    with pytest.raises(FileNotFoundError) as raised, replacing(target):
        pass
    assert raised.value.filename == str(target)


def test_a_report_leaves_what_lies_beside_it_alone(tmp_path: Path) -> None:
    match = Match(1, ("A", "B"), seed=2)
    play_match(match, (Engine(), Engine(noise=0.2)))
    file, report, beside = (tmp_path / name for name in ("x.mat", "x.html", "x.html.part"))
    formats.write(match, file)
    beside.write_text("my own", encoding="utf-8")
    run("analyze", file, "--plies", 0, "--html", report)
    assert report.read_text(encoding="utf-8").startswith("<!")
    assert beside.read_text(encoding="utf-8") == "my own"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.html", "x.html.part", "x.mat"]


ROLLOUT = ["rollout", "start", "--trials", 36, "--truncate", 2, "--html", "/dev/stdout"]


@pytest.mark.skipif(os.name == "nt", reason="open files have no names there")
@pytest.mark.parametrize(
    ("arguments", "begins", "ends", "told"),
    [
        ([*ROLLOUT, "--plot"], "<!doctype", "</html>", "equity"),
        ([*ROLLOUT, "--json"], "<!doctype", "</html>", '"turns": 72}'),
        (
            ["analyze", "x.mat", "--plies", 0, "--html", "/dev/stdout"],
            "<!DOCTYPE",
            "</html>",
            "report: /dev/stdout",
        ),
        (["convert", "x.mat", "/dev/stdout", "--to", "sgf"], "(;FF[4]", ")", "x.mat -> /dev/stdout"),
        (["convert", "x.mat", "/dev/fd/1", "--to", "sgf", "--json"], "(;FF[4]", ")", '{"converted": '),
        (["convert", "start", "/dev/stdout", "--to", "sgf"], "(;FF[4]", ")", "start -> /dev/stdout"),
        (["train", "/dev/stdout", "--games", 10, "--hidden", 64], "GAMMNET", "", "wrote /dev/stdout"),
        (["export", "anki", "x.mat", "--plies", 0, "-o", "/dev/stdout"], "PK", "", "cards of 1 matches in"),
        (["reference", "select", "/dev/stdout", "--each", 1], "\x1f", "", "positions"),
    ],
)
def test_a_file_on_standard_output_is_alone_there(
    arguments: list[object], begins: str, ends: str, told: str, tmp_path: Path
) -> None:
    match = Match(1, ("A", "B"), seed=2)
    play_match(match, (Engine(), Engine(noise=0.2)))
    formats.write(match, tmp_path / "x.mat")
    command = [*GAMMON, *map(str, arguments)]
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout.startswith(begins.encode())
    assert piped.stdout.rstrip().endswith(ends.encode())
    assert told.encode() in piped.stderr
    with (tmp_path / "out").open("w") as out:
        subprocess.run(command, cwd=tmp_path, stdout=out, stderr=subprocess.DEVNULL, check=True)
    written = (tmp_path / "out").read_bytes()
    assert (written.startswith(begins.encode()), written.rstrip().endswith(ends.encode())) == (True, True)
    if begins != "PK":  # which holds when it was made, as pages hold how long that took
        time = re.compile(rb"seconds</dt><dd>[^<]*|[\d.]+ s, [\d,]+ games/s")
        assert time.sub(b"", written) == time.sub(b"", piped.stdout)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "x.mat"]


@pytest.mark.skipif(os.name == "nt", reason="pipes have no names there")
def test_a_file_that_is_not_standard_output_leaves_that_to_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for target in (pipe, tmp_path / "x.html", "/dev/stderr"):
            found = run(*ROLLOUT[:-1], target)
            assert "equity" in found.stdout
            assert "<!doctype" not in found.stdout
        assert "<!doctype" in found.stderr
    finally:
        os.close(reader)


@pytest.mark.skipif(os.name == "nt", reason="pipes have no names there")
def test_a_net_is_written_to_a_pipe(tmp_path: Path) -> None:
    pipe, held = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: held.append(pipe.read_bytes()), daemon=True)
    reader.start()
    run("train", pipe, "--games", 10, "--hidden", 64)
    reader.join(10)
    assert held[0].startswith(b"GAMMNET")
    assert pipe.is_fifo()
    assert "no regular file" in run("train", tmp_path / "x.net", "--checkpoint", pipe, code=2).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "start", "--html", ""],
        ["analyze", "start", "--cache", ""],
        ["rollout", "start", "--html", ""],
        ["rollout", "start", "--checkpoint", ""],
        ["board", "start", "--output", ""],
        ["convert", "start", ""],
        ["duel", "default", "default", "--save", ""],
        ["train", ""],
        ["train", "x.net", "--checkpoint", ""],
        ["reference", "select", ""],
        ["export", "anki", "x.mat", "--output", ""],
        ["find", "race", "x.mat", "--plies", "0", "--cache", ""],
        ["play", "--save", ""],
    ],
)
def test_a_file_has_a_name(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "the name is empty" in run(*arguments, code=2).stderr
    assert list(tmp_path.iterdir()) == []
