"""Close decisions of analyses, rolled out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gammon
from gammon import rollout
from gammon.analysis import Analysis, analyse, count
from gammon.analysis._rollouts import contenders
from gammon.match import Engine, Match, Session, play_match
from set_up import at


def test_close_decisions_are_rolled_out_and_clear_ones_are_not(tmp_path: Path) -> None:
    match = play_match(Match(2, seed=5), (Engine(noise=0.1, seed=1), Engine(noise=0.1, seed=2)), games=1)
    game = match.games[0]
    plain = analyse(game, plies=0)
    settings = rollout.Settings(trials=36, truncate=1)
    path = tmp_path / "judged.jsonl"
    found = analyse(game, plies=0, rollouts=settings, close=0.01, store=path)
    assert (found.settings.close, found.settings.rollout) == (0.01, repr(settings))
    kinds = set()
    for before, after in zip(plain.decisions, found.decisions, strict=True):
        assert (before.game, before.record, before.made.name) == (after.game, after.record, after.made.name)
        near = contenders(before, 0.01)
        if len(near) < 2:
            assert after == before
            continue
        kinds.add(after.kind)
        rolled = [choice for choice in after.choices if choice.trials]
        assert {choice.name for choice in rolled if "," not in choice.name} == {
            choice.name for choice in near
        }
        assert after.made in rolled
        assert after.best.trials == 36
        assert after.best.equity == max(choice.equity for choice in rolled if "," not in choice.name)
        if after.kind == "play":
            known = rollout.compare(
                gammon.parse(before.id), plays=[one.name for one in near], settings=settings, cube=True
            )
            assert after.best.equity == known.best.equity.mean
    assert "play" in kinds
    assert Analysis.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert analyse(game, plies=0, rollouts=settings, close=0.01, threads=2) == found
    lines = path.read_text(encoding="utf-8").count("\n")
    assert analyse(game, plies=0, rollouts=settings, close=0.01, store=path) == found
    assert path.read_text(encoding="utf-8").count("\n") == lines


def test_cube_decisions_and_answers_are_rolled_out() -> None:
    game = at(Session(), "XGID=-A--A-------------------a-:0:0:1:00:0:0:0:0:10")
    game.double()
    game.drop()
    settings = rollout.Settings(trials=36)
    double, answer = analyse(game, plies=0, rollouts=settings, close=9, luck=False).decisions
    assert {choice.trials for choice in (*double.choices, *answer.choices)} == {36}
    # 29 of 36 rolls win, and nobody doubles any more.
    assert double.choices[0].equity == 1.0
    assert answer.best.name == "pass"
    worth = {choice.name: choice.equity for choice in answer.choices}
    assert worth["pass"] == -1.0
    assert worth["take"] == pytest.approx(-2 * 22 / 36, abs=1e-6)


def test_a_stopped_rollout_leaves_the_analysis_unfinished() -> None:
    match = play_match(Match(1, seed=5), (Engine(noise=0.1, seed=1), Engine(noise=0.1, seed=2)))
    total = count(match)
    asked = rollout.Settings(trials=10_000_000)
    found = analyse(match, plies=0, rollouts=asked, close=0.05, progress=lambda done: done < total)
    assert not found.is_complete
    assert len(found.decisions) == len(analyse(match, plies=0).decisions)
