"""Files that are written whole or not at all."""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

__all__ = ["part_beside", "replacing"]


def part_beside(target: Path) -> Path:
    """Make a new, empty file in the folder of another, under a name that nothing else has.

    Its rights are those of any new file, or those of the other file, if that exists. Raises `OSError`, which
    names the other file, if none can be made.
    """
    while True:
        part = target.with_name(f".gammon-{secrets.token_hex(8)}.part")
        try:
            with part.open("xb"):
                pass
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = os.fspath(target)
            raise
        with contextlib.suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(target.stat().st_mode) | stat.S_IWUSR)
        return part


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a new file to write to, which takes the place of the file `path` when the block has ended.

    Until then, and if it raises, the file at `path` stays as it is, and nothing else in its folder is
    touched. A link is followed. What is there and is no regular file, such as a pipe or a terminal, is given
    itself.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    part = part_beside(target)
    try:
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
