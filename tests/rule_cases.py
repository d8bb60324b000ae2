"""Reading rule cases, and comparing answers with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

MINE = Path(__file__).parent / "data" / "rule_cases.jsonl.gz"

# The cube and its rules are the standard game's, and have tests of their own.
LEFT_OUT = {"cube"}


def cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file, one JSON object a line, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if line.strip()]
    return [case for case in found if case["variant"] not in LEFT_OUT]


def plain(answer: Any, name: str = "") -> Any:
    """With lists that are sets sorted, tuples as lists, and nothing that says nothing."""
    if isinstance(answer, dict):
        return {
            key: plain(value, key) for key, value in answer.items() if value is not None or key == "winner"
        }
    if isinstance(answer, list | tuple):
        parts = [plain(part) for part in answer]
        return sorted(parts, key=repr_of) if name in ("results", "detail") else parts
    return answer


def repr_of(part: Any) -> str:
    return json.dumps(part, sort_keys=True)
