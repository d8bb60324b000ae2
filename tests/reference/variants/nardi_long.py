"""Long nardi: no hits, one checker a turn from the head, no block in front of everybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.parallel import Blocking
from reference.variants.state import State, first
from reference.variants.turns import Result, Step


class NardiLong(Blocking):
    """The memory of a turn is how many checkers may still leave the head."""

    name = "nardi_long"
    prefix = "nardi_long"
    later = "opening"
    defaults: ClassVar[dict[str, Any]] = {
        "opening": "reroll",
        "head_exception": "three_doubles",
        "block": "need_enemy_ahead",
        "block_check": "end",
        "last_throw_draw": False,
        "home_mars": False,
        "koks": False,
        "cube": False,
        "doubles": 4,
    }

    def set_up(self) -> None:
        self.cube = self.options["cube"]

    def start(self) -> State:
        started = True if self.options["last_throw_draw"] else None
        return replace(super().start(), started=started)

    def orders(self, state: State, dice: tuple[int, int]) -> list[tuple[int, ...]]:
        if dice[0] == dice[1]:
            return [(dice[0],) * self.options["doubles"]]
        return super().orders(state, dice)

    def begin(self, state: State, dice: tuple[int, int]) -> State:
        one = replace(state, memory=(1,))
        rule = self.options["head_exception"]
        if state.turns[0] or rule == "none":
            return one
        if rule == "three_doubles":
            return replace(state, memory=(2,)) if dice in ((6, 6), (4, 4), (3, 3)) else one
        return replace(state, memory=(2,)) if self.stopped_by_enemies(one, dice) else one

    def stopped_by_enemies(self, state: State, dice: tuple[int, int]) -> bool:
        """Whether the throw cannot be completed, and a checker off the head is before an enemy checker."""
        orders = self.orders(state, dice)
        used, _ = self.best_ends(state, orders)
        if used == len(orders[0]):
            return False
        for order in orders:
            for end in self.layers(state, order)[used]:
                for point in range(1, 24):
                    target = point - order[used]
                    if end.me[point] and target >= 1 and self.enemies(end, target):
                        return True
        return False

    def may_leave(self, state: State, point: int) -> bool:
        return point != 24 or state.memory[0] > 0

    def left(self, state: State, point: int) -> State:
        after = super().left(state, point)
        return replace(after, memory=(state.memory[0] - 1,)) if point == 24 else after

    def steps(self, state: State, die: int) -> Iterator[Step]:
        for step in super().steps(state, die):
            if self.options["block_check"] == "end" or not self.is_block(step.after):
                yield step

    def forbidden(self, state: State) -> bool:
        return self.options["block_check"] == "end" and self.is_block(state)

    def is_block(self, state: State) -> bool:
        rule = self.options["block"]
        if rule == "need_enemy_ahead":
            return self.blocks_everybody(state)
        return rule == "never_six" and bool(self.my_runs(state))

    def end(self, state: State) -> State:
        return replace(state.forgotten(), turns=first(state.turns, state.turns[0] + 1))

    def loser_class(self, state: State, loser: int) -> str:
        checkers = (state.me, state.opp)[loser]
        if state.off[loser]:
            return "single"
        if self.options["koks"] and any(checkers[7:]):
            return "backgammon"
        return "home_mars" if self.options["home_mars"] and not any(checkers[7:]) else "gammon"

    def points_of(self, kind: str) -> tuple[str, int]:
        return {
            "single": ("single", 1),
            "gammon": ("gammon", 2),
            "home_mars": ("gammon", 3),
            "backgammon": ("backgammon", 3),
        }[kind]

    def pending(self, state: State) -> bool:
        """Whether the side that threw second still has its last throw (it is on roll, or will be)."""
        if not self.options["last_throw_draw"] or state.started is None:
            return False
        starter = 0 if state.started else 1
        second = 1 - starter
        if not self.gone(state, starter) or self.gone(state, second) or state.off[second] == 0:
            return False
        return state.turns[second] < state.turns[starter]

    def result(self, state: State) -> Result | None:
        if self.gone(state, 0) and self.gone(state, 1):
            return Result(None, "draw", 0)
        return None if self.pending(state) else super().result(state)
