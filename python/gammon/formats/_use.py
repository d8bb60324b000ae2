"""Reading, writing and recognising files, whatever their format."""

import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from gammon._files import replacing
from gammon._native import Situation
from gammon.errors import FormatError, SettingError
from gammon.formats import _json, _xg_read, _xg_write
from gammon.formats._losses import Losses
from gammon.formats._reading import FoundPosition, Reading
from gammon.formats._registry import FORMATS, SNIFFED, Format, recognise
from gammon.formats._source import PathLike, decode, load
from gammon.match import Match, Session

Readable: TypeAlias = PathLike | bytes | bytearray | memoryview
"""The path of a file, or what is in it."""

Writable: TypeAlias = (
    Match
    | Session
    | Reading
    | FoundPosition
    | Situation
    | Sequence[Match | Session | FoundPosition | Situation]
)
"""What can be written: matches, positions, or what was read."""


def sniff(source: Readable) -> str | None:
    """Return the name of the format of a file, by what it holds; `None` if it is of none.

    Raises `OSError` if it cannot be read.

    >>> from gammon import formats
    >>> formats.sniff(b"(;FF[4]GM[6]MI[length:5];B[31hefe])"), formats.sniff(b"nothing")
    ('sgf', None)
    """
    found = recognise(load(source))
    return None if found is None else found.name


def read(source: Readable, *, format: str | None = None) -> Reading:
    """Read a file, or the bytes of one: matches, positions, and warnings of what was odd.

    The format is recognised by what the file holds, not by its name, unless `format` names one of `FORMATS`:
    with 'text' positions are found that are named within JSON of other programs.

    Raises `FormatError` if it is of no known format or damaged beyond reading, `SettingError` for an unknown
    `format`, `OSError` if it cannot be read.
    """
    loaded = load(source)
    if format is not None:
        found = _named(format)
        if found.read is None:
            raise SettingError(f"format {format!r} is read as 'text'")
    else:
        recognised = recognise(loaded)
        if recognised is None:
            raise _refusal(loaded.data)
        found = recognised
    assert found.read is not None
    return found.read(loaded)


def _refusal(data: bytes) -> FormatError:
    """Return the error that says what a file that is not recognised begins with."""
    text = decode(data[:SNIFFED])
    if not data.strip():
        reason = "there is nothing in it"
    elif _json.is_foreign(text):
        return _json.refusal(text)
    else:
        known = ", ".join(name for name, one in FORMATS.items() if one.read is not None)
        reason = f"it begins with {bytes(data[:24])!r} and is none of {known}"
    return FormatError("no known format", reason)


def _named(name: str) -> Format:
    if name not in FORMATS:
        raise SettingError(f"format must be one of {', '.join(FORMATS)}, got {name!r}")
    return FORMATS[name]


def dumps(what: Writable, format: str) -> tuple[str | bytes, list[str]]:
    """Return what a file of this format holds, and what of it the format cannot hold, a phrase each.

    Raises `FormatError` if the format cannot hold it at all, `SettingError` for an unknown format or one that
    is only read.

    >>> from gammon import formats
    >>> from gammon.match import Match
    >>> match = Match(5, ("A", "B"))
    >>> match.comment = "a friendly game"
    >>> formats.dumps(match, "mat")[1]
    ['the comment on the match']
    """
    found = _named(format)
    matches, positions = _parts(what)
    losses = Losses()
    if format == "json":
        return _writable(_json.write(matches, positions), losses), losses.phrases()
    if format == "xgp":
        return _xgp(matches, positions, losses), losses.phrases()
    if found.write is not None:
        content = found.write(_only(format, matches, positions), losses)
        return _writable(content, losses) if isinstance(content, str) else content, losses.phrases()
    if found.write_position is not None:
        if not positions:
            raise FormatError(format, "it holds positions, and there is none that is not part of a match")
        lines = [found.write_position(position, losses) for position in positions]
        losses.add("matches", len(matches))
        return _writable("\n".join(lines) + "\n", losses), losses.phrases()
    raise SettingError(f"format {format!r} is read, not written; written are {', '.join(_written())}")


