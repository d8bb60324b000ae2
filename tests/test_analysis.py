"""Analyses of matches: what is judged, what it costs, and the sums of it."""

from __future__ import annotations

import itertools
import json
import math
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Net, Roll, cube, evaluators, search
from gammon.analysis import (
    RATINGS,
    Analysis,
    Choice,
    Decision,
    Store,
    Thresholds,
    analyse,
    count,
)
from gammon.analysis._plain import checked
from gammon.analysis._run import _all
from gammon.errors import CubeError, MatchDataError, SettingError
from gammon.match import CubeAction, Engine, Match, Played, Rolled, Session, play_match
from gammon.match._stakes import match_scale
from gammon.match._state import State, Terms
from random_matches import random_match, random_session
from set_up import at


@pytest.fixture(scope="module")
def match() -> Match:
    """A match in which seat 1 plays worse."""
    found = Match(3, ("A", "B"), seed=8)
    play_match(found, (Engine(noise=0.02, seed=1), Engine(noise=0.2, seed=2)))
    return found


@pytest.fixture(scope="module")
def found(match: Match) -> Analysis:
    return analyse(match, plies=1)


def test_every_decision_is_judged_once(match: Match, found: Analysis) -> None:
    records = [(number, moment) for number, game in enumerate(match.games) for moment in game]
    plays = [(n, m.index) for n, m in records if isinstance(m.record, Played)]
    assert [(one.game, one.record) for one in found.select(kind="play")] == plays
    rolls = [(n, m.index) for n, m in records if isinstance(m.record, Rolled)]
    assert [(one.game, one.record) for one in found.luck] == rolls
    doubles = [(n, m.index) for n, m in records if m.record.kind == "cube" and m.record.action == "double"]  # type: ignore[union-attr]
    judged = [(one.game, one.record) for one in found.select(kind="double") if one.made.name == "double"]
    assert judged == doubles
    assert len(found.select(kind="answer")) == len(doubles)
    assert found.skipped == ()


def test_a_play_costs_what_the_best_play_has_more(match: Match, found: Analysis) -> None:
    for decision in found.select(kind="play")[:25]:
        moment = match.games[decision.game][decision.record]
        assert decision.id == moment.id
        best = search.rank(moment.situation, plies=1, cubeful=True).best
        assert decision.best.equity >= best.equity - 1e-12
        every = {
            r.play.after.id: r for r in search.rank(moment.situation, plies=1, cubeful=True, filter="all")
        }
        made = every[decision.made.after or ""]
        if decision.made.plies == best.plies:
            assert decision.made.equity == pytest.approx(made.equity, abs=1e-9)
        assert decision.error == max(decision.best.equity - decision.made.equity, 0)
        assert decision.made in decision.choices
        assert len(decision.choices) <= 6


def test_a_play_the_filter_stopped_is_judged_as_deeply_as_the_best(found: Analysis) -> None:
    unforced = [one for one in found.select(kind="play") if not one.is_forced]
    assert {one.made.plies for one in unforced} == {1}
    assert any(choice.plies == 0 for one in unforced for choice in one.choices)


def test_cube_decisions_cost_what_the_cube_module_says(match: Match, found: Analysis) -> None:
    for decision in found.select(kind="double"):
        moment = match.games[decision.game][decision.record]
        known = cube.decide(moment.situation, plies=1)
        error = known.wrong_double_error if decision.made.name == "double" else known.missed_double_error
        assert decision.error == pytest.approx(error, abs=1e-12)
        assert decision.mwc(known.no_double_equity) == pytest.approx(
            known.mwc(known.no_double_equity) or 0, abs=1e-9
        )
    for decision in found.select(kind="answer"):
        moment = match.games[decision.game][decision.record]
        known = cube.decide(moment.situation, plies=1)
        error = known.wrong_take_error if decision.made.name == "take" else known.wrong_pass_error
        assert decision.error == pytest.approx(error, abs=1e-12)


@pytest.mark.parametrize("plies", [0, 1])
def test_an_engine_makes_no_error_by_its_own_judgement(plies: int) -> None:
    match = Match(3, seed=5)
    play_match(match, (Engine(plies=plies), Engine(plies=plies)))
    found = analyse(match, plies=plies)
    assert found.errors(at_least=1e-9) == []
    for player, rule in itertools.product((0, 1), RATINGS):
        assert found.rating(player, rule).value == 0


def test_the_weaker_player_is_found(found: Analysis) -> None:
    for rule in RATINGS:
        better, worse = (found.rating(player, rule).value for player in (0, 1))
        assert better is not None
        assert worse is not None
        assert better < worse / 2


