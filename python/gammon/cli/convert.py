"""`gammon convert ID [--to FORMAT]`: write an identifier in another format."""

from enum import StrEnum
from typing import Annotated

import typer

from gammon._native import Situation
from gammon.cli._common import Id, Json, emit


class Format(StrEnum):
    """The formats that can be written."""

    xgid = "xgid"
    gnuid = "gnuid"
    posid = "posid"
    fibs = "fibs"


def convert(
    id: Id,
    to: Annotated[Format | None, typer.Option(help="The format to write; all of them by default.")] = None,
    as_json: Json = False,
) -> None:
    """Write an identifier in another format, saying what that format cannot hold."""
    situation = Situation(id)
    written = {str(name): situation.to(name.value) for name in (Format if to is None else [to])}
    if as_json:
        texts = {name: {"text": text, "lost": lost} for name, (text, lost) in written.items()}
        emit({"read_as": situation.format, "id": str(situation), "formats": texts})
        return
    for name, (text, lost) in written.items():
        typer.echo(text if to else f"{name:<6} {text}")
        if lost:
            typer.echo(f"{'' if to else ' ' * 7}not in {name}: {'; '.join(lost)}", err=to is not None)
