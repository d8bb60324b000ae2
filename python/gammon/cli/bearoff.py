"""`gammon bearoff build|show|epc` and `gammon race ID`: tables and races."""

import time
from typing import Annotated

import typer

from gammon import Position, bearoff
from gammon.cli import _progress
from gammon.cli._common import Id, Json, Threads, emit
from gammon.errors import MissingTableError, SettingError

app = typer.Typer(
    help="Bear-off tables: build them, look into them.", no_args_is_help=True, rich_markup_mode=None
)

Side = Annotated[str, typer.Argument(metavar="SIDE", help="Checkers on points 1, 2, …, such as 0,0,2,3,4,4.")]


def _side(text: str) -> list[int]:
    try:
        return [int(part) for part in text.replace(" ", ",").split(",")]
    except ValueError:
        raise SettingError(
            f"a side is numbers of checkers on points 1, 2, …, such as 0,0,2,3; got {text!r}"
        ) from None


@app.command()
def build(
    points: Annotated[int, typer.Option(help="Points covered.")] = 6,
    checkers: Annotated[
        int | None, typer.Option(help="Most checkers a side; by default 15, two-sided 6.", show_default=False)
    ] = None,
    two_sided: Annotated[
        bool, typer.Option("--two-sided", help="Both sides at once, with the cube.")
    ] = False,
    f32: Annotated[
        bool, typer.Option("--f32", help="Store a two-sided table as 32-bit instead of 16-bit numbers.")
    ] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Build a table and keep it in the cache folder, replacing what is there."""
    if checkers is None:
        checkers = 6 if two_sided else 15
    storage: bearoff.Storage = "f32" if f32 else "u16"
    kind = bearoff.TwoSided if two_sided else bearoff.OneSided
    begun = time.perf_counter()
    with _progress.bar("build", kind.work(points, checkers) or 0, shown=not as_json) as update:

        def progress(done: int) -> bool:
            return update(done, "")

        table: bearoff.OneSided | bearoff.TwoSided
        if two_sided:
            table = bearoff.TwoSided.build(
                points, checkers, storage=storage, threads=threads, progress=progress
            )
        else:
            table = bearoff.OneSided.build(points, checkers, threads=threads, progress=progress)
    seconds = time.perf_counter() - begun
    path = bearoff.table_path("two" if two_sided else "one", points, checkers, storage)
    table.save(path)
    if as_json:
        emit({"path": str(path), "entries": len(table), "bytes": table.size, "seconds": seconds})
        return
    typer.echo(f"{path}: {len(table):,} entries, {table.size:,} bytes, built in {seconds:.2f} s")


@app.command()
def show(id: Id, as_json: Json = False) -> None:
    """Print what the default two-sided table says of a position."""
    found = bearoff.two_sided(storage="f32").probe(id)
    rows = {
        "win": found.win,
        "cubeless": found.cubeless,
        "centred_no_double": found.centred_no_double,
        "centred_best": found.centred_best,
        "owned_no_double": found.owned_no_double,
        "owned_best": found.owned_best,
        "opponent_owned": found.opponent_owned,
        "double_take": found.double_take,
    }
    if as_json:
        emit(rows)
        return
    for name, value in rows.items():
        typer.echo(
            f"{name.replace('_', ' '):<18} {value:+.6f}"
            if name != "win"
            else f"{'win':<18} {100 * value:.4f} %"
        )


@app.command()
def epc(
    side: Side,
    points: Annotated[int, typer.Option(help="Points of the table to ask.")] = 6,
    as_json: Json = False,
) -> None:
    """Print how many rolls a side needs, its effective pip count and its wastage."""
    found = bearoff.one_sided(points).probe(_side(side))
    if as_json:
        emit(
            {
                "pips": found.pips,
                "mean_rolls": found.mean_rolls,
                "sd_rolls": found.sd_rolls,
                "epc": found.epc,
                "wastage": found.wastage,
                "rolls": found.rolls.tolist(),
                "mean_first_off": found.mean_first_off,
                "first_off": found.first_off.tolist(),
            }
        )
        return
    typer.echo(f"{found.pips} pips, {found.epc:.4f} effective, {found.wastage:.4f} wasted")
    typer.echo(f"{found.mean_rolls:.6f} rolls, standard deviation {found.sd_rolls:.4f}")
    for n, chance in enumerate(found.rolls):
        if chance >= 5e-6:
            typer.echo(f"{n:>4} rolls {100 * chance:8.3f} %")


def race(id: Id, as_json: Json = False) -> None:
    """Count a race by every method, beside its effective pip counts and its chances from the tables."""
    position = Position(id)
    board = position.board[None]
    evaluator = bearoff.race()
    chances = evaluator.evaluate(board)[0].tolist()
    ours, theirs = evaluator.epc(board)[0].tolist()
    exact = [evaluator.covers(side) for side in position.board.tolist()]
    try:
        cube = bearoff.two_sided(storage="f32").probe(position)
    except MissingTableError:
        cube = None
    double, redouble, take = bearoff.epc_verdict(ours, theirs)
    lines = [
        (c.method, c.roller, c.opponent, c.double, c.redouble, c.take, c.win)
        for c in bearoff.counts(position)
    ]
    lines.append(("epc", ours, theirs, double, redouble, take, None))
    if as_json:
        names = ("method", "roller", "opponent", "double", "redouble", "take", "win")
        emit(
            {
                "id": position.id,
                "counts": [dict(zip(names, line, strict=True)) for line in lines],
                "epc_exact": exact,
                "chances": chances,
                "centred_best": None if cube is None else cube.centred_best,
                "centred_no_double": None if cube is None else cube.centred_no_double,
                "double_take": None if cube is None else cube.double_take,
            }
        )
        return
    typer.echo(f"{'':<9} {'roller':>8} {'opponent':>9}  {'verdict':<24} {'win':>8}")
    for method, roller, opponent, doubles, redoubles, takes, win in lines:
        action = "redouble" if redoubles else "double" if doubles else "no double"
        verdict = f"{action}, {'take' if takes else 'pass'}"
        shown = "" if win is None else f"{100 * win:6.2f} %"
        typer.echo(f"{method:<9} {roller:>8.2f} {opponent:>9.2f}  {verdict:<24} {shown:>8}")
    source = "exact" if cube is not None else "each side for its fewest mean rolls"
    if not all(exact):
        source += ", sides outside the table estimated"
    percent = [f"{100 * chance:.3f} %" for chance in chances]
    typer.echo(f"\nwin {percent[0]}, gammon {percent[1]}, backgammon {percent[2]}")
    typer.echo(f"lose gammon {percent[3]}, lose backgammon {percent[4]}  ({source})")
    if cube is not None:
        doubling = min(cube.double_take, 1.0)
        action = "double" if doubling >= cube.centred_no_double else "no double"
        answer = "take" if cube.double_take <= 1.0 else "pass"
        typer.echo(
            f"exact, cube in the middle: {action}, {answer} (no double {cube.centred_no_double:+.4f}, "
            f"double and take {cube.double_take:+.4f})"
        )
