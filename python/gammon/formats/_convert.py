"""Converting many files: one after another, so that memory stays flat, and none stops the rest."""

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gammon._files import replaces
from gammon._names import reason_of
from gammon.errors import GammonError, SettingError
from gammon.formats._reading import FileWarning
from gammon.formats._registry import FORMATS
from gammon.formats._source import PathLike
from gammon.formats._use import find, format_of, read, write


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What became of one file."""

    source: str
    target: str = ""
    """The file that was written; empty if none was, because of an error or as `source` is no regular file."""
    format: str = ""
    """The format it was read from."""
    matches: int = 0
    positions: int = 0
    warnings: tuple[FileWarning, ...] = ()
    lost: list[str] = field(default_factory=list)
    """What the new format cannot hold."""
    error: str = ""
    """Why it was not converted; empty if it was."""


def convert(
    sources: Sequence[PathLike], target: PathLike, *, format: str | None = None, overwrite: bool = False
) -> Iterator[Converted]:
    """Convert files, folders and patterns, one after another, saying of each what became of it.

    `target` is a file if there is one source, which is a file, and `target` is no folder; or else a folder,
    which is made, and `format` says what the files in it are. Files of a folder keep their place below it. A
    file that cannot be read or written does not stop the others, and what is no regular file is left out with
    a warning. An existing file is left alone unless `overwrite`; a pipe or /dev/stdout is written to.

    Raises `SettingError` for an unknown format, or a folder without one.
    """
    to = Path(target)
    paths = [os.fspath(source) for source in sources]
    into_folder = (
        to.is_dir()
        or len(paths) != 1
        or _may_be_many(paths[0])
        or (format is not None and not to.suffix and not to.exists())
    )
    if format is None and into_folder:
        raise SettingError(
            f"give a format for the files in the folder {os.fspath(target)!r}: one of {', '.join(FORMATS)}"
        )
    name = format or format_of(to)
    if name not in FORMATS:
        raise SettingError(f"format must be one of {', '.join(FORMATS)}, got {name!r}")
    return _converted(paths, to, name, into_folder=into_folder, overwrite=overwrite)


def _may_be_many(path: str) -> bool:
    return os.path.isdir(path) or (glob.has_magic(path) and not os.path.isfile(path))


def _converted(
    paths: list[str], to: Path, name: str, *, into_folder: bool, overwrite: bool
) -> Iterator[Converted]:
    written: set[Path] = set()
    extension = (FORMATS[name].extensions or ("txt",))[0]
    skipped: list[str] = []
    for path in paths:
        for source in find([path], skipped=skipped.append):
            target = to
            if into_folder:
                below = os.path.relpath(source, path) if os.path.isdir(path) else os.path.basename(source)
                target = _free(to / Path(below).with_suffix(f".{extension}"), written)
            written.add(target)
            yield from _left_out(skipped)
            yield _one(source, target, name, overwrite=overwrite)
        yield from _left_out(skipped)


def _left_out(skipped: list[str]) -> Iterator[Converted]:
    """Take the names of what is no regular file, and say of each that it was not read."""
    while skipped:
        yield Converted(source=skipped.pop(0), warnings=(FileWarning("", "no regular file: left out"),))


def _free(target: Path, written: set[Path]) -> Path:
    """Return a name that no file converted before has: two may differ in their extensions alone."""
    number = 2
    found = target
    while found in written:
        found = target.with_stem(f"{target.stem}-{number}")
        number += 1
    return found


def _one(source: str, target: Path, name: str, *, overwrite: bool) -> Converted:
    try:
        reading = read(source)
    except (GammonError, OSError) as error:
        return Converted(source=source, error=reason_of(error))
    found = {
        "source": source,
        "format": reading.format,
        "matches": len(reading.matches),
        "positions": len(reading.positions),
        "warnings": reading.warnings,
    }
    if target.exists() and replaces(target) and not overwrite:
        return Converted(**found, error=f"{target} exists already")  # type: ignore[arg-type]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lost = write(reading, target, format=name)
    except (GammonError, OSError) as error:
        return Converted(**found, error=reason_of(error))  # type: ignore[arg-type]
    return Converted(**found, target=os.fspath(target), lost=lost)  # type: ignore[arg-type]
