"""The JSON of positions, which is read strictly."""

import json
from typing import Any

from gammon._objects import named_once
from gammon.errors import IllegalPositionError

__all__ = ["VERSION", "from_json"]

VERSION = 1
"""The version of positions as JSON."""

_PARTS = {"pinned": ("me", "opp"), "tt": ("pts", "clean", "holes", "gclean", "turns")}
"""What is always written of the fields that have parts."""


def from_json(text: str) -> dict[str, Any]:
    """Return the fields, with the game as `variant`, of a JSON text that begins with a brace.

    Raises `IllegalPositionError` for what is no JSON or of another version, for anything given twice, and
    where the game, the version or a part of `pinned` or `tt` is missing.
    """
    try:
        found = json.loads(text, object_pairs_hook=named_once("a position in JSON", IllegalPositionError))
    except IllegalPositionError:
        raise
    except (ValueError, RecursionError) as error:
        raise IllegalPositionError(f"not a position: {text[:120]!r} is no JSON: {error}") from error
    assert isinstance(found, dict)  # as it begins with a brace
    _need(found, ("variant", "version"), "a position in JSON")
    if not isinstance(found["variant"], str):
        raise IllegalPositionError(
            f"a position in JSON names its game as 'variant', got {found['variant']!r:.80}"
        )
    version = found.pop("version")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        raise IllegalPositionError(f"a position is written in version {VERSION}, not {version!r:.80}")
    for name, parts in _PARTS.items():
        if isinstance(found.get(name), dict):  # whatever else it is gets refused with the other fields
            _need(found[name], parts, name)
    tt = found.get("tt")
    if isinstance(tt, dict) and ("runs" in tt) != ("best_runs" in tt):
        raise IllegalPositionError("tt has one of 'runs' and 'best_runs', which belong together")
    return found


def _need(values: dict[str, Any], names: tuple[str, ...], what: str) -> None:
    """Raise `IllegalPositionError` if parts are missing."""
    missing = [repr(name) for name in names if name not in values]
    if missing:
        raise IllegalPositionError(f"{what} lacks {', '.join(missing)}")