def _writable(text: str, losses: Losses) -> str:
    """Return a text without what no text file can hold: NUL, and halves of UTF-16 pairs."""
    found, count = re.subn("[\0\ud800-\udfff]", "\ufffd", text)
    losses.add("characters", count)
    return found


def _written() -> list[str]:
    return [
        name for name, one in FORMATS.items() if one.write or one.write_position or name in ("json", "xgp")
    ]


def _only(
    format: str, matches: tuple[Match | Session, ...], positions: tuple[FoundPosition, ...]
) -> Match | Session:
    """Return the one match that a file holds; a single position is a match that begins with it."""
    if len(matches) == 1:
        return matches[0]
    if not matches and len(positions) == 1:
        return positions[0].to_match()
    raise FormatError(
        format, f"a file holds one match, not {len(matches)} matches and {len(positions)} positions"
    )


def _xgp(matches: tuple[Match | Session, ...], positions: tuple[FoundPosition, ...], losses: Losses) -> bytes:
    if len(positions) != 1:
        raise FormatError("xgp", f"a file holds one position, not {len(positions)}")
    losses.add("matches", len(matches))
    found = positions[0]
    top, bottom = found.players
    turned = FoundPosition(
        situation=_xg_read.other_seat(found.situation, found.situation.roll),
        players=(bottom, top),
        findings=found.findings,
        comment=found.comment,
    )
    return _xg_write.write(turned.to_match(), losses)


def _parts(what: Writable) -> tuple[tuple[Match | Session, ...], tuple[FoundPosition, ...]]:
    """Return the matches and the positions of whatever is to be written."""
    if isinstance(what, Reading):
        return what.matches, what.positions
    items = what if isinstance(what, Sequence) else (what,)
    matches = tuple(one for one in items if isinstance(one, Match | Session))
    positions = tuple(
        FoundPosition(situation=one) if isinstance(one, Situation) else one
        for one in items
        if isinstance(one, Situation | FoundPosition)
    )
    if len(matches) + len(positions) != len(items):
        raise TypeError(f"matches, positions or a Reading can be written, not {type(what).__name__}")
    return matches, positions


def write(what: Writable, path: PathLike, *, format: str | None = None) -> list[str]:
    """Write a match, or positions, to a file; returns what of it the format cannot hold, a phrase each.

    The format is that of the name's extension, unless `format` names one of `FORMATS`. The file appears only
    when it is complete.

    Raises what `dumps` does, and `OSError` if the file cannot be written.
    """
    name = format or format_of(path)
    content, lost = dumps(what, name)
    with replacing(path) as part:
        if isinstance(content, bytes):
            part.write_bytes(content)
        else:
            part.write_text(content, encoding="utf-8", newline="\n")
    return lost


def format_of(path: PathLike) -> str:
    """Return the format that a file name's extension stands for when it is written."""
    extension = Path(path).suffix[1:].lower()
    written = _written()
    for name, one in FORMATS.items():
        if name in written and (extension in one.extensions or extension == name):
            return name
    raise SettingError(f"no format has the extension {extension!r}: give one of {', '.join(written)}")


def find(sources: Sequence[PathLike], *, skipped: Callable[[str], object] | None = None) -> Iterator[str]:
    """Go through the files that paths, folders and patterns such as 'matches/**/*.mat' name, each once.

    Of folders it is all files in them and below, in the order of their names, hidden ones left out. Pipes,
    sockets and devices, which reading might wait for without end, are left out too, if not named themselves;
    `skipped` is called with the name of each.
    """
    seen: set[str] = set()
    for source in sources:
        for path in _files(os.fspath(source)):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                if _is_irregular(path) and path != os.fspath(source):
                    if skipped is not None:
                        skipped(path)
                else:
                    yield path


def _files(source: str) -> Iterator[str]:
    if os.path.isdir(source):
        for folder, folders, names in os.walk(source):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (os.path.join(folder, name) for name in sorted(names) if not name.startswith("."))
    elif os.path.exists(source) or not glob.has_magic(source):
        yield source
    else:
        for path in sorted(glob.iglob(source, recursive=True)):
            if os.path.isfile(path) or _is_irregular(path):
                yield path


def _is_irregular(path: str) -> bool:
    """Whether something is there that is neither a file nor a folder: a pipe, a socket, a device."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
