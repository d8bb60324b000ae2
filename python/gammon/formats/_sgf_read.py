"""Reads the `.sgf` of GNU Backgammon: a tree a game, with its analysis.

Black is seat 1. The points are letters, `a` White's ace point and Black's 24-point, `y` the bar, `z` off.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gammon._native import Position, Roll, Situation
from gammon.errors import FormatError, GammonError
from gammon.formats import _sgf_tree
from gammon.formats._reading import Reading, Warnings
from gammon.formats._recorder import MOST_POINTS, Recorder
from gammon.formats._sgf_analysis import read_cube, read_luck, read_plays
from gammon.formats._sgf_tree import Node
from gammon.formats._source import Source, whole_number
from gammon.match import CubeFinding, Finding, Match, PlayerInfo, Rules, Session, Setup

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BAR, OFF = 24, 25
"""The letters of the bar and of checkers off, by their number."""

SKILL = {"BM": ("bad", "very bad"), "TE": ("good", "very good"), "DO": ("doubtful",), "IT": ("interesting",)}
LUCK = ("lucky", "very lucky"), ("unlucky", "very unlucky")
_SETUP = ("AE", "AB", "AW", "CV", "CO", "PL", "DI")
_VARIANTS = {"Nackgammon": "nackgammon", "NackGammon": "nackgammon", "HyperGammon3": "hypergammon"}


@dataclass(slots=True)
class _Pending:
    """What a position that is being put up consists of so far."""

    properties: Node = field(default_factory=dict)
    number: int = 0
    """The node it began with."""


def sniff(text: str) -> bool:
    """Whether a text is a tree of backgammon."""
    return bool(re.match(r"\s*\(\s*;", text)) and bool(
        re.search(r"GM\[6\]|MI\[|;[BW]\[[1-6]{2}[a-z]*\]", text)
    )


def read(source: Source) -> Reading:
    """Read all matches of a file. Raises `FormatError` if there is no tree in it."""
    warnings = Warnings()
    trees = _sgf_tree.parse(source.text(), warnings)
    matches: list[Match | Session] = []
    reader: _Reader | None = None
    for number, nodes in enumerate(trees, 1):
        root = nodes[0]
        if root.get("GM", ["6"])[0].strip() not in ("6", ""):
            warnings.add(f"game kind {root['GM'][0][:10]!r} is not backgammon: left out", f"tree {number}")
            continue
        if reader is None or not reader.goes_on(root):
            reader = _Reader(root, warnings)
            matches.append(reader.recorder.series)
        reader.read_game(nodes, number)
    if not matches:
        raise FormatError("sgf", "no game of backgammon")
    return Reading(format="sgf", matches=tuple(matches), warnings=warnings.all(), path=source.path)


class _Reader:
    """Reads the games of one match."""

    def __init__(self, root: Node, warnings: Warnings) -> None:
        self._names = _names(root)
        self._info = _info(root)
        self.recorder = Recorder(_series(root, self._info), warnings)
        self._program = self.recorder.series.program or "GNU Backgammon"

    def goes_on(self, root: Node) -> bool:
        """Whether a tree is the next game of the match."""
        info = _info(root)
        return _names(root) == self._names and info["length"] == self._info["length"] and info["game"] != 0

    def read_game(self, nodes: list[Node], tree: int) -> None:
        """Read one tree."""
        root = nodes[0]
        info = _info(root)
        crawford = "CrawfordGame" in _words(root, "RU")
        game = self.recorder.new_game((info["ws"], info["bs"]), crawford=crawford, place=f"tree {tree}")
        if "MI" in root:
            game.number = info["game"] + 1
        game.comment = _text(root, "C")
        pending = _Pending()
        for number, node in enumerate(nodes[1:], 1):
            place = f"tree {tree}, node {number}"
            try:
                pending = self._node(node, pending, place)
            except GammonError as error:
                self.recorder.warn(str(error), place)
                self.recorder.comment(_text(node, "C"))
        self._put_up(pending, f"tree {tree}, end", {})
        self._result(_text(root, "RE"), f"tree {tree}")

    def _node(self, node: Node, pending: _Pending, place: str) -> _Pending:
        if any(name in node for name in _SETUP):
            for name in _SETUP:
                if name in node:
                    pending.properties[name] = node[name]
            if "DI" not in node and not any(name in node for name in ("C", "LU", "DA", "A")):
                return pending
            notes = {**self._roll_notes(node, _player(pending.properties)), "comment": _text(node, "C")}
            self._put_up(pending, place, notes)
            return _Pending()
        for player, name in enumerate("WB"):
            if name in node:
                self._put_up(pending, place, {})
                self._move(player, node[name][0].strip(), node, place)
                return _Pending()
        self.recorder.comment(_text(node, "C"))
        return pending

    def _move(self, player: int, value: str, node: Node, place: str) -> None:
        lower = value.lower()
        if lower in ("double", "redouble", "take", "drop", "pass", "beaver", "raccoon"):
            self._cube(player, lower, node, place)
            return
        dice, letters = value[:2], lower[2:]
        if not re.fullmatch(r"[1-6]{2}", dice):
            self.recorder.warn(f"not understood: {value[:40]!r}", place)
            self.recorder.comment(_text(node, "C"))
            return
        pairs = _pairs(letters, player)
        if pairs is None:
            self.recorder.warn(f"a play cannot be read: {letters[:40]!r}", place)
            pairs = []
        notes: dict[str, Any] = {"marks": _skill(node), "comment": _text(node, "C")}
        recorder = self.recorder
        position = recorder.game.state.position
        if recorder.game.state.turn not in (player, None):
            position = position.flip()
        found = read_plays(
            node.get("A", []), self._program, _named(position, Roll(int(dice[0]), int(dice[1])), player)
        )
        if found is not None:
            notes["findings"] = (found,)
        recorder.turn(player, dice, pairs or "", rolled=self._roll_notes(node, player), place=place, **notes)

    def _cube(self, player: int, action: str, node: Node, place: str) -> None:
        notes: dict[str, Any] = {"marks": _skill(node), "comment": _text(node, "C")}
        if (cube := self._cube_finding(node)) is not None:
            notes["findings"] = (cube,)
        state = self.recorder.game.state
        if "double" in action and state.offer in ("double", "beaver") and player == state.to_act:
            action = "beaver" if state.offer == "double" else "raccoon"
        if "double" in action:
            self.recorder.double(player, place=place, **notes)
        elif action == "take":
            self.recorder.answer(player, "take", place, **notes)
        elif action in ("beaver", "raccoon"):
            self.recorder.answer(player, "beaver" if action == "beaver" else "raccoon", place, **notes)
        else:
            self.recorder.answer(player, "pass", place, **notes)

    def _cube_finding(self, node: Node) -> CubeFinding | None:
        return read_cube(node["DA"][0], self._program, self.recorder.series.length) if "DA" in node else None

    def _roll_notes(self, node: Node, player: int) -> dict[str, Any]:
        findings: list[Finding] = []
        if (cube := self._cube_finding(node)) is not None:
            findings.append(cube)
        if "LU" in node and (luck := read_luck(node["LU"][0], self._program)) is not None:
            findings.append(luck)
        return {"findings": tuple(findings), "marks": _luck_marks(node, player)}

    def _put_up(self, pending: _Pending, place: str, notes: dict[str, Any]) -> None:
        """Record a position that was put up, or dice that were only thrown."""
        given = pending.properties
        if not given:
            return
        state = self.recorder.game.state
        player = _player(given) if "PL" in given else state.turn if state.turn is not None else 1
        dice = _text(given, "DI").strip()
        thrown = dice if re.fullmatch(r"[1-6]{2}", dice) else ""
        if not set(given) - {"PL", "DI"}:
            if thrown:
                self.recorder.turn(player, thrown, place=place, **notes)
            return
        situation = _situation(given, self.recorder, player, thrown)
        self.recorder.add(Setup(player, situation, **notes), place)

    def _result(self, text: str, place: str) -> None:
        found = re.match(r"\s*([BW])\+(\d{1,5})(R?)", text, re.IGNORECASE)
        if found:
            winner = 1 if found[1].upper() == "B" else 0
            self.recorder.end(winner, int(found[2]), reason="resigned" if found[3] else None, place=place)
        elif text.strip() and text.strip().lower() not in ("0", "void", "?"):
            self.recorder.warn(f"a result that cannot be read: {text[:20]!r}", place)


def _names(root: Node) -> tuple[str, str]:
    return _text(root, "PW"), _text(root, "PB")


def _info(root: Node) -> dict[str, int]:
    """Return what `MI` says: length, number of the game, scores."""
    info = {"length": 0, "game": 0, "ws": 0, "bs": 0}
    for value in root.get("MI", []):
        name, _, number = value.partition(":")
        found = whole_number(number, MOST_POINTS)
        if name.strip() in info and found is not None:
            info[name.strip()] = found
    return info


def _series(root: Node, info: dict[str, int]) -> Match | Session:
    length = info["length"]
    words = _words(root, "RU")
    variant = next((_VARIANTS[word] for word in words if word in _VARIANTS), "backgammon")
    options: dict[str, Any] = {
        "variant": variant,
        "cube": "NoCube" not in words,
        "crawford": "Crawford" in words or not length,
    }
    players = [
        _player_info(_text(root, name), _text(root, rating)) for name, rating in (("PW", "WR"), ("PB", "BR"))
    ]
    series: Match | Session
    if length:
        series = Match(length, players, rules=Rules(**options))
    else:
        # What cannot be said is not in force, but beavers: nothing would show that they are not.
        series = Session(players, rules=Rules(jacoby="Jacoby" in words, beavers=True, **options))
    series.event, series.round, series.place = _text(root, "EV"), _text(root, "RO"), _text(root, "PC")
    series.date, series.annotator, series.program = _text(root, "DT"), _text(root, "AN"), _program(root)
    series.comment = _text(root, "GC")
    return series


def _program(root: Node) -> str:
    return _text(root, "AP").replace(":", " ")


def _player_info(name: str, rating: str) -> PlayerInfo:
    found = re.match(r"\s*(\d{1,5}(?:\.\d{1,9})?)", rating)
    return PlayerInfo(name, float(found[1])) if found else PlayerInfo(name)


def _words(node: Node, name: str) -> list[str]:
    return [word.strip() for value in node.get(name, []) for word in value.split(":")]


def _text(node: Node, name: str) -> str:
    values = node.get(name)
    return values[0] if values else ""


def _player(node: Node) -> int:
    return 0 if _text(node, "PL").strip().lower().startswith("w") else 1


def _skill(node: Node) -> tuple[str, ...]:
    marks = []
    for name, words in SKILL.items():
        if name in node:
            marks.append(words[-1] if _text(node, name).strip() == "2" else words[0])
    return tuple(marks)


def _luck_marks(node: Node, player: int) -> tuple[str, ...]:
    marks = []
    for seat, name in enumerate(("GW", "GB")):
        if name in node:
            marks.append(LUCK[seat != player][_text(node, name).strip() == "2"])
    return tuple(marks)


def point_of(letter: str, player: int) -> int:
    """Return the point a letter names as the player counts them; 25 is the bar, 0 off, -1 no point."""
    number = LETTERS.find(letter)
    if number == BAR:
        return 25
    if number == OFF:
        return 0
    if number < 0:
        return -1
    return number + 1 if player == 0 else 24 - number


def _pairs(letters: str, player: int) -> list[tuple[int, int]] | None:
    points = [point_of(letter, player) for letter in letters[:8]]
    if len(letters) > 8 or len(points) % 2 or -1 in points:
        return None
    return list(zip(points[::2], points[1::2], strict=True))


def _named(position: Position, roll: Roll, player: int) -> Callable[[str], str]:
    """Return what names plays written in letters the usual way."""

    def name(letters: str) -> str:
        pairs = _pairs(letters, player) if letters else []
        if pairs is None:
            return letters[:40]
        plain = " ".join(f"{_point(a)}/{_point(b)}" for a, b in pairs)
        try:
            return str(position.play(pairs, roll)) if pairs else ""
        except GammonError:
            return plain

    return name


def _point(point: int) -> str:
    return {25: "bar", 0: "off"}.get(point, str(point))


def _situation(given: Node, recorder: Recorder, player: int, dice: str) -> Situation:
    """Return the situation that properties put up, what they do not name being as it was."""
    state = recorder.game.state
    sides = _checkers(given, state.position if state.turn != 0 else state.position.flip())
    cube, owner = state.cube, state.owner
    if (value := whole_number(_text(given, "CV"), 1 << 15)) is not None:
        cube = value
    if "CO" in given:
        owner = {"b": 1, "w": 0}.get(_text(given, "CO").strip().lower()[:1])
    position = Position.from_points(sides[player], sides[1 - player])
    roll = Roll(int(dice[0]), int(dice[1])) if dice else None
    return recorder.moment(player, position, cube=cube, owner=owner, roll=roll)


def _checkers(given: Node, seen_by_black: Position) -> list[dict[int, int]]:
    """Return the checkers of White and of Black by their own points."""
    board = seen_by_black.board
    sides = [{i + 1: int(board[1 - seat, i]) for i in range(25)} for seat in (0, 1)]
    for letter in _letters(given.get("AE", [])):
        for seat in (0, 1):
            sides[seat][point_of(letter, seat)] = 0
    for seat, name in enumerate(("AW", "AB")):
        for letter in _letters(given.get(name, [])):
            point = point_of(letter, seat)
            sides[seat][point] = sides[seat].get(point, 0) + 1
    return [{point: n for point, n in side.items() if 1 <= point <= 25 and n} for side in sides]


def _letters(values: list[str]) -> list[str]:
    """Return the letters that values name; `a:y` is all between."""
    found: list[str] = []
    for value in values[:100]:
        first, _, last = value.strip().lower().partition(":")
        if len(first) == 1 and first in LETTERS and not last:
            found.append(first)
        elif len(first) == len(last) == 1 and first in LETTERS and last in LETTERS:
            found.extend(LETTERS[LETTERS.index(first) : LETTERS.index(last) + 1])
    return found
