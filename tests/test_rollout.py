"""Rollouts: right where the answer is known, the same on any machine, stopped when asked to."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gammon import Net, Position, Situation, rollout
from gammon.errors import ParseError, SettingError
from gammon.rollout import RolloutPart, Settings


def test_certain_games(small_net: Net) -> None:
    result = rollout.run(Position.from_points({1: 1}, {1: 1}), Settings(trials=50), evaluator=small_net)
    assert (result.win.mean, result.win.error) == (1.0, 0.0)
    assert (result.equity.mean, result.equity.error) == (1.0, 0.0)
    assert result.part.outcomes == ((50, 0, 0), (0, 0, 0))
    assert result.complete
    backgammon = Position.from_points({1: 2}, {6: 14, "bar": 1})
    found = rollout.run(backgammon, Settings(trials=50), evaluator=small_net)
    assert found.part.outcomes == ((0, 0, 50), (0, 0, 0))
    assert (found.equity.mean, found.win_backgammon.mean) == (3.0, 1.0)


def test_a_chance_that_can_be_counted(small_net: Net) -> None:
    # A checker on the 6-point gets off with all but 11, 21, 31, 41, 32 and their mirrors: 27 of 36.
    position = Position.from_points({6: 1}, {1: 1})
    result = rollout.run(position, Settings(trials=5_000, seed=4), evaluator=small_net)
    assert abs(result.win.mean - 27 / 36) < 4 * result.win.error
    assert result.win.error == pytest.approx((0.75 * 0.25 / 5_000) ** 0.5, rel=0.05)
    low, high = result.win.interval
    assert high - low == pytest.approx(3.92 * result.win.error)


def test_any_thread_count_gives_the_same_sums(small_net: Net) -> None:
    parts = [
        rollout.run("start", Settings(trials=200, seed=3), evaluator=small_net, threads=threads).part
        for threads in (1, 2, 5)
    ]
    assert parts[0] == parts[1] == parts[2]
    assert parts[0] != rollout.run("start", Settings(trials=200, seed=4), evaluator=small_net).part


def test_parts_merge_into_the_whole(small_net: Net) -> None:
    def part(first: int, trials: int) -> RolloutPart:
        return rollout.run("start", Settings(trials=trials, first=first), evaluator=small_net).part

    whole, pieces = part(0, 150), [part(0, 70), part(70, 50), part(120, 30)]
    assert pieces[0].merge(pieces[1]).merge(pieces[2]) == whole
    assert pieces[2].merge(pieces[0]).merge(pieces[1]) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert "150 trials" in repr(whole)


def test_start_is_the_opening(small_net: Net) -> None:
    def run(position: Position | Situation | str, opening: bool | None = None) -> RolloutPart:
        return rollout.run(position, Settings(trials=72, opening=opening), evaluator=small_net).part

    assert run("start") == run(Position.start(), True) == run(Situation("start"))
    assert run("4HPwATDgc/ABMA") == run("start", False) == run(Position.start())
    assert run("start") != run("4HPwATDgc/ABMA")


def test_progress_is_told_and_may_stop(small_net: Net) -> None:
    seen: list[int] = []

    def progress(part: RolloutPart) -> bool:
        seen.append(part.trials)
        return len(seen) < 4

    settings = Settings(trials=10_000_000)
    result = rollout.run("start", settings, evaluator=small_net, threads=2, progress=progress)
    assert not result.complete
    assert len(seen) == 4
    assert seen == sorted(seen)
    assert 0 < result.trials < 10_000_000
    # What was finished is the beginning of the whole.
    again = rollout.run("start", Settings(trials=result.trials), evaluator=small_net)
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
        rollout.run("start", Settings(trials=36), evaluator=Pips(), threads=threads) for threads in (1, 3)
    ]
    assert results[0].part == results[1].part
    assert results[0].evaluator == "pips"


def test_rollouts_side_by_side(small_net: Net) -> None:
    def run(seed: int) -> RolloutPart:
        return rollout.run("start", Settings(trials=72, seed=seed % 3), evaluator=small_net, threads=2).part

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(run, range(9)))
    assert all(parts[i] == parts[i % 3] for i in range(9))


def test_a_result_for_people_and_for_programs(small_net: Net) -> None:
    result = rollout.run("start", Settings(trials=100, seed=9), evaluator=small_net)
    text = str(result)
    for word in ("player on roll", "opponent", "gammons", "equity", "100 games", "seed 9"):
        assert word in text
    data = json.loads(json.dumps(result.to_dict()))
    assert data["trials"] == 100
    assert data["complete"] is True
    assert data["win"]["mean"] == result.win.mean
    assert sum(data["outcomes"]["won"].values()) == round(100 * result.win.mean)
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
        (Settings(max_turns=0), "max_turns"),
    ],
)
def test_impossible_settings(small_net: Net, settings: Settings, word: str) -> None:
    with pytest.raises(SettingError, match=word):
        rollout.run("start", settings, evaluator=small_net)


def test_what_an_identifier_says_beyond_the_position_is_not_used_and_said_so(small_net: Net) -> None:
    def ignored(position: Position | Situation | str) -> tuple[str, ...]:
        found = rollout.run(position, Settings(trials=36, opening=False), evaluator=small_net)
        assert found.part == plain.part
        assert found.to_dict()["ignored"] == list(found.ignored)
        return found.ignored

    plain = rollout.run(Position.start(), Settings(trials=36), evaluator=small_net)
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
