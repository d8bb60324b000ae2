"""Dice, plays and results as they are given, by whoever plays or by a file."""

from gammon._native import Play, Position, Roll
from gammon._typing import PlayLike, RollLike
from gammon.errors import IllegalPlayError, IllegalRollError, ParseError
from gammon.match._records import IllegalPlay, Result, carried_out, moves_of

__all__ = ["contradiction", "made_of", "roll_of"]


def roll_of(dice: RollLike) -> Roll:
    """Return dice in any form as a roll."""
    if isinstance(dice, Roll):
        return dice
    if isinstance(dice, tuple) and len(dice) == 2:
        return Roll(*dice)
    return Position.start().plays(dice).roll


def made_of(position: Position, roll: Roll, play: PlayLike, after: Position | None) -> Play | IllegalPlay:
    """Return a play as it was made: an `IllegalPlay`, with the reason, if the rules do not allow it."""
    try:
        made = position.play(play, roll)
    except (IllegalPlayError, ParseError, IllegalRollError) as error:
        if isinstance(play, Play):
            moves, text = play.moves, str(play)
        elif isinstance(play, str):
            moves, text = moves_of(play), play.strip()
        else:
            moves = tuple((int(source), int(target)) for source, target in play)
            text = " ".join(f"{source}/{target}" for source, target in moves)
        reason = error.reason if isinstance(error, IllegalPlayError | ParseError) else str(error)
        there = carried_out(position, moves) if after is None else after
        return IllegalPlay(position, there, roll, moves, text, reason)
    if after is not None and after != made.after:
        reason = f"it leads to another position than {made.after.id}"
        return IllegalPlay(position, after, roll, made.moves, str(made), reason)
    return made


def contradiction(found: Result, stated: Result) -> str:
    """Return what a stated result says against the one found; empty if nothing."""
    if stated.winner is not None and stated.winner != found.winner:
        return f"seat {found.winner} has won, not seat {stated.winner}"
    if stated.winner is not None and stated.points and stated.points != found.points:
        return f"the game is worth {found.points}, not {stated.points}"
    return ""
