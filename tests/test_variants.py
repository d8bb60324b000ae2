"""The other games: engine against slow reference, recorded counts, whole random games, bad input, texts."""

from __future__ import annotations

import json
import pickle
import time
import tracemalloc
from itertools import islice
from typing import Any

import pytest

import gammon
from compare_variants import SETTINGS, compare, pairs, slow_perft
from gammon import variants
from gammon.errors import (
    IllegalPlayError,
    IllegalPositionError,
    IllegalRollError,
    ParseError,
    SettingError,
    Stopped,
)
from golden import rows
from reference.variants import GAMES, make
from reference.variants.nodes import node

NAMES = variants.names()
PERFT = list(rows("variant_perft.jsonl"))


def label(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name.partition('.')[2]}={flag}" for name, flag in value.items()) or "default"
    return str(value)


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=label)
def test_engine_equals_reference(name: str, options: dict[str, Any]) -> None:
    game, slow = variants.get(name, options), make(name, options)
    assert sum(compare(game, slow, *pair) for pair in pairs(game, 120 if options else 250, 7)) > 100


# Every option of the rules with all it may be, the default first.
WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "dutch": {
        "dutch.opening": ("reroll", "use_dice"),
        "dutch.hit_right": ("latched", "current"),
        "dutch.cube": ("true", "false"),
    },
    "acey_deucey": {
        "acey.count": ("remaining", "on_board"),
        "acey.double_on_acey": ("false", "true"),
        "acey.bar_first": ("false", "true"),
        "acey.exact_bear_off": ("false", "true"),
        "acey.version": ("american", "european"),
        "acey.opening": ("reroll", "use_dice"),
    },
    "portes": {
        "portes.triple": ("false", "true"),
        "portes.hit_and_run": ("allowed", "forbidden_home"),
        "portes.opening": ("reroll", "use_dice"),
    },
    "plakoto": {
        "plakoto.mother_rule": ("true", "false"),
        "plakoto.mother_points": ("2", "1"),
        "plakoto.bear_off_with_pin": ("never", "home_pin_ok"),
    },
    "fevga": {
        "fevga.start_quarter": ("never_full", "unless_passed", "free"),
        "fevga.start_front": ("false", "true"),
        "fevga.prime_open": ("true", "false"),
        "fevga.runner": ("pass_start", "none"),
        "fevga.preset": ("none", "moultezim"),
    },
    "tavla": {
        "tavla.hit_and_run": ("forbidden_home", "allowed"),
        "tavla.triple": ("false", "true"),
        "tavla.opening": ("reroll", "use_dice"),
        "tavla.target": ("5", "7"),
        "tavla.uzun_meaning": ("standard", "long"),
        "tavla.preset": ("none", "rulebook"),
    },
    "kirik_tavla": {"kirik.entry": ("empty_or_blot", "standard"), "kirik.six_hit_mars": ("false", "true")},
    "gul_bara": {
        "gul_bara.leftover": ("forfeit", "opponent"),
        "gul_bara.normal_turns": ("3", "0"),
        "gul_bara.prime": ("none", "nardi"),
        "gul_bara.runner": ("false", "true"),
        "gul_bara.celebi": ("false", "true"),
        "gul_bara.config_bonus": ("false", "true"),
    },
    "nardi_short": {"nardi_short.triple": ("true", "false"), "nardi_short.cube": ("true", "false")},
    "nardi_long": {
        "nardi_long.opening": ("reroll", "use_dice"),
        "nardi_long.head_exception": ("three_doubles", "blocked", "none"),
        "nardi_long.block": ("need_enemy_ahead", "never_six", "free"),
        "nardi_long.block_check": ("end", "step"),
        "nardi_long.last_throw_draw": ("false", "true"),
        "nardi_long.home_mars": ("false", "true"),
        "nardi_long.koks": ("false", "true"),
        "nardi_long.cube": ("false", "true"),
        "nardi_long.doubles": ("4", "2"),
    },
    "jacquet": {
        "jacquet.prime": ("needs_last_two", "free", "never_six", "nardi"),
        "jacquet.must_bear_off": ("false", "true"),
        "jacquet.triple_no_prime": ("false", "true"),
        "jacquet.doubles": ("4", "value"),
        "jacquet.style": ("block", "hitting"),
    },
    "trictrac": {
        "trictrac.stake": ("double", "none", "quadruple"),
        "trictrac.misery_pile": ("false", "true"),
        "trictrac.target": ("12", "3"),
        "trictrac.mode": ("ordinaire", "ecrire"),
    },
}


