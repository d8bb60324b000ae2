"""The other games played: nets, training, values, rollouts, duels, and the commands for them."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import evaluators, hypergammon, rollout, strength, training, variants
from gammon.errors import CheckpointError, NetFormatError, SettingError
from gammon.evaluators import PipCount, VariantNet
from gammon.rollout import Settings

GAMMON = [sys.executable, "-m", "gammon"]
SHIPPED = ("plakoto", "fevga", "nardi_long")
STANDARD = ("portes", "nackgammon", "longgammon", "nardi_short", "tavla", "kirik_tavla")


def run(*arguments: object, code: int = 0, typed: str = "") -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        [*GAMMON, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        input=typed,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    assert found.returncode == code, (found.stdout, found.stderr)
    assert "Traceback" not in found.stderr
    return found


@pytest.fixture(scope="module")
def fevga_net() -> VariantNet:
    return training.train(variant="fevga", games=40, hidden=64, seed=2)


# Nets and who can play what.


def test_shipped_nets_are_small_and_play_their_game() -> None:
    folder = files("gammon").joinpath("data", "nets")
    sizes = [
        len(path.read_bytes()) for path in folder.joinpath("games").iterdir() if path.name.endswith(".net")
    ]
    both = [len(path.read_bytes()) for path in folder.iterdir() if path.name.endswith(".net")]
    assert len(sizes) == len(SHIPPED)
    assert sum(sizes) <= 170_000
    assert sum(sizes) + sum(both) <= 5_000_000
    for name in SHIPPED:
        net = evaluators.default(name)
        assert isinstance(net, VariantNet)
        assert net.variant == name
        recipe = folder.joinpath("games", f"{name}.toml").read_text()
        for line in recipe.splitlines():
            assert line.startswith("#") or line in net.recipe.splitlines(), line


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_nets_beat_chance_and_the_pip_count(name: str) -> None:
    game = variants.get(name)
    chance = strength.duel_of(game, evaluators.default(game), "random", games=200, seed=4)
    assert chance.won_interval[0] >= 0.95
    pips = strength.duel_of(game, evaluators.default(game), PipCount(), games=200, seed=4)
    assert pips.won_interval[0] > 0.55


def test_games_that_move_as_the_standard_one_are_played_by_its_net() -> None:
    for name in STANDARD:
        assert evaluators.default(name) is evaluators.default()
    for name in ("gul_bara", "jacquet", "dutch", "acey_deucey", "trictrac"):
        assert evaluators.default(name) == PipCount()
    portes = variants.get("portes")
    value = portes.start.evaluate()
    # No triple games there, and the value is that of both, without them.
    standard = gammon.evaluate(gammon.Position.start().board[None])[0]
    assert value.win_backgammon == value.lose_backgammon == 0
    assert [value.win, value.win_gammon] == pytest.approx(standard[:2].tolist())
    assert value.equity == pytest.approx(2 * standard[0] - 1 + standard[1] - standard[3], abs=1e-6)


def test_hypergammon_is_played_by_its_table() -> None:
    game = variants.get("hypergammon", checkers=1)
    table = evaluators.default(game)
    assert isinstance(table, hypergammon.Hypergammon)
    known = hypergammon.probe(game.start)
    value = game.start.evaluate()
    assert [value.win, value.equity] == pytest.approx([known.win, known.cubeless], abs=1e-6)
    # Where values are exact all luck is known, and nothing else makes games differ.
    found = rollout.run(game.start, Settings(trials=36))
    assert found.equity.mean == pytest.approx(known.cubeless, abs=1e-5)
    assert found.equity.error < 1e-5
    best = hypergammon.rank(game.start, "61", table)[0]
    assert game.start.rank("61")[0].play == best.play
    assert strength.variant_player("table", game).id == table.id  # type: ignore[union-attr]


def test_nets_of_other_games_are_refused(fevga_net: VariantNet, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="trained for fevga cannot play plakoto"):
        variants.get("plakoto").start.evaluate(fevga_net)
    with pytest.raises(NetFormatError, match="trained for fevga and cannot play standard backgammon"):
        gammon.Net(fevga_net.to_bytes())
    with pytest.raises(NetFormatError, match="trained for standard backgammon"):
        VariantNet(evaluators.small().to_bytes())
    with pytest.raises(SettingError, match="plakoto is played by a net trained for it"):
        variants.get("plakoto").start.evaluate(evaluators.small())
    file = tmp_path / "fevga.net"
    fevga_net.save(file)
    assert evaluators.load_for("fevga", file) == fevga_net
    for name in ("plakoto", "portes"):
        with pytest.raises(SettingError, match=f"trained for fevga and cannot play {name}"):
            evaluators.load_for(name, file)
    with pytest.raises(NetFormatError):
        evaluators.load(file)
    small = tmp_path / "small.net"
    evaluators.small().save(small)
    assert evaluators.load_for("portes", small) == evaluators.small()
    with pytest.raises(NetFormatError):
        evaluators.load_for("fevga", small)


def test_nets_and_states_are_pickled(fevga_net: VariantNet) -> None:
    back = pickle.loads(pickle.dumps(fevga_net))
    assert back == fevga_net
    assert hash(back) == hash(fevga_net)
    assert "fevga" in repr(back)
    assert pickle.loads(pickle.dumps(PipCount())) == PipCount()
    state = variants.get("fevga", runner="none").start._state
    assert pickle.loads(pickle.dumps(state)) == state


# Training.


def test_training_of_a_game_is_the_same_on_threads_and_from_a_checkpoint(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"variant": "plakoto", "games": 60, "hidden": 64, "seed": 5}
    whole = training.train(**settings, threads=1)
    assert training.train(**settings, threads=3) == whole
    checkpoint = tmp_path / "training"
    told = []

    def stop(games: int) -> bool:
        told.append(games)
        return len(told) < 2

    training.train(**settings, checkpoint=checkpoint, progress=stop)
    assert training.train(**settings, checkpoint=checkpoint) == whole
    with pytest.raises(SettingError, match="variant is"):
        training.train(variant="fevga", checkpoint=checkpoint)


def test_every_game_is_trained() -> None:
    for name in variants.names():
        options = {"target": 1} if name == "trictrac" else None
        net = training.train(variant=name, options=options, games=6, hidden=64, seed=3)
        assert net.variant == name
        value = variants.get(name, options).start.evaluate(net)
        assert 0 < value.win < 1
        assert np.isfinite(value.equity)


def test_options_of_a_training_are_checked() -> None:
    net = training.train(variant=variants.get("gul_bara", celebi=True), games=4, hidden=64)
    assert net.variant == "celebi"
    assert variants.get("gul_bara", celebi=True).start.evaluate(net).win > 0
    with pytest.raises(SettingError, match="trained for celebi cannot play gul_bara"):
        variants.get("gul_bara").start.evaluate(net)
    with pytest.raises(SettingError, match='no variant is called "poker"'):
        training.train(variant="poker")
    with pytest.raises(SettingError, match="fevga has no option"):
        training.Training(training.settings_text(variant="fevga", options="mother_rule=false"))
    with pytest.raises(SettingError, match="need the game they belong to"):
        training.game_settings(None, {"runner": "none"})
    with pytest.raises(SettingError, match="features cannot be chosen beside variant"):
        training.train(variant="fevga", features="full")


# Values and plays.


@pytest.mark.parametrize("name", variants.names())
def test_plays_are_ranked_and_values_are_the_players_own(name: str) -> None:
    game = variants.get(name)
    for position, roll in game.random_game(seed=6)[:40:3]:
        ranked = position.rank(roll, evaluator=PipCount())
        assert len(ranked) == len(position.plays(roll))
        equities = [one.equity for one in ranked]
        assert equities == sorted(equities, reverse=True)
        best = ranked[0]
        if not best.play.after.is_over:
            after = best.play.after.evaluate(PipCount()).equity
            assert best.equity == pytest.approx(after if best.play.again else -after, abs=1e-5)
        else:
            result = best.play.after.result
            assert result is not None
            points = 0 if result.winner is None else result.points
            mine = (result.winner == "me") == best.play.again
            assert best.equity == pytest.approx(points if mine else -points, abs=1e-4)


def test_many_positions_are_valued_at_once() -> None:
    game = variants.get("plakoto")
    positions = [position for position, _ in game.random_game(seed=2)]
    numbers, equities = variants.evaluate(positions)
    assert numbers.shape == (len(positions), 5)
    assert numbers.dtype == np.float32
    alone = positions[7].evaluate()
    assert [alone.win, alone.equity] == pytest.approx([numbers[7, 0], equities[7]])
    # More than are looked at before Ctrl-C is asked for.
    times = 3_000 // len(positions)
    again, _ = variants.evaluate(positions * times)
    assert (again == np.tile(numbers, (times, 1))).all()
    assert variants.evaluate([])[0].shape == (0, 5)
    with pytest.raises(SettingError, match="is none of plakoto"):
        variants.evaluate([game.start, variants.get("fevga").start])


def test_plays_can_be_written_as_text() -> None:
    game = variants.get("plakoto")
    for position, roll in game.random_game(seed=3)[:30]:
        for play in position.plays(roll)[:5]:
            again = position.play(str(play), roll)
            assert (again.after, again.again) == (play.after, play.again)
    start = variants.get("fevga").start
    assert start.play("24/18 18/16", "62") == start.play([(24, 18), (18, 16)], "62")
    assert variants.get("dutch").start.play("hand/19(4)", "66").moves == ((25, 19, False),) * 4
    for wrong in ("24/18", "24/18/16", "24/18(9)", "24/x", "/", "24/18 (2)", "99999999999/1"):
        with pytest.raises(gammon.errors.IllegalPlayError):
            start.play(wrong, "62")


@pytest.mark.parametrize("name", variants.names())
def test_boards_show_every_checker(name: str) -> None:
    game = variants.get(name)
    for position, _ in game.random_game(seed=1)[:60:7]:
        text = position.draw()
        fields = position.fields
        shown = sum(
            int(word[1:].split("[")[0]) for word in text.split() if word[0] == "X" and word[1:2].isdigit()
        )
        pinned = len(fields.get("pinned", {}).get("me", []))
        assert shown == sum(fields["me"].values()) - pinned
        if name == "plakoto":
            assert text.count("[X]") == pinned


# Rollouts.


def test_rollouts_are_the_same_on_threads_in_parts_and_from_a_checkpoint(tmp_path: Path) -> None:
    start = variants.get("plakoto").start
    settings = Settings(trials=40, seed=3, truncate=12)
    whole = rollout.run(start, settings, threads=1)
    assert isinstance(whole, rollout.Result)
    assert rollout.run(start, settings, threads=3).part == whole.part
    parts = [
        rollout.run(start, Settings(trials=20, seed=3, truncate=12, first=first)).part for first in (0, 20)
    ]
    assert parts[0].merge(parts[1]) == whole.part
    assert pickle.loads(pickle.dumps(whole.part)) == whole.part
    file = tmp_path / "rollout.json"
    rollout.run(start, Settings(trials=10, seed=3, truncate=12), checkpoint=file)
    assert rollout.run(start, settings, checkpoint=file, resume=True).part == whole.part
    with pytest.raises(CheckpointError):
        rollout.run(variants.get("fevga").start, settings, checkpoint=file, resume=True)
    # The same position, but another game with other options.
    other = variants.get("plakoto", mother_rule=False).start
    with pytest.raises(CheckpointError, match="options is"):
        rollout.run(other, settings, checkpoint=file, resume=True)


def test_luck_is_taken_out_and_results_add_up() -> None:
    start = variants.get("fevga").start
    found = rollout.run(start, Settings(trials=72, truncate=30))
    assert found.equity.error < found.raw_equity.error
    assert abs(found.equity.mean - found.raw_equity.mean) < 4 * found.raw_equity.error
    told = found.to_dict()
    assert told["variant"] == "fevga"
    assert sum(sum(side.values()) for side in told["outcomes"].values()) + told["unfinished"] == 72
    assert "2 points" in str(found)
    # Points of all games are the equity with the luck left in.
    whole = rollout.run(start, Settings(trials=36, luck="off"))
    (single, double, _), (lost, lost_double, _) = whole.part.outcomes()
    points = single + 2 * double - lost - 2 * lost_double
    assert whole.equity.mean == pytest.approx(points / 36)


def test_stakes_are_worth_their_points() -> None:
    game = variants.get("acey_deucey")
    near = game.position({"me": {"1": 2}, "opp": {"6": 7}, "off": [13, 8]})
    found = rollout.run(near, Settings(trials=36))
    assert found.equity.mean == pytest.approx(7)
    assert (found.win.mean, found.win_gammon.mean) == (1, 0)
    assert "points" in str(found)
    assert "2 points" not in str(found)
    assert near.evaluate(PipCount()).win > 0.5


def test_rollouts_are_shown_as_pages_and_in_notebooks() -> None:
    start = variants.get("fevga").start
    settings = Settings(trials=36, truncate=3)
    trace = rollout.Trace()
    alone = rollout.run(start, settings, progress=trace)
    compared = rollout.compare(start, "62", None, settings, candidates=2)
    for found in (alone, compared):
        page = rollout.page(found, trace if found is alone else None)
        for shown in (page, found._repr_html_()):
            assert start.draw() in shown
            assert str(found) in shown
    assert "<polyline" in rollout.page(alone, trace)


def test_plays_are_compared_with_the_same_dice() -> None:
    game = variants.get("nackgammon")
    found = rollout.compare(game.start, "31", ["13/10 10/9", "24/21 21/20"], Settings(trials=36, truncate=5))
    assert [str(one.play) for one in found.plays] == ["13/10 10/9", "24/21 21/20"]
    assert found.best.ahead_of(found.ranked[1]).mean >= 0
    assert found.to_dict()["variant"] == "nackgammon"
    best = rollout.compare(game.start, "31", None, Settings(trials=36, truncate=3), candidates=2)
    assert len(best.plays) == 2
    trictrac = variants.get("trictrac")
    asked = next(
        play.after
        for seed in range(20)
        for position, roll in trictrac.random_game(seed=seed)
        for play in position.plays(roll)
        if play.after.asks[0] == "play"
    )
    chosen = rollout.compare(asked, None, None, Settings(trials=4, truncate=3), candidates=2)
    assert len(chosen.plays) >= 1


def test_rollouts_refuse_what_the_game_has_not(fevga_net: VariantNet) -> None:
    start = variants.get("plakoto").start
    with pytest.raises(SettingError, match="a cube was asked for, but plakoto is played without one"):
        rollout.run(start, cube=True)
    with pytest.raises(SettingError, match="nackgammon is rolled out without one"):
        rollout.run(variants.get("nackgammon").start, cube=True)
    with pytest.raises(SettingError, match="plies must be 0"):
        rollout.run(start, Settings(plies=1))
    with pytest.raises(SettingError, match="no small evaluator"):
        rollout.run(start, small=evaluators.small())
    with pytest.raises(SettingError, match="trained for fevga cannot play plakoto"):
        rollout.run(start, evaluator=fevga_net)
    with pytest.raises(SettingError, match="plays other games only"):
        rollout.run("start", evaluator=PipCount())
    with pytest.raises(SettingError, match="drop is for the standard game"):
        rollout.compare(start, "31", drop=3)
    over = variants.get("plakoto").position({"me": {"1": 3}, "opp": {}, "off": [12, 15]})
    with pytest.raises(SettingError, match="is over"):
        rollout.run(over)
    one = rollout.run(start, Settings(trials=1, truncate=2), evaluator=PipCount()).part
    with pytest.raises(SettingError, match="not parts of one rollout"):
        one.merge(rollout.run("start", Settings(trials=1, first=1, truncate=2)).part)


def test_a_rollout_stops_when_it_is_told_to() -> None:
    start = variants.get("fevga").start
    found = rollout.run(start, Settings(trials=100_000), progress=lambda part: part.trials < 1)
    assert 0 < found.trials < 100_000
    assert not found.complete


# Duels.


def test_duels_depend_on_their_pairs_alone() -> None:
    game = variants.get("gul_bara")
    whole = strength.duel_of(game, PipCount(), "random", games=20, judge=PipCount(), threads=1)
    again = strength.duel_of(game, PipCount(), "random", games=20, judge=PipCount(), threads=3)
    assert np.array_equal(whole.points, again.points)
    assert np.array_equal(whole.luck, again.luck)
    halves = [
        strength.duel_of(game, PipCount(), "random", games=10, begin=begin, judge=PipCount())
        for begin in (0, 5)
    ]
    merged = halves[0].merge(halves[1])
    assert np.array_equal(merged.points, whole.points)
    assert merged.variant == "gul_bara"
    assert whole.to_dict()["games"] == 20
    assert "games won" in str(whole)
    won = int((whole.points == 2).sum())
    assert won > 0
    assert f"{won} worth 2 points" in str(whole)
    other = strength.duel_of(variants.get("fevga"), PipCount(), "random", games=2, begin=50, judge=PipCount())
    with pytest.raises(SettingError, match="the game differs"):
        whole.merge(other)


def test_duels_refuse_who_cannot_play(fevga_net: VariantNet, tmp_path: Path) -> None:
    game = variants.get("plakoto")
    with pytest.raises(SettingError, match="trained for fevga"):
        strength.duel_of(game, fevga_net, "random", games=2)
    with pytest.raises(SettingError, match="even number"):
        strength.duel_of(game, PipCount(), "random", games=3)
    with pytest.raises(SettingError, match="names no player of plakoto"):
        strength.variant_player("gnubg", game)
    assert strength.variant_player("random", game) == "random"
    assert strength.variant_player("small", variants.get("portes")) == evaluators.small()


# Commands.


def test_train_and_duel_and_rollout_by_command(tmp_path: Path) -> None:
    net = tmp_path / "jacquet.net"
    run("train", net, "--variant", "jacquet", "--games", 30, "--hidden", 64, "--json")
    assert VariantNet(net.read_bytes()).variant == "jacquet"
    out = run(
        "duel", net, "random", "--variant", "jacquet", "--games", 10, "--judge", "none", "--json"
    ).stdout
    told = json.loads(out)
    assert (told["variant"], told["games"]) == ("jacquet", 10)
    out = run(
        "rollout", "start", "--variant", "jacquet", "--net", net, "--trials", 4, "--truncate", 5, "--json"
    ).stdout
    assert json.loads(out)["trials"] == 4
    text = run(
        "rollout", "start", "--variant", "portes", "--roll", "31", "--trials", 4, "--truncate", 2
    ).stdout
    assert "8/5 6/5" in text or "6/5 8/5" in text
    wrong = run("duel", net, "random", "--variant", "fevga", "--games", 2, code=2)
    assert "trained for jacquet and cannot play fevga" in wrong.stderr
    wrong = run("rollout", "start", "--variant", "plakoto", "--cube", code=2)
    assert "played without one" in wrong.stderr
    wrong = run("duel", "default", "pips", "--option", "a=b", code=2)
    assert "--variant" in wrong.stderr


def test_a_game_is_played_at_the_terminal() -> None:
    game = variants.get("nardi_long")
    out = run(
        "play",
        "--variant",
        "nardi_long",
        "--games",
        1,
        "--seed",
        4,
        "--json",
        typed="plays\nhint\n" + "1\n" * 400,
    )
    told = json.loads(out.stdout)
    assert told["games"] == 1
    assert sum(told["score"]) in (1, 2)
    assert told["evaluator"] == evaluators.default(game).id
    assert "1. 24/" in out.stderr
    assert "nardi_long: You 0, gammon 0" in out.stderr
    stopped = run("play", "--variant", "trictrac", "--seed", 3, typed="nonsense\nboard\nquit\n")
    assert "stopped" in stopped.stdout
    assert "help lists the commands" in stopped.stdout
    assert (
        "--tutor is for the standard game" in run("play", "--variant", "fevga", "--tutor", 0.1, code=2).stderr
    )
