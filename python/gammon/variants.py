"""The other games of the family: rules, plays, counts and random games of each.

>>> from gammon import variants
>>> plakoto = variants.get("plakoto")
>>> sorted(str(play) for play in plakoto.start.plays("65"))
['24/18 18/13', '24/18 24/19']
>>> plakoto.perft(1).paths
59

Every position is seen by the player to act. In most games he throws and moves; the stages of a Gul bara
cascade, the double that an acey-deucey earns, and Trictrac's choice between staying and leaving are decisions
of their own: `position.asks` says what is to be done, and `play.again` whether the same player acts once
more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from gammon._native import (
    Perft,
    Position,
    Roll,
    VariantRules,
    VariantState,
    variant_choices,
    variant_numbers,
)
from gammon._typing import Boards, Progress, RollLike
from gammon._variant_board import draw
from gammon._variant_match import EcrireMatch, MatchGame, Round, TavliMatch, VariantMatch
from gammon.errors import IllegalPlayError, IllegalPositionError, SettingError

__all__ = [
    "EcrireMatch",
    "MatchGame",
    "RankedVariantPlay",
    "Round",
    "TavliMatch",
    "Variant",
    "VariantEvent",
    "VariantGames",
    "VariantMatch",
    "VariantPlay",
    "VariantPlays",
    "VariantPosition",
    "VariantResult",
    "VariantValue",
    "evaluate",
    "get",
    "mark",
    "names",
    "parse",
]

OptionValue: TypeAlias = str | int | bool
Place: TypeAlias = int | Literal["bar", "hand", "off"]
_WAITING = 25  # the number of the place where men wait
_NOWHERE = 99  # that of no place
_VERSION = 1  # of ids and of JSON
# What a position's fields may say and an identifier of the standard game cannot.
_NOT_CARRIED = {
    "hand": "men are in hand",
    "pinned": "men are pinned",
    "reached": "it is remembered who has had a man home",
    "turns": "turns are counted",
    "six_seen": "it is remembered who has built six in a row",
    "closed_home_seen": "it is remembered who has closed his home",
    "six_outside_seen": "it is remembered who has held six points outside home",
    "acey_rolled": "throws of 1-2 are counted",
    "started": "it is remembered who threw first",
    "tt": "points and holes are marked",
    "asks": "a decision without a throw is to be made",
}


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


def names() -> tuple[str, ...]:
    """Return the names that `get` knows, without the aliases.

    >>> from gammon import variants
    >>> "gul_bara" in variants.names()
    True
    """
    return tuple(name for name, _ in VariantRules.names())


def get(name: str, options: Mapping[str, OptionValue] | None = None, **more: OptionValue) -> Variant:
    """Return the game of this name, or alias, with these options; all others are as its page says.

    Options may be written with the game's prefix, as in `{"fevga.runner": "none"}`, or without, as keywords.

    Raises `SettingError` for a game that is unknown, an option it does not have, or a value the option
    cannot be.

    >>> from gammon import variants
    >>> variants.get("tavla", hit_and_run="allowed").options["hit_and_run"]
    'allowed'
    """
    given = {**(options or {}), **more}
    return Variant(VariantRules(name, [(key, _written(value)) for key, value in given.items()]))


def parse(text: str) -> VariantPosition:
    """Return the position of any game that a `gammon-id` or a JSON text stands for, its options by default.

    Raises `ParseError` or `IllegalPositionError` for what is none, `SettingError` for a game that is unknown.

    >>> from gammon import variants
    >>> variants.parse("plakoto:1:APEAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwAAAAAAAAA").fields
    {'me': {'24': 15}, 'opp': {'24': 15}}
    """
    if not isinstance(text, str):
        raise TypeError(f"a gammon-id or a JSON text is needed, got {type(text).__name__}")
    if not text.lstrip().startswith("{"):
        return get(text.partition(":")[0]).position(text)
    fields = _from_json(text)
    name = fields.get("variant")
    if not isinstance(name, str):
        raise IllegalPositionError(f"a position in JSON names its game as 'variant', got {name!r}")
    return get(name).position(fields)


def evaluate(
    positions: Sequence[VariantPosition], evaluator: Any = None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return what positions of one game are worth to the player to act: `float32[n, 5]` and `float32[n]`.

    The five numbers are chances: to win, a draw counting half; to win two points or more; to win three; and
    to lose two or more, and three. In games whose wins are worth many different amounts (acey-deucey, or
    trictrac for a quadruple stake) the second number is the mean over all games of (points - 1) / (most - 1)
    in those that are won, the fourth the same of those lost, and the others are 0. The second array holds
    the mean number of points. Without an evaluator that of `evaluators.default(game)` answers.

    Raises `SettingError` for positions of different games, or an evaluator that cannot play theirs.

    >>> from gammon import variants
    >>> numbers, equities = variants.evaluate([variants.get("plakoto").start])
    >>> numbers.shape, bool(abs(equities[0]) < 0.5)
    ((1, 5), True)
    """
    if not positions:
        return np.zeros((0, 5), np.float32), np.zeros(0, np.float32)
    game = positions[0].variant
    states = [position._state for position in positions]
    return variant_numbers(game._rules, states, _evaluator(game, evaluator))


