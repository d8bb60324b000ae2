"""Files that are replaced whole or not at all, and what lies beside them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from commands import run
from gammon import formats
from gammon._files import part_beside, replacing
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
    parts = {part_beside(target) for _ in range(20)}
    assert len(parts) == 20
    assert set(tmp_path.iterdir()) == parts


@pytest.mark.skipif(os.name == "nt", reason="rights and links are those of POSIX")
def test_rights_and_links_stay_as_they_are(tmp_path: Path) -> None:
    plain, private, link = tmp_path / "plain", tmp_path / "private", tmp_path / "link"
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
    with replacing("/dev/null") as given:
        given.write_text("nothing", encoding="utf-8")
    assert given == Path("/dev/null")
    assert not given.is_file()


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
