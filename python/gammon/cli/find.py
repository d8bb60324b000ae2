"""`gammon find PATTERN FILES...`: positions and decisions of a kind, in any number of files."""

import dataclasses
import sys
from typing import Annotated

import typer

from gammon import Situation, patterns
from gammon.analysis import Analysis, Store, analyse
from gammon.cli import _progress
from gammon.cli._common import Cache, Json, Threads, emit
from gammon.cli._matches import skipped
from gammon.errors import SettingError, Stopped
from gammon.match import Series
from gammon.patterns import Found, Searched

SHOWN = 10
"""Warnings of a file that are printed."""


def find(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="Such as 'race and lead < -8'.")],
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Files, folders and patterns: matches and positions in any format, or what "
            "gammon analyze --json has written.",
        ),
    ],
    plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=4,
            help="Judge matches first, so many rolls ahead, for patterns with error or luck; by default "
            "these are what the file says.",
            show_default=False,
        ),
    ] = None,
    cache: Cache = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="End after so many are found.", show_default=False)
    ] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print identifiers alone, a line each.")] = False,
    count: Annotated[bool, typer.Option("--count", help="Print how many there are, and no more.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board of each.")] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Find positions and decisions that fit a pattern; docs/patterns.md lists what one may ask.

    Files are taken one after another, so that any number needs no more memory than one. A file that cannot be
    read does not stop the others; the exit status is then 1.
    """
    if cache is not None and plies is None:
        raise SettingError("--cache is for what is judged: give --plies")
    store = None if cache is None else Store(cache)
    told = _Told(limit=limit, ids=ids, count=count, boards=boards, as_json=as_json)
    with _progress.interruptible() as stopped:

        def judge(match: Series) -> Analysis:
            found = analyse(
                match, plies=plies or 0, store=store, threads=threads, progress=lambda done: not stopped()
            )
            told.stopped = not found.is_complete
            return found

        try:
            found = patterns.search(pattern, files, judge=None if plies is None else judge, skipped=skipped)
            for one in found:
                if told.stopped or not told.takes(one) or stopped():
                    break
        finally:
            if store is not None:
                store.close()
        told.stopped = told.stopped or stopped()
    told.end()


@dataclasses.dataclass
class _Told:
    """What is printed, and the sums that are told at the end."""

    limit: int | None
    ids: bool
    count: bool
    boards: bool
    as_json: bool
    found: int = 0
    looked_at: int = 0
    matches: int = 0
    failed: int = 0
    stopped: bool = False
    unjudged: int = 0
    """Matches without the errors or luck that the pattern asks for."""
    last: str = ""
    """The file that was told of last."""
    files: int = 0

    def takes(self, one: Searched) -> bool:
        """Print what was found in a match; whether there may be more."""
        if one.source != self.last:
            self.last = one.source
            self.files += 1
        if one.error:
            self.failed += 1
            _say(f"gammon: {one.source}: {one.error}", err=True)
            return True
        for warning in one.warnings[:SHOWN]:
            _say(f"{one.source}: {warning}", err=True)
        if len(one.warnings) > SHOWN:
            _say(f"{one.source}: and {len(one.warnings) - SHOWN} more warnings", err=True)
        self.looked_at += one.looked_at
        self.matches += bool(one.match)
        self.unjudged += one.unjudged
        for hit in one.found:
            if self.limit is not None and self.found >= self.limit:
                return False
            self.found += 1
            if not self.count:
                self._print(one, hit)
        return self.limit is None or self.found < self.limit

    def _print(self, one: Searched, hit: Found) -> None:
        if self.as_json:
            emit({"file": one.source, "match": one.match, **dataclasses.asdict(hit)})
        elif self.ids:
            typer.echo(hit.id)
        else:
            _say(f"{hit.id}  {_where(one, hit)}")
            if self.boards:
                typer.echo(Situation(hit.id).draw() + "\n")

    def end(self) -> None:
        """Tell the sums; exit status 1 if a file was not searched, or there was none.

        Raises `Stopped` if it was.
        """
        if self.count:
            if self.as_json:
                emit(
                    {
                        "found": self.found,
                        "looked_at": self.looked_at,
                        "matches": self.matches,
                        "failed": self.failed,
                    }
                )
            else:
                typer.echo(str(self.found))
        if self.stopped:
            typer.echo(f"Stopped after {self.looked_at:,} positions and decisions.", err=True)
        elif not self.files:
            typer.echo("gammon: no files found", err=True)
        elif not self.as_json:
            typer.echo(
                f"{self.found} found among {self.looked_at} in {self.matches} matches of {self.files} files, "
                f"{self.failed} not read",
                err=True,
            )
        if self.unjudged and self.unjudged == self.matches:
            typer.echo("gammon: nobody has judged these: add --plies 0 (or 1, 2)", err=True)
        if self.stopped:
            raise Stopped
        if self.failed or not self.files:
            raise typer.Exit(1)


def _say(text: str, *, err: bool = False) -> None:
    """Print a line, whatever names are in it: what the stream has no signs for is escaped."""
    try:
        typer.echo(text, err=err)
    except UnicodeEncodeError:
        encoding = (sys.stderr if err else sys.stdout).encoding or "ascii"
        typer.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def _where(one: Searched, hit: Found) -> str:
    parts = [one.source]
    if hit.game:
        match = f"match {one.match}, " if one.match > 1 else ""
        parts.append(f"{match}game {hit.game}" + (f", turn {hit.turn}" if hit.turn else ""))
    if hit.kind:
        parts.append(f"{hit.name or f'seat {hit.player}'} {_deed(hit)}")
    return ": ".join(parts)


def _deed(hit: Found) -> str:
    words = {"roll": "rolled", "play": "played", "double": "doubled", "take": "took", "pass": "passed"}
    deed = words.get(hit.kind, f"{hit.kind}ed")
    if hit.kind == "play":
        deed = "could not move" if hit.made == "pass" else f"{deed} {hit.made}"
    return deed + (f" ({-hit.error:+.3f})" if hit.error else "")
