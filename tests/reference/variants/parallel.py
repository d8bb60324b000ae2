"""What the games share in which both sides run the same way and a single checker closes a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from reference.variants.state import State
from reference.variants.turns import Game, Step, runs_of_six


class Blocking(Game):
    parallel = True
    start_points: ClassVar[dict[int, int]] = {24: 15}

    def open(self, state: State, point: int) -> bool:
        return self.enemies(state, point) == 0

    def may_leave(self, state: State, point: int) -> bool:
        return True

    def left(self, state: State, point: int) -> State:
        return state.with_checkers(point, -1)

    def steps(self, state: State, die: int) -> Iterator[Step]:
        for point in range(24, 0, -1):
            if not state.me[point] or not self.may_leave(state, point):
                continue
            if point > die:
                if self.open(state, point - die):
                    yield Step(point, point - die, self.left(state, point).with_checkers(point - die, 1))
            elif self.bears_off(state, point, die):
                yield Step(point, "off", self.borne_off(state, point))

    def my_runs(self, state: State) -> list[tuple[int, int]]:
        """My blocks of six or more, by the enemy's points, along the enemy's route."""
        mine = [False] * 25
        for point in range(1, 25):
            mine[self.across(point)] = state.me[point] > 0
        return runs_of_six(mine)

    def blocks_everybody(self, state: State) -> bool:
        """Whether I have a block that no enemy checker is past."""
        if state.off[1]:
            return False
        return any(not any(state.opp[1:low]) for low, _ in self.my_runs(state))

    def runner_may_leave(self, state: State, point: int, free_from: int) -> bool:
        """Until one of my checkers stands on `free_from` or lower, only the first one out may move."""
        if state.off[0] or any(state.me[1 : free_from + 1]):
            return True
        out = [place for place in range(1, 24) if state.me[place]]
        return point in (out or [24])
