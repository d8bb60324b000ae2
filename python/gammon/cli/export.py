"""`gammon export anki FILE...`: cards for the errors of matches."""

from pathlib import Path
from typing import Annotated

import typer

from gammon import anki as decks
from gammon import formats
from gammon.analysis import Analysis, Store, analyse
from gammon.cli._common import Json, Plies, Threads, emit
from gammon.errors import GammonError, SettingError

app = typer.Typer(help="Write what was found for other programs.", no_args_is_help=True)


@app.callback()
def export() -> None:
    """Write what was found for other programs."""


@app.command()
def anki(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Matches: files, folders and patterns.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The package to write.")] = Path(
        "gammon.apkg"
    ),
    plies: Plies = 2,
    least: Annotated[float, typer.Option(min=0.001, help="From which size on an error is a card.")] = 0.08,
    player: Annotated[
        str | None,
        typer.Option(
            help="Whose errors: a name, or seat 0 or 1; by default both players'.", show_default=False
        ),
    ] = None,
    deck: Annotated[str, typer.Option(help="The deck's name.")] = "gammon",
    cache: Annotated[
        Path | None,
        typer.Option(help="A file for what was judged, found there another time.", show_default=False),
    ] = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write an Anki package with a card for every error of the matches.

    Importing a later package adds what is new and leaves the cards that are there, and notes written on them.
    """
    store = None if cache is None else Store(cache)
    cards: dict[str, decks.Card] = {}
    matches, failed, known = 0, 0, False
    try:
        for path in formats.find(files):
            try:
                reading = formats.read(path)
            except (GammonError, OSError) as error:
                typer.echo(f"gammon: {path}: {error}", err=True)
                failed += 1
                continue
            for match in reading.matches:
                found = analyse(match, plies=plies, luck=False, store=store, threads=threads)
                matches += 1
                for seat in _seats(found, player):
                    known = True
                    cards.update({card.guid: card for card in decks.cards(found, least=least, player=seat)})
    finally:
        if store is not None:
            store.close()
    if player is not None and matches and not known:
        raise SettingError(f"no player {player!r} in these matches")
    count = decks.write(output, cards.values(), deck=deck)
    if as_json:
        emit({"file": str(output), "cards": count, "matches": matches, "failed": failed})
    else:
        typer.echo(f"{count} cards of {matches} matches in {output}")
    if failed:
        raise typer.Exit(1)


def _seats(found: Analysis, player: str | None) -> list[int]:
    """Return the seats that are meant, of one match."""
    if player is None:
        return [0, 1]
    if player in ("0", "1"):
        return [int(player)]
    return [seat for seat in (0, 1) if found.players[seat].casefold() == player.casefold()]
