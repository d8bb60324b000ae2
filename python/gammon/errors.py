"""The exceptions gammon raises.

All of them are `GammonError`, which is a `ValueError`: bad input is named, never repaired in silence.
Files that cannot be read raise the built-in `OSError` kinds, an argument of the wrong type `TypeError`.
"""

from gammon._native import (
    ArrayError,
    GammonError,
    IllegalPlayError,
    IllegalPositionError,
    IllegalRollError,
    ParseError,
    SettingError,
)

__all__ = [
    "ArrayError",
    "GammonError",
    "IllegalPlayError",
    "IllegalPositionError",
    "IllegalRollError",
    "ParseError",
    "SettingError",
]
