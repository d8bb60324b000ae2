"""Names and reasons short enough for a line of text."""

import re

__all__ = ["reason_of", "short_id"]

_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{20}\b")


def short_id(evaluator: str) -> str:
    """Return an evaluator's id with twelve digits of every net's digest, which tell nets apart."""
    return _DIGEST.sub(r"\1", evaluator)


def reason_of(error: Exception) -> str:
    """Return what is wrong with a file, for a line that names the file: no number, and no name once more."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
