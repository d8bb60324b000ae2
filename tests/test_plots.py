"""Graphs by matplotlib: what is drawn, read from what they are made of."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import cube, search
from gammon.analysis import Analysis, analyse
from gammon.errors import SettingError
from gammon.match import Engine, Match, Session, play_match
from gammon.viz import THEMES, plots
from gammon.viz._points import course, error_counts, swings

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def found() -> Analysis:
    match = Match(5, ("Anna", "Bo"), seed=13)
    play_match(match, (Engine(noise=0.08, seed=1), Engine(noise=0.05, seed=2)))
    return analyse(match, plies=0)


@pytest.fixture(scope="module")
def several() -> list[Analysis]:
    """Matches in which Bo sits here and there."""
    analyses = []
    for seed in range(1, 5):
        names = ("Anna", "Bo") if seed % 2 else ("bo", "Cleo")
        match = Match(1, names, seed=seed)
        play_match(match, (Engine(noise=0.1, seed=seed), Engine(noise=0.1, seed=seed + 9)))
        analyses.append(analyse(match, plies=0))
    return analyses


def lines(figure: Any) -> dict[str, tuple[list[float], list[float]]]:
    return {
        line.get_label(): (list(map(float, line.get_xdata())), list(map(float, line.get_ydata())))
        for line in figure.axes[0].lines
    }


@pytest.mark.parametrize("game", [None, 0, 1])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("unit", [None, "equity"])
def test_the_course_goes_through_every_decision(
    found: Analysis, seat: int, game: int | None, unit: Any
) -> None:
    figure: Any = plots.course(found, seat=seat, game=game, unit=unit)
    points = course(found, seat, game, unit)
    drawn = lines(figure)
    name = found.label(seat)
    assert drawn[name][1] == pytest.approx(
        [value for point in points for value in (point.before, point.after)]
    )
    for mark in ("doubtful", "bad", "very bad"):
        expected = [point for point in points if found.mark(point.decision) == mark]
        places, heights = drawn.get(mark, ([], []))
        assert places == [point.place for point in expected]
        assert heights == pytest.approx([point.after for point in expected])
    texts = [text.get_text().strip() for text in figure.axes[0].texts]
    cubes = [point.decision for point in points if point.decision.kind != "play"]
    assert texts == [
        str(2 * one.cube) if one.made.name == "double" else one.made.name
        for one in cubes
        if one.made.name != "no double"
    ]
    across = [list(line.get_xdata()) for line in figure.axes[0].lines]
    walls = [places for places in across if len(places) == 2 and places[0] == places[1]]
    games = {point.decision.game for point in points}
    assert len(walls) == len(games) - 1


def test_errors_are_counted(found: Analysis, several: list[Analysis]) -> None:
    figure: Any = plots.errors(found)
    for seat, bars in enumerate(figure.axes[0].containers):
        assert [bar.get_height() for bar in bars] == error_counts(found, seat)
        assert bars.get_label() == found.label(seat)
    one: Any = plots.errors(several, player="BO", bounds=[0.05, 0.1])
    (bars,) = one.axes[0].containers
    seats = [1, 0, 1, 0]
    expected = np.sum(
        [error_counts(analysis, seat, [0.05, 0.1]) for analysis, seat in zip(several, seats, strict=True)],
        axis=0,
    )
    assert [bar.get_height() for bar in bars] == expected.tolist()
    assert [label.get_text() for label in one.axes[0].get_xticklabels()] == ["0.05–0.1", "0.1+"]
    with pytest.raises(SettingError, match="player="):
        plots.errors(several)
    with pytest.raises(SettingError, match="no player"):
        plots.errors(several, player="Dora")


def test_luck_and_skill_has_a_point_a_game_or_a_match(found: Analysis, several: list[Analysis]) -> None:
    figure: Any = plots.luck_and_skill(found, player="anna")
    drawn = np.vstack([group.get_offsets() for group in figure.axes[0].collections])
    expected = np.array([(swing.luck, swing.skill) for swing in swings(found, 0)])
    np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(expected, axis=0))
    assert [text.get_text() for text in figure.axes[0].texts] == [str(game.number) for game in found.games]
    labelled = {group.get_label(): len(group.get_offsets()) for group in figure.axes[0].collections}
    assert labelled.get("won", 0) == sum(game.winner == 0 for game in found.games)
    many: Any = plots.luck_and_skill(several, player="Bo")
    assert sum(len(group.get_offsets()) for group in many.axes[0].collections) == len(several)
    session = analyse(play_match(Session(seed=1), (Engine(), Engine()), games=1), plies=0)
    with pytest.raises(SettingError, match="no common unit"):
        plots.luck_and_skill([*several, session])
    bare = analyse(play_match(Match(1, seed=1), (Engine(), Engine())), plies=0, luck=False)
    with pytest.raises(SettingError, match="without luck"):
        plots.luck_and_skill(bare)


def test_ratings_match_by_match(several: list[Analysis]) -> None:
    figure: Any = plots.ratings(several, player="Bo", window=2)
    drawn = lines(figure)
    seats = [1, 0, 1, 0]
    values = [analysis.rating(seat).value or 0.0 for analysis, seat in zip(several, seats, strict=True)]
    assert drawn["each match"][1] == pytest.approx(values)
    means = [np.mean(values[max(0, end - 2) : end]) for end in range(1, 5)]
    assert drawn["mean of the last 2"][1] == pytest.approx(means)
    assert figure.axes[0].get_ylabel() == "PR of Bo"
    for wrong in ({"window": 0}, {"rule": "elo"}, {"player": "Dora"}):
        with pytest.raises(SettingError):
            plots.ratings(several, **wrong)


def test_the_temperature_map_has_all_rolls() -> None:
    table = search.by_roll("start")
    figure: Any = plots.temperature_map(table)
    grid = figure.axes[0].images[0].get_array()
    assert grid is not None
    for roll in gammon.Roll.all():
        best = gammon.rank("start", roll).best
        assert grid[roll.high - 1, roll.low - 1] == grid[roll.low - 1, roll.high - 1] == best.equity
        assert table.plays[table.rolls.index(roll)] == best.play
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[:2] == [f"{grid[0, 0]:+.3f}", f"{grid[0, 1]:+.3f}"]
    weights = np.array([roll.weight for roll in table.rolls]) / 36
    assert table.mean == pytest.approx(float(weights @ table.equities))
    assert table.deviation == pytest.approx(float(np.sqrt(weights @ (table.equities - table.mean) ** 2)))
    assert figure.axes[0].get_title() == f"mean {table.mean:+.3f}"


def test_rolls_are_ranked_with_the_cube_if_asked() -> None:
    situation = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:4:0:7:10"
    table = search.by_roll(situation, cubeful=True)
    roll = gammon.Roll(4, 2)
    ranked = gammon.rank(situation, roll, cubeful=True).best
    assert table.equities[table.rolls.index(roll)] == ranked.equity
    assert table.equities[table.rolls.index(roll)] != gammon.rank(situation, roll).best.equity


def test_cube_decisions_by_score() -> None:
    matrix = cube.matrix("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10", 5)
    figure: Any = plots.score_matrix(matrix)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert len(texts) == 25
    short = {"ND": "no double", "D/T": "double, take", "D/P": "double, pass", "TG": "too good"}
    for number, text in enumerate(texts):
        decision = matrix[number // 5][number % 5]
        if text == "–":
            assert decision.refusal is not None
        else:
            assert decision.label.startswith(short[text]), (decision.label, text)
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert {text.get_text().split(":")[0] for text in legend.get_texts()} == set(texts)
    grid = figure.axes[0].images[0].get_array()
    assert grid is not None
    assert len({(text, int(value)) for text, value in zip(texts, grid.flat, strict=True)}) == len(set(texts))


def test_plays_by_score() -> None:
    table = search.by_score("start", "64", 4)
    figure: Any = plots.score_matrix(table)
    texts = [text.get_text() for text in figure.axes[0].texts]
    legend = figure.axes[0].get_legend()
    assert legend is not None
    names = dict(text.get_text().split(": ") for text in legend.get_texts())
    assert [names[text] for text in texts] == [
        str(table.ranking[int(number)].play) for number in table.best.flat
    ]


@pytest.mark.parametrize("theme", list(THEMES))
def test_figures_become_texts_that_need_nothing_else(found: Analysis, theme: Any) -> None:
    text = plots.to_svg(plots.course(found, theme=theme))
    root = ElementTree.fromstring(text)
    links = [
        value for element in root.iter() for name, value in element.attrib.items() if name.endswith("href")
    ]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "<text" not in text
    assert THEMES[theme].paper in text
    assert plots.to_svg(plots.course(found, theme=theme)) == text
    assert "matplotlib.pyplot" not in sys.modules


def test_what_is_missing_is_named(found: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'gammon\[plots\]'"):
        plots.course(found)