def _evaluator(game: Variant, given: Any) -> Any:
    from gammon import evaluators  # it knows the games, so they cannot ask for it first

    return evaluators.default(game) if given is None else given


def mark(
    marking: Mapping[str, Any], who: Literal["me", "opponent"], points: int
) -> tuple[dict[str, Any], int]:
    """Return a Trictrac marking after a player has marked points of one throw, and the holes he wins by it.

    The marking is `VariantPosition.fields["tt"]`; what it leaves out is as at the start of a game.

    Raises `SettingError` for points that no throw brings.

    >>> from gammon import variants
    >>> variants.mark({"pts": [8, 0]}, "me", 6)[1]
    2
    """
    return VariantRules.mark(dict(marking), 0 if who == "me" else 1, points)


def _from_json(text: str) -> dict[str, Any]:
    """The object that a JSON text holds."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IllegalPositionError(f"not a position: {text[:120]!r} is no JSON: {error}") from error
    assert isinstance(found, dict)  # it begins with a brace
    return found


def _written(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@dataclass(frozen=True)
class VariantResult:
    """How a game ended."""

    winner: Literal["me", "opponent"] | None
    """The player to act, the other one, or nobody after a draw."""
    kind: str
    """`single`, `gammon`, `backgammon`, `mother`, `bredouille`, `draw` or `void`."""
    points: int
    """What the winner gets."""


@dataclass(frozen=True)
class VariantValue:
    """What a position is worth to the player to act; `variants.evaluate` says what the numbers mean."""

    win: float
    """Chance to win, a draw counting half."""
    win_gammon: float
    """Chance to win two points or more."""
    win_backgammon: float
    """Chance to win three points."""
    lose_gammon: float
    """Chance to lose two points or more."""
    lose_backgammon: float
    """Chance to lose three points."""
    equity: float
    """Points on average, without a cube."""


@dataclass(frozen=True)
class RankedVariantPlay:
    """A play with its value for the player who makes it."""

    play: VariantPlay
    """The play."""
    value: VariantValue
    """What it is worth to him."""

    @property
    def equity(self) -> float:
        """Points on average."""
        return self.value.equity


@dataclass(frozen=True)
class VariantEvent:
    """Points of one kind in a throw of Trictrac."""

    name: str
    """What for, as `fill_grand` or `true_hit@10`; a hit man is named by the thrower's point."""
    who: Literal["me", "opponent"]
    """Who gets them, the thrower being `me`."""
    points: int
    """How many they are."""


@dataclass(frozen=True)
class VariantGames:
    """How random games went, one entry a game."""

    points: npt.NDArray[np.int32]
    """Points of the player who began, negative if he lost."""
    decisions: npt.NDArray[np.uint32]
    """Decisions made."""
    kinds: tuple[str | None, ...]
    """How each ended, as `VariantResult.kind`; `None` for a game that was given up."""


