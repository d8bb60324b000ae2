"""The JSON of positions."""

import json
from typing import Any

from gammon.errors import IllegalPositionError

__all__ = ["VERSION", "from_json"]

VERSION = 1
"""The version of positions as JSON."""


def from_json(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds, which begins with a brace."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IllegalPositionError(f"not a position: {text[:120]!r} is no JSON: {error}") from error
    assert isinstance(found, dict)  # as it begins with a brace
    return found
