"""Duels: the same dice for both, luck taken out, parts that add up."""

import math
import os
import select
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import gammon
from gammon import Net, Position, evaluators, strength
from gammon._native import rolls
from gammon._typing import Boards, Chances
from gammon.errors import EvaluatorError, SettingError
from gammon.strength import Decisions, Duel, Engine, EvaluatorPlayer, Gnubg
from gammon.strength import _games as games_module
from gammon.strength._games import Games
from gammon.strength._players import errors_of

GNUBG = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")


class Noisy:
    """The packaged evaluator with a fixed error for each position."""

    def __init__(self, width: float) -> None:
        self.id = f"noisy {width}"
        self.width = width
        self.mix = np.random.default_rng(3).integers(1, 2**63, size=50, dtype=np.uint64)

    def evaluate(self, boards: Boards) -> Chances:
        chances = gammon.evaluate(boards, threads=1)
        words = boards.reshape(-1, 50).astype(np.uint64) @ self.mix * np.uint64(0x9E3779B97F4A7C15)
        error = (words >> np.uint64(40)).astype(np.float64) / 2**24 - 0.5
        win = chances[:, 0] + self.width * error
        chances[:, 0] = np.clip(win, chances[:, 1], 1 - chances[:, 3])
        return chances


class Pips:
    """Whoever is ahead in the race has the better chances, and gammons do not exist."""

    id = "pips"

    def evaluate(self, boards: Boards) -> Chances:
        pips = gammon.features(boards).pips.astype(np.float64)
        chances = np.zeros((len(boards), 5), np.float32)
        chances[:, 0] = 1 / (1 + np.exp((pips[:, 0] - pips[:, 1] - 8) / 20))
        return chances


def same(one: Duel, other: Duel) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("players", "seed", "judge", "pairs", "points", "luck", "turns", "unfinished")
    )


def best_play(position: Position, roll: gammon.Roll, net: evaluators.Evaluator) -> tuple[float, Position]:
    """The value of the best play for the mover, and what it leads to: one at a time."""
    plays = position.plays(roll)
    boards = np.stack([play.after.board for play in plays])
    win, wg, wbg, lg, lbg = gammon.evaluate(boards, net, threads=1).astype(np.float64).T
    values = -(2 * win - 1 + wg + wbg - lg - lbg)
    place = int(values.argmax())
    return float(values[place]), plays[place].after


def slow_game(
    first: evaluators.Evaluator, second: evaluators.Evaluator, judge: evaluators.Evaluator, pair: int
) -> tuple[int, float, int, list[Position]]:
    """One game of a pair, `first` beginning, as one would write it down: points, luck, turns, positions."""
    position, luck, turn, seen = Position.start(), [], 0, []
    while not position.is_over:
        numbers = (np.array([pair], np.uint64), np.array([turn], np.uint64))
        high, low = rolls(5, *numbers, opening=True)[0].tolist()
        possible = [roll for roll in gammon.Roll.all() if turn or not roll.is_double]
        total = sum(roll.weight for roll in possible)
        mean = sum(roll.weight / total * best_play(position, roll, judge)[0] for roll in possible)
        gain = best_play(position, gammon.Roll(high, low), judge)[0] - mean
        luck.append(gain if turn % 2 == 0 else -gain)
        player = first if turn % 2 == 0 else second
        position = best_play(position, gammon.Roll(high, low), player)[1]
        seen.append(position)
        turn += 1
    loser = position.board[0]
    points = 1 if loser.sum() < 15 else 3 if loser[18:].any() else 2
    first_won = turn % 2 == 1
    return points if first_won else -points, math.fsum(luck), turn, seen


