"""Plays: what can be done with a roll, or to decide what is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from gammon._native import VariantState
from gammon._typing import RollLike
from gammon.variants._steps import WAITING
from gammon.variants._values import VariantValue

if TYPE_CHECKING:
    from gammon.variants._position import VariantPosition

__all__ = ["RankedVariantPlay", "VariantPlay", "VariantPlays"]


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
        """Checkers moved by one number each: place left, place reached, whether a checker was hit or pinned.

        25 is the bar or the hand, 0 is off.
        """
        return tuple(self._steps()[0])

    def __str__(self) -> str:
        moves, word = self._steps()
        if word is not None:
            return word
        waiting = "hand" if "hand" in self.before.fields else "bar"
        texts = [
            f"{waiting if start == WAITING else start}/{end or 'off'}{'*' if hit else ''}"
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
        return VariantPlay(self.before, self.roll, self.before._then(entry[0]), entry[1])

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
