"""`gammon duel A B`: two players, many games, luck taken out."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from gammon import strength
from gammon.cli import _progress
from gammon.cli._common import (
    Json,
    Options,
    Python,
    StartSeconds,
    Threads,
    Variant,
    emit,
    file_name,
    get_variant,
    keepable,
    refuse_options,
)
from gammon.errors import SettingError, Stopped
from gammon.strength._ubgi import START_SECONDS
from gammon.variants import Variant as Game

PLAYER = (
    "A net file, 'default', 'small', a strength of gammon play such as 'advanced', 'gnubg' (the program), "
    "'gnubg-package' or 'bgsage' (Python packages), or 'ubgi:COMMAND' for any program that speaks UBGI; with "
    "'@1' behind it to look a ply ahead. Of another game (--variant) a net file, 'default', 'pips' or "
    "'random', of hypergammon also 'table'."
)

_PAIRS = 2**63 - 1
"""Pairs are numbered below this."""


def duel(
    first: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player, named as A is.")],
    games: Annotated[int, typer.Option(help="Games to play, an even number.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the dice.")] = 1,
    begin: Annotated[int, typer.Option(min=0, help="Number of the first pair, to continue a duel.")] = 0,
    judge: Annotated[
        str, typer.Option(help="Whose values luck is counted by: a net file, 'default', or 'none'.")
    ] = "default",
    tables: Annotated[
        bool, typer.Option("--tables", help="Leave races and bear-offs of net files to the exact tables.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=file_name, metavar="FILE", help="A file to keep the games in, and to take them up from."
        ),
    ] = None,
    python: Python = None,
    start_seconds: StartSeconds = None,
    threads: Threads = None,
    as_json: Json = False,
    variant: Variant = None,
    option: Options = None,
) -> None:
    """Let two players play cubeless money games: the same dice for both, luck taken out.

    Printed are points a game of A against B, each with its standard error, and 95 % intervals.

    Ctrl-C stops and prints what was done (exit status 130).
    """
    if begin + games // 2 > _PAIRS:
        raise SettingError(f"begin and half of games together must be at most 2**63 - 1, got begin {begin}")
    if variant is not None:
        if save is not None:
            raise SettingError("--save keeps games of the standard game only")
        for switch, given in (
            ("--tables", tables or None),
            ("--python", python),
            ("--start-seconds", start_seconds),
        ):
            if given is not None:
                raise SettingError(f"{switch} is for the standard game, not with --variant")
        of_variant(get_variant(variant, option), first, second, games, seed, begin, judge, threads, as_json)
        return
    refuse_options(option)
    keepable(save)
    patience = patience_with((first, second), start_seconds)
    by = None if judge == "none" else strength.evaluator(judge, tables=tables)
    players = [
        strength.player(name, tables=tables, python=python, threads=threads, start_seconds=patience)
        for name in (first, second)
    ]
    with _progress.bar("duel", games, shown=not as_json) as update:

        def progress(done: strength.Duel) -> bool:
            word = f"{done.best.mean:+.3f} ± {done.best.error:.3f}" if done.games > 2 else ""
            return update(done.games, word)

        found = strength.duel(
            *players,
            games=games,
            seed=seed,
            begin=begin,
            judge=by,
            threads=threads,
            progress=progress,
            save=save,
        )
    _print(found, games, as_json=as_json)


def _print(found: strength.Duel, asked: int, *, as_json: bool) -> None:
    """Print what was found. Raises `Stopped` when that is done if games are missing."""
    if not found.games:
        raise Stopped
    if found.games < asked:
        typer.echo(f"Stopped after {found.games:,} of {asked:,} games.", err=True)
    if as_json:
        emit(found.to_dict())
    else:
        typer.echo(str(found))
    if found.games < asked:
        raise Stopped


def patience_with(players: Iterable[str], seconds: float | None) -> float:
    """Return the seconds that programs among the players have to greet; refuse any where there is none."""
    if seconds is None:
        return START_SECONDS
    if not any(name.startswith("ubgi:") for name in players):
        raise SettingError("--start-seconds is for programs that speak UBGI, 'ubgi:COMMAND'")
    return seconds


def of_variant(
    game: Game,
    first: str,
    second: str,
    games: int,
    seed: int,
    begin: int,
    judge: str,
    threads: int | None,
    as_json: bool,
) -> None:
    """Play a duel of another game."""
    players = [strength.variant_player(name, game) for name in (first, second)]
    by = None if judge == "none" else strength.variant_player(judge, game)
    if by == "random":
        raise SettingError("luck is counted by an evaluator, not by 'random'")
    with _progress.bar("duel", games, shown=not as_json) as update:
        found = strength.duel_of(
            game,
            *players,
            games=games,
            seed=seed,
            begin=begin,
            judge=by,
            threads=threads,
            progress=lambda pairs: update(2 * pairs, ""),
        )
    _print(found, games, as_json=as_json)
