"""Writes eXtreme Gammon's `.xg` and `.xgp`, without analysis: that program analyses what it opens.

Seat 0 is written as player 1. Comments go along as Rich Text Format.
"""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon._native import Position, Roll
from gammon.errors import FormatError
from gammon.formats import _rtf, _xg_archive
from gammon.formats import _xg_records as records
from gammon.formats._losses import Losses, lost_dice, lost_results
from gammon.formats._xg_levels import PROGRAM
from gammon.formats._xg_read import VARIANTS
from gammon.match import (
    CubeAction,
    Flag,
    Game,
    IllegalPlay,
    Match,
    Opening,
    Played,
    Record,
    Rolled,
    Rules,
    Session,
    Settlement,
    Setup,
)
from gammon.match._legal import may_not_double
from gammon.match._rules import LEVELS

_EPOCH = datetime(1899, 12, 30)
_UNLIMITED_DOUBLES = 100
"""What is written for any number of automatic doubles."""


def write(series: Match | Session, losses: Losses) -> bytes:
    """Return the bytes of a file. Raises `FormatError` if something of the match does not fit the records."""
    return _Writer(series, losses).file()


class _Writer:
    """Writes one match."""

    def __init__(self, series: Match | Session, losses: Losses) -> None:
        self._series = series
        self._losses = losses
        self._records: list[bytes] = []
        self._comments: list[str] = []

    def file(self) -> bytes:
        """Return the file."""
        series, losses = self._series, self._losses
        lost_dice(series, losses)
        losses.add("annotator", bool(series.annotator))
        losses.add("program", series.program != PROGRAM)
        losses.add("tags", len(series.tags))
        losses.add("score", not series.games and series.starting_score != (0, 0))
        self._add(self._header())
        for game in series.games:
            self._game(game)
        self._add(self._footer())
        data = b"".join(self._records)
        files = {"temp.xg": data, "temp.xgi": self._records[0] + self._records[-1]}
        if self._comments:
            files["temp.xgc"] = "".join(f"{comment}\r\n" for comment in self._comments).encode("ascii")
        identity = hashlib.sha256(data).digest()[:16]
        names = " - ".join(player.name for player in series.players)
        return _xg_archive.pack(files, identity=identity, title=names, comment="")

    def _add(self, fields: npt.NDArray[np.void]) -> None:
        self._records.append(fields.tobytes())

    def _comment(self, text: str) -> int:
        """Return the number of a comment, -1 for none."""
        if not text:
            return -1
        rtf = _rtf.from_text(text)
        self._losses.add("comments", _rtf.to_text(rtf) != text)
        self._comments.append(rtf)
        return len(self._comments) - 1

    def _header(self) -> npt.NDArray[np.void]:
        series, rules = self._series, self._series.rules
        head = records.blank(records.MATCH_HEADER, records.HEADER_MATCH)
        head["length"] = series.length or records.UNLIMITED
        head["variation"] = VARIANTS.index(rules.variant) if rules.variant in VARIANTS else 0
        head["crawford"] = rules.crawford
        head["jacoby"] = rules.jacoby
        head["beaver"] = rules.beavers
        head["auto_double"] = rules.auto_doubles != 0
        head["auto_double_max"] = _UNLIMITED_DOUBLES if rules.auto_doubles is None else rules.auto_doubles
        head["cube_limit"] = 15 if rules.cube_limit is None else max(rules.cube_limit, 1).bit_length() - 1
        if not rules.cube:
            head["cube_limit"] = 0
        self._losses.rules(_read_back(rules, series.length), rules)
        head["elo"] = [self._rating(seat) for seat in (0, 1)]
        head["experience"] = [series.players[seat].experience or 0 for seat in (0, 1)]
        head["date"] = self._days(series.date)
        head["game_id"] = (
            int.from_bytes(hashlib.sha256(ascii(series).encode()).digest()[:4], "little") & 0x7FFFFFFF
        )
        head["computer_levels"] = head["site"] = -1
        head["invert"] = 1
        head["version"], head["magic"] = records.VERSION, records.MAGIC
        head["comment_header"], head["comment_footer"] = self._comment(series.comment), -1
        texts = {"event": series.event, "location": series.place, "round": series.round}
        texts |= {"player1": series.players[0].name, "player2": series.players[1].name}
        for name, text in texts.items():
            head[name] = self._wide(text, "names")
            head[f"ansi_{name}"] = _short(text, 40 if name.startswith("player") else 128)
        head["transcriber"] = self._wide(series.transcriber, "transcriber")
        head["transcribed"] = bool(series.transcriber)
        return head

    def _wide(self, text: str, kind: str) -> npt.NDArray[np.uint16]:
        """Return a text as 129 UTF-16 characters, the last of them zero."""
        data = text.encode("utf-16-le", errors="replace")[:256]
        found = np.frombuffer(data.ljust(258, b"\0"), "<u2")
        self._losses.add(kind, records.wide_text(found) != text)
        return found

    def _rating(self, seat: int) -> float:
        player = self._series.players[seat]
        rating = player.rating
        fits = (rating is None and player.experience is None) or (
            rating is not None
            and 0 < rating < 1e6
            and player.experience is not None
            and abs(player.experience) < 1 << 31
        )
        self._losses.add("ratings", not fits)
        return rating if fits and rating is not None else 0.0

    def _days(self, date: str) -> float:
        try:
            moment = datetime.strptime(date, "%Y-%m-%dT%H:%M" if "T" in date else "%Y-%m-%d")
        except ValueError:
            self._losses.add("the date", bool(date))
            return 0.0
        days = (moment - _EPOCH).total_seconds() / 86_400
        fits = (
            1 < days < 200_000
            and ("T" in date) == bool(days % 1)
            and re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?", date)
        )
        self._losses.add("the date", not fits)
        return days if fits else 0.0

    def _game(self, game: Game) -> None:
        head = records.blank(records.GAME_HEADER, records.HEADER_GAME)
        score = [int(points) for points in game.score]
        self._losses.add("fractions", score != list(game.score))
        head["score"], head["crawford"] = score, game.crawford
        head["start"] = _places(game.start, 0)
        self._losses.add(
            "start", game.start != Position.start() and self._series.rules.variant == "backgammon"
        )
        head["number"], head["in_progress"] = game.number, game.result is None
        head["comment_header"] = self._comment(game.comment)
        head["comment_footer"] = self._comment(game.closing_comment)
        self._add(head)
        _Turns(self, game).write()
        lost_results(game, self._losses)
        if game.result is not None and game.result.winner is not None:
            self._add(_game_footer(game))

    def _footer(self) -> npt.NDArray[np.void]:
        series = self._series
        foot = records.blank(records.MATCH_FOOTER, records.FOOTER_MATCH)
        foot["score"] = [int(points) for points in series.score]
        foot["winner"] = 0 if series.winner is None else _sign(series.winner)
        foot["elo"] = [player.rating or 0.0 for player in series.players]
        foot["experience"] = [player.experience or 0 for player in series.players]
        return foot


