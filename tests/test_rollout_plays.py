"""Plays compared by rollouts: those that are surely worse are dropped, at fixed numbers of trials."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gammon import Net, rollout, variants
from gammon.errors import CheckpointError, SettingError
from gammon.rollout import RolloutPart, Settings, Until

SHORT = Settings(trials=700, truncate=2, opening=False)
"""Cheap games."""

PLAYS = ["8/5 6/5", "24/20", "13/9", "8/7 4/1*"]


def compared(net: Net, plays: list[str], settings: Settings = SHORT, **how: Any) -> rollout.Comparison:
    return rollout.compare("start", "31", plays, settings, evaluator=net, **how)


def test_what_an_identifier_says_beside_the_dice_is_named(small_net: Net) -> None:
    few = Settings(trials=36, truncate=1)
    match = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10"

    def ignored(situation: str, roll: str | None = None, *, cube: bool = False) -> tuple[str, ...]:
        plays = ["24/22 24/20"] if roll == "42" else ["24/20"]
        found = rollout.compare(situation, roll, plays, few, evaluator=small_net, cube=cube)
        assert found.to_dict()["ignored"] == list(found.ignored)
        assert ("cubeless, money" in str(found)) is not cube
        return found.ignored

    assert ignored("start", "31") == ()
    assert ignored(match) == ignored(match, "13") == ("the score", "the cube at 2")
    assert ignored(match, "42") == ("the dice 31", "the score", "the cube at 2")
    assert ignored(match, cube=True) == ()


def test_plays_are_a_list_without_repetitions(small_net: Net) -> None:
    with pytest.raises(TypeError, match="plays is a list of plays, got a text: '8/5 6/5, 24/20'"):
        rollout.compare("start", "31", "8/5 6/5, 24/20", SHORT, evaluator=small_net)
    with pytest.raises(SettingError, match="the play 24/20 is named twice"):
        compared(small_net, ["24/20", "8/5 6/5", "24/21/20"])
    start = variants.get("fevga").start
    best = start.rank("31")[0].play
    with pytest.raises(SettingError, match=f"the play {best} is named twice"):
        rollout.compare(start, "31", [best, str(best)], SHORT)


@pytest.fixture(scope="module")
def dropped(small_net: Net) -> rollout.Comparison:
    return compared(small_net, ["8/5 6/5", "24/20", "6/5 6/3", "24/21 24/23"], drop=3, threads=1)


def test_plays_that_are_surely_worse_are_dropped(small_net: Net, dropped: rollout.Comparison) -> None:
    assert dropped.complete
    assert dropped.trials == 700
    counts = [one.trials for one in dropped.ranked]
    assert counts[0] == 700
    assert counts == sorted(counts, reverse=True)
    assert set(counts) <= {144, 288, 576, 700}
    assert counts[-1] < 700
    for one in dropped.plays:
        gap = dropped.best.ahead_of(one)
        assert one.ahead_of(dropped.best).mean == -gap.mean
        if one.trials < 700:
            assert gap.mean > 3 * gap.error
    # The games of those left are as if the others had never been there.
    left = [str(one.play) for one in dropped.plays if one.trials == 700]
    assert compared(small_net, left).part == dropped.part
    assert "dropped after" in str(dropped)
    assert [play["trials"] for play in dropped.to_dict()["plays"]] == counts


def test_where_plays_are_dropped_depends_on_nothing_else(
    small_net: Net, dropped: rollout.Comparison, tmp_path: Path
) -> None:
    names = [str(one.play) for one in dropped.plays]
    sums = [one.part for one in dropped.plays]
    assert [one.part for one in compared(small_net, names, drop=3, threads=2).plays] == sums
    with ThreadPoolExecutor(2) as pool:
        assert [one.part for one in compared(small_net, names, drop=3, executor=pool).plays] == sums
    for stop in (60, 200, 500):
        file = tmp_path / f"{stop}.json"

        def told(part: RolloutPart, stop: int = stop) -> bool:
            return part.trials < stop

        with ThreadPoolExecutor(1) as pool:  # which tells after each of its jobs
            begun = compared(small_net, names, drop=3, executor=pool, checkpoint=file, progress=told)
        assert stop <= begun.trials < 700
        found = compared(small_net, names, drop=3, checkpoint=file, resume=True)
        assert found.complete
        assert [one.part for one in found.plays] == sums
        # What is done already is not done again.
        assert compared(small_net, names, drop=3, checkpoint=file, resume=True).evaluations == 0


def test_checkpoints_of_dropped_plays_belong_to_their_rollout(small_net: Net, tmp_path: Path) -> None:
    file = tmp_path / "plays.json"
    names = ["8/5 6/5", "6/5 6/3"]
    compared(small_net, names, drop=3, checkpoint=file)
    kept = file.read_bytes()
    for drop in (4, None):
        with pytest.raises(CheckpointError, match="of another rollout"):
            compared(small_net, names, checkpoint=file, resume=True, drop=drop)
    assert file.read_bytes() == kept
    held = json.loads(kept)
    for plays in ([], [7], [0, 1, 1], "x", None):
        file.write_text(json.dumps(held | {"plays": plays}))
        with pytest.raises(CheckpointError, match="damaged"):
            compared(small_net, names, drop=3, checkpoint=file, resume=True)


def test_bad_bounds_are_refused(small_net: Net) -> None:
    for value in (0, -1, float("nan"), float("inf")):
        with pytest.raises(SettingError, match="drop must be above 0 and finite"):
            compared(small_net, PLAYS[:2], drop=value)
    wrong: list[Any] = ["3", True]
    for value in wrong:
        with pytest.raises(TypeError, match="drop must be a number or None"):
            compared(small_net, PLAYS[:2], drop=value)


def test_one_play_left_is_apart(small_net: Net) -> None:
    found = compared(
        small_net,
        ["8/5 6/5", "6/5 6/3"],
        Settings(trials=5_000, truncate=2, opening=False),
        drop=3,
        until=Until(jsd=3, least=5_000),
    )
    assert found.stopped == "jsd"
    assert found.trials < 5_000
    assert 0.99 < found.confidence <= 1


def test_confidence_follows_the_errors(small_net: Net) -> None:
    found = compared(small_net, PLAYS[:3])
    gap = found.ranked[0].ahead_of(found.ranked[1])
    assert found.jsd == gap.mean / gap.error
    assert 0.5 <= found.confidence <= 1
    decided = rollout.decide("start", Settings(trials=72, truncate=3), evaluator=small_net)
    assert decided.confidence is not None
    assert all(0.5 <= sure <= 1 for sure in decided.confidence)
    assert "sure" in str(decided)