@pytest.mark.parametrize("name", WORDS)
def test_every_option_of_the_rules(name: str) -> None:
    for option, words in WORDS[name].items():
        short = option.partition(".")[2]
        assert variants.get(name).options[short] == words[0]
        for word in words:
            game = variants.get(name, {option: word})
            assert game.options.get(short, word) == word  # the long Uzun Tavla is another game
            assert game.start.plays("31")
        with pytest.raises(SettingError, match=f'{option} cannot be "sideways"; it may be'):
            variants.get(name, {option: "sideways"})
        other = "plakoto" if name != "plakoto" else "fevga"
        with pytest.raises(SettingError, match=f'{other} has no option "{option}"'):
            variants.get(other, {option: words[0]})


def test_settings_meet_every_option() -> None:
    met = {(name, flag.partition(".")[2]) for name, options in SETTINGS for flag in options}
    # Where games begin, cubes and matches are no matter of plays.
    outside = {"opening", "cube", "target", "rounds", "uzun_meaning", "hit_and_run"}
    for name in NAMES:
        for flag in variants.get(name).options:
            assert (name, flag) in met or flag in outside, f"{name}.{flag}"
    assert {name for name, _ in SETTINGS} == set(NAMES) == set(GAMES) - {"standard"}


@pytest.mark.parametrize("row", PERFT, ids=lambda row: f"{row['variant']}-{row['depth']}")
def test_perft(row: dict[str, Any]) -> None:
    if row["paths"] > 3_000_000:
        pytest.skip("counted by the command that records it")
    found = variants.get(row["variant"]).perft(row["depth"])
    assert (found.paths, found.passes, found.unique) == (row["paths"], row["passes"], row["unique"])


@pytest.mark.parametrize("name", NAMES)
def test_perft_of_the_reference(name: str) -> None:
    slow = make(name)
    row = next(row for row in PERFT if row["variant"] == name and row["depth"] == 1)
    start = node(variants.get(name).start.fields, slow.checkers)
    assert slow_perft(slow, start, 1) == (row["paths"], row["unique"])


@pytest.mark.parametrize("name", NAMES)
def test_start_is_that_of_the_reference(name: str) -> None:
    slow = make(name)
    assert node(variants.get(name).start.fields, slow.checkers).state == slow.start()


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=label)
def test_random_games_end_and_keep_the_rules(name: str, options: dict[str, Any]) -> None:
    game = variants.get(name, options)
    games = game.random_games(60, seed=3, threads=1)
    assert None not in games.kinds
    assert ((games.points != 0) | [kind in ("draw", "void") for kind in games.kinds]).all()
    assert (games.points == game.random_games(60, seed=3, threads=2).points).all()
    met = game.random_game(3, 1)[::3]
    for position, roll in met:
        # Checkers conserved, no shared point, pins and marks consistent: reading back checks all that is
        # asked of a position of the game, and must give the same one.
        assert game.position(position.fields) == position
        assert game.position(position.id) == position
        assert (position.asks == ("throw",)) == (roll is not None)


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=label)
def test_plays_are_found_again_by_their_moves(name: str, options: dict[str, Any]) -> None:
    game = variants.get(name, options)
    for position, roll in game.random_game(5)[2:120:9]:
        for play in position.plays(roll)[:12]:
            text = str(play)
            steps: Any = text
            if play.moves or text == "(no move)":
                steps = [("bar" if start == 25 else start, end or "off") for start, end, _ in play.moves]
            again = position.play(steps, roll)
            assert (again.after, again.again) == (play.after, play.again), f"{position.id} {roll} {text}"


