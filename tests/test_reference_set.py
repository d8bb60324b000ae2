"""Reference sets: kinds of position, drawing them, rolling them out."""

import gzip
import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon import Position, evaluators, rollout, strength
from gammon._native import rolls
from gammon.errors import SettingError
from gammon.strength import GAME_PHASES, GamePhase, Reference, Sampling
from gammon.strength import _sample as sampling_module


def kind(roller: dict[int, int], opponent: dict[int, int]) -> GamePhase:
    board = Position.from_points(roller, opponent).board
    return GAME_PHASES[int(strength.game_phases(board[None])[0])]


def test_kinds_are_what_their_names_say() -> None:
    assert kind({6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}) == "opening"
    assert kind({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5}) == "race"
    assert kind({1: 1}, {1: 1}) == "race"
    # Four points with the other's two checkers behind them, on both sides.
    prime = {5: 2, 6: 2, 7: 2, 8: 3, 13: 4, 24: 2}
    assert kind(prime, prime) == "prime against prime"
    # The other's checkers have escaped to the edge: nothing is behind his prime.
    assert kind(prime, {5: 2, 6: 2, 7: 2, 8: 3, 13: 4, 16: 2}) == "opening"
    back = {21: 2, 23: 2, 13: 4, 8: 3, 6: 4}
    assert kind(back, {3: 2, 5: 3, 6: 3, 7: 3, 8: 2, 9: 2}) == "back game"
    assert kind({21: 2, 23: 2, 6: 3, 5: 3, 4: 3, 3: 2}, {6: 4, 8: 4, 13: 5, 16: 2}) != "back game"
    assert kind({4: 4, 5: 4, 6: 4, 8: 3}, {6: 5, 8: 3, 13: 5, 22: 2}) == "bear-in"
    assert kind({6: 4, 5: 2, 4: 2, 8: 3, 13: 3, 24: 1}, {25: 1, 6: 4, 8: 3, 13: 5, 24: 2}) == "contact"
    assert kind({6: 4, 5: 2, 4: 2, 8: 3, 13: 3, 24: 1}, {25: 1, 6: 5, 8: 3, 13: 5, 16: 1}) == "blitz"
    assert kind({1: 5, 2: 5, 3: 3, 24: 2}, {6: 5, 8: 3, 13: 5, 20: 2}) == "crashed"
    over = Position.from_points({}, {6: 3}).board
    assert strength.game_phases(over[None]).tolist() == [-1]


def test_kinds_are_the_same_for_both_sides() -> None:
    boards = strength.known().boards
    found = strength.game_phases(boards)
    assert (found == strength.game_phases(boards[:, ::-1])).all()
    assert set(found.tolist()) == set(range(len(GAME_PHASES)))


def test_a_set_holds_as_many_of_each_kind_and_none_twice() -> None:
    told: list[int] = []
    net = evaluators.default()
    found = strength.select_reference(sampling=Sampling(each=5, seed=3), progress=told.append)
    assert np.bincount(found.kinds).tolist() == [5] * len(GAME_PHASES)
    assert (strength.game_phases(found.boards) == found.kinds).all()
    ids = {board.tobytes() for board in found.boards}
    assert len(ids) == len(found) == told[-1]
    assert not ids & {board.tobytes() for board in strength.known().boards}
    assert (sampling_module.spread(gammon.evaluate(found.boards, net)) >= 0.2 - 1e-6).all()
    assert found.made["evaluator"] == net.id
    assert (found.made["seed"], found.made["each"]) == (3, 5)
    again = strength.select_reference(sampling=Sampling(each=5, seed=3), threads=3)
    assert np.array_equal(again.boards, found.boards)
    other = strength.select_reference(sampling=Sampling(each=5, seed=4))
    assert not np.array_equal(other.boards, found.boards)
    fewer = strength.select_reference(sampling=Sampling(each=2, seed=3))
    assert np.array_equal(fewer.boards, found.boards[: len(fewer)])


def test_games_are_played_by_the_rules_and_stray_as_often_as_asked() -> None:
    net = evaluators.default()
    numbers = np.arange(60, dtype=np.uint64)
    how = Sampling(stray=0.25, random_start=0.0, seed=9)
    boards, games = sampling_module._play(net, how, numbers, None)
    best = played = 0
    for game in range(20):
        own = boards[games == game]
        for turn, (before, after) in enumerate(pairwise(own)):
            dice = rolls(9, numbers[[game]], np.array([turn], np.uint64), opening=True)[0]
            plays = Position.from_board(before).plays(dice)
            assert any(np.array_equal(play.after.board, after) for play in plays)
            if len(plays) > 3:
                first = gammon.rank(Position.from_board(before), dice, evaluator=net).best
                best += np.array_equal(first.play.after.board, after)
                played += 1
    assert abs(1 - best / played - 0.25) < 4 * math.sqrt(0.25 * 0.75 / played) + 0.05


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(SettingError, match=r"60 games have not 100 positions of .*back game"):
        strength.select_reference(sampling=Sampling(each=100, most_games=60))
    for name, value in [("each", 0), ("random_turns", 0), ("stray", 1.5), ("random_start", -0.1)]:
        with pytest.raises(SettingError, match=name):
            Sampling(**{name: value})  # type: ignore[arg-type]
    stopped = strength.select_reference(sampling=Sampling(each=10_000), progress=lambda count: False)
    assert 0 < len(stopped) < 80_000


