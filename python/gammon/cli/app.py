"""The list of commands."""

import typer

from gammon.cli import analyze, bearoff, bench, board, convert, cube, met, perft, plays, rollout, train

app = typer.Typer(
    name="gammon",
    help="Backgammon: legal plays, boards, evaluation and rollouts.\n\n"
    "ID is an XGID, a Position ID, a Position ID and a Match ID joined by a colon, a FIBS board line, or the "
    "word 'start'.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (
    analyze.analyze,
    plays.plays,
    board.board,
    perft.perft,
    rollout.rollout,
    convert.convert,
    cube.cube,
    bench.bench,
    train.train,
    bearoff.race,
):
    app.command()(command)

app.add_typer(bearoff.app, name="bearoff")
app.add_typer(met.met, name="met")