def test_values_are_values() -> None:
    tavla = variants.get("tavla", triple=True)
    position = tavla.start.plays("31")[0].after
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(tavla) == hash(variants.get("tavla", {"tavla.triple": True}))
    assert tavla != variants.get("tavla")
    assert position != variants.get("tavla").position(position.fields)
    assert eval(repr(position), {"variants": variants}) == position
    assert json.loads(position.json) == {"variant": "tavla", "version": 1, **position.fields}
    assert tavla.position(position.json) == position


def test_openings_cubes_and_stakes() -> None:
    assert variants.get("nardi_short").opening == "use_dice"
    assert variants.get("portes").later_games == "winner_starts"
    won = variants.get("acey_deucey").position({"me": {}, "opp": {"6": 7}, "off": [15, 8]})
    assert won.result == variants.VariantResult("me", "single", 7)
    assert won.is_over
    with pytest.raises(SettingError, match="acey_deucey is played without a cube"):
        won.variant.stake(won.result, cube=2)
    nackgammon = variants.get("nackgammon")
    assert nackgammon.stake(variants.VariantResult("me", "gammon", 2), cube=4) == 8
    with pytest.raises(SettingError, match="not 3"):
        nackgammon.stake(variants.VariantResult("me", "gammon", 2), cube=3)


BAD_POSITIONS = [
    ("fevga", {"me": {"24": 14}, "opp": {"24": 15}, "bar": [1, 0]}, "fevga has no checkers on the bar"),
    ("fevga", {"me": {"24": 13, "20": 1, "18": 1}, "opp": {"24": 15}}, "only one may move"),
    ("plakoto", {"me": {"24": 12, "5": 3}, "opp": {"20": 15}, "pinned": {"me": [5]}}, "no pin: 3 checkers"),
    ("plakoto", {"me": {"24": 15}, "opp": {"24": 14, "3": 1}, "pinned": {"me": [7]}}, "no pin: 0 checkers"),
    ("plakoto", {"me": {"24": 14}, "opp": {"24": 15}, "bar": [1, 0]}, "plakoto has no checkers on the bar"),
    ("portes", {"me": {"24": 14}, "opp": {"24": 15}}, "has 14 checkers"),
    ("portes", {"me": {"13": 15}, "opp": {"12": 15}}, "both sides have checkers on point 13"),
    ("portes", {"me": {}, "opp": {}, "off": [15, 15]}, "both sides have borne off everything"),
    ("acey_deucey", {"me": {}, "opp": {}, "bar": [15, 15]}, "no checkers on the bar"),
    ("nackgammon", {"me": {"1": 15}, "opp": {"1": 15}, "turns": [1, 1]}, "no count of turns"),
    ("fevga", {"me": {"24": 15}, "opp": {"24": 15}, "asks": ["four", 5]}, "no four of a number to be played"),
    ("gul_bara", {"me": {"24": 15}, "opp": {"24": 15}, "asks": ["name"]}, "no double to be named"),
    ("hypergammon", {"me": {"1": 4}, "opp": {"1": 3}}, "has 4 checkers"),
    ("trictrac", {"me": {"13": 1, "24": 14}, "opp": {"24": 15}}, "a single checker on his corner"),
    ("trictrac", {"me": {"24": 15}, "opp": {"24": 15}, "tt": {"pts": [12, 0]}}, "12 points"),
    ("jacquet", {"me": {"24": 15}, "opp": {"24": 15}, "cards": 52}, "no field 'cards'"),
    ("jacquet", {"me": {"25": 15}, "opp": {"24": 15}}, "a point of me is '25', expected one of the points"),
    ("jacquet", {"me": {"24": 15}, "opp": {"024": 15}}, "a point of opp is '024', .* without zeros"),
    ("jacquet", {"me": {"+24": 15}, "opp": {"24": 15}}, "a point of me is '\\+24'"),
    ("jacquet", {"me": {"24": 15, 24: 15}, "opp": {"24": 15}}, "me has point 24 twice"),
    ("jacquet", {"me": [24], "opp": {"24": 15}}, "me is .*a mapping from the points 1 to 24"),
    ("jacquet", {"me": {"24": 15}}, "opp, the checkers of the opponent by his points, is missing"),
    ("jacquet", {"opp": {"24": 15}}, "me, the checkers of the player to act"),
    ("plakoto", {"me": {"24": 15}, "opp": {"24": 15}, "pinned": {"me": [5, 5]}}, "me of pinned .* twice"),
    ("acey_deucey", {"me": {"24": 15}, "opp": {"24": 15}, "acey_rolled": "1"}, "acey_rolled is '1'"),
    ("jacquet", {"me": {"24": 15}, "opp": {"24": 15}, "asks": ["four", 7]}, "asks is"),
    ("jacquet", {"me": {"24": -1}, "opp": {"24": 15}}, "point 24 of me is -1, expected a number of"),
    ("jacquet", {"me": {"24": True}, "opp": {"24": 15}}, "point 24 of me is True"),
]


