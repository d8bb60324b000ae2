"""Patterns: what they say of positions and decisions, beside the same asked one by one."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dialects
import gammon
from gammon import formats
from gammon.analysis import analyse
from gammon.errors import GammonError, PatternError, SettingError
from gammon.match import Engine, Match, Session, play_match
from gammon.patterns import NAMES, Found, Pattern, Rows, find
from searched import MANY, SERIES, told

BOARDS = np.stack([position.board for position in MANY])


def made(own: np.ndarray, first: int, last: int) -> int:
    return int((own[first - 1 : last] >= 2).sum())


def longest(own: np.ndarray) -> int:
    best = run_ = 0
    for count in own[:24]:
        run_ = run_ + 1 if count >= 2 else 0
        best = max(best, run_)
    return best


ORACLE: dict[str, Callable[[gammon.Position, np.ndarray, np.ndarray], bool]] = {
    "pips > opp.pips": lambda p, me, opp: p.pip_count[0] > p.pip_count[1],
    "lead >= 8": lambda p, me, opp: p.pip_count[1] - p.pip_count[0] >= 8,
    "lead < 0.1 * pips": lambda p, me, opp: p.pip_count[1] - p.pip_count[0] < 0.1 * p.pip_count[0],
    "race": lambda p, me, opp: p.phase in ("race", "bearoff"),
    "contact": lambda p, me, opp: p.phase in ("contact", "crashed"),
    "phase == bearoff": lambda p, me, opp: p.phase == "bearoff",
    "phase in (bearoff, 'race')": lambda p, me, opp: p.phase in ("race", "bearoff"),
    "phase not in (bearoff, race)": lambda p, me, opp: p.phase not in ("race", "bearoff"),
    "bar > 0": lambda p, me, opp: me[24] > 0,
    "me[25] != 0": lambda p, me, opp: me[24] > 0,
    "opp.off + off > 10": lambda p, me, opp: sum(p.borne_off) > 10,
    "me[6] >= 2 and opp[20] >= 2": lambda p, me, opp: me[5] >= 2 and opp[19] >= 2,
    "2 <= me[6] < 5": lambda p, me, opp: 2 <= me[5] < 5,
    "not me[6] >= 2 or opp.bar == 1": lambda p, me, opp: not me[5] >= 2 or opp[24] == 1,
    "home == 5": lambda p, me, opp: me[:6].sum() == 5,
    "back > opp.back": lambda p, me, opp: me[18:].sum() > opp[18:].sum(),
    "stack >= 5": lambda p, me, opp: me[:24].max() >= 5,
    "blots >= 3": lambda p, me, opp: (me[:24] == 1).sum() >= 3,
    "points == 4": lambda p, me, opp: made(me, 1, 24) == 4,
    "home_points > opp.home_points": lambda p, me, opp: made(me, 1, 6) > made(opp, 1, 6),
    "anchors >= 1": lambda p, me, opp: made(me, 19, 24) >= 1,
    "prime >= 4": lambda p, me, opp: longest(me) >= 4,
    "opp.shots > 10": lambda p, me, opp: int(gammon.shots(p.board[None])[1][0, 1]) > 10,
    "abs(lead) <= 3": lambda p, me, opp: abs(p.pip_count[1] - p.pip_count[0]) <= 3,
    "max(pips, opp.pips) - min(pips, opp.pips, 50) > 60": lambda p, me, opp: (
        max(p.pip_count) - min(*p.pip_count, 50) > 60
    ),
    "pips % 2 == 1 and -pips / 2 < -40": lambda p, me, opp: p.pip_count[0] % 2 == 1 and p.pip_count[0] > 80,
    "crunched + opp.crunched == 1": lambda p, me, opp: (
        int(gammon.features(p.board[None]).crunched.sum()) == 1
    ),
    "True": lambda p, me, opp: True,
    'like("?????B????????????????????")': lambda p, me, opp: me[4] >= 2,
    'like("?-???b????????????????????")': lambda p, me, opp: me[0] == 0 and opp[23] == 0 and opp[19] >= 2,
    'like("a????????????????????????A")': lambda p, me, opp: opp[24] >= 1 and me[24] >= 1,
}


@pytest.mark.parametrize("text", ORACLE)
def test_a_pattern_says_of_many_positions_what_holds_of_each(text: str) -> None:
    expected = [bool(ORACLE[text](one, *one.board.astype(int))) for one in MANY]
    assert Pattern(text).fits(BOARDS).tolist() == expected
    if text != "True":
        assert 0 < sum(expected) < len(expected), "the positions do not tell this pattern apart"


def test_every_name_of_a_position_is_a_column() -> None:
    rows = Rows(BOARDS)
    for name, about in NAMES.items():
        if about.of_game:
            with pytest.raises(SettingError, match="nothing that a position alone has"):
                rows[name]
            continue
        columns = [rows[name], rows[f"opp.{name}"]] if about.by_side else [rows[name]]
        for column in columns:
            assert column.shape == (len(BOARDS),)
            assert column.dtype.kind == {"number": "i", "flag": "b", "text": "U"}[about.kind]
    turned = Rows(BOARDS[:, ::-1])
    for name, about in NAMES.items():
        if about.by_side and not about.of_game:
            assert (turned[name] == rows[f"opp.{name}"]).all(), name
    with pytest.raises(SettingError, match=r"no column 'opp\.lead'"):
        rows["opp.lead"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("race and", "column 8: the pattern ends too early"),
        ("error >", "column 7: the pattern ends too early"),
        ("pips > 100 && race", "not understood: invalid syntax (`and` instead of `&&`)"),
        ("race || contact", "(`or` instead of `||`)"),
        ("pip > 3", "column 1: unknown name 'pip', perhaps 'pips'?"),
        ("race and pisp > 3", "column 10: unknown name 'pisp'"),
        ("pips", "this is a number: compare it with something"),
        ("bar and race", "column 1: this is a number"),
        ("phase", "this is a text"),
        ("phase == rase", "'rase' is none of over, bearoff, race, crashed, contact"),
        ("phase < race", "texts are compared by == and != only"),
        ("phase == 3", "a word or a text in quotes is expected here"),
        ("pips == 'x'", "a number is compared with a text"),
        ("'x' + 1 > 2", "a number is expected here, not a text"),
        ("me > 2", "me is a player"),
        ("me[0] > 1", "a point is a number from 1 to 24"),
        ("me[26] > 1", "a point is a number from 1 to 24"),
        ("me[1.5] > 1", "a point is a number from 1 to 24"),
        ("me[pips] > 1", "a point is a number from 1 to 24"),
        ("pips[6] > 1", "only me[...] and opp[...] have points"),
        ("opp.lead > 1", "lead is not something that each player has"),
        ("me.board > 1", "unknown name 'board'"),
        ("pips ** 2 > 3", "pow is not part of the language"),
        ("pips is 3", "compare by <, <="),
        ("pips in 3", "after in comes a list in brackets"),
        ("pips in ()", "after in comes a list in brackets"),
        ("3 in made", "a text in quotes is expected here"),
        ("abs(1, 2) > 1", "abs takes one number"),
        ("min(1) > 1", "min takes two numbers or more"),
        ("open('x') > 1", "the functions are abs, min, max and like"),
        ("pips.__class__ > 1", "attribute is not part of the language"),
        ("(lambda: 1)() > 1", "the functions are"),
        ("like('short')", "like takes 26 characters"),
        ("like(phase)", "like takes 26 characters"),
        ("like('A?????????????????????????')", "'A' stands on the other player's bar"),
        ("pips > 1e999", "a number must be at most 2**53"),
        ("pips > " + "9" * 400, "a number must be at most 2**53"),
        ("pips > b'x'", "is no number and no text"),
        ("not " * 70 + "race", "more than 60 levels"),
        ("(" * 500 + "race" + ")" * 500, "not understood"),
        ("race or " * 600 + "race", "longer than 4000 characters"),
        ("race\x00", "not understood"),
    ],
)
def test_what_is_wrong_with_a_pattern_is_said(text: str, words: str) -> None:
    with pytest.raises(PatternError) as raised:
        Pattern(text)
    assert words in str(raised.value)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.column) == (str(raised.value), raised.value.column)


def test_nonsense_is_refused_and_nothing_else_happens() -> None:
    draw = random.Random(1)
    pieces = [
        *NAMES,
        "me[6]",
        "opp[",
        "]",
        "(",
        ")",
        "and",
        "or",
        "not",
        "in",
        "==",
        "<",
        "-",
        "3",
        "'x'",
        ",",
    ]
    pieces += [
        "like",
        "abs",
        "me.",
        "opp.",
        ".",
        "if",
        "else",
        "lambda",
        ":",
        "[",
        "{",
        "}",
        "*",
        "**",
        "@",
        "~",
    ]
    pieces += ["race", "None", "True", "await", "f'{x}'", "...", "=", ":=", "\\", "#", "\n"]
    understood = 0
    for _ in range(3_000):
        text = " ".join(draw.choice(pieces) for _ in range(draw.randint(1, 8)))
        try:
            pattern = Pattern(text)
            understood += 1
            if not pattern.needs_game:
                assert pattern.fits(BOARDS[:9]).shape == (9,)
        except GammonError:
            pass
    assert understood > 20


def test_patterns_are_values() -> None:
    pattern = Pattern("race and\n  pips > 80")
    assert pattern == pickle.loads(pickle.dumps(pattern))
    assert pattern.names == {"race", "pips"}
    assert not pattern.needs_game
    assert Pattern("error > 0.1").needs_game
    with pytest.raises(PatternError, match="a position alone has no error"):
        Pattern("error > 0.1").fits(BOARDS)
    with pytest.raises(TypeError, match="a pattern is a text"):
        Pattern(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("series", SERIES, ids=["match", "short", "session"])
def test_what_is_asked_of_decisions_is_what_the_moments_say(series: Any) -> None:
    moments = {(game.number, moment.index): moment for game, moment, _ in told(series)}

    def places(text: str) -> set[tuple[int, int]]:
        apart = f"{text} and kind in (roll, play, double, take, pass, beaver, raccoon)"
        return {(one.game, one.record) for one in find(apart, series)}

    def those(test: Callable[[Any, Any], bool]) -> set[tuple[int, int]]:
        return {key for key, moment in moments.items() if test(moment, moment.situation)}

    assert places("True") == set(moments)
    assert places("kind == play") == those(lambda m, s: m.record.kind == "play")
    assert places("kind == take") == those(lambda m, s: getattr(m.record, "action", "") == "take")
    assert places("kind == pass") == those(lambda m, s: getattr(m.record, "action", "") == "pass")
    assert places("roll == 31") == those(lambda m, s: m.record.kind == "play" and str(m.record.roll) == "31")
    assert places("roll in (66, 55)") == those(
        lambda m, s: m.record.kind == "play" and str(m.record.roll) in ("66", "55")
    )
    assert places("doubles") == those(lambda m, s: m.record.kind == "play" and m.record.roll.is_double)
    assert places("hit") == those(lambda m, s: m.record.kind == "play" and m.record.play.hits > 0)
    assert places("'bar/' in made") == those(
        lambda m, s: m.record.kind == "play" and "bar/" in str(m.record.play)
    )
    assert places("cube >= 2") == those(lambda m, s: s.cube >= 2)
    assert places("owner == me") == those(lambda m, s: s.cube_owner == "roller")
    assert places("none != owner") == those(lambda m, s: s.cube_owner is not None)
    assert places("score > opp.score") == those(lambda m, s: s.score[0] > s.score[1])
    assert places("away == 1") == those(lambda m, s: s.away is not None and s.away[0] == 1)
    assert places("crawford") == those(lambda m, s: s.crawford)
    assert places("post_crawford") == those(lambda m, s: m.terms.post_crawford)
    assert places("money") == (set(moments) if not series.length else set())
    assert places(f"length == {series.length}") == set(moments)
    assert places("seat == 1") == those(lambda m, s: m.record.player == 1)
    assert places("player == B and opponent == A") == places("seat == 1")
    assert places("game == 2") == {key for key in moments if key[0] == 2}
    assert places("error > 0 or luck != luck and error == error") == set(), "nothing is judged"


def test_a_throw_and_its_play_are_one_position() -> None:
    series = SERIES[0]
    alone = find("pips > 0", series)
    assert len(alone) == len(
        {(one.game, one.turn, one.kind if one.kind != "play" else "roll") for one in alone}
    )
    plays = [one for one in alone if one.kind == "play"]
    assert len(plays) == sum(moment.record.kind == "play" for _, moment, _ in told(series))
    both = find("pips > 0 and kind in (roll, play)", series)
    assert len(both) == 2 * len(plays) + sum(one.kind == "roll" for one in alone)
    for one in alone:
        game = series.games[one.game - 1]
        assert game[one.record].id == one.id


def test_errors_come_from_an_analysis_or_from_the_file() -> None:
    match = play_match(Match(3, ("A", "B"), seed=2), (Engine(), Engine(noise=0.2)))
    judged = analyse(match, plies=0)
    assert find("error > 0.1", match) == []
    found = find("error > 0.1", match, analysis=judged)
    expected = {(judged.games[one.game].number, one.record) for one in judged.decisions if one.error > 0.1}
    assert {(one.game, one.record) for one in found} == expected
    assert expected
    assert all(one.error is not None and one.error > 0.1 for one in found)
    alone = find("error > 0.1", judged)
    strip = [(one.id, one.kind, one.made, one.error, one.game, one.record, one.name) for one in alone]
    assert strip == [(one.id, one.kind, one.made, one.error, one.game, one.record, one.name) for one in found]
    lucky = {(judged.games[one.game].number, one.record) for one in judged.luck if one.equity > 0.3}
    assert {
        (one.game, one.record) for one in find("luck > 0.3 and kind == roll", match, analysis=judged)
    } == lucky
    # Analysed by another program, as a file has it.
    reading = formats.read(dialects.analysed_xg())
    assert len(find("error > 0.01", reading.match)) > 0


def test_lists_of_situations_and_functions() -> None:
    ids = ["XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10", MANY[1].id, "4HPwATDgc/ABMA"]
    assert [one.place for one in find("me[8] == 3", ids)] == [0, 2]
    (one,) = find("roll == 31 and cube == 2 and owner == me and away == 5 and opp.away == 3", ids)
    assert one == Found(id=ids[0], kind="")
    assert find(lambda rows: rows["cube"] == 2, ids) == [one]
    assert find("money and crawford and post_crawford", ids) == []
    with pytest.raises(SettingError, match=r"a pattern must answer with bool\[3\], got int64\[3\]"):
        find(lambda rows: rows["pips"], ids)
    with pytest.raises(GammonError):
        find("race", ["nonsense"])
    empty: list[str] = []
    assert find("race or shots > 3 or phase == race", empty) == []
    assert find("race", Session(("A", "B"))) == []
