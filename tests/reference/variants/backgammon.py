"""The standard game and those that differ from it only in the start or in what a win is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.state import State, changed, first
from reference.variants.turns import Game, Step


class Hitting(Game):
    """Opposite ways; two enemy checkers close a point, a single one is hit; the bar comes first."""

    def steps(self, state: State, die: int) -> Iterator[Step]:
        if state.bar[0]:
            if self.may_enter(state, 25 - die):
                waiting = replace(state, bar=first(state.bar, state.bar[0] - 1))
                yield Step("bar", 25 - die, self.landed(waiting, 25 - die))
            return
        yield from self.board_steps(state, die)

    def board_steps(self, state: State, die: int) -> Iterator[Step]:
        for point in range(24, 0, -1):
            if not state.me[point] or not self.may_leave(state, point):
                continue
            if point > die:
                if self.open(state, point - die):
                    yield Step(point, point - die, self.landed(state.with_checkers(point, -1), point - die))
            elif self.bears_off(state, point, die):
                yield Step(point, "off", self.borne_off(state, point))

    def open(self, state: State, point: int) -> bool:
        return self.enemies(state, point) < 2

    def may_enter(self, state: State, point: int) -> bool:
        return self.open(state, point)

    def may_leave(self, state: State, point: int) -> bool:
        return True

    def landed(self, state: State, point: int) -> State:
        """A checker of mine arrives, and hits a single enemy checker."""
        if self.enemies(state, point):
            state = self.hit(replace(state, opp=changed(state.opp, self.across(point), -1)), point)
        return state.with_checkers(point, 1)

    def hit(self, state: State, point: int) -> State:
        """The enemy checker that was on `point` goes to the bar."""
        return replace(state, bar=(state.bar[0], state.bar[1] + 1))


class Backgammon(Hitting):
    name = "standard"
    prefix = "standard"
    opening = "use_dice"
    later = "opening"
    cube = True

    def points_of(self, kind: str) -> tuple[str, int]:
        return kind, {"single": 1, "gammon": 2, "backgammon": 3}[kind]


class Nackgammon(Backgammon):
    name = "nackgammon"
    prefix = "nackgammon"
    start_points: ClassVar[dict[int, int]] = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}


class Longgammon(Backgammon):
    name = "longgammon"
    prefix = "longgammon"
    start_points: ClassVar[dict[int, int]] = {24: 15}


class Hypergammon(Backgammon):
    """One to three checkers a side, on the 24, 23 and 22."""

    name = "hypergammon"
    prefix = "hypergammon"
    defaults: ClassVar[dict[str, Any]] = {"checkers": 3}

    def set_up(self) -> None:
        self.checkers = self.options["checkers"]

    def start(self) -> State:
        checkers = tuple(int(25 - self.checkers <= point <= 24) for point in range(25))
        return State(checkers, checkers)


class Portes(Hitting):
    name = "portes"
    prefix = "portes"
    defaults: ClassVar[dict[str, Any]] = {"triple": False, "hit_and_run": "allowed", "opening": "reroll"}

    def landed(self, state: State, point: int) -> State:
        hits = self.enemies(state, point) > 0
        after = super().landed(state, point)
        if hits and point <= 6:
            after = replace(after, memory=tuple(sorted({*after.memory, point})))
        return after

    def may_leave(self, state: State, point: int) -> bool:
        """Where a checker of mine has hit at home this turn, one has to stay."""
        if self.options["hit_and_run"] == "allowed":
            return True
        return point not in state.memory or state.me[point] > 1

    def points_of(self, kind: str) -> tuple[str, int]:
        if kind == "backgammon" and self.options["triple"]:
            return kind, 3
        return super().points_of(kind)


class NardiShort(Backgammon):
    name = "nardi_short"
    prefix = "nardi_short"
    defaults: ClassVar[dict[str, Any]] = {"triple": True, "cube": True}

    def set_up(self) -> None:
        self.cube = self.options["cube"]

    def points_of(self, kind: str) -> tuple[str, int]:
        if kind == "backgammon" and not self.options["triple"]:
            return "gammon", 2
        return super().points_of(kind)
