"""Dutch backgammon: all checkers start in hand, and only who has had a checker home may hit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.backgammon import Backgammon
from reference.variants.state import State, first
from reference.variants.turns import Step


class Dutch(Backgammon):
    name = "dutch"
    prefix = "dutch"
    defaults: ClassVar[dict[str, Any]] = {"opening": "reroll", "hit_right": "latched", "cube": True}
    start_points: ClassVar[dict[int, int]] = {}

    def set_up(self) -> None:
        self.cube = self.options["cube"]

    def start(self) -> State:
        return replace(super().start(), hand=(15, 15))

    def may_hit(self, state: State) -> bool:
        now = any(state.me[1:7]) or state.off[0] > 0
        return now or (self.options["hit_right"] == "latched" and state.reached[0])

    def open(self, state: State, point: int) -> bool:
        return self.enemies(state, point) < (2 if self.may_hit(state) else 1)

    def steps(self, state: State, die: int) -> Iterator[Step]:
        entry = 25 - die
        if state.bar[0] or not state.hand[0]:
            yield from super().steps(state, die)
        elif self.open(state, entry):
            waiting = replace(state, hand=first(state.hand, state.hand[0] - 1))
            yield Step("hand", entry, self.landed(waiting, entry))

    def landed(self, state: State, point: int) -> State:
        after = super().landed(state, point)
        return replace(after, reached=first(after.reached, True)) if point <= 6 else after

    def end(self, state: State) -> State:
        home = any(state.me[1:7]) or state.off[0] > 0
        return replace(state.forgotten(), reached=first(state.reached, state.reached[0] or home))
