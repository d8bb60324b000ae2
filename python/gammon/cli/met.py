"""`gammon met list` and `gammon met show NAME`: match equity tables."""

from typing import Annotated

import typer

from gammon import met as tables
from gammon.cli._common import Json, emit

met = typer.Typer(help="List and show match equity tables.", no_args_is_help=True)


@met.command("list")
def list_tables(as_json: Json = False) -> None:
    """List the tables that come with the package."""
    found = [(name, tables.load(name)) for name in tables.names()]
    if as_json:
        emit(
            {
                "default": tables.DEFAULT,
                "tables": [{"id": n, "name": t.name, "known": t.known} for n, t in found],
            }
        )
        return
    for name, table in found:
        mark = "*" if name == tables.DEFAULT else " "
        typer.echo(f"{mark} {name:<18} {table.name}, known to {table.known} points")


@met.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A packaged table or a file.")] = (
        tables.DEFAULT
    ),
    size: Annotated[int, typer.Option(min=1, max=64, help="Points away to show.")] = 15,
    as_json: Json = False,
) -> None:
    """Show a table in percent: rows are the points the player needs, columns those the opponent needs.

    Row and column 1 are the Crawford game; the last line is the trailer's chance after it.
    """
    table = tables.load(name)
    pre, post = table.tables()
    if as_json:
        emit(
            {
                "name": table.name,
                "known": table.known,
                "pre_crawford": pre[:size, :size].tolist(),
                "post_crawford": post[:, :size].tolist(),
            }
        )
        return
    typer.echo(f"{table.name} (known to {table.known} points)")
    typer.echo("     " + "".join(f"{away:>6}" for away in range(1, size + 1)))
    for away in range(1, size + 1):
        typer.echo(f"{away:>4} " + "".join(f"{100 * chance:>6.2f}" for chance in pre[away - 1, :size]))
    players = [("post", post[0])] if (post[0] == post[1]).all() else [("post1", post[0]), ("post2", post[1])]
    for label, row in players:
        typer.echo(f"{label:<5}" + "".join(f"{100 * chance:>6.2f}" for chance in row[:size]))
