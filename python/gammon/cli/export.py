"""`gammon export anki FILE...`: cards for the errors of matches."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from gammon import anki as decks
from gammon import formats
from gammon.analysis import Analysis, Store, analyse
from gammon.cli._common import Cache, Json, Plies, Threads, emit, file_name, replaceable
from gammon.cli._matches import Report, matches_of, not_judged, skipped
from gammon.errors import GammonError, SettingError

app = typer.Typer(help="Write what was found for other programs.", no_args_is_help=True)


@app.callback()
def export() -> None:
    """Write what was found for other programs."""


@app.command()
def anki(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Matches: files, folders and patterns.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", parser=file_name, metavar="FILE", help="The package to write."),
    ] = Path("gammon.apkg"),
    plies: Plies = 2,
    least: Annotated[
        float, typer.Option(min=0.001, help="From which size on an error is a card, in points of equity.")
    ] = 0.08,
    player: Annotated[
        str | None,
        typer.Option(
            help="Whose errors: a name, or seat 0 or 1; by default both players'.", show_default=False
        ),
    ] = None,
    deck: Annotated[str, typer.Option(help="The deck's name.")] = "gammon",
    cache: Cache = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the package if it exists.")] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write an Anki package with a card for every error of the matches.

    Importing a later package adds what is new and leaves the cards that are there, and notes written on them.
    A package that exists is replaced only with --force, and none is written if no match was read.
    """
    paths = _inputs(files, output)
    replaceable(output, force=force)
    asked = {"plies": plies, "luck": False, "threads": threads}
    report = Report(asked, least, shown=0, as_json=as_json)
    store = None if cache is None else Store(cache)
    cards: dict[str, decks.Card] = {}
    known = False
    try:
        for found in _judged(paths, report, store):
            for seat in _seats(found, player):
                known = True
                cards.update({card.guid: card for card in decks.cards(found, least=least, player=seat)})
    finally:
        if store is not None:
            store.close()
    if player is not None and report.matches and not known:
        raise SettingError(f"no player {player!r} in these matches")
    # Without a match there is nothing to write, and nothing to replace a package with.
    count = decks.write(output, cards.values(), deck=deck) if report.matches else 0
    _tell(output, count, report)
    if report.failed or report.left_out or not report.matches:
        raise typer.Exit(1)


def _inputs(files: list[str], output: Path) -> list[str]:
    """Return the files to read. Raises `SettingError` if the package would be written over one of them."""
    paths = []
    for path in formats.find(files, skipped=skipped):
        if not output.exists() or not os.path.exists(path) or not os.path.samefile(path, output):
            paths.append(path)
        elif path in files or formats.sniff(path) is not None:
            raise SettingError(f"{output} is one of the files to read: give another --output")
        # Or else it is the last package, which lies in the folder of the matches.
    return paths


def _judged(paths: list[str], report: Report, store: Store | None) -> Iterator[Analysis]:
    """Judge the matches of the files; what cannot be read or judged is named and left out."""
    for path in paths:
        for number, match in enumerate(matches_of(path, report), 1):
            try:
                found = analyse(match, store=store, **report.asked)
            except GammonError as error:
                report.left_out += 1
                typer.echo(not_judged(path, number, error), err=True)
                continue
            report.matches += 1
            yield found


def _tell(output: Path, count: int, report: Report) -> None:
    if report.as_json:
        file = str(output) if report.matches else None
        failed = {"failed": len(report.failed), "left_out": report.left_out}
        emit({"file": file, "cards": count, "matches": report.matches, **failed})
    elif report.matches:
        typer.echo(f"{count} cards of {report.matches} matches in {output}")
    else:
        typer.echo("gammon: no match to make cards of: nothing written", err=True)


def _seats(found: Analysis, player: str | None) -> list[int]:
    """Return the seats that are meant, of one match."""
    if player is None:
        return [0, 1]
    if player in ("0", "1"):
        return [int(player)]
    return [seat for seat in (0, 1) if found.players[seat].casefold() == player.casefold()]
