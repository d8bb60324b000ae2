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
    "GammonError",
    "IllegalPlayError",
    "IllegalPositionError",
    "IllegalRollError",
    "IllegalSituationError",
    "MetError",
    "MissingTableError",
    "NetFormatError",
    "ParseError",
    "SettingError",
    "Stopped",
    "TableFormatError",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
