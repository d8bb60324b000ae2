"""`gammon verify FILE`: whether the dice of a finished match are what they were said to be."""

from pathlib import Path
from typing import Annotated

import typer

from gammon import formats
from gammon.cli._common import Json, emit
from gammon.errors import SettingError
from gammon.match import FairDice, SeededDice, Series
from gammon.match import verify as check


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A match as gammon writes it in JSON.", show_default=False)
    ],
    commitment: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="What the two players told of their secrets before the match, seat 0 first.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every throw of a match against the secrets, or the seed, its dice came from.

    Exit status 1 if a throw is not what it should be. The commitments in the file are only as good as the
    file: players give those they have kept with --commitment.
    """
    matches = formats.read(file).matches
    if len(matches) != 1:
        raise SettingError(f"{file} holds {len(matches)} matches, not one")
    series = matches[0]
    problems = _kept(series, commitment) + check(series)
    throws = sum(game.thrown for game in series.games)
    source = series.dice
    kind = "secrets" if isinstance(source, FairDice) else "seed" if isinstance(source, SeededDice) else None
    if as_json:
        emit({"dice": kind, "throws": throws, "problems": problems})
    else:
        for problem in problems:
            typer.echo(problem)
        typer.echo(
            f"{throws} throws by {kind}: "
            + ("NOT as they should be" if problems else "all as they should be")
        )
    if problems:
        raise typer.Exit(1)


def _kept(series: Series, commitment: tuple[str, str] | None) -> list[str]:
    """Say which of the commitments that the players kept are not those of the file."""
    if commitment is None:
        return []
    if not isinstance(series.dice, FairDice):
        return ["the dice of the file do not come from secrets"]
    pairs = zip(commitment, series.dice.commitments, strict=True)
    wrong = [seat for seat, (kept, told) in enumerate(pairs) if kept.lower() != told.lower()]
    return [f"the commitment of seat {seat} is another one in the file" for seat in wrong]
