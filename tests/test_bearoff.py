"""Bear-off tables and race chances as Python users meet them; the numbers themselves are tested in Rust."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon import Position, bearoff, evaluators
from gammon.errors import (
    ArrayError,
    EvaluatorError,
    IllegalPositionError,
    MissingTableError,
    SettingError,
    Stopped,
    TableFormatError,
)

DATA = Path(__file__).parent / "data"

Call = Callable[..., np.ndarray]


@pytest.fixture(scope="module")
def one() -> bearoff.OneSided:
    return bearoff.OneSided.build()


@pytest.fixture(scope="module")
def two() -> bearoff.TwoSided:
    return bearoff.TwoSided.build(storage="f32")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GAMMON_CACHE", str(tmp_path))
    return tmp_path


def rows(name: str) -> Iterator[dict[str, str]]:
    with (DATA / "bearoff" / name).open() as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


def side(text: str) -> list[int]:
    return [int(n) for n in text.split()]


def board(roller: list[int], opponent: list[int]) -> np.ndarray:
    made = np.zeros((2, 25), np.uint8)
    made[0, : len(roller)] = roller
    made[1, : len(opponent)] = opponent
    return made


def test_one_sided_values_and_their_names(one: bearoff.OneSided) -> None:
    assert (one.points, one.checkers, len(one)) == (6, 15, 54_264)
    found = one.probe([7])
    assert found.pips == 7
    assert found.mean_rolls == pytest.approx(3.5509259, abs=5e-8)
    assert found.epc == pytest.approx(28.99923, abs=5e-6)
    assert found.wastage == found.epc - 7
    assert found.rolls.sum() == pytest.approx(1)
    assert found.mean_first_off == 0
    assert found.first_off.tolist() == [1.0]
    for row in rows("onesided.csv"):
        found = one.probe(side(row["points"]))
        assert found.mean_rolls == pytest.approx(float(row["mean"]), abs=1e-9)
        expected = np.array(row["dist"].split(), float)
        assert np.abs(found.rolls[: len(expected)] - expected[: len(found.rolls)]).max() < 4e-8


def test_two_sided_values_and_their_names(two: bearoff.TwoSided) -> None:
    wanted = list(rows("twosided.csv"))
    boards = np.stack([board(side(row["on_roll"]), side(row["opponent"])) for row in wanted])
    columns = [
        "cubeless",
        "centred_no_double",
        "centred_best",
        "owned_no_double",
        "owned_best",
        "opponent_owned",
    ]
    expected = np.array([[float(row[name]) for name in columns] for row in wanted])
    found = two.equities(boards)
    assert np.abs(found - expected).max() < 6e-8
    for number, name in enumerate(columns):
        assert np.array_equal(two.equities(boards, name), found[:, number])  # type: ignore[arg-type]
    for one_board, values in zip(boards[:20], expected[:20], strict=True):
        probed = two.probe(Position.from_board(one_board))
        assert [getattr(probed, name) for name in columns] == pytest.approx(values, abs=6e-8)
        assert probed.double_take == 2 * probed.opponent_owned
        assert probed.win == pytest.approx((1 + values[0]) / 2)


def test_probe_raises_and_get_answers_outside_a_table(one: bearoff.OneSided, two: bearoff.TwoSided) -> None:
    with pytest.raises(MissingTableError, match="6 points and 15 checkers"):
        one.probe([0] * 6 + [1])
    assert one.get([0] * 6 + [1]) is None
    assert one.get([16], default="none") == "none"
    assert one.get([1]).mean_rolls == 1
    with pytest.raises(SettingError):
        one.probe([-1])
    with pytest.raises(SettingError):
        one.probe([0] * 26)
    with pytest.raises(MissingTableError):
        two.probe("start")
    assert two.get("start", 7) == 7
    outside = np.stack([board([0] * 6 + [1], [1]), board([1], [1])])
    assert np.isnan(one.mean_rolls(outside)).tolist() == [[True, False], [False, False]]
    assert np.isnan(one.win(outside)).tolist() == [True, False]
    assert np.isnan(two.equities(outside)).all(axis=1).tolist() == [True, False]


def test_long_arrays_are_looked_up_like_short_ones(one: bearoff.OneSided, two: bearoff.TwoSided) -> None:
    """Arrays are read in pieces of some thousand; strides, and a bad row far in, must not matter."""
    draw = np.random.default_rng(3)
    boards = np.zeros((20_001, 2, 25), np.uint8)
    boards[..., :7] = draw.integers(0, 3, (20_001, 2, 7))
    many = two.equities(boards)
    few = np.concatenate([two.equities(piece) for piece in np.array_split(boards, 27)])
    assert np.array_equal(many, few, equal_nan=True)
    assert 0 < np.isnan(many[:, 0]).sum() < len(many)
    assert np.array_equal(np.isnan(two.equities(boards, "owned_best")), np.isnan(many[:, 4]))
    wins = one.win(boards)
    for same in (np.asfortranarray(boards), np.repeat(boards, 2, axis=0)[::2]):
        assert np.array_equal(two.equities(same), many, equal_nan=True)
        assert np.array_equal(one.win(same), wins, equal_nan=True)
    assert np.array_equal(two.equities(boards[::-1]), many[::-1], equal_nan=True)
    boards[19_000, 1, 3] = 16
    with pytest.raises(IllegalPositionError, match=r"boards\[19000\]"):
        two.equities(boards)


def test_arrays_that_are_no_boards_are_refused(one: bearoff.OneSided, two: bearoff.TwoSided) -> None:
    race = bearoff.Race(one, two)
    calls: list[Call] = [one.mean_rolls, one.win, two.equities, race.evaluate, race.epc]
    good = board([1], [1])[None]
    for call in calls:
        assert len(call(good[:0])) == 0
        for bad in (good.astype(np.int64), good.astype(np.float32), good[0], good[:, :1], good[..., :24]):
            with pytest.raises(ArrayError, match="boards"):
                call(bad)
        with pytest.raises(ArrayError, match="numpy array"):
            call(good.tolist())
        with pytest.raises(IllegalPositionError, match=r"boards\[1\]"):
            call(np.concatenate([good, np.zeros_like(good)]))
    for kind in ("", "owned", "Cubeless"):
        with pytest.raises(SettingError, match="kind must be one of cubeless"):
            two.equities(good, kind)  # type: ignore[arg-type]
    with pytest.raises(ArrayError):
        bearoff.count(good.astype(np.int8), "keith")


def test_win_chances_of_two_sides(one: bearoff.OneSided, two: bearoff.TwoSided) -> None:
    boards = np.stack([board([3], [3]), board([1], [15]), board([15], [1])])
    assert one.win(boards) == pytest.approx([1 - 5 / 36, 1, 0], abs=1e-6)
    race = bearoff.Race(one, two)
    found = race.evaluate(boards)
    assert found.dtype == np.float32
    assert found[:, 0] == pytest.approx([1 - 5 / 36, 1, 0], abs=1e-6)
    assert found[1, 1] == 1.0
    assert found[2, 0] == 0.0
    assert np.array_equal(gammon.evaluate(boards, race), found)
    assert np.array_equal(race.evaluate(np.tile(boards, (4000, 1, 1)), threads=2), np.tile(found, (4000, 1)))
    with pytest.raises(EvaluatorError):
        race.evaluate(Position.start().board[None])
    with pytest.raises(SettingError):
        bearoff.Race(bearoff.OneSided.build(5, 15))


def test_race_chances_against_exact_values() -> None:
    """The bound is the one published in docs/bearoff.md."""
    with (DATA / "race" / "reference.csv").open() as file:
        wanted = list(csv.DictReader(line for line in file if not line.startswith("#")))
    boards = np.stack([board(side(row["roller"]), side(row["opponent"])) for row in wanted])
    found = bearoff.Race(bearoff.OneSided.build(), bearoff.TwoSided.build(storage="f32")).evaluate(boards)
    for column, name in enumerate(["win", "win_gammon", None, "lose_gammon"]):
        if name:
            exact = np.array([float(row[name]) for row in wanted])
            assert np.abs(found[:, column] - exact).mean() < 0.002


def test_tables_are_kept_and_damaged_ones_built_again(cache: Path) -> None:
    first = bearoff.one_sided(5, 10)
    path = bearoff.table_path("one", 5, 10)
    assert path.is_file()
    assert path.is_relative_to(cache)
    kept = path.read_bytes()
    assert len(kept) == first.size
    path.write_bytes(kept[:-1])
    with pytest.raises(TableFormatError, match="damaged"):
        bearoff.OneSided.open(path)
    assert bearoff.one_sided(5, 10).probe([1]).mean_rolls == 1
    assert path.read_bytes() == kept
    with pytest.raises(TableFormatError, match="two-sided"):
        bearoff.TwoSided.open(path)
    path.write_bytes(b"something else entirely")
    with pytest.raises(TableFormatError, match="not a bear-off table"):
        bearoff.OneSided.open(path)
    with pytest.raises(FileNotFoundError):
        bearoff.OneSided.open(cache / "nothing.bo")


def test_nothing_is_written_unless_wanted(cache: Path) -> None:
    bearoff.two_sided(3, 2, save=False)
    assert list(cache.iterdir()) == []


def test_builds_tell_their_progress_and_can_be_stopped() -> None:
    told: list[int] = []

    def stop(done: int) -> bool:
        told.append(done)
        return len(told) < 2

    with pytest.raises(Stopped):
        bearoff.OneSided.build(9, 15, threads=1, progress=stop)
    work = bearoff.OneSided.work(9, 15)
    assert work is not None
    assert 0 < told[0] < told[1] < work
    with pytest.raises(ZeroDivisionError):
        bearoff.TwoSided.build(6, 8, threads=1, progress=lambda done: 1 / 0)
    for points, checkers in [(13, 15), (0, 15), (6, 16)]:
        with pytest.raises(SettingError):
            bearoff.OneSided.build(points, checkers)
    with pytest.raises(SettingError, match="u16"):
        bearoff.TwoSided.build(2, 2, storage="u8")


def test_threads_share_a_table(one: bearoff.OneSided, cache: Path) -> None:
    path = cache / "table.bo"
    one.save(path)
    table = bearoff.OneSided.open(path)
    boards = np.repeat(board([0, 0, 2, 3, 4, 4], [3, 4, 4])[None], 20_000, axis=0)
    expected = one.win(boards)
    results: list[bool] = []
    threads = [
        threading.Thread(target=lambda: results.append(bool(np.array_equal(table.win(boards), expected))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"),
    reason="no free-threaded interpreter: run the tests with python3.13t or later",
)
def test_tables_without_the_interpreter_lock(one: bearoff.OneSided, two: bearoff.TwoSided) -> None:
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined]
    boards = np.stack([board([n % 3, n % 4], [1, n % 5]) for n in range(20_000)])
    both = evaluators.composite(race=bearoff.Race(one, two))
    calls: list[Call] = [one.win, two.equities, both.evaluate]
    expected = [call(boards) for call in calls]
    results: list[bool] = []

    def look_up() -> None:
        for _ in range(5):
            for call, values in zip(calls, expected, strict=True):
                results.append(bool(np.array_equal(call(boards), values)))

    threads = [threading.Thread(target=look_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 60


SMAPS = Path("/proc/self/smaps")

MAPPED = """
import sys
from pathlib import Path
from gammon import bearoff

