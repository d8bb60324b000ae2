"""Patterns: what they say of positions and decisions, beside the same asked one by one."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dialects
import gammon
from boards import board, random_position
from commands import run, run_json
from gammon import formats
from gammon.analysis import Analysis, analyse
from gammon.cli.find import _deed
from gammon.errors import GammonError, PatternError, SettingError
from gammon.match import Engine, Match, Series, Session, play_match
from gammon.patterns import NAMES, Found, Pattern, Rows, find, search
from random_matches import random_session


def positions(count: int = 400) -> list[gammon.Position]:
    """Positions of every kind."""
    draw = random.Random(5)
    found = [gammon.Position.start()]
    for seed in range(count // 4):
        found += [gammon.Position.random(phase, seed) for phase in ("contact", "race", "bearoff")]
        found.append(gammon.Position.from_board(board(random_position(draw))))
    return found


MANY = positions()
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


def told(series: Any) -> list[tuple[Any, Any, int]]:
    """All throws, plays and cube actions, with the game and the throw's number."""
    found = []
    for game in series.games:
        turn = 0
        for moment in game:
            turn += moment.record.kind == "roll" or (
                moment.record.kind == "cube" and moment.record.action == "double"
            )
            if moment.record.kind in ("roll", "play", "cube"):
                found.append((game, moment, turn))
    return found


def played(seed: int, length: int) -> Match:
    """A match in which much goes wrong."""
    match = Match(length, ("A", "B"), seed=seed)
    play_match(match, (Engine(noise=0.5, seed=1), Engine(noise=0.5, seed=2)))
    return match


SERIES: list[Any] = [played(3, 5), played(4, 3), random_session(5, 8)]


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


def files(folder: Path) -> dict[str, Any]:
    series: dict[str, Any] = {"one.mat": SERIES[0], "two.json": SERIES[2], "three.sgf": SERIES[1]}
    for name, match in series.items():
        formats.write(match, folder / name)
    (folder / "bad.mat").write_bytes(b"\x00\x01")
    (folder / "ids.txt").write_text("4HPwATDgc/ABMA\n" + MANY[1].id + "\n", encoding="utf-8")
    return series


def test_files_are_searched_and_none_stops_the_rest(tmp_path: Path) -> None:
    series = files(tmp_path)
    results = {Path(one.source).name: one for one in search("prime >= 3", [tmp_path])}
    assert "no known format" in results["bad.mat"].error
    for name, match in series.items():
        one = results[name]
        assert [(hit.id, hit.made) for hit in one.found] == [
            (hit.id, hit.made) for hit in find("prime >= 3", match)
        ]
        assert one.looked_at == len(told(match))
    assert (results["ids.txt"].match, results["ids.txt"].looked_at) == (0, 2)
    asked = []

    def judge(match: Any) -> Any:
        asked.append(match)
        return analyse(match, plies=0, luck=False)

    errors = [one for one in search("error > 0.2", [tmp_path / "*.mat"], judge=judge) if one.found]
    assert len(asked) == 1
    assert errors
    assert errors[0].found[0].error is not None
    with pytest.raises(PatternError):
        search("nothing > 1", [tmp_path])


def test_analyses_kept_as_lines_are_searched(tmp_path: Path) -> None:
    files(tmp_path)
    lines = run("analyze", tmp_path / "one.mat", tmp_path / "two.json", "--plies", 0, "--json").stdout
    kept = tmp_path / "judged.jsonl"
    kept.write_text(lines + "{nonsense}\n", encoding="utf-8")
    results = list(search("error > 0.3 and kind == play", [kept]))
    assert [Path(one.source).name for one in results] == ["one.mat", "two.json", "judged.jsonl"]
    assert results[2].error.startswith("line 3: ")
    match = formats.read(tmp_path / "one.mat").match
    expected = analyse(match, plies=0)
    assert [one.id for one in results[0].found] == [
        one.id for one in expected.decisions if one.error > 0.3 and one.kind == "play"
    ]


def test_a_file_that_cannot_be_searched_stops_no_other(tmp_path: Path) -> None:
    files(tmp_path)
    sources = [tmp_path / name for name in ("one.mat", "three.sgf")]
    asked: list[Series] = []

    def judge(match: Series) -> Analysis:
        asked.append(match)
        if len(asked) == 1:
            raise TypeError("not what was expected")
        return analyse(match, plies=0, luck=False)

    first, second = search("error >= 0", sources, judge=judge)
    assert (first.error, second.error) == ("TypeError: not what was expected", "")
    assert second.found

    def broken(rows: Rows) -> Any:
        raise TypeError("no pattern")

    with pytest.raises(TypeError, match="no pattern"):  # a mistake of the pattern is none of the file
        list(search(broken, sources))


