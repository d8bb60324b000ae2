"""`gammon rollout ID`: play a position to the end many times."""

from pathlib import Path
from typing import Annotated

import typer

from gammon import rollout as rollouts
from gammon._native import RolloutPart
from gammon.cli import _progress
from gammon.cli._common import Id, Json, Threads, emit
from gammon.errors import Stopped
from gammon.evaluators import load


def rollout(
    id: Id,
    trials: Annotated[int, typer.Option(help="Games to play.")] = 1296,
    seed: Annotated[int, typer.Option(help="Seed of the dice.")] = 1,
    first: Annotated[int, typer.Option(help="Number of the first trial, to continue a rollout.")] = 0,
    net: Annotated[
        Path | None, typer.Option(help="A net file to choose the plays; the packaged one by default.")
    ] = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Roll a position out: chances and equity of the player on roll, with standard errors.

    'start' is the opening, whose first roll is never a double. Of any other identifier the position alone is
    used, and a note says what else it held. Ctrl-C stops and prints what was done.
    """
    settings = rollouts.Settings(trials=trials, seed=seed, first=first)
    with _progress.bar("rollout", trials, shown=not as_json) as update:

        def progress(part: RolloutPart) -> bool:
            mean, error = part.equity
            return update(part.trials, f"{mean:+.3f} ± {error:.3f}" if part.trials > 1 else "")

        evaluator = None if net is None else load(net)
        result = rollouts.run(id, settings, evaluator=evaluator, threads=threads, progress=progress)
    if not result.trials:
        raise Stopped
    if result.ignored:
        typer.echo(f"Not used: {', '.join(result.ignored)}.", err=True)
    if as_json:
        emit(result.to_dict())
        return
    if not result.complete:
        typer.echo(f"Stopped after {result.trials:,} of {trials:,} games.", err=True)
    typer.echo(str(result))
