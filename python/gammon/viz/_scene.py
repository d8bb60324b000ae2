"""What a picture of a position shows, before anything is drawn: who sits where, what is said beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gammon._native import Position, Situation
from gammon._typing import Player, PositionLike
from gammon.errors import SettingError

__all__ = ["Numbers", "Perspective", "Scene", "Side", "describe", "one_of", "scene"]

Perspective: TypeAlias = Literal["roller", "decider", "absolute"]
"""Who sits at the bottom: the player on roll, the player who has to decide, or always seat 1."""

Numbers: TypeAlias = Literal["turning", "bottom", "none"]
"""Whose numbers the points bear: those of the player on roll, as plays are written (in perspective 'decider',
of who decides), always those of the player at the bottom, or none."""

_BARE = ("start", "posid")
"""Formats of identifiers that say nothing of score and cube."""

_TURNS = {"double": 2, "beaver": 4, "raccoon": 8}
_RESIGNED = {
    "resign-single": "a single game",
    "resign-gammon": "a gammon",
    "resign-backgammon": "a backgammon",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the players as they sit in the picture."""

    counts: tuple[int, ...]
    """Checkers on his points 1 to 24 and on the bar."""
    off: int
    pips: int
    name: str
    score: int | None
    """`None` where there is no match or nothing is known."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a picture shows."""

    bottom: Side
    top: Side
    roller: Literal["bottom", "top"]
    numbers: Literal["bottom", "top"] | None
    """Whose numbers the points bear."""
    length: int
    crawford: bool
    dice: tuple[int, int] | None
    cube: int | None
    """Its value, that of an offer while one is pending; `None` if it is not shown."""
    owner: Literal["bottom", "top"] | None
    offered_to: Literal["bottom", "top"] | None
    to_do: str
    """What is to be decided, in words."""
    position: Position

    @property
    def players(self) -> tuple[tuple[str, Side], tuple[str, Side]]:
        """Both sides, with the words for their places."""
        return ("light checkers, at the bottom", self.bottom), ("dark checkers, at the top", self.top)


def scene(
    position: PositionLike,
    *,
    perspective: Perspective = "roller",
    numbers: Numbers = "turning",
    names: Sequence[str] | None = None,
) -> Scene:
    """Return what a picture of a position shows; `names` are those of seat 0 and seat 1.

    Raises `SettingError` for an unknown perspective or numbering, or names that are not two, `TypeError` for
    what is no position.
    """
    one_of("perspective", perspective, get_args(Perspective))
    one_of("numbers", numbers, get_args(Numbers))
    if not (names is None or _are_names(names)):
        raise SettingError(f"names must be two texts, of seat 0 and of seat 1, got {names!r:.120}")
    if not isinstance(position, (str, Position, Situation)):
        hint = " (its .id is one)" if isinstance(getattr(position, "id", None), str) else ""
        kind = type(position).__name__
        raise TypeError(f"expected a Position, a Situation or an identifier, got {kind}{hint}")
    known = Situation(position) if isinstance(position, str) else position
    here = known if isinstance(known, Position) else known.position
    situation = known if isinstance(known, Situation) else Situation.from_parts(known)
    bare = isinstance(known, Position) or known.format in _BARE
    at_bottom = _at_bottom(situation, perspective)
    mine = at_bottom == "roller"
    sides = _sides(here, situation, ("", "") if names is None else (names[0], names[1]))
    bottom, top = sides if mine else (sides[1], sides[0])
    places: dict[Player | None, Literal["bottom", "top"] | None] = {
        None: None,
        at_bottom: "bottom",
        "opponent" if mine else "roller": "top",
    }
    roller: Literal["bottom", "top"] = "bottom" if mine else "top"
    whose = {"turning": "bottom" if perspective == "decider" else roller, "bottom": "bottom", "none": None}
    offer = situation.offer if situation.offer in _TURNS else None
    value = situation.cube * (_TURNS[offer] if offer else 1)
    by = whose[numbers]
    return Scene(
        bottom=bottom,
        top=top,
        roller=roller,
        numbers="bottom" if by == "bottom" else "top" if by == "top" else None,
        length=0 if bare else situation.length,
        crawford=situation.crawford,
        dice=None if situation.roll is None else (situation.roll.high, situation.roll.low),
        cube=None if bare else value,
        owner=places[situation.cube_owner],
        offered_to=places[situation.to_act] if offer else None,
        to_do="" if bare else _to_do(situation, value, _called(sides, mine, situation)),
        position=here,
    )


