"""A situation made of another one."""

from gammon._native import Position, Roll, Situation
from gammon._typing import Offer, Player

__all__ = ["standing"]


def standing(
    known: Situation,
    position: Position | None = None,
    *,
    roll: Roll | None = None,
    offer: Offer | None = None,
    to_act: Player | None = None,
    seat: int | None = None,
) -> Situation:
    """Return a situation with the score, the cube and the rules of the one that is known.

    Position and seat are its own too unless others are given; dice and offers are only those given.
    """
    return Situation.from_parts(
        known.position if position is None else position,
        length=known.length,
        score=known.score,
        crawford=known.crawford,
        cube=known.cube,
        cube_owner=known.cube_owner,
        jacoby=known.jacoby,
        beavers=known.beavers,
        cube_limit=known.cube_limit,
        roll=roll,
        offer=offer,
        to_act=to_act,
        seat=known.seat if seat is None else seat,
    )