class Variant:
    """One game with its options."""

    __slots__ = ("_rules",)

    def __init__(self, rules: VariantRules) -> None:
        self._rules = rules

    @property
    def name(self) -> str:
        """The game's name."""
        return self._rules.name

    @property
    def options(self) -> dict[str, str]:
        """What was chosen for each option."""
        return dict(self._rules.options)

    @property
    def opening(self) -> Literal["use_dice", "reroll"]:
        """Whether the winner of the opening throw plays its two dice or throws again."""
        return self._rules.opening

    @property
    def later_games(self) -> Literal["opening", "winner_starts"]:
        """How the games of a match after the first begin: with an opening throw, or with the last winner."""
        return self._rules.later

    @property
    def has_cube(self) -> bool:
        """Whether the game is played with a doubling cube."""
        return self._rules.has_cube

    @property
    def start(self) -> VariantPosition:
        """Where the men stand before the first throw."""
        return VariantPosition(self, self._rules.start())

    def position(self, source: str | Mapping[str, Any]) -> VariantPosition:
        """Return the position that an id, a JSON text or a mapping of fields stands for.

        `me` and `opp` map each side's own points to its men; `bar`, `hand` and `off` are pairs, mine first.
        All men have to be accounted for. The other fields are those that `VariantPosition.fields` shows.

        Raises `ParseError` for a text that is no id of this game, `IllegalPositionError` for a position that
        this game cannot have.
        """
        if isinstance(source, str):
            if not source.lstrip().startswith("{"):
                return VariantPosition(self, self._rules.parse(source))
            return self.position(_from_json(source))
        fields = dict(source)
        tag, version = fields.pop("variant", self.name), fields.pop("version", _VERSION)
        if tag != self.name:
            raise IllegalPositionError(f"this is a position of {tag!r}, and {self.name} is played")
        if version != _VERSION:
            raise IllegalPositionError(f"a position is written in version {_VERSION}, not {version!r}")
        return VariantPosition(self, self._rules.position(fields))

    def perft(
        self,
        depth: int,
        position: VariantPosition | None = None,
        *,
        unique: bool = True,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Perft:
        """Count the paths of `depth` decisions from a position (or the start) and the positions they end in.

        Each of the 21 throws counts once. A decision without a throw counts as one of the `depth`.

        Raises `SettingError` for a depth that is not from 0 to 8, `Stopped` if `progress` asks to stop.
        """
        state = (self.start if position is None else position)._state
        return self._rules.perft(state, depth, unique, threads, progress)

    def random_games(
        self, n: int, seed: int, *, threads: int | None = None, progress: Progress | None = None
    ) -> VariantGames:
        """Play `n` games, each distinct result of a decision equally likely.

        Game `i` depends on `seed` and `i` alone. A game in which neither side can ever move again is void.

        Raises `SettingError` for a number of games or a seed outside its range, `Stopped` if `progress` asks
        to.
        """
        points, decisions, kinds = self._rules.random_games(n, seed, threads, progress)
        return VariantGames(points, decisions, tuple(kinds))

    def random_game(self, seed: int, trial: int = 0) -> list[tuple[VariantPosition, Roll | None]]:
        """Return the decisions of one such game: each position, with its throw if it asks for one."""
        return [(VariantPosition(self, state), roll) for state, roll in self._rules.random_game(seed, trial)]

    def stake(self, result: VariantResult, cube: int = 1) -> int:
        """Return the points of a result with the cube at this value.

        Raises `SettingError` for a cube in a game that has none, or one that does not show a power of two.
        """
        if cube != 1 and not self.has_cube:
            raise SettingError(f"{self.name} is played without a cube, but its value is given as {cube}")
        if cube < 1 or cube & (cube - 1):
            raise SettingError(f"a cube shows 1, 2, 4, ..., not {cube}")
        return result.points * cube

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variant):
            return NotImplemented
        return (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._rules.options)))

    def __repr__(self) -> str:
        plain = get(self.name).options
        changed = {name: value for name, value in self.options.items() if value != plain[name]}
        return f"variants.get({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in changed.items())])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name, self.options)


