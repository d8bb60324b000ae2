"""Searches of many positions at once, behind a pre-filter, at many scores, and where a table knows better."""

import os
import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Net, Position, Situation, bearoff, cube, search
from gammon._typing import Phase
from gammon.errors import ArrayError, CubeError, IllegalRollError, SettingError
from gammon.evaluators import Prefilter, default
from golden import rows

START = Position.start()
EVERYTHING = (1, 1_000, 9.0)
ROLLS = np.array([(roll.high, roll.low) for roll in gammon.Roll.all()], np.uint8)


def some_boards() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """One position of each kind for each roll, so to speak: 21 of them."""
    kinds: tuple[Phase, ...] = ("contact", "crashed", "race", "bearoff")
    return np.stack([Position.random(kinds[i % 4], 100 + i).board for i in range(21)])


@pytest.mark.parametrize("score", [None, Situation.from_parts("start", length=5, score=(3, 1))])
@pytest.mark.parametrize("plies", [0, 1])
def test_many_rankings_are_each_what_one_is(plies: int, score: Situation | None) -> None:
    boards = some_boards()
    found = search.rank_many(boards, ROLLS, plies=plies, filter="narrow", score=score, threads=2)
    alone = search.rank_many(boards, ROLLS, plies=plies, filter="narrow", score=score, threads=1)
    cached = search.SearchCache(1_000)
    with_cache = search.rank_many(boards, ROLLS, plies=plies, filter="narrow", score=score, cache=cached)
    for name in ("offsets", "boards", "equities", "probs", "plies", "is_prefiltered"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
        np.testing.assert_array_equal(getattr(found, name), getattr(with_cache, name))
    assert len(found) == 21
    for i, (board, roll) in enumerate(zip(boards, ROLLS, strict=True)):
        position = Position.from_board(board)
        if score is None:
            one = gammon.rank(position, roll.tolist(), plies=plies, filter="narrow")
        else:
            here = Situation.from_parts(position, length=5, score=(3, 1))
            one = gammon.rank(here, roll.tolist(), plies=plies, filter="narrow", cubeful=True)
        here_rows = slice(found.offsets[i], found.offsets[i + 1])
        np.testing.assert_array_equal(found.equities[here_rows], [play.equity for play in one])
        np.testing.assert_array_equal(found.plies[here_rows], [play.plies for play in one])
        np.testing.assert_array_equal(found.boards[here_rows], [play.play.after.board for play in one])
        np.testing.assert_array_equal(found.probs[here_rows], np.array([p.probs for p in one], np.float32))
        np.testing.assert_array_equal(found.best[i], one.best.play.after.board)
        assert found.best_equities[i] == one.best.equity


def test_max_candidates_cuts_what_comes_back_and_nothing_else() -> None:
    whole = gammon.rank(START, "62", plies=1)
    short = gammon.rank(START, "62", plies=1, max_candidates=3)
    assert list(short) == list(whole)[:3]
    assert len(gammon.rank(START, "62", max_candidates=99)) == len(whole)
    many = search.rank_many(some_boards(), ROLLS, max_candidates=1)
    assert many.offsets.tolist() == list(range(22))
    np.testing.assert_array_equal(many.boards, search.rank_many(some_boards(), ROLLS).best)
    with pytest.raises(SettingError, match="max_candidates must be at least 1, got 0"):
        gammon.rank(START, "62", max_candidates=0)


def test_batches_of_rolls_are_checked() -> None:
    boards = some_boards()
    with pytest.raises(ArrayError, match=r"\(21, 2\), a roll for each board"):
        search.rank_many(boards, ROLLS[:3])
    with pytest.raises(IllegalRollError, match=r"rolls\[4\]"):
        search.rank_many(boards, np.where(np.arange(21)[:, None] == 4, 7, ROLLS).astype(np.uint8))
    with pytest.raises(ArrayError, match="uint8"):
        search.rank_many(boards.astype(np.float32), ROLLS)
    over = np.stack([START.board, Position.from_points({}, {6: 15}).board])
    with pytest.raises(SettingError, match="the game is over"):
        search.rank_many(over, ROLLS[:2])
    assert len(search.rank_many(boards[:0], ROLLS[:0])) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("plies", [0, 1, 3])
def test_ctrl_c_stops_many_rankings_at_once(plies: int) -> None:
    # Seconds of work without lookahead, minutes with it.
    many = np.resize(some_boards(), ({0: 1_000_000, 1: 500_000, 3: 2_000}[plies], 2, 25))
    rolls = np.resize(ROLLS, (len(many), 2))
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.rank_many(many, rolls, plies=plies, filter="all", threads=2)
    # 0.1 s on a free machine; a loaded one may keep the process waiting.
    assert time.time() - sent[0] < 5.0


@pytest.mark.parametrize("cubeful", [False, True])
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_the_same_net_before_itself_changes_nothing(plies: int, cubeful: bool) -> None:
    for inside in ((1, 1, 0.0), (2, 5, 0.08), EVERYTHING):
        prefilter = Prefilter(default(), inside=inside, top=EVERYTHING)
        found = gammon.rank(START, "41", plies=plies, cubeful=cubeful, filter="narrow", prefilter=prefilter)
        assert found == gammon.rank(START, "41", plies=plies, cubeful=cubeful, filter="narrow")
    boards = some_boards()[:4]
    through = gammon.evaluate(boards, plies=plies, prefilter=Prefilter(default()))
    np.testing.assert_array_equal(through, gammon.evaluate(boards, plies=plies))
    situation = Situation.from_parts("start", beavers=True)
    decided = cube.decide(situation, plies=plies, prefilter=Prefilter(default()))
    assert decided == cube.decide(situation, plies=plies)
    through_rows = search.rank_many(boards, ROLLS[:4], plies=plies, prefilter=prefilter)
    alone_rows = search.rank_many(boards, ROLLS[:4], plies=plies)
    np.testing.assert_array_equal(through_rows.equities, alone_rows.equities)


def test_a_weaker_net_costs_what_it_misjudges(small_net: Net) -> None:
    boards = some_boards()[:8]
    good = gammon.evaluate(boards, plies=1).astype(np.float64) @ [2, 1, 1, -1, -1]
    wide = gammon.evaluate(boards, plies=1, prefilter=Prefilter(small_net, inside=EVERYTHING))
    np.testing.assert_array_equal(wide, gammon.evaluate(boards, plies=1))
    narrow = gammon.evaluate(boards, plies=1, prefilter=Prefilter(small_net, inside=(1, 1, 0.0)))
    lost = good - narrow.astype(np.float64) @ [2, 1, 1, -1, -1]
    assert (lost >= -1e-6).all()
    assert lost.max() > 0.001
    ranking = gammon.rank(START, "62", prefilter=Prefilter(small_net, top=(2, 4, 0.0)))
    assert len(ranking) == len(START.plays("62"))
    assert [play.is_prefiltered for play in ranking] == [False] * 2 + [True] * (len(ranking) - 2)
    by_small = gammon.rank(START, "62", evaluator=small_net)
    passed = {play.play for play in list(by_small)[:2]}
    assert {play.play for play in ranking if not play.is_prefiltered} == passed


def test_a_prefilter_has_settings_and_failures() -> None:
    wrong: list[Any] = [
        (3, 2, 0.1),
        (0, 0, 0.1),
        (-1, 2, 0.1),
        (1, 65_536, 0.1),
        (1.0, 2, 0.1),
        (True, 2, 0.1),
        (1, 2, -0.1),
        (1, 2, float("nan")),
        (1, 2, float("inf")),
        (1, 2, "0.1"),
        (1, 2),
        "all",
        None,
    ]
    for width in wrong:
        with pytest.raises(SettingError, match=r"inside must be \(least, most, within\).*, got"):
            Prefilter(default(), inside=width)
        with pytest.raises(SettingError, match=r"top must be \(least, most, within\).*, got"):
            Prefilter(default(), top=width)
    assert Prefilter(default(), top=(np.int64(1), 65_535, 0)).top[1] == 65_535  # type: ignore[arg-type]

    class Broken:
        id = "broken"

        def evaluate(self, boards: gammon._typing.Boards, /) -> gammon._typing.Chances:
            raise ZeroDivisionError("as intended")

    for plies in (0, 1, 2):
        with pytest.raises(ZeroDivisionError, match="as intended"):
            gammon.rank(START, "62", plies=plies, prefilter=Prefilter(Broken()))


@pytest.mark.parametrize("plies", [0, 1])
def test_many_cube_decisions_are_each_what_one_is(plies: int) -> None:
    boards = some_boards()
    parts: dict[str, Any] = {"length": 7, "score": (4, 2)}
    many = cube.decide_boards(Situation.from_parts("start", **parts), boards, plies=plies)
    for i, board in enumerate(boards):
        one = cube.decide(Situation.from_parts(Position.from_board(board), **parts), plies=plies)
        assert many.no_double_equity[i] == one.no_double_equity
        assert many.double_take_equity[i] == one.double_take_equity
        assert ("no double", "too good", "double")[many.action[i]] == one.action
    over = Position.from_points({}, {6: 15}).board[None]
    with pytest.raises(SettingError, match="the game is over"):
        cube.decide_boards("start", over)
    with pytest.raises(CubeError, match="over"):
        cube.decide_boards(Situation.from_parts("start", length=3, score=(3, 0)), boards)


PLACES: dict[str, dict[str, Any]] = {
    "centered_jacoby": {"jacoby": True},
    "centered": {},
    "owned": {"cube": 2, "cube_owner": "roller"},
}


def test_solved_bear_offs_have_the_equities_of_gnu_backgammon() -> None:
    race, checked = bearoff.race(), 0
    for row in rows("evals.jsonl.gz"):
        if row["class"] != "bearoff2":
            continue
        for name, parts in PLACES.items():
            printed = row["cf0"][name]
            for plies in (0, 2):
                situation = Situation.from_parts(row["position_id"], **parts)
                decision = cube.decide(situation, evaluator=race, plies=plies)
                assert decision.no_double_equity == pytest.approx(printed["nd"], abs=1.4e-4)
                assert decision.double_take_equity == pytest.approx(printed["dt"], abs=1.4e-4)
                assert decision.optimal_equity == pytest.approx(printed["optimal"], abs=1.4e-4)
                checked += 1
        theirs = Situation.from_parts(row["position_id"], cube=2, cube_owner="opponent")
        owned = cube.decide(theirs, evaluator=race)
        assert owned.no_double_equity == pytest.approx(row["cf0"]["opp_owned"], abs=1.4e-4)
    assert checked == 2 * 81


def test_a_known_bear_off() -> None:
    position = Position("kQcAgEoDAAAAAA")
    race = gammon.evaluators.composite()
    for name, held in (("centered", 0.930362), ("owned", 0.933977)):
        parts = PLACES[name]
        decision = cube.decide(Situation.from_parts(position, **parts), evaluator=race)
        assert decision.cubeless_equity == pytest.approx(0.755438, abs=1e-6)
        assert decision.no_double_equity == pytest.approx(held, abs=1e-6)
        assert decision.label == "double, pass"
    theirs = Situation.from_parts(position, cube=2, cube_owner="opponent")
    assert cube.decide(theirs, evaluator=race).no_double_equity == pytest.approx(0.744146, abs=1e-6)


def test_plays_into_a_table_are_judged_by_it() -> None:
    race, table = bearoff.race(), bearoff.two_sided(storage="f32")
    position = Position.from_points({1: 2, 3: 3, 6: 1}, {2: 3, 5: 2})
    for plies in (0, 3):
        ranking = gammon.rank(position, "21", plies=plies, evaluator=race, cubeful=True, filter="all")
        for play in ranking:
            assert play.equity == pytest.approx(-table.probe(play.play.after).centred_best, abs=1e-9)


def test_scores_judge_the_chances_of_one_search() -> None:
    table = search.by_score(START, "64", 4, plies=1, filter="narrow")
    n = len(table.ranking)
    assert table.best.shape == (4, 4)
    assert table.equities.shape == table.mwc.shape == (4, 4, n)
    assert table.money.shape == (n,)
    met = gammon.met.load()
    # At double match point a play is worth its wins, normalised.
    wins = [2 * play.probs[0] - 1 for play in table.ranking]
    np.testing.assert_allclose(table.equities[0, 0], wins, atol=1e-6)
    np.testing.assert_allclose(table.mwc[0, 0], [play.probs[0] for play in table.ranking], atol=1e-6)
    # In the Crawford game at 2-away a win makes it double match point, a gammon wins the match.
    for number, play in enumerate(table.ranking):
        win, gammons = play.probs[:2]
        expected = met.mwc(1, 1) * (win - gammons) + gammons
        assert table.mwc[1, 0, number] == pytest.approx(expected, abs=1e-6)
    deepest = [play.plies == 1 for play in table.ranking]
    for away in range(4):
        for opp_away in range(4):
            worth = np.where(deepest, table.equities[away, opp_away], -9)
            assert table.best[away, opp_away] == worth.argmax()
    # At 3-away, 4-away the static values are those of a cubeful ranking there.
    flat = search.by_score(START, "64", 4)
    here = gammon.rank(Situation.from_parts(START, length=4, score=(1, 0)), "64", cubeful=True)
    assert flat.ranking[int(flat.best[2, 3])].play == here.best.play
    assert flat.equities[2, 3].max() == pytest.approx(here.best.equity, abs=1e-6)
    for size in (0, 65):
        with pytest.raises(SettingError, match="size must be from 1 to 64"):
            search.by_score(START, "64", size)
    with pytest.raises(SettingError, match="no roll"):
        search.by_score(START)


def test_a_matrix_looks_ahead_once() -> None:
    here = Position.random("contact", 3)
    five = cube.chances(here, plies=1)
    cells = cube.matrix(here, 3, plies=1)
    assert cells == cube.matrix(here, 3, five)
    with pytest.raises(SettingError, match="either probs or plies"):
        cube.matrix(here, 3, five, plies=1)
