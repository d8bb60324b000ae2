"""What people look at in a position, counted the slow way."""

from __future__ import annotations

from .backgammon import BAR, CHECKERS, ROLLS, Side, all_home, legal_afterstates, on


def pips(checkers: Side) -> int:
    """Pips still needed, a checker on the bar counting 25."""
    return sum(point * on(checkers, point) for point in range(1, 26))


def off(checkers: Side) -> int:
    """Checkers borne off."""
    return CHECKERS - sum(checkers)


def blots(checkers: Side) -> list[int]:
    """Points with a single checker; the bar is none."""
    return [point for point in range(1, 25) if on(checkers, point) == 1]


def made_points(checkers: Side) -> list[int]:
    """Points with two checkers or more."""
    return [point for point in range(1, 25) if on(checkers, point) >= 2]


def prime(checkers: Side) -> int:
    """The longest row of neighbouring points made."""
    made = made_points(checkers)
    return max(
        (length for length in range(1, 25) for low in made if set(range(low, low + length)) <= set(made)),
        default=0,
    )


def crunched(checkers: Side) -> bool:
    """At most six checkers of use: neither off, nor on a made ace point, nor spare on the deuce point."""
    ace, deuce = on(checkers, 1), on(checkers, 2)
    useless = (ace if ace > 1 else 0) + (deuce - 1 if deuce > 1 else 0)
    return sum(checkers) - useless <= 6


def rearmost(checkers: Side) -> int:
    """The highest point with a checker, 25 being the bar."""
    return max(point for point in range(1, BAR + 1) if on(checkers, point))


def phase(me: Side, opponent: Side) -> str:
    """What kind of position it is."""
    if not any(me) or not any(opponent):
        return "over"
    if rearmost(me) < 25 - rearmost(opponent):
        return "bearoff" if all_home(me) and all_home(opponent) else "race"
    return "crashed" if crunched(me) or crunched(opponent) else "contact"


def shots(hitter: Side, other: Side) -> tuple[dict[int, int], int]:
    """Rolls of 36 with a legal play that hits: each blot of ``other`` by his point, and any of them."""
    each = dict.fromkeys(blots(other), 0)
    any_blot = 0
    for high, low in ROLLS:
        weight = 1 if high == low else 2
        afters = [after for after, _ in legal_afterstates(hitter, other, (high, low))]
        # A checker leaves its place only by being hit.
        hit = [point for point in each if any(on(after, point) == 0 for after in afters)]
        any_blot += weight if hit else 0
        for point in hit:
            each[point] += weight
    return each, any_blot
