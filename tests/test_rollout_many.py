"""Rollouts of many positions: from arrays and files, with and without the cube, in memory that stays flat."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gammon import Net, Position, Situation, random_games, rollout
from gammon.errors import GammonError, SettingError
from gammon.rollout import Settings

TINY = Settings(trials=2, truncate=1, luck="off", strata=1)
"""As little as a rollout can be."""


def test_ten_thousand_positions_from_an_array_or_a_file(small_net: Net, tmp_path: Path) -> None:
    start = Position.start()
    boards = np.stack([play.after.board for roll in ("31", "42", "61", "53") for play in start.plays(roll)])
    boards = np.resize(boards, (10_000, 2, 25))
    found = rollout.run_many(boards, TINY, evaluator=small_net)
    assert found.complete
    assert len(found) == 10_000
    assert np.isfinite(found.equity).all()
    file = tmp_path / "positions.txt"
    ids = [Position.from_board(board).id for board in boards]
    file.write_text("# positions\n\n" + "\n".join(ids) + "\n")
    of_file = rollout.run_many(file, TINY, evaluator=small_net)
    assert (of_file.equity == found.equity).all()
    with ThreadPoolExecutor(2) as pool:
        sent = rollout.run_many(boards[:1_000], TINY, evaluator=small_net, executor=pool)
    assert (sent.equity == found.equity[:1_000]).all()


def test_the_cube_counts_where_it_is_asked_for(small_net: Net) -> None:
    race = Position.from_points({6: 3, 5: 3, 3: 2}, {6: 3, 4: 3, 2: 2})
    match = Situation("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:5:10")
    settings = Settings(trials=72)
    given = [Situation(race.id), match, Situation(race.id)]
    found = rollout.run_many(given, settings, cube=True, evaluator=small_net, threads=2)
    for row, situation in enumerate(given):
        alone = rollout.run(situation, settings, cube=True, evaluator=small_net)
        assert alone.cubeful is not None
        assert (found.cubeful[row], found.cubeful_error[row]) == (alone.cubeful.mean, alone.cubeful.error)
        if alone.mwc is None:
            assert np.isnan(found.mwc[row])
        else:
            assert (found.mwc[row], found.mwc_error[row]) == (alone.mwc.mean, alone.mwc.error)
    assert np.isfinite(found.mwc[1])
    boards = np.stack([race.board] * 2)
    money = rollout.run_many(boards, settings, cube=True, evaluator=small_net)
    assert money.cubeful[0] == found.cubeful[0]
    assert np.isnan(rollout.run_many(boards, settings, evaluator=small_net).cubeful).all()
    with ThreadPoolExecutor(2) as pool:
        sent = rollout.run_many(given, settings, cube=True, evaluator=small_net, executor=pool)
    assert (sent.cubeful == found.cubeful).all()


def test_what_is_wrong_is_named_by_its_place(small_net: Net, tmp_path: Path) -> None:
    over = Position.from_points({}, {1: 1}).board
    boards = np.stack([Position.start().board] * 700 + [over])
    with pytest.raises(SettingError, match=r"^boards\[700\]: nothing to roll out"):
        rollout.run_many(boards, TINY, evaluator=small_net)
    file = tmp_path / "positions.txt"
    file.write_text("4HPwATDgc/ABMA\nnonsense\n")
    with pytest.raises(GammonError):
        rollout.run_many(file, TINY, evaluator=small_net)
    with pytest.raises(OSError, match=r"none\.txt"):
        rollout.run_many(tmp_path / "none.txt", TINY, evaluator=small_net)


MEMORY = """
import resource, sys
import numpy as np
from gammon import Position, evaluators, rollout
from gammon.rollout import Settings

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

net = evaluators.load(sys.argv[1])
start = Position.start()
usual = Settings(trials=720, truncate=2, opening=False)
rollout.run(start, usual, evaluator=net, threads=2, progress=lambda part: None)
before = peak()
many = Settings(trials=60_000, truncate=2, opening=False)
rollout.run(start, many, evaluator=net, threads=2, progress=lambda part: None)
after_trials = peak()
boards = np.stack([start.board] * 20_000)
few = Settings(trials=1, truncate=1, luck="off", strata=1)
rollout.run_many(boards[:2_000], few, evaluator=net, threads=2)
between = peak()
rollout.run_many(boards, few, evaluator=net, threads=2)
print(after_trials - before, peak() - between)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts memory as Linux does")
def test_memory_does_not_grow_with_trials_nor_with_positions(small_net: Net, tmp_path: Path) -> None:
    net = tmp_path / "a.net"
    small_net.save(net)
    child = subprocess.run(
        [sys.executable, "-c", MEMORY, str(net)], capture_output=True, text=True, check=True
    )
    by_trials, by_positions = map(int, child.stdout.split())
    # Kilobytes. Eighty times the trials; and ten times the positions, whose results are 200 bytes each.
    assert by_trials < 3_000
    assert by_positions < 12_000


def test_positions_of_games_are_queued_as_they_are(small_net: Net) -> None:
    assert random_games(3, 1).turns.sum() > 0
    ids = json.loads(json.dumps([Position.start().id, Position.start().id]))
    found = rollout.run_many(ids, TINY, evaluator=small_net)
    assert found.equity[0] == found.equity[1]
