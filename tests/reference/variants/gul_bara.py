"""Gul bara: from a player's fourth turn on a double is played together with all higher ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reference.variants.backgammon import Portes
from reference.variants.parallel import Blocking
from reference.variants.state import State, first, side
from reference.variants.turns import Result, Step


@dataclass(frozen=True)
class Stage:
    """One decision's end: what comes next for whom.

    `again` is the number the same player goes on with; `gift` is what the other one plays before his throw:
    moves of `gift[0]`, and after them four of every higher number.
    """

    state: State
    again: int = 0
    gift: tuple[int, int] = (0, 0)


class GulBara(Blocking):
    name = "gul_bara"
    prefix = "gul_bara"
    defaults: ClassVar[dict[str, Any]] = {
        "leftover": "forfeit",
        "normal_turns": 3,
        "prime": "none",
        "runner": False,
        "celebi": False,
        "config_bonus": False,
    }

    def set_up(self) -> None:
        # The Celebi game moves as the ordinary hitting game does.
        self.hitting = Portes({}) if self.options["celebi"] else None

    def start(self) -> State:
        checkers = side({24: 2, 13: 5, 8: 3, 6: 5} if self.hitting else self.start_points)
        return State(checkers, checkers)

    def may_leave(self, state: State, point: int) -> bool:
        return not self.options["runner"] or self.runner_may_leave(state, point, 11)

    def steps(self, state: State, die: int) -> Iterator[Step]:
        yield from self.hitting.steps(state, die) if self.hitting else super().steps(state, die)

    def forbidden(self, state: State) -> bool:
        return self.options["prime"] == "nardi" and not self.hitting and self.blocks_everybody(state)

    def end(self, state: State) -> State:
        closed = state.closed_home_seen
        outside = state.six_outside_seen
        if self.options["config_bonus"]:
            held = [checkers > 0 for checkers in state.me]
            closed = first(closed, closed[0] or all(held[1:7]))
            six = any(all(held[low : low + 6]) for low in range(7, 20))
            outside = first(outside, outside[0] or six)
        turns = first(state.turns, state.turns[0] + 1)
        return replace(state.forgotten(), turns=turns, closed_home_seen=closed, six_outside_seen=outside)

    def cascades(self, state: State, dice: tuple[int, int]) -> bool:
        return dice[0] == dice[1] and state.turns[0] >= self.options["normal_turns"]

    def stage(self, state: State, number: int, moved: bool) -> set[Stage]:
        """The decision to play four of `number`; `moved` says whether a checker was moved in this turn."""
        used, ends = self.best_ends(state, [(number,) * 4])
        found = set()
        for end in ends:
            if self.result(end) or (used == 4 and number == 6):
                found.add(Stage(self.end(end)))
            elif used == 4:
                found.add(Stage(end.forgotten(), again=number + 1))
            elif self.options["leftover"] == "opponent" and (used or moved):
                found.add(Stage(self.end(end), gift=(number, 4 - used)))
            else:
                found.add(Stage(self.end(end)))
        return found

    def whole_turn(self, state: State, dice: tuple[int, int]) -> set[Stage]:
        """All ends of a turn; nothing is left for the same player in any of them."""
        if self.result(state):
            return {Stage(state)}
        if not self.cascades(state, dice):
            _, ends = self.best_ends(state, self.orders(state, dice))
            return {Stage(self.end(end)) for end in ends}
        open_stages = self.stage(state, dice[0], False)
        done = set()
        while open_stages:
            done |= {stage for stage in open_stages if not stage.again}
            pairs = {(stage.state, stage.again) for stage in open_stages if stage.again}
            open_stages = set().union(*(self.stage(before, number, True) for before, number in pairs))
        return done

    def turn(self, state: State, dice: tuple[int, int]) -> set[State]:
        return {stage.state for stage in self.whole_turn(state, dice)}

    def receives(self, state: State, dice: tuple[int, int]) -> set[tuple[int, ...]]:
        """The numbers each way to play hands to the opponent."""
        return {self.numbers(stage.gift) for stage in self.whole_turn(state, dice)}

    @staticmethod
    def numbers(gift: tuple[int, int]) -> tuple[int, ...]:
        number, count = gift
        rest = [higher for higher in range(number + 1, 7) for _ in range(4)] if number else []
        return (*(number for _ in range(count)), *rest)

    def play_gift(self, state: State, gift: tuple[int, int]) -> set[State]:
        """What playing `gift[1]` moves of `gift[0]` leads to: as many as possible, no turn of mine ended."""
        _, ends = self.best_ends(state, [(gift[0],) * gift[1]])
        return {end.forgotten() for end in ends}

    def result(self, state: State) -> Result | None:
        over = super().result(state)
        if over is None or not self.options["config_bonus"]:
            return over
        winner = 0 if over.winner == "me" else 1
        bonus = state.closed_home_seen[winner] + state.six_outside_seen[winner]
        return replace(over, points=over.points + bonus)
