"""What the commands share: their common arguments and how they print."""

import json
from typing import Annotated, Any

import typer

Id = Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads to use; by default GAMMON_THREADS, else all cores.", show_default=False),
]


def emit(result: dict[str, Any]) -> None:
    """Print a result as one line of JSON."""
    typer.echo(json.dumps(result))
