"""Writes what a file says into a match, tolerantly, and what is odd about it into the warnings."""

from dataclasses import replace
from typing import Any, Literal

from gammon._native import Position, Roll, Situation
from gammon._typing import PlayLike
from gammon.formats._reading import Warnings
from gammon.match import (
    AnyRecord,
    CubeAction,
    Game,
    Level,
    Match,
    Points,
    Resignation,
    Result,
    Rolled,
    Session,
)
from gammon.match._records import Reason
from gammon.match._rules import LEVELS

MOST_POINTS = 32_767
"""The highest score and the longest match that are read."""


class Recorder:
    """One match being read: its current game, and the warnings of its file."""

    def __init__(self, series: Match | Session, warnings: Warnings) -> None:
        self.series = series
        self.warnings = warnings
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The current game; the first is begun if there is none."""
        if self._game is None:
            self.new_game(None)
        assert self._game is not None
        return self._game

    @property
    def has_game(self) -> bool:
        """Whether a game has begun."""
        return self._game is not None

    def new_game(
        self,
        score: tuple[Points, Points] | None,
        *,
        crawford: bool | None = None,
        start: Position | None = None,
        place: str = "",
    ) -> Game:
        """Begin a game at the score the file says, or at that which follows from the games before."""
        if score is not None and not self.series.games:
            self.series._score = score
        here = self.series.score
        if score is not None and self._game is not None and score != here:
            before = f"{here[0]}-{here[1]}"
            self.warn(
                f"the score is given as {score[0]}-{score[1]}, after the games before it is {before}", place
            )
        self._game = self.series.new_game(
            score=here if score is None else score, crawford=crawford, start=start
        )
        return self._game

    def moment(
        self,
        player: int,
        position: Position,
        *,
        cube: int,
        owner: int | None,
        roll: Roll | None = None,
    ) -> Situation:
        """Return a moment of the current game, `player` being on roll, for a position that is put up.

        Raises `IllegalSituationError` for a cube that contradicts the score.
        """
        terms = self.game.terms
        score = terms.score
        limit = terms.rules.cube_limit
        fits = limit is not None and limit >= cube and limit & (limit - 1) == 0
        over = position.is_over or (terms.length > 0 and max(score) >= terms.length)
        return Situation.from_parts(
            position,
            length=terms.length,
            score=(int(score[player]), int(score[1 - player])),
            crawford=terms.crawford,
            cube=cube,
            cube_owner=None if owner is None else "roller" if owner == player else "opponent",
            jacoby=terms.jacoby,
            beavers=not terms.length and terms.rules.beavers,
            cube_limit=limit if fits else None,
            roll=roll,
            seat=player,
            state="over" if over else "playing",
        )

    def warn(self, text: str, place: str = "") -> None:
        """Keep a warning, saying which game it concerns."""
        self.warnings.add(f"game {self._game.number}: {text}" if self._game is not None else text, place)

    def add(self, record: AnyRecord, place: str = "") -> AnyRecord:
        """Record something and warn of what is against the rules in it."""
        return self._told(self.game.add(record), place)

    def _told(self, record: AnyRecord, place: str) -> AnyRecord:
        if record.illegal:
            self.warn(record.illegal, place)
        return record

    def _imply_take(self, player: int, place: str) -> None:
        """Take the cube for whoever plays on without having said so."""
        state = self.game.state
        if state.offer is None or state.turn is None:
            return
        if state.offer == "double":
            self.warn("a double is not answered and play goes on: taken for a take", place)
        self.add(CubeAction(state.turn if state.offer == "beaver" else 1 - state.turn, "take"), place)

    def turn(
        self,
        player: int,
        dice: Roll | str,
        play: PlayLike | None = None,
        *,
        after: Position | None = None,
        place: str = "",
        rolled: dict[str, Any] | None = None,
        **notes: Any,
    ) -> AnyRecord:
        """Record a roll and its play; `rolled` are the notes of the roll, the others those of the play.

        Without a play the notes of both go with the roll.
        """
        self._imply_take(player, place)
        roll = dice if isinstance(dice, Roll) else Roll(int(dice[0]), int(dice[1]))
        if play is None:
            return self.add(Rolled(player, roll, **{**(rolled or {}), **notes}), place)
        state = self.game.state
        if state.phase != "to-play" or state.turn != player or state.roll != roll:
            self.add(Rolled(player, roll, **(rolled or {})), place)
        return self._told(self.game.add_play(player, play, after=after, **notes), place)

    def double(self, player: int, *, value: int | None = None, place: str = "", **notes: Any) -> None:
        """Record a double, checking the value the file gives it."""
        state = self.game.state
        if state.offer is not None:
            self._imply_take(player, place)
            state = self.game.state
        if value is not None and value != 2 * state.cube:
            self.warn(f"a double to {value} of a cube at {state.cube}", place)
        self.add(CubeAction(player, "double", **notes), place)

    def answer(
        self,
        player: int,
        action: Literal["take", "pass", "beaver", "raccoon"],
        place: str = "",
        **notes: Any,
    ) -> None:
        """Record an answer to the cube."""
        self.add(CubeAction(player, action, **notes), place)

    def end(
        self,
        winner: int | None,
        points: int,
        *,
        reason: Reason | None = None,
        ends_match: bool = False,
        place: str = "",
    ) -> None:
        """Record how the file says the game ended.

        A game that was not over until then is taken for resigned, if the points are those of a resignation
        and no other reason is given.
        """
        game = self.game
        found = game.state.result
        if found is None and winner is not None and reason in (None, "resigned"):
            level = self._level(points)
            if level is not None:
                self._imply_take(winner, place)
                self._resign(1 - winner, level, place)
                found = game.state.result
        if found is not None and found.winner == winner and found.points == points and not ends_match:
            return
        stated = Result(
            winner=winner,
            points=points,
            reason=reason or (found.reason if found is not None else "unknown"),
            ends_match=ends_match,
        )
        kept = game.end(stated)
        if kept.illegal:
            self.warn(kept.illegal, place)

    def _level(self, points: int) -> Level | None:
        state = self.game.state
        if state.phase == "start":
            return None
        for level in LEVELS:
            if (
                self.game.terms.points(level, state.stake, offered=state.offered or state.offer is not None)
                == points
            ):
                return level
        return None

    def _resign(self, loser: int, level: Level, place: str) -> None:
        resignation = self.game.state.resignation
        if resignation is None or resignation[0] != loser:
            self.add(Resignation(loser, "offer", level), place)
        self.add(Resignation(1 - loser, "accept"), place)

    def comment(self, text: str) -> None:
        """Keep a comment with the last thing that happened, or with the game or the match if nothing has."""
        if not text:
            return
        if self._game is None:
            self.series.comment = joined(self.series.comment, text)
        elif self._game.is_over:
            self._game.closing_comment = joined(self._game.closing_comment, text)
        elif len(self._game):
            last = self._game.records[-1]
            self._game.note(-1, comment=joined(last.comment, text))
        else:
            self._game.comment = joined(self._game.comment, text)

    def rename(self, seat: int, **changes: Any) -> None:
        """Change what is known of a player."""
        players = list(self.series.players)
        players[seat] = replace(players[seat], **changes)
        self.series.players = (players[0], players[1])


def joined(first: str, second: str) -> str:
    """Return two comments as one, a line each."""
    return f"{first}\n{second}" if first else second
