"""Positions and decisions as columns, each of which is made when it is asked for."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon._native import PHASES, Features, Situation, features, shots
from gammon._typing import Boards
from gammon.analysis import Analysis
from gammon.errors import SettingError
from gammon.match import (
    CubeAction,
    CubeFinding,
    Game,
    LuckFinding,
    Match,
    Moment,
    Played,
    PlayFinding,
    Rolled,
    Series,
)
from gammon.match._state import scores
from gammon.match._turns import turns
from gammon.patterns._columns import NAMES

Column: TypeAlias = npt.NDArray[Any]

_CONTACT = [PHASES.index("contact"), PHASES.index("crashed")]
_RACE = [PHASES.index("race"), PHASES.index("bearoff")]


class Rows:
    """Many positions, and what is known of each; `rows['opp.pips']` is a column, a value a position.

    Names are those of `NAMES`, with `opp.` before what the other player has. Numbers are `int64` or
    `float64` (not a number where nothing is known), what is so or not `bool`, the rest `str`.
    """

    def __init__(self, boards: Boards) -> None:
        self.boards = boards
        """`uint8[n, 2, 25]`: the player on roll first, each from his ace point to the bar."""
        self._made: dict[str, Column] = {}
        self._features: Features | None = None

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, name: str) -> Column:
        if name not in self._made:
            self._made[name] = self._column(name)
        return self._made[name]

    def _column(self, name: str) -> Column:
        base, side = (name.removeprefix("opp."), 1) if name.startswith("opp.") else (name, 0)
        about = NAMES.get(base)
        if about is None or (side and not about.by_side):
            raise SettingError(f"no column {name!r}; there are {', '.join(NAMES)}")
        if about.of_game:
            return self._of_game(base, side)
        return self._of_position(base, side)

    def _of_game(self, name: str, side: int) -> Column:
        raise SettingError(f"{name} is nothing that a position alone has")

    def _of_position(self, name: str, side: int) -> Column:
        own = self.boards[:, side].astype(np.int64)
        column: Column
        match name:
            case "home":
                column = own[:, :6].sum(axis=1)
            case "back":
                column = own[:, 18:].sum(axis=1)
            case "stack":
                column = own[:, :24].max(axis=1, initial=0)
            case "shots":
                column = shots(self.boards)[1][:, side].astype(np.int64)
            case _:
                column = self._feature(name, side)
        return column

    def _feature(self, name: str, side: int) -> Column:
        if self._features is None:
            self._features = features(self.boards)
        found = self._features
        match name:
            case "lead":
                pips = found.pips.astype(np.int64)
                return pips[:, 1] - pips[:, 0]
            case "phase":
                return np.array(PHASES)[found.phase]
            case "contact":
                return np.isin(found.phase, _CONTACT)
            case "race":
                return np.isin(found.phase, _RACE)
        column: Column = getattr(found, name)[:, side]
        return column if column.dtype == np.bool_ else column.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Place:
    """A record of a game: a row of `MomentRows`."""

    number: int
    """The place of the game in its match."""
    game: Game
    moment: Moment
    turn: int
    """The number of the throw in its game."""
    kind: str

    @property
    def roller(self) -> int:
        """The seat whose roll it is: `me` of a pattern."""
        before = self.moment.before
        return self.moment.record.player if before.turn is None else before.turn


def places(games: Sequence[Game]) -> list[Place]:
    """Return the records that are decisions: throws, plays and what was done with the cube."""
    found = []
    for number, game in enumerate(games):
        for moment, turn in zip(game, turns(game.records), strict=True):
            match moment.record:
                case Rolled():
                    found.append(Place(number, game, moment, turn, "roll"))
                case Played():
                    found.append(Place(number, game, moment, turn, "play"))
                case CubeAction():
                    found.append(Place(number, game, moment, turn, moment.record.action))
                case _:
                    pass
    return found


class MomentRows(Rows):
    """The decisions of a match, session or game; errors and luck from an analysis, or as the file has it."""

    def __init__(self, match: Series | Game, found: Analysis | None = None) -> None:
        self.places = places(match.games if isinstance(match, Series) else (match,))
        boards = [place.moment.before.position.board for place in self.places]
        super().__init__(np.stack(boards) if boards else np.zeros((0, 2, 25), np.uint8))
        self.names = (match.players[0].name, match.players[1].name) if isinstance(match, Series) else ("", "")
        self._errors: dict[tuple[int, int], float] | None = None
        self._luck: dict[tuple[int, int], float] = {}
        if found is not None:
            self._errors = {(one.game, one.record): one.error for one in found.decisions}
            self._luck = {(one.game, one.record): one.equity for one in found.luck}

    def _of_game(self, name: str, side: int) -> Column:
        if name in _NUMBERS:
            number = _NUMBERS[name]
            return np.array([number(place, side) for place in self.places], np.int64)
        if name in _FLAGS:
            flag = _FLAGS[name]
            return np.array([flag(place) for place in self.places], np.bool_)
        if name in ("error", "luck"):
            value = self.error if name == "error" else self.luck
            return np.array([value(place) for place in self.places], np.float64)
        if name in ("player", "opponent"):
            other = int(name == "opponent")
            return _texts([self.names[place.moment.record.player ^ other] for place in self.places])
        text = _TEXTS[name]
        return _texts([text(place) for place in self.places])

    def error(self, place: Place) -> float:
        """Return what a decision lost; not a number if nobody has judged it."""
        if self._errors is not None:
            return self._errors.get((place.number, place.moment.index), math.nan)
        for finding in place.moment.record.findings:
            if isinstance(finding, PlayFinding) and place.kind == "play":
                return _error_of(finding)
            if isinstance(finding, CubeFinding) and place.kind != "play":
                lost = finding.error if place.kind in ("roll", "double") else finding.answer_error
                return math.nan if lost is None else lost
        return math.nan

    def luck(self, place: Place) -> float:
        """Return how lucky the throw was; not a number if nobody has judged it."""
        index = place.moment.index
        if self._errors is not None:
            known = self._luck.get((place.number, index))
            return self._luck.get((place.number, index - 1), math.nan) if known is None else known
        records = place.game.records
        for record in (records[index], records[index - 1] if index and place.kind == "play" else None):
            for finding in () if record is None else record.findings:
                if isinstance(finding, LuckFinding) and finding.equity is not None:
                    return finding.equity
        return math.nan


def _error_of(finding: PlayFinding) -> float:
    """Return what a file says a play lost, or what follows from the equities it has."""
    if finding.error is not None:
        return finding.error
    if finding.chosen is None:
        return math.nan
    equities = [candidate.evaluation.equity for candidate in finding.candidates]
    made = equities[finding.chosen]
    known = [equity for equity in equities if equity is not None]
    return math.nan if made is None else max(known) - made


def _texts(values: list[str]) -> Column:
    return np.array(values, np.str_)


def _score(place: Place, side: int) -> int:
    return int(scores(place.moment.terms, place.moment.before)[place.roller ^ side])


def _away(place: Place, side: int) -> int:
    length = place.moment.terms.length
    return max(length - _score(place, side), 0) if length else 0


def _roll(place: Place) -> int:
    record = place.moment.record
    return 10 * record.roll.high + record.roll.low if isinstance(record, Played) else 0


def _made(place: Place) -> str:
    record = place.moment.record
    return str(record.play) if isinstance(record, Played) else place.kind


def _owner(place: Place) -> str:
    owner = place.moment.before.owner
    return "none" if owner is None else "me" if owner == place.roller else "opp"


_NUMBERS: dict[str, Callable[[Place, int], int]] = {
    "score": _score,
    "away": _away,
    "length": lambda place, side: place.moment.terms.length,
    "cube": lambda place, side: place.moment.before.cube,
    "roll": lambda place, side: _roll(place),
    "seat": lambda place, side: place.moment.record.player,
    "game": lambda place, side: place.game.number,
    "turn": lambda place, side: place.turn,
}
_FLAGS: dict[str, Callable[[Place], bool]] = {
    "money": lambda place: not place.moment.terms.length,
    "crawford": lambda place: place.moment.terms.crawford,
    "post_crawford": lambda place: place.moment.terms.post_crawford,
    "doubles": lambda place: _roll(place) % 11 == 0 and _roll(place) > 0,
    "hit": lambda place: isinstance(place.moment.record, Played) and "*" in str(place.moment.record.play),
}
_TEXTS: dict[str, Callable[[Place], str]] = {
    "kind": lambda place: place.kind,
    "made": _made,
    "owner": _owner,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A situation and what is known of the decision in it: a row of `SituationRows`."""

    situation: Situation
    kind: str
    made: str = ""
    error: float = math.nan
    luck: float = math.nan
    player: int = 0
    names: tuple[str, str] = ("", "")
    game: int = 0
    record: int = 0
    turn: int = 0