def test_it_is_what_a_slow_duel_finds() -> None:
    net, other, judge = evaluators.default(), Noisy(0.3), Pips()
    found = strength.duel(net, other, games=4, seed=5, judge=judge, threads=1)
    turns = 0
    for pair in range(2):
        points, luck, length, seen = slow_game(net, other, judge, pair)
        points2, luck2, length2, seen2 = slow_game(other, net, judge, pair)
        assert found.points[pair].tolist() == [points, -points2]
        # What both games have in common cancels, but for the order of additions.
        assert math.isclose(found.luck[pair], luck - luck2, abs_tol=1e-6)
        turns += length + length2
        assert seen[0] == seen2[0] or seen != seen2
    assert found.turns == turns


def test_nobody_is_better_than_himself() -> None:
    net = evaluators.default()
    found = strength.duel(net, net, games=40)
    assert found.games == 40
    assert (found.points.sum(axis=1) == 0).all()
    assert (found.luck == 0).all()
    # The same nets, but not known to be the same and never side by side: only the dice differ.
    twin = strength.duel(net, Noisy(0.0), games=40)
    assert (twin.luck == 0).all()


def test_a_player_who_errs_loses_and_luck_only_blurs_it() -> None:
    net, mutant = evaluators.default(), Noisy(0.2)
    found = strength.duel(net, mutant, games=300, judge=net)
    assert found.adjusted is not None
    assert found.adjusted.interval[0] > 0.05
    assert found.adjusted.error < 0.4 * found.raw.error
    blur = (found.luck / 2).std(ddof=1) / math.sqrt(len(found.luck))
    assert abs(found.adjusted.mean - found.raw.mean) < 4 * blur
    reversed_ = strength.duel(mutant, net, games=300, judge=net)
    assert reversed_.adjusted is not None
    assert math.isclose(reversed_.adjusted.mean, -found.adjusted.mean, abs_tol=1e-6)


def test_a_bad_judge_is_unbiased_too() -> None:
    net, mutant = evaluators.default(), Noisy(0.4)
    good, bad, none = (
        strength.duel(net, mutant, games=300, judge=judge, seed=2) for judge in (net, Pips(), None)
    )
    assert good.adjusted is not None
    assert bad.adjusted is not None
    assert none.adjusted is None
    assert np.array_equal(good.points, none.points)
    assert np.array_equal(bad.points, none.points)
    assert good.adjusted.error < bad.adjusted.error
    assert abs(good.adjusted.mean - bad.adjusted.mean) < 4 * (good.adjusted.error + bad.adjusted.error)


def test_threads_and_company_change_nothing(small_net: Net) -> None:
    net = evaluators.default()
    whole = strength.duel(net, small_net, games=30, threads=1)
    assert same(whole, strength.duel(net, small_net, games=30, threads=3))
    players = (EvaluatorPlayer(net), EvaluatorPlayer(small_net))
    games = Games(players, net, seed=1, pairs=range(15), at_once=2, threads=1)
    found = {}
    while games:
        for game in games.step():
            found[game.pair, game.second_began] = game
    assert [[found[pair, later].points for later in (False, True)] for pair in range(15)] == (
        whole.points.tolist()
    )
    assert np.allclose([found[pair, False].luck + found[pair, True].luck for pair in range(15)], whole.luck)


def test_parts_add_up(tmp_path: Path) -> None:
    net, other = evaluators.default(), Noisy(0.3)
    whole = strength.duel(net, other, games=24)
    first = strength.duel(net, other, games=10)
    rest = strength.duel(net, other, games=14, begin=5)
    assert same(first.merge(rest), whole)
    assert same(rest.merge(first), whole)
    with pytest.raises(SettingError, match="pair 3, which counts only once"):
        whole.merge(strength.duel(net, other, games=2, begin=3))
    with pytest.raises(SettingError, match="not parts of one duel: seed 1 and 2"):
        whole.merge(strength.duel(net, other, games=2, seed=2))
    path = tmp_path / "duel.json"
    assert same(strength.duel(net, other, games=10, save=path), first)
    assert same(strength.read_duel(path), first)
    assert same(strength.duel(net, other, games=24, save=path), whole)
    assert same(strength.read_duel(path), whole)
    with pytest.raises(SettingError, match="judge"):
        strength.duel(net, other, games=24, save=path, judge=None)