def test_nothing_depends_on_threads(match: Match, found: Analysis) -> None:
    assert analyse(match, plies=1, threads=1) == found
    assert analyse(match, plies=1, threads=3) == found


def test_an_evaluator_of_ones_own_is_asked_by_one_thread(match: Match, small_net: Net) -> None:
    asked: set[int] = set()

    class Own:
        id = "own"

        def evaluate(self, boards: Any) -> Any:
            import threading

            asked.add(threading.get_ident())
            return small_net.evaluate(boards)

    game = match.games[0]
    assert analyse(game, plies=0, evaluator=Own(), threads=4).decisions == (
        analyse(game, plies=0, evaluator=small_net, threads=4).decisions
    )
    assert len(asked) == 1
    composite = evaluators.composite(contact=Own())
    assert analyse(game, plies=0, evaluator=composite, threads=4).is_complete
    assert len(asked) == 1


# Money, beavers and raccoons.

LAST_ROLL = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"  # 6 of 36 rolls win


def test_answers_to_doubles_and_beavers_are_judged() -> None:
    game = at(Session(raccoons=True), LAST_ROLL)
    for action in ("double", "beaver", "raccoon"):
        getattr(game, action)()
    game.take()
    double, beaver, raccoon, take = analyse(game, plies=0, evaluator=evaluators.composite(), life=0).decisions
    # Two thirds of a point are lost at a cube of 1, four times that at 4 and eight times at 8.
    loss = -2 / 3
    assert double.made.equity == pytest.approx(-2, abs=1e-6)
    assert (double.best.name, beaver.error, beaver.best.name) == ("no double", 0, "beaver")
    assert {choice.name for choice in raccoon.choices} == {"take", "pass", "raccoon"}
    assert raccoon.best.name == "pass"
    assert raccoon.error == pytest.approx(-2 - 8 * loss, abs=1e-6)
    assert take.error == 0
    assert take.made.equity == pytest.approx(-8 * loss, abs=1e-6)


def test_a_beaver_missed_is_an_error() -> None:
    game = at(Session(), LAST_ROLL)
    game.double()
    game.take()
    answer = analyse(game, plies=0, evaluator=evaluators.composite(), life=0).decisions[1]
    assert (answer.best.name, answer.made.name) == ("beaver", "take")
    assert answer.error == pytest.approx(2 - 4 / 3, abs=1e-6)  # given up after a beaver, or played on at 2
    without = at(Session(beavers=False), LAST_ROLL)
    without.double()
    without.take()
    assert analyse(without, plies=0, evaluator=evaluators.composite(), life=0).decisions[1].error == 0


def test_what_is_against_the_rules_is_not_judged() -> None:
    game = Match(5, score=(4, 0)).new_game()  # the Crawford game
    game.add_turn(1, "31", "13/8 6/2")
    game.add_turn(0, "21", "13/11 6/5")
    game.add(CubeAction(1, "double"))
    game.add(CubeAction(0, "take"))
    game.add_turn(1, "65", "24/13")
    found = analyse(game, plies=0)
    assert [(one.record, one.reason.split(":")[0]) for one in found.skipped] == [
        (1, "an illegal play"),
        (4, "an illegal double"),
        (5, "a take for which there is no equity"),
    ]
    assert [one.record for one in found.select(kind="play")] == [3, 7]


def test_forced_plays_and_cubes_that_cannot_be_turned_do_not_count(found: Analysis) -> None:
    for decision in found.decisions:
        if decision.is_forced:
            assert decision.error == 0
            assert not any(RATINGS[rule].counts(decision) for rule in RATINGS)
    crawford = Match(5, score=(4, 2))
    game = crawford.new_game()
    game.roll("31", player=0)
    game.play("8/5 6/5")
    game.roll("31")
    assert analyse(game, plies=0).select(kind="double") == []


# Scales.


