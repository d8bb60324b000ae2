"""Reads eXtreme Gammon's `.xg` and `.xgp`: matches and positions with their analysis, rollouts and comments.

Player 1 of the file is seat 0, as in the left column of the `.mat` file that program writes of the same
match; of a `.xgp`, which is one position, the found position has player 1 at the bottom as its XGID has.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from gammon._native import Play, Position, Roll, Situation
from gammon._situations import standing
from gammon.errors import FormatError, GammonError
from gammon.formats import _rtf, _xg_archive, _xg_levels
from gammon.formats import _xg_records as records
from gammon.formats._reading import FoundPosition, Reading, Warnings
from gammon.formats._recorder import MOST_POINTS, Recorder
from gammon.formats._source import Source
from gammon.formats._xg_findings import cube_finding, luck_finding, pairs, play_finding, position_of
from gammon.match import CubeFinding, Finding, Match, PlayerInfo, PlayFinding, Rolled, Rules, Session, Setup
from gammon.match._rules import MAX_CUBE

VARIANTS = ("backgammon", "nackgammon", "hypergammon", "longgammon")
_EPOCH = datetime(1899, 12, 30)


def sniff(data: bytes) -> bool:
    """Whether bytes are a file of eXtreme Gammon."""
    return _xg_archive.sniff(data)


def read(source: Source) -> Reading:
    """Read a match, a session or a position. Raises `FormatError` if the file is damaged beyond reading."""
    warnings = Warnings()
    files = _xg_archive.unpack(source.data, warnings)
    reader = _Reader(files, warnings)
    reader.read()
    series = reader.series
    positions = _positions(series)
    matches = () if positions and source.extension == "xgp" else (series,)
    kind = "xgp" if source.extension == "xgp" else "xg"
    return Reading(
        format=kind, matches=matches, positions=positions, warnings=warnings.all(), path=source.path
    )


def _positions(series: Match | Session) -> tuple[FoundPosition, ...]:
    """Return the position of a file that holds no more than one decision."""
    if len(series.games) != 1 or not series.games[0].records:
        return ()
    first, *others = series.games[0].records
    if not isinstance(first, Setup) or any(not isinstance(record, Rolled) for record in others):
        return ()
    said = (first, *others)
    findings = tuple(
        one for record in said for one in record.findings if isinstance(one, PlayFinding | CubeFinding)
    )
    situation = others[0].roll if others and isinstance(others[0], Rolled) else first.situation.roll
    top, bottom = series.players
    found = FoundPosition(
        situation=other_seat(first.situation, situation),
        players=(bottom, top),
        findings=findings,
        comment="\n".join(record.comment for record in said if record.comment),
    )
    return (found,)


def other_seat(given: Situation, roll: Roll | None) -> Situation:
    """Return a situation with the players' seats exchanged."""
    offer = given.offer if roll is None else None
    to_act = None if offer is None else given.to_act
    return standing(given, roll=roll, offer=offer, to_act=to_act, seat=1 - given.seat)


@dataclass(slots=True)
class _Said:
    """What a cube record says of the decision before a throw that is still to come."""

    findings: list[Finding] = field(default_factory=list)
    comment: str = ""
    time_left: tuple[float | None, float | None] | None = None

    def notes(self) -> dict[str, Any]:
        """Return it as notes of a record."""
        return {"findings": tuple(self.findings), "comment": self.comment, "time_left": self.time_left}


