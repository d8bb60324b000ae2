"""Rule cases answered by the engine, through `gammon.variants` alone."""

from __future__ import annotations

from typing import Any

from gammon import variants
from gammon.errors import IllegalPlayError
from gammon.variants import TavliMatch, Variant, VariantPosition

PAIRS = ("bar", "hand", "off", "turns", "reached", "six_seen", "closed_home_seen", "six_outside_seen")


def swapped(pos: dict[str, Any]) -> dict[str, Any]:
    """A position's fields with the sides exchanged."""
    turned = {**pos, "me": pos["opp"], "opp": pos["me"]}
    for name in PAIRS:
        if name in pos:
            turned[name] = pos[name][::-1]
    if "pinned" in pos:
        turned["pinned"] = {"me": pos["pinned"]["opp"], "opp": pos["pinned"]["me"]}
    if "started" in pos:
        turned["started"] = not pos["started"]
    return turned


def result_of(position: VariantPosition, again: bool) -> dict[str, Any]:
    """A result as the cases write it: seen by the mover, without what they leave out."""
    fields = position.fields if again else swapped(position.fields)
    return {name: value for name, value in fields.items() if name not in ("turns", "tt", "asks", "started")}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    options = case.get("options", {})
    if case["variant"] == "tavli":
        return tavli(options, case["games"])
    game = variants.get(case["variant"], {name: value for name, value in options.items() if "." in name})
    kind = case["kind"]
    if kind == "opening":
        dice = case["dice"]
        starter = "me" if dice[0] > dice[1] else "opp"
        return {"starter": starter, "uses_opening_dice": game.opening == "use_dice"}
    if kind == "outcome":
        return outcome(game, case)
    if kind in ("mark", "leave"):
        return marking(game, case)
    position = game.position(case["pos"])
    if kind == "moves":
        return {"results": whole_turns(position, case["dice"])}
    if kind == "count":
        return {"count": len(whole_turns(position, case["dice"]))}
    if kind == "play":
        return play(position, case)
    if kind == "acey":
        unique = {repr(result): result for result in acey(position, case)}
        results = list(unique.values())
        return {"count": len(results)} if "count" in case["expect"] else {"results": results}
    if kind == "cascade":
        (numbers,) = gifts(position, case["dice"])
        return {"opponent_receives": numbers}
    assert kind == "roll", kind
    return roll(position, case)


def ends(position: VariantPosition, dice: Any) -> set[tuple[VariantPosition, bool]]:
    """The ends of whole turns: decisions that are stages of the same turn are gone through."""
    done: set[tuple[VariantPosition, bool]] = set()
    open_stages = {(position, True)}
    while open_stages:
        now, _ = open_stages.pop()
        for play in now.plays(dice if now.asks == ("throw",) else None):
            stage = play.again and play.after.asks[0] == "four"
            (open_stages if stage else done).add((play.after, play.again))
    return done


def whole_turns(position: VariantPosition, dice: Any) -> list[dict[str, Any]]:
    unique = {repr(result): result for result in (result_of(*end) for end in ends(position, dice))}
    return list(unique.values())


def play(position: VariantPosition, case: dict[str, Any]) -> dict[str, Any]:
    try:
        found = position.play([tuple(step) for step in case["play"]], case["dice"])
    except IllegalPlayError:
        return {"legal": False}
    return {"legal": True, "result": result_of(found.after, found.again)}


def acey(position: VariantPosition, case: dict[str, Any]) -> Any:
    for first in position.plays(case["dice"]):
        if first.after.asks != ("name",):
            yield {"pos": result_of(first.after, first.again), "extra_roll": False}
            continue
        double = first.after.play(f"{case['double']}{case['double']}").after
        for second in double.plays():
            yield {"pos": result_of(second.after, second.again), "extra_roll": second.again}