class _Turns:
    """Writes what happens in a game: for each throw a record of the cube and one of the play."""

    def __init__(self, writer: _Writer, game: Game) -> None:
        self._writer = writer
        self._game = game
        self._losses = writer._losses

    def write(self) -> None:
        """Write all of it."""
        moments = list(self._game)
        i = 0
        setup: Setup | None = None
        while i < len(moments):
            record = moments[i].record
            match record:
                case Setup():
                    if setup is not None:
                        self._alone(setup)
                    setup = record
                    self._unnoted(record, comment=False, findings=True)
                case CubeAction():
                    i += self._double(i, setup)
                    setup = None
                    continue
                case Rolled():
                    i += self._turn(i, setup)
                    setup = None
                    continue
                case Played():
                    self._move(i, setup)
                    setup = None
                case _:
                    self._other(record)
            i += 1
        if setup is not None:
            self._alone(setup)

    def _other(self, record: Record) -> None:
        losses = self._losses
        losses.add("throws for the start", isinstance(record, Opening))
        losses.add("settlements", isinstance(record, Settlement))
        losses.add("flags", isinstance(record, Flag))
        losses.add("comments", bool(record.comment))
        self._unnoted(record, comment=False, findings=True)
        losses.add("time left", record.time_left is not None)

    def _unnoted(self, record: Record, *, comment: bool, findings: bool) -> None:
        losses = self._losses
        losses.add("marks", bool(record.marks))
        losses.add("findings", bool(record.findings) and findings)
        losses.add("comments", bool(record.comment) and comment)

    def _cube_record(self, index: int, player: int, setup: Setup | None) -> npt.NDArray[np.void]:
        """Return a record of the cube as it stands before record `index`."""
        state = self._game[index].before
        found = records.blank(records.CUBE_RECORD, records.CUBE)
        position = state.position if state.turn in (player, None) else state.position.flip()
        found["player"] = _sign(player)
        found["double"], found["take"], found["beaver"], found["raccoon"] = -2, -1, -1, -1
        owner = state.owner
        cube = _log2(state.cube)
        self._losses.add("start", 1 << cube != state.cube)
        if owner is None and cube and setup is not None:
            found["auto_doubles"] = cube
        else:
            found["cube"] = 0 if owner is None else cube * (1 if owner == 0 else -1)
        found["position"] = _places(position, player)
        found["error"] = found["error_take"] = found["error_beaver"] = found["error_raccoon"] = (
            records.NOT_ANALYSED
        )
        found["error_tutor"] = records.NOT_ANALYSED
        found["rollout"] = found["level"] = found["level_asked"] = -1
        found["analysis"]["double"] = -100
        found["comment"] = -1
        found["edited"] = setup is not None and setup.situation.roll is None
        if setup is not None:
            self._losses.add("offers", setup.situation.offer is not None)
            self._losses.add("time left", setup.time_left is not None)
            self._losses.add("comments", bool(setup.comment))
        return found

    def _double(self, index: int, setup: Setup | None) -> int:
        """Write a double with its answers; returns how many records that were."""
        moments = list(self._game)
        first = moments[index].record
        assert isinstance(first, CubeAction)
        if first.action != "double":
            raise FormatError("xg", f"a {first.action} without a double", f"game {self._game.number}")
        found = self._cube_record(index, first.player, setup)
        found["double"] = 1
        found["comment"] = self._writer._comment(first.comment)
        self._clock(found, first)
        self._unnoted(first, comment=False, findings=True)
        taken = 1
        answers: list[CubeAction] = []
        for moment in moments[index + 1 :]:
            record = moment.record
            if not isinstance(record, CubeAction) or record.action == "double" or moment.before.offer is None:
                break
            answers.append(record)
            self._unnoted(record, comment=True, findings=True)
            self._losses.add("time left", record.time_left is not None)
            taken += 1
        self._answers(found, [record.action for record in answers])
        following = moments[index + taken].record if index + taken < len(moments) else None
        found["dice"] = _dice(following.roll if isinstance(following, Rolled) and answers else None)
        self._writer._add(found)
        if isinstance(following, Rolled) and following.player == first.player and answers:
            taken += self._turn(index + taken, None, cube_record=False)
        return taken

    def _answers(self, found: npt.NDArray[np.void], actions: Sequence[str]) -> None:
        take = {"pass": 0, "take": 1, "beaver": 2}
        beaver = {"pass": 0, "take": 1, "raccoon": 2}
        if actions:
            found["take"] = take.get(actions[0], -1)
        if len(actions) > 1:
            found["beaver"] = beaver.get(actions[1], -1)
        if len(actions) > 2:
            found["raccoon"] = take.get(actions[2], -1)

    def _turn(self, index: int, setup: Setup | None, *, cube_record: bool = True) -> int:
        """Write a throw and its play; returns how many records that were."""
        moments = [self._game[i] for i in range(index, min(index + 2, len(self._game)))]
        rolled = moments[0].record
        assert isinstance(rolled, Rolled)
        self._unnoted(rolled, comment=False, findings=True)
        if cube_record:
            found = self._cube_record(index, rolled.player, setup)
            state, terms = moments[0].before, self._game.terms
            found["double"] = -2 if may_not_double(terms, state, rolled.player) else 0
            found["dice"] = _dice(rolled.roll)
            found["comment"] = self._writer._comment(rolled.comment)
            self._clock(found, rolled)
            self._writer._add(found)
        else:
            self._losses.add("comments", bool(rolled.comment))
            self._losses.add("time left", rolled.time_left is not None)
        following = moments[1].record if len(moments) > 1 else None
        if (
            isinstance(following, Played)
            and following.player == rolled.player
            and following.roll == rolled.roll
        ):
            self._move(index + 1, None)
            return 2
        self._unplayed(index, rolled)
        return 1

    def _clock(self, found: npt.NDArray[np.void], record: Record) -> None:
        clock = record.time_left
        if clock is None:
            return
        fits = all(part is not None and part == int(part) and 0 <= part < 1 << 31 for part in clock) and any(
            clock
        )
        self._losses.add("time left", not fits)
        if fits:
            found["time_left"] = [int(part or 0) for part in clock]

    def _move(self, index: int, setup: Setup | None) -> None:
        record = self._game.records[index]
        assert isinstance(record, Played)
        play = record.play
        self._unnoted(record, comment=False, findings=True)
        self._losses.add("time left", record.time_left is not None)
        self._losses.add("illegal plays", isinstance(play, IllegalPlay))
        found = self._move_record(play.before, record.player, play.roll)
        self._cube_at(found, index, record.player)
        found["after"] = _places(play.after.flip(), 0)
        moves = [number for source, target in play.moves[:4] for number in (source - 1, target - 1)]
        found["moves"] = moves + [-1] * (8 - len(moves))
        found["played"] = 1
        found["comment"] = self._writer._comment(record.comment)
        if setup is not None:
            found["edited"] = 1
            self._losses.add("comments", bool(setup.comment))
            self._losses.add("time left", setup.time_left is not None)
            self._cube_of(found, setup)
        self._writer._add(found)

    def _cube_of(self, found: npt.NDArray[np.void], setup: Setup) -> None:
        situation = setup.situation
        cube = _log2(situation.cube)
        found["cube"] = {"roller": cube, "opponent": -cube, None: 0}[situation.cube_owner]
        self._losses.add("start", situation.cube_owner is None and cube > 0)

    def _move_record(self, before: Position, player: int, roll: Roll | None) -> npt.NDArray[np.void]:
        found = records.blank(records.MOVE_RECORD, records.MOVE)
        found["before"] = _places(before, player)
        found["player"] = _sign(player)
        dice = (0, 0) if roll is None else (roll.high, roll.low)
        found["dice"] = dice
        analysis = found["analysis"]
        analysis["position"], analysis["dice"] = _places(before, 0), dice
        found["error"] = found["luck"] = found["error_tutor"] = records.NOT_ANALYSED
        found["rollouts"] = -1
        found["level"] = found["level_luck"] = found["comment"] = found["tutor"] = -1
        return found

    def _unplayed(self, index: int, rolled: Rolled) -> None:
        """Write a throw that was not played."""
        state = self._game[index].before
        position = state.position if state.turn in (rolled.player, None) else state.position.flip()
        found = self._move_record(position, rolled.player, rolled.roll)
        self._cube_at(found, index, rolled.player)
        self._writer._add(found)

    def _cube_at(self, found: npt.NDArray[np.void], index: int, player: int) -> None:
        """Put down the cube as the mover sees it before record `index`."""
        state = self._game[index].before
        if state.owner is not None:
            found["cube"] = _log2(state.cube) * (1 if state.owner == player else -1)

    def _alone(self, setup: Setup) -> None:
        """Write a position with which nothing was done."""
        situation = setup.situation
        player = situation.seat
        self._losses.add("offers", situation.offer is not None)
        self._losses.add("time left", setup.time_left is not None)
        if situation.roll is None:
            found = records.blank(records.CUBE_RECORD, records.CUBE)
            found["player"] = _sign(player)
            found["take"], found["beaver"], found["raccoon"] = -1, -1, -1
            cube = _log2(situation.cube)
            owner = {"roller": 1, "opponent": -1, None: 0}[situation.cube_owner] * _sign(player)
            found["cube"] = cube * owner
            found["auto_doubles"] = cube if owner == 0 else 0
            found["position"] = _places(situation.position, player)
            for name in ("error", "error_take", "error_beaver", "error_raccoon", "error_tutor"):
                found[name] = records.NOT_ANALYSED
            found["rollout"] = found["level"] = found["level_asked"] = -1
            found["analysis"]["double"] = -100
        else:
            found = self._move_record(situation.position, player, situation.roll)
            self._cube_of(found, setup)
        self._losses.add("comments", bool(setup.comment))
        found["edited"] = 1
        found["comment"] = -1
        self._writer._add(found)