@pytest.mark.parametrize(
    ("score", "crawford", "value"),
    [
        ((0, 0), False, 1),
        ((4, 2), True, 1),
        ((4, 2), False, 1),
        ((2, 3), False, 2),
        ((1, 4), False, 4),
        ((5, 6), False, 1),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_equities_have_the_match_chances_of_the_cube_module(
    score: tuple[int, int], crawford: bool, value: int, seat: int
) -> None:
    terms = Terms(Match(7).rules, 7, score, crawford)
    state = State(gammon.Position.start(), turn=seat, phase="to-roll", cube=value, throws=(1, 1))
    if crawford:
        terms = Terms(Match(7).rules, 7, (6, score[1]), True)
    known = cube.decide(state.situation(terms))
    win, lose = match_scale(gammon.met.load(), terms, state, seat)
    assert win == pytest.approx(known.mwc(1.0))
    assert lose == pytest.approx(known.mwc(-1.0))


# Luck.


@pytest.mark.parametrize("id", ["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10", LAST_ROLL])
def test_luck_has_no_mean(id: str) -> None:
    total = 0.0
    for roll in Roll.all():
        game = at(Session(), id)
        game.roll(roll)
        (luck,) = analyse(game, plies=0).luck
        total += roll.weight * luck.equity
    assert total == pytest.approx(0, abs=1e-6)


def test_the_luck_of_the_start_has_no_mean_over_both_players() -> None:
    total = 0.0
    for roll in (roll for roll in Roll.all() if not roll.is_double):
        for player in (0, 1):
            game = Match(5, score=(1, 3)).new_game()
            game.roll(roll, player=player)
            (luck,) = analyse(game, plies=0).luck
            total += luck.equity if player == 0 else -luck.equity
            assert luck.mwc is not None
            assert math.copysign(1, luck.mwc) == math.copysign(1, luck.equity)
    assert total == pytest.approx(0, abs=1e-6)


def test_luck_and_skill_make_the_result(match: Match, found: Analysis) -> None:
    mine, theirs = (found.luck_totals(player).mwc for player in (0, 1))
    assert mine is not None
    assert theirs is not None
    assert found.result in ((0.5, -0.5), (-0.5, 0.5))
    assert found.result[match.winner or 0] == 0.5
    assert found.luck_adjusted(0) == pytest.approx(found.result[0] - mine + theirs)
    assert found.luck_adjusted(0) == pytest.approx(-found.luck_adjusted(1))
    assert analyse(match, plies=0, luck=False).luck == ()


# Ratings.


def decision(
    kind: Any, made: float, best: float, *, name: str = "x", spread: float = 1.0, forced: bool = False
) -> Decision:
    return Decision(
        game=0,
        record=0,
        player=0,
        kind=kind,
        id="",
        phase="contact",
        made=Choice(name=name, equity=made, plies=0),
        best=Choice(name="best", equity=best, plies=0),
        choices=(),
        spread=spread,
        is_forced=forced,
        cube=1,
        mwc_scale=None,
    )


@pytest.mark.parametrize(
    ("one", "xg", "gnubg"),
    [
        (decision("play", 0, 0), True, True),
        (decision("play", 0, 0, spread=0.0005), False, True),  # nothing to lose
        (decision("play", 0, 0, forced=True), False, False),
        (decision("double", 0, 0, name="no double", spread=-0.15), True, True),
        (decision("double", 0, 0, name="no double", spread=-0.18), True, False),
        (decision("double", 0, 0, name="no double", spread=-0.21), False, False),
        (decision("double", 0, 0, name="no double", spread=0.0), False, True),
        (decision("double", 0, 0.4, name="no double", spread=0.4), True, True),  # a missed double
        (decision("double", 0, 0, name="double", spread=0.9), True, True),
        (decision("double", -0.9, 0, name="double", spread=-0.9), True, True),
        (decision("answer", 0, 0, name="take"), True, True),
    ],
)
def test_what_counts_as_a_decision(one: Decision, xg: bool, gnubg: bool) -> None:
    assert (RATINGS["xg"].counts(one), RATINGS["gnubg"].counts(one)) == (xg, gnubg)


def test_ratings_are_errors_a_decision() -> None:
    from gammon.analysis._ratings import rate

    made = [decision("play", -0.1, 0.0), decision("play", 0, 0, forced=True), decision("answer", -0.02, 0.0)]
    assert rate("xg", made, 7).value == pytest.approx(500 * 0.12 / 2)
    assert rate("gnubg", made, 7).value == pytest.approx(1000 * 0.12 / 2)
    assert rate("snowie", made, 7).value == pytest.approx(1000 * 0.12 / 7)
    assert rate("xg", [], 0).value is None
    # A match that other programs rate 8.48: an error of 1.153 in 68 decisions (blunderDB, issue 595).
    assert round(500 * 1.153 / 68, 2) == 8.48
    assert [RATINGS["xg"].name(value) for value in (0, 2.5, 8.48, 99)] == [
        "world champion",
        "world class",
        "advanced",
        "distracted",
    ]
    with pytest.raises(SettingError, match="rating must be one of xg, gnubg, snowie"):
        rate("elo", made, 7)


def test_totals_add_up(found: Analysis) -> None:
    for player in (0, 1):
        whole = found.totals(player)
        kinds = [found.totals(player, kind=kind) for kind in ("play", "double", "answer")]
        games = [found.totals(player, game=game) for game in range(len(found.games))]
        for parts in (kinds, games):
            assert sum(part.decisions for part in parts) == whole.decisions
            assert sum(part.error for part in parts) == pytest.approx(whole.error)
            assert sum(part.marks["bad"] for part in parts) == whole.marks["bad"]
        phases = {one.phase for one in found.decisions}
        assert sum(found.totals(player, phase=phase).decisions for phase in phases) == whole.decisions
        assert sum(whole.marks.values()) == whole.decisions
    worst = found.errors()
    assert worst == sorted(worst, key=lambda one: -one.error)
    assert all(found.mark(one) for one in worst)
    assert len(found.errors(at_least=0.16)) == sum(found.totals(p).marks["very bad"] for p in (0, 1))


def test_thresholds_are_as_given() -> None:
    own = Thresholds(doubtful=0.02, bad=0.08, very_bad=0.08)
    assert [own.mark(error) for error in (0.019, 0.02, 0.08, 1)] == ["", "doubtful", "very bad", "very bad"]
    assert [own.luck_mark(luck) for luck in (0.29, 0.3, 0.6, -0.3, -0.6)] == [
        "",
        "lucky",
        "very lucky",
        "unlucky",
        "very unlucky",
    ]
    for wrong in ({"doubtful": 0}, {"bad": 0.01}, {"very_lucky": 0.1}):
        with pytest.raises(SettingError, match="must rise"):
            Thresholds(**wrong)


def test_arguments_that_mean_nothing_are_refused_at_once(match: Match) -> None:
    for life in (-0.1, 1.5, math.nan):
        with pytest.raises(CubeError, match=r"cube life .* is not between 0 and 1"):
            analyse(match, life=life)
    for close in (-0.02, math.nan):
        with pytest.raises(SettingError, match="close must be at least 0, got"):
            analyse(match, close=close)
    with pytest.raises(TypeError, match=r"got list; of a file: formats\.read\(path\)\.matches\[0\]"):
        analyse([match])  # type: ignore[arg-type]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"life": "0.5"}, "life must be a number, got '0.5'"),
        ({"close": None}, "close must be a number, got None"),
        ({"close": True}, "close must be a number, got True"),
        ({"thresholds": 0.1}, "thresholds must be an analysis.Thresholds, got float"),
    ]
    for options, message in wrong:
        with pytest.raises(TypeError, match=message):
            analyse(match, **options)
    for name in ("doubtful", "bad", "very_bad", "lucky", "very_lucky"):
        for value in (-1.0, math.nan):
            with pytest.raises(SettingError, match="must rise from above 0"):
                Thresholds(**{name: value})
        with pytest.raises(TypeError, match=f"{name} must be a number, got '1'"):
            Thresholds(**{name: "1"})  # type: ignore[arg-type]


def test_sums_of_what_there_is_not_are_refused(found: Analysis) -> None:
    games = len(found.games)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"player": 2}, "player must be one of 0, 1, got 2"),
        ({"player": "A"}, "player must be one of 0, 1, got 'A'"),
        ({"player": 0, "kind": "cube"}, "kind must be one of 'play', .*, got 'cube'"),
        ({"player": 0, "phase": "middle"}, "phase must be one of .*, got 'middle'"),
        ({"player": 0, "game": games}, f"game must be from 0 to {games - 1}, got {games}"),
        ({"player": 0, "game": -1}, "game must be from 0 .*, got -1"),
    ]
    for which, message in wrong:
        calls: list[Callable[..., object]] = [found.select, found.errors, found.totals]
        calls += [found.rating] if "phase" not in which else []
        calls += [found.luck_totals] if not {"phase", "kind"} & set(which) else []
        calls += [found.luck_adjusted] if len(which) == 1 else []
        for call in calls:
            with pytest.raises(SettingError, match=message):
                call(**which)
    assert found.totals(0, game=games - 1, phase="over").decisions == 0


