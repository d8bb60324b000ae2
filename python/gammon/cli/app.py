"""The list of commands."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gammon import __version__
from gammon.cli import (
    analyze,
    bearoff,
    bench,
    board,
    convert,
    cube,
    duel,
    export,
    find,
    fit,
    hypergammon,
    label,
    met,
    perft,
    play,
    plays,
    reference,
    rollout,
    strength,
    train,
    ubgi,
    verify,
)
from gammon.errors import Stopped


class Commands(TyperGroup):
    """All commands: one that was stopped says so, after what it has told of what was done by then."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; one that Ctrl-C has stopped has exit status 130, with a result or without."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, Stopped):
            typer.echo("gammon: stopped", err=True)
            raise typer.Exit(130) from None


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"gammon {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="gammon",
    cls=Commands,
    help="Backgammon: legal plays, boards, evaluation and rollouts.\n\n"
    "ID is an XGID, a Position ID, a Position ID and a Match ID joined by a colon, a FIBS board line, an "
    "OGID, or the word 'start'.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take what comes before the command."""


for command in (
    analyze.analyze,
    plays.plays,
    board.board,
    perft.perft,
    rollout.rollout,
    convert.convert,
    find.find,
    cube.cube,
    bench.bench,
    train.train,
    strength.strength,
    duel.duel,
    label.label,
    fit.fit,
    bearoff.race,
    verify.verify,
    play.play,
    ubgi.ubgi,
):
    app.command()(command)

app.add_typer(bearoff.app, name="bearoff")
app.add_typer(hypergammon.app, name="hypergammon")
app.add_typer(met.met, name="met")
app.add_typer(reference.reference, name="reference")
app.add_typer(export.app, name="export")
