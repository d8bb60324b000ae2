"""What the commands share: their common arguments and how they print."""

import glob
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from gammon import Situation, formats, variants
from gammon._files import is_standard_output, replaces, writable
from gammon.errors import GammonError, SettingError

Id = Annotated[str, typer.Argument(metavar="ID", help="An identifier, or 'start'.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text, an object a line.")]
Plies = Annotated[
    int,
    typer.Option(
        min=0, max=4, help="Rolls looked ahead; 0 is the evaluation alone (eXtreme Gammon's 1-ply)."
    ),
]
Python = Annotated[
    Path | None,
    typer.Option(
        help="The interpreter that has the package gnubg or bgsage; by default this one.", show_default=False
    ),
]
StartSeconds = Annotated[
    float | None,
    typer.Option(
        help="Seconds that a program which speaks UBGI, 'ubgi:COMMAND', has to greet; by default 10.",
        show_default=False,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads to use; by default GAMMON_THREADS, else all cores.", show_default=False),
]
Variant = Annotated[
    str | None,
    typer.Option(
        metavar="GAME", help="Another game of the family, such as plakoto or nardi_long.", show_default=False
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of that game (may be repeated).", show_default=False),
]


def get_variant(name: str, options: list[str] | None) -> variants.Variant:
    """Return the game with options that were written NAME=VALUE."""
    given = {}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise SettingError(f"an option is written NAME=VALUE, not {text!r}")
        given[key] = value
    return variants.get(name, given)


def refuse_options(options: list[str] | None) -> None:
    """Raise `SettingError` for options of the standard game, which has none."""
    if options:
        raise SettingError(f"--option {options[0]} needs a game it belongs to: --variant")


def emit(result: dict[str, Any]) -> None:
    """Print a result as one line of JSON."""
    typer.echo(json.dumps(result))


def situations(argument: str) -> list[Situation]:
    """Return what an argument names: the identifiers of a file, one a line, or the one it is itself."""
    path = Path(argument)
    if is_file(path):
        lines = [line.strip() for line in _text(path).splitlines()]
        found = [
            _of_line(path, number, line) for number, line in enumerate(lines, 1) if line and line[0] != "#"
        ]
        if not found:
            raise SettingError(f"{path}: no identifier in it")
        return found
    try:
        return [Situation(argument)]
    except GammonError as error:
        if _looks_like_a_name(path):
            raise SettingError(f"{argument}: no such file") from None
        raise SettingError(f"{argument!r} is neither a file nor an identifier: {error}") from error


def _looks_like_a_name(path: Path) -> bool:
    """Whether something is more like the name of a file, or a pattern of names, than like an identifier."""
    known = {extension for one in formats.FORMATS.values() for extension in one.extensions}
    return path.suffix[1:].lower() in known or glob.has_magic(str(path)) or str(path)[:1] in "/.~"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors put a mark before the first line
    except UnicodeDecodeError as error:
        raise SettingError(
            f"{path} holds neither matches in a known format nor identifiers: byte {error.start} is not UTF-8"
        ) from error


def is_file(path: Path) -> bool:
    """Whether there is such a file; what cannot be a name of one is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, say
        return False


def _of_line(path: Path, number: int, line: str) -> Situation:
    try:
        return Situation(line)
    except GammonError as error:
        raise SettingError(f"{path}, line {number}: {error}") from error


def settings_in(path: Path) -> str:
    """Return the text of a file of settings."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is no text of settings: byte {error.start} is not UTF-8") from error


def file_name(text: str) -> Path:
    """Read the name of a file or folder. Raises `typer.BadParameter` for none, which would be this folder."""
    if not text:
        raise typer.BadParameter("the name is empty")
    return Path(text)


Cache = Annotated[
    Path | None,
    typer.Option(
        parser=file_name,
        metavar="FILE",
        help="A file for what was judged, found there another time.",
        show_default=False,
    ),
]


def replaceable(path: Path, *, force: bool) -> None:
    """Make ready for a result to be written to a file, as `tell_beside` does.

    Raises `SettingError` if a file exists that is not to be replaced, `OSError` if it cannot be written.
    """
    if path.exists() and replaces(path) and not force:
        raise SettingError(f"{path} exists: say --force to replace it")
    writable(path)
    tell_beside(path)


def tell_beside(path: Path) -> None:
    """Have what the command tells go to standard error if a file it writes is standard output.

    The text would spoil the file. When the command has ended, `Commands` takes this back.
    """
    if is_standard_output(path):
        sys.stdout = sys.stderr


def keepable(path: Path | None) -> None:
    """Raise if work or a log cannot be kept in a file, to be gone on with another time.

    Raises `SettingError` for what is no regular file, `OSError` if it cannot be written.
    """
    if path is None:
        return
    if path.exists() and not path.is_dir() and not replaces(path):
        raise SettingError(f"{path} is no regular file, in which work or a log could be kept")
    writable(path)
