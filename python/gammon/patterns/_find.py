"""Positions and decisions of a match, an analysis or a list of situations that fit a pattern."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammon._native import Situation
from gammon.analysis import Analysis
from gammon.errors import SettingError
from gammon.formats import FoundPosition
from gammon.match import Game, Series
from gammon.patterns._language import Pattern
from gammon.patterns._rows import MomentRows, Rows, Seen, SituationRows, rows_of_analysis

PatternLike: TypeAlias = str | Pattern | Callable[[Rows], npt.NDArray[np.bool_]]
"""A pattern, its text, or a function that says of `Rows` which fit, `bool[n]`."""

Searchable: TypeAlias = Series | Game | Analysis | Sequence[Situation | FoundPosition | str]
"""What can be searched."""

_TELLING = frozenset({"kind", "made", "error", "luck", "hit", "roll", "doubles", "turn"})
"""Names that tell a throw from the play that follows it in the same position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A position, or a decision, that fits."""

    id: str
    """Its XGID, dice included if they are to be played."""
    kind: str
    """What was done: 'roll', 'play', 'double', 'take', 'pass', 'beaver', 'raccoon'; empty for a position."""
    made: str = ""
    """The play, or the same as `kind`."""
    error: float | None = None
    """What it lost, in equity, if it was judged."""
    player: int = 0
    """The seat that decided."""
    name: str = ""
    """That player's name."""
    game: int = 0
    """The number of the game; 0 if it is none."""
    record: int = 0
    """The place of the record in the game, as `game[record]`."""
    turn: int = 0
    """The number of the throw in the game; 0 if that is not known."""
    place: int = 0
    """Of a list, the place in it."""


def of_pattern(pattern: PatternLike) -> Pattern | Callable[[Rows], npt.NDArray[np.bool_]]:
    """Return a pattern that may be given as its text."""
    return Pattern(pattern) if isinstance(pattern, str) else pattern


def find(pattern: PatternLike, where: Searchable, *, analysis: Analysis | None = None) -> list[Found]:
    """Return the decisions of a match, session, game or analysis that fit, or the situations of a list.

    `error` and `luck` of the pattern are what `analysis`, made of the match, says; without one what the file
    said that the match was read from. A throw and the play after it are found as one, the play, unless the
    pattern tells them apart (`kind`, `roll`, `error` and their like).

    A function in place of a pattern gets `Rows` and says which fit:

    >>> from gammon.match import Engine, Match, play_match
    >>> from gammon.patterns import find
    >>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine()))
    >>> far = find(lambda rows: (rows["pips"] > 200) & (rows["opp.pips"] < 120), match)
    >>> far == find("pips > 200 and opp.pips < 120", match)
    True

    Raises `PatternError` for a pattern that cannot be understood, `SettingError` if a function does not
    answer with `bool[n]`, `ParseError` for a text in a list that is no identifier.
    """
    asked = of_pattern(pattern)
    if isinstance(where, Series | Game):
        return list(in_moments(asked, MomentRows(where, analysis)))
    if isinstance(where, Analysis):
        return list(in_situations(asked, rows_of_analysis(where)))
    seen = [Seen(situation=_situation(one), kind="") for one in where]
    return list(in_situations(asked, SituationRows(seen)))


def _situation(one: Situation | FoundPosition | str) -> Situation:
    return Situation(one) if isinstance(one, str) else one if isinstance(one, Situation) else one.situation


def in_moments(pattern: PatternLike, rows: MomentRows) -> Iterator[Found]:
    """Go through the decisions that fit, a throw only if its play does not."""
    chosen = fitting(pattern, rows)
    apart = not isinstance(pattern, Pattern) or bool(pattern.names & _TELLING)
    for number in np.flatnonzero(chosen).tolist():
        place = rows.places[number]
        follows = number + 1 < len(chosen) and chosen[number + 1] and rows.places[number + 1].kind == "play"
        if place.kind == "roll" and follows and not apart:
            continue
        error = rows.error(place)
        yield Found(
            id=place.moment.id,
            kind=place.kind,
            made=str(rows["made"][number]),
            error=None if math.isnan(error) else error,
            player=place.moment.record.player,
            name=rows.names[place.moment.record.player],
            game=place.game.number,
            record=place.moment.index,
            turn=place.turn,
        )


def in_situations(pattern: PatternLike, rows: SituationRows) -> Iterator[Found]:
    """Go through the situations that fit."""
    for number in np.flatnonzero(fitting(pattern, rows)).tolist():
        seen = rows.seen[number]
        yield Found(
            id=seen.situation.xgid,
            kind=seen.kind,
            made=seen.made,
            error=None if math.isnan(seen.error) else seen.error,
            player=seen.player,
            name=seen.names[seen.player],
            game=seen.game,
            record=seen.record,
            turn=seen.turn,
            place=number,
        )


def fitting(pattern: PatternLike, rows: Rows) -> npt.NDArray[np.bool_]:
    """Return which rows fit. Raises `SettingError` if a function does not answer with `bool[n]`."""
    assert not isinstance(pattern, str)
    found = np.asarray(pattern(rows))
    if found.dtype != np.bool_ or found.shape != (len(rows),):
        raise SettingError(
            f"a pattern must answer with bool[{len(rows)}], got {found.dtype}{list(found.shape)}"
        )
    return found
