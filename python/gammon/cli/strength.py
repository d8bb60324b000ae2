"""`gammon strength [NET...]`: how strong nets are."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gammon import evaluators
from gammon import strength as measuring
from gammon.cli._common import Json, Plies, Threads, emit


def strength(
    nets: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[NET]...", help="Net files; without any the packaged evaluator.", show_default=False
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Positions with known chances, a .jsonl.gz file; by default the packaged ones."),
    ] = None,
    plies: Plies = 0,
    tables: Annotated[
        bool, typer.Option("--tables", help="Leave races and bear-offs to the exact tables.")
    ] = False,
    openings: Annotated[
        bool, typer.Option("--openings", help="Print the plays of the 15 opening rolls too.")
    ] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Print how far nets are from GNU Backgammon's 2-ply, beside its own 0-ply, by kind of position.

    Columns are mean absolute differences in equity and in the five chances; rms is the root of the mean
    squared difference in equity, mean its mean difference, worst the largest.
    """
    found, names, first = [], [], []
    known = None if data is None else measuring.read_known(data)
    asked_for: list[Path | None] = [*nets] if nets else [None]
    for net in asked_for:
        evaluator = evaluators.default() if net is None else evaluators.load(net)
        asked = evaluators.composite(contact=evaluator) if tables else evaluator
        found.append(measuring.agreement(asked, positions=known, plies=plies, threads=threads))
        names.append(evaluator.id[:12] if net is None else net.stem)
        if openings:
            first.append(measuring.openings(asked, plies=plies, threads=threads))
    if as_json:
        result: dict[str, Any] = {"agreement": [one.to_dict() for one in found]}
        if openings:
            result["openings"] = [
                {str(roll): {"play": str(best.play), "equity": best.equity} for roll, best in plays.items()}
                for plays in first
            ]
        emit(result)
        return
    typer.echo(measuring.agreement_table(found, names))
    for name, plays in zip(names, first, strict=False):
        told = ", ".join(f"{roll} {best.play} ({best.equity:+.3f})" for roll, best in plays.items())
        typer.echo(f"\n{name} opens {told}")