def test_names_that_cannot_be_printed_are_escaped(tmp_path: Path) -> None:
    files(tmp_path)
    values = formats.read(tmp_path / "one.mat").match.to_dict()
    values["players"][0]["name"] = "\ud800"
    (tmp_path / "a.json").write_text(json.dumps(values), encoding="utf-8")
    judged = analyse(formats.read(tmp_path / "one.mat").match, plies=0).to_dict()
    judged["players"] = ["\ud800", "B"]
    (tmp_path / "b.jsonl").write_text(json.dumps(judged) + "\n", encoding="utf-8")
    names = [tmp_path / name for name in ("a.json", "b.jsonl", "one.mat")]
    done = run("find", "error >= 0 or race", *names, code=1)
    assert "a.json: json: players[0]: name must be a text" in done.stderr
    assert "of 3 files, 1 not read" in done.stderr
    assert ": \\ud800 played" in done.stdout
    assert "one.mat: game 1" in done.stdout


def test_turns_are_found_in_analyses_as_in_their_matches(tmp_path: Path) -> None:
    match = SERIES[0]
    judged = analyse(match, plies=0)
    kept = tmp_path / "judged.jsonl"
    kept.write_text(json.dumps(judged.to_dict()) + "\n", encoding="utf-8")
    decided = {(judged.games[one.game].number, one.record) for one in judged.decisions}
    for pattern in ("turn > 10", "turn == 1", "turn <= 3 and kind != roll"):
        (one,) = search(pattern, [kept])
        assert one.found, pattern
        assert [(hit.game, hit.record, hit.turn) for hit in one.found] == [
            (hit.game, hit.record, hit.turn)
            for hit in find(pattern, match)
            if (hit.game, hit.record) in decided
        ]
    thrown = [[moment for moment in game if moment.record.kind == "roll"] for game in match.games]
    assert {(luck.game, thrown[luck.game][luck.turn - 1].index) for luck in judged.luck} == {
        (luck.game, luck.record) for luck in judged.luck
    }


def test_the_command(tmp_path: Path) -> None:
    files(tmp_path)
    done = run("find", "prime >= 4", tmp_path, code=1)
    lines = done.stdout.splitlines()
    assert lines
    assert all(line.startswith("XGID=") for line in lines)
    assert "bad.mat: no known format" in done.stderr
    assert f"{len(lines)} found among " in done.stderr
    assert "of 5 files, 1 not read" in done.stderr
    good = [tmp_path / name for name in ("one.mat", "three.sgf", "two.json")]
    ids = run("find", "prime >= 4", *good, "--ids").stdout.splitlines()
    assert ids == [line.split("  ")[0] for line in lines if "ids.txt" not in line]
    assert len(run("find", "prime >= 4", *good, "--limit", 2).stdout.splitlines()) == 2
    assert run("find", "prime >= 4", *good, "--count").stdout == f"{len(ids)}\n"
    counted = run_json("find", "prime >= 4", *good, "--count")
    assert (counted["found"], counted["matches"], counted["failed"]) == (len(ids), 3, 0)
    objects = [json.loads(line) for line in run("find", "prime >= 4", *good, "--json").stdout.splitlines()]
    assert [one["id"] for one in objects] == ids
    drawn = run("find", "prime >= 4", *good, "--limit", 1, "--boards").stdout
    assert "+-13-14-" in drawn
    judged = run("find", "error > 0.3", good[0], "--plies", 0, "--cache", tmp_path / "cache.jsonl")
    assert judged.stdout
    assert judged.stdout == run("find", "error > 0.3", good[0], "--plies", 0).stdout
    unjudged = "nobody has judged these: add --plies 0 (or 1, 2)"
    assert unjudged in run("find", "error > 0.3", good[0]).stderr
    assert unjudged not in run("find", "error > 0.3", good[0], "--plies", 0).stderr
    assert unjudged not in run("find", "race", good[0]).stderr
    cached = run("find", "error > 0.3", tmp_path / "cache.jsonl", code=1)
    assert "a cache (--cache), not what gammon analyze --json prints" in cached.stderr