@pytest.fixture(scope="module")
def drawn() -> Reference:
    return strength.select_reference(sampling=Sampling(each=2))


def equal(one: Reference, other: Reference) -> bool:
    arrays = ("boards", "kinds", "trials", "chances", "chance_errors", "equity", "equity_error")
    return (one.made, one.valued) == (other.made, other.valued) and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name != "boards")
        for name in arrays
    )


def test_each_position_is_known_from_one_rollout(drawn: Reference, tmp_path: Path) -> None:
    settings = rollout.Settings(trials=36, seed=7)
    path = tmp_path / "set.jsonl.gz"
    found = strength.value_reference(drawn, settings, error=0.03, most=160, save=path)
    assert ((found.equity_error <= 0.03) | (found.trials == 144)).all()
    assert len(set(found.trials.tolist())) > 1
    for i in range(0, len(drawn), 3):
        again = rollout.Settings(trials=int(found.trials[i]), seed=7, prefilter=None)
        alone = rollout.run_many(drawn.boards[[i]], again)
        assert np.allclose(found.equity[i], alone.equity, atol=1e-6)
        assert np.allclose(found.chances[i], alone.chances, atol=1e-6)
        assert np.allclose(found.equity_error[i], alone.equity_error, atol=1e-6)
        assert np.allclose(found.chance_errors[i], alone.chance_errors, atol=1e-6)
    assert equal(strength.read_reference(path), found)
    assert found.valued is not None
    assert found.valued["seed"] == 7


def test_it_goes_on_where_it_stopped(drawn: Reference, tmp_path: Path) -> None:
    settings = rollout.Settings(trials=36)
    whole = strength.value_reference(drawn, settings, error=0.005, most=72)
    path = tmp_path / "set.jsonl.gz"
    drawn.save(path)
    stopped = strength.value_reference(
        strength.read_reference(path),
        settings,
        error=0.005,
        most=72,
        save=path,
        progress=lambda done: done.trials.sum() == 0,
    )
    assert 0 < stopped.trials.sum() < whole.trials.sum()
    held = strength.read_reference(path)
    assert equal(held, stopped)
    assert equal(strength.value_reference(held, settings, error=0.005, most=72), whole)
    with pytest.raises(SettingError, match="rolled out with seed 1, not 2"):
        strength.value_reference(held, rollout.Settings(trials=36, seed=2))
    at_once = strength.value_reference(drawn, rollout.Settings(trials=100_008), progress=lambda done: False)
    assert np.count_nonzero(at_once.trials) <= 1, "but a race that is over before the first look"
    with pytest.raises(SettingError, match="error must be above 0"):
        strength.value_reference(drawn, error=0.0)


def test_evaluators_are_compared_with_it(drawn: Reference) -> None:
    with pytest.raises(SettingError, match="no position of the reference set has been rolled out"):
        drawn.known()
    rolled = strength.value_reference(drawn, rollout.Settings(trials=36), error=1.0)
    known = rolled.known()
    found = strength.agreement(positions=known)
    assert found["all"].count == 16
    assert [found[name].count for name in GAME_PHASES] == [2] * len(GAME_PHASES)
    assert found["all"].static is None
    off = np.abs(strength.equities(gammon.evaluate(drawn.boards)) - (known.deep @ [2, 1, 1, -1, -1] - 1))
    assert math.isclose(found["all"].ours.absolute[0], off.mean(), rel_tol=1e-6)
    assert "gnubg" not in str(found)
    assert "excess" not in found.to_dict()["classes"]["all"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "not enough values"),
        (["{}"], "does not begin with the format"),
        (["[1]"], "does not begin with the format"),
        (
            ['{"format": "gammon reference 1", "made": {}, "valued": null}', '["nothing", "race", 0]'],
            "position id",
        ),
        (
            ['{"format": "gammon reference 1", "made": {}, "valued": null}', '["4HPwATDgc/ABMA", "x", 0]'],
            "tuple",
        ),
        (
            ['{"format": "gammon reference 1", "made": {}, "valued": null}', '["4HPwATDgc/ABMA", "race", 9]'],
            "",
        ),
        (['{"format": "gammon reference 1"}'], "made"),
    ],
)
def test_other_files_are_refused(lines: list[str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(SettingError, match="holds no reference set") as raised:
        strength.read_reference(path)
    assert said in str(raised.value)
    path.write_bytes(b"text")
    with pytest.raises(SettingError, match="no gzipped text"):
        strength.read_reference(path)


def test_the_file_is_as_small_as_it_says(drawn: Reference, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.gz"
    drawn.save(path)
    head, *rows = gzip.decompress(path.read_bytes()).decode().splitlines()
    assert json.loads(head)["made"] == drawn.made
    assert json.loads(rows[0]) == [Position.from_board(drawn.boards[0]).id, "race", 0]
    assert equal(strength.read_reference(path), drawn)