def test_a_stop_leaves_the_first_pairs(tmp_path: Path) -> None:
    net, other, path = evaluators.default(), Noisy(0.3), tmp_path / "duel.json"
    told = []

    def progress(done: Duel) -> bool:
        told.append(done.games)
        return done.games < 4

    stopped = strength.duel(net, other, games=2_000, progress=progress, save=path)
    assert 4 <= stopped.games < 2_000
    assert told == sorted(told)
    assert same(stopped, strength.duel(net, other, games=stopped.games))
    assert same(strength.read_duel(path), stopped)

    def raises(done: Duel) -> None:
        if done.games > stopped.games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strength.duel(net, other, games=2_000, progress=raises, save=path)
    kept = strength.read_duel(path)
    assert kept.games > stopped.games
    assert same(kept, strength.duel(net, other, games=kept.games))


def test_games_without_end_are_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MAX_TURNS", 10)
    found = strength.duel(evaluators.default(), Noisy(0.3), games=6)
    assert (found.unfinished, found.turns) == (6, 60)
    assert not found.points.any()
    assert "broken off" in str(found)


def test_lookahead_plays_as_rank_does() -> None:
    positions = [Position.random("contact", seed) for seed in range(6)]
    boards = np.stack([position.board for position in positions])
    dice = np.array([(6, 1), (5, 2), (4, 4), (3, 1), (6, 5), (2, 1)], np.uint8)
    decisions = Decisions(boards, dice, *gammon.expand(boards, dice))
    player = EvaluatorPlayer(plies=1)
    for chosen, position, roll, (_, _, results) in zip(
        player.choose(decisions), positions, dice, decisions, strict=True
    ):
        best = gammon.rank(position, roll, plies=1).best
        assert np.array_equal(results[chosen], best.play.after.board)
    # With a filter of itself that lets one play pass, it plays what it would anyway.
    alone = evaluators.Prefilter(evaluators.default(), top=(1, 1, 0.0))
    static = EvaluatorPlayer(prefilter=alone).choose(decisions)
    assert np.array_equal(static, EvaluatorPlayer().choose(decisions))
    assert player.id != EvaluatorPlayer().id
    for chosen, position, roll, (_, _, results) in zip(static, positions, dice, decisions, strict=True):
        assert np.array_equal(results[chosen], gammon.rank(position, roll).best.play.after.board)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda count: np.full(count, 999), "but choose returned 999"),
        (lambda count: np.full(count, -1), "but choose returned -1"),
        (lambda count: np.zeros(count), "whole numbers"),
        (lambda count: np.zeros(count + 1, np.int64), "whole numbers"),
        (lambda count: [0] * count, "whole numbers"),
    ],
)
def test_choices_are_checked(answer: Callable[[int], npt.NDArray[np.int64]], said: str) -> None:
    class Wrong:
        id = "wrong"

        def choose(self, decisions: Decisions) -> npt.NDArray[np.int64]:
            return answer(len(decisions))

    with pytest.raises(EvaluatorError, match="wrong: ") as raised:
        strength.duel(Wrong(), evaluators.default(), games=2)
    assert said in str(raised.value)


def test_what_is_asked_is_checked(tmp_path: Path) -> None:
    net = evaluators.default()
    for games in (0, 7, -2):
        with pytest.raises(SettingError, match="even number"):
            strength.duel(net, net, games=games)
    with pytest.raises(TypeError, match="a player must have"):
        strength.duel(net, "gnubg", games=2)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="plies"):
        EvaluatorPlayer(plies=5)
    for text in ("", "[]", "{}", '{"format": "gammon duel 1"}', '{"format": "other"}'):
        path = tmp_path / "bad.json"
        path.write_text(text)
        with pytest.raises(SettingError, match="holds no duel"):
            strength.read_duel(path)


