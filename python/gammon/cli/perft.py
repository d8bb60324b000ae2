"""`gammon perft [ID]`: count positions, the golden check of a move generator."""

import time
from typing import Annotated

import typer

from gammon import Perft, Position, Roll
from gammon import perft as count
from gammon.cli._common import Json, Options, Threads, Variant, emit, get_variant, refuse_options
from gammon.variants import Variant as Game


def perft(
    id: Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")] = "start",
    depth: Annotated[int, typer.Option(help="Rolls to look ahead.")] = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first roll and play.")] = False,
    unique: Annotated[
        bool, typer.Option(help="Tell the final positions apart, which takes memory for all of them.")
    ] = True,
    threads: Threads = None,
    as_json: Json = False,
    variant: Variant = None,
    option: Options = None,
) -> None:
    """Count the sequences of rolls and plays to a depth, and the different positions they end in.

    With --variant, ID is a gammon-id of that game, and a decision without a roll counts as one of the depth.
    """
    if variant is not None:
        of_variant(get_variant(variant, option), id, depth, divide, unique, threads, as_json)
        return
    refuse_options(option)
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
    _summary(found, seconds)


def of_variant(
    game: Game, id: str, depth: int, divide: bool, unique: bool, threads: int | None, as_json: bool
) -> None:
    """Count positions of another game."""
    subject = game.start if id == "start" else game.position(id)
    begun = time.perf_counter()
    found = game.perft(depth, subject, unique=unique, threads=threads)
    seconds = time.perf_counter() - begun
    parts = []
    if divide and depth > 0 and not subject.is_over:
        for roll in Roll.all() if subject.asks == ("throw",) else [None]:
            for play in subject.plays(roll):
                below = game.perft(depth - 1, play.after, unique=False, threads=threads)
                parts.append((str(roll or ""), str(play), below.paths))
    if as_json:
        result = {"variant": game.name, "options": game.options, "id": subject.id, "depth": depth}
        result |= {"paths": found.paths, "passes": found.passes, "unique": found.unique, "seconds": seconds}
        if divide:
            result["divide"] = [{"roll": roll, "play": play, "paths": paths} for roll, play, paths in parts]
        emit(result)
        return
    for name, written, paths in parts:
        typer.echo(f"{name} {written:<24} {paths:>12,}")
    _summary(found, seconds)


def _summary(found: Perft, seconds: float) -> None:
    typer.echo(
        f"{found.paths:,} paths, "
        + ("" if found.unique is None else f"{found.unique:,} different positions, ")
        + f"{found.passes:,} passes, {seconds:.2f} s"
    )