class VariantPosition:
    """A position of one game, seen by the player to act."""

    __slots__ = ("_state", "variant")

    def __init__(self, variant: Variant, state: VariantState) -> None:
        self.variant = variant
        self._state = state

    @property
    def id(self) -> str:
        """The text id, `gammon-id` version 1: the game, `1` and 43 characters, parted by colons."""
        return self.variant._rules.id(self._state)

    @property
    def fields(self) -> dict[str, Any]:
        """The position as a mapping that JSON can hold; what says nothing is left out.

        `me` and `opp`: men by each side's own points. Pairs, mine first: `bar`, `hand`, `off`, `turns`
        (completed, up to 3), `reached`, `six_seen`, `closed_home_seen`, `six_outside_seen`. `pinned`: the
        points where men of `me` and of `opp` lie under others, in their owner's numbering. `acey_rolled`,
        `started`, `tt` (the marking of Trictrac), `asks` (what is to be decided, if it is no throw).
        """
        return self.variant._rules.fields(self._state)

    @property
    def json(self) -> str:
        """The fields as JSON, with the game as `variant` and `version` 1."""
        return json.dumps({"variant": self.variant.name, "version": _VERSION, **self.fields})

    @property
    def standard(self) -> Position:
        """The position of the standard game with the same men, whose identifiers it then has.

        Raises `IllegalPositionError` where those cannot carry all there is: men in hand or pinned, points and
        holes, what else a game remembers, two sides that move the same way round, fewer than fifteen men.
        """
        fields = self.fields
        problems = [_NOT_CARRIED[name] for name in fields if name in _NOT_CARRIED]
        board = _boards([self])[0]
        if "pinned" not in fields:
            opponents = {str(i + 1): int(n) for i, n in enumerate(board[1, :24]) if n}
            if opponents != fields["opp"]:
                problems.append("both sides move the same way round")
        if int(board.sum()) + sum(fields.get("off", (0, 0))) != 30:
            problems.append(
                "a side has fewer than fifteen men, and those missing would be taken for borne off"
            )
        if problems:
            reasons = "; ".join(problems)
            error = IllegalPositionError(f"{self.id} is no position of the standard game: {reasons}")
            error.problems = tuple(problems)
            raise error
        return Position.from_board(board)

    @property
    def asks(self) -> tuple[str | int, ...]:
        """What the player to act has to do.

        `("throw",)`, `("name",)` a double, `("four", n)` moves of one number, `("gift", n, k)`: `k` moves of
        `n` and four of each higher one, `("play", a, b)` the throw he has stayed with, `("mark", n)` what he
        marks of the `n` points that the other player's throw has given him, `("nothing",)`.
        """
        return tuple(self.fields.get("asks", ("throw",)))

    @property
    def result(self) -> VariantResult | None:
        """How the game has ended, if it has; the points are without a cube."""
        found = self.variant._rules.result(self._state)
        if found is None:
            return None
        won, kind, points = found
        return VariantResult(None if won is None else "me" if won else "opponent", kind, points)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    def plays(self, roll: RollLike | None = None) -> VariantPlays:
        """Return the legal plays of a roll, or of the decision that is asked for, distinct by their results.

        Raises `IllegalRollError` for what is no roll, and if one is missing or not asked for.
        """
        return VariantPlays(self, roll)

    def turns(self, roll: RollLike | None = None) -> Iterator[tuple[VariantPlay, ...]]:
        """Iterate over whole turns: the plays made one after the other until somebody throws.

        In most games a turn is one play. A cascade of Gul bara has one for each stage, and can be played
        in more than 450,000 ways: turns are found as they are asked for, and no more is kept than the
        plays of the stages that one turn goes through. Turns that lead to the same position by other
        stages are told apart.

        Raises what `plays` raises, when the first turn is asked for.
        """
        for play in self.plays(roll):
            if play.again and play.after.asks != ("throw",):
                for rest in play.after.turns():
                    yield (play, *rest)
            else:
                yield (play,)

    def play(self, play: str | Sequence[tuple[Place, Place]], roll: RollLike | None = None) -> VariantPlay:
        """Return the play of exactly these steps, the whole turn, each a man moved by one number.

        Steps are pairs of the places left and reached, in the order in which they are made: points,
        `"bar"`, `"hand"` and `"off"`; or a text of such pairs, as plays are printed: `"24/18 18/16*"`, with
        `"6/5(2)"` for two alike. Where no man is moved a word stands for the play: `"66"` names the double
        that an acey-deucey earns, `"stay"` and `"leave"` are Trictrac's choice, `"mark 4"` and
        `"mark 12 and leave"` what is marked by hand with its schools.

        Raises `IllegalPlayError` if that is no legal turn.
        """
        pairs = _pairs(play) if isinstance(play, str) else play
        word = play if pairs is None and isinstance(play, str) else None
        steps = [(_number(start), _number(end)) for start, end in pairs or ()]
        found = self.variant._rules.follow(self._state, roll, steps, word)
        if found is None:
            shown = play if isinstance(play, str) else " ".join(f"{start}/{end}" for start, end in play)
            raise IllegalPlayError(f"illegal play {shown or 'of nothing':.120} in {self.id} with {roll}")
        state, again = found
        return VariantPlay(self, roll, VariantPosition(self.variant, state), again)

    def evaluate(self, evaluator: Any = None) -> VariantValue:
        """Return what the position is worth to the player to act, by an evaluator or that of this game.

        Raises `SettingError` for an evaluator that cannot play this game.
        """
        numbers, equities = evaluate([self], evaluator)
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = numbers[0].tolist()
        equity = float(equities[0])
        return VariantValue(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, equity)

    def rank(self, roll: RollLike | None = None, *, evaluator: Any = None) -> tuple[RankedVariantPlay, ...]:
        """Return the plays of a roll, or the ways to decide what is asked for, best first.

        Raises `IllegalRollError` as `plays` does, `SettingError` for an evaluator that cannot play this game.

        >>> from gammon import variants
        >>> start = variants.get("fevga").start
        >>> len(start.rank("62")) == len(start.plays("62"))
        True
        """
        game = self.variant
        found = variant_choices(game._rules, self._state, roll, _evaluator(game, evaluator))
        ranked = [
            RankedVariantPlay(
                VariantPlay(self, roll, VariantPosition(game, after), again), VariantValue(*numbers, equity)
            )
            for after, again, numbers, equity in found
        ]
        return tuple(sorted(ranked, key=lambda one: -one.equity))

    def draw(self) -> str:
        """Return the board as text, by the points of the player to act: his men are X, the other's O.

        A pinned man is shown in brackets under those above him.

        >>> from gammon import variants
        >>> print(variants.get("fevga").start.draw().splitlines()[1])
          .   .   .   .   .   .  |   .   .   .   .   . X15
        """
        return draw(self)

    def events(self, roll: RollLike) -> tuple[VariantEvent, ...]:
        """Return the points a throw brings in Trictrac, before a man is moved.

        Raises `SettingError` in every other game.
        """
        found = self.variant._rules.events(self._state, roll)
        return tuple(VariantEvent(name, "me" if mine else "opponent", points) for name, mine, points in found)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VariantPosition):
            return NotImplemented
        return self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)

    def __repr__(self) -> str:
        return f"{self.variant!r}.position({self.id!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _position, (self.variant, self.id)