def test_players_have_names(small_net: Net, tmp_path: Path) -> None:
    path = tmp_path / "small.net"
    small_net.save(path)
    assert strength.player(str(path)).id == small_net.id
    assert strength.player(f"{path}@2").id.endswith("2-ply (normal)")
    assert "composite" in strength.player(str(path), tables=True).id
    assert strength.evaluator("default") is evaluators.default()
    assert strength.evaluator("small") is evaluators.small()
    for spec in ("nobody", "default@9", "default@x", "default@"):
        with pytest.raises(SettingError, match=r"names no player|behind the @"):
            strength.player(spec)
    pruned = strength.player(f"default+{path}")
    assert isinstance(pruned, EvaluatorPlayer)
    assert pruned.prefilter == evaluators.Prefilter(small_net, top=(2, 5, 0.08))
    assert small_net.id in pruned.id
    assert strength.evaluator(f"default+{path}") is evaluators.default()
    with pytest.raises(SettingError, match="does not look ahead"):
        strength.evaluator("default@1")


def test_named_strengths_err_as_much_as_they_say() -> None:
    player = strength.player("beginner")
    assert isinstance(player, EvaluatorPlayer)
    assert player.id.endswith(" with noise 0.15 (seed 0)")
    assert not player.is_plain
    drawn = errors_of(strength.known().boards, 0)
    assert abs(drawn.mean()) < 0.1
    assert abs(drawn.std() - 1) < 0.06
    assert abs(np.corrcoef(drawn, errors_of(strength.known().boards, 1))[0, 1]) < 0.1
    assert (errors_of(strength.known().boards[::7], 0) == drawn[::7]).all()
    found = strength.duel(player, strength.player("default"), games=100)
    assert found.best.interval[1] < 0
    assert strength.player("strong").id.endswith("1-ply (normal)")
    with pytest.raises(SettingError, match="a named strength has its plies"):
        strength.player("beginner@1")
    with pytest.raises(SettingError, match="noise is for players without lookahead"):
        EvaluatorPlayer(plies=1, noise=0.1)
    with pytest.raises(SettingError, match="noise must be at least 0, got nan"):
        EvaluatorPlayer(noise=math.nan)


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not installed"):
        Gnubg(command=tmp_path / "gnubg")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho I am broken\n")
    broken.chmod(0o755)
    with pytest.raises(EvaluatorError, match=r"I am broken|has ended"):
        Gnubg(command=broken)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="there a program that has ended is gone")
def test_what_a_program_has_started_ends_though_it_ended_at_the_start(tmp_path: Path) -> None:
    pipe, program = tmp_path / "pipe", tmp_path / "gnubg"
    os.mkfifo(pipe)
    # What it leaves behind holds the pipe; nobody writes to it once that is gone.
    script = f"#!/bin/sh\nread line\nexec 3> {shlex.quote(str(pipe))}\necho begun >&3\nsleep 60 &\n"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(EvaluatorError, match="does not listen"):
            Gnubg(command=program)
        assert os.read(reader, 100) == b"begun\n"
        assert select.select([reader], [], [], 10)[0]
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)