@pytest.mark.parametrize(("name", "fields", "text"), BAD_POSITIONS)
def test_impossible_positions_are_named(name: str, fields: dict[str, Any], text: str) -> None:
    with pytest.raises(IllegalPositionError, match=text) as caught:
        variants.get(name).position(fields)
    assert caught.value.problems


def test_unknown_games_and_options_are_named() -> None:
    with pytest.raises(SettingError, match=r"called \"poker\"; there are nackgammon, .*trictrac"):
        variants.get("poker")
    with pytest.raises(SettingError, match=r"portes has no option \"fevga.runner\"; it has portes.triple"):
        variants.get("portes", {"fevga.runner": "none"})
    with pytest.raises(
        SettingError, match=r"plakoto.mother_points cannot be .3.; it may be a whole number from 1"
    ):
        variants.get("plakoto", mother_points=3)
    with pytest.raises(SettingError, match="has no options"):
        variants.get("longgammon", cube=False)


def test_ids_of_other_games_and_damaged_ones_are_refused() -> None:
    fevga, plakoto = variants.get("fevga"), variants.get("plakoto")
    other = plakoto.start.id
    for text, reason in [
        (other, 'this is a position of "plakoto", and fevga is played'),
        (fevga.start.id.replace(":1:", ":2:"), "version 1"),
        (fevga.start.id[:-1], "43 characters"),
        (fevga.start.id[:-1] + "*", "a letter"),
        ("fevga:1:" + "A" * 43, "has 0 checkers|borne off everything"),
        ("fevga", "parted by colons"),
        ("fevga:1:" + "_" * 43, "more than 15 checkers"),
    ]:
        with pytest.raises(ParseError, match=reason):
            fevga.position(text)
    with pytest.raises(SettingError, match="a position of plakoto"):
        fevga.perft(1, plakoto.start)


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_read_from_their_texts_alone(name: str) -> None:
    game = variants.get(name)
    for position, _ in game.random_game(9)[1:200:17]:
        assert variants.parse(position.id) == position
        assert variants.parse(position.json) == position
        assert position.id.startswith(f"{name}:1:")


def test_json_of_other_games_and_versions_is_refused() -> None:
    fevga, plakoto = variants.get("fevga"), variants.get("plakoto")
    with pytest.raises(IllegalPositionError, match="a position of 'plakoto', and fevga is played"):
        fevga.position(plakoto.start.json)
    with pytest.raises(IllegalPositionError, match="in version 1, not 2"):
        fevga.position(fevga.start.json.replace('"version": 1', '"version": 2'))
    with pytest.raises(IllegalPositionError, match="names its game as 'variant', got None"):
        variants.parse('{"variant": null, "version": 1, "me": {}}')
    with pytest.raises(IllegalPositionError, match="is no JSON"):
        variants.parse("{")
    with pytest.raises(SettingError, match="called"):
        variants.parse("chess:1:" + "A" * 43)


@pytest.mark.parametrize("missing", ["variant", "version", "me", "opp"])
def test_json_has_to_be_complete(missing: str) -> None:
    portes = variants.get("portes")
    fields = {"variant": "portes", "version": 1, **portes.start.fields}
    assert portes.position(json.dumps(fields)) == portes.start
    del fields[missing]
    with pytest.raises(IllegalPositionError, match=f"{missing}.* is missing|lacks '{missing}'"):
        portes.position(json.dumps(fields))


def test_json_with_many_names_is_read_in_one_go() -> None:
    names = "".join(f'"{number}": 0, ' for number in range(100_000))
    begun = time.process_time()
    with pytest.raises(IllegalPositionError, match="has 'me' twice"):
        variants.parse("{" + names + '"me": {}, "me": {}}')
    assert time.process_time() - begun < 10  # comparing each with all others would take minutes


