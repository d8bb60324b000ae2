"""`gammon hypergammon build|opening|show`: the solved game."""

import time
from dataclasses import asdict
from typing import Annotated, get_args

import typer

from gammon import Roll, hypergammon, variants
from gammon.cli import _progress
from gammon.cli._common import Json, Threads, emit
from gammon.errors import SettingError

app = typer.Typer(
    help="Hypergammon, solved: build the table, look into it.", no_args_is_help=True, rich_markup_mode=None
)

Checkers = Annotated[int, typer.Option(min=1, max=3, help="Checkers a side.")]


def _table(checkers: int, threads: int | None = None, *, shown: bool) -> hypergammon.Hypergammon:
    """The table, built with a bar if it is not there."""
    if hypergammon.table_path(checkers).exists():
        return hypergammon.table(checkers, threads=threads)
    if checkers == 3:
        typer.echo("There is no table for 3 checkers yet. Building it takes minutes and 343 MB.", err=True)
    work = hypergammon.Hypergammon.work(checkers) or 0
    with _progress.bar("build", work, shown=shown) as update:
        return hypergammon.table(checkers, threads=threads, progress=lambda done: update(done, ""))


@app.command()
def build(checkers: Checkers = 3, threads: Threads = None, as_json: Json = False) -> None:
    """Solve the game and keep the table in the cache folder, replacing what is there."""
    begun = time.perf_counter()
    work = hypergammon.Hypergammon.work(checkers) or 0
    with _progress.bar("build", work, shown=not as_json) as update:
        table = hypergammon.Hypergammon.build(
            checkers, threads=threads, progress=lambda done: update(done, "")
        )
    seconds = time.perf_counter() - begun
    path = hypergammon.table_path(checkers)
    table.save(path)
    found = hypergammon.opening(table)
    if as_json:
        emit(
            {
                "path": str(path),
                "id": table.id,
                "entries": len(table),
                "bytes": table.size,
                "sweeps": table.sweeps,
                "change": found.change,
                "chance_change": found.chance_change,
                "seconds": seconds,
            }
        )
        return
    typer.echo(f"{path}: {len(table):,} entries, {table.size:,} bytes, {table.id}")
    typer.echo(
        f"{table.sweeps} sweeps in {seconds:.1f} s; in the last one no equity changed by more than "
        f"{found.change:.1e}, no chance by more than {found.chance_change:.1e}"
    )


@app.command()
def opening(checkers: Checkers = 3, threads: Threads = None, as_json: Json = False) -> None:
    """Print the chances of the winner of the opening roll, cubeless, and how each roll is best played."""
    table = _table(checkers, threads, shown=not as_json)
    found = hypergammon.opening(table)
    start = variants.get("hypergammon", checkers=checkers).start
    rolls = [roll for roll in Roll.all() if not roll.is_double]
    plays = {str(roll): hypergammon.rank(start, roll, table)[0] for roll in rolls}
    if as_json:
        best = {roll: {"play": str(one.play), "equity": one.equity} for roll, one in plays.items()}
        emit({**asdict(found), "rolls": best})
        return
    typer.echo(f"equity {found.equity:+.16f}")
    chances = (found.win, found.win_gammon, found.win_backgammon)
    typer.echo("wins   {:.3f} %, gammons {:.3f} %, backgammons {:.3f} %".format(*(100 * c for c in chances)))
    chances = (1 - found.win, found.lose_gammon, found.lose_backgammon)
    typer.echo("loses  {:.3f} %, gammons {:.3f} %, backgammons {:.3f} %".format(*(100 * c for c in chances)))
    for name, one in plays.items():
        typer.echo(f"{name}  {one.play!s:<16} {one.equity:+.6f}")


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="A gammon-id of the game, or 'start'.")] = "start",
    roll: Annotated[str | None, typer.Option(help="Rank the plays of this roll.", show_default=False)] = None,
    cube: Annotated[
        str, typer.Option(help="With --roll, where the cube is: none, centred, owned, opponent.")
    ] = "none",
    checkers: Checkers = 3,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Print what is known of a position, or what the plays of a roll are worth.

    A play has its equity, in points, and in percent the chances to win, to win a gammon and a backgammon,
    to lose a gammon and a backgammon.
    """
    game = variants.get("hypergammon", checkers=checkers)
    if cube not in get_args(hypergammon.Cube):
        known_cubes = ", ".join(get_args(hypergammon.Cube))
        raise SettingError(f"cube must be one of {known_cubes}; got {cube!r:.80}")
    if cube != "none" and roll is None:
        raise SettingError(
            f"--cube {cube} is for the plays of a roll: give --roll; of a position all is shown"
        )
    position = game.start if id == "start" else game.position(id)
    table = _table(checkers, threads, shown=not as_json)
    if roll is not None:
        ranked = hypergammon.rank(position, roll, table, cube=cube)  # type: ignore[arg-type]
        if as_json:
            plays = [{"play": str(p.play), "equity": p.equity, "chances": p.chances} for p in ranked]
            emit({"id": position.id, "roll": roll, "cube": cube, "plays": plays})
            return
        for one in ranked:
            percent = " ".join(f"{100 * chance:7.3f}" for chance in one.chances)
            typer.echo(f"{one.play!s:<24} {one.equity:+.6f}  {percent}")
        return
    known = hypergammon.probe(position, table)
    if as_json:
        emit({"id": position.id, **asdict(known)})
        return
    for name, value in asdict(known).items():
        words = name.replace("_", " ")
        is_chance = name.startswith(("win", "lose"))
        typer.echo(f"{words:<18} {100 * value:.4f} %" if is_chance else f"{words:<18} {value:+.6f}")
