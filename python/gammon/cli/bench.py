"""`gammon bench`: how fast this machine is, and whether results are what they were."""

from typing import Annotated

import typer

from gammon import _bench, build_info, thread_count
from gammon.cli._common import Json, emit


def bench(
    seconds: Annotated[float, typer.Option(help="How long to measure each.", min=0.0)] = 0.5,
    threads: Annotated[
        int, typer.Option(help="Threads to use; one, unless asked, gives the steadiest figures.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Measure move generation, evaluation and games; print a table and the signature of the results."""
    found = _bench.measure(threads=threads, seconds=seconds)
    signature, info = _bench.signature(), build_info()
    if as_json:
        figures = [{"name": one.name, "per_second": one.per_second, "unit": one.unit} for one in found]
        emit({"threads": thread_count(threads), "signature": signature, "build": info, "figures": figures})
        return
    used = thread_count(threads)
    typer.echo(f"gammon {info['version']}, {info['target']}, {used} thread{'' if used == 1 else 's'}")
    for one in found:
        typer.echo(f"{one.name:<22} {one.per_second:>14,.0f} {one.unit}/s")
    typer.echo(f"signature {signature}")