path = sys.argv[1]
table = bearoff.OneSided.open(path)  # which reads all of it, to check it
print("open", flush=True)
sys.stdin.readline()
sizes, here = {}, False
for line in Path("/proc/self/smaps").read_text().splitlines():
    name, _, rest = line.partition(":")
    if "-" in name.split(" ")[0]:
        here = line.endswith(path)
    elif here and rest.endswith(" kB"):
        sizes[name] = sizes.get(name, 0) + int(rest.split()[0])
print(sizes["Rss"], sizes["Pss"], sizes["Private_Clean"] + sizes["Private_Dirty"], flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(
    not SMAPS.exists(), reason="only Linux says which memory processes share: /proc/self/smaps"
)
def test_processes_share_the_memory_of_a_table(one: bearoff.OneSided, cache: Path) -> None:
    path = cache / "table.bo"
    one.save(path)
    command = [sys.executable, "-c", MAPPED, str(path)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
        for process in processes:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            resident, share, private = (int(size) for size in process.stdout.readline().split())
            whole = path.stat().st_size // 1024
            assert resident >= 0.9 * whole, "all of the table is in memory"
            assert private <= 0.1 * whole, "and none of it is this process's own"
            assert share <= 0.4 * whole, "a third each"
    finally:
        for process in processes:
            process.communicate("\n", timeout=60)


def test_counts_of_a_position_and_of_many() -> None:
    position = Position.from_points({1: 2, 2: 2, 3: 2, 4: 2, 5: 3, 6: 4}, {1: 5, 2: 3, 3: 4, 5: 2, 6: 1})
    found = {count.method: count for count in bearoff.counts(position)}
    assert (found["pips"].roller, found["pips"].opponent) == (59, 39)
    assert (found["keith"].roller, found["keith"].opponent) == (70, 51)
    assert (found["thorp"].roller, found["thorp"].opponent) == (93.5, 69)
    assert found["isight"].win is not None
    assert found["ward"].win is None
    boards = position.board[None]
    for name, count in found.items():
        columns = bearoff.count(boards, name)  # type: ignore[arg-type]
        assert columns["counts"].tolist() == [[count.roller, count.opponent]]
        verdict = (columns["double"][0], columns["redouble"][0], columns["take"][0])
        assert verdict == (count.double, count.redouble, count.take)
        assert np.isnan(columns["win"][0]) if count.win is None else columns["win"][0] == count.win
    with pytest.raises(SettingError, match="keith"):
        bearoff.count(boards, "fingers")  # type: ignore[arg-type]
    assert bearoff.epc_verdict(68.5, 73.5) == (True, False, True)


def run(*args: str) -> str:
    command = [sys.executable, "-c", "from gammon.cli import main; main()", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("cache")
def test_commands() -> None:
    built = json.loads(run("bearoff", "build", "--points", "6", "--checkers", "4", "--two-sided", "--json"))
    assert Path(built["path"]).is_file()
    assert built["entries"] == 210**2
    epc = json.loads(run("bearoff", "epc", "13", "--json"))
    assert epc["epc"] == pytest.approx(50.0, abs=5e-5)
    assert "50.0000 effective" in run("bearoff", "epc", "13")
    short = Position.from_points({6: 1}, {1: 1}).id
    assert json.loads(run("bearoff", "show", short, "--json"))["win"] == pytest.approx(0.75)
    text = run("race", short)
    assert "win 75.000 %" in text
    assert "exact, cube in the middle: double, take" in text
    long = json.loads(run("race", Position.from_points({6: 10, 9: 5}, {6: 15}).id, "--json"))
    assert long["epc_exact"] == [False, True]
    assert len(long["counts"]) == 8