class _Reader:
    """Reads the records of one file."""

    def __init__(self, files: dict[str, bytes], warnings: Warnings) -> None:
        self._data = files["temp.xg"]
        self._rollouts = _xg_levels.rollouts(files.get("temp.xgr", b""))
        text = files.get("temp.xgc", b"").decode("cp1252", errors="replace")
        self._comments = [line.replace("\x01\x02", "\r\n") for line in text.split("\r\n")]
        self._warnings = warnings
        self._recorder: Recorder | None = None
        self._said: _Said | None = None
        self._place = ""

    @property
    def series(self) -> Match | Session:
        """The match that has been read. Raises `FormatError` if there was none."""
        if self._recorder is None:
            raise FormatError("xg", "no record of a match")
        return self._recorder.series

    @property
    def recorder(self) -> Recorder:
        """Where it is written. Raises `FormatError` before the first record of a match."""
        if self._recorder is None:
            raise FormatError("xg", "a record before the head of the match", self._place)
        return self._recorder

    def read(self) -> None:
        """Read all records; one that makes no sense is a warning."""
        count, rest = divmod(len(self._data), records.SIZE)
        if rest:
            self._warnings.add(f"{rest} bytes after the last record", f"record {count}")
        steps = {
            records.HEADER_MATCH: self._match_header,
            records.HEADER_GAME: self._game_header,
            records.CUBE: self._cube,
            records.MOVE: self._move,
            records.FOOTER_GAME: self._game_footer,
            records.FOOTER_MATCH: self._match_footer,
        }
        for index in range(count):
            self._place = f"record {index}"
            kind, found = records.record(self._data, index)
            if found is None:
                self._warnings.add(f"a record of kind {kind}, which is not known: left out", self._place)
                continue
            try:
                steps[kind](found)
            except GammonError as error:
                self._warnings.add(str(error), self._place)
        if self._recorder is not None:
            self._close_turn()

    def _match_header(self, found: np.void) -> None:
        if self._recorder is not None:
            raise FormatError("xg", "a second match: left out")
        wide = int(found["version"]) >= 24
        texts = {
            name: records.wide_text(found[name]) or records.short_text(found[f"ansi_{name}"])
            if wide
            else records.short_text(found[f"ansi_{name}"])
            for name in ("player1", "player2", "event", "location", "round")
        }
        players = [_player(texts[f"player{i + 1}"], found["elo"][i], found["experience"][i]) for i in (0, 1)]
        length = int(found["length"])
        rules = _rules(found, length)
        money = length <= 0 or length > MOST_POINTS
        series: Match | Session = (
            Session(players, rules=rules) if money else Match(length, players, rules=rules)
        )
        series.event, series.place, series.round = texts["event"], texts["location"], texts["round"]
        series.transcriber = records.wide_text(found["transcriber"]) if int(found["version"]) >= 30 else ""
        series.date = _date(float(found["date"]))
        series.program = _xg_levels.PROGRAM
        comments = [self._comment(int(found[name])) for name in ("comment_header", "comment_footer")]
        series.comment = "\n".join(filter(None, comments))
        self._recorder = Recorder(series, self._warnings)

    def _game_header(self, found: np.void) -> None:
        self._close_turn()
        start = None
        variant = self.series.rules.variant
        if variant != "backgammon" and found["start"].any():
            start = position_of(found["start"], 1)
        score = (int(found["score"][0]), int(found["score"][1]))
        if min(score) < 0 or max(score) > MOST_POINTS:
            self._warnings.add(f"a score of {score[0]}-{score[1]}", self._place)
            score = (0, 0)
        crawford = bool(found["crawford"]) and bool(self.series.length)
        game = self.recorder.new_game(score, crawford=crawford, start=start, place=self._place)
        game.number = max(int(found["number"]), 0)
        game.comment = self._comment(int(found["comment_header"]))
        game.closing_comment = self._comment(int(found["comment_footer"]))

    def _comment(self, index: int) -> str:
        if index < 0:
            return ""
        if index >= len(self._comments):
            self._warnings.add(f"comment {index} of {len(self._comments)}", self._place)
            return ""
        return _rtf.to_text(self._comments[index])

    def _cube(self, found: np.void) -> None:
        self._close_turn()
        player = _seat(int(found["player"]))
        position = position_of(found["position"], int(found["player"]))
        edited, raised = bool(found["edited"]), max(0, min(int(found["auto_doubles"]), 15))
        self._put_up(player, position, _signed_cube(int(found["cube"]), player == 0), raised, edited=edited)
        said = _Said(comment=self._comment(int(found["comment"])))
        if (finding := cube_finding(found, self._rollouts)) is not None:
            said.findings.append(finding)
        clock = [int(seconds) for seconds in found["time_left"]]
        if any(clock):
            said.time_left = (float(clock[0]), float(clock[1]))
        if int(found["double"]) != 1:
            self._said = said
            return
        self.recorder.double(player, place=self._place, **said.notes())
        self._answers(player, found)

    def _answers(self, player: int, found: np.void) -> None:
        other = 1 - player
        take, beaver, raccoon = (int(found[name]) for name in ("take", "beaver", "raccoon"))
        if take not in (0, 1, 2):
            return
        self.recorder.answer(other, ("pass", "take", "beaver")[take], self._place)
        if take == 2 and beaver in (0, 1, 2):
            self.recorder.answer(player, ("pass", "take", "raccoon")[beaver], self._place)
            if beaver == 2 and raccoon in (0, 1):
                self.recorder.answer(other, "take" if raccoon else "pass", self._place)

    def _put_up(
        self,
        player: int,
        position: Position,
        cube: tuple[int, int],
        raised: int,
        *,
        edited: bool,
        roll: Roll | None = None,
    ) -> None:
        """Put the position of a record on the board where it does not follow from what went before."""
        state = self.recorder.game.state
        expected = state.position if state.turn in (player, None) else state.position.flip()
        first = state.phase == "start" and raised > 0
        if position == expected and not edited and not first:
            return
        if not edited and not first and state.phase != "start":
            self.recorder.warn("the position does not follow from the play before it", self._place)
        value, owner = cube
        raised_cube = min(value << raised, MAX_CUBE)
        situation = self.recorder.moment(
            player, position, cube=raised_cube, owner=None if owner < 0 else owner, roll=roll
        )
        self.recorder.add(Setup(player, situation), self._place)

    def _move(self, found: np.void) -> None:
        player, sign = _seat(int(found["player"])), int(found["player"])
        dice = [int(die) for die in found["dice"]]
        said, self._said = self._said or _Said(), None
        before = position_of(found["before"], sign)
        if not all(1 <= die <= 6 for die in dice):
            self._put_up(
                player,
                before,
                _signed_cube(int(found["cube"]), True, player),
                0,
                edited=bool(found["edited"]),
            )
            self._note_setup(said)
            return
        roll = Roll(dice[0], dice[1])
        edited = bool(found["edited"])
        cube = _signed_cube(int(found["cube"]), True, player)
        self._put_up(player, before, cube, 0, edited=edited, roll=roll if edited else None)
        played = bool(found["played"])
        after = position_of(found["after"], 1).flip() if played else None
        candidates = play_finding(found, before, roll, after, self._rollouts)
        if (luck := luck_finding(found)) is not None:
            said.findings.append(luck)
        comment = self._comment(int(found["comment"]))
        rolled = said.notes()
        if played and after is not None:
            notes = {"comment": comment, "findings": candidates}
            self.recorder.turn(
                player,
                roll,
                _play(found, before, roll, after),
                after=after,
                place=self._place,
                rolled=rolled,
                **notes,
            )
            return
        rolled["findings"] += candidates
        rolled["comment"] = "\n".join(filter(None, (said.comment, comment)))
        if self.recorder.game.state.phase == "to-play":
            self.recorder.game.note(-1, **{name: value for name, value in rolled.items() if value})
        else:
            self.recorder.turn(player, roll, place=self._place, **rolled)

    def _note_setup(self, said: _Said) -> None:
        """Keep what is said of a decision that was not taken with the position it is of."""
        game = self.recorder.game
        if not (said.findings or said.comment):
            return
        if game.records:
            last = game.records[-1]
            game.note(-1, findings=(*last.findings, *said.findings))
            self.recorder.comment(said.comment)
        else:
            situation = self.recorder.moment(0, game.start, cube=1, owner=None)
            self.recorder.add(Setup(0, situation, **said.notes()), self._place)

    def _close_turn(self) -> None:
        """Keep what was said of a throw that did not come."""
        if self._said is not None:
            said, self._said = self._said, None
            self._note_setup(said)

    def _game_footer(self, found: np.void) -> None:
        self._close_turn()
        recorder = self.recorder
        if not recorder.has_game:
            raise FormatError("xg", "the end of a game that has not begun")
        winner, points, how = (int(found[name]) for name in ("winner", "points", "termination"))
        if winner not in (1, -1) or not 0 <= points <= MOST_POINTS:
            if winner:
                recorder.warn(f"a result that cannot be: winner {winner}, {points} points", self._place)
            return
        reason: Any = "settled" if how >= 1000 else "resigned" if how >= 100 else None
        recorder.end(_seat(winner), points, reason=reason, place=self._place)

    def _match_footer(self, found: np.void) -> None:
        self._close_turn()
        score = (int(found["score"][0]), int(found["score"][1]))
        if self.series.length and score != self.series.score:
            ours = self.series.score
            self._warnings.add(
                f"the final score is given as {score[0]}-{score[1]}, the games make it {ours[0]}-{ours[1]}",
                self._place,
            )


