"""Rollouts interrupted, continued, cut up and sent to other processes: always the same bits."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gammon import Net, Position, Situation, rollout
from gammon.errors import CheckpointError, IllegalPlayError, SettingError
from gammon.rollout import RolloutPart, Settings, Until

SHORT = Settings(trials=360, truncate=4, opening=False)
"""Cheap games."""

RACE = Position.from_points({6: 3, 5: 3, 3: 2}, {6: 3, 4: 3, 2: 2})


@pytest.fixture(scope="module")
def whole(small_net: Net) -> RolloutPart:
    return rollout.run(RACE, SHORT, evaluator=small_net, threads=1).part


def test_a_rollout_goes_on_from_its_checkpoint(small_net: Net, whole: RolloutPart, tmp_path: Path) -> None:
    file = tmp_path / "race.json"

    def run(trials: int, *, resume: bool = False, **options: Any) -> rollout.Result:
        settings = Settings(trials=trials, truncate=4, opening=False)
        return rollout.run(RACE, settings, evaluator=small_net, checkpoint=file, resume=resume, **options)

    assert run(100).trials == 100
    held = json.loads(file.read_text())
    assert held["trials"] == [[0, 100]]
    resumed = run(360, resume=True, threads=2)
    assert resumed.complete
    assert resumed.part == whole
    # Once more there is nothing left to do.
    again = run(360, resume=True)
    assert again.part == whole
    assert again.evaluations == 0
    assert not list(tmp_path.glob(".*"))


def test_checkpoints_of_anything_else_are_refused_and_left_alone(small_net: Net, tmp_path: Path) -> None:
    file = tmp_path / "race.json"

    def run(position: Position = RACE, *, resume: bool = True, **changes: Any) -> None:
        settings = Settings(**({"trials": 72, "truncate": 4, "opening": False} | changes))
        rollout.run(position, settings, evaluator=small_net, checkpoint=file, resume=resume)

    run(resume=False)
    kept = file.read_bytes()
    with pytest.raises(CheckpointError, match="exists: resume it"):
        run(resume=False)
    with pytest.raises(CheckpointError, match="seed is 1, not 2"):
        run(seed=2)
    with pytest.raises(CheckpointError, match="positions is"):
        run(RACE.flip())
    with pytest.raises(CheckpointError, match="luck is 'large', not 'off'"):
        run(luck="off")
    with pytest.raises(CheckpointError, match="evaluator is"):
        rollout.run(RACE, SHORT, checkpoint=file, resume=True)
    assert file.read_bytes() == kept
    other = json.loads(kept)
    for text, message in [
        (json.dumps(other | {"gammon": "0.0.1"}), "gammon is '0.0.1'"),
        (json.dumps(other | {"trials": [[0, 71]]}), "damaged"),
        (json.dumps(other | {"sums": other["sums"][:-3]}), "damaged"),
        (json.dumps({"format": "something"}), "no checkpoint of a rollout"),
        (kept[: len(kept) // 2].decode(), "no checkpoint"),
        ("[" * 200_000 + "]" * 200_000, "nested too deeply"),
        (json.dumps(other)[:-1] + ', "sums": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
    ]:
        file.write_text(text)
        with pytest.raises(CheckpointError, match=message):
            run()
        assert file.read_text() == text


def test_executors_give_the_same_bits(small_net: Net, whole: RolloutPart) -> None:
    with ThreadPoolExecutor(2) as pool:
        told: list[int] = []
        found = rollout.run(
            RACE, SHORT, evaluator=small_net, executor=pool, progress=lambda part: told.append(part.trials)
        )
        assert found.complete
        assert found.part == whole
        assert told == sorted(told)
        boards = np.stack([RACE.board, RACE.flip().board] * 40)
        sent = rollout.run_many(boards, Settings(trials=36, truncate=2), evaluator=small_net, executor=pool)
        here = rollout.run_many(boards, Settings(trials=36, truncate=2), evaluator=small_net)
        assert np.array_equal(sent.chances, here.chances)
        assert np.array_equal(sent.trials, here.trials)
    with ProcessPoolExecutor(2) as processes:
        assert rollout.run(RACE, SHORT, evaluator=small_net, executor=processes).part == whole
    with pytest.raises(TypeError, match="executor must be"):
        rollout.run(RACE, SHORT, executor="here")


class Shuffled(Executor):
    """Runs jobs at once but hands them back late ones first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, fn(*args, **kwargs)))
        if len(self.waiting) == 3:
            for future_, result in reversed(self.waiting):
                future_.set_result(result)
            self.waiting.clear()
        return future


