"""Decisions one by one: what comes next for whom, in the same form for every game.

The engine decides stage by stage; this says what each stage may lead to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reference.variants.acey_deucey import AceyDeucey
from reference.variants.gul_bara import GulBara, Stage
from reference.variants.state import State, from_case
from reference.variants.trictrac import Marking, Next, Trictrac, marking_from_case
from reference.variants.turns import Game, Result

Asks = tuple[Any, ...]
THROW: Asks = ("throw",)


@dataclass(frozen=True)
class Node:
    """A position to be decided by "me", and whether "me" decided the one before, too."""

    state: State
    asks: Asks = THROW
    marking: Marking | None = None
    again: bool = False


def node(fields: dict[str, Any], checkers: int = 15, again: bool = False) -> Node:
    """The node of a position's fields."""
    tt = fields.get("tt")
    state = from_case({**fields, **({"turns": tt["turns"]} if tt else {})}, checkers)
    return Node(state, tuple(fields.get("asks", THROW)), marking_from_case(tt) if tt else None, again)


def handed(state: State, asks: Asks = THROW) -> Node:
    """The other player is to act; turns are told apart up to three, throws of 1-2 up to fifteen."""
    return Node(capped(state.flip()), asks)


def capped(state: State) -> State:
    one, two = state.turns
    return replace(state, turns=(min(one, 3), min(two, 3)), acey_rolled=min(state.acey_rolled, 15))


def untied(state: State) -> State:
    """With turns that say who has had one more, where both have had three or more.

    Who threw first has, unless it is his throw.
    """
    tied = state.turns == (3, 3) and state.started is False
    return replace(state, turns=(2, 3)) if tied else state


def ended(game: Game, state: State) -> Result | None:
    """How the game has ended."""
    return game.result(untied(state))


def decide(game: Game, before: Node, dice: tuple[int, int] | None) -> set[Node]:
    """Everything one decision may lead to."""
    if isinstance(game, Trictrac):
        return trictrac(game, before, dice)
    state = untied(before.state)
    if game.result(state):
        return {handed(state)}
    if isinstance(game, AceyDeucey):
        return acey(game, before, dice)
    if isinstance(game, GulBara):
        return gul_bara(game, before, dice)
    assert dice
    return {handed(after) for after in game.turn(state, dice)}


def acey(game: AceyDeucey, before: Node, dice: tuple[int, int] | None) -> set[Node]:
    if before.asks == ("name",):
        return {Node(before.state, ("four", number), again=True) for number in range(1, 7)}
    if before.asks[0] == "four":
        ends = game.named(before.state, before.asks[1])
        return {Node(capped(end), again=True) if extra else handed(end) for end, extra in ends}
    assert dice
    asks: dict[str, Asks] = {"name": ("name",), "four": ("four", 7 - dice[0])}
    return {
        handed(end) if then == "done" else Node(capped(end), asks[then], again=True)
        for end, then in game.after_throw(before.state, dice)
    }


def gul_bara(game: GulBara, before: Node, dice: tuple[int, int] | None) -> set[Node]:
    def next_of(stage: Stage) -> Node:
        if stage.again:
            return Node(stage.state, ("four", stage.again), again=True)
        return handed(stage.state, ("gift", *stage.gift) if stage.gift[0] else THROW)

    word, *numbers = before.asks
    if word == "gift":
        number, count = numbers
        then: Asks = ("gift", number + 1, 4) if number < 6 else THROW
        ends = game.play_gift(before.state, (number, count))
        return {handed(end) if game.result(end) else Node(end, then, again=True) for end in ends}
    if word == "four":
        return {next_of(stage) for stage in game.stage(before.state, numbers[0], True)}
    assert dice
    if game.cascades(before.state, dice):
        return {next_of(stage) for stage in game.stage(before.state, dice[0], False)}
    return {next_of(stage) for stage in game.whole_turn(before.state, dice)}


def trictrac(game: Trictrac, before: Node, dice: tuple[int, int] | None) -> set[Node]:
    assert before.marking
    ecrire = game.options["mode"] == "ecrire"
    if game.won(before.marking) or before.asks == ("nothing",):
        return {Node(before.state.flip(), before.asks, short(before.marking.flip(), ecrire))}
    if before.asks[0] == "play":
        dice = (before.asks[1], before.asks[2])
        found = game.play(before.state, before.marking, dice)
    elif before.asks[0] == "mark":
        found = game.other_marks(before.state, before.marking, before.asks[1])
    else:
        assert dice
        found = game.throw(before.state, before.marking, dice)

    def next_of(after: Next) -> Node:
        marking = short(after.marking, ecrire)
        if after.then == "mark":
            return Node(after.state.flip(), ("mark", after.due), marking.flip())
        if after.then in ("opp", "over"):
            asks = ("nothing",) if after.then == "over" and ecrire else THROW
            return Node(after.state.flip(), asks, marking.flip())
        asks = ("play", *dice) if after.then == "play" and dice else THROW
        return Node(after.state, asks, marking, again=True)

    return {next_of(after) for after in found}


def short(marking: Marking, ecrire: bool) -> Marking:
    """With the runs as the engine holds them: up to twelve, the longest as 0, 6 or 12, and only in rounds."""
    if not ecrire:
        return replace(marking, runs=(0, 0), best_runs=(0, 0))

    def step(run: int) -> int:
        return 12 if run >= 12 else 6 if run >= 6 else 0

    one, two = marking.runs
    return replace(
        marking,
        runs=(min(one, 12), min(two, 12)),
        best_runs=(step(marking.best_runs[0]), step(marking.best_runs[1])),
    )
