"""gammon's own JSON: everything, without loss.

One match or session is an object with `"format": "gammon-match"`, as `Match.to_dict` gives it; several,
or positions, are an object with `"format": "gammon-collection"` and the lists `matches` and `positions`.
The schema is `docs/gammon-match.schema.json`.
"""

import json
import re
from typing import Any

from gammon._native import Situation
from gammon._objects import named_once
from gammon.errors import FormatError, GammonError, MatchDataError
from gammon.formats._reading import FoundPosition, Reading, Warnings
from gammon.formats._source import Source
from gammon.match import Match, PlayerInfo, Series, Session
from gammon.match import _json as match_json
from gammon.match import _parts as parts

COLLECTION = "gammon-collection"
VERSION = 1

DEEPEST = 40
"""Levels of lists and objects within one another that are read: more than the schema has."""


def sniff(text: str) -> bool:
    """Whether a text is an object of ours."""
    return text.lstrip()[:1] == "{" and ('"gammon-match"' in text or f'"{COLLECTION}"' in text)


_BEGINS = re.compile(r'\s*(?:\{\s*["}]|\[\s*(?:"|\{\s*["}]|\[\s*(?:["\[{\]]|-?\d+\s*[.,\]])))')


def is_foreign(text: str) -> bool:
    """Whether a text begins as JSON does, one value or one a line, and is not ours."""
    return _BEGINS.match(text) is not None and not sniff(text)


def refusal(text: str) -> FormatError:
    """Return the error that says what JSON it is that is not read."""
    reason = "it is JSON, but neither matches nor positions as gammon writes them"
    if '"gammon-analysis"' in text:
        reason = "an analysis as gammon analyze --json writes it holds no match; gammon find searches it"
    return FormatError("json", reason)


def read(source: Source) -> Reading:
    """Read matches and positions. Raises `FormatError` if it is no JSON, or not ours."""
    text = source.text()
    if _depth(text) > DEEPEST:
        raise FormatError("json", f"lists and objects more than {DEEPEST} deep")
    try:
        values = json.loads(
            text, parse_constant=_no_constant, object_pairs_hook=named_once("an object", ValueError)
        )
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        raise FormatError("json", str(error)) from error
    if not isinstance(values, dict):
        raise FormatError("json", f"an object is expected, not a {type(values).__name__}")
    warnings = Warnings()
    try:
        matches, positions = _contents(values)
    except MatchDataError as error:
        raise FormatError("json", str(error)) from error
    for series in matches:
        for game in series.games:
            for moment in game:
                if moment.record.illegal:
                    place = f"game {game.number}, record {moment.index}"
                    warnings.add(f"game {game.number}: {moment.record.illegal}", place)
    return Reading(
        format="json", matches=matches, positions=positions, warnings=warnings.all(), path=source.path
    )


def _contents(values: dict[str, Any]) -> tuple[tuple[Match | Session, ...], tuple[FoundPosition, ...]]:
    if values.get("format") != COLLECTION:
        return (_match(values),), ()
    if values.get("version") != VERSION:
        raise MatchDataError(f"version {values.get('version')!r} is not read, only {VERSION}")
    lists = []
    for name in ("matches", "positions"):
        found = values.get(name, [])
        if not isinstance(found, list):
            raise MatchDataError(f"{name} must be a list")
        lists.append(found)
    return tuple(map(_match, lists[0])), tuple(_position(one, i) for i, one in enumerate(lists[1]))


def _match(values: Any) -> Match | Session:
    if not isinstance(values, dict):
        raise MatchDataError("a match must be an object")
    try:
        found = match_json.from_dict(values)
    except MatchDataError:
        raise
    except (GammonError, TypeError, ValueError, OverflowError, KeyError, AttributeError) as error:
        raise MatchDataError(f"{type(error).__name__}: {error}") from error
    assert isinstance(found, Match | Session)
    return found


def _position(values: Any, index: int) -> FoundPosition:
    where = f"position {index}"
    if not isinstance(values, dict):
        raise MatchDataError(f"{where} must be an object")
    try:
        players = match_json._players(values.get("players", [{}, {}]), f"{where}, players")
        findings = match_json.findings(values, where)
        situation = Situation(parts.need(values, "situation", str, where))
        comment, place = (parts.text(values, name, where) for name in ("comment", "place"))
    except MatchDataError:
        raise
    except (GammonError, TypeError, ValueError, OverflowError, KeyError, AttributeError) as error:
        raise MatchDataError(f"{where}: {error}") from error
    return FoundPosition(
        situation=situation,
        players=players,
        findings=findings,  # type: ignore[arg-type]
        comment=comment,
        place=place,
    )


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


_OUTSIDE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^][{}"]++', re.DOTALL)


def _depth(text: str) -> int:
    """Return how deeply brackets lie within one another, those within texts not counted."""
    depth = deepest = 0
    for bracket in _OUTSIDE.sub("", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def write(matches: tuple[Series, ...], positions: tuple[FoundPosition, ...]) -> str:
    """Return the text of an object. Raises `FormatError` for numbers JSON has not, such as infinity."""
    if len(matches) == 1 and not positions:
        values = match_json.to_dict(matches[0])
    else:
        values = {
            "format": COLLECTION,
            "version": VERSION,
            "matches": [match_json.to_dict(series) for series in matches],
            "positions": [_position_values(found) for found in positions],
        }
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    except ValueError as error:
        raise FormatError("json", str(error)) from error
    return text


def _position_values(found: FoundPosition) -> dict[str, Any]:
    xgid, lost = found.situation.to("xgid")
    text = xgid if not lost else found.situation.gnuid
    values: dict[str, Any] = {"situation": text}
    if any(player != PlayerInfo() for player in found.players):
        values["players"] = [match_json._plain(player) for player in found.players]
    if found.findings:
        values["findings"] = [
            {"kind": finding.kind, **match_json._plain(finding)} for finding in found.findings
        ]
    values |= {name: text for name in ("comment", "place") if (text := getattr(found, name))}
    return values
