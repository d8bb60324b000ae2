"""Lookahead from Python: laws, known plays, exact endings; more laws are in `rust/core/tests/search.rs`."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import gammon
from gammon import Net, Position, Situation, cube, search
from gammon.errors import SettingError
from golden import rows

START = Position.start()
FLIP = np.array([0, 3, 4, 1, 2])
WEIGHTS = np.array([1 if roll.is_double else 2 for roll in gammon.Roll.all()]) / 36
LAST = Position.from_points({5: 1, 2: 1}, {1: 1})
"""All or nothing: 19 of 36 throws bear both off, or the opponent does."""


def flipped(probs: np.ndarray) -> np.ndarray:
    """The chances seen by the other player."""
    turned = probs[..., FLIP].copy()
    turned[..., 0] = 1 - turned[..., 0]
    return turned


def equity(probs: np.ndarray) -> np.ndarray:
    values = probs.astype(np.float64) @ np.array([2, 1, 1, -1, -1]) - 1
    assert isinstance(values, np.ndarray)
    return values


def one_ply(position: Position) -> np.ndarray:
    """The definition, by hand: expand, evaluate, take the best reply, weigh."""
    rolls = np.array([(roll.high, roll.low) for roll in gammon.Roll.all()], np.uint8)
    boards, offsets = gammon.expand(np.repeat(position.board[None], 21, axis=0), rolls)
    values = gammon.evaluate(boards)
    best = [
        flipped(values[start + np.argmin(equity(values[start:end]))])
        for start, end in itertools.pairwise(offsets)
    ]
    mean = WEIGHTS @ np.array(best, np.float64)
    assert isinstance(mean, np.ndarray)
    return mean


def some_positions() -> list[Position]:
    return [START, LAST, *(Position.random(phase, 5) for phase in ("contact", "crashed", "race", "bearoff"))]


def test_one_ply_is_the_weighted_mean_of_the_best_replies() -> None:
    positions = some_positions()
    found = gammon.evaluate(np.stack([position.board for position in positions]), plies=1)
    for position, probs in zip(positions, found, strict=True):
        np.testing.assert_allclose(probs, one_ply(position), atol=2e-6)


def test_a_ranking_has_every_play_and_its_value() -> None:
    ranking = gammon.rank(START, "62", plies=1, filter="all")
    assert {ranked.play for ranked in ranking} == set(START.plays("62"))
    assert [ranked.plies for ranked in ranking] == [1] * len(ranking)
    assert ranking.best == ranking[0] == next(iter(ranking))
    assert ranking[-1] == ranking[len(ranking) - 1]
    after = np.stack([ranked.play.after.board for ranked in ranking])
    values = flipped(gammon.evaluate(after, plies=1))
    np.testing.assert_allclose([ranked.probs for ranked in ranking], values, atol=1e-6)
    np.testing.assert_allclose([ranked.equity for ranked in ranking], equity(values), atol=1e-6)
    equities = [ranked.equity for ranked in ranking]
    assert equities == sorted(equities, reverse=True)
    assert [ranked.loss for ranked in ranking] == [equities[0] - value for value in equities]
    assert (ranking.before, str(ranking.roll), ranking.is_pass, ranking.ties) == (START, "62", False, 1)
    assert ranking[:3] == [ranking[0], ranking[1], ranking[2]]
    assert ranking[::-1] == list(ranking)[::-1]
    assert ranking[99:] == []
    with pytest.raises(IndexError, match="no play number 99"):
        ranking[99]
    with pytest.raises(IndexError, match="no play number"):
        ranking[10**30]
    with pytest.raises(TypeError, match="a whole number or a slice"):
        ranking["best"]  # type: ignore[call-overload]


@pytest.mark.parametrize("cubeful", [False, True])
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_threads_and_caches_change_nothing(plies: int, cubeful: bool) -> None:
    cache = search.SearchCache(5_000)
    alone = gammon.rank(START, "41", plies=plies, cubeful=cubeful, threads=1)
    assert gammon.rank(START, "41", plies=plies, cubeful=cubeful, threads=2) == alone
    for _ in range(2):
        assert gammon.rank(START, "41", plies=plies, cubeful=cubeful, cache=cache) == alone
    assert (cache.hits > 0) == (plies > 0)
    boards = np.stack([position.board for position in some_positions()])
    expected = gammon.evaluate(boards, plies=plies, threads=1)
    np.testing.assert_array_equal(gammon.evaluate(boards, plies=plies, threads=2, cache=cache), expected)
    cache.clear()
    assert cache.misses >= 0


@pytest.mark.parametrize(
    ("roll", "play"),
    [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("53", "8/3 6/3"), ("65", "24/13")],
)
def test_openings_everybody_knows(roll: str, play: str) -> None:
    for plies in (0, 1, 2):
        assert str(gammon.rank(START, roll, plies=plies, filter="narrow").best.play) == play


def test_the_last_rolls_of_a_game_are_exact() -> None:
    probs = gammon.evaluate(LAST.board[None], plies=2)[0]
    assert probs.tolist() == pytest.approx([19 / 36, 0, 0, 0, 0])
    assert gammon.rank(LAST, "41", plies=1).best.equity == -1
    over = Position.from_points({}, {6: 15})
    assert gammon.evaluate(over.board[None], plies=3)[0].tolist() == [1, 1, 0, 0, 0]
    decision = cube.decide(Situation.from_parts(LAST), plies=2)
    assert decision.no_double_equity == pytest.approx(2 / 36)
    assert decision.double_take_equity == pytest.approx(4 / 36)
    assert decision.label == "double, take"
    # After 2-1 the opponent has those throws, and doubles before them.
    before = Position.from_points({1: 3}, {5: 1, 2: 1})
    assert gammon.rank(before, "21", plies=2).best.equity == pytest.approx(-2 / 36)
    assert gammon.rank(before, "21", plies=2, cubeful=True).best.equity == pytest.approx(-4 / 36)


def test_a_cube_that_is_dead_changes_nothing() -> None:
    last_game = Situation.from_parts(START, length=5, score=(4, 4))
    for plies in (0, 1):
        found = gammon.rank(last_game, "43", plies=plies, cubeful=True, filter="all")
        wins = [2 * ranked.probs[0] - 1 for ranked in found]
        assert [ranked.equity for ranked in found] == pytest.approx(wins, abs=1e-6)
        assert wins == sorted(wins, reverse=True)


def test_gammons_count_for_nothing_at_double_match_point() -> None:
    centred, jacoby = (Situation.from_parts(START, jacoby=jacoby) for jacoby in (False, True))
    plain = gammon.rank(centred, "21", plies=1, cubeful=True)
    assert plain == gammon.rank(START, "21", plies=1, cubeful=True)
    assert plain.best.equity != gammon.rank(jacoby, "21", plies=1, cubeful=True).best.equity


def test_filters_choose_what_goes_deeper() -> None:
    for stages, expected in (
        ([(1, 1, 0.0)], 1),
        ([(3, 3, 0.0)], 3),
        ([(0, 100, 9.0)], 17),
        ([(2, 5, 9.0)], 5),
    ):
        ranking = gammon.rank(START, "21", plies=1, filter=stages)
        assert len(ranking) == len(START.plays("21"))
        assert sum(ranked.plies for ranked in ranking) == min(expected, len(ranking))
    widths = [
        sum(ranked.plies for ranked in gammon.rank(START, "21", plies=1, filter=name))
        for name in ("narrow", "normal", "wide", "all")
    ]
    assert widths == sorted(widths)


def test_the_roll_may_come_with_the_situation() -> None:
    thrown = Situation("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert gammon.rank(thrown) == gammon.rank(START, (3, 1)) == gammon.rank("start", "31")
    shut_out = Position.from_points({"bar": 1}, dict.fromkeys(range(1, 7), 2))
    ranking = gammon.rank(shut_out, "66", plies=1)
    assert ranking.is_pass
    assert len(ranking) == 1


def test_an_evaluator_of_ones_own_is_asked_in_batches() -> None:
    class Pips:
        id = "pips"
        batches = 0

        def evaluate(self, boards: gammon._typing.Boards, /) -> gammon._typing.Chances:
            self.batches += 1
            pips = gammon.features(boards).pips.astype(np.float32)
            chances = np.zeros((len(boards), 5), np.float32)
            chances[:, 0] = pips[:, 1] / pips.sum(axis=1)
            return chances

    pips = Pips()
    ranking = gammon.rank(START, "62", plies=2, evaluator=pips, filter="narrow")
    assert ranking.best.plies == 2
    assert pips.batches < 30

    class Broken:
        id = "broken"

        def evaluate(self, boards: gammon._typing.Boards, /) -> gammon._typing.Chances:
            raise ZeroDivisionError("as intended")

    for plies in (0, 1, 2):
        with pytest.raises(ZeroDivisionError, match="as intended"):
            gammon.rank(START, "62", plies=plies, evaluator=Broken())


def test_rankings_are_values(small_net: Net) -> None:
    ranking = gammon.rank(START, "31", plies=1)
    for value in (ranking, ranking.best):
        for twin in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert twin == value
            assert hash(twin) == hash(value)
    assert ranking != gammon.rank(START, "31", plies=1, evaluator=small_net)
    assert "8/5 6/5" in repr(ranking)
    with pytest.raises(SettingError, match="at least one play"):
        search.Ranking(START, "31", [])
    with pytest.raises(SettingError, match="only plays of its position"):
        search.Ranking(START, "62", list(ranking))


def test_what_cannot_be_searched_is_refused() -> None:
    over = Position.from_points({}, {6: 15})
    with pytest.raises(SettingError, match="plies must be from 0 to 4, got 5"):
        gammon.rank(START, "31", plies=5)
    with pytest.raises(SettingError, match="plies must be from 0 to 4"):
        gammon.evaluate(START.board[None], plies=-1)
    with pytest.raises(SettingError, match='unknown filter "huge": expected one of narrow'):
        gammon.rank(START, "31", filter="huge")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="a stage for each of 2 plies, got 1"):
        gammon.rank(START, "31", plies=2, filter=[(1, 2, 0.1)])
    with pytest.raises(SettingError, match="least <= most"):
        gammon.rank(START, "31", plies=1, filter=[(3, 2, 0.1)])
    with pytest.raises(TypeError, match="a filter is a name"):
        gammon.rank(START, "31", filter=3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="the game is over"):
        gammon.rank(over, "31")
    with pytest.raises(SettingError, match="no roll"):
        gammon.rank(START)
    with pytest.raises(SettingError, match="either probs or plies"):
        cube.decide("start", (0.5, 0, 0, 0, 0), plies=1)
    with pytest.raises(SettingError, match="entries must be from 1"):
        search.SearchCache(0)


def test_best_plays_agree_with_gnu_backgammon() -> None:
    """Looking ahead loses less by GNU Backgammon's two-ply equities; `docs/search.md` has the whole table."""
    losses: dict[int, list[float]] = {0: [], 1: [], 2: []}
    positions = list(rows("moves_2ply.jsonl.gz"))
    for row in positions:
        known = dict(row["plays"])
        best = max(known.values())
        for plies in losses:
            after = gammon.rank(row["position_id"], row["roll"], plies=plies, cubeful=True).best.play.after.id
            losses[plies].append(best - known.get(after, min(known.values())))
    gains = np.subtract(losses[0], losses[2])
    print(f"2 plies gain {gains.mean():.4f} ± {gains.std() / len(gains) ** 0.5:.4f}")
    assert np.mean(losses[2]) < np.mean(losses[1]) < np.mean(losses[0]) < 0.005
