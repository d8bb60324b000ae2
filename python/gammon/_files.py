"""Files that are written whole or not at all."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

__all__ = ["replacing", "writable"]


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a new file to write to, which takes the place of the file `path` when the block has ended.

    Until then, and if it raises, the file at `path` stays as it is, and nothing else in its folder is
    touched. What was written is on the disk before it takes that place. A process that is killed leaves what
    it has written as a file `.gammon-….part` in that folder.

    The file keeps its rights, but neither its owner nor other names that it has (hard links). A link is
    followed. What is there and is no regular file, such as a pipe or a terminal, is given itself.

    Raises `PermissionError` for a file that must not be written, and any `OSError` of the folder.
    """
    if _is_special(path):
        yield Path(path)
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
    if _is_special(path):
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        _refuse_protected(Path(path))
        return
    target = Path(os.path.realpath(path))
    part = _part_beside(target)
    try:
        _begin(part, target)
    finally:
        part.unlink(missing_ok=True)


def _is_special(path: str | os.PathLike[str]) -> bool:
    """Whether something is there and is no regular file."""
    given = Path(path)  # not what it leads to: the link to a pipe names no file
    return given.exists() and not given.is_file()


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
