"""Fevga: a single checker closes a point, one checker runs ahead, and primes are limited."""

from __future__ import annotations

from typing import Any, ClassVar

from reference.variants.parallel import Blocking
from reference.variants.state import State


class Fevga(Blocking):
    name = "fevga"
    prefix = "fevga"
    defaults: ClassVar[dict[str, Any]] = {
        "start_quarter": "never_full",
        "start_front": False,
        "prime_open": True,
        "runner": "pass_start",
        "preset": "none",
    }

    def may_leave(self, state: State, point: int) -> bool:
        if self.options["runner"] == "none":
            return True
        return self.runner_may_leave(state, point, 12 if self.options["preset"] == "moultezim" else 11)

    def forbidden(self, state: State) -> bool:
        mine = [checkers > 0 for checkers in state.me]
        if all(mine[19:25]) and not self.start_may_be_full(state):
            return True
        if self.options["start_front"] and state.opp[24] and all(mine[6:12]):
            return True
        if self.options["preset"] == "moultezim" and sum(mine[7:13]) > 4:
            return True
        return self.options["prime_open"] and self.shuts_in_everybody(state)

    def start_may_be_full(self, state: State) -> bool:
        rule = self.options["start_quarter"]
        # His checkers have gone through my first quarter (his 12 to 7) when they stand on his 6 or lower.
        passed = any(state.opp[1:7]) or state.off[1] > 0
        return rule == "free" or (rule == "unless_passed" and passed)

    def shuts_in_everybody(self, state: State) -> bool:
        """All enemy checkers on one point, and my six right in front of it."""
        stands = [point for point in range(1, 25) if state.opp[point]]
        if len(stands) != 1 or stands[0] < 7:
            return False
        return all(state.me[self.across(stands[0] - ahead)] for ahead in range(1, 7))