def gifts(position: VariantPosition, dice: Any) -> list[list[int]]:
    """The numbers that the ends of a turn hand over, each list once."""
    found: list[list[int]] = []
    for after, again in ends(position, dice):
        assert not again
        word, *numbers = after.asks
        number, count = numbers if word == "gift" else (7, 0)
        rest = [higher for higher in range(int(number) + 1, 7) for _ in range(4)]
        given = [int(number)] * int(count) + rest
        if given not in found:
            found.append(given)
    return found


def roll(position: VariantPosition, case: dict[str, Any]) -> dict[str, Any]:
    events = position.events(case["dice"])
    points = [sum(event.points for event in events if event.who == who) for who in ("me", "opponent")]
    detail = [[event.name, "me" if event.who == "me" else "opp", event.points] for event in events]
    # Marked before, so that no hole comes between and the checkers stay where they are put.
    fields = position.fields
    tt = {**fields["tt"], "pts": [0, 0], "clean": [False, False]}
    quiet = position.variant.position({**fields, "tt": tt, "asks": ["play", *case["dice"]]})
    results = []
    for play in quiet.plays():
        if play.again:  # all checkers were off, and are on the talons again
            off = {"me": {}, "opp": case["pos"]["opp"], "off": [15, case["pos"].get("off", [0, 0])[1]]}
            results.append(off)
        else:
            results.append(result_of(play.after, False))
    found = {"points": points, "detail": detail}
    return found | ({"count": len(results)} if "count" in case["expect"] else {"results": results})


def outcome(game: Variant, case: dict[str, Any]) -> dict[str, Any]:
    pos = dict(case["pos"])
    for name in ("acey_rolled", "closed_home_seen"):
        if name in case:
            pos[name] = case[name]
    if "turns_played" in case:
        pos |= {
            "turns": [min(turns, 3) for turns in case["turns_played"]],
            "started": case["starter"] == "me",
        }
    position = game.position(swapped(pos))  # the turn is over: the opponent is to act
    result = position.result
    if result is None:
        pending = case["expect"].get("pending")
        return {"over": False, "pending": pending} if pending else {"over": False}
    cube = case.get("cube", {"value": 1})["value"]
    winner = {"me": "opp", "opponent": "me", None: None}[result.winner]
    over = {"over": True, "winner": winner, "class": result.kind, "points": game.stake(result, cube)}
    return {name: value for name, value in over.items() if name in case["expect"]}


def tavli(options: dict[str, Any], games: list[dict[str, Any]]) -> dict[str, Any]:
    given = {name.removeprefix("tavli."): value for name, value in options.items()}
    match = TavliMatch(**given)
    for game in games:
        match.add({"me": "me", "opp": "opponent", None: None}[game["winner"]], game["points"])
    short = {"me": "me", "opponent": "opp", None: None}
    state = {"score": list(match.score), "over": match.winner is not None, "winner": short[match.winner]}
    return (
        state
        if match.winner
        else state
        | {
            "next": match.next_game,
            "starter": short[match.starter] or "roll",
        }
    )


def marking(game: Variant, case: dict[str, Any]) -> dict[str, Any]:
    """Marking and leaving, by `mark`; that the engine's game does the same is compared elsewhere."""
    assert game.name == "trictrac"
    tt = case["tt"]
    if case["kind"] == "mark":
        won = []
        for who, points in case["events"]:
            tt, holes = variants.mark(tt, "opponent" if who else "me", points)
            won.append(holes)
        return {"pts": tt["pts"], "holes": tt["holes"], "won": won}
    gain, decision = case["gain"], case["decision"]
    if gain.get("source") == "opp_roll":
        return {"legal": decision != "leave"}
    tt, holes = variants.mark(tt, "me", gain["me"])
    left = {"restart": decision == "leave", "holes": tt["holes"]}
    if decision == "leave":
        assert holes
        return left | {"pts": [0, 0], "first": "me", "opp_marks": 0}
    tt, _ = variants.mark(tt, "opponent", gain["opp"])
    return left | {"pts": tt["pts"], "opp_marks": gain["opp"]}
