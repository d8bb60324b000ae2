"""`gammon play`: a match against gammon at the terminal."""

import hashlib
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from gammon import formats
from gammon.analysis import analyse
from gammon.cli._common import Json, emit
from gammon.cli._person import Ask, Person, Quit, Tell
from gammon.errors import SettingError
from gammon.match import (
    STRENGTHS,
    Dice,
    Engine,
    FairDice,
    Game,
    Match,
    SeededDice,
    Session,
    play_match,
)

_YOU = 1
"""The seat of the person: the bottom one."""


def play(
    length: Annotated[int, typer.Option(min=0, help="Points of the match; 0 is a money session.")] = 5,
    strength: Annotated[
        str, typer.Option(help=f"How well gammon plays: {', '.join(STRENGTHS)}.")
    ] = "advanced",
    tutor: Annotated[
        float | None,
        typer.Option(
            min=0.0, help="Ask before a decision that loses so much equity, such as 0.08.", show_default=False
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="File for the match, in the format of its extension; one that is there is taken up.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Games to play at most; by default all of a match.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="Your name.")] = "You",
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of the dice; by default nobody knows it.", show_default=False),
    ] = None,
    fair: Annotated[
        bool,
        typer.Option("--fair", help="Dice from a secret of gammon's and one of yours; see gammon verify."),
    ] = False,
    review: Annotated[bool, typer.Option("--review", help="Judge all decisions at the end.")] = False,
    as_json: Json = False,
) -> None:
    """Play against gammon, with cube and match score.

    Type help for the commands. Ctrl-C, Ctrl-D and quit stop; with --save the match can be taken up again.
    """

    def tell(text: str) -> None:
        typer.echo(text, err=as_json)

    def ask(prompt: str) -> str:
        typer.echo(prompt, nl=False, err=as_json)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    engine = Engine.named(strength, seed=seed or 0, resigns=True)
    if save is not None and save.exists():
        series = _taken_up(save)
        tell(f"taken up from {save}: {series.score[_YOU]} to {series.score[1 - _YOU]}")
    else:
        series = _begun(length, name, strength, _dice(seed, fair, ask, tell))

    def write() -> str:
        if save is None:
            return "no file: start with --save FILE"
        lost = formats.write(series, save)
        return f"saved in {save}" + (f", without {', '.join(lost)}" if lost else "")

    person = Person(_YOU, series, ask=ask, tell=tell, save=write, tutor=tutor)
    try:
        _played(series, engine, person, games, tell)
    except (Quit, KeyboardInterrupt):
        tell("stopped")
    if save is not None:
        tell(write())
    if review and series.games:
        _review(series, tell)
    if as_json:
        emit(series.to_dict())


def _dice(seed: int | None, fair: bool, ask: Ask, tell: Tell) -> Dice:
    if not fair:
        return SeededDice(secrets.randbits(63) if seed is None else seed)
    own = FairDice.new_secret()
    tell(f"gammon's commitment: {FairDice.commitment(1 - _YOU, own)}")
    yours = hashlib.sha256(ask("your secret (any text): ").strip().encode()).hexdigest()
    tell(f"your commitment:     {FairDice.commitment(_YOU, yours)}")
    return FairDice.of(own, yours)


def _begun(length: int, name: str, strength: str, dice: Dice) -> Match | Session:
    players = (f"gammon ({strength})", name)
    return Match(length, players, dice=dice) if length else Session(players, dice=dice)


def _taken_up(file: Path) -> Match | Session:
    matches = formats.read(file).matches
    if len(matches) != 1:
        raise SettingError(f"{file} holds {len(matches)} matches, not one")
    series: Match | Session = matches[0]
    if series.dice is None:
        series.dice = SeededDice(secrets.randbits(63))
    return series


def _played(series: Match | Session, engine: Engine, person: Person, games: int | None, tell: Tell) -> None:
    """Play until the match is over, or so many games are."""
    left = games if games is not None or series.length else 1_000_000
    while not series.is_over and (left is None or left > 0):
        number = len(series.games)
        unfinished = number > 0 and not series.games[-1].is_over
        if not unfinished:
            tell(f"\nGame {number + 1}, {_score(series)}{_crawford(series)}")
        play_match(series, (engine, person), games=1)
        person.tell_news(series.games[-1])
        tell(_outcome(series.games[-1], series))
        left = None if left is None else left - 1


def _score(series: Match | Session) -> str:
    mine, theirs = series.score[_YOU], series.score[1 - _YOU]
    to = f", match to {series.length}" if series.length else ""
    return f"{series.label(_YOU)} {mine}, {series.label(1 - _YOU)} {theirs}{to}"


def _crawford(series: Match | Session) -> str:
    first = series.length > 1 and series.rules.crawford and max(series.score) == series.length - 1
    played = any(max(game.score) == series.length - 1 for game in series.games)
    return ": the Crawford game" if first and not played else ""


def _outcome(game: Game, series: Match | Session) -> str:
    result = game.result
    if result is None or result.winner is None:
        return "No points."
    points = f"{result.points} point{'' if result.points == 1 else 's'}"
    text = f"{series.label(result.winner)}: {points}. {_score(series)}."
    return text + (f" The match goes to {series.label(series.winner)}." if series.winner is not None else "")


def _review(series: Match | Session, tell: Tell) -> None:
    """Judge what was played and tell the sums and the worst errors."""
    found = analyse(series, plies=1)
    tell(f"\n{found}")
    for decision in found.errors(_YOU)[:5]:
        tell(f"{-decision.error:+.3f} {decision.made.name}, better {decision.best.name}  {decision.id}")
