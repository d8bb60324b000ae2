"""Rollouts: right where the answer is known, the same on any machine, stopped when asked to."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gammon import Net, Position, Situation, rollout
from gammon.errors import ParseError, SettingError
from gammon.rollout import RolloutPart, Settings


def test_certain_games(small_net: Net) -> None:
    result = rollout.run(Position.from_points({1: 1}, {1: 1}), Settings(trials=50), evaluator=small_net)
    assert (result.win.mean, result.win.error) == (1.0, 0.0)
    assert (result.equity.mean, result.equity.error) == (1.0, 0.0)
    assert result.part.outcomes() == ((50, 0, 0), (0, 0, 0))
    assert result.complete
    backgammon = Position.from_points({1: 2}, {6: 14, "bar": 1})
    found = rollout.run(backgammon, Settings(trials=50), evaluator=small_net)
    assert found.part.outcomes() == ((0, 0, 50), (0, 0, 0))
    assert (found.equity.mean, found.win_backgammon.mean) == (3.0, 1.0)


def test_a_chance_that_can_be_counted(small_net: Net) -> None:
    # A checker on the 6-point gets off with all but 11, 21, 31, 41, 32 and their mirrors: 27 of 36.
    position = Position.from_points({6: 1}, {1: 1})
    result = rollout.run(position, Settings(trials=5_000, seed=4, strata=1, luck="off"), evaluator=small_net)
    assert abs(result.win.mean - 27 / 36) < 4 * result.win.error
    assert result.win.error == pytest.approx((0.75 * 0.25 / 5_000) ** 0.5, rel=0.05)
    low, high = result.win.interval
    assert high - low == pytest.approx(3.92 * result.win.error)


def test_any_thread_count_gives_the_same_sums(small_net: Net) -> None:
    parts = [
        rollout.run(
            "start", Settings(trials=200, seed=3, truncate=9), evaluator=small_net, threads=threads
        ).part
        for threads in (1, 2, 5)
    ]
    assert parts[0] == parts[1] == parts[2]
    assert (
        parts[0] != rollout.run("start", Settings(trials=200, seed=4, truncate=9), evaluator=small_net).part
    )


def test_parts_merge_into_the_whole(small_net: Net) -> None:
    def part(first: int, trials: int) -> RolloutPart:
        return rollout.run(
            "start", Settings(trials=trials, first=first, truncate=9), evaluator=small_net
        ).part

    whole, pieces = part(0, 150), [part(0, 70), part(70, 50), part(120, 30)]
    assert whole.numbers == [(0, 150)]
    with pytest.raises(SettingError, match="branch must be from 0 to 0, got 1"):
        whole.equity_of(1)
    assert pieces[0].merge(pieces[1]).merge(pieces[2]) == whole
    assert pieces[2].merge(pieces[0]).merge(pieces[1]) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert "150 trials" in repr(whole)


def test_start_is_the_opening(small_net: Net) -> None:
    def run(position: Position | Situation | str, opening: bool | None = None) -> RolloutPart:
        return rollout.run(
            position, Settings(trials=72, opening=opening, truncate=9), evaluator=small_net
        ).part

    assert run("start") == run(Position.start(), True) == run(Situation("start"))
    assert run("4HPwATDgc/ABMA") == run("start", False) == run(Position.start())
    assert run("start") != run("4HPwATDgc/ABMA")


def test_progress_is_told_and_may_stop(small_net: Net) -> None:
    seen: list[int] = []

    def progress(part: RolloutPart) -> bool:
        seen.append(part.trials)
        return part.trials < 60

    settings = Settings(trials=100_000_000, truncate=9)
    result = rollout.run("start", settings, evaluator=small_net, threads=2, progress=progress)
    assert not result.complete
    assert seen == sorted(seen)
    assert 0 < result.trials < 100_000_000
    # What was finished is the beginning of the whole.
    again = rollout.run("start", Settings(trials=result.trials, truncate=9), evaluator=small_net)
    assert again.part == result.part
    assert "asked for" in str(result)


def test_an_exception_in_progress_comes_out(small_net: Net) -> None:
    mine = LookupError("as it is")

    def progress(part: RolloutPart) -> None:
        raise mine

    with pytest.raises(LookupError) as caught:
        rollout.run("start", Settings(trials=10_000_000), evaluator=small_net, progress=progress)
    assert caught.value is mine


def test_an_evaluator_of_ones_own_rolls_out() -> None:
    class Pips:
        id = "pips"

        def evaluate(self, boards: np.ndarray, /) -> np.ndarray:
            places = np.arange(1, 26)
            pips = boards @ places
            chances = np.zeros((len(boards), 5), np.float32)
            chances[:, 0] = 0.5 + (pips[:, 1] - pips[:, 0]) / 2000
            return chances

    results = [
        rollout.run("start", Settings(trials=36, truncate=9), evaluator=Pips(), threads=threads)
        for threads in (1, 3)
    ]
    assert results[0].part == results[1].part
    assert results[0].evaluator == "pips"


def test_rollouts_side_by_side(small_net: Net) -> None:
    def run(seed: int) -> RolloutPart:
        return rollout.run(
            "start", Settings(trials=72, seed=seed % 3, truncate=9), evaluator=small_net, threads=2
        ).part

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(run, range(9)))
    assert all(parts[i] == parts[i % 3] for i in range(9))


def test_a_result_for_people_and_for_programs(small_net: Net) -> None:
    result = rollout.run("start", Settings(trials=100, seed=9, luck="large"), evaluator=small_net)
    text = str(result)
    for word in ("player on roll", "opponent", "gammons", "equity", "100 games", "seed 9"):
        assert word in text
    data = json.loads(json.dumps(result.to_dict()))
    assert data["trials"] == 100
    assert data["complete"] is True
    assert data["win"]["mean"] == result.win.mean
    assert data["equity"]["error"] != data["raw_equity"]["error"] > 0
    assert data["unfinished"] == 0
    single = rollout.run("start", Settings(trials=1), evaluator=small_net)
    assert json.loads(json.dumps(single.to_dict(), allow_nan=False))["win"]["error"] is None


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (Settings(trials=0), "trials"),
        (Settings(trials=-5), "trials"),
        (Settings(trials=2**60), "trials"),
        (Settings(seed=-1), "seed"),
        (Settings(first=-1), "first"),
        (Settings(truncate=0), "truncate"),
        (Settings(strata=7), "strata must be 1, 36 or 1296, got 7"),  # type: ignore[arg-type]
        (Settings(luck="yes"), "luck must be 'off'"),  # type: ignore[arg-type]
        (Settings(prefilter=(0, 0.1)), "prefilter"),
        (Settings(prefilter=(3, -0.1)), "prefilter"),
    ],
)
def test_impossible_settings(small_net: Net, settings: Settings, word: str) -> None:
    with pytest.raises(SettingError, match=word):
        rollout.run("start", settings, evaluator=small_net)


def test_what_an_identifier_says_beyond_the_position_is_not_used_and_said_so(small_net: Net) -> None:
    def ignored(position: Position | Situation | str) -> tuple[str, ...]:
        found = rollout.run(position, Settings(trials=36, opening=False, truncate=9), evaluator=small_net)
        assert found.part == plain.part
        assert found.to_dict()["ignored"] == list(found.ignored)
        return found.ignored

    plain = rollout.run(Position.start(), Settings(trials=36, truncate=9), evaluator=small_net)
    assert ignored("start") == ignored("4HPwATDgc/ABMA") == ignored(Position.start()) == ()
    match_play = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10"
    assert ignored(match_play) == ("the dice 31", "the score", "the cube at 2")
    money = Situation.from_parts("start", offer="double", jacoby=True)
    assert ignored(money) == ("the Jacoby rule", "the offer (double)")
    assert ignored(Situation.from_parts("start", state="dropped")) == ("how the game ended (dropped)",)


def test_what_cannot_be_rolled_out(small_net: Net) -> None:
    with pytest.raises(SettingError, match="the game is over"):
        rollout.run(Position.from_points({}, {1: 1}), evaluator=small_net)
    with pytest.raises(ParseError):
        rollout.run("nonsense", evaluator=small_net)
    with pytest.raises(SettingError, match="threads"):
        rollout.run("start", evaluator=small_net, threads=-1)
    with pytest.raises(TypeError):
        rollout.run("start", Settings(trials=1.5), evaluator=small_net)  # type: ignore[arg-type]


def test_many_positions_at_once(small_net: Net) -> None:
    positions = [
        Position.start(),
        Position.from_points({6: 2}, {1: 2}),
        Position.from_points({13: 5}, {13: 5}),
    ]
    boards = np.stack([position.board for position in positions])
    settings = Settings(trials=36, truncate=5)
    told: list[int] = []
    for threads in (1, 2):
        found = rollout.run_many(boards, settings, evaluator=small_net, threads=threads, progress=told.append)
        assert found.complete
        for i, position in enumerate(positions):
            alone = rollout.run(position, settings, evaluator=small_net)
            assert tuple(zip(found.chances[i], found.chance_errors[i], strict=True)) == alone.part.chances
            assert (found.equity[i], found.equity_error[i]) == alone.part.equity
            assert (found.raw_equity[i], found.raw_equity_error[i]) == alone.part.equity_of(0, raw=True)
    assert told == sorted(told)
    assert "3 positions, 108 trials" in repr(found)
    none = rollout.run_many(boards[:0], settings, evaluator=small_net)
    assert (len(none), none.chances.shape) == (0, (0, 5))
    over = np.stack([positions[0].board, Position.from_points({}, {1: 1}).board])
    with pytest.raises(SettingError, match=r"boards\[1\]: nothing to roll out"):
        rollout.run_many(over, settings, evaluator=small_net)


def test_stopped_rollouts_of_many_have_what_is_done(small_net: Net) -> None:
    boards = np.stack([Position.start().board] * 500)
    settings = Settings(trials=36, truncate=9)
    found = rollout.run_many(boards, settings, evaluator=small_net, progress=lambda done: done < 72)
    assert not found.complete
    assert np.isnan(found.equity[-1])
    done = found.trials > 1
    assert done.any()
    assert np.isfinite(found.equity[done]).all()


def test_a_small_evaluator_beside_a_large_one(small_net: Net) -> None:
    settings = Settings(trials=36, truncate=6)
    alone = rollout.run("start", replace(settings, prefilter=None))
    usual = rollout.run("start", settings)
    assert usual.evaluator.startswith(f"{alone.evaluator}, filtered by composite(")
    assert usual.equity != alone.equity
    pair = rollout.run("start", settings, small=small_net)
    assert pair.evaluator == f"{alone.evaluator}, filtered by {small_net.id}"
    assert abs(pair.equity.mean - alone.equity.mean) < 0.3
    assert pair.equity != alone.equity
    by_small = rollout.run("start", Settings(trials=36, truncate=6, luck="small"), small=small_net)
    # The same games at first glance, but the luck is measured by other numbers.
    assert by_small.equity != pair.equity


def test_notes_say_what_the_numbers_are_worth(small_net: Net) -> None:
    def notes(**settings: Any) -> str:
        given = Settings(opening=False, truncate=2, **settings)
        return " ".join(rollout.run("start", given, evaluator=small_net).notes)

    assert notes(trials=36 * 16) == notes(trials=50, strata=1) == ""
    assert "no multiple of 36," in notes(trials=36 * 16 + 1)
    assert "fewer than 576 trials" in notes(trials=72)
    assert "1,296, whose dice" in notes(trials=2_000, strata=1296)
