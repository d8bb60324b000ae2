"""A position of any game, both sides numbered by themselves, and its form in the case files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

Side = tuple[int, ...]
Pair = tuple[int, int]
Flags = tuple[bool, bool]
Points = frozenset[int]

NO: Flags = (False, False)
NOWHERE: tuple[Points, Points] = (frozenset(), frozenset())


def side(points: Mapping[int, int]) -> Side:
    """Checkers by point: index 0 is unused, 1 to 24 are the side's own points."""
    return tuple(points.get(point, 0) for point in range(25))


@dataclass(frozen=True)
class State:
    """All that a game remembers; the first of every pair belongs to the player on roll, "me".

    `memory` holds what matters only within a turn, and is empty outside one.
    """

    me: Side
    opp: Side
    bar: Pair = (0, 0)
    hand: Pair = (0, 0)
    off: Pair = (0, 0)
    pinned: tuple[Points, Points] = NOWHERE
    reached: Flags = NO  # Dutch: has had a checker home. Jacquet with hits: the courier has arrived.
    turns: Pair = (0, 0)
    six_seen: Flags = NO  # Jacquet: has built six in a row
    closed_home_seen: Flags = NO  # Gul bara's overlay
    six_outside_seen: Flags = NO
    acey_rolled: int = 0
    started: bool | None = None  # whether "me" threw first, where that matters
    memory: tuple[int, ...] = ()

    def flip(self) -> State:
        """The same position with the other player as "me"."""

        def turned(pair: tuple[Any, Any]) -> tuple[Any, Any]:
            return (pair[1], pair[0])

        return State(
            me=self.opp,
            opp=self.me,
            bar=turned(self.bar),
            hand=turned(self.hand),
            off=turned(self.off),
            pinned=turned(self.pinned),
            reached=turned(self.reached),
            turns=turned(self.turns),
            six_seen=turned(self.six_seen),
            closed_home_seen=turned(self.closed_home_seen),
            six_outside_seen=turned(self.six_outside_seen),
            acey_rolled=self.acey_rolled,
            started=None if self.started is None else not self.started,
        )

    def with_checkers(self, point: int, change: int) -> State:
        """With so many of my checkers more on one of my points."""
        # What `dataclasses.replace` makes, in a fifth of the time: half of all work is done here.
        after = object.__new__(State)
        after.__dict__.update(self.__dict__)
        after.__dict__["me"] = changed(self.me, point, change)
        return after

    def rearmost(self) -> int:
        """My highest occupied point; 0 if there is none."""
        return max((point for point in range(1, 25) if self.me[point]), default=0)

    def forgotten(self) -> State:
        """Without what matters only within the turn."""
        return replace(self, memory=()) if self.memory else self


def changed(checkers: Side, point: int, change: int) -> Side:
    return (*checkers[:point], checkers[point] + change, *checkers[point + 1 :])


def first(pair: tuple[Any, Any], value: Any) -> tuple[Any, Any]:
    """The pair with my entry replaced."""
    return (value, pair[1])


def from_case(pos: Mapping[str, Any], checkers: int = 15) -> State:
    """The state a case describes. Checkers not mentioned do not exist: every case names all of them."""

    def pair(name: str) -> Any:
        value = pos.get(name)
        return (0, 0) if value is None else tuple(value)

    def flags(name: str) -> Flags:
        value = pos.get(name) or (False, False)
        return (bool(value[0]), bool(value[1]))

    pins = pos.get("pinned") or {}
    state = State(
        me=side({int(point): n for point, n in pos["me"].items()}),
        opp=side({int(point): n for point, n in pos["opp"].items()}),
        bar=pair("bar"),
        hand=pair("hand"),
        off=pair("off"),
        pinned=(frozenset(pins.get("me", ())), frozenset(pins.get("opp", ()))),
        reached=flags("reached"),
        turns=pair("turns"),
        six_seen=flags("six_seen"),
        closed_home_seen=flags("closed_home_seen"),
        six_outside_seen=flags("six_outside_seen"),
        acey_rolled=pos.get("acey_rolled", 0),
        started=pos.get("started"),
    )
    for index, points in enumerate((state.me, state.opp)):
        total = sum(points) + state.bar[index] + state.hand[index] + state.off[index]
        assert total == checkers, f"{total} checkers"
    return state


def to_case(state: State) -> dict[str, Any]:
    """The form of the case files' results: no `turns`, and nothing that is empty."""
    case: dict[str, Any] = {
        "me": {str(point): state.me[point] for point in range(24, 0, -1) if state.me[point]},
        "opp": {str(point): state.opp[point] for point in range(24, 0, -1) if state.opp[point]},
    }
    for name in ("bar", "hand", "off", "reached"):
        value = getattr(state, name)
        if any(value):
            case[name] = list(value)
    if any(state.pinned):
        case["pinned"] = {"me": sorted(state.pinned[0]), "opp": sorted(state.pinned[1])}
    return case
