"""Matches and sessions of the other games: targets, rounds, starters, cubes, money."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from gammon import variants
from gammon.errors import SettingError
from gammon.variants import EcrireMatch, TavliMatch, VariantMatch, VariantResult
from reference.variants.match import ecrire, tavli

SINGLE = VariantResult("me", "single", 1)
GAMMON = VariantResult("opponent", "gammon", 2)
DRAW = VariantResult(None, "draw", 0)
VOID = VariantResult(None, "void", 0)


def match_of(name: str, *, options: dict[str, Any] | None = None, **more: Any) -> VariantMatch:
    return VariantMatch(variants.get(name, options), **more)


@pytest.mark.parametrize("target", [3, 5, 7])
@pytest.mark.parametrize("mode", ["race", "best_of_three"])
def test_tavli_is_scored_as_by_the_reference(target: int, mode: str) -> None:
    chance = random.Random(f"{target}{mode}")
    for _ in range(50):
        match, games = TavliMatch(target=target, mode=mode), []  # type: ignore[arg-type]
        while match.winner is None:
            winner = chance.choice(
                ["me", "opp", "me", "opp", None] if match.next_game == "plakoto" else ["me", "opp"]
            )
            points = 0 if winner is None else chance.choice([1, 2])
            games.append({"winner": winner, "points": points})
            match.add({"me": "me", "opp": "opponent", None: None}[winner], points)
            state = tavli({"tavli.target": target, "tavli.mode": mode}, games)
            assert list(match.score) == state["score"]
            assert state["over"] == (match.winner is not None)
            if match.winner is None:
                assert match.next_game == state["next"]
                assert (match.starter or "roll").replace("opponent", "opp") == state["starter"]


def test_tavla_goes_to_five_and_winners_start() -> None:
    match = match_of("tavla")
    assert (match.target, match.starter, match.uses_opening_dice) == (5, None, False)
    match.add(GAMMON)
    match.add(GAMMON)
    assert (match.starter, match.is_over, match.winner) == ("opponent", False, None)
    match.add(SINGLE)
    match.add(GAMMON)
    assert (match.score, match.is_over, match.winner) == ((1, 6), True, "opponent")
    with pytest.raises(SettingError, match="the match is over"):
        match.add(SINGLE)
    assert match_of("tavla", options={"tavla.target": 7}).target == 7
    assert match_of("tavla", target=3).target == 3
    assert match_of("tavla", games=1).target is None


def test_katmerli_mars_counts_three_where_it_is_chosen() -> None:
    triple = variants.get("tavla", triple=True)
    lost = {"me": {}, "opp": {"24": 1, "6": 14}, "off": [15, 0]}
    for game, points in ((triple, 3), (variants.get("tavla"), 2)):
        result = game.position(lost).result
        assert result is not None
        match = VariantMatch(game)
        match.add(result)
        assert match.score == (points, 0)


def test_games_in_a_row_may_end_level() -> None:
    match = match_of("trictrac", games=2)
    match.add(VariantResult("me", "bredouille", 2))
    assert (match.is_over, match.starter, match.uses_opening_dice) == (False, None, True)
    match.add(VariantResult("opponent", "bredouille", 2))
    assert (match.is_over, match.winner, match.score) == (True, None, (2, 2))


def test_draws_count_and_void_games_do_not() -> None:
    match = match_of("nardi_long", options={"nardi_long.last_throw_draw": True}, games=3)
    match.add(VOID)
    match.add(DRAW)
    match.add(SINGLE)
    assert (match.is_over, match.score) == (False, (1, 0))
    match.add(GAMMON)
    assert (match.winner, match.score) == ("opponent", (1, 2))
    plakoto = match_of("plakoto", target=3)
    plakoto.add(SINGLE)
    starters = [plakoto.starter]
    plakoto.add(DRAW)
    assert [*starters, plakoto.starter] == ["me", None]
    assert plakoto.score == (1, 0)


def test_a_drawn_long_nardi_is_recognised() -> None:
    game = variants.get("nardi_long", last_throw_draw=True)
    fields = {"me": {"1": 1}, "opp": {}, "off": [14, 15], "started": False, "turns": [3, 3]}
    position = game.position(fields)
    assert position.result is None  # the second player's last throw
    after = position.plays("21")[0].after
    assert after.result == DRAW


def test_acey_deucey_is_played_for_a_stake_a_checker() -> None:
    game = variants.get("acey_deucey")
    result = game.position({"me": {}, "opp": {"6": 7}, "hand": [0, 2], "off": [15, 6]}).result
    assert result == VariantResult("me", "single", 9)
    match = VariantMatch(game, stake=0.25)
    match.add(result)
    assert (match.score, match.balance, match.is_over) == ((9, 0), 2.25, False)
    assert not match.cube_allowed
    with pytest.raises(SettingError, match="acey_deucey is played without a cube"):
        match.add(result, cube=2)
    with pytest.raises(SettingError, match="without a cube: nothing was doubled"):
        match.drop("me")


CUBES = {"nackgammon", "longgammon", "hypergammon", "nardi_short", "dutch"}


@pytest.mark.parametrize("name", variants.names())
def test_the_cube_is_allowed_where_the_rules_have_one(name: str) -> None:
    assert match_of(name).cube_allowed == (name in CUBES)
    for option in ("nardi_short", "dutch"):
        assert not match_of(option, options={f"{option}.cube": False}).cube_allowed
    assert match_of("nardi_long", options={"nardi_long.cube": True}).cube_allowed


def test_the_first_game_a_point_from_victory_has_no_cube() -> None:
    match = match_of("nardi_short", target=5)
    match.add(VariantResult("me", "gammon", 2), cube=2)
    assert (match.score, match.is_crawford, match.cube_allowed) == ((4, 0), True, False)
    with pytest.raises(SettingError, match="the Crawford game is played without a cube"):
        match.add(SINGLE, cube=2)
    match.add(VOID)
    assert match.is_crawford
    match.add(GAMMON)
    assert (match.is_crawford, match.cube_allowed) == (False, True)
    match.drop("opponent", cube=2)
    assert match.score == (4, 4)
    assert not match_of("nardi_short", target=1, crawford=False).is_crawford
    assert not match_of("nardi_short", target=1).cube_allowed


def test_money_games_are_settled_for_any_fraction() -> None:
    match = match_of("hypergammon", stake=5)
    match.add(VariantResult("me", "gammon", 2), cube=4)
    match.settle("opponent", Fraction(3, 2), cube=2)
    match.drop("opponent", cube=2)
    assert match.score == (8, Fraction(7, 2))
    assert match.balance == 22.5
    assert [game.kind for game in match.played] == ["gammon", "settled", "drop"]
    with pytest.raises(SettingError, match="settled for 0 to 6 points, not 7"):
        match.settle("me", 7, cube=2)
    with pytest.raises(SettingError, match="not in a match"):
        match_of("hypergammon", target=5).settle("me", 1)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"target": 0}, "target must be a whole number of at least 1, got 0"),
    ({"games": 1.5}, "games must be a whole number"),
    ({"target": 3, "games": 3}, "not both"),
    ({"stake": -1.0}, "the stake of a point must be positive"),
]


@pytest.mark.parametrize(("settings", "text"), BAD)
def test_what_is_no_match_is_named(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(SettingError, match=text):
        match_of("portes", **settings)


def test_what_is_no_cube_or_player_is_named() -> None:
    match = match_of("nackgammon")
    with pytest.raises(SettingError, match=r"a cube shows 1, 2, 4, \.\.\., not 3"):
        match.add(SINGLE, cube=3)
    with pytest.raises(SettingError, match="'me' or 'opponent', not 'you'"):
        match.drop("you")  # type: ignore[arg-type]


@pytest.mark.parametrize("rounds", [2, 8, 24])
def test_rounds_are_paid_as_by_the_reference(rounds: int) -> None:
    game = variants.get("trictrac", mode="ecrire", rounds=rounds)
    chance = random.Random(rounds)
    for _ in range(30):
        match, games = EcrireMatch(game), []
        while not match.is_over:
            mine, his = chance.randint(6, 14), chance.choice([0, 3, 6, 7, 9, 12])
            run = chance.randint(0, max(mine, his))
            games.append((mine, his, run))
            match.add(mine, his, run=run)
            expected = ecrire(rounds, games)
            assert (match.balance, match.decided) == (expected["paid"], expected["won"])
            assert match.draws == (0 if match.is_over else expected["draws"])
            if not match.is_over:
                assert match.starter == {"me": "me", "opp": "opponent"}[expected["first"]]
        sign = (match.balance > 0) - (match.balance < 0)
        assert match.winner == {1: "me", -1: "opponent", 0: None}[sign]


def test_a_round_is_read_off_its_last_position() -> None:
    game = variants.get("trictrac", mode="ecrire", rounds=2)
    start = {"24": 15}
    tt = {"holes": [3, 8], "best_runs": [0, 6]}
    position = game.position({"me": start, "opp": start, "tt": tt, "asks": ["nothing"]})
    result = position.result
    assert result is not None
    assert (result.winner, result.points) == ("opponent", 17)
    match = EcrireMatch(game, first="opponent")
    assert match.starter == "opponent"
    match.add_position(position, "me")
    assert (match.rounds[0].winner, match.rounds[0].payment, match.starter) == ("opponent", 17, "me")
    match.add_position(position, "opponent")
    assert (match.is_over, match.balance, match.winner) == (True, 0, None)
    with pytest.raises(SettingError, match="all 2 rounds are played"):
        match.add(8, 3)


def test_drawn_rounds_double_the_consolation() -> None:
    match = EcrireMatch(variants.get("trictrac", mode="ecrire"))
    match.add(7, 7)
    match.add(6, 6)
    assert (match.draws, match.starter, match.balance) == (2, "me", 0)
    match.add(3, 9)
    assert (match.draws, match.starter, match.balance) == (0, "opponent", -(9 - 3 + 2 * 4))


def test_what_is_no_round_is_named() -> None:
    game = variants.get("trictrac", mode="ecrire")
    with pytest.raises(SettingError, match="mode='ecrire'"):
        EcrireMatch(variants.get("trictrac"))
    match = EcrireMatch(game)
    for numbers, text in [
        ((5, 3, 0), "six holes or more"),
        ((8, 3, 9), "longer"),
        ((8, -1, 0), "at least 0"),
    ]:
        with pytest.raises(SettingError, match=text):
            match.add(numbers[0], numbers[1], run=numbers[2])
    with pytest.raises(SettingError, match="no round of"):
        match.add_position(game.start, "me")
    with pytest.raises(SettingError, match="rounds cannot be"):
        variants.get("trictrac", mode="ecrire", rounds=3)
