"""Kirik Tavla: Tavla, where a hit checker does not enter on a point his own checkers hold."""

from __future__ import annotations

from typing import Any, ClassVar

from reference.variants.state import State
from reference.variants.tavla import Tavla
from reference.variants.turns import Result


class KirikTavla(Tavla):
    name = "kirik_tavla"
    prefix = "kirik"
    defaults: ClassVar[dict[str, Any]] = {"entry": "empty_or_blot", "six_hit_mars": False}

    def set_up(self) -> None:
        self.options |= {"hit_and_run": "forbidden_home", "triple": False}

    def may_enter(self, state: State, point: int) -> bool:
        if not self.open(state, point):
            return False
        if self.options["entry"] == "standard":
            return True

        def free(entry: int) -> bool:
            return self.open(state, entry) and not state.me[entry]

        # Where no point at all is free for entry, the ordinary rule holds.
        return free(point) or not any(free(entry) for entry in range(19, 25))

    def result(self, state: State) -> Result | None:
        over = super().result(state)
        if over is None and self.options["six_hit_mars"]:
            for loser in (0, 1):
                if state.bar[loser] >= 6:
                    return Result(("opp", "me")[loser], "gammon", 2)
        return over