@pytest.mark.parametrize(
    ("name", "before", "after", "text"),
    [
        ("portes", '"version": 1', '"version": true', "version 1, not True"),
        ("portes", '"version": 1', '"version": 1.0', r"version 1, not 1\.0"),
        ("portes", '"me":', '"me": {}, "me":', "has 'me' twice"),
        ("portes", '"6":', '"6": 5, "6":', "has '6' twice"),
        ("portes", '"opp": {', '"opp": {"07": 0, ', "a point of opp is '07'"),
        ("plakoto", '"me": [5]', '"me": []', "both sides have checkers on point 5"),
        ("plakoto", '"me": [5], ', "", "pinned lacks 'me'"),
        ("trictrac", '"clean"', '"cleanly"', "tt lacks 'clean'"),
        ("trictrac", '"pts": [0, 0], "clean": [true, true]', '"pts": [0, 0]', "tt lacks 'clean'"),
        ("trictrac", '"pts"', '"runs": [0, 0], "pts"', "'runs' and 'best_runs', which belong together"),
    ],
)
def test_json_is_read_as_strictly_as_it_is_written(name: str, before: str, after: str, text: str) -> None:
    game = variants.get(name)
    position = game.start
    if name == "plakoto":
        pinned = {"me": {"24": 14, "5": 1}, "opp": {"24": 14, "20": 1}, "pinned": {"me": [5]}}
        position = game.position(pinned)
    elif name == "trictrac":
        position = game.position({**position.fields, "tt": {"clean": [True, True]}})
    assert game.position(position.json) == variants.parse(position.json) == position
    changed = position.json.replace(before, after, 1)
    assert changed != position.json
    for read in (game.position, variants.parse):
        with pytest.raises(IllegalPositionError, match=text):
            read(changed)


@pytest.mark.parametrize("name", NAMES)
def test_ids_of_variants_are_none_of_the_standard_game(name: str) -> None:
    text = variants.get(name).start.id
    readers: list[Any] = [gammon.Position, gammon.Situation, gammon.parse]
    for read in readers:
        with pytest.raises(ParseError):
            read(text)


CARRIED = ["nackgammon", "longgammon", "portes", "tavla", "kirik_tavla", "nardi_short"]


@pytest.mark.parametrize("name", CARRIED)
def test_games_with_the_standard_men_have_standard_ids(name: str) -> None:
    game = variants.get(name)
    for position, _ in game.random_game(4)[::11]:
        standard = position.standard
        bar = position.fields.get("bar", [0, 0])
        assert (standard.board[0, 24], standard.board[1, 24]) == tuple(bar)
        assert {str(i + 1): n for i, n in enumerate(standard.board[0, :24]) if n} == position.fields["me"]
        assert gammon.Position(standard.id) == standard
        assert gammon.Situation(standard.id).position == standard


NOT_CARRIED: list[tuple[str, dict[str, Any], str]] = [
    (
        "plakoto",
        {"me": {"24": 14, "6": 1}, "opp": {"24": 14, "19": 1}, "pinned": {"me": [6]}},
        "checkers are pinned",
    ),
    ("fevga", {"me": {"24": 15}, "opp": {"24": 15}}, "both sides move the same way round"),
    ("nardi_long", {"me": {"24": 15}, "opp": {"24": 15}, "turns": [1, 0]}, "turns are counted; both sides"),
    ("dutch", {"me": {}, "opp": {}, "hand": [15, 15]}, "checkers are in hand"),
    ("acey_deucey", {"me": {"6": 15}, "opp": {"6": 15}, "asks": ["name"]}, "a decision without a throw"),
    ("trictrac", {"me": {"24": 15}, "opp": {"24": 15}}, "points and holes are marked"),
    ("hypergammon", {"me": {"6": 3}, "opp": {"6": 3}}, "fewer than fifteen checkers"),
]


