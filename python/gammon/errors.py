"""The exceptions gammon raises.

All but `Stopped` and `MissingTableError`, a `LookupError`, are `GammonError`, which is a `ValueError`: bad
input is named, never repaired in silence. Files that cannot be read raise the built-in `OSError` kinds, an
argument of the wrong type `TypeError`.
"""

from gammon._native import (
    ArrayError,
    CheckpointError,
    CubeError,
    DataFormatError,
    DivergedError,
    EvaluatorError,
    GammonError,
    IllegalPlayError,
    IllegalPositionError,
    IllegalRollError,
    IllegalSituationError,
    MetError,
    MissingTableError,
    NetFormatError,
    ParseError,
    SettingError,
    Stopped,
    TableFormatError,
)

__all__ = [
    "ArrayError",
    "CheckpointError",
    "CubeError",
    "DataFormatError",
    "DivergedError",
    "EvaluatorError",
    "FormatError",
    "GammonError",
    "IllegalActionError",
    "IllegalPlayError",
    "IllegalPositionError",
    "IllegalRollError",
    "IllegalSituationError",
    "MatchDataError",
    "MetError",
    "MissingTableError",
    "NetFormatError",
    "ParseError",
    "PatternError",
    "SettingError",
    "Stopped",
    "TableFormatError",
]


class IllegalActionError(GammonError):
    """Something the rules do not allow now: a double in the Crawford game, a throw before an answer."""

    def __init__(self, action: str, reason: str) -> None:
        super().__init__(f"illegal {action}: {reason}")
        self.action = action
        """What was tried."""
        self.reason = reason
        """Why it is not allowed."""

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.action, self.reason)


class FormatError(GammonError):
    """A file that is of no known format, or damaged beyond reading, or that a format cannot hold."""

    def __init__(self, format: str, reason: str, place: str = "") -> None:
        super().__init__(f"{format}{f', {place}' if place else ''}: {reason}")
        self.format = format
        """The format it was taken for."""
        self.reason = reason
        """What is wrong."""
        self.place = place
        """Where, if known."""

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.format, self.reason, self.place)


class MatchDataError(GammonError):
    """Values that are no match or session as `gammon.match` writes them; the message names the place."""


class PatternError(GammonError):
    """A pattern of positions that cannot be understood, or that asks for more than there is."""

    def __init__(self, pattern: str, column: int, reason: str) -> None:
        super().__init__(f"pattern{f', column {column}' if column else ''}: {reason}")
        self.pattern = pattern
        """The pattern."""
        self.column = column
        """Where, from 1; 0 if it is no one place."""
        self.reason = reason
        """What is wrong."""

    def __reduce__(self) -> tuple[type, tuple[str, int, str]]:
        return type(self), (self.pattern, self.column, self.reason)


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
