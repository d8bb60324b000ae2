"""`gammon convert ID [--to FORMAT]` and `gammon convert FILES... TARGET`: write things in another format."""

import glob
import os
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from gammon import formats
from gammon._native import Situation
from gammon._typing import Format
from gammon.cli._common import Json, emit, file_name, replaceable, tell_beside
from gammon.errors import GammonError, SettingError

FORMATS: tuple[Format, ...] = get_args(Format)
SHOWN = 10
"""Warnings of a file that are printed."""


def convert(
    things: Annotated[
        list[str],
        typer.Argument(
            metavar="ID | FILES TARGET",
            help="An identifier; or files, folders and patterns, and last a file or a folder to write.",
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help=f"For an identifier one of {', '.join(FORMATS)}, all by default; for files one of "
            f"{', '.join(formats.FORMATS)}, by default that of the target's name.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "--overwrite", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Write an identifier, or files of matches and positions, in another format, saying what it cannot hold.

    A file that cannot be read or written does not stop the others, nor does one that exists, which is
    replaced only with --force; the exit status is then 1.
    """
    if len(things) == 1 and not _is_file(things[0]):
        _identifier(things[0], to, as_json=as_json)
        return
    *sources, target = things
    if not sources:
        sources, target = [target], _beside(target, to)
    file_name(target)
    if len(sources) == 1 and not _is_file(sources[0]) and (situation := _situation(sources[0])) is not None:
        _position(situation, target, to, force=force, as_json=as_json)
        return
    _files(sources, target, to, force=force, as_json=as_json)


def _is_file(thing: str) -> bool:
    """Whether something is the name of a file or a folder that exists, or a pattern that finds one."""
    return os.path.exists(thing) or (
        glob.has_magic(thing) and any(True for _ in glob.iglob(thing, recursive=True))
    )


def _situation(text: str) -> Situation | None:
    try:
        return Situation(text)
    except GammonError:
        return None


def _beside(source: str, to: str | None) -> str:
    """Return the name of a file beside another, in another format."""
    if to is None or not os.path.isfile(source):
        raise SettingError(f"give a file or folder to write {source!r} to, or for one file --to FORMAT")
    if to not in formats.FORMATS:
        raise SettingError(f"format must be one of {', '.join(formats.FORMATS)}, got {to!r}")
    extension = (formats.FORMATS[to].extensions or ("txt",))[0]
    return os.fspath(Path(source).with_suffix(f".{extension}"))


def _identifier(id: str, to: str | None, *, as_json: bool) -> None:
    extensions = {extension for one in formats.FORMATS.values() for extension in one.extensions}
    if Path(id).suffix[1:].lower() in extensions and _situation(id) is None:
        raise SettingError(f"{id}: no such file")
    situation = Situation(id)
    # What is no format is refused by `to`, which names them all.
    asked = FORMATS if to is None else (cast(Format, to),)
    written = {str(name): situation.to(name) for name in asked}
    if as_json:
        texts = {name: {"text": text, "lost": lost} for name, (text, lost) in written.items()}
        emit({"read_as": situation.format, "id": str(situation), "formats": texts})
        return
    for name, (text, lost) in written.items():
        typer.echo(text if to else f"{name:<6} {text}")
        if lost:
            typer.echo(f"{'' if to else ' ' * 7}not in {name}: {'; '.join(lost)}", err=to is not None)


def _position(situation: Situation, target: str, to: str | None, *, force: bool, as_json: bool) -> None:
    """Write one position to a file."""
    replaceable(Path(target), force=force)
    lost = formats.write(situation, target, format=to)
    done = formats.Converted(
        source=str(situation), target=target, format=situation.format, positions=1, lost=lost
    )
    if as_json:
        emit(_plain(done))
    else:
        _tell(done)


def _files(sources: list[str], target: str, to: str | None, *, force: bool, as_json: bool) -> None:
    tell_beside(Path(target))
    done: list[dict[str, Any]] = []
    counts = {"files": 0, "matches": 0, "positions": 0, "warnings": 0, "failed": 0}
    for found in formats.convert(sources, target, format=to, overwrite=force):
        counts["files"] += bool(found.target or found.error)  # neither: no regular file, left out
        counts["matches"] += found.matches
        counts["positions"] += found.positions
        counts["warnings"] += len(found.warnings)
        counts["failed"] += bool(found.error)
        if as_json:
            done.append(_plain(found))
        else:
            _tell(found)
    if as_json:
        emit({"converted": done, **counts})
    else:
        _summary(counts)
    if counts["failed"] or not counts["files"]:
        raise typer.Exit(1)


def _plain(found: formats.Converted) -> dict[str, Any]:
    return {
        "source": found.source,
        "target": found.target,
        "format": found.format,
        "matches": found.matches,
        "positions": found.positions,
        "warnings": [{"place": warning.place, "text": warning.text} for warning in found.warnings],
        "lost": found.lost,
        "error": found.error,
    }


def _tell(found: formats.Converted) -> None:
    """Print what became of a file; what was odd in it goes to standard error."""
    for warning in found.warnings[:SHOWN]:
        typer.echo(f"{found.source}: {warning}", err=True)
    if len(found.warnings) > SHOWN:
        typer.echo(f"{found.source}: and {len(found.warnings) - SHOWN} more warnings", err=True)
    if found.error:
        typer.echo(f"{found.source}: not converted: {found.error}", err=True)
    if not found.target:
        return
    typer.echo(f"{found.source} -> {found.target}")
    if found.lost:
        typer.echo(f"  not in it: {'; '.join(found.lost)}")


def _summary(counts: dict[str, int]) -> None:
    if not counts["files"]:
        typer.echo("gammon: no files found", err=True)
        return
    if counts["files"] == 1:
        return
    held = ", ".join(f"{counts[name]} {name}" for name in ("matches", "positions") if counts[name])
    files, failed = counts["files"], counts["failed"]
    with_what = f" with {held}" if held else ""
    typer.echo(
        f"{files} files{with_what}: {files - failed} converted, {failed} not, {counts['warnings']} warnings"
    )
