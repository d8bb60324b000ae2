"""The tags at the head of a `.mat` file, `; [Name "value"]`, as eXtreme Gammon's author published them.

Player 1 is the right column, seat 1. Names the reader does not know are kept in `tags` and written again.
"""

import re
from typing import Any

from gammon.formats._losses import Losses, one_line
from gammon.formats._recorder import Recorder
from gammon.formats._source import whole_number
from gammon.match import Match, PlayerInfo, Rules, Session
from gammon.match._rules import MAX_CUBE

_FIELDS = {"Event": "event", "Round": "round", "Site": "place", "Transcriber": "transcriber"}
_RULES = ("Crawford", "Jacoby", "Beaver", "CubeLimit", "Variation")
_VARIANTS = {
    "backgammon": "backgammon",
    "nackgammon": "nackgammon",
    "hypergammon": "hypergammon",
    "longgammon": "longgammon",
}


LONGEST_TAG = 3_000
"""Characters of a tag that are written: lines beyond all measure are cut when they are read."""


def new_series(length: int, tags: dict[str, str]) -> Match | Session:
    """Return an empty match, or a session for length 0, by the rules that the tags say."""
    rules = read_rules(length, tags)
    return Match(length, rules=rules) if length else Session(rules=rules)


def read_rules(length: int, tags: dict[str, str]) -> Rules:
    """Return the rules that the tags say; those of money play are taken to be in use unless one says no."""
    options: dict[str, Any] = {"crawford": _on(tags, "Crawford", True)}
    if not length:
        options["jacoby"] = _on(tags, "Jacoby", True)
        options["beavers"] = _on(tags, "Beaver", True)
        options["raccoons"] = _on(tags, "Raccoon", False)
    limit = whole_number(tags.get("CubeLimit", ""), MAX_CUBE)
    if limit == 1:
        options["cube"] = False
    elif limit:
        options["cube_limit"] = limit
    variant = _VARIANTS.get(tags.get("Variation", "").strip().lower())
    return Rules(variant=variant or "backgammon", **options)


def _on(tags: dict[str, str], name: str, otherwise: bool) -> bool:
    return {"on": True, "off": False}.get(tags.get(name, "").strip().lower(), otherwise)


def apply_tags(recorder: Recorder, names: tuple[str, str], tags: dict[str, str], remarks: list[str]) -> None:
    """Put names, ratings and whatever else the head of the file says where it belongs."""
    series = recorder.series
    left = 1 if plain_name(tags.get("Player 1", "")) == plain_name(names[0]) else 2
    if plain_name(tags.get("Player 2", "")) == plain_name(names[0]) or not any(names):
        left = 2
    rest = dict(tags)
    players = []
    for name, number in zip(names, (left, 3 - left), strict=True):
        tagged = rest.get(f"Player {number}", "")
        if plain_name(tagged) == plain_name(name) or not name:
            rest.pop(f"Player {number}", None)
            players.append(_with_elo(tagged or name, rest.pop(f"Player {number} Elo", "")))
        else:
            players.append(_with_rating(name))
    series.players = (players[0], players[1])
    for tag, attribute in _FIELDS.items():
        setattr(series, attribute, rest.pop(tag, ""))
    series.date = _date(rest)
    for tag in _RULES:
        rest.pop(tag, None)
    rest.pop("Raccoon", None)
    series.tags = rest
    series.comment = "\n".join(remarks)


def _with_elo(name: str, elo: str) -> PlayerInfo:
    found = re.match(r"^\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*(?:/\s*(\d{1,9}))?\s*$", elo)
    if found is None:
        return PlayerInfo(name)
    return PlayerInfo(name, float(found[1].replace(",", ".")), int(found[2]) if found[2] else None)


def _with_rating(name: str) -> PlayerInfo:
    """Return a player whose name may be followed by a rating, as GridGammon writes it."""
    found = re.match(r"^(\S.*?)\s*,\s*(\d{3,4}(?:\.\d{1,4})?)$", name)
    return PlayerInfo(name) if found is None else PlayerInfo(found[1], float(found[2]))


def _date(tags: dict[str, str]) -> str:
    day = re.fullmatch(r"(\d{4})[.-](\d{2})[.-](\d{2})", tags.get("EventDate", "").strip())
    if day is None:
        return ""
    del tags["EventDate"]
    date = "-".join(day.groups())
    time = re.fullmatch(r"(\d{2})[.:](\d{2})", tags.get("EventTime", "").strip())
    if time is not None:
        del tags["EventTime"]
        date += f"T{time[1]}:{time[2]}"
    return date


def plain_name(name: str) -> str:
    """Return a name as a line with scores can hold it: no colons, single blanks."""
    return " ".join(name.replace(":", ";").split())


def write_tags(series: Match | Session, losses: Losses) -> list[str]:
    """Return the lines that say who played what, where and when, and by which rules."""
    rules = series.rules
    tags: dict[str, str] = {}
    for seat in (1, 0):
        player, number = series.players[seat], 2 - seat
        if player.name:
            tags[f"Player {number}"] = player.name
        if player.rating is not None and player.name:
            elo = repr(player.rating).removesuffix(".0")
            tags[f"Player {number} Elo"] = elo if player.experience is None else f"{elo}/{player.experience}"
        elif player.rating is not None or player.experience is not None:
            losses.add("ratings")
    tags |= {tag: text for tag, attribute in _FIELDS.items() if (text := getattr(series, attribute))}
    tags |= _written_date(series.date, losses)
    if rules.variant != "backgammon":
        tags["Variation"] = {
            "nackgammon": "NackGammon",
            "hypergammon": "HyperGammon",
            "longgammon": "LongGammon",
        }.get(rules.variant, rules.variant)
    if not rules.crawford:
        tags["Crawford"] = "Off"
    if not series.length:
        tags |= {"Jacoby": "On" if rules.jacoby else "Off", "Beaver": "On" if rules.beavers else "Off"}
        if rules.raccoons:
            tags["Raccoon"] = "On"
    if not rules.cube:
        tags["CubeLimit"] = "1"
    elif rules.cube_limit is not None:
        tags["CubeLimit"] = str(rules.cube_limit)
    losses.rules(read_rules(series.length, tags), rules)
    for name, text in series.tags.items():
        if name not in tags and one_line(name) == name and not set(name) & set('"[]'):
            tags[name] = text
        else:
            losses.add("tags")
    lines = {name: one_line(text).replace("\t", " ") for name, text in tags.items()}
    losses.add("line breaks", sum(lines[name] != text for name, text in tags.items()))
    losses.add("tags", sum(len(text) > LONGEST_TAG for text in lines.values()))
    return [f'; [{name} "{text[:LONGEST_TAG]}"]' for name, text in lines.items()]


def _written_date(date: str, losses: Losses) -> dict[str, str]:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?", date)
    if found is None:
        if date:
            losses.add("the date")
        return {}
    tags = {"EventDate": ".".join(found.group(1, 2, 3))}
    if found[4]:
        tags["EventTime"] = f"{found[4]}.{found[5]}"
    return tags
