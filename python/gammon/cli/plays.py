"""`gammon plays ID ROLL`: the legal plays."""

from typing import Annotated

import typer

from gammon import Position
from gammon.cli._common import Id, Json, emit


def plays(
    id: Id,
    roll: Annotated[str, typer.Argument(metavar="ROLL", help="Two dice, such as 31.")],
    as_json: Json = False,
) -> None:
    """List the distinct legal plays of a roll, each with the position it leads to."""
    found = Position(id).plays(roll)
    if as_json:
        emit(
            {
                "id": found.before.id,
                "roll": str(found.roll),
                "plays": [{"play": str(play), "after": play.after.id} for play in found],
            }
        )
        return
    width = max(len(str(play)) for play in found)
    for play in found:
        typer.echo(f"{play!s:<{width}}  {play.after.id}")
