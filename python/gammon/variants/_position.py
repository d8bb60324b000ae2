"""Positions: what can be asked of one, and the plays from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gammon._native import Position, VariantState, variant_choices
from gammon._typing import Boards, RollLike
from gammon.errors import IllegalPlayError, IllegalPositionError
from gammon.variants._board import draw
from gammon.variants._evaluate import evaluate, evaluator_of
from gammon.variants._json import VERSION
from gammon.variants._plays import RankedVariantPlay, VariantPlay, VariantPlays
from gammon.variants._steps import Place, number_of, pairs_of
from gammon.variants._values import VariantEvent, VariantResult, VariantValue

if TYPE_CHECKING:
    from gammon.variants._game import Variant

__all__ = ["VariantPosition", "boards_of"]

# What a position's fields may say and an identifier of the standard game cannot.
_NOT_CARRIED = {
    "hand": "checkers are in hand",
    "pinned": "checkers are pinned",
    "reached": "it is remembered who has had a checker home",
    "turns": "turns are counted",
    "six_seen": "it is remembered who has built six in a row",
    "closed_home_seen": "it is remembered who has closed his home",
    "six_outside_seen": "it is remembered who has held six points outside home",
    "acey_rolled": "throws of 1-2 are counted",
    "started": "it is remembered who threw first",
    "tt": "points and holes are marked",
    "asks": "a decision without a throw is to be made",
}


class VariantPosition:
    """A position of one game, seen by the player to act."""

    __slots__ = ("_state", "variant")

    def __init__(self, variant: Variant, state: VariantState) -> None:
        self.variant = variant
        self._state = state

    def _then(self, state: VariantState) -> VariantPosition:
        """Another position of the same game."""
        return VariantPosition(self.variant, state)

    @property
    def id(self) -> str:
        """The text id, `gammon-id` version 1: the game, `1` and 43 characters, parted by colons."""
        return self.variant._rules.id(self._state)

    @property
    def fields(self) -> dict[str, Any]:
        """The position as a mapping that JSON can hold; what says nothing is left out.

        `me` and `opp`: checkers by each side's own points. Pairs, mine first: `bar`, `hand`, `off`, `turns`
        (completed, up to 3), `reached`, `six_seen`, `closed_home_seen`, `six_outside_seen`. `pinned`: the
        points where checkers of `me` and of `opp` lie under others, in their owner's numbering.
        `acey_rolled`, `started`, `tt` (the marking of Trictrac), `asks` (what is to be decided, if it is no
        throw).
        """
        return self.variant._rules.fields(self._state)

    @property
    def json(self) -> str:
        """The fields as JSON, with the game as `variant` and `version` 1."""
        return json.dumps({"variant": self.variant.name, "version": VERSION, **self.fields})

    @property
    def standard(self) -> Position:
        """The position of the standard game with the same checkers, whose identifiers it then has.

        Raises `IllegalPositionError` where those cannot carry all there is: checkers in hand or pinned,
        points and holes, what else a game remembers, two sides that move the same way round, fewer than
        fifteen checkers.
        """
        fields = self.fields
        problems = [_NOT_CARRIED[name] for name in fields if name in _NOT_CARRIED]
        board = boards_of([self])[0]
        if "pinned" not in fields:
            opponents = {str(i + 1): int(n) for i, n in enumerate(board[1, :24]) if n}
            if opponents != fields["opp"]:
                problems.append("both sides move the same way round")
        if int(board.sum()) + sum(fields.get("off", (0, 0))) != 30:
            problems.append(
                "a side has fewer than fifteen checkers, and those missing would be taken for borne off"
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
        """Return the play of exactly these steps, the whole turn, each a checker moved by one number.

        Steps are pairs of the places left and reached, in the order in which they are made: points,
        `"bar"`, `"hand"` and `"off"`; or a text of such pairs, as plays are printed: `"24/18 18/16*"`, with
        `"6/5(2)"` for two alike. Where no checker is moved a word stands for the play: `"66"` names the
        double that an acey-deucey earns, `"stay"` and `"leave"` are Trictrac's choice, `"mark 4"` and
        `"mark 12 and leave"` what is marked by hand with its schools.

        Raises `IllegalPlayError` if that is no legal turn.
        """
        pairs = pairs_of(play) if isinstance(play, str) else play
        word = play if pairs is None and isinstance(play, str) else None
        steps = [(number_of(start), number_of(end)) for start, end in pairs or ()]
        found = self.variant._rules.follow(self._state, roll, steps, word)
        if found is None:
            shown = play if isinstance(play, str) else " ".join(f"{start}/{end}" for start, end in play)
            raise IllegalPlayError(f"illegal play {shown or 'of nothing':.120} in {self.id} with {roll}")
        state, again = found
        return VariantPlay(self, roll, self._then(state), again)

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
        found = variant_choices(game._rules, self._state, roll, evaluator_of(game, evaluator))
        ranked = [
            RankedVariantPlay(
                VariantPlay(self, roll, self._then(after), again), VariantValue(*numbers, equity)
            )
            for after, again, numbers, equity in found
        ]
        return tuple(sorted(ranked, key=lambda one: -one.equity))

    def draw(self) -> str:
        """Return the board as text, by the points of the player to act: his checkers are X, the other's O.

        A pinned checker is shown in brackets under those above it.

        >>> from gammon import variants
        >>> print(variants.get("fevga").start.draw().splitlines()[1])
          .   .   .   .   .   .  |   .   .   .   .   . X15
        """
        return draw(self)

    def events(self, roll: RollLike) -> tuple[VariantEvent, ...]:
        """Return the points a throw brings in Trictrac, before a checker is moved.

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
        return _of_id, (self.variant, self.id)


def boards_of(positions: Iterable[VariantPosition]) -> Boards:
    """Return checkers by place, `uint8[n, 2, 25]`, as in the standard game.

    They are right if both sides run as they do there.
    """
    places = np.frombuffer(b"".join(bytes(one._state)[:26] for one in positions), np.int8).reshape(-1, 26)
    found = np.empty((len(places), 2, 25), np.uint8)
    found[:, 0] = np.maximum(places[:, 1:], 0)
    found[:, 1] = np.maximum(-places[:, 24::-1], 0)
    return found


def _of_id(variant: Variant, id: str) -> VariantPosition:
    return variant.position(id)
