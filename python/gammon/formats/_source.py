"""From a path or bytes to text and lines, within limits."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gammon.errors import FormatError

PathLike: TypeAlias = str | os.PathLike[str]

LARGEST = 256 << 20
"""Bytes of the largest file that is read: a long match with analysis takes less than a tenth."""

LONGEST_LINE = 4_000
"""Characters of a line that are looked at, in formats made of lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text and its number, from 1."""

    number: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands, for warnings."""
        return f"line {self.number}"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file and the name it goes by."""

    data: bytes
    path: str = ""

    @property
    def extension(self) -> str:
        """What the name ends in, without the dot, in small letters."""
        return Path(self.path).suffix[1:].lower() if self.path else ""

    def text(self) -> str:
        """Return the bytes as text: by their byte order mark, as UTF-8, or else as Windows wrote them."""
        return decode(self.data)

    def lines(self) -> list[Line]:
        """Return the lines of the text, without blanks at their ends; tabs are blanks."""
        return split_lines(self.text())


def load(source: PathLike | bytes | bytearray | memoryview) -> Source:
    """Return what is to be read.

    Raises `OSError` for a file that cannot be, `FormatError` for one too large.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        found = Source(bytes(source))
        size = len(found.data)
    else:
        path = os.fspath(source)
        size = os.stat(path).st_size
        if size <= LARGEST:
            found = Source(Path(path).read_bytes(), path)
    if size > LARGEST:
        raise FormatError("match", f"{size} bytes are more than the {LARGEST} that are read")
    return found


def decode(data: bytes) -> str:
    """Return text from bytes of whatever encoding; nothing is refused."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def split_lines(text: str) -> list[Line]:
    """Return the lines of a text, numbered from 1; only real ends of lines divide it."""
    parts = re.split(r"\r\n|\r|\n", text)
    return [Line(i, part.expandtabs(8)[:LONGEST_LINE].rstrip()) for i, part in enumerate(parts, 1)]


def whole_number(text: str, most: int) -> int | None:
    """Return the number a text of digits is, if it is one of at most `most`."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        return None
    number = int(text)
    return number if number <= most else None


def decimals(text: str) -> Iterator[float]:
    """Go through the numbers of a text, written with a point or a comma."""
    for found in re.finditer(r"[-+]?\d{1,9}[.,]\d{1,9}(?![\d.,]\d)", text):
        yield float(found[0].replace(",", "."))
