"""Plakoto: a single checker that is landed on is not hit but pinned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.state import State
from reference.variants.turns import Game, Result, Step


class Plakoto(Game):
    name = "plakoto"
    prefix = "plakoto"
    defaults: ClassVar[dict[str, Any]] = {
        "mother_rule": True,
        "mother_points": 2,
        "bear_off_with_pin": "never",
    }
    start_points: ClassVar[dict[int, int]] = {24: 15}

    def open(self, state: State, point: int) -> bool:
        his = self.across(point)
        enemies = state.opp[his]
        if enemies == 0:
            return True
        if his in state.pinned[1]:
            return True  # the enemy checker there lies under mine
        return enemies == 1 and point not in state.pinned[0]

    def steps(self, state: State, die: int) -> Iterator[Step]:
        for point in range(24, 0, -1):
            if not state.me[point] or point in state.pinned[0]:
                continue
            if point > die:
                if self.open(state, point - die):
                    yield Step(point, point - die, self.landed(self.left(state, point), point - die))
            elif self.bears_off(state, point, die):
                after = self.left(state, point)
                yield Step(point, "off", replace(after, off=(after.off[0] + 1, after.off[1])))

    def left(self, state: State, point: int) -> State:
        """A checker of mine leaves; whoever lay under the last one is free."""
        state = state.with_checkers(point, -1)
        if state.me[point] == 0:
            state = replace(state, pinned=(state.pinned[0], state.pinned[1] - {self.across(point)}))
        return state

    def landed(self, state: State, point: int) -> State:
        if self.enemies(state, point):
            state = replace(state, pinned=(state.pinned[0], state.pinned[1] | {self.across(point)}))
        return state.with_checkers(point, 1)

    def may_bear_off(self, state: State) -> bool:
        if self.options["bear_off_with_pin"] == "never" and state.pinned[0]:
            return False
        return super().may_bear_off(state)

    def result(self, state: State) -> Result | None:
        if self.options["mother_rule"]:
            mine = 24 in state.pinned[0]
            his = 24 in state.pinned[1]
            points = self.options["mother_points"]
            if mine and his:
                return Result(None, "draw", 0)
            if his and state.me[24] == 0:
                return Result("me", "mother", points)
            if mine and state.opp[24] == 0:
                return Result("opp", "mother", points)
        return super().result(state)