# Tables, files, stopping.


def test_tables_have_a_row_a_decision(found: Analysis) -> None:
    table = found.table()
    assert {column.shape for column in table.values()} == {(len(found),)}
    assert table["error"].sum() == pytest.approx(sum(one.error for one in found))
    assert np.isfinite(table["error_mwc"]).all()
    assert (table["mwc"] <= table["best_mwc"] + 1e-9).all()
    assert found.rating(1).decisions == (table["counts_xg"] & (table["player"] == 1)).sum()
    luck = found.luck_table()
    assert {column.shape for column in luck.values()} == {(len(found.luck),)}
    money = analyse(random_session(3, games=1), plies=0)
    assert np.isnan(money.table()["error_mwc"]).all()


def test_json_keeps_an_analysis(found: Analysis) -> None:
    assert Analysis.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    changes: list[dict[str, Any]] = [{"version": 2}, {"decisions": [{}]}, {"settings": {}}, {"players": "A"}]
    for change in changes:
        with pytest.raises(MatchDataError, match="analysis"):
            Analysis.from_dict({**found.to_dict(), **change})


def test_words_of_python_are_not_told_as_ours() -> None:
    def read() -> None:
        raise TypeError("sequence item 0 must be str, not int")

    with pytest.raises(MatchDataError, match="values of other kinds, or too few"):
        checked(read)


