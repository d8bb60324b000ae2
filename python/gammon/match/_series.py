"""Matches and money sessions: who plays, by which rules, and the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from gammon._native import Position
from gammon.errors import IllegalActionError, SettingError
from gammon.match._after import whole
from gammon.match._dice import Dice, FairDice, SeededDice
from gammon.match._game import Game
from gammon.match._records import Points
from gammon.match._rules import Rules
from gammon.match._state import Terms, scores


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What is known of a player."""

    name: str = ""
    rating: float | None = None
    """Elo, in whatever system the file has."""
    experience: int | None = None
    """Points played under that rating."""


class Series:
    """What a match and a money session have in common.

    `players` are in the order of the seats: seat 0 is the top player of an XGID and the left column of a
    `.mat` file, seat 1 the bottom player and the right column.
    """

    def __init__(
        self,
        length: int,
        rules: Rules,
        players: Sequence[PlayerInfo | str] = ("", ""),
        *,
        score: tuple[Points, Points] = (0, 0),
        dice: Dice | None = None,
        seed: int | None = None,
    ) -> None:
        if dice is not None and seed is not None:
            raise SettingError("give dice or a seed, not both")
        if not (dice is None or callable(dice)):
            raise TypeError(f"dice must be a function of game and throw, or None, got {dice!r:.120}")
        first, second = _seated(players)
        self._length = length
        self._rules = rules
        self._score = score
        self._games: list[Game] = []
        self.players: tuple[PlayerInfo, PlayerInfo] = (first, second)
        """Who sits at seat 0 and at seat 1."""
        self.dice: Dice | None = dice if seed is None else SeededDice(seed)
        """Where dice come from; those of a seed and of two secrets are kept with the match."""
        self.event = ""
        self.place = ""
        self.round = ""
        self.date = ""
        """When it began, as far as known: `2026-11-30` or `2026-11-30T09:30`."""
        self.annotator = ""
        self.transcriber = ""
        self.program = ""
        """What wrote the file it was read from."""
        self.comment = ""
        self.tags: dict[str, str] = {}
        """Whatever else a file says of it, by the file's own names."""

    @property
    def length(self) -> int:
        """Points it is played to; 0 is a money session."""
        return self._length

    @property
    def rules(self) -> Rules:
        """What it is played by."""
        return self._rules

    @property
    def games(self) -> tuple[Game, ...]:
        """The games, in the order they were played."""
        return tuple(self._games)

    @property
    def starting_score(self) -> tuple[Points, Points]:
        """The score before its first game."""
        return self._score

    @property
    def score(self) -> tuple[Points, Points]:
        """The score as it is now: that before the last game, and what came of it."""
        if not self._games:
            return self._score
        game = self._games[-1]
        points = list(scores(game.terms, game.state))
        result = game.result
        if result is not None and result.winner is not None:
            points[result.winner] += result.points
        return whole(points[0]), whole(points[1])

    @property
    def winner(self) -> int | None:
        """The seat that has won the match; `None` while it goes on, and in a money session."""
        if not self._length or not self._games:
            return None
        result = self._games[-1].result
        if result is not None and result.ends_match:
            return result.winner
        for seat in (0, 1):
            if self.score[seat] >= self._length:
                return seat
        return None

    @property
    def is_over(self) -> bool:
        """Whether no further game is played: the match is won. A money session ends when its players stop."""
        if self.winner is not None:
            return True
        result = self._games[-1].result if self._games else None
        return result is not None and result.ends_match

    def new_game(
        self,
        *,
        score: tuple[Points, Points] | None = None,
        crawford: bool | None = None,
        start: Position | None = None,
    ) -> Game:
        """Begin the next game and return it.

        Readers say what their file says of `score` and `crawford`, and where the checkers stand in another
        game than the standard one. Otherwise both follow from the games before, which must be over.

        Raises `IllegalActionError` if the last game or the match is not over, or is.
        """
        if score is None:
            if self._games and not self._games[-1].is_over:
                raise IllegalActionError("new game", f"game {self._games[-1].number} is not over")
            if self.is_over:
                raise IllegalActionError("new game", "the match is over")
        here = self.score if score is None else score
        first = self._is_crawford(here) if crawford is None else crawford
        terms = Terms(self._rules, self._length, here, first)
        number = self._games[-1].number + 1 if self._games else 1
        game = Game(terms, number=number, start=start, dice=self.dice)
        self._games.append(game)
        return game

    def _is_crawford(self, score: tuple[Points, Points]) -> bool:
        """Whether the game at this score is the first in which a player needs one point."""
        if self._length <= 1 or not self._rules.crawford or max(score) != self._length - 1:
            return False
        return not any(max(game.score) == self._length - 1 for game in self._games)

    def label(self, seat: int) -> str:
        """Return the name of a player, or the seat if none is known."""
        return self.players[seat].name or f"seat {seat}"

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.series(self)

    def _content(self) -> tuple[Any, ...]:
        texts = (self.event, self.place, self.round, self.date, self.annotator, self.transcriber)
        dice = self.dice if isinstance(self.dice, SeededDice | FairDice) else None
        about = (dice, self.players, *texts, self.program, self.comment, self.tags)
        return self._length, self._rules, self._score, about, self._games

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series) or type(self) is not type(other):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = f"{self._length}-point match" if self._length else "money session"
        names = f"{self.label(0)} {self.score[0]}, {self.label(1)} {self.score[1]}"
        return f"<{kind}: {names}; {len(self._games)} games>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, dicts, texts and numbers that `json.dump` writes."""
        from gammon.match import _json

        return _json.to_dict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Read what `to_dict` gave. Raises `MatchDataError` for anything else, naming the place."""
        from gammon.match import _json

        found = _json.from_dict(values)
        if not isinstance(found, cls):
            raise SettingError(f"expected a {cls.__name__}, got a {type(found).__name__}")
        return found


class Match(Series):
    """A match to a number of points.

    >>> from gammon.match import Match
    >>> match = Match(5, crawford=True)
    >>> game = match.new_game()
    >>> match.score, game.crawford, match.is_over
    ((0, 0), False, False)

    Raises `SettingError` for a length that is not from 1 to 32767, or rules that mean nothing, `TypeError`
    for a value of the wrong type.
    """

    def __init__(
        self,
        length: int,
        players: Sequence[PlayerInfo | str] = ("", ""),
        *,
        score: tuple[int, int] = (0, 0),
        dice: Dice | None = None,
        seed: int | None = None,
        rules: Rules | None = None,
        **options: Any,
    ) -> None:
        if isinstance(length, bool) or not isinstance(length, int):
            raise TypeError(f"length must be a whole number of points, got {length!r:.120}")
        if not 1 <= length <= 32_767:
            raise SettingError(f"length must be from 1 to 32767 points, got {length}")
        super().__init__(length, _rules(rules, options, {}), players, score=score, dice=dice, seed=seed)


class Session(Series):
    """A money session: any number of games, scored in points.

    By default the Jacoby rule and beavers are played.

    >>> from gammon.match import Session
    >>> session = Session(auto_doubles=1)
    >>> session.rules.jacoby, session.rules.beavers, session.length
    (True, True, 0)
    """

    def __init__(
        self,
        players: Sequence[PlayerInfo | str] = ("", ""),
        *,
        score: tuple[Points, Points] = (0, 0),
        dice: Dice | None = None,
        seed: int | None = None,
        rules: Rules | None = None,
        **options: Any,
    ) -> None:
        agreed = _rules(rules, options, {"jacoby": True, "beavers": True})
        super().__init__(0, agreed, players, score=score, dice=dice, seed=seed)


def _seated(players: Any) -> tuple[PlayerInfo, PlayerInfo]:
    """Return who sits at both seats; a text alone is no two players, though it has letters."""
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise TypeError(f"players must be two names, got {players!r:.120}")
    if len(players) != 2:
        raise SettingError(f"players must be two names, got {len(players)}: {players!r:.120}")
    for seat, one in enumerate(players):
        if not isinstance(one, str | PlayerInfo):
            raise TypeError(f"player {seat} must be a name or a PlayerInfo, got {one!r:.120}")
    first, second = (PlayerInfo(one) if isinstance(one, str) else one for one in players)
    return first, second


def _rules(rules: Rules | None, options: dict[str, Any], usual: dict[str, Any]) -> Rules:
    if rules is None:
        agreed = Rules(**{**usual, **options})
        limit = agreed.cube_limit
        if limit is not None and limit.bit_count() != 1:  # files may say any number, so `Rules` holds it
            raise SettingError(f"cube_limit must be a power of two, or None, got {limit}")
        return agreed
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a match.Rules, got {rules!r:.120}")
    if options:
        raise SettingError(f"give rules or single options, not both: {', '.join(options)}")
    return rules
