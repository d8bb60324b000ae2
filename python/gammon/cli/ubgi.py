"""`gammon ubgi`: gammon as an engine for programs that speak UBGI."""

import sys
from typing import Annotated, cast

import typer

from gammon.cli._common import Plies
from gammon.ubgi import Dialect, Server, serve


def ubgi(
    dialect: Annotated[
        str, typer.Option(help="Draft of the protocol: 0.01, 0.1, 0.2, or auto, as the commands come.")
    ] = "auto",
    plies: Plies = 0,
) -> None:
    """Answer UBGI commands on standard input, one a line, until quit."""
    serve(Server(cast(Dialect, dialect), plies=plies), sys.stdin, sys.stdout)
