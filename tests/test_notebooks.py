"""What notebooks show of values."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

import gammon
from gammon import cube, rollout, viz
from gammon.analysis import analyse
from gammon.match import Engine, Match, Session, play_match
from test_report import EVIL, Page

MATCH = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"


def shown(value: Any) -> Page:
    return Page(value._repr_html_())


def test_positions_situations_and_plays_are_boards() -> None:
    position, situation = gammon.Position.start(), gammon.parse(MATCH)
    assert position._repr_svg_() == viz.svg(position)
    assert situation._repr_svg_() == viz.svg(situation)
    play = position.play("8/5 6/5", "31")
    drawn = play._repr_svg_()
    ElementTree.fromstring(drawn)
    assert drawn.count('class="arrow plain"') == 2
    assert 'class="dice"' in drawn


def test_a_ranking_is_a_board_and_a_table() -> None:
    ranking = gammon.rank(MATCH, plies=1, cubeful=True)
    page = shown(ranking)
    rows = page.of["tr"]
    assert len(rows) == 11
    for ranked, row in zip(ranking, rows[1:], strict=False):
        assert row.startswith(f"{ranked.play}{ranked.equity:+.4f}")
    assert "6 more plays" in page.of["caption"][0]
    assert len([group for group in page.all("g") if group.get("class") == "arrow best"]) == 2
    assert (
        "pass" in shown(gammon.rank("XGID=aBBBBBB-------------------:0:0:-1:00:0:0:0:0:10", "66")).of["tr"][1]
    )


def test_a_cube_decision_is_a_table() -> None:
    decision = cube.decide("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:7:10")
    page = shown(decision)
    assert page.of["caption"] == [decision.label]
    assert page.of["tr"][1].startswith(f"no double{decision.no_double_equity:+.4f}")
    assert page.of["tr"][0] == "equitymatch won"
    refused = cube.decide("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:4:1:7:10")
    assert len(shown(refused).of["tr"]) == 2


def test_matches_list_their_games() -> None:
    match = Match(3, (EVIL, "B"), seed=5)
    play_match(match, (Engine(noise=0.1), Engine()))
    page = shown(match)
    assert len(page.of["tr"]) == 1 + len(match.games)
    assert page.all("script") == []
    for game, row in zip(match.games, page.of["tr"][1:], strict=True):
        assert game.result is not None
        assert str(game.result.points) in row
    game_page = shown(match.games[0])
    assert len(game_page.all("svg")) == 1
    assert "wins" in game_page.of["p"][0]
    assert len(shown(Session()).of["tr"]) == 1
    assert "not finished" in shown(Match(3).new_game()).of["p"][0]
    found = analyse(match, plies=0)
    analysed = shown(found)
    assert f"{found.rating(0).value:.2f}" in analysed.of["table"][0]
    assert analysed.all("polyline")
    worst = found.errors()[0]
    decided = shown(worst)
    assert len(decided.of["tr"]) == 1 + len(worst.choices)
    assert shown(analyse(Session(), plies=0)).all("svg")


@pytest.mark.parametrize("trials", [36, 1])
def test_rollouts_are_boards_and_tables(trials: int) -> None:
    settings = rollout.Settings(trials=trials, seed=1)
    result = rollout.run("start", settings)
    page = shown(result)
    assert f"{result.win.mean:.2%}" in page.of["tr"][1]
    assert re.search(rf"{trials} games", "".join(page.of["p"]))
    plays = rollout.compare("start", "31", settings=settings)
    page = shown(plays)
    assert len(page.of["tr"]) == 1 + len(plays.plays)
    assert page.of["tr"][1].startswith(str(plays.best.play))
    decided = rollout.decide("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", settings)
    page = shown(decided)
    assert decided.decision is not None
    assert page.of["caption"] == [decided.decision.label]
