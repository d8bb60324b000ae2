"""What every class and long call of the extension promises, whatever it computes."""

import copy
import functools
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gammon
from gammon import (
    Play,
    Position,
    Roll,
    Situation,
    _native,
    bearoff,
    cube,
    evaluators,
    hypergammon,
    met,
    rollout,
    search,
    training,
)
from gammon.errors import Stopped

START = Position.start()
SHORT = Position.from_points({1: 1, 3: 1}, {2: 2})
MATCH = Situation.from_parts(START, length=5, score=(3, 1))
CRAWFORD = Situation.from_parts(START, length=3, score=(2, 0), crawford=True)
CHANCES = (0.6, 0.2, 0.01, 0.1, 0.0)
FIVES = np.array([CHANCES, (0.5, 0.1, 0.0, 0.1, 0.0)], np.float32)

ONE_SIDED = bearoff.OneSided.build()
TWO_SIDED = bearoff.TwoSided.build(3, 2)

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
    START.plays("31"),
    Position.from_points({"bar": 1}, dict.fromkeys(range(1, 7), 2)).plays("66"),
    START.steps("31")[0],
    START.steps((3,))[0],
    START.steps("11")[0].after.steps((1, 1, 1))[0],
    gammon.perft(START, 1),
    gammon.perft(START, 1, unique=False),
    training.TrainingReport(5, 300, 4000, 0.25, 20.0, 0.01, (0.5, 0.25, 0.25)),
    rollout.Settings(trials=36, seed=3),
    rollout.Estimate(0.5, 0.25),
    bearoff.Equities(0.5, 0.75, 0.875, 0.375),
    TWO_SIDED.probe(SHORT),
    *bearoff.counts(SHORT),
    cube.points("start", CHANCES),
    cube.points(MATCH, CHANCES),
]
"""Printed as an expression that makes them again."""

PART = rollout.run("start", rollout.Settings(trials=2)).part

RANKING = gammon.rank(START, "31", plies=1)

OPAQUE = [
    evaluators.strong(),
    evaluators.PipCount(),
    evaluators.default("plakoto"),
    PART,
    rollout.run("start", rollout.Settings(trials=1)),
    rollout.RolloutSubject("plays", [START, Position.from_points({1: 1}, {1: 1})]),
    met.load(),
    met.load("jac100"),
    cube.decide(START.id, CHANCES),
    cube.decide(MATCH, CHANCES),
    # A beaver to be answered, a free drop, and each reason why no double may be offered.
    cube.decide(Situation.from_parts("start", beavers=True), (0.2, 0.0, 0.0, 0.0, 0.0)),
    cube.decide(Situation.from_parts("start", length=2, score=(0, 1)), (0.52, 0.0, 0.0, 0.0, 0.0)),
    cube.decide(CRAWFORD, CHANCES),
    cube.decide(Situation.from_parts("start", cube=2, cube_owner="opponent"), CHANCES),
    cube.decide(Situation.from_parts("start", length=3, score=(2, 2)), CHANCES),
    cube.decide(Situation.from_parts("start", cube=8, cube_limit=8), CHANCES),
    RANKING,
    RANKING.best,
]
"""Too much to print in full."""

COLUMNS: list[tuple[object, str, str]] = [
    (gammon.features(START.board[None]), "points", "<Features of 1 positions>"),
    (gammon.random_games(5, 1), "points", "<5 random games>"),
    (ONE_SIDED.probe([7]), "rolls", r"<Bearoff: 3\.5509 rolls, 28\.999 effective pips>"),
    (cube.decide_many("start", FIVES, 0.7), "optimal_equity", "<CubeDecisions of 2 positions>"),
    # Not a number where no double may be offered, and still equal to itself.
    (cube.decide_many(CRAWFORD, FIVES, 0.7), "optimal_equity", "<CubeDecisions of 2 positions>"),
]
"""Arrays, which may change, and so not to be hashed; one of them, and how all are printed."""

OPEN = [ONE_SIDED, TWO_SIDED, bearoff.Race(ONE_SIDED), hypergammon.table(1)]
"""Files and large tables, which stay in their process."""


