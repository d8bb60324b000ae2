"""The formats: what each is called, how it is recognised, and what reads and writes it."""

from collections.abc import Callable
from dataclasses import dataclass

from gammon.formats import (
    _json,
    _mat_read,
    _mat_write,
    _ogxm,
    _oldmoves,
    _sgf_read,
    _sgf_write,
    _snowie,
    _text,
    _xg_read,
    _xg_write,
)
from gammon.formats._losses import Losses
from gammon.formats._reading import FoundPosition, Reading
from gammon.formats._source import Source, decode
from gammon.match import Match, Session

SNIFFED = 1 << 18
"""Bytes at the start of a file that are looked at to recognise it."""

MatchWriter = Callable[[Match | Session, Losses], str | bytes]
PositionWriter = Callable[[FoundPosition, Losses], str]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files."""

    name: str
    title: str
    extensions: tuple[str, ...] = ()
    """What names of such files end in; the first is used for new ones."""
    read: Callable[[Source], Reading] | None = None
    recognises: Callable[[bytes, str], bool] | None = None
    """Whether a file that begins with these bytes, and this text, is of the format."""
    write: MatchWriter | None = None
    """Writes one match."""
    write_position: PositionWriter | None = None
    """Writes one position, a line."""


def _text_only(sniff: Callable[[str], bool]) -> Callable[[bytes, str], bool]:
    return lambda data, text: "\0" not in text[:2_000] and sniff(text)


def _id(name: str) -> PositionWriter:
    def write(found: FoundPosition, losses: Losses) -> str:
        text, lost = found.situation.to(name)  # type: ignore[arg-type]
        for phrase in lost:
            losses.say(phrase)
        losses.add("comments", bool(found.comment))
        losses.add("findings", len(found.findings))
        losses.add("names", any(player.name for player in found.players))
        return text

    return write


_ALL = (
    Format(
        "xg",
        "eXtreme Gammon match",
        ("xg",),
        _xg_read.read,
        lambda data, text: _xg_read.sniff(data),
        _xg_write.write,
    ),
    Format("xgp", "eXtreme Gammon position", ("xgp",), _xg_read.read),
    Format("ogxm", "OpenGammon match", ("ogxm", "ogxms"), _ogxm.read, lambda data, text: _ogxm.sniff(data)),
    Format("json", "gammon's own JSON", ("json",), _json.read, _text_only(_json.sniff)),
    Format(
        "sgf", "GNU Backgammon match", ("sgf",), _sgf_read.read, _text_only(_sgf_read.sniff), _sgf_write.write
    ),
    Format(
        "mat",
        "Jellyfish match text",
        ("mat", "txt"),
        _mat_read.read,
        _text_only(_mat_read.sniff),
        _mat_write.write,
    ),
    Format("oldmoves", "FIBS oldmoves", (), _oldmoves.read, _text_only(_oldmoves.sniff)),
    Format(
        "snowie",
        "Snowie position text",
        (),
        _snowie.read,
        _text_only(_snowie.sniff),
        write_position=_snowie.write,
    ),
    Format("text", "positions in a text", ("txt",), _text.read, _text_only(_text.sniff)),
    *(
        Format(name, "identifiers, a line each", write_position=_id(name))
        for name in ("xgid", "gnuid", "posid", "fibs", "ogid")
    ),
)

FORMATS = {one.name: one for one in _ALL}
"""All formats by their names, in the order in which they are tried."""


def recognise(source: Source) -> Format | None:
    """Return the format of a file by what it holds, `None` if it is of none that is known.

    JSON of other programs is of none, whatever positions are named within its texts.
    """
    head = source.data[:SNIFFED]
    text = decode(head)
    if _json.is_foreign(text):
        return None
    for one in _ALL:
        if one.recognises is not None and one.recognises(head, text):
            return one
    return None
