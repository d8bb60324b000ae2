"""Matches and sessions as plain values for JSON, and back: without loss, and checked.

The layout is described in docs/match.md. What has its default value is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any, TypeVar

from gammon._native import Play, Position, Roll, Situation
from gammon.errors import GammonError, MatchDataError
from gammon.match._dice import Dice, FairDice, SeededDice
from gammon.match._findings import (
    Candidate,
    CubeFinding,
    Evaluation,
    Finding,
    LuckFinding,
    PlayFinding,
    RolloutSettings,
    Source,
)
from gammon.match._game import Game
from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    IllegalPlay,
    Opening,
    Played,
    Points,
    Resignation,
    Result,
    Rolled,
    Settlement,
    Setup,
    moves_of,
)
from gammon.match._rules import Rules
from gammon.match._series import Match, PlayerInfo, Series, Session

FORMAT = "gammon-match"
VERSION = 1
_TEXTS = ("event", "place", "round", "date", "annotator", "transcriber", "program", "comment")
_T = TypeVar("_T")


# Writing.


def to_dict(series: Series) -> dict[str, Any]:
    """Return a match or a session as plain values."""
    values: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "match" if series.length else "session",
        "length": series.length,
        "rules": _plain(series.rules),
        "players": [_plain(player) for player in series.players],
    }
    if series.starting_score != (0, 0):
        values["score"] = [_points(points) for points in series.starting_score]
    if isinstance(series.dice, SeededDice):
        values["dice"] = {"kind": "seed", "seed": series.dice.seed}
    elif isinstance(series.dice, FairDice):
        values["dice"] = {"kind": "secrets", **_plain(series.dice)}
    values.update({name: text for name in _TEXTS if (text := getattr(series, name))})
    if series.tags:
        values["tags"] = dict(series.tags)
    values["games"] = [_game(game) for game in series.games]
    return values


def _game(game: Game) -> dict[str, Any]:
    values: dict[str, Any] = {
        "number": game.number,
        "score": [_points(points) for points in game.score],
        "crawford": game.crawford,
    }
    if game.start != Position.start():
        values["start"] = game.start.id
    values.update({name: text for name in ("comment", "closing_comment") if (text := getattr(game, name))})
    values["records"] = [_record(moment.record, moment.before.position) for moment in game]
    if game.result is not None:
        result = _plain(game.result)
        values["result"] = {**result, "points": _points(game.result.points)}
    return values


def _record(record: AnyRecord, position: Position) -> dict[str, Any]:
    values: dict[str, Any] = {"kind": record.kind, "player": record.player}
    match record:
        case Opening():
            values["throws"] = [list(throw) for throw in record.throws]
        case Rolled():
            values["roll"] = str(record.roll)
        case Played():
            values |= _play(record.play)
            if record.play.before not in (position, position.flip()):
                values["before"] = record.play.before.id
        case CubeAction():
            values["action"] = record.action
        case Resignation():
            values["action"] = record.action
            if record.level is not None:
                values["level"] = record.level
        case Settlement():
            values["action"] = record.action
            if record.points is not None:
                values["points"] = _points(record.points)
        case Setup():
            values["situation"] = record.situation.xgid
        case Flag():
            values["points"] = record.points
    for name in ("comment", "illegal"):
        if text := getattr(record, name):
            values[name] = text
    if record.marks:
        values["marks"] = list(record.marks)
    if record.time_left is not None:
        values["time_left"] = list(record.time_left)
    if record.findings:
        values["findings"] = [{"kind": finding.kind, **_plain(finding)} for finding in record.findings]
    return values


def _play(play: Play | IllegalPlay) -> dict[str, Any]:
    values: dict[str, Any] = {"roll": str(play.roll), "play": str(play)}
    if isinstance(play, IllegalPlay):
        values["after"] = play.after.id
        values["reason"] = play.reason
        if play.moves != moves_of(play.text):
            values["moves"] = [list(move) for move in play.moves]
    return values


def _points(points: Points) -> int | str:
    return points if isinstance(points, int) else str(points)


def _plain(value: Any) -> Any:
    """Return a dataclass as a dict without what has its default value, and what is in it likewise."""
    if isinstance(value, Position):
        return value.id
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    values = {}
    for field in fields(value):
        item = getattr(value, field.name)
        if field.default is MISSING or item != field.default:
            values[field.name] = _plain(item)
    return values


# Reading. `where` is the place in the values, for messages.


def from_dict(values: Any) -> Series:
    """Return the match or session of `to_dict`. Raises `MatchDataError`, naming the place."""
    try:
        return _series(values)
    except MatchDataError:
        raise
    except (GammonError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise MatchDataError(f"no match as gammon writes it: {type(error).__name__}: {error}") from error


def _series(values: Any) -> Series:
    _mapping(values, "the match")
    if values.get("format") != FORMAT:
        raise MatchDataError(f"format is {values.get('format')!r}, not {FORMAT!r}")
    if values.get("version") != VERSION:
        raise MatchDataError(f"version {values.get('version')!r} is not read, only {VERSION}")
    length = _need(values, "length", int, "the match")
    rules = _build(Rules, _need(values, "rules", dict, "the match"), "rules")
    players = _pair(
        [_build(PlayerInfo, player, "players") for player in _list(values, "players", "the match")]
    )
    score = _score(values.get("score", [0, 0]), "score")
    series: Series
    if length:
        series = _checked(lambda: Match(length, players, rules=rules), "length")
    else:
        series = Session(players, rules=rules)
    series._score = score
    if "dice" in values:
        series.dice = _checked(lambda: _dice(values["dice"]), "dice")
    for name in _TEXTS:
        setattr(series, name, _text(values, name, "the match"))
    series.tags = {str(name): str(text) for name, text in _mapping(values.get("tags", {}), "tags").items()}
    for number, game in enumerate(_list(values, "games", "the match"), 1):
        _read_game(series, _mapping(game, f"game {number}"), f"game {number}")
    return series


def _dice(values: Any) -> Dice:
    kind = _mapping(values, "dice").get("kind")
    if kind == "seed":
        return SeededDice(_need(values, "seed", int, "dice"))
    if kind == "secrets":
        known = _list(values, "secrets", "dice") if values.get("secrets") is not None else None
        secrets = None if known is None else _pair(known)
        return FairDice(_pair(_list(values, "commitments", "dice")), secrets)
    raise MatchDataError(f"dice: kind must be seed or secrets, got {_shown(kind)}")


def _read_game(series: Series, values: Mapping[str, Any], where: str) -> None:
    start = _position(values["start"], where) if "start" in values else None
    score = _score(values.get("score"), f"{where}, score")
    game = series.new_game(score=score, crawford=_need(values, "crawford", bool, where), start=start)
    game.number = _need(values, "number", int, where)
    game.comment = _text(values, "comment", where)
    game.closing_comment = _text(values, "closing_comment", where)
    for index, record in enumerate(_list(values, "records", where)):
        place = f"{where}, record {index}"
        game._append(_read_record(_mapping(record, place), game, place))
    if "result" in values:
        found = dict(_mapping(values["result"], f"{where}, result"))
        found["points"] = _read_points(found.get("points", 0), f"{where}, result")
        game._state_result(_build(Result, found, f"{where}, result"))


def _read_record(values: Mapping[str, Any], game: Game, where: str) -> AnyRecord:
    player = _need(values, "player", int, where)
    if player not in (0, 1):
        raise MatchDataError(f"{where}: player must be 0 or 1, got {player}")
    notes: dict[str, Any] = {
        "comment": _text(values, "comment", where),
        "illegal": _text(values, "illegal", where),
        "marks": tuple(str(mark) for mark in values.get("marks", ())),
        "findings": tuple(_finding(one, where) for one in values.get("findings", ())),
    }
    if values.get("time_left") is not None:
        notes["time_left"] = _pair(_list(values, "time_left", where))
    kind = values.get("kind")
    if kind == "play":
        return Played(player, _read_play(values, game, player, where), **notes)
    build = _READERS.get(kind if isinstance(kind, str) else "")
    if build is None:
        raise MatchDataError(f"{where}: kind must be one of {', '.join([*_READERS, 'play'])}, got {kind!r}")
    return _checked(lambda: build(values, player, notes, where), where)


def _throws(values: Mapping[str, Any], where: str) -> tuple[tuple[int, int], ...]:
    pairs = [_pair(throw) for throw in _list(values, "throws", where)]
    return tuple((int(first), int(second)) for first, second in pairs)


_Build = Callable[[Mapping[str, Any], int, dict[str, Any], str], AnyRecord]
_READERS: dict[str, _Build] = {
    "opening": lambda values, player, notes, where: Opening(player, _throws(values, where), **notes),
    "roll": lambda values, player, notes, where: Rolled(player, _read_roll(values, where), **notes),
    "cube": lambda values, player, notes, where: CubeAction(
        player, _choice(values, "action", ("double", "take", "pass", "beaver", "raccoon"), where), **notes
    ),
    "resignation": lambda values, player, notes, where: Resignation(
        player,
        _choice(values, "action", ("offer", "accept", "decline"), where),
        _choice(values, "level", ("single", "gammon", "backgammon", None), where),
        **notes,
    ),
    "settlement": lambda values, player, notes, where: Settlement(
        player,
        _choice(values, "action", ("offer", "accept", "decline"), where),
        _read_points(values["points"], where) if "points" in values else None,
        **notes,
    ),
    "setup": lambda values, player, notes, where: Setup(
        player, Situation(_need(values, "situation", str, where)), **notes
    ),
    "flag": lambda values, player, notes, where: Flag(player, _need(values, "points", int, where), **notes),
}


def _read_play(values: Mapping[str, Any], game: Game, player: int, where: str) -> Play | IllegalPlay:
    state = game.state
    before = state.position if state.turn in (player, None) else state.position.flip()
    if "before" in values:
        before = _position(values["before"], where)
    roll, text = _read_roll(values, where), _need(values, "play", str, where)
    if "after" not in values:
        return _checked(lambda: before.play(text, roll), where)
    moves = moves_of(text)
    if "moves" in values:
        moves = tuple((int(a), int(b)) for a, b in map(_pair, _list(values, "moves", where)))
    after = _position(values["after"], where)
    return IllegalPlay(before, after, roll, moves, text, _need(values, "reason", str, where))


def _finding(values: Any, where: str) -> Finding:
    _mapping(values, f"{where}, findings")
    kind, rest = values.get("kind"), {name: item for name, item in values.items() if name != "kind"}
    place = f"{where}, {kind} finding"
    if kind == "plays":
        rest["candidates"] = tuple(_candidate(one, place) for one in _list(rest, "candidates", place))
        return _build(PlayFinding, rest, place)
    if kind == "cube":
        for name in ("no_double", "double_take", "double_pass"):
            if rest.get(name) is not None:
                rest[name] = _evaluation(rest[name], place)
        return _build(CubeFinding, rest, place)
    if kind == "luck":
        rest["source"] = _source(rest.get("source"), place)
        return _build(LuckFinding, rest, place)
    raise MatchDataError(f"{where}: a finding is of kind plays, cube or luck, got {kind!r}")


def _candidate(values: Any, where: str) -> Candidate:
    rest = dict(_mapping(values, where))
    rest["evaluation"] = _evaluation(rest.get("evaluation"), where)
    if rest.get("after") is not None:
        rest["after"] = _position(rest["after"], where)
    return _build(Candidate, rest, where)


def _evaluation(values: Any, where: str) -> Evaluation:
    rest = dict(_mapping(values, where))
    rest["source"] = _source(rest.get("source"), where)
    for name in ("probs", "probs_error"):
        if rest.get(name) is not None:
            five = _list(rest, name, where)
            if len(five) != 5:
                raise MatchDataError(f"{where}: {name} must be five numbers, got {len(five)}")
            rest[name] = tuple(_number(value, f"{where}, {name}") for value in five)
    return _build(Evaluation, rest, where)


def _source(values: Any, where: str) -> Source:
    rest = dict(_mapping(values, f"{where}, source"))
    if rest.get("rollout") is not None:
        rest["rollout"] = _build(RolloutSettings, rest["rollout"], f"{where}, rollout")
    return _build(Source, rest, f"{where}, source")


# Small checks.


def _build(cls: type[_T], values: Any, where: str) -> _T:
    named = _mapping(values, where)
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    unknown = sorted(set(named) - set(known))
    if unknown:
        raise MatchDataError(f"{where}: unknown {', '.join(unknown)}")
    for name, value in named.items():
        if isinstance(value, dict) or (isinstance(value, list) and known[name].type is not Any):
            raise MatchDataError(f"{where}: {name} is {value!r}")
    return _checked(lambda: cls(**named), where)


def _checked(build: Callable[[], _T], where: str) -> _T:
    """Build something, an error of it told with its place."""
    try:
        return build()
    except MatchDataError:
        raise
    except (GammonError, TypeError, ValueError, OverflowError) as error:
        raise MatchDataError(f"{where}: {error}") from error


def _mapping(values: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(values, Mapping):
        raise MatchDataError(f"{where} must be an object with names, got {_shown(values)}")
    return values


def _need(values: Mapping[str, Any], name: str, kind: type[_T], where: str) -> _T:
    value = values.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise MatchDataError(f"{where}: {name} must be {kind.__name__}, got {_shown(value)}")
    return value


def _list(values: Mapping[str, Any], name: str, where: str) -> Sequence[Any]:
    value = values.get(name)
    if not isinstance(value, list | tuple):
        raise MatchDataError(f"{where}: {name} must be a list, got {_shown(value)}")
    return value


def _text(values: Mapping[str, Any], name: str, where: str) -> str:
    value = values.get(name, "")
    if not isinstance(value, str):
        raise MatchDataError(f"{where}: {name} must be a text, got {_shown(value)}")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MatchDataError(f"{where} must be a number, got {_shown(value)}")
    return value


def _choice(values: Mapping[str, Any], name: str, allowed: tuple[Any, ...], where: str) -> Any:
    value = values.get(name)
    if value not in allowed:
        raise MatchDataError(f"{where}: {name} must be one of {allowed}, got {_shown(value)}")
    return value


def _pair(values: Sequence[_T]) -> tuple[_T, _T]:
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise MatchDataError(f"expected two, got {_shown(values)}")
    return values[0], values[1]


def _read_points(value: Any, where: str) -> Points:
    if isinstance(value, str):
        return _checked(lambda: Fraction(value), where)
    if isinstance(value, bool) or not isinstance(value, int):
        raise MatchDataError(f"{where}: points must be a whole number or a fraction, got {_shown(value)}")
    return value


def _score(values: Any, where: str) -> tuple[Points, Points]:
    first, second = _pair(values)
    return _read_points(first, where), _read_points(second, where)


def _position(text: Any, where: str) -> Position:
    if not isinstance(text, str):
        raise MatchDataError(f"{where}: a position is a text, got {_shown(text)}")
    return _checked(lambda: Position.from_id(text), where)


def _read_roll(values: Mapping[str, Any], where: str) -> Roll:
    text = _need(values, "roll", str, where)
    return _checked(lambda: Position.start().plays(text).roll, where)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
