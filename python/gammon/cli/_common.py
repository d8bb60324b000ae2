"""What the commands share: their common arguments and how they print."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gammon.errors import SettingError

Id = Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Plies = Annotated[int, typer.Option(min=0, max=4, help="Rolls looked ahead; 0 is the evaluation alone.")]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads to use; by default GAMMON_THREADS, else all cores.", show_default=False),
]


def emit(result: dict[str, Any]) -> None:
    """Print a result as one line of JSON."""
    typer.echo(json.dumps(result))


def settings_in(path: Path) -> str:
    """Return the text of a file of settings."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is no text of settings: byte {error.start} is not UTF-8") from error


def writable(path: Path) -> None:
    """Raise `OSError` now rather than after the work if a file cannot be written; leave it as it is."""
    new = not path.exists()
    with path.open("ab"):
        pass
    if new:
        path.unlink()
