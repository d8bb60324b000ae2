"""What all games share: the maximum rule, whole-turn restrictions, bearing off, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reference.variants.state import State, first, side

Place = int | str  # 1 to 24, "bar", "hand" or "off"


@dataclass(frozen=True)
class Step:
    """One checker moved by one die, and what it leads to."""

    start: Place
    end: Place
    after: State


@dataclass(frozen=True)
class Result:
    """How a game ended; `winner` is "me", "opp" or None, `points` without the cube."""

    winner: str | None
    kind: str
    points: int


class Game:
    """One game with its options; the constants say what the functions below do not."""

    name: ClassVar[str]
    prefix: ClassVar[str]  # of its options
    defaults: ClassVar[dict[str, Any]] = {}
    parallel: ClassVar[bool] = False
    checkers: int = 15
    start_points: ClassVar[dict[int, int]] = {24: 2, 13: 5, 8: 3, 6: 5}
    opening: str = "reroll"
    later: str = "winner_starts"  # how games after the first begin
    cube: bool = False

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(self.defaults)
        for name, value in options.items():
            prefix, _, flag = name.partition(".")
            assert prefix == self.prefix, f"{name} is no option of {self.name}"
            assert flag in self.defaults, f"{name} is no option"
            self.options[flag] = value
        self.opening = self.options.get("opening", self.opening)
        self.set_up()

    def set_up(self) -> None:
        """Whatever follows from the options."""

    def start(self) -> State:
        checkers = side(self.start_points)
        return State(checkers, checkers)

    # -- geometry

    def across(self, point: int) -> int:
        """The same point in the other side's numbering."""
        if not self.parallel:
            return 25 - point
        return point + 12 if point <= 12 else point - 12

    def enemies(self, state: State, point: int) -> int:
        """Enemy checkers on one of my points."""
        return state.opp[self.across(point)]

    # -- steps, to be said by each game

    def steps(self, state: State, die: int) -> Iterator[Step]:
        """Every legal single step with this die."""
        raise NotImplementedError

    def may_bear_off(self, state: State) -> bool:
        """Whether all of my checkers are home or off."""
        return not (any(state.me[7:]) or state.bar[0] or state.hand[0])

    def bears_off(self, state: State, point: int, die: int) -> bool:
        """Whether a checker on `point` may leave with this die (it goes beyond the last point)."""
        if not self.may_bear_off(state):
            return False
        return die == point or state.rearmost() == point

    def borne_off(self, state: State, point: int) -> State:
        return replace(state.with_checkers(point, -1), off=first(state.off, state.off[0] + 1))

    # -- turns

    def orders(self, state: State, dice: tuple[int, int]) -> list[tuple[int, ...]]:
        """The orders the numbers may be played in, the larger first."""
        high, low = max(dice), min(dice)
        return [(high,) * 4] if high == low else [(high, low), (low, high)]

    def begin(self, state: State, dice: tuple[int, int]) -> State:
        """The state with the memory a turn begins with."""
        return state

    def forbidden(self, state: State) -> bool:
        """Whether a turn may not end in this position."""
        return False

    def end(self, state: State) -> State:
        """The state after the turn, still mine."""
        return state.forgotten()

    def layers(self, state: State, order: tuple[int, ...]) -> list[set[State]]:
        """What playing the first 0, 1, 2, ... of these numbers can lead to."""
        reached = [{state}]
        for die in order:
            reached.append({step.after for before in reached[-1] for step in self.steps(before, die)})
        return reached

    def best_ends(self, state: State, orders: list[tuple[int, ...]]) -> tuple[int, set[State]]:
        """How many numbers have to be played, and the ends of all turns that do (memory kept)."""
        ways = [self.layers(state, order) for order in orders]
        for restricted in (True, False):
            for used in range(max(map(len, orders)), -1, -1):
                if used == 1 and len(ways) == 2:
                    candidates = [ways[0][1], ways[1][1]]  # the larger die if it can be played
                else:
                    candidates = [set().union(*(way[used] for way in ways if used < len(way)))]
                for ends in candidates:
                    allowed = {end for end in ends if not (restricted and self.forbidden(end))}
                    if allowed:
                        return used, allowed
        raise AssertionError("a turn always ends somewhere")

    def turn(self, state: State, dice: tuple[int, int]) -> set[State]:
        """All distinct positions after a legal turn, still seen by me. A finished game is not played on."""
        if self.result(state):
            return {state}
        _, ends = self.best_ends(self.begin(state, dice), self.orders(state, dice))
        return {self.end(end) for end in ends}

    def follow(self, state: State, dice: tuple[int, int], play: list[list[Place]]) -> State | None:
        """The result of exactly these steps in this order if they are a legal turn."""
        legal = self.turn(state, dice)
        for order in self.orders(state, dice):
            if len(play) > len(order):
                continue
            reached = {self.begin(state, dice)}
            for (start, end), die in zip(play, order, strict=False):
                reached = {
                    step.after
                    for before in reached
                    for step in self.steps(before, die)
                    if (step.start, step.end) == (start, end)
                }
            for end_state in reached:
                used, ends = self.best_ends(self.begin(state, dice), self.orders(state, dice))
                if used == len(play) and end_state in ends and self.end(end_state) in legal:
                    return self.end(end_state)
        return None

    # -- results

    def gone(self, state: State, index: int) -> bool:
        """Whether this side (0 is me) has no checker left."""
        return state.off[index] == self.checkers

    def loser_class(self, state: State, loser: int) -> str:
        """What the loser loses: a single game if he has borne off a checker, else more."""
        if state.off[loser]:
            return "single"
        checkers = (state.me, state.opp)[loser]
        if state.bar[loser] or state.hand[loser] or any(checkers[19:]):
            return "backgammon"
        return "gammon"

    def points_of(self, kind: str) -> tuple[str, int]:
        """How a class is counted in this game: no triple game unless it says so."""
        return {"single": ("single", 1)}.get(kind, ("gammon", 2))

    def result(self, state: State) -> Result | None:
        """How the game has ended, if it has."""
        for winner in (0, 1):
            if self.gone(state, winner):
                kind, points = self.points_of(self.loser_class(state, 1 - winner))
                return Result(("me", "opp")[winner], kind, points)
        return None


def runs_of_six(points: list[bool]) -> list[tuple[int, int]]:
    """The longest runs of six or more (lowest, highest) among points 1 to 24; index 0 is unused."""
    runs = []
    low = 0
    for point in range(1, 26):
        if point <= 24 and points[point]:
            low = low or point
        elif low:
            if point - low >= 6:
                runs.append((low, point - 1))
            low = 0
    return runs
