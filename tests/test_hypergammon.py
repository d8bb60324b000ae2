"""Hypergammon, solved: against slow iteration over the slow rules and its own plays; files, the command."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import gammon
from gammon import evaluators, hypergammon, rollout, strength, variants
from gammon.cli.app import app
from gammon.errors import (
    ArrayError,
    EvaluatorError,
    SettingError,
    Stopped,
    TableFormatError,
)
from reference.hypergammon import iterate

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

# Tom Keith, Backgammon Galore, 2018: the winner of the opening roll, cubeless.
PUBLISHED_EQUITY = 0.0836795444708631
PUBLISHED = {
    "win": 0.52118,
    "win_gammon": 0.31021,
    "win_backgammon": 0.02082,
    "lose_gammon": 0.27245,
    "lose_backgammon": 0.01726,
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("tables")
    before = os.environ.get("GAMMON_CACHE")
    os.environ["GAMMON_CACHE"] = str(folder)
    hypergammon._kept.cache_clear()
    yield folder
    hypergammon._kept.cache_clear()
    if before is None:
        del os.environ["GAMMON_CACHE"]
    else:
        os.environ["GAMMON_CACHE"] = before


@pytest.fixture(scope="module")
def one(cache: Path) -> hypergammon.Hypergammon:
    return hypergammon.table(1)


@pytest.fixture(scope="module")
def two(cache: Path) -> hypergammon.Hypergammon:
    return hypergammon.table(2)


def test_one_checker_is_what_slow_iteration_finds(one: hypergammon.Hypergammon) -> None:
    game = variants.get("hypergammon", checkers=1)
    values = iterate(1)
    assert len(values) == 651  # 50 of them finished
    positions = [game.position(fields) for fields, _ in values]
    boards = hypergammon.boards(positions)
    expected = np.array([numbers for _, numbers in values])
    chances = one.evaluate(boards)
    # Cubeless equity, chances to win, and of gammons and backgammons won and lost: no tie between plays here
    # parts games that are worth the same.
    assert np.abs(chances - expected[:, 1:6]).max() < 1e-6
    found = one.equities(boards)
    wanted = expected[:, [0, 6, 7, 8]]
    assert np.abs(found[:, [0, 1, 3, 5]] - wanted).max() < 1e-6


def random_positions(checkers: int, count: int) -> list[variants.VariantPosition]:
    """Positions of random games that are not over."""
    game = variants.get("hypergammon", checkers=checkers)
    found: list[variants.VariantPosition] = []
    trial = 0
    while len(found) < count:
        found += [position for position, _ in game.random_game(5, trial)[trial % 5 :: 5]]
        trial += 1
    return found[:count]


def check_own_plays(table: hypergammon.Hypergammon, count: int) -> None:
    """A position is worth the mean of the best plays of its rolls, with and without a cube."""
    positions = random_positions(table.checkers, count)
    for position in positions:
        known = hypergammon.probe(position, table)
        sums = np.zeros(4)
        chances = np.zeros(5)
        for dice in ROLLS:
            weight = (1 if dice[0] == dice[1] else 2) / 36
            for i, cube in enumerate(("none", "centred", "owned", "opponent")):
                best = hypergammon.rank(position, dice, table, cube=cube)[0]  # type: ignore[arg-type]
                sums[i] += weight * best.equity
                if cube == "none":
                    chances += weight * np.array(best.chances)
        wanted = [known.cubeless, known.centred_no_double, known.owned_no_double, known.opponent_owned]
        assert sums == pytest.approx(wanted, abs=1e-6), position.id
        assert chances[0] == pytest.approx(known.win, abs=2e-3), position.id
        assert known.centred_best >= known.centred_no_double
        assert known.owned_best >= max(known.owned_no_double, min(known.double_take, 1.0)) - 1e-6
        assert known.win >= known.win_gammon >= known.win_backgammon >= 0
        assert 1 - known.win >= known.lose_gammon - 1e-6 >= known.lose_backgammon - 2e-6


def test_two_checkers_are_worth_what_their_best_plays_are(two: hypergammon.Hypergammon) -> None:
    check_own_plays(two, 40)


def test_threads_change_no_bit(two: hypergammon.Hypergammon) -> None:
    again = hypergammon.Hypergammon.build(2, threads=3)
    assert again.id == two.id
    assert again.sweeps == two.sweeps


@pytest.mark.skipif(
    "GAMMON_HYPERGAMMON" not in os.environ, reason="minutes: set GAMMON_HYPERGAMMON to the table's folder"
)
def test_three_checkers_give_the_published_figures() -> None:
    path = Path(os.environ["GAMMON_HYPERGAMMON"]) / "hypergammon-3.bo"
    if not path.exists():
        hypergammon.Hypergammon.build(3).save(path)
    table = hypergammon.Hypergammon.open(path)
    found = hypergammon.opening(table)
    assert found.equity == pytest.approx(PUBLISHED_EQUITY, abs=1e-10)
    for name, value in PUBLISHED.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-5), name
    check_own_plays(table, 20)


def test_progress_is_told_and_stops() -> None:
    told: list[int] = []

    def progress(done: int) -> bool:
        told.append(done)
        return len(told) < 2

    with pytest.raises(Stopped):
        hypergammon.Hypergammon.build(2, progress=progress)
    assert len(told) == 2
    work = hypergammon.Hypergammon.work(2)
    assert work is not None
    assert 0 <= told[0] <= told[1] < work
    assert hypergammon.Hypergammon.work(4) is None


def test_a_damaged_file_is_built_again(cache: Path, one: hypergammon.Hypergammon) -> None:
    path = hypergammon.table_path(1)
    good = path.read_bytes()
    for bad in (good[:-1], b"x" * 100, good[:100] + b"\xff" + good[101:]):
        path.write_bytes(bad)
        with pytest.raises(TableFormatError):
            hypergammon.Hypergammon.open(path)
        assert hypergammon.table(1).id == one.id
        assert path.read_bytes() == good
    with pytest.raises(FileNotFoundError):
        hypergammon.Hypergammon.open(cache / "none.bo")


def test_bad_input_is_named(one: hypergammon.Hypergammon, two: hypergammon.Hypergammon) -> None:
    with pytest.raises(SettingError, match="checkers must be from 1 to 3, got 4"):
        hypergammon.Hypergammon.build(4)
    start = gammon.Position.start().board[None]
    with pytest.raises(EvaluatorError, match=r"boards\[0\] is no position of hypergammon with 1 checkers"):
        one.evaluate(start)
    assert np.isnan(one.equities(start)).all()
    assert np.isnan(one.equities(start, "owned_best")).all()
    with pytest.raises(SettingError, match=r"kind must be one of cubeless, .*; got 'money'"):
        one.equities(start, "money")  # type: ignore[arg-type]
    with pytest.raises(ArrayError):
        one.evaluate(start.astype(np.float64))
    position = variants.get("hypergammon", checkers=2).start
    with pytest.raises(SettingError, match="a table of 1 checkers a side does not know a game of 2"):
        hypergammon.probe(position, one)
    with pytest.raises(SettingError, match="a position of hypergammon is needed"):
        hypergammon.probe(variants.get("plakoto").start, one)
    with pytest.raises(SettingError, match="cube must be one of none, centred, owned, opponent; got 'mine'"):
        hypergammon.rank(position, "31", two, cube="mine")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="save it and open the file there"):
        pickle.dumps(one)


def test_it_evaluates_finished_games_and_ids(two: hypergammon.Hypergammon) -> None:
    game = variants.get("hypergammon", checkers=2)
    lost = game.position({"me": {"6": 2}, "opp": {}, "off": [0, 2]})
    far = game.position({"me": {"19": 1, "6": 1}, "opp": {}, "off": [0, 2]})
    one_off = game.position({"me": {"6": 1}, "opp": {}, "off": [1, 2]})
    found = two.evaluate(hypergammon.boards([lost, far, one_off]))
    assert found.tolist() == [[0, 0, 0, 1, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
    assert hypergammon.probe(game.start.id, two) == hypergammon.probe("start", two)
    assert hypergammon.boards([]).shape == (0, 2, 25)
    # As any evaluator of Python it serves where chances of such positions are wanted.
    board = hypergammon.boards([game.start])
    assert (gammon.evaluate(board, two) == two.evaluate(board)).all()


def test_it_plays_duels_and_rollouts(cache: Path, two: hypergammon.Hypergammon) -> None:
    game = variants.get("hypergammon", checkers=2)
    assert isinstance(strength.variant_player("table", game), hypergammon.Hypergammon)
    found = strength.duel_of(game, two, evaluators.PipCount(), games=400, judge=two)
    assert found.won.mean > 0.55
    # With luck taken out by values that are exact, every game comes to what the position is worth.
    rolled = rollout.run(game.start, rollout.Settings(trials=36, seed=3), evaluator=two)
    known = hypergammon.probe(game.start, two)
    assert rolled.equity.mean == pytest.approx(known.cubeless, abs=1e-4)
    path = hypergammon.table_path(2)
    read = evaluators.load_for(game, path)
    assert isinstance(read, hypergammon.Hypergammon)
    assert read.id == two.id
    with pytest.raises(SettingError, match="a table of 2 checkers and cannot play"):
        evaluators.load_for("hypergammon", path)
    with pytest.raises(SettingError, match="is a table, and none can play plakoto"):
        evaluators.load_for("plakoto", path)


def test_the_command(cache: Path, two: hypergammon.Hypergammon) -> None:
    run = CliRunner().invoke
    built = json.loads(run(app, ["hypergammon", "build", "--checkers", "1", "--json"]).output)
    assert (built["entries"], built["sweeps"]) == (676, 16)
    assert built["bytes"] == Path(built["path"]).stat().st_size
    shown = run(app, ["hypergammon", "opening", "--checkers", "2"]).output
    assert shown.startswith("equity +0.11332996728588")
    assert "31  23/20 20/19" in shown
    show = json.loads(run(app, ["hypergammon", "show", "--checkers", "2", "--json"]).output)
    assert show["cubeless"] == pytest.approx(hypergammon.probe("start", two).cubeless)
    text = run(app, ["hypergammon", "show", "--checkers", "2"]).output
    assert "centred no double" in text
    ranked = run(app, ["hypergammon", "show", "--checkers", "2", "--roll", "31", "--json"]).output
    plays: list[dict[str, Any]] = json.loads(ranked)["plays"]
    assert plays[0]["play"] == "23/20 20/19"
    assert [play["equity"] for play in plays] == sorted((p["equity"] for p in plays), reverse=True)
    assert "23/20 20/19" in run(app, ["hypergammon", "show", "--checkers", "2", "--roll", "31"]).output
    refused = run(app, ["hypergammon", "show", "--checkers", "2", "--cube", "owned"])
    assert isinstance(refused.exception, SettingError)
