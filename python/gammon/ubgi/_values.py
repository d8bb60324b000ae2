"""Reading and writing values as the drafts of the protocol write them, and what cannot be obeyed."""

import re
from typing import Literal

from gammon._native import Play, Ranking


class Refused(Exception):
    """A command that cannot be obeyed: what kind of mistake it is, and what is wrong."""

    def __init__(self, kind: Literal["command", "value", "state", "unsupported"], text: str) -> None:
        super().__init__(text)
        self.kind = kind


CODES: dict[str, dict[str, str]] = {
    "0.1": {
        "command": "unknown_command",
        "value": "bad_argument",
        "state": "missing_context",
        "unsupported": "unsupported_feature",
    },
    "0.2": {
        "command": "bad_command",
        "value": "bad_value",
        "state": "bad_state",
        "unsupported": "unsupported",
    },
}
"""What the drafts call each kind of mistake."""


def moves_text(play: Play) -> str:
    """Return every step of a play on its own, without hit marks; empty if nothing is moved."""
    names = {25: "bar", 0: "off"}
    return " ".join(
        f"{names.get(source, source)}/{names.get(target, target)}" for source, target in play.moves
    )


def evaluation(ranking: Ranking) -> str:
    """Return the line that tells what the best play is worth."""
    best = ranking.best
    win, gammon, backgammon = best.probs[:3]
    return f"eval eq {best.equity:.4f} pwin {win:.4f} pgammon {gammon:.4f} pbg {backgammon:.4f}"


def whole(name: str, text: str, least: int, most: int) -> int:
    """Return a whole number. Raises `Refused` for anything else."""
    if not re.fullmatch(r"\d{1,9}", text) or not least <= int(text) <= most:
        raise Refused("value", f"{name} must_be {least}..{most}, got {text}")
    return int(text)


def read_cube(text: str) -> int:
    """Return the value of a cube. Raises `Refused` for anything else."""
    value = whole("cube", text, 1, 1 << 15)
    if value & (value - 1):
        raise Refused("value", f"cube must_be a power of two, got {text}")
    return value


def read_owner(text: str) -> int | None:
    """Return who has the cube. Raises `Refused` for anything else."""
    owners: dict[str, int | None] = {"center": None, "p0": 0, "p1": 1}
    if text not in owners:
        raise Refused("value", f"owner must_be center, p0 or p1, got {text}")
    return owners[text]


def read_turn(text: str) -> int:
    """Return who is on roll. Raises `Refused` for anything else."""
    if text not in ("p0", "p1"):
        raise Refused("value", f"turn must_be p0 or p1, got {text}")
    return int(text[1])


def flag(name: str, text: str) -> bool:
    """Return whether something is so. Raises `Refused` for anything else."""
    if text.lower() not in ("true", "false", "on", "off"):
        raise Refused("value", f"{name} must_be true or false, got {text}")
    return text.lower() in ("true", "on")


def one_of(name: str, text: str, allowed: tuple[str, ...]) -> str:
    """Return a text that has to be one of some. Raises `Refused` for any other."""
    if text not in allowed:
        raise Refused("value", f"{name} must_be {'|'.join(allowed)}, got {text}")
    return text
