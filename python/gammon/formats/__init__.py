r"""Files of matches and positions: read whatever people have, write what other programs read.

>>> import gammon
>>> text = b"5 point match\n Game 1\n A : 0        B : 0\n 1) 31: 8/5 6/5    64: 24/14\n"
>>> reading = gammon.formats.read(text)
>>> reading.format, reading.match, reading.warnings
('mat', <5-point match: A 0, B 0; 1 games>, ())
>>> gammon.formats.read("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10".encode()).position.roll
Roll(3, 1)
"""

from gammon.formats._convert import Converted, convert
from gammon.formats._reading import FileWarning, FoundPosition, Reading
from gammon.formats._registry import FORMATS, Format
from gammon.formats._use import dumps, find, read, sniff, write

__all__ = [
    "FORMATS",
    "Converted",
    "FileWarning",
    "Format",
    "FoundPosition",
    "Reading",
    "convert",
    "dumps",
    "find",
    "read",
    "sniff",
    "write",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
