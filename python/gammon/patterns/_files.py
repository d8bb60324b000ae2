"""Files of matches, positions and analyses searched one after the other, none of which stops the rest."""

import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gammon import formats
from gammon._names import reason_of
from gammon.analysis import Analysis
from gammon.analysis._plain import checked
from gammon.errors import FormatError, GammonError, SettingError
from gammon.formats import FileWarning
from gammon.match import Series
from gammon.patterns._find import Found, PatternLike, in_moments, in_situations, of_pattern
from gammon.patterns._language import Pattern
from gammon.patterns._rows import MomentRows, Seen, SituationRows, rows_of_analysis

PathLike = str | os.PathLike[str]

Judge = Callable[[Series], Analysis]
"""Judges a match before it is searched."""

_HEAD = 65_536
_LONGEST_LINE = 256 << 20
"""Bytes of a line of an analysis, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What became of one match, or of the positions of one file."""

    source: str
    """The file."""
    match: int = 0
    """Which match of it, from 1; 0 if it is none."""
    looked_at: int = 0
    """How many decisions, or positions, were looked at."""
    found: tuple[Found, ...] = ()
    warnings: tuple[FileWarning, ...] = ()
    """What was odd in the file, beside the first match of it."""
    error: str = ""
    """Why it was not searched; empty if it was."""
    unjudged: bool = False
    """Whether the pattern asks for `error` or `luck`, and the file has not one for this match."""


def search(
    pattern: PatternLike,
    sources: Sequence[PathLike],
    *,
    judge: Judge | None = None,
    skipped: Callable[[str], object] | None = None,
) -> Iterator[Searched]:
    """Search files, folders and patterns of names one after another; a result for every match.

    Files may hold matches or positions in any format gammon reads, or what `gammon analyze --json` has
    written, a line a match. One is in memory at a time, so that ten thousand need no more than one; a file
    that cannot be read or searched is told and does not stop the others. `judge` is asked for an analysis of
    each match, whose errors and luck then go before those of the file. `skipped` is as for `formats.find`.

    Raises `PatternError` for a pattern that cannot be understood.

    >>> from gammon.patterns import search
    >>> [(one.source, bool(one.error)) for one in search("race", ["no-such.mat"])]
    [('no-such.mat', True)]
    """
    asked = of_pattern(pattern)
    return _searched(asked, sources, judge, skipped)


def _searched(
    pattern: PatternLike,
    sources: Sequence[PathLike],
    judge: Judge | None,
    skipped: Callable[[str], object] | None,
) -> Iterator[Searched]:
    for path in formats.find(sources, skipped=skipped):
        try:
            yield from _file(pattern, path, judge)
        except _faults(pattern) as error:
            yield Searched(source=path, error=_reason(error))


def _faults(pattern: PatternLike) -> tuple[type[Exception], ...]:
    """Return the errors that are those of a file; other ones of a function may be its own."""
    known = (GammonError, OSError)
    broken = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError)
    return (*known, *broken) if isinstance(pattern, Pattern) else known


def _reason(error: Exception) -> str:
    """Return what is wrong with a file; Python's own words say too little without the name of the error."""
    known = isinstance(error, GammonError | OSError)
    return reason_of(error) if known else f"{type(error).__name__}: {error}"


def _file(pattern: PatternLike, path: str, judge: Judge | None) -> Iterator[Searched]:
    head = _head(path)
    if _holds_analyses(head):
        yield from _analyses(pattern, path)
        return
    reading = formats.read(path)
    warnings = reading.warnings
    for number, match in enumerate(reading.matches, 1):
        try:
            rows = MomentRows(match, None if judge is None else judge(match))
            found = tuple(in_moments(pattern, rows))
        except SettingError:
            raise
        except _faults(pattern) as error:
            yield Searched(source=path, match=number, warnings=warnings, error=_reason(error))
        else:
            yield Searched(
                source=path,
                match=number,
                looked_at=len(rows),
                found=found,
                warnings=warnings,
                unjudged=judge is None and _lacks_values(pattern, rows),
            )
        warnings = ()
    if reading.positions or not reading.matches:
        seen = [Seen(situation=one.situation, kind="") for one in reading.positions]
        found = tuple(in_situations(pattern, SituationRows(seen)))
        yield Searched(source=path, looked_at=len(seen), found=found, warnings=warnings)


def _lacks_values(pattern: PatternLike, rows: MomentRows) -> bool:
    asked = {"error", "luck"} & pattern.names if isinstance(pattern, Pattern) else frozenset[str]()
    return any(bool(np.isnan(rows[name]).all()) for name in asked)


def _head(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(_HEAD).lstrip()


def _holds_analyses(head: bytes) -> bool:
    if head.startswith(b'{"key": "') and b'"value": ' in head:
        raise FormatError("analysis", "a cache (--cache), not what gammon analyze --json prints")
    return head.startswith(b"{") and b'"gammon-analysis"' in head


def _analyses(pattern: PatternLike, path: str) -> Iterator[Searched]:
    """Search analyses as `gammon analyze --json` writes them, a line each."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(_lines(file), 1):
            if not line.strip():
                continue
            try:
                values = json.loads(line)
                rows = checked(partial(_rows, values))
            except (ValueError, RecursionError) as error:
                yield Searched(source=path, match=number, error=f"line {number}: {error}")
                continue
            source = values.get("file")
            yield Searched(
                source=source if isinstance(source, str) else path,
                match=number,
                looked_at=len(rows),
                found=tuple(in_situations(pattern, rows)),
            )


def _rows(values: Any) -> SituationRows:
    return rows_of_analysis(Analysis.from_dict(values))


def _lines(file: io.BufferedReader) -> Iterator[bytes]:
    """Go through the lines. Raises `FormatError` for one that no memory should have to hold."""
    while line := file.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:
            raise FormatError("analysis", f"a line is longer than {_LONGEST_LINE} bytes")
        yield line
