"""`gammon train OUT`: train a net from zero."""

import time
from collections.abc import Container
from pathlib import Path
from typing import Annotated

import typer

from gammon._files import replacing
from gammon._native import TrainingReport
from gammon.cli import _progress
from gammon.cli._common import (
    Json,
    Options,
    Threads,
    Variant,
    emit,
    file_name,
    get_variant,
    keepable,
    refuse_options,
    replaceable,
    settings_in,
)
from gammon.cli.fit import keep_apart
from gammon.errors import Stopped
from gammon.training import game_settings, settings_text, take_up

_REPORT_SECONDS = 5.0
"""Least time between two lines about how a training goes."""


def train(
    out: Annotated[Path, typer.Argument(parser=file_name, metavar="OUT", help="The net file to write.")],
    settings: Annotated[
        Path | None,
        typer.Option(
            help="A file of settings, one 'name = value' a line; docs/training.md lists them.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games to play; by default 200,000.")] = None,
    hidden: Annotated[
        int | None, typer.Option(help="Hidden units, a multiple of 64; by default 128.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of games and first weights; by default 1.")] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            parser=file_name, metavar="FILE", help="A file to keep the training in, and to take it up from."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
    threads: Threads = None,
    as_json: Json = False,
    variant: Variant = None,
    option: Options = None,
) -> None:
    """Train a net by self-play and write it.

    With --variant it is a net for that game.

    What an option says goes before what --settings says. An OUT that exists is replaced only with --force, or
    if a checkpoint is taken up again.

    The same settings give the same file on any number of threads. Ctrl-C stops; with a checkpoint file the
    training can then be taken up again, with the same settings, otherwise the net as it is gets written.
    """
    keep_apart([("OUT", out), ("--checkpoint", checkpoint)], [("--settings", settings)])
    taken_up = checkpoint is not None and checkpoint.exists()
    replaceable(out, force=force or taken_up)
    keepable(checkpoint)
    options = {"games": games, "hidden": hidden, "seed": seed}
    given: dict[str, float | str] = {name: value for name, value in options.items() if value is not None}
    if variant is None:
        refuse_options(option)
    else:
        given |= game_settings(get_variant(variant, option))
    text = "" if settings is None else _without(given, settings_in(settings))
    training = take_up(text + "\n" + settings_text(**given), checkpoint)

    ends = "points 1/2/more" if training.variant else "single/gammon/backgammon"
    told_at = time.monotonic()

    def report(told: TrainingReport) -> None:
        nonlocal told_at
        if time.monotonic() - told_at < _REPORT_SECONDS:
            return
        told_at = time.monotonic()
        single, gammon, backgammon = told.outcomes
        line = (
            f"{told.games:>10,} games  {told.games_per_second:>6,.0f}/s  loss {told.loss:.5f}  "
            f"{ends} {100 * single:.0f}/{100 * gammon:.0f}/{100 * backgammon:.0f} %"
        )
        typer.echo(line, err=True)

    with _progress.bar("training", training.games_wanted, shown=not as_json) as update:
        done = training.run(
            threads=threads,
            progress=lambda games: update(games, ""),
            report=None if as_json else report,
            save=checkpoint,
        )
    net = training.net()
    if done or checkpoint is None:
        with replacing(out) as part:
            net.save(part)
    if not done:
        typer.echo(f"Stopped after {training.games:,} of {training.games_wanted:,} games.", err=True)
    if as_json:
        emit(
            {
                "out": str(out) if done or checkpoint is None else None,
                "id": net.id,
                "games": training.games,
                "complete": done,
                "settings": training.settings,
            }
        )
    elif done or checkpoint is None:
        typer.echo(f"{training.games:,} games learned from; wrote {out} ({net.id[:12]}).")
    else:
        typer.echo(f"Kept in {checkpoint}; run again to go on.")
    if not done:
        raise Stopped


def _without(names: Container[str], text: str) -> str:
    """Leave out the lines that options speak instead of; the others keep their numbers."""
    lines = text.splitlines()
    return "\n".join("" if line.partition("=")[0].strip() in names else line for line in lines)