def _game_footer(game: Game) -> npt.NDArray[np.void]:
    result = game.result
    assert result is not None
    assert result.winner is not None
    foot = records.blank(records.GAME_FOOTER, records.FOOTER_GAME)
    points = int(result.points)
    after = [int(part) for part in game.score]
    after[result.winner] += points
    foot["score"] = after
    foot["winner"] = _sign(result.winner)
    foot["points"] = points
    level = LEVELS.index(result.level) + 1 if result.level else 1
    foot["termination"] = {"passed": 0, "played": level, "settled": 1001}.get(result.reason, 100 + level)
    foot["error_resign"] = foot["error_take_resign"] = records.NOT_ANALYSED
    return foot


def _sign(seat: int) -> int:
    return 1 if seat == 0 else -1


def _log2(cube: int) -> int:
    return max(cube, 1).bit_length() - 1


def _dice(roll: Roll | None) -> Any:
    """Return dice as a short string: two digits, or sevens where none were thrown."""
    return np.void(b"\x02" + (b"77" if roll is None else f"{roll.high}{roll.low}".encode()))


def _short(text: str, most: int) -> Any:
    """Return a short string: its length, then Windows characters."""
    data = text.encode("cp1252", errors="replace")[:most]
    return np.void((bytes([len(data)]) + data).ljust(most + 1, b"\0"))


def _places(position: Position, player: int) -> list[int]:
    """Return the 26 signed numbers of a position seen by a player, in the frame of player 1, seat 0."""
    board = position.board
    numbers = [-int(board[1, 24])]
    numbers += [int(board[0, i]) - int(board[1, 23 - i]) for i in range(24)]
    numbers.append(int(board[0, 24]))
    return numbers if player == 0 else [-n for n in reversed(numbers)]


def _read_back(rules: Rules, length: int) -> Rules:
    """Return the rules that will be read."""
    limit = None if rules.cube_limit is None else 1 << (max(rules.cube_limit, 1).bit_length() - 1)
    variant = rules.variant if rules.variant in VARIANTS else "backgammon"
    if length:
        return Rules(
            variant=variant,
            cube=rules.cube,
            cube_limit=limit if rules.cube else None,
            crawford=rules.crawford,
        )
    return Rules(
        variant=variant,
        cube=rules.cube,
        cube_limit=limit if rules.cube else None,
        jacoby=rules.jacoby,
        beavers=rules.beavers,
        raccoons=rules.beavers,
        auto_doubles=rules.auto_doubles,
    )
