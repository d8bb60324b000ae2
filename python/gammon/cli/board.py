"""`gammon board ID`: draw a position."""

from typing import Annotated

import typer

from gammon import viz
from gammon.cli._common import Id, Json, emit, position


def board(
    id: Id,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture instead of text.")] = False,
    as_json: Json = False,
) -> None:
    """Draw a position, seen by the player on roll."""
    shown = position(id)
    if as_json:
        emit(
            {
                "id": shown.id,
                "board": shown.board.tolist(),
                "pips": list(shown.pip_count),
                "borne_off": list(shown.borne_off),
                "is_race": shown.is_race,
                "is_over": shown.is_over,
            }
        )
    else:
        typer.echo(viz.svg(shown) if svg else viz.text(shown), nl=not svg)
