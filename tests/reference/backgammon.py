"""The standard game, written from its rules and from nothing else.

A side is a tuple of 25 counts: its own points 1 to 24, its ace point first, then its bar, which is
"point 25". A position is a pair of sides, the player on roll (``me``) first. Point ``p`` of one side is
point ``25 - p`` of the other. Checkers borne off are those missing from fifteen.
"""

from __future__ import annotations

from collections.abc import Iterator

Side = tuple[int, ...]
Position = tuple[Side, Side]

BAR = 25
CHECKERS = 15
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def side(points: dict[int, int], bar: int = 0) -> Side:
    """The side with these checkers on its own points and this many on the bar."""
    return (*(points.get(point, 0) for point in range(1, 25)), bar)


START: Position = (side({24: 2, 13: 5, 8: 3, 6: 5}), side({24: 2, 13: 5, 8: 3, 6: 5}))


def on(checkers: Side, point: int) -> int:
    """Checkers of this side on its own ``point`` (25 is the bar)."""
    return checkers[point - 1]


def with_one_more(checkers: Side, point: int) -> Side:
    """The side after a checker was put on ``point``."""
    return (*checkers[: point - 1], checkers[point - 1] + 1, *checkers[point:])


def with_one_less(checkers: Side, point: int) -> Side:
    """The side after a checker was taken from ``point``."""
    return (*checkers[: point - 1], checkers[point - 1] - 1, *checkers[point:])


def is_open(opponent: Side, point: int) -> bool:
    """A point is open unless two or more enemy checkers stand on it."""
    return on(opponent, 25 - point) < 2


def all_home(me: Side) -> bool:
    """Whether every checker is on the points 6 to 1 or already off."""
    return not any(me[6:])


def may_move(me: Side, opponent: Side, point: int, die: int) -> bool:
    """Whether a checker on ``point`` may move by this die."""
    if on(me, point) == 0:
        return False
    if on(me, BAR) > 0 and point != BAR:
        return False  # Checkers on the bar enter first.
    target = point - die
    if target >= 1:
        return is_open(opponent, target)
    if not all_home(me):
        return False
    # Off: the exact number, or a larger one from the highest occupied point.
    return target == 0 or not any(me[point:])


def move(me: Side, opponent: Side, point: int, die: int) -> Position:
    """The position after that checker has moved, a hit included; the mover stays first."""
    me = with_one_less(me, point)
    target = point - die
    if target >= 1:
        me = with_one_more(me, target)
        if on(opponent, 25 - target) == 1:
            opponent = with_one_more(with_one_less(opponent, 25 - target), BAR)
    return me, opponent


def single_moves(position: Position, die: int) -> Iterator[Position]:
    """Every position one checker moved by this die can lead to."""
    me, opponent = position
    for point in range(1, 26):
        if may_move(me, opponent, point, die):
            yield move(me, opponent, point, die)


def reached_by(position: Position, dice: tuple[int, ...]) -> list[set[Position]]:
    """What can be reached by playing the first 0, 1, 2, ... of these dice in this order."""
    reached = [{position}]
    for die in dice:
        reached.append({after for before in reached[-1] for after in single_moves(before, die)})
    return reached


def orders(dice: tuple[int, int]) -> list[tuple[int, ...]]:
    """The orders dice can be played in, the larger first; a double is four moves."""
    high, low = max(dice), min(dice)
    return [(high,) * 4] if high == low else [(high, low), (low, high)]


def dice_used(ways: list[list[set[Position]]]) -> int:
    """The most dice that any order lets the player use."""
    return max(count for way in ways for count, positions in enumerate(way) if positions)


def flip(position: Position) -> Position:
    """The same checkers with the other player on roll."""
    me, opponent = position
    return opponent, me


def legal_afterstates(me: Side, opponent: Side, dice: tuple[int, int]) -> set[Position]:
    """All distinct results of a turn, the opponent on roll; nothing playable: the turn passes.

    As many dice as possible must be used; if either could be used but not both, the larger. A finished
    game is not played on.
    """
    if not any(me) or not any(opponent):
        return {flip((me, opponent))}
    ways = [reached_by((me, opponent), order) for order in orders(dice)]
    used = dice_used(ways)
    if len(ways) == 2 and used == 1:
        larger_die, smaller_die = ways[0][1], ways[1][1]
        results = larger_die or smaller_die
    else:
        results = set().union(*(way[used] for way in ways))
    return {flip(position) for position in results}


def outcome(position: Position) -> tuple[str, str] | None:
    """Who won (``"me"`` or ``"opponent"``) and how, or ``None`` while both have checkers left."""
    me, opponent = position
    if any(me) and any(opponent):
        return None
    winner, loser = ("opponent", me) if any(me) else ("me", opponent)
    if sum(loser) < CHECKERS:
        return winner, "single"
    if any(on(loser, point) for point in range(19, 26)):
        return winner, "backgammon"  # On the bar, or in the winner's home: the loser's own 24 to 19.
    return winner, "gammon"


def perft(position: Position, depth: int) -> int:
    """Sequences of ``depth`` turns, all 21 rolls each turn, distinct by result; a finished game stays."""
    if depth == 0 or outcome(position):
        return 1
    afters = [after for dice in ROLLS for after in legal_afterstates(*position, dice)]
    if depth == 1:
        return len(afters)
    return sum(perft(after, depth - 1) for after in afters)


def follow(position: Position, text: str) -> Position:
    """The result, opponent on roll, of a play written like ``bar/22 13/8*/4(2)``, move by move.

    Checks that each move starts from a checker of the mover, never lands on a closed point, and that a
    star stands exactly where a blot is hit; not that the dice allow it.
    """
    me, opponent = position
    for word in text.split():
        word, times = (word[:-3], int(word[-2])) if word.endswith(")") else (word, 1)
        for repeat in range(times):
            here, *stops = word.split("/")
            point = BAR if here == "bar" else int(here.rstrip("*"))
            for stop in stops:
                target = 0 if stop == "off" else int(stop.rstrip("*"))
                assert target < point, f"{text}: {stop} is not forward"
                assert on(me, point) > 0, f"{text}: no checker on {point}"
                assert target == 0 or is_open(opponent, target), f"{text}: {target} is closed"
                hits = target > 0 and on(opponent, 25 - target) == 1
                # "6/2*(2)": the first checker hits, the second finds the point its own.
                assert repeat > 0 or hits == stop.endswith("*"), f"{text}: hit at {target}?"
                me, opponent = move(me, opponent, point, point - target)
                point = target
    return flip((me, opponent))