def _seat(player: int) -> int:
    """Return the seat of a player: 1 is player 1, -1 (2 in the author's words) player 2."""
    return 0 if player == 1 else 1


def _signed_cube(cube: int, of_mover: bool, player: int = 0) -> tuple[int, int]:
    """Return value and owner (-1 for none) of a cube, whose sign says who owns it.

    The sign is seen by the mover, or else by player 1; in both cases it is whose seat is `player`.
    """
    value = 1 << min(abs(cube), 15)
    if cube == 0:
        return 1, -1
    mine = player if of_mover else 0
    return value, mine if cube > 0 else 1 - mine


def _play(found: np.void, before: Position, roll: Roll, after: Position) -> Play | list[tuple[int, int]]:
    """Return the play of a record: as it is written if that leads where it led, else any that does."""
    moves = pairs(found["moves"])
    try:
        made = before.play(moves, roll) if moves else None
        if made is not None and made.after == after:
            return made
    except GammonError:
        pass
    for play in before.plays(roll):
        if play.after == after:
            return play
    return moves


def _player(name: str, elo: float, experience: int) -> PlayerInfo:
    rating = float(elo)
    if not 0 < rating < 1e6:
        return PlayerInfo(name)
    return PlayerInfo(name, rating, int(experience))


def _date(days: float) -> str:
    """Return a date that is counted in days."""
    if not 1 < days < 200_000:
        return ""
    moment = _EPOCH + timedelta(seconds=round(days * 86_400))
    return moment.strftime("%Y-%m-%dT%H:%M") if days % 1 else moment.strftime("%Y-%m-%d")


def _rules(found: np.void, length: int) -> Rules:
    """Return the rules of a file; a limit of the cube is a power of two, and 0 means there is no cube."""
    variation, version = int(found["variation"]), int(found["version"])
    limit = int(found["cube_limit"]) if version >= 8 else 10
    options: dict[str, Any] = {"variant": VARIANTS[variation] if 0 <= variation < 4 else "backgammon"}
    if 0 < limit < 15:
        options["cube_limit"] = 1 << limit
    options["cube"] = limit != 0
    if 0 < length <= MOST_POINTS:
        return Rules(crawford=bool(found["crawford"]), **options)
    doubles = int(found["auto_double_max"]) if found["auto_double"] else 0
    return Rules(
        jacoby=bool(found["jacoby"]),
        beavers=bool(found["beaver"]),
        raccoons=bool(found["beaver"]),
        auto_doubles=max(doubles, 0) if doubles < 100 else None,
        **options,
    )
