"""What the commands share: their common arguments and how they print."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gammon import Situation
from gammon.errors import GammonError, SettingError

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


def situations(argument: str) -> list[Situation]:
    """Return what an argument names: the identifiers of a file, one a line, or the one it is itself."""
    path = Path(argument)
    if _is_file(path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        found = [
            _of_line(path, number, line) for number, line in enumerate(lines, 1) if line and line[0] != "#"
        ]
        if not found:
            raise SettingError(f"{path}: no identifier in it")
        return found
    try:
        return [Situation(argument)]
    except GammonError as error:
        raise SettingError(f"{argument!r} is neither a file nor an identifier: {error}") from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, say
        return False


def _of_line(path: Path, number: int, line: str) -> Situation:
    try:
        return Situation(line)
    except GammonError as error:
        raise SettingError(f"{path}, line {number}: {error}") from error
