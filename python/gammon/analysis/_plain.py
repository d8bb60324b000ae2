"""Analyses as plain values for JSON, and back."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from gammon.analysis._decisions import Choice, Decision, Luck, Skipped
from gammon.analysis._settings import Settings, Thresholds
from gammon.errors import GammonError, MatchDataError

_T = TypeVar("_T")

_BOUND = 1 << 31
"""Numbers of games, records and turns are below this: tables hold them in 32 bits."""


class _WrongValue(GammonError):
    """A value that an analysis cannot have, said in our own words; `checked` says where it stands."""


def of_choice(choice: Choice) -> dict[str, Any]:
    """Return a choice as plain values."""
    values: dict[str, Any] = {"name": choice.name, "equity": choice.equity, "plies": choice.plies}
    if choice.probs is not None:
        values["probs"] = list(choice.probs)
    if choice.after is not None:
        values["after"] = choice.after
    if choice.trials:
        values |= {"trials": choice.trials, "equity_error": choice.equity_error}
    return values


def of_decision(decision: Decision, *, place: bool = True) -> dict[str, Any]:
    """Return a decision as plain values, without its place in the match if that is not wanted."""
    scale = decision.mwc_scale
    values: dict[str, Any] = {
        "kind": decision.kind,
        "id": decision.id,
        "phase": decision.phase,
        "made": of_choice(decision.made),
        "best": of_choice(decision.best),
        "choices": [of_choice(choice) for choice in decision.choices],
        "spread": decision.spread,
        "is_forced": decision.is_forced,
        "cube": decision.cube,
        "mwc_scale": None if scale is None else list(scale),
    }
    if place:
        values |= _place(decision)
        values |= {"error": decision.error, "error_mwc": decision.error_mwc}
    return values


def of_luck(luck: Luck, *, place: bool = True) -> dict[str, Any]:
    """Return the luck of a roll as plain values."""
    names = ("roll", "equity", "mwc", "cube", "plies")
    values = {name: getattr(luck, name) for name in names}
    if place:
        values |= _place(luck)
    return values


def _place(one: Decision | Luck) -> dict[str, Any]:
    """Where in the match something was decided or thrown."""
    return {"game": one.game, "record": one.record, "turn": one.turn, "player": one.player}


def of_settings(settings: Settings) -> dict[str, Any]:
    """Return settings as plain values."""
    names = ("plies", "filter", "luck_plies", "evaluator", "prefilter", "met", "life", "rollout", "close")
    values = {name: getattr(settings, name) for name in names}
    fields = ("doubtful", "bad", "very_bad", "lucky", "very_lucky")
    return values | {"thresholds": {name: getattr(settings.thresholds, name) for name in fields}}


def to_choice(values: Mapping[str, Any]) -> Choice:
    """Read a choice."""
    probs = values.get("probs")
    return Choice(
        name=_text(values, "name"),
        equity=_number(values, "equity"),
        plies=_number(values, "plies"),
        probs=None if probs is None else _five(probs),
        after=values.get("after"),
        trials=values.get("trials", 0),
        equity_error=values.get("equity_error"),
    )


def _number(values: Mapping[str, Any], name: str) -> Any:
    number = values[name]
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise _WrongValue(f"{name} must be a number, got {number!r:.80}")
    return number


def _whole(values: Mapping[str, Any], name: str) -> int:
    number = values[name]
    if isinstance(number, bool) or not isinstance(number, int):
        raise _WrongValue(f"{name} must be a whole number, got {number!r:.80}")
    if not 0 <= number < _BOUND:
        raise _WrongValue(f"{name} must be at least 0 and below 2**31, got {number!r:.80}")
    return number


def _text(values: Mapping[str, Any], name: str) -> str:
    text = values[name]
    if not isinstance(text, str):
        raise _WrongValue(f"{name} must be a text, got {text!r:.80}")
    return text


def _five(probs: Any) -> tuple[float, float, float, float, float]:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(chance) for chance in probs)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


def to_decision(values: Mapping[str, Any], *, game: int, record: int, player: int, turn: int = 0) -> Decision:
    """Read a decision, in its place."""
    scale = values["mwc_scale"]
    return Decision(
        game=game,
        record=record,
        player=player,
        kind=values["kind"],
        id=values["id"],
        phase=values["phase"],
        made=to_choice(values["made"]),
        best=to_choice(values["best"]),
        choices=tuple(to_choice(choice) for choice in values["choices"]),
        spread=_number(values, "spread"),
        is_forced=values["is_forced"],
        cube=values["cube"],
        mwc_scale=None if scale is None else (float(scale[0]), float(scale[1])),
        turn=turn,
    )


def to_luck(values: Mapping[str, Any], *, game: int, record: int, player: int, turn: int = 0) -> Luck:
    """Read the luck of a roll, in its place."""
    return Luck(
        game=game,
        record=record,
        player=player,
        roll=values["roll"],
        equity=_number(values, "equity"),
        mwc=values["mwc"],
        cube=values["cube"],
        plies=values["plies"],
        turn=turn,
    )


def to_settings(values: Mapping[str, Any]) -> Settings:
    """Read settings."""
    rest = dict(values)
    told = rest.pop("thresholds")
    return Settings(thresholds=Thresholds(**{name: _number(told, name) for name in told}), **rest)


def to_skipped(values: Mapping[str, Any]) -> Skipped:
    """Read what could not be judged."""
    return Skipped(game=values["game"], record=values["record"], reason=values["reason"])


def placed(read: Callable[..., _T], values: Mapping[str, Any]) -> _T:
    """Read something with the place it has among its values; the first analyses did not tell turns."""
    place = {name: _whole(values, name) for name in ("game", "record", "player")}
    return read(values, **place, turn=_whole(values, "turn") if "turn" in values else 0)


def checked(read: Callable[[], _T]) -> _T:
    """Read something; whatever is wrong with it is a `MatchDataError`."""
    try:
        return read()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, MatchDataError):
            raise
        if isinstance(error, KeyError):
            what = f"missing {error}"
        elif isinstance(error, GammonError):
            what = str(error)
        else:  # Python's own words about what it could not take apart
            what = "values of other kinds, or too few"
        raise MatchDataError(f"no analysis as gammon writes it: {what}") from error