@needs_gnubg
def test_gnubg_gives_its_known_chances_and_plays_its_best() -> None:
    known = strength.known()
    assert known.static is not None
    with Gnubg() as gnubg:
        assert gnubg.id.endswith("0-ply")
        if "1.07.001 (weights 1.00)" in gnubg.id:
            assert np.abs(gnubg.evaluate(known.boards[::10]) - known.static[::10]).max() < 2e-6
        # Contact, races and bear-offs alike; every roll twice.
        boards = known.boards[:: len(known) // 42][:42]
        dice = np.array([roll.dice[:2] for roll in gammon.Roll.all()] * 2, np.uint8)
        results, offsets = gammon.expand(boards, dice)
        picked = gnubg.choose(Decisions(boards, dice, results, offsets))
        chances = gammon.evaluate(results, gnubg, threads=1)
        values = -strength.equities(chances)
        for i, chosen in enumerate(picked):
            own = values[offsets[i] : offsets[i + 1]]
            assert own[chosen] > own.max() - 2e-5, (i, Position.from_board(boards[i]).id)
    with pytest.raises(EvaluatorError, match="it was closed"):
        gnubg.evaluate(boards)


@needs_gnubg
def test_a_duel_with_gnubg() -> None:
    with Gnubg() as gnubg:
        found = strength.duel(gnubg, Noisy(1.0), games=60)
        assert found.best.interval[0] > 0
        again = strength.duel(gnubg, Noisy(1.0), games=2)
        assert again.points.tolist() == found.points[:1].tolist()


FAKE_ENGINE = """
__version__ = "0 (made up)"

def cube_info():
    return {"jacoby": 1}

def eval_context(cubeful, plies, *rest):
    return {"cubeful": cubeful, "plies": plies}

def evaluate(board, money, context):
    assert money["jacoby"] == 0 and context["cubeful"] == 0
    opponent, roller = (sum((i + 1) * n for i, n in enumerate(side)) for side in board)
    print("noise on the standard output")
    sign = 1 if context["plies"] == 0 else -1
    return (0.5 + sign * (opponent - roller) / 1000, 0.0, 0.0, 0.0, 0.0, 0.0)

def find_best_moves(board, money, context, roll):
    return [1] * len(roll)
"""


@pytest.fixture
def fake_python(tmp_path: Path) -> Path:
    """An interpreter that has a package gnubg, which counts pips."""
    (tmp_path / "gnubg.py").write_text(FAKE_ENGINE)
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return script


@pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")
def test_an_engine_of_another_interpreter(fake_python: Path) -> None:
    known = strength.known()
    boards = known.boards[:150]
    pips = gammon.features(boards).pips.astype(np.float64)
    with Engine("gnubg", python=fake_python) as engine:
        assert engine.id == "gnubg package 0 (made up) 0-ply"
        chances = gammon.evaluate(boards, engine, threads=1)
        assert np.allclose(chances[:, 0], 0.5 + (pips[:, 1] - pips[:, 0]) / 1000)
        dice = np.tile(np.array([[3, 1], [6, 5]], np.uint8), (len(boards) // 2, 1))
        results, offsets = gammon.expand(boards, dice)
        decisions = Decisions(boards, dice, results, offsets)
        # Few pips for the mover, who waits in the result, and many for the other.
        after = gammon.features(results).pips.astype(np.int64)
        lead = after[:, 0] - after[:, 1]
        for i, chosen in enumerate(engine.choose(decisions)):
            own = lead[offsets[i] : offsets[i + 1]]
            assert own[chosen] == own.max()
        answer = engine.ask(boards[:2], dice[:2])
        assert answer["count"] == 4
        assert answer["seconds"] >= 0
        with pytest.raises(EvaluatorError, match="plays of 256 rolls, not"):
            strength.speed([engine], rounds=1)
    with pytest.raises(EvaluatorError, match="gnubg was closed"):
        engine.evaluate(boards)
    with Engine("gnubg", python=fake_python, plies=1) as deep:
        # At 1 ply it thinks the opposite, but only of the best eight within .16 points.
        for i, chosen in enumerate(deep.choose(decisions)):
            worth = lead[offsets[i] : offsets[i + 1]] * 2 / 1000
            near = np.sort(worth[worth >= worth.max() - 0.16])[::-1][:8]
            assert math.isclose(worth[chosen], near[-1], abs_tol=1e-6)


def test_engines_that_do_not_start_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="engine must be one of gnubg, bgsage"):
        Engine("gnu")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        Engine("bgsage", python=tmp_path / "missing")
    with pytest.raises(EvaluatorError, match=r"bgsage has ended; .*No module named 'bgsage'"):
        Engine("bgsage")
    assert "No module named" in str(_failure_of("gnubg-package"))


def _failure_of(spec: str) -> EvaluatorError:
    with pytest.raises(EvaluatorError) as raised:
        strength.player(spec)
    return raised.value
