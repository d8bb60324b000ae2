"""`gammon convert ID [--to FORMAT]`: write an identifier in another format."""

from typing import Annotated, cast, get_args

import typer

from gammon._native import Situation
from gammon._typing import Format
from gammon.cli._common import Id, Json, emit

FORMATS: tuple[Format, ...] = get_args(Format)


def convert(
    id: Id,
    to: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help=f"One of {', '.join(FORMATS)}; all of them by default."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write an identifier in another format, saying what that format cannot hold."""
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