def test_rules_end_a_rollout_at_the_same_trial_anywhere(small_net: Net) -> None:
    settings = Settings(trials=36_000, opening=False, truncate=4)
    until = Until(error=0.004, every=72)
    alone = rollout.run(RACE, settings, evaluator=small_net, until=until, threads=1)
    assert alone.stopped == "error"
    assert not alone.complete
    assert 576 <= alone.trials < 36_000
    assert alone.equity.error <= 0.004
    two = rollout.run(RACE, settings, evaluator=small_net, until=until, threads=2)
    assert two.part == alone.part
    sent = rollout.run(RACE, settings, evaluator=small_net, until=until, executor=Shuffled())
    assert (sent.part, sent.stopped) == (alone.part, "error")
    endless = Settings(trials=10**8, opening=False, truncate=4)
    timed = rollout.run(RACE, endless, evaluator=small_net, until=Until(seconds=0.2))
    assert timed.stopped == "seconds"
    assert 0 < timed.trials < 10**8


def test_rules_need_whole_strata() -> None:
    with pytest.raises(SettingError, match="first must be a multiple of 36, got 10"):
        rollout.run(RACE, rollout.Settings(trials=500, first=10), until=Until(error=1.0))


def test_rules_that_mean_nothing_are_refused(small_net: Net) -> None:
    for name in ("error", "jsd", "decided", "seconds"):
        bad: list[Any] = [0, -1.0, float("nan"), float("inf")]
        for value in bad:
            with pytest.raises(SettingError, match=f"{name} must be above 0 and finite, got"):
                Until(**{name: value})
        wrong: list[Any] = ["1", True, [1.0]]
        for value in wrong:
            with pytest.raises(TypeError, match=f"{name} must be a number or None, got"):
                Until(**{name: value})
    assert Until(seconds=np.float32(2.5)).seconds == 2.5  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="jsd compares plays"):
        rollout.run(RACE, SHORT, evaluator=small_net, until=Until(jsd=2))
    with pytest.raises(SettingError, match="jsd compares plays"):
        rollout.decide("start", SHORT, evaluator=small_net, until=Until(jsd=2))
    with pytest.raises(SettingError, match="decided is for cube decisions"):
        rollout.run(RACE, SHORT, evaluator=small_net, until=Until(decided=2))
    with pytest.raises(SettingError, match="decided is for cube decisions"):
        rollout.compare("start", "31", evaluator=small_net, until=Until(decided=2))
    with pytest.raises(TypeError, match=r"until must be a rollout\.Until, got float"):
        rollout.run(RACE, SHORT, evaluator=small_net, until=0.01)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="resume needs a checkpoint"):
        rollout.run(RACE, SHORT, evaluator=small_net, resume=True)


