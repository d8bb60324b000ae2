"""What a record makes of the state of a game, whether the rules allow it or not."""

from dataclasses import replace
from fractions import Fraction

from gammon._native import Position, Roll
from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    Opening,
    Played,
    Points,
    Resignation,
    Result,
    Rolled,
    Settlement,
    Setup,
)
from gammon.match._rules import Level
from gammon.match._state import RESIGNATIONS, Phase, State, Terms, scores

__all__ = ["after", "level_of", "whole"]


def after(terms: Terms, state: State, record: AnyRecord) -> State:
    """Return the state after a record, legal or not."""
    match record:
        case Opening():
            return _after_opening(terms, state, record)
        case Rolled():
            return _after_roll(state, record)
        case Played():
            return _after_play(terms, state, record)
        case CubeAction():
            return _after_cube(terms, state, record)
        case Resignation():
            return _after_resignation(terms, state, record)
        case Settlement():
            return _after_settlement(state, record)
        case Setup():
            return _after_setup(state, record)
        case Flag():
            return _after_flag(terms, state, record)


def _on_roll(state: State, player: int) -> State:
    """Return the state with this player on roll, the other's offers and dice gone if he was."""
    if state.turn is None:
        return replace(state, turn=player)
    if state.turn == player:
        return state
    return replace(state, turn=player, position=state.position.flip(), roll=None, opening=None, offer=None)


def _after_opening(terms: Terms, state: State, record: Opening) -> State:
    begun = replace(_on_roll(state, record.player), phase="to-roll")
    first, second = record.throws[-1] if record.throws else (0, 0)
    if terms.rules.opening == "use_dice" and first != second and {first, second} <= set(range(1, 7)):
        begun = replace(begun, opening=Roll(first, second))
    return begun if terms.length else replace(begun, cube=terms.rules.stake(record.ties))


def _after_roll(state: State, record: Rolled) -> State:
    here = _on_roll(state, record.player)
    throws = (here.throws[0] + (record.player == 0), here.throws[1] + (record.player == 1))
    return replace(
        here,
        phase="to-play",
        roll=record.roll,
        opening=None,
        offer=None,
        resignation=None,
        settlement=None,
        throws=throws,
        result=None,
    )


def _after_play(terms: Terms, state: State, record: Played) -> State:
    position = record.play.after
    here = replace(
        _on_roll(state, record.player),
        position=position,
        turn=1 - record.player,
        phase="to-roll",
        roll=None,
        opening=None,
        offer=None,
        resignation=None,
        settlement=None,
        result=None,
    )
    if not position.is_over:
        return here
    winner = record.player if position.borne_off[1] == 15 else 1 - record.player
    level = level_of(position if winner == record.player else position.flip())
    points = terms.points(level, here.cube, offered=here.offered)
    return _ended(here, Result(winner=winner, points=points, level=level))


def level_of(position: Position) -> Level:
    """Return how a finished game was won, seen by the loser, who would be on roll."""
    if position.borne_off[0]:
        return "single"
    board = position.board[0]
    return "backgammon" if board[18:].any() else "gammon"


def _ended(state: State, result: Result) -> State:
    return replace(state, phase="over", offer=None, resignation=None, settlement=None, result=result)


def _after_cube(terms: Terms, state: State, record: CubeAction) -> State:
    if record.action == "double":
        here = _on_roll(state, record.player)
        return replace(here, phase="to-answer", offer="double", roll=None, resignation=None, settlement=None)
    if record.action in ("beaver", "raccoon"):
        return replace(state, phase="to-answer", offer=record.action)
    if record.action == "pass":
        points = {"beaver": 2, "raccoon": 4}.get(state.offer or "", 1) * state.cube
        return _ended(state, Result(winner=1 - record.player, points=points, level="single", reason="passed"))
    # Without an offer a take is none; the cube would change hands for nothing.
    if state.offer is None or state.turn is None:
        return state
    owner = 1 - state.turn
    if state.offer == "raccoon" and terms.rules.raccoon_owner == "doubler":
        owner = state.turn
    return replace(state, phase="to-roll", offer=None, cube=state.stake, owner=owner, offered=True)


def _after_resignation(terms: Terms, state: State, record: Resignation) -> State:
    if record.action == "offer":
        return replace(state, resignation=(record.player, record.level or "single"), settlement=None)
    if record.action == "decline":
        return replace(state, resignation=None)
    by, level = state.resignation or (1 - record.player, record.level or "single")
    points = terms.points(level, state.cube, offered=state.offered)
    return _ended(state, Result(winner=1 - by, points=points, level=level, reason="resigned"))


def _after_settlement(state: State, record: Settlement) -> State:
    if record.action == "offer":
        return replace(state, settlement=(record.player, record.points or 0), resignation=None)
    if record.action == "decline" or state.settlement is None:
        return replace(state, settlement=None)
    by, points = state.settlement
    winner = None if points == 0 else by if points > 0 else 1 - by
    return _ended(state, Result(winner=winner, points=whole(max(points, -points)), reason="settled"))


def whole(points: Points) -> Points:
    """Return a fraction without denominator as the whole number it is."""
    return int(points) if isinstance(points, Fraction) and points.denominator == 1 else points


def _after_setup(state: State, record: Setup) -> State:
    given = record.situation
    seats = {"roller": given.seat, "opponent": 1 - given.seat}
    offer = given.offer if given.offer in ("double", "beaver", "raccoon") else None
    resignation: tuple[int, Level] | None = None
    for level, name in RESIGNATIONS.items():
        if given.offer == name:
            resignation = (1 - seats[given.to_act], level)
    phase: Phase = "to-answer" if offer else "to-play" if given.roll else "to-roll"
    return replace(
        state,
        position=given.position,
        turn=given.seat,
        phase=phase,
        roll=given.roll,
        opening=None,
        cube=given.cube,
        owner=None if given.cube_owner is None else seats[given.cube_owner],
        offered=given.cube_owner is not None,
        offer=offer,
        resignation=resignation,
        settlement=None,
        # A position that was put on the board is no start: its player may double.
        throws=(max(state.throws[0], 1), max(state.throws[1], 1)),
        result=None,
    )


def _after_flag(terms: Terms, state: State, record: Flag) -> State:
    other = 1 - record.player
    if record.points:
        penalties = list(state.penalties)
        penalties[other] += record.points
        here = replace(state, penalties=(penalties[0], penalties[1]))
        if not terms.length or scores(terms, here)[other] < terms.length:
            return here
        return _ended(here, Result(winner=other, points=0, reason="time", ends_match=True))
    points = max(terms.length - scores(terms, state)[other], 0) if terms.length else state.cube
    return _ended(state, Result(winner=other, points=points, reason="time", ends_match=bool(terms.length)))
