"""A record of a game with the situation it was made in."""

from dataclasses import dataclass

from gammon._native import Situation
from gammon.match._records import AnyRecord
from gammon.match._state import State, Terms

__all__ = ["Moment"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A record and the situation before it."""

    index: int
    """The record's number in its game."""
    record: AnyRecord
    before: State
    """Whose turn it was, cube, offers: everything the decision depended on but for the terms."""
    terms: Terms

    @property
    def situation(self) -> Situation:
        """The situation before the record, seen by the player whose roll it is."""
        return self.before.situation(self.terms, self.record.player)

    @property
    def id(self) -> str:
        """The XGID of that situation."""
        return self.situation.xgid