def test_what_a_store_knows_is_not_judged_again(match: Match, found: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    stopped = analyse(match, plies=1, store=path, threads=1, progress=lambda done: False)
    assert not stopped.is_complete
    assert 0 < len(stopped.decisions) < len(found.decisions)
    assert stopped.decisions == found.decisions[: len(stopped.decisions)]
    with Store(path) as store:
        before = len(store)
        assert before > 0
        assert analyse(match, plies=1, store=store, threads=2) == found
        everything = len(store)
        assert everything > before
        assert analyse(match, plies=1, store=store) == found
        assert len(store) == everything
        assert analyse(match, plies=0, store=store) != found
        assert len(store) > everything
    data = path.read_bytes()
    path.write_bytes(data[:-20])  # the last line is cut off
    assert analyse(match, plies=1, store=path) == found
    path.write_bytes(b"something else\n")
    with pytest.raises(SettingError, match="line 1 is no judged decision"):
        Store(path)
    path.write_bytes(b"something else")
    with pytest.raises(SettingError, match="no file of judged decisions"):
        Store(path)
    with pytest.raises(SettingError, match="is no regular file"):
        Store(tmp_path)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="open files have no names there")
def test_a_store_is_no_open_file(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    with path.open("w+b") as report:
        report.write(b"something else\n")
        report.flush()
        with pytest.raises(SettingError, match="is no regular file, in which judged decisions could be kept"):
            Store(f"/dev/fd/{report.fileno()}")
    path.write_bytes(b"")
    with path.open("r+b") as report, pytest.raises(SettingError, match="is no regular file"):
        Store(f"/dev/fd/{report.fileno()}")
    assert path.read_bytes() == b""


def test_stores_keep_apart_what_differs(tmp_path: Path) -> None:
    store = Store()
    for place, beavers in (
        (LAST_ROLL, True),
        (LAST_ROLL, False),
        (LAST_ROLL.replace(":0:0:1:00", ":1:1:1:00"), True),
    ):
        game = at(Session(beavers=beavers), place)
        game.double()
        game.take()
        assert analyse(game, plies=0, store=store) == analyse(game, plies=0)
    match, other = Match(5, score=(0, 0)), Match(5, score=(3, 0))
    for series in (match, other):
        game = series.new_game()
        game.roll("31", player=0)
        game.play("8/5 6/5")
        assert analyse(series, plies=0, store=store) == analyse(series, plies=0)


def test_whoever_stops_waits_for_no_judgement_that_is_under_way() -> None:
    before = set(threading.enumerate())

    def judge(number: int) -> search.Ranking:
        # All plays four plies deep would take an hour.
        return gammon.rank("start", "31", plies=4, filter="all", threads=1)

    done = _all([0, 1, 2], judge, 2, {}, lambda done: False)  # type: ignore[list-item, arg-type]
    assert not done
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=10.0)
        assert not thread.is_alive()


def test_progress_is_told_everything_and_its_exceptions_come_out(match: Match) -> None:
    told: list[int] = []
    analyse(match, plies=0, progress=lambda done: told.extend([done]), threads=2)
    assert told[-1] == count(match)
    assert told == sorted(told)

    def fails(done: int) -> None:
        raise RuntimeError("enough")

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            analyse(match, plies=0, progress=fails, threads=threads)


def test_settings_out_of_range_are_refused(match: Match) -> None:
    for options in ({"plies": 9}, {"filter": "wild"}, {"shown": 0}, {"luck_plies": -1}):
        with pytest.raises(SettingError):
            analyse(match, **options)
    assert analyse(Match(3)).decisions == ()


@pytest.mark.parametrize("seed", range(6))
def test_random_matches_and_sessions_are_analysed(seed: int) -> None:
    for series in (random_match(seed), random_session(seed)):
        found = analyse(series, plies=0)
        assert found.is_complete
        assert not found.skipped
        assert Analysis.from_dict(json.loads(json.dumps(found.to_dict()))) == found
        assert str(found).count("\n") > 10