class SituationRows(Rows):
    """Situations that are not part of a match, or the decisions of an analysis alone."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self.seen = seen
        boards = [one.situation.position.board for one in seen]
        super().__init__(np.stack(boards) if boards else np.zeros((0, 2, 25), np.uint8))

    def _of_game(self, name: str, side: int) -> Column:
        values = [_ASKED[name](one, side) for one in self.seen]
        kind = NAMES[name].kind
        if kind == "text":
            return np.array(values, np.str_)
        if kind == "flag":
            return np.array(values, np.bool_)
        return np.array(values, np.float64 if name in ("error", "luck") else np.int64)


def _post_crawford(situation: Situation) -> bool:
    away = situation.away
    return away is not None and min(away) == 1 and situation.length > 1 and not situation.crawford


def _dice(situation: Situation) -> int:
    roll = situation.roll
    return 0 if roll is None else 10 * roll.high + roll.low


_OWNERS = {None: "none", "roller": "me", "opponent": "opp"}

_ASKED: dict[str, Callable[[Seen, int], Any]] = {
    "score": lambda seen, side: seen.situation.score[side],
    "away": lambda seen, side: 0 if seen.situation.away is None else seen.situation.away[side],
    "length": lambda seen, side: seen.situation.length,
    "money": lambda seen, side: not seen.situation.length,
    "crawford": lambda seen, side: seen.situation.crawford,
    "post_crawford": lambda seen, side: _post_crawford(seen.situation),
    "cube": lambda seen, side: seen.situation.cube,
    "owner": lambda seen, side: _OWNERS[seen.situation.cube_owner],
    "roll": lambda seen, side: _dice(seen.situation),
    "doubles": lambda seen, side: seen.situation.roll is not None and seen.situation.roll.is_double,
    "kind": lambda seen, side: seen.kind,
    "made": lambda seen, side: seen.made,
    "hit": lambda seen, side: "*" in seen.made,
    "error": lambda seen, side: seen.error,
    "luck": lambda seen, side: seen.luck,
    "player": lambda seen, side: seen.names[seen.player],
    "opponent": lambda seen, side: seen.names[1 - seen.player],
    "seat": lambda seen, side: seen.player,
    "game": lambda seen, side: seen.game,
    "turn": lambda seen, side: seen.turn,
}


def rows_of_analysis(found: Analysis) -> SituationRows:
    """Return the decisions of an analysis."""
    luck = {(one.game, one.record): one.equity for one in found.luck}
    seen = []
    for one in found.decisions:
        kind = one.kind if one.kind == "play" else "roll" if one.made.name == "no double" else one.made.name
        place = (one.game, one.record)
        seen.append(
            Seen(
                situation=Situation(one.id),
                kind=kind,
                made=one.made.name if one.kind == "play" else kind,
                error=one.error,
                luck=luck.get(place, luck.get((one.game, one.record - 1), math.nan)),
                player=one.player,
                names=found.players,
                game=found.games[one.game].number,
                record=one.record,
                turn=one.turn,
            )
        )
    return SituationRows(seen)


__all__ = ["Column", "Match", "MomentRows", "Place", "Rows", "Seen", "SituationRows", "rows_of_analysis"]