def twins(value: object) -> list[object]:
    """Copies of a value, each made another way."""
    pickled = [pickle.dumps(value, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    return [copy.copy(value), copy.deepcopy(value), *map(pickle.loads, pickled)]


def test_every_class_is_looked_at_here() -> None:
    classes = {value for value in vars(_native).values() if isinstance(value, type)}
    looked_at = {type(value) for value in [*VALUES, *OPAQUE, *(value for value, *_ in COLUMNS), *OPEN]}
    others = {kind for kind in classes if not issubclass(kind, Exception)} - looked_at
    # These go on or hold what others made, and have test files of their own; one is but a base.
    assert others == {
        training.Training,
        training.TrainingData,
        training.Fit,
        training.FitReport,
        search.SearchCache,
        evaluators.Composite,
        evaluators.BuiltIn,
        _native.StopFlag,
        _native.VariantRules,
        _native.VariantState,
    }


@pytest.mark.parametrize("value", OPAQUE, ids=lambda value: type(value).__name__)
def test_values_too_large_to_print_are_values_still(value: object) -> None:
    for twin in twins(value):
        assert twin == value
        assert hash(twin) == hash(value)
    assert value != "something else"
    assert [other for other in OPAQUE if other == value] == [value]
    assert len(repr(value)) < 2000


@pytest.mark.parametrize(("value", "column", "printed"), COLUMNS)
def test_columns_are_compared_by_their_arrays(value: object, column: str, printed: str) -> None:
    for twin in twins(value):
        assert twin == value
    assert value != "something else"
    assert re.fullmatch(printed, repr(value))
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)
    changed = copy.deepcopy(value)
    getattr(changed, column)[0] += 1
    assert changed != value


def test_columns_of_other_work_differ() -> None:
    assert gammon.features(START.board[None]) != gammon.features(np.stack([START.board] * 2))
    assert gammon.random_games(5, 1) != gammon.random_games(5, 2)
    assert ONE_SIDED.probe([7]) != ONE_SIDED.probe([6])
    assert cube.decide_many("start", FIVES, 0.7) != cube.decide_many("start", FIVES, 0.6)
    assert cube.decide_many("start", FIVES, 0.7) != cube.decide_many(CRAWFORD, FIVES, 0.7)


@pytest.mark.parametrize("value", OPEN, ids=lambda value: type(value).__name__)
def test_tables_stay_in_their_process(value: object) -> None:
    assert type(value).__name__ in repr(value)
    assert len(repr(value)) < 100
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=r"is not copied to another process; .*open"):
            pickle.dumps(value, protocol)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_survive_being_copied_pickled_and_printed(value: object) -> None:
    for twin in twins(value):
        assert twin == value
        assert hash(twin) == hash(value)
    names = vars(gammon) | vars(training) | vars(rollout) | vars(bearoff) | vars(cube)
    assert eval(repr(value), names) == value


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_are_frozen_and_differ_from_everything_else(value: object) -> None:
    assert [other for other in VALUES if other == value] == [value]
    assert len(set(VALUES)) == len(VALUES)
    assert value != "something else"
    with pytest.raises((AttributeError, TypeError)):
        value.anything = 1  # type: ignore[attr-defined]
    names = [name for name in dir(value) if name[0] != "_" and not callable(getattr(value, name))]
    assert names
    for name in names:
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, None)


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


def test_progress_of_random_games_counts_games() -> None:
    seen: list[int] = []
    gammon.random_games(200_000, 1, progress=seen.append)
    assert seen == sorted(seen)
    # Most of the games, at the last look before the end; blocks of games would be far fewer.
    assert 20_000 < seen[-1] <= 200_000


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
        "def progress(done): print('running', flush=True)\n"
        "try:\n"
        f"    gammon.random_games(10**9, 1, threads={threads}, progress=progress)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time(), flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "running\n"
    sent = time.time()
    os.kill(child.pid, signal.SIGINT)
    answer = child.communicate()[0].splitlines()[-1]
    # 0.1 s on a free machine; a loaded one may keep the process waiting. All games would take an hour.
    assert float(answer) - sent < 10.0


def test_a_thread_that_heeds_a_flag_stops_when_it_is_set() -> None:
    flag = _native.StopFlag()
    # All plays four plies deep would take an hour.
    asked = functools.partial(gammon.rank, "start", "31", plies=4, filter="all", threads=1)
    with ThreadPoolExecutor(1, initializer=flag.heed) as pool:
        running = pool.submit(asked)
        time.sleep(0.2)
        assert not running.done()
        flag.set()
        with pytest.raises(Stopped):
            running.result(timeout=10.0)
        with pytest.raises(Stopped):
            pool.submit(asked).result(timeout=10.0)
    # Other threads do not heed it.
    assert len(gammon.rank("start", "31", plies=1)) == 16


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
