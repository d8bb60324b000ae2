"""Where the reports of matches are written: a file, or a folder with a page for each."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from gammon._files import replaces, replacing, writable
from gammon.cli._common import tell_beside
from gammon.errors import SettingError

_ENDINGS = (".html", ".htm")


@dataclass
class Pages:
    """The pages of one run of a command."""

    target: Path
    """A file if it ends in .html or is not replaced, as /dev/stdout; anything else is a folder."""
    force: bool
    """Whether pages that exist are replaced."""
    written: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse at once what could not be written after all the work."""
        if not self._is_file:
            if self.target.exists() and not self.target.is_dir():
                raise SettingError(
                    f"{self.target} is a file: a page ends in .html, else --html names a folder"
                )
            self.target.mkdir(parents=True, exist_ok=True)
            return
        self._check(self.target)
        writable(self.target)
        tell_beside(self.target)

    @property
    def _is_file(self) -> bool:
        return self.target.suffix.lower() in _ENDINGS or self._is_stream

    @property
    def _is_stream(self) -> bool:
        """Whether all pages go where none is replaced, as to /dev/stdout."""
        return not replaces(self.target) and not self.target.is_dir()

    def _check(self, path: Path) -> None:
        if path.is_dir():
            raise SettingError(f"{path} is a folder: a page needs another name")
        if path.exists() and replaces(path) and not self.force:
            raise SettingError(f"{path} exists: say --force to replace it")

    def place(self, source: str) -> Path:
        """Return where the page of the next match goes, one of the file `source`.

        Raises `SettingError` if that would replace a file that is read, or without `force` any file.
        """
        if self._is_stream:
            return self.target
        first = self.target if self._is_file else self.target / f"{Path(source).stem}.html"
        path, number = first, 1
        while path in self.written:
            number += 1
            path = first.with_stem(f"{first.stem}-{number}")
        self._check(path)
        if path.exists() and os.path.exists(source) and os.path.samefile(path, source):
            raise SettingError(f"{path} is the file that is read: give another --html")
        return path

    def write(self, path: Path, page: str) -> None:
        """Write a page, whole or not at all. Raises `OSError`."""
        with replacing(path) as part:
            part.write_text(page, encoding="utf-8")
        self.written.append(path)
