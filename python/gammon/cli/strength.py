"""`gammon strength [NET...]`: how strong nets are."""

from pathlib import Path
from typing import Annotated

import typer

from gammon import strength as measuring
from gammon.cli._common import Json, Python, StartSeconds, Threads, emit
from gammon.cli.duel import patience_with
from gammon.errors import SettingError

NETS = (
    "Net files, 'default', 'gnubg', 'gnubg-package' or 'bgsage', as `gammon duel` takes them; "
    "without any the packaged evaluator."
)


def strength(
    names: Annotated[list[str] | None, typer.Argument(metavar="NET", help=NETS, show_default=False)] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Positions with known chances, a .jsonl.gz file; by default the packaged ones."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Also compare with a reference set that was rolled out.")
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Leave races and bear-offs to the exact tables.")
    ] = False,
    openings: Annotated[
        bool, typer.Option("--openings", help="Print the plays of the 15 opening rolls too.")
    ] = False,
    speed: Annotated[bool, typer.Option("--speed", help="Measure speed on one core too.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of --speed, whose median counts.")] = 5,
    duel: Annotated[
        list[str] | None,
        typer.Option(help="Also play a duel with this player, as `gammon duel` does; may be repeated."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each duel, an even number.")] = 1000,
    python: Python = None,
    start_seconds: StartSeconds = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Print how far nets are from GNU Backgammon's 2-ply, beside its own 0-ply, by kind of position.

    On request also their speed, and duels. Columns are mean absolute differences in equity, in points, and in
    the five chances, from 0 to 1; rms is the root of the mean squared difference in equity, mean its mean
    difference, worst the largest.
    """
    patience = patience_with((*(names or ()), *(duel or ())), start_seconds)

    def player(spec: str) -> measuring.Measured | measuring.Ubgi:
        return measuring.player(spec, tables=tables, python=python, threads=threads, start_seconds=patience)

    def measured(spec: str) -> measuring.Measured:
        found = player(spec)
        if isinstance(found, measuring.Ubgi):
            found.close()
            raise SettingError(f"{spec:.80}: an engine of UBGI tells plays, and no chances: gammon duel")
        return found

    found = measuring.report(
        {Path(name).stem if Path(name).exists() else name: measured(name) for name in names or ["default"]},
        positions=None if data is None else measuring.read_known(data),
        reference=None if reference is None else measuring.read_reference(reference).known(),
        first_plays=openings,
        speed_rounds=rounds if speed else 0,
        opponents=[player(name) for name in duel or []],
        games=games,
        threads=threads,
    )
    if as_json:
        emit(found.to_dict())
    else:
        typer.echo(str(found))
