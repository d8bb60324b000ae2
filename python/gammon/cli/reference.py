"""`gammon reference select`, `value` and `show`: a set of positions with their rollouts."""

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from gammon import rollout, strength
from gammon.cli import _progress
from gammon.cli._common import Threads, file_name, keepable, replaceable
from gammon.errors import Stopped
from gammon.strength import GAME_PHASES, Reference, Sampling

reference = typer.Typer(
    help="Make a reference set: positions of all kinds, rolled out.", no_args_is_help=True
)

File = Annotated[Path, typer.Argument(parser=file_name, metavar="FILE", help="The set, a .jsonl.gz file.")]
Net = Annotated[str, typer.Option(help="A net file, or 'default' for the packaged evaluator.")]


@reference.command()
def select(
    file: File,
    each: Annotated[int, typer.Option(min=1, help="Positions of each kind.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed of dice and choices.")] = 1,
    net: Net = "default",
    tables: Annotated[bool, typer.Option("--tables", help="Leave races to the exact tables.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    threads: Threads = None,
) -> None:
    """Draw positions from games of a net with itself, and write them without rolling them out."""
    replaceable(file, force=force)
    evaluator = strength.evaluator(net, tables=tables)
    wanted = each * len(GAME_PHASES)
    with _progress.bar("positions", wanted, shown=True) as update:
        found = strength.select_reference(
            evaluator,
            Sampling(each=each, seed=seed),
            threads=threads,
            progress=lambda count: update(count, ""),
        )
    if len(found) < wanted:
        raise Stopped
    found.save(file)
    typer.echo(str(found))


@reference.command()
def value(
    file: File,
    error: Annotated[float, typer.Option(help="Standard error of equity to come down to.")] = 0.005,
    trials: Annotated[
        int, typer.Option(min=1, help="Games of each position at first; best a multiple of 36.")
    ] = 144,
    most: Annotated[
        int, typer.Option(min=1, help="Games of a position at most, or a little more.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the dice.")] = 1,
    truncate: Annotated[
        int | None,
        typer.Option(help="Turns after which a game is broken off and valued.", show_default="never"),
    ] = None,
    luck: Annotated[str, typer.Option(help="Whose numbers take out luck: large, small or off.")] = "large",
    plies: Annotated[int, typer.Option(min=0, max=4, help="Rolls looked ahead to choose plays.")] = 0,
    net: Net = "default",
    small: Annotated[
        str | None, typer.Option(help="A smaller net that picks the plays NET is asked about.")
    ] = None,
    tables: Annotated[bool, typer.Option("--tables", help="Leave races to the exact tables.")] = False,
    threads: Threads = None,
) -> None:
    """Roll the positions of a set out until each is known well enough; the same command goes on with it.

    Ctrl-C stops; what was found is in FILE.
    """
    keepable(file)
    held = strength.read_reference(file)
    settings = rollout.Settings(
        trials=trials,
        seed=seed,
        truncate=truncate,
        luck=cast(Literal["large", "small", "off"], luck),
        plies=plies,
    )
    stopped = False
    with _progress.bar("rolled out", len(held), shown=True) as update:

        def progress(done: Reference) -> bool:
            nonlocal stopped
            known = int((done.equity_error <= error).sum())
            stopped = not update(known, f"{done.trials.sum():,} games")
            return not stopped

        found = strength.value_reference(
            held,
            settings,
            error=error,
            most=most,
            evaluator=strength.evaluator(net, tables=tables),
            small=None if small is None else strength.evaluator(small),
            threads=threads,
            progress=progress,
            save=file,
        )
    typer.echo(str(found))
    if stopped:
        raise Stopped


@reference.command()
def show(file: File) -> None:
    """Say how many positions of each kind a set has, and how well they are known."""
    typer.echo(str(strength.read_reference(file)))
