"""Jacquet: a courier goes ahead, and six in a row have to be earned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.parallel import Blocking
from reference.variants.state import State, changed, first
from reference.variants.turns import Step


class Jacquet(Blocking):
    name = "jacquet"
    prefix = "jacquet"
    later = "opening"
    defaults: ClassVar[dict[str, Any]] = {
        "prime": "needs_last_two",
        "must_bear_off": False,
        "triple_no_prime": False,
        "doubles": 4,
        "style": "block",
    }

    def set_up(self) -> None:
        self.hits = self.options["style"] == "hitting"
        self.must_leave = self.options["must_bear_off"] or self.hits

    def orders(self, state: State, dice: tuple[int, int]) -> list[tuple[int, ...]]:
        if dice[0] == dice[1] and self.options["doubles"] == "value":
            return [(dice[0],) * dice[0]]
        return super().orders(state, dice)

    def open(self, state: State, point: int) -> bool:
        return self.enemies(state, point) < (2 if self.hits else 1)

    def may_leave(self, state: State, point: int) -> bool:
        return state.reached[0] or self.runner_may_leave(state, point, 6)

    def steps(self, state: State, die: int) -> Iterator[Step]:
        if state.bar[0]:
            found = []
            if self.open(state, 25 - die):
                waiting = replace(state, bar=first(state.bar, state.bar[0] - 1))
                found = [Step("bar", 25 - die, waiting.with_checkers(25 - die, 1))]
        else:
            found = list(super().steps(state, die))
        if self.must_leave and any(step.end == "off" for step in found):
            found = [step for step in found if step.end == "off"]
        for step in found:
            yield Step(step.start, step.end, self.hit(step.after, step.end) if self.hits else step.after)

    def hit(self, state: State, end: int | str) -> State:
        """With hits: send off whoever stands where I have landed; the courier's arrival is kept."""
        if isinstance(end, str):
            return replace(state, reached=first(state.reached, True))
        if self.enemies(state, end):
            bar = (state.bar[0], state.bar[1] + 1)
            state = replace(state, opp=changed(state.opp, self.across(end), -1), bar=bar)
        return replace(state, reached=first(state.reached, state.reached[0] or end <= 6))

    def forbidden(self, state: State) -> bool:
        if self.hits:
            closed = sum(checkers >= 2 for checkers in state.me[19:25])
            return state.off[0] == 0 and (closed > 2 or state.me[13] > 2)
        runs = bool(self.my_runs(state))
        rule = self.options["prime"]
        if rule == "needs_last_two":
            return runs and not (state.me[1] and state.me[2])
        if rule == "nardi":
            return self.blocks_everybody(state)
        return rule == "never_six" and runs

    def end(self, state: State) -> State:
        built = state.six_seen[0] or bool(self.my_runs(state))
        if not self.options["triple_no_prime"]:
            return state.forgotten()
        return replace(state.forgotten(), six_seen=first(state.six_seen, built))

    def loser_class(self, state: State, loser: int) -> str:
        if state.off[loser]:
            return "single"
        checkers = (state.me, state.opp)[loser]
        if self.hits and (any(checkers[13:]) or state.bar[loser]):
            return "backgammon"
        if self.options["triple_no_prime"] and not state.six_seen[1 - loser]:
            return "triple"
        return "gammon"

    def points_of(self, kind: str) -> tuple[str, int]:
        return {
            "single": ("single", 1),
            "gammon": ("gammon", 2),
            "triple": ("gammon", 3),
            "backgammon": ("backgammon", 3),
        }[kind]