def test_a_stopped_search_tells_how_much_was_searched(tmp_path: Path) -> None:
    files(tmp_path)
    script = f"""
import contextlib, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    yield lambda: True
_progress.interruptible = stopped
sys.argv = ["gammon", "find", "error > 0", {str(tmp_path / "one.mat")!r}, "--plies", "1"]
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 130, done.stderr
    assert "no files found" not in done.stderr
    assert "Stopped after 0 positions and decisions." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pip > 1", "x"], "unknown name 'pip'"),
        (["race", "x", "--cache", "y"], "--cache is for what is judged: give --plies"),
    ],
)
def test_the_command_refuses_in_words(arguments: list[str], words: str) -> None:
    assert words in run("find", *arguments, code=2).stderr
    assert "No such file" in run("find", "race", "no-such.mat", code=1).stderr


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("roll", "rolled"),
        ("play", "played 8/5 6/5"),
        ("double", "doubled"),
        ("take", "took"),
        ("pass", "passed"),
        ("beaver", "beavered"),
        ("raccoon", "raccooned"),
    ],
)
def test_what_was_done_is_said_in_words(kind: str, words: str) -> None:
    made = "8/5 6/5" if kind == "play" else kind
    assert _deed(Found(id="start", kind=kind, made=made)) == words
    assert _deed(Found(id="start", kind=kind, made=made, error=0.25)) == f"{words} (-0.250)"


def test_many_files_need_no_more_memory_than_few(tmp_path: Path) -> None:
    """As many files as `GAMMON_FILES` says, 10,000 say; `benches/many_matches.py` measures them."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("/proc/self/statm, which tells the memory in use, is not there")

    def memory() -> float:
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    count = int(os.environ.get("GAMMON_FILES", "100"))
    texts = [str(formats.dumps(series, "mat")[0]) for series in SERIES[:2]]
    for number in range(count):
        (tmp_path / f"{number:06}.mat").write_text(texts[number % 2], encoding="utf-8")
    heights = []
    for number, one in enumerate(search("shots > 3 or opp.prime > 2 or made == x or error > 0", [tmp_path])):
        assert one.found
        if number % (count // 10) == 0:
            heights.append(memory())
    assert heights[-1] < heights[1] + 5 + 0.0005 * count, heights  # the names of the files are kept


def test_the_first_analyses_told_no_turns(tmp_path: Path) -> None:
    judged = analyse(SERIES[0], plies=0)
    plain = json.loads(json.dumps(judged.to_dict()))
    for one in (*plain["decisions"], *plain["luck"]):
        del one["turn"]
    file = tmp_path / "first.json"
    file.write_text(json.dumps(plain), encoding="utf-8")
    (found,) = search("turn > 0", [file])
    assert (found.error, found.found) == ("", ())
    (found,) = search("turn == 0", [file])
    assert len(found.found) > len(judged.decisions) / 2


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("decisions", 0, "made", "equity"), {}),
        (("decisions", 0, "made", "name"), 5),
        (("decisions", 0, "game"), 99),
        (("decisions", 0, "record"), "x"),
        (("decisions", 0, "turn"), "x"),
        (("decisions", 0, "turn"), True),
        (("decisions", 0, "turn"), -1),
        (("decisions", 0, "turn"), 2**31),
        (("decisions", 0, "turn"), 2**70),
        (("luck", 0, "turn"), 2**70),
        (("luck", 0, "player"), "x"),
        (("decisions", 0, "id"), 5),
        (("luck", 0, "equity"), []),
        (("luck", 0, "record"), []),
        (("settings", "thresholds", "bad"), "x"),
        (("settings", "thresholds"), 5),
    ],
)
def test_analyses_that_are_damaged_are_told_of(
    path: tuple[str | int, ...], value: object, tmp_path: Path
) -> None:
    plain = json.loads(json.dumps(analyse(SERIES[0], plies=0).to_dict()))
    inner = plain
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps(plain), encoding="utf-8")
    (found,) = search("error > 0 or luck > 0 or turn > 2", [file])
    assert found.error.startswith("line 1: no analysis as gammon writes it"), found
    assert not any(word in found.error for word in ("object", "NoneType", "unpack", "index"))
    told = ("values of other kinds", "must be", "is none of")
    assert any(word in found.error for word in told), found.error


@pytest.mark.parametrize(
    "text", ['{"format": "zz", "ids": ["4HPwATDgc/ABMA"]}', "[{}]", ' {"decisions": {}}']
)
def test_json_of_other_programs_is_not_searched(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    (found,) = search("turn > 30", [file])
    assert "json" in found.error
    assert found.looked_at == 0
