"""Files that are written whole or not at all."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["is_standard_output", "replaces", "replacing", "writable"]


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a new file to write to, which takes the place of the file `path` when the block has ended.

    Until then, and if it raises, the file at `path` stays as it is, and nothing else in its folder is
    touched. What was written is on the disk before it takes that place. A process that is killed leaves what
    it has written as a file `.gammon-….part` in that folder.

    The file keeps its rights, but neither its owner nor other names that it has (hard links). A link is
    followed. What `replaces` says is not replaced gets what was written when the block has ended, behind what
    this process has printed by then.

    Raises `PermissionError` for a file that must not be written, and any `OSError` of the folder.
    """
    if not replaces(path):
        writable(path)
        with tempfile.TemporaryDirectory(prefix="gammon-") as folder:
            part = Path(folder) / os.path.basename(path)
            part.touch()
            yield part
            _pass_on(part, path)
        return
    target = Path(os.path.realpath(path))
    part = _part_beside(target)
    try:
        rights = _begin(part, target)
        yield part
        with part.open("ab") as file:
            os.fsync(file.fileno())
        if rights is not None:
            with contextlib.suppress(OSError):  # some file systems know no rights
                part.chmod(rights)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def writable(path: str | os.PathLike[str]) -> None:
    """Raise now, rather than after the work, the `OSError` of a file that `replacing` could not replace.

    Whatever is there stays as it is. A folder is no file that could be written.
    """
    if not os.fspath(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "")
    if not replaces(path):
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        number = _descriptor(path)
        if number is None:
            _refuse_protected(Path(path))
        else:
            _refuse_open_for_reading(number, path)
        return
    target = Path(os.path.realpath(path))
    part = _part_beside(target)
    try:
        _begin(part, target)
    finally:
        part.unlink(missing_ok=True)


def replaces(path: str | os.PathLike[str]) -> bool:
    """Whether a file `path` would be a new one.

    It would not where something is that is no regular file, such as a pipe or a terminal, nor where `path`
    names an open file of this process, as /dev/stdout does, though that may lead to a regular file.
    """
    given = Path(path)  # not what it leads to: the link to a pipe names no file
    return _descriptor(path) is None and (given.is_file() or not given.exists())


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Whether what is written to `path` gets among what this process prints, as with /dev/stdout."""
    if replaces(path):
        return False
    try:
        return os.path.samestat(os.stat(path), os.fstat(1))
    except OSError:  # closed, say
        return False


_LINKS = 40
"""Links that are followed from one to the next; Linux follows as many."""


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """Return the number of the open file of this process that a path names, if it does."""
    own = ("/dev/fd", f"/proc/{os.getpid()}/fd")
    link = os.fspath(path)
    for _ in range(_LINKS):
        folder, name = os.path.split(link)
        folder = os.path.realpath(folder)
        if folder in own and name.isascii() and name.isdecimal():
            return int(name)
        try:
            link = os.path.join(folder, os.readlink(os.path.join(folder, name)))
        except OSError:  # no link
            break
    return None


def _pass_on(part: Path, path: str | os.PathLike[str]) -> None:
    """Write what is in a file to what is not replaced."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as in a program without a terminal
            stream.flush()
    with part.open("rb") as source, _opened(path) as target:
        shutil.copyfileobj(source, target)


def _opened(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open what is not replaced; a file of this process as it is, and so at the place it has come to."""
    number = _descriptor(path)
    return Path(path).open("wb") if number is None else os.fdopen(os.dup(number), "wb")


def _part_beside(target: Path) -> Path:
    """Return a name in the folder of a file that nothing has: so many random bits are thrown once."""
    return target.with_name(f".gammon-{secrets.token_hex(16)}.part")


def _begin(part: Path, target: Path) -> int | None:
    """Create a part, open to nobody the file is closed to; return the rights of a file that exists."""
    try:
        rights = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        rights = None
    else:
        _refuse_protected(target)
    mode = 0o666 if rights is None else (rights & 0o777) | stat.S_IRUSR | stat.S_IWUSR
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    except OSError as error:
        error.filename = os.fspath(target)  # the one that was asked for
        raise
    return rights


def _refuse_protected(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))


def _refuse_open_for_reading(number: int, path: str | os.PathLike[str]) -> None:
    try:
        os.write(number, b"")
    except OSError as error:
        error.filename = os.fspath(path)
        raise
