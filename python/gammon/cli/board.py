"""`gammon board ID`: draw a position."""

from typing import Annotated

import typer

from gammon import Situation, viz
from gammon.cli._common import Id, Json, emit


def board(
    id: Id,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture instead of text.")] = False,
    as_json: Json = False,
) -> None:
    """Draw a position, seen by the player on roll, with score and cube."""
    situation = Situation(id)
    position = situation.position
    if as_json:
        emit(
            {
                "id": position.id,
                "xgid": situation.xgid,
                "board": position.board.tolist(),
                "pips": list(position.pip_count),
                "borne_off": list(position.borne_off),
                "phase": position.phase,
                "is_over": situation.is_over,
                "text": situation.draw(),
            }
        )
    elif svg:
        typer.echo(viz.svg(position), nl=False)
    else:
        typer.echo(situation.draw())
