"""Judged decisions, kept for the next time."""

import json
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gammon._files import replaces
from gammon.errors import SettingError


class Store:
    """Judged decisions by everything they depend on, in memory or also in a file.

    An analysis that was stopped and is asked for again finds in it what it had done. The file grows by a
    line for every decision and may be shared by many matches; a last line that is cut off is left out. Close
    it, or use it in a `with` statement. One process at a time may use a file, as two would write over each
    other; threads of one process may share a `Store`.

    Raises `OSError` if the file cannot be read or written, `SettingError` if it is no such file, or no
    regular one named as such: `/dev/stdout` is none, though it may lead to one.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._values: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._file = None
        if path is None:
            return
        file = Path(path)
        whole = 0
        if not replaces(path):
            raise SettingError(f"{file} is no regular file, in which judged decisions could be kept")
        if file.exists():
            whole = self._read(file)
        self._file = file.open("r+b" if file.exists() else "w+b")
        self._file.truncate(whole)
        self._file.seek(whole)

    def _read(self, file: Path) -> int:
        """Read all whole lines; return how many bytes they are."""
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                entry = json.loads(line)
                self._values[entry["key"]] = entry["value"]
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise SettingError(f"{file}, line {number} is no judged decision: {error!r}") from error
        if whole == 0 and data:
            raise SettingError(f"{file} is no file of judged decisions")
        return whole

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> Any:
        """Return the value of a key; `None` if there is none."""
        return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value, which consists of what JSON knows."""
        with self._lock:
            self._values[key] = value
            if self._file is not None:
                self._file.write(json.dumps({"key": key, "value": value}).encode() + b"\n")

    def flush(self) -> None:
        """Write what is not yet in the file."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Write and close the file; what was kept can still be read."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
