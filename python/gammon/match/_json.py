"""Matches and sessions as plain values for JSON, and back: without loss, and checked.

The layout is described in docs/match.md. What has its default value is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from gammon._native import Play, Position, Situation
from gammon.errors import GammonError, MatchDataError
from gammon.match import _parts as parts
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
    except (GammonError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError) as error:
        raise MatchDataError(f"no match as gammon writes it: {type(error).__name__}: {error}") from error


def _series(values: Any) -> Series:
    parts.mapping(values, "the match")
    if values.get("format") != FORMAT:
        raise MatchDataError(f"format is {values.get('format')!r}, not {FORMAT!r}")
    if values.get("version") != VERSION:
        raise MatchDataError(f"version {values.get('version')!r} is not read, only {VERSION}")
    length = parts.need(values, "length", int, "the match")
    rules = parts.build(Rules, parts.need(values, "rules", dict, "the match"), "rules")
    parts.choice(values, "kind", ("match" if length else "session",), "the match")
    players = _players(parts.listed(values, "players", "the match"), "players")
    score = parts.score(values.get("score", [0, 0]), "score")
    series: Series
    if length:
        series = parts.checked(lambda: Match(length, players, rules=rules), "length")
    else:
        series = Session(players, rules=rules)
    series._score = score
    if "dice" in values:
        series.dice = parts.checked(lambda: _dice(values["dice"]), "dice")
    for name in _TEXTS:
        setattr(series, name, parts.text(values, name, "the match"))
    series.tags = {
        parts.plain(name, "a name of tags"): parts.plain(text, f"tags: {name}")
        for name, text in parts.mapping(values.get("tags", {}), "tags").items()
    }
    for number, game in enumerate(parts.listed(values, "games", "the match"), 1):
        _read_game(series, parts.mapping(game, f"game {number}"), f"game {number}")
    return series


def _players(values: Any, where: str) -> tuple[PlayerInfo, PlayerInfo]:
    first, second = parts.pair(values, where)
    return parts.build(PlayerInfo, first, f"{where}[0]"), parts.build(PlayerInfo, second, f"{where}[1]")


def _dice(values: Any) -> Dice:
    kind = parts.mapping(values, "dice").get("kind")
    if kind == "seed":
        return SeededDice(parts.need(values, "seed", int, "dice"))
    if kind == "secrets":
        known = None if values.get("secrets") is None else _texts(values, "secrets", "dice")
        secrets = None if known is None else parts.pair(known, "dice: secrets")
        return FairDice(parts.pair(_texts(values, "commitments", "dice"), "dice: commitments"), secrets)
    raise MatchDataError(f"dice: kind must be seed or secrets, got {parts.shown(kind)}")


def _texts(values: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    return tuple(
        parts.plain(one, f"{where}: {name}[{i}]") for i, one in enumerate(parts.listed(values, name, where))
    )


def _read_game(series: Series, values: Mapping[str, Any], where: str) -> None:
    start = parts.position(values["start"], where) if "start" in values else None
    score = parts.score(values.get("score"), f"{where}, score")
    game = series.new_game(score=score, crawford=parts.need(values, "crawford", bool, where), start=start)
    game.number = parts.need(values, "number", int, where)
    game.comment = parts.text(values, "comment", where)
    game.closing_comment = parts.text(values, "closing_comment", where)
    for index, record in enumerate(parts.listed(values, "records", where)):
        place = f"{where}, record {index}"
        game._append(_read_record(parts.mapping(record, place), game, place))
    if "result" in values:
        found = dict(parts.mapping(values["result"], f"{where}, result"))
        found["points"] = parts.points(found.get("points", 0), f"{where}, result", 0)
        parts.choice(found, "winner", (0, 1, None), f"{where}, result")
        game._state_result(parts.build(Result, found, f"{where}, result"))


def _read_record(values: Mapping[str, Any], game: Game, where: str) -> AnyRecord:
    player = parts.need(values, "player", int, where)
    if player not in (0, 1):
        raise MatchDataError(f"{where}: player must be 0 or 1, got {player}")
    notes: dict[str, Any] = {
        "comment": parts.text(values, "comment", where),
        "illegal": parts.text(values, "illegal", where),
        "marks": _texts(values, "marks", where) if "marks" in values else (),
        "findings": findings(values, where),
    }
    if values.get("time_left") is not None:
        place = f"{where}: time_left"
        left = parts.pair(values["time_left"], place)
        notes["time_left"] = tuple(
            None if one is None else parts.number(one, place, "time_left") for one in left
        )
    kind = values.get("kind")
    if kind == "play":
        return Played(player, _read_play(values, game, player, where), **notes)
    build = _READERS.get(kind if isinstance(kind, str) else "")
    if build is None:
        raise MatchDataError(
            f"{where}: kind must be one of {', '.join([*_READERS, 'play'])}, got {parts.shown(kind)}"
        )
    return parts.checked(lambda: build(values, player, notes, where), where)


def _throws(values: Mapping[str, Any], where: str) -> tuple[tuple[int, int], ...]:
    return _numbers(parts.listed(values, "throws", where), f"{where}: throws", 1, 6)


def _numbers(pairs: Sequence[Any], where: str, least: int, most: int) -> tuple[tuple[int, int], ...]:
    found = []
    for one in pairs:
        first, second = parts.pair(one, where)
        found.append((parts.whole(first, where, least, most), parts.whole(second, where, least, most)))
    return tuple(found)


_Build = Callable[[Mapping[str, Any], int, dict[str, Any], str], AnyRecord]
_READERS: dict[str, _Build] = {
    "opening": lambda values, player, notes, where: Opening(player, _throws(values, where), **notes),
    "roll": lambda values, player, notes, where: Rolled(player, parts.roll(values, where), **notes),
    "cube": lambda values, player, notes, where: CubeAction(
        player,
        parts.choice(values, "action", ("double", "take", "pass", "beaver", "raccoon"), where),
        **notes,
    ),
    "resignation": lambda values, player, notes, where: Resignation(
        player,
        parts.choice(values, "action", ("offer", "accept", "decline"), where),
        parts.choice(values, "level", ("single", "gammon", "backgammon", None), where),
        **notes,
    ),
    "settlement": lambda values, player, notes, where: Settlement(
        player,
        parts.choice(values, "action", ("offer", "accept", "decline"), where),
        parts.points(values["points"], where) if "points" in values else None,
        **notes,
    ),
    "setup": lambda values, player, notes, where: Setup(
        player, Situation(parts.need(values, "situation", str, where)), **notes
    ),
    "flag": lambda values, player, notes, where: Flag(
        player, parts.whole(values.get("points"), f"{where}: points", 0, parts.MOST_POINTS), **notes
    ),
}


def _read_play(values: Mapping[str, Any], game: Game, player: int, where: str) -> Play | IllegalPlay:
    state = game.state
    before = state.position if state.turn in (player, None) else state.position.flip()
    if "before" in values:
        before = parts.position(values["before"], where)
    roll, text = parts.roll(values, where), parts.need(values, "play", str, where)
    if "after" not in values:
        return parts.checked(lambda: before.play(text, roll), where)
    moves = moves_of(text)
    if "moves" in values:
        moves = _numbers(parts.listed(values, "moves", where), f"{where}: moves", -1000, 1000)
    after = parts.position(values["after"], where)
    return IllegalPlay(before, after, roll, moves, text, parts.need(values, "reason", str, where))


def findings(values: Mapping[str, Any], where: str) -> tuple[Finding, ...]:
    """Read the findings of a record, or of a position."""
    listed = parts.listed(values, "findings", where) if "findings" in values else ()
    return tuple(_finding(one, where) for one in listed)


def _finding(values: Any, where: str) -> Finding:
    parts.mapping(values, f"{where}, findings")
    kind, rest = values.get("kind"), {name: item for name, item in values.items() if name != "kind"}
    place = f"{where}, {kind} finding"
    if kind == "plays":
        rest["candidates"] = tuple(_candidate(one, place) for one in parts.listed(rest, "candidates", place))
        if rest.get("chosen") is not None:
            parts.whole(rest["chosen"], f"{place}: chosen", 0, len(rest["candidates"]) - 1)
        return parts.build(PlayFinding, rest, place)
    if kind == "cube":
        for name in ("no_double", "double_take", "double_pass"):
            if rest.get(name) is not None:
                rest[name] = _evaluation(rest[name], place)
        return parts.build(CubeFinding, rest, place)
    if kind == "luck":
        rest["source"] = _source(rest.get("source"), place)
        return parts.build(LuckFinding, rest, place)
    raise MatchDataError(f"{where}: a finding is of kind plays, cube or luck, got {parts.shown(kind)}")


def _candidate(values: Any, where: str) -> Candidate:
    rest = dict(parts.mapping(values, where))
    rest["evaluation"] = _evaluation(rest.get("evaluation"), where)
    if rest.get("after") is not None:
        rest["after"] = parts.position(rest["after"], where)
    return parts.build(Candidate, rest, where)


def _evaluation(values: Any, where: str) -> Evaluation:
    rest = dict(parts.mapping(values, where))
    rest["source"] = _source(rest.get("source"), where)
    for name in ("probs", "probs_error"):
        if rest.get(name) is not None:
            five = parts.listed(rest, name, where)
            if len(five) != 5:
                raise MatchDataError(f"{where}: {name} must be five numbers, got {len(five)}")
            rest[name] = tuple(parts.number(value, f"{where}, {name}") for value in five)
    return parts.build(Evaluation, rest, where)


def _source(values: Any, where: str) -> Source:
    rest = dict(parts.mapping(values, f"{where}, source"))
    if rest.get("rollout") is not None:
        rest["rollout"] = parts.build(RolloutSettings, rest["rollout"], f"{where}, rollout")
    return parts.build(Source, rest, f"{where}, source")
