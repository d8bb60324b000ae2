"""The rule cases of every game against the slow reference and against the engine.

`pytest tests/test_rule_cases.py --rule-cases FILE` runs further files of the same form.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine_cases as engine
from reference.variants import GAMES, make
from reference.variants.match import opening, tavli
from reference.variants.state import from_case, to_case
from reference.variants.trictrac import Trictrac, marking_from_case
from rule_cases import MINE, cases, plain


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" not in metafunc.fixturenames:
        return
    files = [MINE, *map(Path, metafunc.config.getoption("--rule-cases"))]
    found = [case for file in files for case in cases(file)]
    metafunc.parametrize("case", found, ids=[case["id"] for case in found])


def test_the_reference(case: dict[str, Any]) -> None:
    assert plain(answer(case)) == plain(case["expect"])


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """What the reference says, with the same keys as the case expects."""
    options = case.get("options", {})
    kind = case["kind"]
    if case["variant"] == "tavli":
        return tavli(options, case["games"])
    rules = {name: value for name, value in options.items() if "." in name}
    game = make(case["variant"], rules)
    if kind == "opening":
        return opening(game.opening, (case["dice"][0], case["dice"][1]))
    if kind in ("mark", "leave", "roll"):
        assert isinstance(game, Trictrac)
        return trictrac(game, case)
    state = from_case(case["pos"])
    if kind == "outcome":
        return outcome(case)
    dice = (case["dice"][0], case["dice"][1])
    if kind == "moves":
        return {"results": [to_case(after) for after in game.turn(state, dice)]}
    if kind == "count":
        return {"count": len(game.turn(state, dice))}
    if kind == "play":
        after = game.follow(state, dice, case["play"])
        return {"legal": False} if after is None else {"legal": True, "result": to_case(after)}
    if kind == "acey":
        ends = game.acey(state, case["double"])  # type: ignore[attr-defined]
        results = [{"pos": to_case(end), "extra_roll": extra} for end, extra in ends]
        return {"count": len(results)} if "count" in case["expect"] else {"results": results}
    assert kind == "cascade", kind
    (numbers,) = game.receives(state, dice)  # type: ignore[attr-defined]
    return {"opponent_receives": list(numbers)}


def outcome(case: dict[str, Any]) -> dict[str, Any]:
    options = {name: value for name, value in case.get("options", {}).items() if "." in name}
    game = make(case["variant"], options)
    pos = dict(case["pos"])
    if "acey_rolled" in case:
        pos["acey_rolled"] = case["acey_rolled"]
    if "closed_home_seen" in case:
        pos["closed_home_seen"] = case["closed_home_seen"]
    if "turns_played" in case:
        pos |= {"turns": case["turns_played"], "started": case["starter"] == "me"}
    state = from_case(pos)
    result = game.result(state)
    if result is None:
        pending = getattr(game, "pending", lambda _: False)(state)
        return {"over": False, "pending": "last_throw"} if pending else {"over": False}
    points = result.points * case.get("cube", {"value": 1})["value"]
    if jacoby(case):
        points //= result.points
    over = {"over": True, "winner": result.winner, "class": result.kind, "points": points}
    return {name: value for name, value in over.items() if name in case["expect"]}


def jacoby(case: dict[str, Any]) -> bool:
    """Whether gammons count nothing because no double was taken: a rule of money games, not of a variant."""
    return bool(case.get("options", {}).get("jacoby")) and case["cube"]["owner"] is None


def trictrac(game: Trictrac, case: dict[str, Any]) -> dict[str, Any]:
    if case["kind"] == "mark":
        marking = marking_from_case(case["tt"])
        won = []
        for who, points in case["events"]:
            marking, holes = marking.mark(who, points)
            won.append(holes)
        return {"pts": marking.pts, "holes": marking.holes, "won": won}
    if case["kind"] == "leave":
        marking, gain = marking_from_case(case["tt"]), case["gain"]
        if gain.get("source") == "opp_roll" and case["decision"] == "leave":
            return {"legal": False}
        return game.leave(marking, gain["me"], gain.get("opp", 0), case["decision"]) or {"legal": False}
    tt = case["pos"].get("tt", {})
    state = from_case({**case["pos"], "turns": tt.get("turns")})
    dice = (case["dice"][0], case["dice"][1])
    events = game.events(state, dice)
    after = [to_case(end) for end in game.turn(state, dice)]
    found: dict[str, Any] = {
        "points": [sum(event.points for event in events if event.who == who) for who in (0, 1)],
        "detail": [[event.name, ("me", "opp")[event.who], event.points] for event in events],
    }
    return found | ({"count": len(after)} if "count" in case["expect"] else {"results": after})


def test_the_engine(case: dict[str, Any]) -> None:
    if case["variant"] == "standard":
        pytest.skip("the standard game is not a variant")
    assert plain(engine.answer(case)) == plain(case["expect"])


def test_every_game_has_cases() -> None:
    named = {case["variant"] for case in cases(MINE)}
    assert {name for name in GAMES if name not in ("nackgammon", "longgammon", "hypergammon")} <= named
