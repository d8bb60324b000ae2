"""What every class and long call of the extension promises, whatever it computes."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import gammon
from gammon import Play, Position, Roll, Situation
from gammon.errors import Stopped

NAMES = {"Position": Position, "Roll": Roll, "Play": Play, "Situation": Situation}

VALUES = [
    Position.start(),
    Position.from_points({6: 8, "bar": 1}, {6: 4, 24: 1}),
    Position.from_points({}, {3: 2}),
    Roll(3, 1),
    Roll(6, 6),
    Play(Position.start(), "31", "8/5 6/5"),
    Situation("XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8"),
    Situation("4HPwATDgc/ABMA:cAkAAAAAAAAE"),
    # No identifier holds all of this.
    Situation.from_parts("start", length=5, score=(4, 2), crawford=True, cube_limit=8, state="resigned"),
    Situation.from_parts("4HPwATDgc/ABMA", offer="raccoon", beavers=True, cube=4, seat=0),
    Play(Position.from_points({"bar": 1}, dict.fromkeys(range(1, 7), 2)), "66", "pass"),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_survive_being_copied_pickled_and_printed(value: object) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(value, protocol))
        assert twin == value
        assert hash(twin) == hash(value)
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value
    assert eval(repr(value), NAMES) == value


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_are_frozen_and_differ_from_everything_else(value: object) -> None:
    assert [other for other in VALUES if other == value] == [value]
    assert len(set(VALUES)) == len(VALUES)
    assert value != "something else"
    with pytest.raises((AttributeError, TypeError)):
        value.anything = 1  # type: ignore[attr-defined]
    for name in dir(value):
        if not name.startswith("_") and not callable(getattr(value, name)):
            with pytest.raises(AttributeError):
                setattr(value, name, None)
            break


def test_values_are_the_same_to_every_thread() -> None:
    def use(seed: int) -> list[int]:
        subject = Position.random("contact", seed % 5)
        return [len(subject.plays(roll)) for roll in Roll.all()]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(use, range(200)))
    assert all(results[i] == results[i % 5] for i in range(200))


def test_a_long_call_lets_other_threads_run() -> None:
    done = threading.Event()
    ticks = 0

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    begun = time.perf_counter()
    gammon.random_games(40_000, 1, threads=1)
    elapsed = time.perf_counter() - begun
    done.set()
    counter.join()
    # Had the interpreter been kept, the other thread would not have run at all.
    assert ticks > 20 * elapsed


def test_progress_is_told_and_may_stop_the_work() -> None:
    seen: list[int] = []

    def watch(done: int) -> bool:
        seen.append(done)
        return len(seen) < 3

    with pytest.raises(Stopped):
        gammon.random_games(10_000_000, 1, threads=2, progress=watch)
    assert len(seen) == 3
    assert seen == sorted(seen)


def test_an_exception_in_progress_comes_out_as_it_is() -> None:
    class Mine(Exception):
        pass

    mine = Mine("as it is")

    def watch(done: int) -> None:
        raise mine

    with pytest.raises(Mine) as caught:
        gammon.random_games(10_000_000, 1, progress=watch)
    assert caught.value is mine


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_answered_at_once(threads: int) -> None:
    script = (
        "import gammon, time\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    gammon.random_games(10**9, 1, threads={threads})\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time(), flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.time()
    os.kill(child.pid, signal.SIGINT)
    answer = child.communicate(timeout=20)[0]
    # 0.2 s on a free machine; a loaded one may keep the process waiting for its turn.
    assert float(answer) - sent < 1.0


def test_importing_gammon_imports_numpy_and_nothing_else() -> None:
    script = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import gammon\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    outside = [name for name in found.stdout.split() if name not in sys.stdlib_module_names]
    assert set(outside) <= {"gammon", "numpy"}


@pytest.mark.parametrize(
    "fail",
    [
        lambda: gammon.parse("4HPwATDgc/AB"),
        lambda: Position.from_points({6: 16}, {19: 1}),
        lambda: Position.start().play("8/4", "65"),
        lambda: Situation.from_parts("start", crawford=True, cube=2),
        lambda: gammon.perft("start", -1),
    ],
)
def test_errors_survive_being_pickled(fail: Callable[[], object]) -> None:
    with pytest.raises(gammon.errors.GammonError) as caught:
        fail()
    twin = pickle.loads(pickle.dumps(caught.value))
    assert type(twin) is type(caught.value)
    assert str(twin) == str(caught.value)
    assert vars(twin) == vars(caught.value)
