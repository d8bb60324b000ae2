"""Measuring strength: agreement with known chances."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon import strength
from gammon._typing import Boards, Chances
from gammon.errors import SettingError
from gammon.strength import Known

DATA = Path(__file__).parent / "data" / "evals.jsonl.gz"


class Answers:
    """Knows some positions by heart."""

    id = "answers"

    def __init__(self, known: Known, chances: Chances) -> None:
        self.by_board = {board.tobytes(): five for board, five in zip(known.boards, chances, strict=True)}

    def evaluate(self, boards: Boards) -> Chances:
        return np.stack([self.by_board[board.tobytes()] for board in boards])


def equity(five: list[float]) -> float:
    win, wg, wbg, lg, lbg = five
    return 2 * win - 1 + wg + wbg - lg - lbg


def test_the_packaged_positions_are_those_of_the_test_data() -> None:
    packaged, read = strength.known(), strength.read_known(DATA)
    assert packaged.ids == read.ids
    assert {name: places.tolist() for name, places in packaged.kinds.items()} == {
        name: places.tolist() for name, places in read.kinds.items()
    }
    assert packaged.static is not None
    assert read.static is not None
    assert np.array_equal(packaged.boards, read.boards)
    assert np.array_equal(packaged.deep, read.deep)
    assert np.array_equal(packaged.static, read.static)
    assert len(read) == 992


def test_whoever_gives_the_known_chances_agrees_perfectly() -> None:
    known = strength.known()
    found = strength.agreement(Answers(known, known.deep.astype(np.float32)), positions=known)
    assert found.evaluator == "answers"
    for kind in found.values():
        assert max(kind.ours.worst) < 1e-6
        assert kind.excess is not None
        assert kind.static is not None
        assert math.isclose(kind.excess[0], -kind.static.absolute[0], abs_tol=1e-6)


def test_gnubgs_own_0_ply_is_measured_like_any_other() -> None:
    known = strength.known()
    assert known.static is not None
    found = strength.agreement(Answers(known, known.static.astype(np.float32)), positions=known)
    assert sum(found[name].count for name in ("contact", "crashed", "race")) == 599 + 122 + 124
    for kind in found.values():
        assert kind.excess is not None
        assert kind.static is not None
        assert np.allclose(kind.ours.absolute, kind.static.absolute, atol=1e-6)
        assert np.allclose(kind.excess, 0, atol=1e-6)
    with gzip.open(DATA, "rt") as file:
        rows = [json.loads(line) for line in file]
    crashed = [row for row in rows if row["class"] == "crashed"]
    differences = [equity(row["p0"][:5]) - equity(row["p2"][:5]) for row in crashed]
    static = found["crashed"].static
    assert static is not None
    assert math.isclose(static.absolute[0], np.mean(np.abs(differences)), rel_tol=1e-9)
    assert math.isclose(static.rms[0], math.sqrt(np.mean(np.square(differences))), rel_tol=1e-9)
    assert math.isclose(static.mean[0], np.mean(differences), rel_tol=1e-9)
    assert math.isclose(static.worst[0], max(np.abs(differences)), rel_tol=1e-9)
    wins = [abs(row["p0"][0] - row["p2"][0]) for row in crashed]
    assert math.isclose(static.absolute[1], np.mean(wins), rel_tol=1e-9)
    worst = crashed[int(np.argmax(np.abs(differences)))]
    assert found["crashed"].worst_id == worst["position_id"]


def test_the_excess_has_a_paired_error() -> None:
    known = strength.known()
    assert known.static is not None
    halfway = (known.deep + known.static) / 2
    found = strength.agreement(Answers(known, halfway.astype(np.float32)), positions=known)
    weights = np.array([2, 1, 1, -1, -1])
    off = np.abs((known.static - known.deep) @ weights)[known.kinds["contact"]]
    assert found["contact"].excess is not None
    mean, error = found["contact"].excess
    assert math.isclose(mean, -off.mean() / 2, rel_tol=1e-4)
    assert math.isclose(error, off.std(ddof=1) / 2 / math.sqrt(599), rel_tol=1e-4)


def test_exact_tables_bear_off_better_than_a_net_alone() -> None:
    net = gammon.evaluators.default()
    tables = strength.agreement(gammon.evaluators.composite(contact=net))
    assert tables["bear-off, two-sided"].ours.absolute[0] < 1e-4
    assert "bear-off, two-sided" in str(tables)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no JSON"),
        ("[]", "expected an object"),
        ('{"position_id": 3}', "position_id must be a text, got 3"),
        ('{"position_id": "4HPwATDgc/ABMA", "class": "contact", "src": "x", "p0": [0.5]}', "p0 must begin"),
        (
            '{"position_id": "nothing", "class": "contact", "src": "x",'
            ' "p0": [0, 0, 0, 0, 0], "p2": [0, 0, 0, 0, 0]}',
            "line 1",
        ),
        (
            '{"position_id": "4HPwATDgc/ABMA", "class": "contact", "src": "x",'
            ' "p0": [0, 0, 0, 0, 0], "p2": [0, 0, 0, 0, 2]}',
            "from 0 to 1",
        ),
    ],
)
def test_bad_data_is_named(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl.gz"
    path.write_bytes(gzip.compress(line.encode()))
    with pytest.raises(SettingError, match=r"bad\.jsonl\.gz, line 1") as raised:
        strength.read_known(path)
    assert said in str(raised.value)


def test_files_that_are_no_data_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.gz"
    path.write_bytes(b"not gzipped")
    with pytest.raises(SettingError, match="no gzipped text"):
        strength.read_known(path)
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(SettingError, match="holds no position"):
        strength.read_known(path)
    five = [0, 0, 0, 0, 0]
    line = json.dumps({"position_id": "4HPwATDgc/ABMA", "class": "?", "src": "x", "p0": five, "p2": five})
    path.write_bytes(gzip.compress(line.encode()))
    with pytest.raises(SettingError, match="no position of a class known here"):
        strength.read_known(path)
    with pytest.raises(FileNotFoundError):
        strength.read_known(tmp_path / "missing")


def test_openings_are_ranked_plays() -> None:
    first = strength.openings()
    assert len(first) == 15
    assert str(first[gammon.Roll(3, 1)].play) == "8/5 6/5"


def test_speed_is_measured_in_rounds() -> None:
    net, tables = gammon.evaluators.strong(), gammon.evaluators.default()
    found = strength.speed([net, tables], rounds=2)
    kinds = ["evaluations", "decisions", "decisions, one at a time"]
    assert [(one.evaluator, one.kind) for one in found] == [
        (asked.id, kind) for asked in (net, tables) for kind in kinds
    ]
    for one in found:
        assert len(one.rates) == 2
        assert min(one.rates) <= one.rate <= max(one.rates)
        assert one.rate > 100
    assert len({speed.rate for speed in found}) == 6
    shown = strength.speed_table(found, {net.id: "net", tables.id: "tables"})
    assert [line.split()[0] for line in shown.splitlines()] == ["net", "tables"] * 3
    for rounds in (0, 1_000):
        with pytest.raises(SettingError, match="rounds must be from 1 to"):
            strength.speed([net], rounds=rounds)
