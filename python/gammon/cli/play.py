"""`gammon play`: a match against gammon at the terminal."""

import hashlib
import io
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from gammon import formats
from gammon.analysis import analyse
from gammon.cli._common import (
    Json,
    Options,
    Variant,
    emit,
    file_name,
    get_variant,
    keepable,
    refuse_options,
)
from gammon.cli._person import Ask, Person, Quit, Tell
from gammon.cli._variant_table import VariantTable
from gammon.errors import GammonError, SettingError
from gammon.formats._use import format_of
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

_LONGEST_MATCH = 64
"""Points that match equity tables reach."""


def play(
    length: Annotated[int, typer.Option(min=0, help="Points of the match; 0 is a money session.")] = 5,
    strength: Annotated[
        str | None,
        typer.Option(
            help=f"How well gammon plays: {', '.join(STRENGTHS)}; by default advanced.", show_default=False
        ),
    ] = None,
    tutor: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Ask before a decision that loses so many points of equity, such as 0.08.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
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
    variant: Variant = None,
    option: Options = None,
    net: Annotated[
        Path | None,
        typer.Option(
            help="With --variant, the net trained for that game that gammon plays by.", show_default=False
        ),
    ] = None,
) -> None:
    """Play against gammon, with cube and match score.

    Type help for the commands. Ctrl-C, Ctrl-D and quit stop; with --save the match can be taken up again.

    With --variant games of that game are played, without a cube, until somebody has as many points as the
    length says.
    """

    def tell(text: str) -> None:
        typer.echo(text, err=as_json)

    def ask(prompt: str) -> str:
        typer.echo(prompt, nl=False, err=as_json)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a typing mistake, no end of the match
    if variant is not None:
        refused = {
            "--tutor": tutor,
            "--save": save,
            "--fair": fair or None,
            "--review": review or None,
            "--strength": strength,
        }
        for switch, given in refused.items():
            if given is not None:
                raise SettingError(f"{switch} is for the standard game, not with --variant")
        table = VariantTable(get_variant(variant, option), net=net, name=name, seed=seed, ask=ask, tell=tell)
        score = table.play(length=length, games=games)
        if as_json:
            emit(score)
        return
    refuse_options(option)
    if net is not None:
        raise SettingError("--net needs the game it was trained for: --variant")
    if strength is None:
        strength = "advanced"
    if save is not None:
        _can_save(save)
    _reached(length)
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

    def save_now() -> str:
        try:
            return write()
        except (GammonError, OSError) as error:
            return f"not saved: {error}"

    person = Person(_YOU, series, ask=ask, tell=tell, save=save_now, tutor=tutor)
    try:
        _played(series, engine, person, games, tell)
    except (Quit, KeyboardInterrupt):
        tell("stopped")
    finally:  # whatever happened, nothing that was played is lost
        saved = None if save is None else write()
    if saved is not None:
        tell(saved)
    if review and series.games:
        _review(series, tell)
    if as_json:
        emit(series.to_dict())


def _can_save(file: Path) -> None:
    """Raise now rather than after the match if it cannot be written to this file."""
    name = format_of(file)
    if name != "json" and formats.FORMATS[name].write is None:
        raise SettingError(f"{file}: format {name!r} holds no match; give another extension, such as .json")
    keepable(file)


def _reached(length: int) -> None:
    if length > _LONGEST_MATCH:
        raise SettingError(
            f"a match to {length} is too long to judge: match equity tables reach {_LONGEST_MATCH} points"
        )


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
    _reached(series.length)
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