@pytest.mark.parametrize(("name", "fields", "text"), NOT_CARRIED)
def test_standard_ids_refuse_what_they_cannot_carry(name: str, fields: dict[str, Any], text: str) -> None:
    position = variants.get(name).position(fields)
    with pytest.raises(IllegalPositionError, match=text) as caught:
        _ = position.standard
    assert caught.value.problems


def test_rolls_are_given_where_they_are_asked_for() -> None:
    acey = variants.get("acey_deucey")
    with pytest.raises(IllegalRollError, match="missing"):
        acey.start.plays()
    naming = next(play.after for play in acey.start.plays("21") if play.again)
    assert naming.asks == ("name",)
    assert [str(play) for play in naming.plays()] == ["11", "22", "33", "44", "55", "66"]
    with pytest.raises(IllegalRollError, match="without a throw"):
        naming.plays("21")
    with pytest.raises(IllegalPlayError):
        naming.play("77")
    with pytest.raises(IllegalPlayError):
        naming.play([(24, 23)])


def test_whole_turns_are_enumerated_as_they_are_asked_for() -> None:
    game = variants.get("gul_bara", normal_turns=0)
    checkers = {str(point): 1 for point in range(24, 13, -1)} | {"13": 4}
    start = game.position({"me": checkers, "opp": {"13": 15}})
    tracemalloc.start()
    try:
        turns = start.turns("11")
        found = list(islice(turns, 3000))
        del found[:-1]
        many = sum(1 for _ in islice(turns, 30_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert many == 30_000
    assert peak < 8_000_000  # the plays of six stages, and 3,000 turns that were asked to be kept
    assert len(found[0]) == 6
    assert [play.after.asks for play in found[0][:-1]] == [("four", number) for number in range(2, 7)]
    assert not found[0][-1].again
    # A turn is one decision where nothing else is said, and ends where there is something to throw.
    portes = variants.get("portes").start
    assert [turn[-1] for turn in portes.turns("31")] == list(portes.plays("31"))
    acey = list(variants.get("acey_deucey").start.turns("21"))
    assert {len(turn) for turn in acey} == {3}
    assert {turn[-1].again for turn in acey} == {True}


def test_illegal_plays_are_refused() -> None:
    start = variants.get("plakoto").start
    bad: list[Any] = [[(24, 18)], [(24, 18), (24, 18)], [(13, 7)], [], [("bar", 18), (24, 19)], [(99, 0)]]
    for steps in bad:
        with pytest.raises(IllegalPlayError, match="illegal play"):
            start.play(steps, "65")
    with pytest.raises(SettingError, match="only one of trictrac"):
        start.events("65")


def test_trictrac_in_full() -> None:
    game = variants.get("trictrac")
    fields = {
        "me": {"24": 3, "23": 3, "22": 2, "21": 3, "20": 3, "19": 1},
        "opp": {"24": 15},
        "tt": {"pts": [0, 6], "turns": [5, 5]},
    }
    position = game.position(fields)
    assert position.events("41") == (variants.VariantEvent("fill_petit", "me", 12),)
    stay, leave = (position.play(word, "41") for word in ("stay", "leave"))
    assert stay.again
    assert leave.again
    assert stay.after.asks == ("play", 4, 1)
    assert stay.after.fields["tt"]["holes"] == [2, 0]
    assert leave.after.fields["me"] == {"24": 15}
    assert leave.after.fields["tt"]["pts"] == [0, 0]
    assert {play.after.fields["tt"]["holes"][1] for play in stay.after.plays()} == {2}


def test_trictrac_answers_only_for_its_results() -> None:
    game = variants.get("trictrac")
    fields = {"me": {"24": 3, "23": 3, "22": 2, "21": 3, "20": 3, "19": 1}, "opp": {"24": 15}}
    position = game.position({**fields, "tt": {"pts": [0, 6], "turns": [5, 5]}})
    stay, leave = (position.play(word, "41").after for word in ("stay", "leave"))
    steps = game._rules.steps
    assert steps(position._state, "41", stay._state, True) == ([], "stay")
    assert steps(position._state, "41", leave._state, True) == ([], "leave")
    # Neither after another throw, nor with the other player to act, nor from another marking.
    assert steps(position._state, "42", stay._state, True) is None
    assert steps(position._state, "41", leave._state, False) is None
    wrong = stay.fields["tt"] | {"pts": [1, 0]}
    never = game.position({**stay.fields, "tt": wrong})
    assert steps(position._state, "41", never._state, True) is None
    over = game.position({**fields, "tt": {"holes": [12, 3]}})
    assert over.is_over
    assert steps(over._state, "41", over.plays("41")[0].after._state, False) is None


def schooled(mine: dict[str, Any], roll: str, word: str, **tt: Any) -> dict[str, Any]:
    """The marking after the thrower has marked by hand."""
    game = variants.get("trictrac", ecoles=True)
    position = game.position({"me": mine, "opp": {"24": 15}, "tt": {"turns": [5, 5], **tt}})
    found: dict[str, Any] = position.play(word, roll).after.fields["tt"]
    return found


def test_trictrac_sends_to_school() -> None:
    almost = {"24": 3, "23": 3, "22": 2, "21": 3, "20": 3, "19": 1}  # 4-1 fills the petit jan three ways: 12
    right = schooled(almost, "41", "mark 12")
    assert (right["pts"], right["holes"]) == ([0, 0], [2, 0])
    # Eight of twelve: the other four are the opponent's.
    less = schooled(almost, "41", "mark 8")
    assert (less["pts"], less["holes"], less["clean"]) == ([8, 4], [0, 0], [False, True])
    # Sixteen for twelve: the excess goes over, and what is due is a hole.
    more = schooled(almost, "41", "mark 16")
    assert (more["pts"], more["holes"]) == ([0, 4], [2, 0])
    # A school can win the opponent a hole.
    school = schooled(almost, "41", "mark 8", pts=[0, 8])
    assert (school["pts"], school["holes"]) == ([0, 0], [0, 1])
    left = schooled(almost, "41", "mark 16 and leave")
    assert (left["pts"], left["holes"], left["turns"]) == ([0, 0], [2, 0], [0, 0])


def test_trictrac_with_schools_asks_both_players() -> None:
    game = variants.get("trictrac", ecoles=True)
    fields = {"me": {"24": 13, "13": 2}, "opp": {"24": 13, "13": 2}, "tt": {"turns": [2, 2]}}
    position = game.position(fields)
    words = [str(play) for play in position.plays("41")]
    assert words == [str(play) for play in position.plays("41") if play.again]
    assert set(words) == {f"mark {points}" for points in range(0, 25, 2)}
    (contre,) = position.events("41")
    assert (contre.name, contre.who, contre.points) == ("contre_mezeas", "opponent", 4)
    thrown = position.play("mark 0", "41").after
    assert thrown.asks == ("play", 4, 1)
    waiting = thrown.plays()[0].after
    assert waiting.asks == ("mark", 4)
    assert game.position(waiting.id) == game.position(waiting.fields) == waiting
    marked, forgot = (waiting.play(word) for word in ("mark 4", "mark 0"))
    assert marked.again
    assert marked.after.asks == ("throw",)
    assert marked.after.fields["tt"]["pts"] == [4, 0]
    assert forgot.after.fields["tt"]["pts"] == [0, 4]
    with pytest.raises(IllegalPlayError):
        waiting.play("mark 3")
    with pytest.raises(IllegalPlayError):
        waiting.play("stay")
    with pytest.raises(IllegalPositionError, match="only with schools"):
        variants.get("trictrac").position({**fields, "asks": ["mark", 4]})
    with pytest.raises(IllegalPositionError, match="asks is"):
        game.position({**fields, "asks": ["mark", 5]})


def test_progress_stops_a_count() -> None:
    with pytest.raises(Stopped):
        variants.get("plakoto").perft(4, unique=False, progress=lambda _: False)


def test_tavli_refuses_what_cannot_be() -> None:
    match = variants.TavliMatch(target=3)
    with pytest.raises(SettingError, match="only plakoto"):
        match.add(None, 0)
    with pytest.raises(SettingError, match="1 or 2 points"):
        match.add("me", 3)
    match.add("me", 2)
    match.add("me", 2)
    with pytest.raises(SettingError, match="the match is over"):
        match.add("me", 1)
    with pytest.raises(SettingError, match="3, 5 or 7"):
        variants.TavliMatch(target=4)
