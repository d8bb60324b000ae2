"""What reading a file gives: matches or positions, and what was odd about the file."""

from dataclasses import dataclass, field

from gammon._native import Situation
from gammon.errors import FormatError
from gammon.match import CubeFinding, Game, Match, PlayerInfo, PlayFinding, Session

__all__ = ["FileWarning", "FoundPosition", "Reading", "Warnings"]

MOST_WARNINGS = 500
"""Warnings that are kept of one file; of those beyond only the number is."""


@dataclass(frozen=True, slots=True)
class FileWarning:
    """Something odd in a file that did not keep it from being read."""

    place: str
    """Where, such as 'line 12' or 'record 7'; empty if it concerns the whole file."""
    text: str
    """What, in a sentence."""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class Warnings:
    """Collects the warnings of one file, not more than memory should hold."""

    def __init__(self) -> None:
        self._kept: list[FileWarning] = []
        self._beyond = 0

    def add(self, text: str, place: str = "") -> None:
        """Keep a warning, or count it if there are too many."""
        if len(self._kept) < MOST_WARNINGS:
            self._kept.append(FileWarning(place, text))
        else:
            self._beyond += 1

    def all(self) -> tuple[FileWarning, ...]:
        """Return the warnings, the last saying how many more there were."""
        if not self._beyond:
            return tuple(self._kept)
        return (*self._kept, FileWarning("", f"and {self._beyond} more warnings"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPosition:
    """A position found in a file or text, with what stands beside it."""

    situation: Situation
    players: tuple[PlayerInfo, PlayerInfo] = (PlayerInfo(), PlayerInfo())
    """Who sits at seat 0 (the top player) and at seat 1."""
    findings: tuple[PlayFinding | CubeFinding, ...] = ()
    """What the text says of the plays or of the cube, as it was found."""
    comment: str = ""
    place: str = ""
    """Where it begins, such as 'line 12'."""

    def to_match(self) -> Match | Session:
        """Return a match, or a session, of one game that begins with this position."""
        from gammon.match import Setup

        situation = self.situation
        seat = situation.seat
        mine, theirs = situation.score
        score = (mine, theirs) if seat == 0 else (theirs, mine)
        series: Match | Session
        if situation.length:
            series = Match(situation.length, self.players, score=score, cube_limit=situation.cube_limit)
        else:
            series = Session(
                self.players,
                score=score,
                jacoby=situation.jacoby,
                beavers=situation.beavers,
                cube_limit=situation.cube_limit,
            )
        game: Game = series.new_game(score=score, crawford=situation.crawford)
        game.add(Setup(seat, situation, comment=self.comment, findings=self.findings))
        return series


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read from a file or a text."""

    format: str
    """The name of its format, one of `FORMATS`."""
    matches: tuple[Match | Session, ...] = ()
    """The matches and money sessions in it."""
    positions: tuple[FoundPosition, ...] = ()
    """The positions in it that are not part of a match."""
    warnings: tuple[FileWarning, ...] = ()
    """What was odd, with line or record numbers; an illegal play is kept and said here."""
    path: str = field(default="", compare=False)
    """Where it came from, if it was a file."""

    @property
    def match(self) -> Match | Session:
        """The first match or session. Raises `FormatError` if there is none."""
        if not self.matches:
            raise FormatError(self.format, f"it holds {len(self.positions)} positions and no match")
        return self.matches[0]

    @property
    def position(self) -> Situation:
        """The first position that is not part of a match. Raises `FormatError` if there is none."""
        if not self.positions:
            raise FormatError(self.format, f"it holds {len(self.matches)} matches and no single position")
        return self.positions[0].situation