def _boards(positions: Iterable[VariantPosition]) -> Boards:
    """Men by place, `uint8[n, 2, 25]`, as in the standard game: right if both sides run as they do there."""
    places = np.frombuffer(b"".join(bytes(one._state)[:26] for one in positions), np.int8).reshape(-1, 26)
    found = np.empty((len(places), 2, 25), np.uint8)
    found[:, 0] = np.maximum(places[:, 1:], 0)
    found[:, 1] = np.maximum(-places[:, 24::-1], 0)
    return found


def _position(variant: Variant, id: str) -> VariantPosition:
    return variant.position(id)


def _pairs(text: str) -> list[tuple[Place, Place]] | None:
    """The steps that a text says, some of which are no steps; `None` for a word."""
    if "/" not in text:
        return [] if not text.strip() or text == "(no move)" else None
    pairs: list[tuple[Place, Place]] = []
    for part in text.replace("*", "").split():
        step, times, count = part.partition("(")
        places = [_place(place) for place in step.split("/")]
        alike = int(count[0]) if count in ("1)", "2)", "3)", "4)") else 0
        is_step = len(places) == 2 and (alike > 0 or not times)
        # Of a part that is no step no play is made.
        pairs.extend([(places[0], places[1]) if is_step else (_NOWHERE, _NOWHERE)] * max(alike, 1))
    return pairs


