"""`gammon strength [NET...]`: how strong nets are."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gammon import strength as measuring
from gammon.cli._common import Json, Plies, Python, Threads, emit


def strength(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NET]...",
            help="Net files, 'default', 'gnubg', 'gnubg-package' or 'bgsage'; by default 'default'.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Positions with known chances, a .jsonl.gz file; by default the packaged ones."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Also compare with a reference set that was rolled out.")
    ] = None,
    plies: Plies = 0,
    tables: Annotated[
        bool, typer.Option("--tables", help="Leave races and bear-offs to the exact tables.")
    ] = False,
    openings: Annotated[
        bool, typer.Option("--openings", help="Print the plays of the 15 opening rolls too.")
    ] = False,
    speed: Annotated[bool, typer.Option("--speed", help="Measure speed on one core too.")] = False,
    rounds: Annotated[int, typer.Option(help="Rounds of that.")] = 5,
    duel: Annotated[
        list[str] | None,
        typer.Option(help="Also play a duel with this player, as `gammon duel` does; may be repeated."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each duel, an even number.")] = 1000,
    python: Python = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Print how far nets are from GNU Backgammon's 2-ply, beside its own 0-ply, by kind of position.

    On request also their speed, and duels. Columns are mean absolute differences in equity and in the five
    chances; rms is the root of the mean squared difference in equity, mean its mean difference, worst the
    largest.
    """
    found, first, asked_all = [], [], []
    called = names or ["default"]
    known = None if data is None else measuring.read_known(data)
    for name in called:
        asked = measuring.evaluator(name, tables=tables, python=python)
        asked_all.append(asked)
        found.append(measuring.agreement(asked, positions=known, plies=plies, threads=threads))
        if openings:
            first.append(measuring.openings(asked, plies=plies, threads=threads))
    speeds = measuring.speed(asked_all, rounds=rounds) if speed else ()
    opponents = [measuring.player(name, tables=tables, python=python, threads=threads) for name in duel or []]
    duels = [
        measuring.duel(asked, opponent, games=games, threads=threads)
        for asked in asked_all
        for opponent in opponents
    ]
    rolled_out = None if reference is None else measuring.read_reference(reference).known()
    with_rollouts = [
        measuring.agreement(asked, positions=rolled_out, plies=plies, threads=threads)
        for asked in asked_all
        if rolled_out is not None
    ]
    if as_json:
        result: dict[str, Any] = {"agreement": [one.to_dict() for one in found]}
        if openings:
            result["openings"] = [
                {str(roll): {"play": str(best.play), "equity": best.equity} for roll, best in plays.items()}
                for plays in first
            ]
        if with_rollouts:
            result["reference"] = [one.to_dict() for one in with_rollouts]
        if speeds:
            result["speed"] = [one.to_dict() for one in speeds]
        if duels:
            result["duels"] = [one.to_dict() for one in duels]
        emit(result)
        return
    shown = [Path(name).stem if Path(name).exists() else name for name in called]
    typer.echo(measuring.agreement_table(found, shown))
    if with_rollouts:
        typer.echo("\n" + measuring.agreement_table(with_rollouts, shown))
    for name, plays in zip(shown, first, strict=False):
        told = ", ".join(f"{roll} {best.play} ({best.equity:+.3f})" for roll, best in plays.items())
        typer.echo(f"\n{name} opens {told}")
    if speeds:
        by_id = {asked.id: name for asked, name in zip(asked_all, shown, strict=True)}
        typer.echo("\n" + measuring.speed_table(speeds, by_id))
    for played in duels:
        typer.echo(f"\n{played}")
