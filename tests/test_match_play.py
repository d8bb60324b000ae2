"""Dice, clocks, players, and whole matches played by them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

import gammon
from gammon import Roll, Situation, evaluators
from gammon.errors import IllegalActionError, IllegalPlayError, IllegalRollError, SettingError
from gammon.match import (
    STRENGTHS,
    Clock,
    Engine,
    FairDice,
    Game,
    GivenDice,
    Match,
    Played,
    Resignation,
    SeededDice,
    Series,
    Session,
    Setup,
    Terms,
    TimeControl,
    play_match,
    verify,
)
from random_matches import random_match, random_player, random_session
from set_up import at

# Dice.


def test_seeded_dice_are_the_rolls_of_the_core() -> None:
    dice = SeededDice(1)
    # Recorded in the core's own test as the first rolls of trial 0.
    assert " ".join(str(Roll(*dice(0, turn))) for turn in range(6)) == "43 43 42 65 21 61"
    assert dice(3, 7) == SeededDice(1)(3, 7) != SeededDice(2)(3, 7) or dice(3, 8) != SeededDice(2)(3, 8)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(SettingError, match="seed"):
        Match(3, seed=seed)


def test_given_dice_keep_their_order_and_run_out() -> None:
    dice = GivenDice(["13", (2, 6), Roll(4, 1)])
    assert [dice(1, turn) for turn in range(3)] == [(1, 3), (2, 6), (4, 1)]
    with pytest.raises(SettingError, match="no more dice: 3 throws were given"):
        dice(1, 3)
    with pytest.raises(IllegalRollError):
        GivenDice(["17"])(1, 0)
    with pytest.raises(SettingError, match="dice or a seed, not both"):
        Match(1, dice=dice, seed=1)


def test_a_throw_taken_back_comes_again() -> None:
    game = Match(3, seed=9).new_game()
    first = game.roll()
    game.play(game.plays[0])
    second = game.roll()
    game.undo(4)
    assert (game.phase, game.roll()) == ("start", first)
    game.play(game.plays[1])
    assert game.roll() == second


SECRETS = ("11" * 32, "2f" * 32)


def test_fair_dice_are_what_their_description_says() -> None:
    dice = FairDice.of(*SECRETS)
    for game, turn in ((1, 0), (1, 1), (2, 0), (9, 300)):
        data = bytes.fromhex("".join(SECRETS)) + b"".join(n.to_bytes(4, "big") for n in (game, turn, 0))
        used = [byte for byte in hashlib.sha256(data).digest() if byte < 252][:2]
        assert dice(game, turn) == (used[0] % 6 + 1, used[1] % 6 + 1)
    text = b"gammon dice commitment\x01" + bytes.fromhex(SECRETS[1])
    assert dice.commitments[1] == hashlib.sha256(text).hexdigest()


def test_fair_dice_are_even() -> None:
    dice = FairDice.of(*SECRETS)
    counts = [0] * 36
    for turn in range(18_000):
        first, second = dice(1, turn)
        counts[(first - 1) * 6 + second - 1] += 1
    # Chi-square with 35 degrees of freedom: 66.6 is exceeded once in a thousand secrets.
    assert sum((count - 500) ** 2 / 500 for count in counts) < 66.6


def test_secrets_are_bound_to_their_commitments() -> None:
    told = FairDice(FairDice.of(*SECRETS).commitments)
    with pytest.raises(SettingError, match="not known yet"):
        told(1, 0)
    assert told.reveal(*SECRETS) == FairDice.of(*SECRETS)
    with pytest.raises(SettingError, match="seat 0 does not belong"):
        told.reveal(SECRETS[1], SECRETS[1])
    with pytest.raises(SettingError, match="32 bytes in hexadecimal"):
        FairDice.of("11" * 31, SECRETS[1])
    # The seat is in the commitment: copying the other's does not copy his secret.
    assert FairDice.commitment(0, SECRETS[0]) != FairDice.commitment(1, SECRETS[0])
    assert len({FairDice.new_secret() for _ in range(9)}) == 9
    assert SECRETS[0] not in repr(FairDice.of(*SECRETS))


@pytest.mark.parametrize("opening", ["use_dice", "reroll"])
def test_a_match_on_fair_dice_is_verified_from_its_file(opening: Any) -> None:
    match = Match(3, dice=FairDice.of(*SECRETS), opening=opening)
    play_match(match, (random_player(1), random_player(2)))
    read = Series.from_dict(json.loads(json.dumps(match.to_dict())))
    assert read == match
    assert verify(read) == []
    other = FairDice.of(SECRETS[0], "30" * 32)
    assert len(verify(read, other)) > 10


def test_a_throw_that_was_made_up_is_found() -> None:
    match = Match(1, dice=FairDice.of(*SECRETS))
    game = match.new_game()
    game.roll()
    game.play(game.plays[0])
    true = Roll(*FairDice.of(*SECRETS)(1, game.thrown))
    game.roll("66" if true != Roll(6, 6) else "55")
    assert verify(match) == [f"game 1, record 3: the roll is {game.state.roll}, not {true}"]
    by_hand = Match(1, dice=FairDice.of(*SECRETS))
    by_hand.new_game().roll("31", player=0)
    assert "the throws for the start are not recorded" in verify(by_hand)[0]
    with pytest.raises(SettingError, match="does not say where its dice came from"):
        verify(Match(1))


# Clocks.


@pytest.mark.parametrize(
    ("kind", "used", "running", "left"),
    [
        ("simple_delay", 5, 60, 60),
        ("simple_delay", 20, 52, 52),
        ("bronstein", 5, 55, 60),
        ("bronstein", 20, 40, 52),
        ("fischer", 5, 55, 67),
        ("fischer", 20, 40, 52),
    ],
)
def test_a_turn_costs_what_its_clock_says(kind: Any, used: float, running: float, left: float) -> None:
    clock = Clock(TimeControl(kind, reserve=60, delay=12))
    clock.start(0, now=100)
    assert clock.left(0, now=100 + used) == running
    clock.press(now=100 + used)
    assert (clock.left(0, now=900), clock.running) == (left, 1)


@pytest.mark.parametrize(("kind", "falls"), [("simple_delay", 72), ("bronstein", 60), ("fischer", 60)])
def test_a_flag_falls_when_the_reserve_is_used_up(kind: Any, falls: float) -> None:
    clock = Clock(TimeControl(kind, reserve=60, delay=12))
    clock.start(1, now=0)
    assert clock.flagged(now=falls - 0.01) is None
    assert clock.flagged(now=falls) == 1
    clock.grant(1, 30, now=falls)
    assert (clock.left(1, now=falls), clock.left(1, now=falls + 10)) == (30, 20)


def test_the_usual_time_control() -> None:
    assert TimeControl.standard(7) == TimeControl("simple_delay", 14 * 60, 12)
    assert TimeControl.standard(7, (2, 1)).reserve == 11 * 60
    teams = TimeControl.standard(7, (2, 1), per_point=150, per_point_scored=75, delay=18)
    assert (teams.reserve, teams.delay) == (13.75 * 60, 18)


def test_clocks_refuse_nonsense() -> None:
    with pytest.raises(SettingError, match="kind must be"):
        TimeControl("hourglass", 60)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="reserve must be above 0"):
        TimeControl("fischer", 0)
    clock = Clock(TimeControl("fischer", 60, 10))
    with pytest.raises(SettingError, match="the clock stands"):
        clock.press(1)
    with pytest.raises(SettingError, match="seat must be 0 or 1"):
        clock.start(2, 1)
    clock.start(0, 10)
    with pytest.raises(SettingError, match="time runs forwards"):
        clock.left(0, 9)


def seconds(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


def test_a_match_on_the_clock_says_what_time_is_left() -> None:
    ticks = seconds(1.0)
    match = Match(1, seed=3)
    clock = Clock(TimeControl("simple_delay", 600, 0.5))
    play_match(match, (random_player(1), random_player(2)), clock=clock, time=lambda: next(ticks))
    timed = [moment.record for moment in match.games[0] if moment.record.kind in ("play", "cube")]
    left = [record.time_left for record in timed if record.time_left is not None]
    assert len(left) == len(timed)
    assert all(one is not None and one < 600 for one in left[-1])
    assert left == sorted(left, key=lambda pair: -((pair[0] or 0) + (pair[1] or 0)))


def test_a_slow_player_loses_on_time() -> None:
    ticks = seconds(5.0)
    match = Match(3, seed=3)
    clock = Clock(TimeControl("simple_delay", 60, 4))
    play_match(match, (random_player(1), random_player(2)), clock=clock, time=lambda: next(ticks))
    assert match.winner is not None
    assert match.games[-1].result is not None
    assert match.games[-1].result.reason == "time"


def test_a_slow_player_may_pay_with_points() -> None:
    ticks = seconds(5.0)
    match = Match(9, seed=3, flag_fall=1)
    clock = Clock(TimeControl("bronstein", 100, 1))
    players = (random_player(1, doubles=0, resigns=0), random_player(2, doubles=0, resigns=0))
    play_match(match, players, clock=clock, time=lambda: next(ticks), penalty_reserve=50, games=1)
    flags = [moment.record for moment in match.games[0] if moment.record.kind == "flag"]
    assert len(flags) > 1
    assert sum(match.score) >= len(flags)
    with pytest.raises(SettingError, match="a clock needs a time"):
        play_match(match, players, clock=clock)


# Players.


def test_engines_are_reproducible_and_noise_weakens_them() -> None:
    def games(seed: int, noise: float) -> Match:
        match = Match(1, seed=2)
        return play_match(match, (Engine(noise=noise, seed=seed), Engine(noise=noise, seed=seed)))  # type: ignore[return-value]

    assert games(1, 0.2) == games(1, 0.2)
    assert games(1, 0.2) != games(2, 0.2)
    assert games(1, 0.0) == games(2, 0.0)


def test_named_strengths() -> None:
    noises = [noise for _, noise in STRENGTHS.values()]
    assert noises == sorted(noises, reverse=True)
    assert Engine.named("casual").noise == 0.12
    assert Engine.named("strongest").plies == 2
    with pytest.raises(SettingError, match="strength must be one of beginner"):
        Engine.named("grandmaster")
    with pytest.raises(SettingError, match="noise must be at least 0"):
        Engine(noise=-1)


LAST_ROLL = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"  # 6 of 36 rolls win
SURE = "XGID=-A--A-------------------a-:0:0:1:00:0:0:0:0:10"  # 29 of 36 rolls win


def test_an_engine_doubles_takes_passes_and_beavers() -> None:
    engine = Engine(evaluator=evaluators.composite())  # which knows both positions from a table
    assert engine(at(Session(), LAST_ROLL)) == "roll"
    game = at(Session(), LAST_ROLL)
    game.double()
    assert engine(game) == "beaver"
    game.beaver()
    assert engine(game) == "pass"
    game = at(Session(beavers=False), LAST_ROLL)
    game.double()
    assert engine(game) == "take"
    game = at(Session(jacoby=True), SURE)
    assert engine(game) == "double"
    game.double()
    assert engine(game) == "pass"


def test_an_engine_raccoons_a_beaver_that_is_wrong() -> None:
    game = at(Session(raccoons=True), SURE)
    game.double()
    game.beaver()
    assert Engine(evaluator=evaluators.composite())(game) == "raccoon"
    game.raccoon()
    assert Engine(evaluator=evaluators.composite())(game) == "pass"


@pytest.mark.parametrize(
    ("level", "answer"), [("single", "decline"), ("gammon", "accept"), ("backgammon", "accept")]
)
def test_an_engine_accepts_what_the_game_is_worth(level: Any, answer: str) -> None:
    # Seat 0 has borne off nothing and will not before seat 1 has borne off his last checker.
    game = at(Session(jacoby=False), "XGID=-A--------------------eee-:0:0:1:00:0:0:0:0:10")
    game.resign(level, player=0)
    assert Engine()(game) == answer


def test_an_engine_accepts_a_single_game_where_no_gammon_is_left() -> None:
    game = at(Session(), "XGID=-A---------------------b--:0:0:1:00:0:0:0:0:10")
    game.resign("single", player=0)
    assert Engine()(game) == "accept"


def test_an_engine_declines_to_be_given_too_little_in_a_match() -> None:
    match = Match(7, score=(0, 5))
    game = match.new_game()
    game.add(Setup(1, gammon.parse("XGID=-A--------------------eee-:0:0:1:00:0:5:0:7:10")))
    game.resign("single", player=0)
    assert Engine()(game) == "decline"
    game.decline()
    game.resign("gammon", player=0)
    assert Engine()(game) == "accept"


def test_an_engine_settles_for_what_is_fair() -> None:
    even = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    for points, answer in ((-1, "accept"), (1, "decline")):
        game = at(Session(settlement=True), even)
        game.settle(points)
        assert Engine()(game) == answer


def test_an_engine_resigns_lost_races_only() -> None:
    lost = "XGID=-------O----------------a-:0:0:1:00:0:0:0:0:10"
    assert Engine()(at(Session(jacoby=False, cube=False), lost)) == "roll"
    assert Engine(resigns=True)(at(Session(jacoby=False, cube=False), lost)) == "resign-gammon"
    assert Engine(resigns=True)(at(Session(), LAST_ROLL)) == "roll"


def test_any_function_is_a_player_and_its_mistakes_come_out() -> None:
    with pytest.raises(IllegalActionError, match="illegal double"):
        play_match(Match(1, seed=1), (lambda game: "double", lambda game: "double"))
    with pytest.raises((IllegalPlayError, gammon.errors.ParseError)):
        play_match(Match(1, seed=1), (lambda game: "1/2", lambda game: "1/2"))
    with pytest.raises(SettingError, match="there must be two players"):
        play_match(Match(1, seed=1), (Engine(),))
    with pytest.raises(SettingError, match="number of games"):
        play_match(Session(seed=1), (Engine(), Engine()))


def test_a_match_is_stopped_and_played_on() -> None:
    seen: list[int] = []

    def watch(game: Game) -> bool:
        seen.append(len(game))
        return len(seen) < 7

    match = Match(1, seed=6)
    players = (random_player(3, resigns=0), random_player(4, resigns=0))
    play_match(match, players, watch=watch)
    assert (len(seen), match.is_over) == (7, False)
    play_match(match, players)
    assert match.is_over
    assert len(match.games) == 1


# Whole matches at random.


def check_invariants(series: Series) -> None:
    """What holds of every match that was played by the rules."""
    score = series.starting_score
    crawford = 0
    for game in series.games:
        assert game.score == score
        crawford += game.crawford
        assert series.length == 0 or max(score) < series.length
        replayed = Game(Terms(series.rules, series.length, score, game.crawford), number=game.number)
        for moment in game:
            assert not moment.record.illegal
            assert moment.before == replayed.state
            assert replayed.add(moment.record) == moment.record
            check_moment(moment)
        assert replayed == game
        result = game.result
        assert result is not None
        points = list(score)
        if result.winner is not None:
            points[result.winner] += result.points
        score = (points[0], points[1])
    assert crawford <= 1
    assert series.score == score


def check_moment(moment: Any) -> None:
    situation: Situation = moment.situation
    assert situation.position == moment.before.position
    assert situation.cube * 6 >= moment.before.cube
    record = moment.record
    if isinstance(record, Played):
        assert record.play.before == situation.position
        assert situation.roll == record.play.roll
    elif not isinstance(record, Resignation):
        assert situation.seat == (record.player if situation.to_act == "roller" else 1 - record.player) or (
            record.kind in ("opening", "settlement")
        )


@pytest.mark.parametrize("seed", range(40))
def test_random_matches_keep_the_invariants(seed: int) -> None:
    match = random_match(seed)
    assert match.is_over
    check_invariants(match)
    assert verify(match) == []
    assert Series.from_dict(json.loads(json.dumps(match.to_dict()))) == match


@pytest.mark.parametrize("seed", range(40))
def test_random_sessions_keep_the_invariants(seed: int) -> None:
    session = random_session(seed)
    assert len(session.games) == 2
    check_invariants(session)
    assert verify(session) == []
    assert Series.from_dict(json.loads(json.dumps(session.to_dict()))) == session


def test_random_games_hold_everything_that_can_happen() -> None:
    kinds: set[str] = set()
    for seed in range(60):
        for game in random_session(seed, games=1).games:
            for moment in game:
                action = getattr(moment.record, "action", "")
                kinds.add(f"{moment.record.kind} {action}".strip())
    assert kinds >= {
        "opening",
        "roll",
        "play",
        *(f"cube {action}" for action in ("double", "take", "pass", "beaver", "raccoon")),
        *(f"resignation {action}" for action in ("offer", "accept", "decline")),
        *(f"settlement {action}" for action in ("offer", "accept", "decline")),
    }