def _place(text: str) -> Place:
    if text in ("bar", "hand", "off"):
        return text  # type: ignore[return-value]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else _NOWHERE


def _number(place: Place) -> int:
    """The number of a place; one that is none is refused later, as any that no man can be on."""
    if isinstance(place, str):
        return {"bar": _WAITING, "hand": _WAITING, "off": 0}.get(place, _NOWHERE)
    return place if 0 < place < _WAITING else _NOWHERE


class VariantPlay:
    """One way to play a roll, or to decide what is asked for."""

    __slots__ = ("after", "again", "before", "roll")

    def __init__(
        self, before: VariantPosition, roll: RollLike | None, after: VariantPosition, again: bool
    ) -> None:
        self.before = before
        self.roll = roll
        self.after = after
        self.again = again

    def _steps(self) -> tuple[list[tuple[int, int, bool]], str | None]:
        rules = self.before.variant._rules
        found = rules.steps(self.before._state, self.roll, self.after._state, self.again)
        return found or ([], None)

    @property
    def moves(self) -> tuple[tuple[int, int, bool], ...]:
        """Men moved by one number each: place left, place reached, whether a man was hit or pinned.

        25 is the bar or the hand, 0 is off.
        """
        return tuple(self._steps()[0])

    def __str__(self) -> str:
        moves, word = self._steps()
        if word is not None:
            return word
        waiting = "hand" if "hand" in self.before.fields else "bar"
        texts = [
            f"{waiting if start == _WAITING else start}/{end or 'off'}{'*' if hit else ''}"
            for start, end, hit in moves
        ]
        return " ".join(texts) or "(no move)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VariantPlay):
            return NotImplemented
        return (self.before, self.after, self.again) == (other.before, other.after, other.again)

    def __hash__(self) -> int:
        return hash((self.before, self.after))

    def __repr__(self) -> str:
        return f"<{self.before.variant.name} play {self}>"


class VariantPlays(Sequence[VariantPlay]):
    """The legal plays of one decision.

    First come those that hand over, then those after which the same player acts.
    """

    def __init__(self, before: VariantPosition, roll: RollLike | None = None) -> None:
        self.before = before
        self.roll = roll
        handed, kept, self.is_pass = before.variant._rules.plays(before._state, roll)
        self._after = [(state, False) for state in handed] + [(state, True) for state in kept]

    def _play(self, entry: tuple[VariantState, bool]) -> VariantPlay:
        return VariantPlay(self.before, self.roll, VariantPosition(self.before.variant, entry[0]), entry[1])

    def __len__(self) -> int:
        return len(self._after)

    @overload
    def __getitem__(self, index: int) -> VariantPlay: ...
    @overload
    def __getitem__(self, index: slice) -> list[VariantPlay]: ...
    def __getitem__(self, index: int | slice) -> VariantPlay | list[VariantPlay]:
        if isinstance(index, slice):
            return [self._play(entry) for entry in self._after[index]]
        return self._play(self._after[index])

    def __iter__(self) -> Iterator[VariantPlay]:
        return map(self._play, self._after)

    def __repr__(self) -> str:
        return f"<{len(self)} plays of {self.before.id}>"
