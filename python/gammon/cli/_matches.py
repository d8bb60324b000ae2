"""`gammon analyze FILE...`: matches judged, one after the other; a bad file never stops the rest."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from gammon import formats
from gammon._names import reason_of
from gammon.analysis import Analysis, Store, Thresholds, analyse, count
from gammon.cli._common import emit
from gammon.cli._pages import Pages
from gammon.cli._progress import bar
from gammon.errors import GammonError, Stopped
from gammon.match import Match, Session

_MATCHES = {
    f".{extension}" for one in formats.FORMATS.values() for extension in one.extensions if extension != "txt"
}
"""Endings of names that only files of matches have."""


@dataclass
class Report:
    """What is asked about matches, and what became of the files."""

    asked: dict[str, Any]
    """What `analyse` is to take."""
    least: float
    shown: int
    """How many of each player's errors are told."""
    as_json: bool
    pages: Pages | None = None
    """Where reports go, if they are wanted."""
    matches: int = 0
    failed: list[str] = field(default_factory=list)
    left_out: int = 0
    """Matches that could not be judged."""
    stopped: bool = False


def is_about_matches(arguments: Sequence[str]) -> bool:
    """Whether arguments name files of matches, and not an identifier or a file of identifiers."""
    if len(arguments) > 1:
        return True
    argument = arguments[0]
    try:
        if Path(argument).is_dir():
            return True
        if not Path(argument).is_file():
            return "*" in argument and any(True for _ in formats.find([argument]))
    except (OSError, ValueError):  # too long for a name, say
        return False
    found = formats.sniff(argument)
    # What is named like a match and is none is better told so than as a file of identifiers.
    return Path(argument).suffix.lower() in _MATCHES if found is None else found != "text"


def analyze_files(arguments: Sequence[str], report: Report, cache: Path | None) -> None:
    """Judge every match of the files, folders and patterns; exit status 1 if one could not be.

    Raises `Stopped` after Ctrl-C, when what was judged by then has been told.
    """
    _try(report.asked)
    store = None if cache is None else Store(cache)
    try:
        for path in formats.find(arguments, skipped=skipped):
            if report.stopped:
                break
            _file(path, report, store)
    finally:
        if store is not None:
            store.close()
    if report.matches + report.left_out + len(report.failed) != 1:
        left_out = f", {report.left_out} matches left out" if report.left_out else ""
        typer.echo(
            f"{report.matches} matches judged, {len(report.failed)} files not read{left_out}", err=True
        )
    if report.stopped:
        raise Stopped
    if report.failed or report.left_out or not report.matches:
        raise typer.Exit(1)


def _try(asked: dict[str, Any]) -> None:
    """Judge a beginning quickly: what is wrong with the settings is to be said once, not of every match."""
    session = Session()
    game = session.new_game()
    game.roll("31", player=0)
    game.play("8/5 6/5")
    game.roll("62")
    analyse(session, **{**asked, "plies": 0, "rollouts": None})


def matches_of(path: str, report: Report) -> tuple[Match | Session, ...]:
    """Return the matches of a file; what is wrong with it is told and counted."""
    try:
        reading = formats.read(path)
    except (GammonError, OSError) as error:
        report.failed.append(path)
        typer.echo(f"gammon: {path}: {reason_of(error)}", err=True)
        return ()
    for warning in reading.warnings:
        typer.echo(f"{path}: {warning}", err=True)
    if not reading.matches:
        report.failed.append(path)
        typer.echo(f"gammon: {path}: no match in it", err=True)
    return reading.matches


def _file(path: str, report: Report, store: Store | None) -> None:
    for number, match in enumerate(matches_of(path, report), 1):
        if report.stopped:
            return
        try:
            _match(path, match, report, store)
        except GammonError as error:
            report.left_out += 1
            typer.echo(not_judged(path, number, error), err=True)


def skipped(path: str) -> None:
    """Say that something in a folder was not read."""
    typer.echo(f"{path}: no regular file: left out", err=True)


def not_judged(path: str, number: int, error: GammonError) -> str:
    """Return what is said of a match that cannot be judged, the others of its file counted too."""
    return f"gammon: {path}: match {number} left out: {error}"


def _match(path: str, match: Match | Session, report: Report, store: Store | None) -> None:
    page = None if report.pages is None else report.pages.place(path)
    luck = report.asked.get("luck", True)
    wanted, judged = count(match, luck=luck), 0
    with bar("judged", wanted, shown=not report.as_json and sys.stderr.isatty()) as update:

        def progress(done: int) -> bool:
            nonlocal judged
            judged = done
            return update(done, "")

        found = analyse(match, store=store, progress=progress, **report.asked)
    report.matches += 1
    report.stopped = not found.is_complete
    if report.stopped:
        how_far = (
            f"after {judged:,} of {wanted:,} decisions and rolls" if judged < wanted else "in its rollouts"
        )
        typer.echo(f"{path}: Stopped {how_far}.", err=True)
    if report.pages is not None and page is not None:
        report.pages.write(page, found.to_html(match))
    if report.as_json:
        written = {} if page is None else {"html": str(page)}
        emit({"file": path, **written, **found.to_dict(), "ratings": _ratings(found)})
        return
    length = f"{match.length}-point match" if match.length else "money session"
    about = ", ".join(text for text in (match.event, match.place, match.date) if text)
    typer.echo(f"{path}: {length}{f', {about}' if about else ''}; {found.settings.plies}-ply\n\n{found}")
    for player in (0, 1):
        errors = found.errors(player, at_least=report.least)
        if errors[: report.shown]:
            typer.echo(
                f"\n{found.label(player)}: {len(errors)} errors of {report.least:g} or more, the worst"
            )
        for decision in errors[: report.shown]:
            place = f"game {found.games[decision.game].number}"
            typer.echo(f"{-decision.error:+.3f}  {decision.made.name}, better {decision.best.name} ({place})")
            typer.echo(f"        {decision.id}")
    if page is not None:
        typer.echo(f"\nreport: {page}")
    typer.echo("")


def _ratings(found: Analysis) -> list[dict[str, float | None]]:
    rules = ("xg", "gnubg", "snowie")
    return [{rule: found.rating(player, rule).value for rule in rules} for player in (0, 1)]


def thresholds(least: float) -> Thresholds:
    """Return the usual thresholds, the lowest at `least` if that is lower."""
    usual = Thresholds()
    return usual if least >= usual.doubtful else Thresholds(doubtful=max(least, 1e-6))
