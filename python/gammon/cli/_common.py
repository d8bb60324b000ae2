"""What the commands share: their common arguments and how they print."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

Id = Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Plies = Annotated[int, typer.Option(min=0, max=4, help="Rolls looked ahead; 0 is the evaluation alone.")]
Python = Annotated[
    Path | None,
    typer.Option(
        help="The interpreter that has the package gnubg or bgsage; by default this one.", show_default=False
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads to use; by default GAMMON_THREADS, else all cores.", show_default=False),
]


def emit(result: dict[str, Any]) -> None:
    """Print a result as one line of JSON."""
    typer.echo(json.dumps(result))