def _are_names(names: object) -> bool:
    return (
        isinstance(names, Sequence)
        and not isinstance(names, str)
        and len(names) == 2
        and all(isinstance(name, str) for name in names)
    )


def one_of(name: str, value: object, known: Sequence[object]) -> None:
    """Raise `SettingError` for a value that is none of the known ones."""
    if value not in known:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r:.120}")


def _at_bottom(situation: Situation, perspective: Perspective) -> Player:
    if perspective == "absolute":
        return "roller" if situation.seat == 1 else "opponent"
    return situation.to_act if perspective == "decider" else "roller"


def _sides(position: Position, situation: Situation, names: tuple[str, str]) -> tuple[Side, Side]:
    """Return the player on roll and the opponent."""
    seats = (situation.seat, 1 - situation.seat)
    boards = position.board.tolist()
    first, second = (
        Side(
            counts=tuple(boards[who]),
            off=position.borne_off[who],
            pips=position.pip_count[who],
            name=names[seats[who]],
            score=situation.score[who] if situation.length else None,
        )
        for who in (0, 1)
    )
    return first, second


_ROOM = 16
"""Letters of a name that have room beside what is to be done."""


def _called(sides: tuple[Side, Side], roller_below: bool, situation: Situation) -> str:
    """Return the name of whoever has to act, or the colour of his checkers."""
    roller_acts = situation.to_act == "roller"
    name = sides[0 if roller_acts else 1].name
    if not name:
        return "light" if roller_acts == roller_below else "dark"
    return name if len(name) <= _ROOM else name[: _ROOM - 1] + "…"


def _to_do(situation: Situation, value: int, actor: str) -> str:
    if situation.is_over:
        return "the game is over" if situation.state != "playing" else ""
    if situation.offer in _TURNS:
        return f"{situation.offer} to {value}: {actor} to answer"
    if situation.offer is not None:
        return f"{_RESIGNED[situation.offer]} offered: {actor} to answer"
    return "to roll or double" if situation.roll is None else f"{situation.roll} to play"


# The same in words.


def describe(scene: Scene) -> tuple[str, str]:
    """Return a title and everything the picture shows, in words, for those who do not see it."""
    length = f", match to {scene.length}" if scene.length else ""
    title = f"Backgammon position{length}{', Crawford game' if scene.crawford else ''}"
    sentences = [_side_in_words(place, side) for place, side in scene.players]
    if scene.cube is not None:
        sentences.append(_cube_in_words(scene))
    on_roll = scene.players[0 if scene.roller == "bottom" else 1][1].name
    who = on_roll or f"the player at the {scene.roller}"
    sentences.append(f"{who} to play {scene.dice[0]}{scene.dice[1]}" if scene.dice else f"{who} is on roll")
    return title, ". ".join(sentences) + "."


def _side_in_words(place: str, side: Side) -> str:
    points = [f"{count} on {point}" for point, count in enumerate(side.counts[:24], 1) if count][::-1]
    if side.counts[24]:
        points.insert(0, f"{side.counts[24]} on the bar")
    if side.off:
        points.append(f"{side.off} off")
    score = "" if side.score is None else f", score {side.score}"
    name = f"{side.name}, {place}" if side.name else place.capitalize()
    return f"{name}: {', '.join(points)}; {side.pips} pips{score}"


def _cube_in_words(scene: Scene) -> str:
    if scene.offered_to is not None:
        return f"The cube is offered at {scene.cube} to the player at the {scene.offered_to}"
    if scene.owner is None:
        return f"Cube {scene.cube} in the middle"
    return f"Cube {scene.cube} of the player at the {scene.owner}"
