"""Smart Game Format: trees of nodes, each a few properties with values between brackets.

Only the main line of a tree is kept. A `]` that somebody forgot to escape ends a value only if something that
may follow a value follows it.
"""

import re
from typing import TypeAlias

from gammon.errors import FormatError
from gammon.formats._reading import Warnings

Node: TypeAlias = dict[str, list[str]]
"""Properties by name, each with its values."""

_TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]++)|(?P<value>\[))", re.DOTALL)
_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
_AFTER_VALUE = re.compile(r"\s*(?:[\[();A-Z]|$)")
_ESCAPE = re.compile(r"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)


def parse(text: str, warnings: Warnings) -> list[list[Node]]:
    """Return the main line of every tree. Raises `FormatError` if there is none."""
    trees: list[list[Node]] = []
    tree = _Tree()
    name = ""
    place = max(text.find("("), 0)
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            place = _skip(text, place, warnings)
            continue
        place = found.end()
        if found["mark"]:
            name = ""
            if tree.mark(found["mark"]):
                trees.append(tree.nodes)
                tree = _Tree()
        elif found["name"]:
            # Small letters within a name are decoration, as they were in the first version of the format.
            name = "".join(letter for letter in found["name"] if letter.isupper())
        else:
            value, place = _value(text, place)
            tree.property(name, value)
    if tree.nodes:
        warnings.add("the last game breaks off", f"line {text.count(chr(10)) + 1}")
        trees.append(tree.nodes)
    if not trees:
        raise FormatError("sgf", "no game between brackets")
    return trees


def _skip(text: str, place: int, warnings: Warnings) -> int:
    """Go on to the next thing that may begin something."""
    found = re.compile(r"[\[();A-Za-z]").search(text, place + 1)
    end = found.start() if found else len(text)
    if text[place:end].strip():
        warnings.add(
            f"not understood: {text[place:end].strip()[:40]!r}", f"line {text.count(chr(10), 0, place) + 1}"
        )
    return end


def _value(text: str, start: int) -> tuple[str, int]:
    """Return the value that begins at `start`, unescaped, and where what follows it begins."""
    end = start
    while True:
        found = _VALUE.match(text, end)
        end = found.end() if found else end
        if end >= len(text):
            break
        end += 1
        if text[end - 1] == "]" and _AFTER_VALUE.match(text, end):
            return _ESCAPE.sub(_unescape, text[start : end - 1]), end
    return _ESCAPE.sub(_unescape, text[start:end]), len(text)


def _unescape(found: re.Match[str]) -> str:
    return "" if found[1] in ("\n", "\r", "\r\n", "\n\r") else found[1]


class _Tree:
    """A tree as far as it has been read."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._branched: list[bool] = []
        """For each open bracket of the main line, whether a branch of it has been read."""
        self._aside = 0
        """Open brackets of a branch that is not the main line."""

    def mark(self, mark: str) -> bool:
        """Take a bracket or the start of a node; whether the tree is complete."""
        if mark == ";":
            if not self._aside and self._branched:
                self.nodes.append({})
            return False
        if mark == "(":
            if self._aside or (self._branched and self._branched[-1]):
                self._aside += 1
            else:
                if self._branched:
                    self._branched[-1] = True
                self._branched.append(False)
            return False
        if self._aside:
            self._aside -= 1
        elif self._branched:
            self._branched.pop()
        return not self._branched and bool(self.nodes)

    def property(self, name: str, value: str) -> None:
        """Add a value to a property of the current node."""
        if name and self.nodes and not self._aside:
            self.nodes[-1].setdefault(name, []).append(value)


def escaped(text: str) -> str:
    """Return a text as it stands between brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def node(properties: Node) -> str:
    """Return a node as text."""
    return ";" + "".join(
        f"{name}{''.join(f'[{value}]' for value in values)}" for name, values in properties.items()
    )
