"""Acey-deucey: checkers wait in hand, enter when their owner likes, and 1-2 is worth a double and a throw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from reference.variants.backgammon import Hitting
from reference.variants.state import State, first
from reference.variants.turns import Result, Step

Ends = set[tuple[State, bool]]  # with whether the same player throws again


class AceyDeucey(Hitting):
    name = "acey_deucey"
    prefix = "acey"
    defaults: ClassVar[dict[str, Any]] = {
        "count": "remaining",
        "double_on_acey": False,
        "bar_first": False,
        "exact_bear_off": False,
        "version": "american",
        "opening": "reroll",
    }
    start_points: ClassVar[dict[int, int]] = {}
    later = "opening"

    def start(self) -> State:
        return replace(super().start(), hand=(15, 15))

    def steps(self, state: State, die: int) -> Iterator[Step]:
        entry = 25 - die
        if state.bar[0]:  # only with bar_first
            yield from super().steps(state, die)
            return
        if state.hand[0] and self.open(state, entry):
            waiting = replace(state, hand=first(state.hand, state.hand[0] - 1))
            yield Step("hand", entry, self.landed(waiting, entry))
        yield from self.board_steps(state, die)

    def hit(self, state: State, point: int) -> State:
        if self.options["bar_first"]:
            return super().hit(state, point)
        return replace(state, hand=(state.hand[0], state.hand[1] + 1))

    def bears_off(self, state: State, point: int, die: int) -> bool:
        if self.options["exact_bear_off"] and die != point:
            return False
        return super().bears_off(state, point, die)

    def four(self, state: State, number: int) -> tuple[bool, set[State]]:
        """A double played: whether all four moves were made, and the ends."""
        used, ends = self.best_ends(state, [(number,) * 4])
        return used == 4, ends

    def first_part(self, state: State, dice: tuple[int, int]) -> tuple[bool, set[State]]:
        """The numbers thrown: whether all were played, and the ends."""
        orders = self.orders(state, dice)
        used, ends = self.best_ends(state, orders)
        return used == len(orders[0]), ends

    def thrown(self, state: State, dice: tuple[int, int]) -> State:
        counted = self.options["double_on_acey"] and set(dice) == {1, 2}
        return replace(state, acey_rolled=state.acey_rolled + 1) if counted else state

    def acey(self, state: State, number: int) -> Ends:
        """What a throw of 1-2 with this double named can lead to."""
        complete, ends = self.first_part(self.thrown(state, (1, 2)), (1, 2))
        if not complete:
            return {(self.end(end), False) for end in ends}
        results: Ends = set()
        for middle in ends:
            results |= self.named(middle, number)
        return results

    def named(self, state: State, number: int) -> Ends:
        """What the double `number` leads to after 1 and 2 have been played."""
        if self.result(state):
            return {(self.end(state), False)}
        complete, ends = self.four(state, number)
        return {(self.end(end), complete and self.result(end) is None) for end in ends}

    def after_throw(self, state: State, dice: tuple[int, int]) -> set[tuple[State, str]]:
        """The ends of the numbers thrown, with what comes next.

        "done": the other player; "name": the same player names a double; "four": he plays the complementary
        one.
        """
        complete, ends = self.first_part(self.thrown(state, dice), dice)
        doubles = dice[0] == dice[1] and self.options["version"] == "european"
        then = "name" if set(dice) == {1, 2} else "four" if doubles else "done"
        return {(self.end(end), then if complete and self.result(end) is None else "done") for end in ends}

    def result(self, state: State) -> Result | None:
        for winner in (0, 1):
            if self.gone(state, winner):
                loser = 1 - winner
                left = self.checkers - state.off[loser]
                if self.options["count"] == "on_board":
                    left -= state.hand[loser] + state.bar[loser]
                stake = 2**state.acey_rolled if self.options["double_on_acey"] else 1
                return Result(("me", "opp")[winner], "single", left * stake)
        return None
