"""`gammon label CONFIG OUT`: make training data."""

from pathlib import Path
from typing import Annotated

import typer

from gammon import evaluators
from gammon._native import label_games
from gammon.cli import _progress
from gammon.cli._common import Json, Threads, emit, file_name, keepable, settings_in
from gammon.errors import Stopped
from gammon.training import Labelled, label_settings


def label(
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG",
            help="A file of settings, one 'name = value' a line; docs/training-data.md lists them.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[
        Path, typer.Argument(parser=file_name, metavar="OUT", help="The file of training data to make.")
    ],
    strong: Annotated[
        Path | None,
        typer.Option(help="The net that values positions; by default the packaged one.", show_default=False),
    ] = None,
    quick: Annotated[
        Path | None,
        typer.Option(
            help="The net that plays and picks replies; by default the strong one.", show_default=False
        ),
    ] = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Make training data: positions of games with exploration, valued by looking ahead.

    An OUT begun with the same settings and nets is continued; anything else is left alone. Ctrl-C stops,
    and the same command then goes on. The same settings give the same file on any number of threads.

    Races are valued by bear-off tables, not by the strong net.
    """
    keepable(out)
    settings = label_settings(settings_in(config))
    net = evaluators.strong() if strong is None else evaluators.load(strong)
    player = net if quick is None else evaluators.load(quick)
    teacher = evaluators.composite(contact=net)
    wanted = next(int(line.split("=")[1]) for line in settings.splitlines() if line.startswith("games ="))
    with _progress.bar("labelling", wanted, shown=not as_json) as update:
        made = Labelled(
            *label_games(
                out,
                settings,
                teacher,
                player,
                threads=threads,
                progress=lambda games: update(games, ""),
            )
        )
    if not made.complete:
        typer.echo(f"Stopped after {made.games:,} of {wanted:,} games.", err=True)
    if as_json:
        emit({"out": str(out), "games_wanted": wanted, **made._asdict(), "settings": settings})
    elif not made.complete:
        typer.echo(f"{made.positions:,} positions kept in {out} and {out}.part; run again to go on.")
    else:
        typer.echo(f"{made.positions:,} positions of {made.games:,} games in {out}.")
    if not made.complete:
        raise Stopped
