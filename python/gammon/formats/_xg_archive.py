"""The envelope and the archive of eXtreme Gammon's files.

    8232 bytes   header: RGMH, version, size of the header, place and size of a picture, an id, four texts
    ...          the picture, a JPEG
    ...          the files, each deflated by zlib
    ...          the directory: 532 bytes a file, all deflated together
    36 bytes     CRC of everything before, files, version, size of the directory, size of the files, flag, 12
    unused

The files are `temp.xg` (the match), `temp.xgi` (its first and last record), `temp.xgr` (rollouts) and
`temp.xgc` (comments).
"""

import struct
import zlib

from gammon.errors import FormatError
from gammon.formats._reading import Warnings

MAGIC = b"RGMH"
HEADER = 8_232
"""Bytes of the header."""

MOST_UNPACKED = 128 << 20
"""Bytes of a file of the archive that are unpacked at most: fifty times the longest match that was seen."""

_FIXED = struct.Struct("<4siiqi16s")
_TRAILER = struct.Struct("<Iiiiii12x")
_ENTRY = struct.Struct("<256s256siiiIBBxx")
_TEXT_BYTES = 2_048


def sniff(data: bytes) -> bool:
    """Whether bytes begin as a file of eXtreme Gammon does."""
    return data.startswith(MAGIC)


def unpack(data: bytes, warnings: Warnings) -> dict[str, bytes]:
    """Return the files of the archive by their names. Raises `FormatError` if there are none to be had."""
    if len(data) < HEADER or not data.startswith(MAGIC):
        raise FormatError(
            "xg", f"{len(data)} bytes, the first {data[:4]!r}: no header of {HEADER} bytes with RGMH"
        )
    _, _, size, _, picture, _ = _FIXED.unpack_from(data)
    start = (size if 0 < size < len(data) else HEADER) + max(picture, 0)
    archive = memoryview(data)[start:]
    if len(archive) < _TRAILER.size:
        raise FormatError("xg", "the file ends before its archive does")
    crc, files, _, directory, _, _ = _TRAILER.unpack_from(archive, len(archive) - _TRAILER.size)
    body = archive[: len(archive) - _TRAILER.size]
    if zlib.crc32(body) != crc:
        warnings.add("the archive's checksum is wrong: the file is damaged")
    if not 0 < files <= 64 or not 0 < directory <= len(body):
        raise FormatError("xg", "the archive has no directory: the file is cut off or damaged")
    entries = _inflate(body[len(body) - directory :], 64 * _ENTRY.size, "the directory")
    found: dict[str, bytes] = {}
    for i in range(min(files, len(entries) // _ENTRY.size)):
        name, _, unpacked, packed, place, checksum, stored, _ = _ENTRY.unpack_from(entries, i * _ENTRY.size)
        title = name[1 : 1 + name[0]].decode("cp1252", errors="replace").lower()
        try:
            found[title] = _file(body, title, (unpacked, packed, place, checksum), stored == 0, warnings)
        except FormatError as error:
            warnings.add(error.reason)
    if "temp.xg" not in found:
        raise FormatError("xg", "the archive has no temp.xg: the file is cut off or damaged")
    return found


def _file(
    body: memoryview, title: str, entry: tuple[int, int, int, int], deflated: bool, warnings: Warnings
) -> bytes:
    unpacked, packed, place, checksum = entry
    if place < 0 or packed < 0 or place + packed > len(body):
        raise FormatError("xg", f"{title} lies outside the archive")
    piece = body[place : place + packed]
    found = _inflate(piece, min(max(unpacked, 0), MOST_UNPACKED), title) if deflated else bytes(piece)
    if zlib.crc32(found) != checksum:
        warnings.add(f"the checksum of {title} is wrong: it is damaged")
    return found


def _inflate(piece: memoryview, most: int, title: str) -> bytes:
    """Return what a piece holds, not more than `most` bytes of it."""
    try:
        return zlib.decompressobj().decompress(piece, max(most, 1))
    except zlib.error as error:
        raise FormatError("xg", f"{title} cannot be unpacked: {error}") from error


def pack(files: dict[str, bytes], *, identity: bytes, title: str, comment: str) -> bytes:
    """Return a file of eXtreme Gammon with these files in it, and no picture."""
    texts = (title, "", "", comment)
    header = _FIXED.pack(MAGIC, 1, HEADER, 0, 0, identity) + b"".join(_wide(text) for text in texts)
    body, directory = b"", b""
    for name, content in files.items():
        packed = zlib.compress(content)
        short = bytes([len(name)]) + name.encode("ascii")
        directory += _ENTRY.pack(short, b"", len(content), len(packed), len(body), zlib.crc32(content), 0, 2)
        body += packed
    packed = zlib.compress(directory)
    trailer = _TRAILER.pack(zlib.crc32(body + packed), len(files), 1, len(packed), len(body), 1)
    return header + body + packed + trailer


def _wide(text: str) -> bytes:
    """Return a text of 1024 UTF-16 characters, the last of them zero."""
    return text.encode("utf-16-le", errors="replace")[: _TEXT_BYTES - 2].ljust(_TEXT_BYTES, b"\0")
