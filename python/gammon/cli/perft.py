"""`gammon perft [ID]`: count positions, the golden check of a move generator."""

import time
from typing import Annotated

import typer

from gammon import Position, Roll
from gammon import perft as count
from gammon.cli._common import Json, Threads, emit


def perft(
    id: Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")] = "start",
    depth: Annotated[int, typer.Option(help="Rolls to look ahead.")] = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first roll and play.")] = False,
    unique: Annotated[
        bool, typer.Option(help="Tell the final positions apart, which takes memory for all of them.")
    ] = True,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Count the sequences of rolls and plays to a depth, and the different positions they end in."""
    subject = Position(id)
    begun = time.perf_counter()
    found = count(subject, depth, unique=unique, threads=threads)
    seconds = time.perf_counter() - begun
    parts = []
    if divide and depth > 0:
        for roll in Roll.all():
            for play in subject.plays(roll):
                parts.append(
                    (str(roll), str(play), count(play.after, depth - 1, unique=False, threads=threads).paths)
                )
    if as_json:
        result = {
            "id": subject.id,
            "depth": depth,
            "paths": found.paths,
            "passes": found.passes,
            "unique": found.unique,
            "seconds": seconds,
        }
        if divide:
            result["divide"] = [{"roll": roll, "play": play, "paths": paths} for roll, play, paths in parts]
        emit(result)
        return
    for name, written, paths in parts:
        typer.echo(f"{name} {written:<24} {paths:>12,}")
    typer.echo(
        f"{found.paths:,} paths, "
        + ("" if found.unique is None else f"{found.unique:,} different positions, ")
        + f"{found.passes:,} passes, {seconds:.2f} s"
    )
