"""Reads damaged files: whatever a reader does, it ends soon, in bounded memory, and any exception is one of
ours.

    python tests/fuzz_formats.py [--format NAME] [--files 10000] [--seed 1]
    python tests/fuzz_formats.py --guided 60       seconds for every reader, led by the lines that are reached

The files that are damaged are written here by `seeds`, at random, in all formats and dialects. What is read
of a damaged file is put into JSON and read again, and must be the same.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import resource
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import dialects
import matches
from gammon import formats
from gammon.errors import GammonError
from gammon.formats import _xg_archive
from gammon.formats._reading import Warnings

SLOWEST = 3.0
"""Seconds a file may take on a machine that is busy with other things: these are small files."""

TOKENS = [
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b"\r\n",
        b"\n\n",
        b"]",
        b"[",
        b"(",
        b")",
        b";",
        b":",
        b"-1",
        b"0",
        b"99999999999999999999",
    ),
    *(
        b"1e309",
        b"-inf",
        b"nan",
        b"\\",
        b'"',
        b"{",
        b"}",
        b"Game 1",
        b"Game 999999999",
        b" Doubles => 2",
        b" Takes",
        b" Drops",
    ),
    *(
        b"Beavers",
        b"Wins 3 points",
        b"Wins 99999 points",
        b"31: 8/5 6/5",
        b"66: bar/off bar/off",
        b"???",
        b"Illegal play (",
    ),
    *(
        b"; Set Pos=-b----E-C---eE---c-e----B-/4,1",
        b"AE[a:y]",
        b"AW[a][a]",
        b"PL[W]",
        b"DI[66]",
        b"CV[64]",
        b"B[double]",
    ),
    *(
        b"W[31hefe]",
        b"A[0]",
        b"DA[E ver 3 2C",
        b"XGID=",
        b"+13-14-15-16-17-18------19-20-21-22-23-24-+",
        b"|BAR|",
        b"null",
    ),
    *(
        b"true",
        b"[" * 50,
        b"(" * 50,
        b"\xc3\x28",
        "☃".encode(),
        b" " * 300,
        b"9" * 200,
        b"X: (6 6) 24-18",
        b"64: 24/14",
    ),
]


def seeds(name: str) -> list[bytes]:
    """Files of a format that are read without complaint, or nearly."""
    found = []
    for seed in range(6):
        series = matches.random_series(seed, money=seed % 3 == 0, games=2)
        if name in ("json", "sgf", "mat", "xg"):
            content = formats.dumps(series, name)[0]
            found.append(content if isinstance(content, bytes) else content.encode())
    look = dialects.look_alike(1)
    extra: dict[str, Callable[[], list[bytes]]] = {
        "mat": lambda: [dialects.xg_mat(look), dialects.xg_text(look), *dialects.small_texts()],
        "sgf": lambda: [formats.dumps(look, "sgf")[0].encode(), dialects.sgf_setup()],  # type: ignore[union-attr]
        "xg": lambda: [formats.dumps(look, "xg")[0], dialects.analysed_xg()],  # type: ignore[list-item]
        "text": lambda: dialects.position_texts(),
        "oldmoves": lambda: [dialects.oldmoves(look)],
        "snowie": lambda: [dialects.snowie()],
        "ogxm": lambda: [dialects.ogxm(look)],
    }
    return found + extra.get(name, list)()


def damaged(name: str, files: list[bytes], rng: random.Random) -> bytes:
    """One of the files, damaged."""
    data = bytearray(rng.choice(files))
    try:
        if name == "xg" and rng.random() < 0.8:
            return repacked(bytes(data), rng)
        if name == "json" and rng.random() < 0.8:
            return revalued(bytes(data), rng)
    except (GammonError, ValueError):
        pass  # it was damaged before
    if len(data) > 3_000 and rng.random() < 0.9:
        start = 0 if rng.random() < 0.7 else rng.randrange(len(data))
        data = data[start : start + rng.randint(200, 3_000)]
    damage(data, files, rng)
    return bytes(data)


def damage(data: bytearray, files: list[bytes], rng: random.Random) -> None:
    """Change bytes, put in, take out, exchange, break off."""
    for _ in range(rng.choice([1, 1, 2, 3, 5, 20])):
        if not data:
            data += rng.choice(TOKENS)
            continue
        place = rng.randrange(len(data))
        kind = rng.randrange(8)
        if kind == 0:
            data[place] = rng.randrange(256)
        elif kind == 1:
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del data[place : place + rng.randint(1, 30)]
        elif kind == 3:
            data[place:place] = rng.choice(TOKENS)
        elif kind == 4:
            data[place:place] = data[place : place + rng.randint(1, 200)]
        elif kind == 5:
            other = rng.choice(files)
            start = rng.randrange(len(other))
            data[place:place] = other[start : start + rng.randint(1, 200)]
        elif kind == 6 and rng.random() < 0.3:
            del data[place:]
        else:
            number = rng.choice([b"0", b"7", b"25", b"26", b"-3", b"99", b"32768", b"4294967296"])
            data[place : place + 1] = number


ODD = [
    None,
    True,
    -1,
    0,
    1,
    2,
    1e300,
    2**70,
    "",
    "x",
    "31",
    "4HPwATDgc/ABMA",
    "bar/off",
    [],
    [1],
    [[1, 2]],
    {},
    {"kind": "roll"},
]
"""Values that belong somewhere else."""


def revalued(data: bytes, rng: random.Random) -> bytes:
    """JSON that is sound and whose values are not."""
    values = json.loads(data)

    def odd() -> Any:
        return copy.deepcopy(rng.choice(ODD))

    for _ in range(rng.choice([1, 1, 2, 4])):
        here: Any = values
        while True:
            keys = (
                list(here)
                if isinstance(here, dict)
                else list(range(len(here)))
                if isinstance(here, list)
                else []
            )
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(here[key], dict | list) and here[key] and rng.random() < 0.85:
                here = here[key]
                continue
            kind = rng.randrange(4)
            if kind == 0:
                del here[key]
            elif kind == 1 and isinstance(here, dict):
                here[rng.choice(["kind", "player", "moves", "after", "points", "level", "x"])] = rng.choice(
                    ODD
                )
            elif kind == 2 and isinstance(here, list):
                here.insert(key, copy.deepcopy(rng.choice([*here, *ODD])))
            else:
                here[key] = odd()
            break
    return json.dumps(values).encode()


def repacked(data: bytes, rng: random.Random) -> bytes:
    """A file of eXtreme Gammon whose records are damaged and whose checksums are right."""
    files = _xg_archive.unpack(data, Warnings())
    record = bytearray(files["temp.xg"])
    if rng.random() < 0.95:
        # The head of the match and some records: what is damaged stands alone often enough.
        start = 2560 * (1 if rng.random() < 0.7 else rng.randrange(max(len(record) // 2560, 1)))
        record = record[:2560] + record[start : start + 2560 * rng.randint(1, 40)]
    for _ in range(rng.choice([1, 2, 5, 30])):
        # The first 700 bytes of a record hold nearly everything; so do those of the play's evaluations.
        start = rng.randrange(max(len(record) // 2560, 1)) * 2560
        place = start + rng.choice([8, rng.randrange(9, 130), rng.randrange(2560)])
        if place < len(record):
            value = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
            record[place : place + rng.choice([1, 1, 4])] = bytes([value]) * rng.choice([1, 1, 4])
    if rng.random() < 0.2:
        del record[rng.randrange(max(len(record), 1)) :]
    files["temp.xg"] = bytes(record)
    if rng.random() < 0.2:
        files["temp.xgr"] = rng.randbytes(2184 * rng.randint(0, 3))
        files["temp.xgc"] = rng.randbytes(
            rng.randint(0, 300)
        ) + b"{\\rtf1 {\\b x\\'e4\\u-5?}\\par}\r\n" * rng.randint(0, 3)
    return _xg_archive.pack(files, identity=rng.randbytes(16), title="", comment="")


def bombs() -> Iterator[bytes]:
    """Small files that unpack into large ones."""
    for size in (1 << 20, 1 << 28):
        packed = zlib.compress(b"\0" * min(size, 1 << 26))
        name = b"\x07temp.xg"
        entry = struct.pack("<256s256siiiIBBxx", name, b"", size, len(packed), 0, 0, 0, 2)
        directory = zlib.compress(entry)
        body = packed + directory
        trailer = struct.pack("<Iiiiii12x", zlib.crc32(body), 1, 1, len(directory), len(packed), 1)
        yield b"RGMH" + struct.pack("<iiqi", 1, 8232, 0, 0).ljust(8228, b"\0") + body + trailer


def check(data: bytes, name: str, *, forced: bool, thorough: bool = True) -> bool:
    """Read one file; whether that went well. Raises `AssertionError` for what must not happen."""
    start = time.perf_counter()
    try:
        reading = formats.read(data, format=name if forced else None)
    except GammonError:
        reading = None
    taken = time.perf_counter() - start
    assert taken < SLOWEST, f"{taken:.1f} s for {len(data)} bytes"
    if reading is None:
        return False
    for warning in reading.warnings:
        assert len(str(warning)) < 2_000, str(warning)[:200]
    if thorough:
        same(reading)
    return True


def same(reading: formats.Reading) -> None:
    """What was read is the same after JSON."""
    try:
        text, lost = formats.dumps(reading, "json")
    except GammonError as error:
        if "json" not in str(error).lower():
            raise
        return
    assert isinstance(text, str)
    assert not lost
    again = formats.read(text.encode(), format="json")
    assert again.matches == reading.matches


def run(name: str, count: int, seed: int, *, keep: Path | None = None) -> tuple[int, float, float]:
    """Read `count` damaged files of a format: how many were read, the seconds in all and of the slowest."""
    files = seeds(name)
    assert files, name
    for data in files:
        assert check(data, name, forced=True), name
    read = 0
    slowest = 0.0
    start = time.perf_counter()
    for i in range(count):
        rng = random.Random(seed * 1_000_003 + i)
        data = damaged(name, files, rng)
        begun = time.perf_counter()
        try:
            read += check(data, name, forced=i % 4 > 0, thorough=i % 3 == 0)
        except BaseException:
            if keep is not None:
                (keep / f"{name}-{seed}-{i}.bin").write_bytes(data)
            print(f"{name}: file {i} of seed {seed}")
            raise
        slowest = max(slowest, time.perf_counter() - begun)
    return read, time.perf_counter() - start, slowest


CORPUS = Path(__file__).parent / "data" / "formats" / "corpus.zip"
"""Damaged files, each of which reaches lines that those before it do not; `--guided` adds to them."""

SMALL = {"xg": 40_000}
"""Bytes of the largest file that is kept in the corpus, 4,000 of other formats."""


def corpus() -> dict[str, list[bytes]]:
    """The files of the corpus by format."""
    kept: dict[str, list[bytes]] = {}
    if CORPUS.exists():
        with zipfile.ZipFile(CORPUS) as packed:
            for name in packed.namelist():
                kept.setdefault(name.partition("/")[0], []).append(packed.read(name))
    return kept


def save(kept: dict[str, list[bytes]]) -> None:
    """Write the corpus, the same bytes for the same files."""
    with zipfile.ZipFile(CORPUS, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(kept):
            for i, data in enumerate(kept[name]):
                packed.writestr(zipfile.ZipInfo(f"{name}/{i:04}"), data, zipfile.ZIP_DEFLATED)


def reached(data: bytes, name: str) -> set[tuple[str, int]]:
    """The lines of the readers that reading a file goes through."""
    lines: set[tuple[str, int]] = set()
    folder = str(Path(formats.__file__).parent)

    def inside(frame: FrameType, event: str, argument: object) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    def calls(frame: FrameType, event: str, argument: object) -> Any:
        return inside if frame.f_code.co_filename.startswith(folder) else None

    sys.settrace(calls)
    try:
        check(data, name, forced=True, thorough=False)
    finally:
        sys.settrace(None)
    return lines


def guided(name: str, seconds: float, seed: int) -> tuple[int, int, int]:
    """Damage files that reached new lines again and again: how many were tried and kept, lines reached."""
    kept = corpus()
    known = [data for data in kept.get(name, []) if len(data) <= SMALL.get(name, 4_000)]
    pool = [*seeds(name), *known]
    lines: set[tuple[str, int]] = set()
    for data in pool:
        lines |= reached(data, name)
    rng = random.Random(seed)
    tried = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = damaged(name, pool, rng)
        tried += 1
        new = reached(data, name) - lines
        if new and len(data) <= SMALL.get(name, 4_000):
            lines |= new
            pool.append(data)
            known.append(data)
    kept[name] = known
    save(kept)
    return tried, len(known), len(lines)


READERS = [name for name, one in formats.FORMATS.items() if one.read is not None and name != "xgp"]


def main() -> None:
    """Read as many damaged files of every format as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", choices=READERS)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", type=float, default=0.0, help="seconds for every reader")
    parser.add_argument("--keep", type=Path, help="a folder for files that fail")
    asked = parser.parse_args()
    for name in [asked.format] if asked.format else READERS:
        if asked.guided:
            tried, kept, lines = guided(name, asked.guided, asked.seed)
            print(f"{name:9} {tried} files in {asked.guided:.0f} s, {kept} kept, {lines} lines reached")
            continue
        read, seconds, slowest = run(name, asked.files, asked.seed, keep=asked.keep)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = f"{read} of them read, slowest {slowest:.2f} s, memory {peak:.0f} MB"
        print(f"{name:9} {asked.files} files in {seconds:.0f} s, {told}")


if __name__ == "__main__":
    main()
