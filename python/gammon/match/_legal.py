"""What the rules of a game allow: why a record is against them."""

from typing import Literal

from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    IllegalPlay,
    Opening,
    Played,
    Resignation,
    Rolled,
    Settlement,
    Setup,
)
from gammon.match._state import TURNS, State, Terms, scores

__all__ = ["may_not_double", "problem"]


def problem(terms: Terms, state: State, record: AnyRecord) -> str:
    """Return why the record is against the rules; empty if it is not."""
    match record:
        case Setup():
            return ""
        case Flag():
            return "the game is over" if state.phase == "over" else ""
    if state.phase == "over":
        return "the game is over"
    pending = _pending(state, record)
    if pending is not None:
        return pending
    match record:
        case Opening():
            return _opening(state, record)
        case Rolled():
            return _rolled(terms, state, record)
        case Played():
            return _played(state, record)
        case CubeAction():
            return _cube(terms, state, record)
        case Resignation():
            return _resignation(terms, state, record)
        case Settlement():
            return _settlement(terms, state, record)


def _pending(state: State, record: AnyRecord) -> str | None:
    """Say what is wrong while a resignation or a settlement waits for its answer; `None` if none does."""
    for kind, name, offer in (
        (Resignation, "resignation", state.resignation),
        (Settlement, "settlement", state.settlement),
    ):
        if offer is not None:
            if not isinstance(record, kind) or record.action == "offer":
                return f"the {name} has not been answered"
            return "" if record.player != offer[0] else f"the {name} is answered by the other player"
    return None


def _opening(state: State, record: Opening) -> str:
    if state.phase != "start":
        return "the game has begun"
    if not record.throws:
        return "no dice were thrown"
    if any(die not in range(1, 7) for throw in record.throws for die in throw):
        return "a die shows 1 to 6"
    *before, (first, second) = record.throws
    if any(tie[0] != tie[1] for tie in before):
        return "an earlier throw decided who starts"
    if first == second:
        return "equal dice are thrown again"
    return "" if record.player == int(second > first) else "the higher die starts"


def _rolled(terms: Terms, state: State, record: Rolled) -> str:
    if state.phase == "start":
        double = record.roll.is_double and terms.rules.opening == "use_dice"
        return "no game starts with a double" if double else ""
    if state.phase == "to-play":
        return f"{state.roll} has not been played"
    if state.phase == "to-answer":
        return f"the {state.offer} has not been answered"
    if record.player != state.turn:
        return "it is the other player's roll"
    if state.opening is not None and record.roll != state.opening:
        return f"the starter plays the dice thrown for the start, {state.opening}"
    return ""


def _played(state: State, record: Played) -> str:
    if state.phase != "to-play":
        return "no dice have been thrown"
    if record.player != state.turn:
        return "it is the other player's play"
    if record.play.roll != state.roll:
        return f"the roll is {state.roll}, not {record.play.roll}"
    if record.play.before != state.position:
        return "it was played from another position"
    return record.play.reason if isinstance(record.play, IllegalPlay) else ""


def _cube(terms: Terms, state: State, record: CubeAction) -> str:
    if record.action == "double":
        return may_not_double(terms, state, record.player)
    if state.offer is None:
        return "no double is pending"
    if record.player != state.to_act:
        return f"the {state.offer} is answered by the other player"
    if record.action == "take":
        return ""
    if record.action == "pass":
        refused = state.offer == "beaver" and not terms.rules.beaver_refusal
        return "a beaver may not be refused" if refused else ""
    return _animal(terms, state, record.action)


def _animal(terms: Terms, state: State, action: Literal["beaver", "raccoon"]) -> str:
    played = terms.rules.beavers if action == "beaver" else terms.rules.raccoons
    if terms.length:
        return f"there are no {action}s in a match"
    if not played:
        return f"{action}s are not played"
    if state.offer != ("double" if action == "beaver" else "beaver"):
        return f"a {action} answers a {'double' if action == 'beaver' else 'beaver'}"
    value = state.cube * TURNS[action]
    limit = terms.rules.highest_cube
    return f"a cube of {value} is above the limit of {limit}" if value > limit else ""


def may_not_double(terms: Terms, state: State, player: int) -> str:
    """Return why the player may not double now; empty if he may."""
    if not terms.rules.cube:
        return "there is no cube"
    if terms.crawford:
        return "the Crawford game is played without the cube"
    if state.offer is not None:
        return f"the {state.offer} has not been answered"
    if state.phase == "to-play":
        return "the dice have been thrown"
    if state.phase != "to-roll" or state.throws == (0, 0):
        return "nobody doubles before the first throw"
    if player != state.turn:
        return "it is the other player's roll"
    if state.owner == 1 - player:
        return "the other player owns the cube"
    if state.cube * 2 > terms.rules.highest_cube:
        return f"a cube of {state.cube * 2} is above the limit of {terms.rules.highest_cube}"
    if terms.rules.holland and terms.post_crawford and min(state.throws) < 2:
        return "after the Crawford game nobody doubles before both have thrown twice"
    needed = max(terms.length - points for points in scores(terms, state))
    if terms.length and terms.rules.dead_cube and needed <= state.cube:
        return f"the cube is dead: at {state.cube} it decides the match whoever wins"
    return ""


def _closed(state: State) -> str:
    """Return why nobody may offer now to end the game; empty if somebody may."""
    if state.phase == "start":
        return "the game has not begun"
    return "" if state.offer is None else f"the {state.offer} has not been answered"


def _resignation(terms: Terms, state: State, record: Resignation) -> str:
    if record.action != "offer":
        return "no resignation is pending"
    if record.level is None:
        return "a resignation says what is offered: single, gammon or backgammon"
    if reason := _closed(state):
        return reason
    if terms.rules.resign_when == "no_contact" and not state.position.is_race:
        return "games are resigned without contact only"
    return ""


def _settlement(terms: Terms, state: State, record: Settlement) -> str:
    if record.action != "offer":
        return "no settlement is pending"
    if terms.length or not terms.rules.settlement:
        return "games are not settled"
    if record.points is None:
        return "a settlement says for how many points"
    if reason := _closed(state):
        return reason
    most = 3 * state.cube
    return (
        ""
        if -most <= record.points <= most
        else f"{record.points} points are more than {most}, 3 times the cube"
    )
