"""Objects of JSON from outside."""

from collections import Counter
from collections.abc import Callable
from typing import Any

__all__ = ["Pairs", "named_once"]

Pairs = list[tuple[str, Any]]
"""The names and values of an object, as they stand in the text."""


def named_once(what: str, error: Callable[[str], Exception]) -> Callable[[Pairs], dict[str, Any]]:
    """Return an `object_pairs_hook` for `json.loads`, `what` being what messages call an object.

    A name that an object has twice raises `error`, as nobody knows which of the two is meant.
    """

    def made(pairs: Pairs) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            name = next(name for name, times in counts.items() if times > 1)
            raise error(f"{what} has {name!r:.80} twice")
        return values

    return made
