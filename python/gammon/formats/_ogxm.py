"""Reads OpenGammon's OGXM through the package `ogxm`, whose codec gives the file as a document.

White is seat 0. The points are Black's; 0 is White's bar and 25 Black's. Values of decisions in a match are
match winning chances.
"""

import io
from collections.abc import Iterator, Mapping
from typing import Any

from gammon._native import Position, Roll
from gammon.errors import FormatError, GammonError
from gammon.formats._reading import Reading, Warnings
from gammon.formats._recorder import MOST_POINTS, Recorder
from gammon.formats._source import Source as File
from gammon.match import (
    Candidate,
    CubeFinding,
    Evaluation,
    Finding,
    LuckFinding,
    Match,
    PlayFinding,
    Rules,
    Session,
    Setup,
    Source,
)
from gammon.match._findings import Five

MAGIC = b"OGXM"
_TEXTS = {"event": "event", "location": "place", "site": "place", "round": "round", "annotator": "annotator"}
_REASONS: dict[Any, Any] = {"resigned": "resigned", 2: "resigned", "settled": "settled", 3: "settled"}
_REASONS |= {"forfeited": "forfeited", 4: "forfeited"}
_LEVELS = {1: 1, 2: 2, 3: 3, "single": 1, "gammon": 2, "backgammon": 3}


def sniff(data: bytes) -> bool:
    """Whether bytes begin as a file of this kind."""
    return data.startswith(MAGIC)


def read(source: File) -> Reading:
    """Read a match, or the matches of a stream.

    Raises `FormatError` if the package is missing or refuses the file.
    """
    try:
        import ogxm  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        needed = "reading it needs the package ogxm: pip install 'gammon[ogxm]'"
        raise FormatError("ogxm", needed) from error
    warnings = Warnings()
    matches = []
    for number, document in enumerate(_documents(ogxm, source, warnings), 1):
        matches.append(_Reader(document, warnings, f"match {number}").series)
    if not matches:
        raise FormatError("ogxm", "no match that can be read")
    return Reading(format="ogxm", matches=tuple(matches), warnings=warnings.all(), path=source.path)


def _documents(ogxm: Any, source: File, warnings: Warnings) -> Iterator[Mapping[str, Any]]:
    """Go through the documents of a file, or of a stream of files."""
    refusals = (ogxm.OgxmError, ogxm.StreamError, ogxm.ConversionRefused, ValueError)
    try:
        yield ogxm.binary_to_json(source.data)
        return
    except refusals as error:
        refused = error
    members = 0
    try:
        for member in ogxm.iter_stream(io.BytesIO(source.data)):
            members += 1
            yield ogxm.binary_to_json(member)
    except refusals as error:
        warnings.add(f"the stream breaks off: {error}", f"match {members + 1}")
    if not members:
        raise FormatError("ogxm", str(refused)) from refused


