"""`gammon plays ID [ROLL]`: the legal plays."""

from typing import Annotated

import typer

from gammon import Situation
from gammon.cli._common import Id, Json, emit
from gammon.errors import SettingError


def plays(
    id: Id,
    roll: Annotated[
        str | None,
        typer.Argument(
            metavar="[ROLL]", help="Two dice, such as 31; by default those of the ID.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the distinct legal plays of a roll, each with the position it leads to."""
    situation = Situation(id)
    thrown = situation.roll if roll is None else roll
    if thrown is None:
        raise SettingError("ID holds no dice: add a ROLL, such as 31")
    found = situation.position.plays(thrown)
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
