"""Cube decisions from Python; the model itself is checked in `rust/core/tests/cube.rs`."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Met, Position, Situation, cube, met
from gammon.errors import ArrayError, CubeError, IllegalSituationError, MetError, SettingError
from golden import rows

LAST_ROLL = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"
GAMMONLESS = (0.6, 0.0, 0.0, 0.0, 0.0)


def money(**parts: Any) -> Situation:
    return Situation.from_parts(Position.start(), **parts)


def at_score(away: int, opp_away: int, **parts: Any) -> Situation:
    length = max(away, opp_away)
    return Situation.from_parts("start", length=length, score=(length - away, length - opp_away), **parts)


def test_dead_and_live_take_points_of_a_money_cube() -> None:
    centred = money(cube_limit=None)
    dead, live = cube.points(centred, GAMMONLESS, life=0), cube.points(centred, GAMMONLESS, life=1)
    assert dead.take == pytest.approx(0.25)
    assert live.take == pytest.approx(0.20)
    assert live.recube_vig == pytest.approx(0.05)
    assert (dead.double, dead.cash) == pytest.approx((0.5, 0.75))
    assert dead.dead_window == pytest.approx((0.5, 0.75))
    assert [dead.too_good, dead.beaver, dead.raccoon, dead.redoubled_window] == [None] * 4
    beavers = cube.points(money(beavers=True, cube_limit=None), GAMMONLESS, life=1)
    assert (beavers.beaver, beavers.raccoon) == pytest.approx((0.4, 0.6))
    redoubled = cube.points(at_score(2, 3), GAMMONLESS).redoubled_window
    assert redoubled is not None
    assert redoubled[1] == pytest.approx(met.load().mwc(1, 3, crawford=True))
    assert dead.gammon_value == dead.opponent_gammon_value == (0.5, 1.0)


def test_a_hopeless_double_is_beavered() -> None:
    decision = cube.decide(LAST_ROLL, (6 / 36, 0, 0, 0, 0), life=0)
    assert decision.label == "no double, beaver"
    assert (decision.action, decision.answer, decision.beaver_reply) == ("no double", "beaver", "drop")
    assert decision.no_double_equity == pytest.approx(-2 / 3)
    assert decision.double_take_equity == pytest.approx(-4 / 3)
    assert decision.wrong_take_error == pytest.approx(2 - 4 / 3)
    assert decision.points(decision.no_double_equity) == pytest.approx(-2 / 3)
    assert decision.mwc(0.0) is None


def test_points_count_the_cube() -> None:
    decision = cube.decide(money(cube=4, cube_owner="roller"), GAMMONLESS, life=0)
    assert decision.no_double_equity == pytest.approx(0.2)
    assert decision.points(decision.no_double_equity) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("situation", "refusal", "label"),
    [
        (at_score(2, 1, crawford=True), "crawford", "Crawford game"),
        (at_score(1, 1), "dead-cube", "dead cube"),
        (at_score(3, 2, cube=4, cube_owner="roller"), "dead-cube", "dead cube"),
        (money(cube=2, cube_owner="opponent"), "not-owned", "cube not available"),
        (money(cube=8, cube_limit=8), "cube-limit", "cube at its limit"),
    ],
)
def test_where_no_double_may_be_offered_the_answer_says_so(
    situation: Situation, refusal: str, label: str
) -> None:
    decision = cube.decide(situation, GAMMONLESS)
    assert (decision.refusal, decision.label) == (refusal, label)
    missing = [decision.action, decision.answer, decision.double_take_equity, decision.double_gain]
    assert missing == [None] * 4
    assert decision.missed_double_error == 0
    assert decision.optimal_equity == decision.no_double_equity


def test_the_trailer_doubles_after_the_crawford_game() -> None:
    assert cube.decide(at_score(2, 1), (0.52, 0, 0, 0, 0)).label == "double, free drop"
    assert cube.decide(at_score(3, 1), (0.52, 0, 0, 0, 0)).label == "double, take"
    assert cube.decide(at_score(2, 1), (0.52, 0, 0, 0, 0)).is_free_drop


def test_match_equities_have_their_winning_chances() -> None:
    table = met.load()
    decision = cube.decide(at_score(3, 4), (0.7, 0.2, 0.0, 0.1, 0.0))
    assert decision.double_pass_equity == 1
    assert decision.mwc(1.0) == pytest.approx(table.mwc(2, 4))
    assert decision.mwc(-1.0) == pytest.approx(table.mwc(3, 3))
    assert decision.points(1.0) is None
    cubeless = 0.5 * table.mwc(2, 4) + 0.2 * table.mwc(1, 4, crawford=True)
    cubeless += 0.2 * table.mwc(3, 3) + 0.1 * table.mwc(3, 2)
    assert decision.mwc(decision.cubeless_equity) == pytest.approx(cubeless)


def test_a_table_of_unequal_players_favours_seat_one() -> None:
    table = met.load("jac100")
    position = Position.start()
    strong, weak = (
        cube.decide(Situation.from_parts(position, length=3, seat=seat), (0.5, 0, 0, 0, 0), met=table)
        for seat in (1, 0)
    )
    here, there = strong.mwc(strong.no_double_equity), weak.mwc(weak.no_double_equity)
    assert here is not None
    assert there is not None
    assert here > 0.52
    assert here + there == pytest.approx(1)


def test_the_packaged_net_answers_without_chances() -> None:
    five = cube.chances("start")
    assert five == pytest.approx(gammon.evaluate(Position.start().board[None])[0])
    assert cube.decide("start").no_double_equity == cube.decide("start", five).no_double_equity
    assert cube.decide("start").label == "no double, take"


def test_bad_input_is_named() -> None:
    for bad in ((1.2, 0, 0, 0, 0), (0.5, 0.6, 0, 0, 0), (float("nan"), 0, 0, 0, 0), (0.5, 0.1, 0.2, 0, 0)):
        with pytest.raises(CubeError, match="are no chances"):
            cube.decide("start", bad)
    with pytest.raises(SettingError, match="five chances"):
        cube.decide("start", (0.5, 0.2))
    with pytest.raises(CubeError, match=r"cube life 1\.5"):
        cube.decide("start", GAMMONLESS, life=1.5)
    with pytest.raises(CubeError, match="cube life NaN"):
        cube.points("start", GAMMONLESS, life=float("nan"))
    with pytest.raises(CubeError, match="is over"):
        cube.decide(at_score(3, 2, state="over"), GAMMONLESS)
    with pytest.raises(CubeError, match="over"):
        cube.decide(Situation.from_parts("start", length=3, score=(3, 0)), GAMMONLESS)
    with pytest.raises(CubeError, match="dice have been thrown"):
        cube.decide(money(roll="31"), GAMMONLESS)
    with pytest.raises(CubeError, match="cube at 1 has an owner"):
        cube.decide(money(cube_owner="roller"), GAMMONLESS)
    with pytest.raises(CubeError, match="cube is dead"):
        cube.decide(at_score(1, 1, offer="double"), GAMMONLESS)
    with pytest.raises(MetError, match="100 points away"):
        cube.decide(at_score(100, 3), GAMMONLESS)
    with pytest.raises(MetError, match="unknown match equity table"):
        cube.decide(at_score(5, 3), GAMMONLESS, met="snowie")


def test_a_double_with_a_dead_cube_is_an_error() -> None:
    for dead in (at_score(1, 1, offer="double"), at_score(3, 2, cube=4, cube_owner="roller", offer="double")):
        with pytest.raises(CubeError, match="the cube is dead"):
            cube.decide(dead, GAMMONLESS)
        for plies in (0, 1):
            with pytest.raises(CubeError, match="the cube is dead"):
                cube.decide(dead, plies=plies)


def test_situations_that_cannot_be_have_no_decision() -> None:
    with pytest.raises(IllegalSituationError, match="neither player is one point from winning"):
        at_score(3, 2, crawford=True)
    with pytest.raises(IllegalSituationError, match="a double in the Crawford game"):
        at_score(2, 1, crawford=True, offer="double")
    with pytest.raises(IllegalSituationError, match="a double by a player who does not own the cube"):
        money(cube=2, cube_owner="opponent", offer="double")
    with pytest.raises(IllegalSituationError, match="above the cube's limit 8"):
        money(cube=8, cube_limit=8, offer="double")


def test_a_table_is_needed_for_a_match_only() -> None:
    assert cube.decide("start", GAMMONLESS, met="nobody knows").refusal is None
    with pytest.raises(CubeError, match="needs a match equity table"):
        gammon._native.cube_decision(at_score(5, 3), GAMMONLESS)


def draw(n: int, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    unit = np.random.default_rng(seed).random((n, 5), np.float32)
    win = unit[:, 0]
    won, lost = win * unit[:, 1] * 0.6, (1 - win) * unit[:, 2] * 0.6
    return np.stack([win, won, won * unit[:, 3] * 0.2, lost, lost * unit[:, 4] * 0.2], axis=1)


@pytest.mark.parametrize(
    "score", [money(jacoby=True, beavers=True), at_score(4, 2), at_score(1, 5, crawford=True)]
)
def test_many_decisions_are_what_single_ones_are(score: Situation) -> None:
    probs = draw(300, seed=1)
    life = np.linspace(0, 1, 300)
    many = cube.decide_many(score, probs, life)
    for row in range(0, 300, 7):
        one = cube.decide(score, probs[row].tolist(), life=life[row])
        assert many.no_double_equity[row] == one.no_double_equity
        assert many.optimal_equity[row] == one.optimal_equity
        if one.action is None or one.answer is None:
            assert np.isnan(many.double_take_equity[row])
            assert many.action[row] == many.answer[row] == 255
        else:
            assert many.double_take_equity[row] == one.double_take_equity
            assert ("no double", "too good", "double")[many.action[row]] == one.action
            assert ("take", "pass", "beaver")[many.answer[row]] == one.answer


def test_threads_change_nothing() -> None:
    probs = draw(30_000, seed=2)
    one, two = (cube.decide_many(at_score(7, 5), probs, 0.7, threads=threads) for threads in (1, 2))
    for name in ("no_double_equity", "double_take_equity", "optimal_equity", "action", "answer"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_batches_name_the_first_bad_row() -> None:
    probs = draw(20_000, seed=3)
    probs[12_345, 0] = np.nan
    probs[19_000, 0] = np.nan
    with pytest.raises(ArrayError, match="row 12345"):
        cube.decide_many("start", probs, 0.7, threads=2)
    with pytest.raises(ArrayError, match="float32"):
        cube.decide_many("start", draw(3, 4).astype(np.float64), 0.7)
    with pytest.raises(ArrayError, match=r"\(n, 5\)"):
        cube.decide_many("start", draw(3, 4)[:, :4], 0.7)
    with pytest.raises(ArrayError, match=r"\(3,\)"):
        cube.decide_many("start", draw(3, 4), np.array([0.7]))
    assert len(cube.decide_many("start", draw(0, 4), 0.7).action) == 0


def test_each_cell_of_a_matrix_is_its_own_score() -> None:
    five = (0.66, 0.2, 0.01, 0.1, 0.0)
    cells = cube.matrix("start", 5, five)
    assert cells[0][2].refusal == cells[3][0].refusal == "crawford"
    assert cells[0][0].refusal == "dead-cube"
    assert cells[2][3].no_double_equity == cube.decide(at_score(3, 4), five).no_double_equity
    for size in (0, 65):
        with pytest.raises(SettingError, match="size"):
            cube.matrix("start", size, five)


PLACES: dict[str, dict[str, Any]] = {
    "centered_jacoby": {"jacoby": True},
    "centered": {},
    "owned": {"cube": 2, "cube_owner": "roller"},
}


def clear_two_ply() -> Iterator[tuple[Situation, list[float], dict[str, Any]]]:
    for row in rows("evals.jsonl.gz"):
        if row["class"] == "bearoff2":
            continue
        for name, parts in PLACES.items():
            yield Situation.from_parts(row["position_id"], **parts), row["p2"][:5], row["cf2"][name]


def test_verdicts_follow_two_ply_search_in_money_play() -> None:
    clear = agree = 0
    off = []
    for situation, five, printed in clear_two_ply():
        decision = cube.decide(situation, five)
        no_double, take = printed["nd"], printed["dt"]
        assert decision.double_take_equity is not None
        off += [abs(decision.no_double_equity - no_double), abs(decision.double_take_equity - take) / 2]
        if min(abs(min(take, 1) - no_double), abs(take - 1)) > 0.03:
            clear += 1
            action = "double" if min(take, 1) > no_double else "too good" if no_double > 1 else "no double"
            agree += (decision.action, decision.answer) == (action, "pass" if take > 1 else "take")
    print(f"{agree} of {clear} agree, mean {np.mean(off):.4f}, worst {max(off):.3f}")
    assert clear > 2000
    assert agree >= 0.99 * clear
    assert np.mean(off) < 0.025


def test_decisions_cannot_be_changed() -> None:
    decision = cube.decide("start", GAMMONLESS)
    with pytest.raises(AttributeError):
        decision.label = "double"  # type: ignore[misc]
    assert repr(decision).startswith("<CubeDecision ")
    assert isinstance(met.load(), Met)


@pytest.mark.parametrize("kind", ["contact", "crashed", "race", "bearoff1"])
def test_cube_life_is_where_the_model_comes_closest_to_search(kind: str) -> None:
    # Squared differences of no double in three places of the cube and of half of double and take, two-ply.
    found = [row for row in rows("evals.jsonl.gz") if row["class"] == kind]
    probs = np.array([row["p2"][:5] for row in found], np.float32)

    def difference(life: float) -> float:
        total = 0.0
        for name, parts in PLACES.items():
            decided = cube.decide_many(money(**parts), probs, life)
            no_double = np.array([row["cf2"][name]["nd"] for row in found])
            take = np.array([row["cf2"][name]["dt"] for row in found])
            total += np.square(decided.no_double_equity - no_double).sum()
            total += np.square(decided.double_take_equity - take).sum() / 4
        return float(np.sqrt(total / (6 * len(found))))

    lives = {cube.decide(Situation.from_parts(row["position_id"]), GAMMONLESS).life for row in found}
    (life,) = lives
    best = min((step / 50 for step in range(51)), key=difference)
    print(f"{kind}: {len(found)} positions, {difference(life):.4f} at {life}")
    assert life == best