class _Reader:
    """Reads one document."""

    def __init__(self, document: Mapping[str, Any], warnings: Warnings, place: str) -> None:
        self._document = document
        self._place = place
        length = _number(document, "match_length", MOST_POINTS)
        names = [str(document.get(name, "")) for name in ("player_white", "player_black")]
        rules = _rules(document, length)
        self.series: Match | Session = (
            Match(length, names, rules=rules) if length else Session(names, rules=rules)
        )
        self._recorder = Recorder(self.series, warnings)
        for name, attribute in _TEXTS.items():
            if isinstance(document.get(name), str):
                setattr(self.series, attribute, document[name])
        info = document.get("analysis_info")
        self._info: Mapping[str, Any] = info if isinstance(info, Mapping) else {}
        for number, game in enumerate(document.get("games", []), 1):
            if isinstance(game, Mapping):
                self._game(game, f"{place}, game {number}")

    def _game(self, game: Mapping[str, Any], place: str) -> None:
        recorder = self._recorder
        crawford = game.get("is_crawford")
        began = recorder.new_game(
            None, crawford=bool(crawford) if crawford is not None and self.series.length else None
        )
        self._start(game, place)
        plies = game.get("plies", [])
        for number, ply in enumerate(plies if isinstance(plies, list) else [], 1):
            if isinstance(ply, Mapping):
                try:
                    self._ply(ply, f"{place}, ply {number}")
                except (GammonError, TypeError, ValueError, KeyError) as error:
                    recorder.warn(f"a ply that cannot be read: {error}", f"{place}, ply {number}")
        winner, points = game.get("winner"), _number(game, "points_won", MOST_POINTS)
        if winner in (0, 1) and began is recorder.game:
            reason = _REASONS.get(game.get("termination"))
            recorder.end(int(winner), points, reason=reason, place=place)

    def _start(self, game: Mapping[str, Any], place: str) -> None:
        """Raise the cube for automatic doubles."""
        doubles = min(_number(game, "auto_doubles", 15), 15)
        value = max(_number(game, "initial_cube_value", 1 << 15), 1) << doubles
        if value > 1 and value & (value - 1) == 0:
            situation = self._recorder.moment(1, Position.start(), cube=min(value, 1 << 15), owner=None)
            self._recorder.add(Setup(1, situation), place)

    def _ply(self, ply: Mapping[str, Any], place: str) -> None:
        recorder, action = self._recorder, _number(ply, "action_id", 255, otherwise=30)
        player = 0 if ply.get("color") == 1 else 1
        if action <= 20:
            self._play(ply, player, place)
        elif action == 21:
            findings = self._cube(ply.get("analysis"))
            recorder.double(player, place=place, findings=findings)
        elif action in (22, 23):
            recorder.answer(
                player, "take" if action == 22 else "pass", place, findings=self._cube(ply.get("analysis"))
            )
        elif action in (32, 33):
            recorder.answer(player, "beaver" if action == 32 else "raccoon", place)
        elif action in (27, 28):
            value = _LEVELS.get(ply.get("resign_value", 1), 1)
            recorder.comment("" if value == 1 else f"resigns {value} times the cube")
        elif action == 31:
            self._set_position(ply, player, place)
        elif action not in (24, 25, 26, 29, 30, 37):
            recorder.warn(f"action {action} is not read", place)

    def _play(self, ply: Mapping[str, Any], player: int, place: str) -> None:
        roll = Roll(_number(ply, "d1", 6), _number(ply, "d2", 6))
        moves = _moves(ply.get("moves"), player)
        analysis = ply.get("analysis")
        plays, rolled = self._checker(analysis, player, roll)
        self._recorder.turn(
            player, roll, moves or "", place=place, rolled={"findings": rolled}, findings=plays
        )

    def _set_position(self, ply: Mapping[str, Any], player: int, place: str) -> None:
        board = [int(n) for n in ply["set_position"]]
        if len(board) != 26:
            raise ValueError(f"{len(board)} of 26 places")
        black = {point: n for point, n in enumerate(board) if n > 0}
        white = {25 - point: -n for point, n in enumerate(board) if n < 0}
        game = self._recorder.game
        if "d1" in ply:
            # An illegal play, told by the position it led to.
            roll = Roll(_number(ply, "d1", 6), _number(ply, "d2", 6))
            sides = (black, white) if player == 0 else (white, black)
            self._recorder.turn(player, roll, "?", after=Position.from_points(*sides), place=place)
            return
        sides = (white, black) if player == 0 else (black, white)
        state = game.state
        situation = self._recorder.moment(
            player, Position.from_points(*sides), cube=state.cube, owner=state.owner
        )
        self._recorder.add(Setup(player, situation), place)

    def _source(self, level: Any) -> Source:
        program = str(self._info.get("model_name") or self._info.get("model_id") or "OGXM")
        return Source(program=program, level=str(level or self._info.get("eval_level") or ""))

    def _checker(
        self, analysis: Any, player: int, roll: Roll
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """Return what is said of the plays, and of the throw."""
        if not isinstance(analysis, Mapping):
            return (), ()
        rolled: list[Finding] = [*self._cube(analysis.get("cube_decision"))]
        if isinstance(luck := analysis.get("luck"), int | float):
            rolled.append(self._luck(float(luck)))
        candidates: list[Candidate] = []
        chosen: int | None = None
        alternatives = analysis.get("alternatives", [])
        state = self._recorder.game.state
        before = state.position if state.turn in (player, None) else state.position.flip()
        for alternative in alternatives if isinstance(alternatives, list) else []:
            if alternative.get("is_played"):
                chosen = len(candidates)
            candidates.append(self._candidate(alternative, before, player, roll))
        if not candidates:
            return (), tuple(rolled)
        error = analysis.get("equity_loss")
        loss = float(error) if isinstance(error, int | float) else None
        return (PlayFinding(candidates=tuple(candidates), chosen=chosen, error=loss),), tuple(rolled)

    def _luck(self, luck: float) -> LuckFinding:
        source = self._source(self._info.get("luck_eval_level"))
        return (
            LuckFinding(source=source, mwc=luck)
            if self.series.length
            else LuckFinding(source=source, equity=luck)
        )

    def _candidate(self, found: Mapping[str, Any], before: Position, player: int, roll: Roll) -> Candidate:
        moves = _moves(found.get("move"), player)
        try:
            text = str(before.play(moves, roll))
        except GammonError:
            text = " ".join(f"{source}/{target}" for source, target in moves)
        evaluation = self._evaluation(found.get("equity"), found.get("eval"), found.get("eval_level"))
        return Candidate(text, evaluation)

    def _evaluation(self, value: Any, chances: Any, level: Any) -> Evaluation:
        number = float(value) if isinstance(value, int | float) else None
        in_match = bool(self.series.length)
        return Evaluation(
            source=self._source(level),
            probs=_five(chances),
            equity=None if in_match else number,
            mwc=number if in_match else None,
        )

    def _cube(self, found: Any) -> tuple[CubeFinding, ...]:
        if not isinstance(found, Mapping) or "no_double_equity" not in found:
            return ()
        level = found.get("eval_level")
        first = self._evaluation(found["no_double_equity"], found.get("eval"), level)
        others = [
            self._evaluation(found.get(name), None, level)
            for name in ("double_take_equity", "double_pass_equity")
        ]
        best = str(found.get("correct_action") or found.get("action") or "")
        return (CubeFinding(no_double=first, double_take=others[0], double_pass=others[1], best=best),)


def _rules(document: Mapping[str, Any], length: int) -> Rules:
    variant = str(document.get("variant", "backgammon")) or "backgammon"
    if length:
        return Rules(variant=variant, crawford=bool(document.get("crawford", True)))
    beavers = bool(document.get("beavers", document.get("beaver", True)))
    return Rules(
        variant=variant, jacoby=bool(document.get("jacoby", False)), beavers=beavers, raccoons=beavers
    )


def _number(values: Mapping[str, Any], name: str, most: int, otherwise: int = 0) -> int:
    value = values.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return otherwise
    return int(value) if 0 <= value <= most else otherwise


def _moves(steps: Any, player: int) -> list[tuple[int, int]]:
    """Return moves by the mover's own points."""
    moves = []
    for step in steps if isinstance(steps, list) else []:
        start, pips = _number(step, "from", 25), _number(step, "pips", 24)
        own = start if player == 1 else 25 - start
        moves.append((own, max(own - pips, 0)))
    return moves


def _five(found: Any) -> Five | None:
    if not isinstance(found, Mapping):
        return None
    values = [found.get(name) for name in ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")]
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]) if len(numbers) == 5 else None
