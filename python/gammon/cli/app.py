"""The list of commands."""

import contextlib
import sys
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
            with contextlib.redirect_stdout(sys.stdout):  # where it leads to afterwards, see `tell_beside`
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


for command, told in (
    (play.play, "Play against gammon, at the terminal."),
    (analyze.analyze, "Judge plays, cube decisions and whole matches."),
    (rollout.rollout, "Roll out positions, plays and cube decisions."),
    (cube.cube, "Say whether to double and to take."),
    (plays.plays, "List the legal plays of a roll."),
    (board.board, "Draw a position, as text or as a picture."),
    (bearoff.race, "Count a race by every method."),
    (find.find, "Find positions and decisions of a kind in files."),
    (convert.convert, "Write identifiers and files in other formats."),
    (verify.verify, "Check the dice of a match."),
    (ubgi.ubgi, "Answer programs that speak UBGI."),
    (duel.duel, "Let two players play many games."),
    (strength.strength, "Measure how good nets are."),
    (train.train, "Train a net by self-play."),
    (label.label, "Make training data by looking ahead."),
    (fit.fit, "Fit a net to training data."),
    (bench.bench, "Measure how fast this machine is."),
    (perft.perft, "Count positions, to check move generation."),
):
    app.command(short_help=told)(command)

app.add_typer(bearoff.app, name="bearoff")
app.add_typer(hypergammon.app, name="hypergammon")
app.add_typer(met.met, name="met")
app.add_typer(reference.reference, name="reference")
app.add_typer(export.app, name="export")