def child(net: Path, file: Path, settings: str) -> "subprocess.Popen[str]":
    """Start a rollout in a process of its own, which prints how far it is and when, and when it stopped."""
    code = (
        "import time\nfrom gammon import rollout, evaluators, Position\n"
        "def told(part):\n    print(part.trials, time.time(), flush=True)\n"
        "try:\n"
        f"    rollout.run(Position({RACE.id!r}), rollout.Settings({settings}), threads=2,"
        f" evaluator=evaluators.load({str(net)!r}), checkpoint={str(file)!r}, progress=told)\n"
        "except KeyboardInterrupt:\n    print('stopped', time.time(), flush=True)"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


LONG = "trials=10**8, opening=False, truncate=4"


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_killed_process_loses_no_more_than_since_its_last_checkpoint(
    small_net: Net, tmp_path: Path
) -> None:
    file, net = tmp_path / "long.json", tmp_path / "a.net"
    small_net.save(net)
    lines: list[tuple[int, float]] = []
    with child(net, file, LONG) as process:
        assert process.stdout is not None
        try:
            # Past the first writing, and then for longer than one more takes.
            while not file.exists() or lines[-1][1] < lines[0][1] + 5:
                count, at = process.stdout.readline().split()
                lines.append((int(count), float(at)))
        finally:
            process.kill()
            died = time.time()
    kept = json.loads(file.read_text())["trials"][0][1]
    # Checkpoints are written every two seconds, where a busy machine lets the process run.
    due = [count for count, at in lines if at < died - 3.5]
    assert kept >= max(due, default=1) > 0
    settings = Settings(trials=kept + 30, opening=False, truncate=4)
    resumed = rollout.run(RACE, settings, evaluator=small_net, checkpoint=file, resume=True)
    assert resumed.part == rollout.run(RACE, settings, evaluator=small_net).part


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("settings", [LONG, "trials=10**8, opening=False", LONG + ", plies=1"])
def test_ctrl_c_is_answered_at_once_and_keeps_the_checkpoint(
    small_net: Net, tmp_path: Path, settings: str
) -> None:
    net = tmp_path / "a.net"
    small_net.save(net)
    delays = []
    # Other programs may hold a process up; once in three times none should.
    for attempt in range(3):
        file = tmp_path / f"{attempt}.json"
        with child(net, file, settings) as process:
            assert process.stdout is not None
            told: list[tuple[int, float]] = []
            while not told or (told[-1][1] < told[0][1] + 1 or told[-1][0] < 36):
                count, at = process.stdout.readline().split()
                told.append((int(count), float(at)))
            sent = time.time()
            os.kill(process.pid, signal.SIGINT)
            lines = process.stdout.read().split("\n")
        assert process.returncode == 0
        word, answered = lines[-2].split()
        assert word == "stopped"
        delays.append(float(answered) - sent)
        # What was known a second before is kept, and so is all that was told.
        assert json.loads(file.read_text())["trials"][0][1] >= told[-1][0]
        if delays[-1] < 0.2:
            break
    assert min(delays) < 0.2, delays


def test_no_more_than_a_second_of_work_is_in_flight(small_net: Net) -> None:
    told: list[tuple[int, float]] = []

    def progress(part: RolloutPart) -> bool:
        told.append((part.trials, time.process_time()))
        return len(told) < 60

    rollout.run("start", Settings(trials=10**6), evaluator=small_net, threads=2, progress=progress)
    # CPU seconds of two threads between two times at which more games were done.
    steps = [at for (before, _), (now, at) in pairwise(told) if now > before]
    assert len(steps) > 2
    assert max(after - before for before, after in pairwise(steps)) < 2


@pytest.mark.filterwarnings("ignore")  # dask has warnings of its own
def test_dask_workers_may_be_lost(small_net: Net, whole: RolloutPart) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert rollout.run(RACE, SHORT, evaluator=small_net, executor=client).part == whole
        longer = Settings(trials=7_200, truncate=4, opening=False)
        killed: list[int] = []

        def kill(part: RolloutPart) -> None:
            if not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        found = rollout.run(RACE, longer, evaluator=small_net, executor=client, progress=kill)
        assert killed
        assert found.complete
    assert found.part == rollout.run(RACE, longer, evaluator=small_net).part


def test_seven_parts_are_one_rollout(small_net: Net, whole: RolloutPart) -> None:
    edges = [0, 1, 36, 71, 200, 201, 300, 360]
    parts = [
        rollout.run(
            RACE,
            Settings(trials=b - a, first=a, truncate=4, opening=False),
            evaluator=small_net,
        ).part
        for a, b in pairwise(edges)
    ]
    merged = parts[3]
    for i in (6, 0, 2, 5, 1, 4):
        merged = merged.merge(parts[i])
    assert merged == whole


def test_plays_are_compared_with_common_dice(small_net: Net) -> None:
    settings = Settings(trials=576, truncate=3)
    found = rollout.compare("start", "31", ["8/5 6/5", "24/23 13/10"], settings, evaluator=small_net)
    first, second = found.plays
    gap = first.ahead_of(second)
    assert gap.mean == pytest.approx(first.equity.mean - second.equity.mean, abs=1e-9)
    assert found.best in found.plays
    assert found.jsd == pytest.approx(abs(gap.mean) / gap.error)
    assert {one["play"] for one in found.to_dict()["plays"]} == {"8/5 6/5", "24/23 13/10"}
    rule = Until(jsd=found.jsd / 4, least=36, every=36)
    early = rollout.compare(
        "start", "31", ["8/5 6/5", "24/23 13/10"], settings, evaluator=small_net, until=rule
    )
    assert early.stopped == "jsd"
    assert early.trials < 576
    few = rollout.compare("start", "31", settings=Settings(trials=36, truncate=1), candidates=3)
    assert len(few.plays) == 3
    with pytest.raises(IllegalPlayError):
        rollout.compare("start", "31", ["8/4 6/4"], settings)
    with pytest.raises(SettingError, match="which roll"):
        rollout.compare("start", settings=settings)


def test_cube_decisions(small_net: Net) -> None:
    # 27 of 36 throws bear the last checker off: double, take, equities .5 and 1 (a redouble cannot come).
    last = Situation.from_parts(Position.from_points({6: 1}, {1: 1}))
    found = rollout.decide(last, Settings(trials=36), evaluator=small_net)
    assert found.no_double.mean == pytest.approx(0.5, abs=1e-4)
    assert found.double_take is not None
    assert found.double_take.mean == pytest.approx(1.0, abs=1e-4)
    assert found.decision is not None
    assert found.decision.action == "double"
    assert "double, take" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["double_take"]["mean"] == found.double_take.mean
    dead = Situation.from_parts(RACE, length=3, score=(2, 2))
    match = rollout.decide(dead, Settings(trials=36), evaluator=small_net)
    assert match.double_take is None
    assert match.decision is not None
    assert match.decision.refusal == "dead-cube"
    at_dmp = rollout.run(dead, Settings(trials=36), cube=True, evaluator=small_net)
    assert at_dmp.mwc is not None
    assert at_dmp.mwc.mean == pytest.approx(at_dmp.win.mean, abs=1e-6)
    thrown = Situation.from_parts(RACE, roll="31")
    with pytest.raises(SettingError, match="dice have been thrown"):
        rollout.decide(thrown, evaluator=small_net)
