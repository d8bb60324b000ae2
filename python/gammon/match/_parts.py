"""The parts that matches as plain values consist of, each checked as it is read.

What a part may be follows from the dataclass it belongs to; the ranges of numbers are here. `where` is the
place in the values, for messages.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from gammon._native import Position, Roll
from gammon.errors import GammonError, MatchDataError
from gammon.match._records import Points

_T = TypeVar("_T")

MOST_POINTS = 10**9
"""Points that are read, at most: the sum of two such numbers still fits in the 32 bits of other programs."""

_INT32 = (-(2**31), 2**31 - 1)
_ANY = (-(2**63), 2**64 - 1)
"""Whole numbers of which nothing else is known, such as seeds."""

_RANGES: dict[str, tuple[float, float]] = {
    "number": (0, _INT32[1]),
    "experience": _INT32,
    "cube_limit": (1, _INT32[1]),
    "auto_doubles": (0, _INT32[1]),
    "flag_fall": (1, MOST_POINTS),
    "time_left": _INT32,
}
"""What numbers of these names may be."""

_MOST_FLOAT = 3.4028235e38
"""What single precision can hold, in which other programs write numbers."""

_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of UTF-16 pairs that stand alone: no file and no terminal takes them."""

_FRACTION = re.compile(r"-?[0-9]{1,10}(?:/[0-9]{1,10})?")


def build(cls: type[_T], values: Any, where: str) -> _T:
    """Return a dataclass of named values, each of which has to be what the class says."""
    named = mapping(values, where)
    kind: Any = cls
    hints = _hints(kind)
    unknown = [name for name in named if name not in hints]
    if unknown:
        raise MatchDataError(f"{where}: unknown {', '.join(sorted(map(_name, unknown)))}")
    for name, value in named.items():
        _check(value, hints[name], name, f"{where}: {name}")
    return checked(lambda: cls(**named), where)


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _name(name: Any) -> str:
    return name if isinstance(name, str) and name.isprintable() else shown(name)


def _check(value: Any, hint: Any, name: str, where: str) -> None:
    """Raise `MatchDataError` unless a value is of a type, and in the range of its name."""
    if not _is(value, hint):
        raise MatchDataError(f"{where} must be {_words(hint)}, got {shown(value)}")
    if isinstance(value, str):
        _writable(value, where)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        usual = _ANY if isinstance(value, int) else (-_MOST_FLOAT, _MOST_FLOAT)
        _ranged(value, _RANGES.get(name, usual), where)


def _is(value: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_is(value, one) for one in get_args(hint))
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(hint))
    if hint in (int, float):
        return isinstance(value, (int, float) if hint is float else int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


_WORDS: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object with names",
    NoneType: "null",
}


def _words(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint)))
    if origin is Literal:
        return f"one of {', '.join(map(repr, get_args(hint)))}"
    return _WORDS.get(origin or hint, f"a {(origin or hint).__name__}")


def _ranged(value: float, limits: tuple[float, float], where: str) -> None:
    least, most = limits
    if not least <= value <= most:  # nor is it what is no number
        raise MatchDataError(f"{where} must be from {least} to {most}, got {shown(value)}")


def _writable(value: str, where: str) -> None:
    if _HALVES.search(value):
        raise MatchDataError(f"{where} must be a text without halves of UTF-16 pairs, got {shown(value)}")


def checked(make: Callable[[], _T], where: str) -> _T:
    """Make something, an error of it told with its place."""
    try:
        return make()
    except MatchDataError:
        raise
    except (GammonError, TypeError, ValueError, ArithmeticError) as error:
        raise MatchDataError(f"{where}: {error}") from error


def mapping(values: Any, where: str) -> Mapping[str, Any]:
    """Return an object."""
    if not isinstance(values, Mapping):
        raise MatchDataError(f"{where} must be an object with names, got {shown(values)}")
    return values


def need(values: Mapping[str, Any], name: str, kind: type[_T], where: str) -> _T:
    """Return a part that must be there."""
    value = values.get(name)
    _check(value, kind, name, f"{where}: {name}")
    return value  # type: ignore[return-value]


def listed(values: Mapping[str, Any], name: str, where: str) -> Sequence[Any]:
    """Return a list that must be there."""
    value = values.get(name)
    if not isinstance(value, list | tuple):
        raise MatchDataError(f"{where}: {name} must be a list, got {shown(value)}")
    return value


def text(values: Mapping[str, Any], name: str, where: str) -> str:
    """Return a text, an empty one if there is none."""
    return plain(values.get(name, ""), f"{where}: {name}")


def plain(value: Any, where: str) -> str:
    """Return what must be a text."""
    _check(value, str, "", where)
    return str(value)


def number(value: Any, where: str, name: str = "") -> float:
    """Return what must be a number; `name` tells its range."""
    _check(value, float, name, where)
    found: float = value
    return found


def whole(value: Any, where: str, least: int, most: int) -> int:
    """Return what must be a whole number in a range."""
    _check(value, int, "", where)
    _ranged(value, (least, most), where)
    return int(value)


def choice(values: Mapping[str, Any], name: str, allowed: tuple[Any, ...], where: str) -> Any:
    """Return one of a few values."""
    value = values.get(name)
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise MatchDataError(f"{where}: {name} must be one of {allowed}, got {shown(value)}")
    return value


def pair(values: Sequence[_T], where: str) -> tuple[_T, _T]:
    """Return two values."""
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise MatchDataError(f"{where}: expected two, got {shown(values)}")
    return values[0], values[1]


def points(value: Any, where: str, least: int = -MOST_POINTS) -> Points:
    """Return points: a whole number, or a fraction as a text."""
    found: Points = value
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        found = checked(lambda: Fraction(value), where)
    elif isinstance(value, bool) or not isinstance(value, int):
        raise MatchDataError(
            f"{where}: points must be a whole number or a fraction as a text, got {shown(value)}"
        )
    if not least <= found <= MOST_POINTS or getattr(found, "denominator", 1) > MOST_POINTS:
        raise MatchDataError(f"{where}: points must be from {least} to {MOST_POINTS}, got {shown(value)}")
    return found


def score(values: Any, where: str) -> tuple[Points, Points]:
    """Return the points of both seats."""
    first, second = pair(values, where)
    return points(first, where), points(second, where)


def position(value: Any, where: str) -> Position:
    """Return the position of a Position ID."""
    if not isinstance(value, str):
        raise MatchDataError(f"{where}: a position is a text, got {shown(value)}")
    return checked(lambda: Position.from_id(value), where)


def roll(values: Mapping[str, Any], where: str) -> Roll:
    """Return the roll that must be there."""
    dice = need(values, "roll", str, where)
    return checked(lambda: Position.start().plays(dice).roll, where)


def shown(value: Any) -> str:
    """Return a value for a message, shortened."""
    try:
        found = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits; lists too deep in one another
        return f"a {type(value).__name__} that is too large"
    return found if len(found) <= 60 else found[:57] + "..."
