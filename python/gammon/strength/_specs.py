"""Players and evaluators by name, as the command line takes them."""

import os
from dataclasses import replace
from pathlib import Path

from gammon import evaluators
from gammon.errors import SettingError
from gammon.match import STRENGTHS
from gammon.strength._engine import Engine, EngineName
from gammon.strength._gnubg import Gnubg
from gammon.strength._players import EvaluatorPlayer
from gammon.strength._ubgi import START_SECONDS, Ubgi, check_seconds

__all__ = ["evaluator", "player"]

_KNOWN = (
    "a net file, 'default', 'small', a strength such as 'advanced', 'gnubg', 'gnubg-package', 'bgsage' or "
    "'ubgi:COMMAND', "
    "each with '@N' behind it for N plies"
)

_OF_VARIANTS = " ('random' and 'pips' are players of --variant games)"

_UBGI = "ubgi:"

_ENGINES: dict[str, EngineName] = {"gnubg-package": "gnubg", "bgsage": "bgsage"}


def player(
    spec: str,
    *,
    tables: bool = False,
    python: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    start_seconds: float = START_SECONDS,
) -> EvaluatorPlayer | Gnubg | Engine | Ubgi:
    """Return the player that a text names.

    It is a net file, `default` or `small` for the packaged evaluators, one of `match.STRENGTHS` (cubeless
    here), `gnubg` for the program GNU Backgammon, `gnubg-package` or `bgsage` for the package of that name,
    which the interpreter `python` has, or `ubgi:` and a command with its arguments for any program that
    speaks UBGI; `@1` behind it makes it look a ply ahead. `LARGE+SMALL`, two nets, is the large one judging
    what the small one finds good (2 to 5 plays within .08 points). With `tables` races and bear-offs of a net
    file are left to the exact tables. A program that speaks UBGI has `start_seconds` to greet.

    Raises `SettingError` for a text that names none and seconds that `Ubgi` refuses, what `evaluators.load`
    does for a file, and what `Gnubg`, `Engine` and `Ubgi` do.

    >>> from gammon import strength
    >>> strength.player("default@1").id.endswith(" 1-ply (normal)")
    True
    """
    check_seconds(start_seconds)
    if spec.startswith(_UBGI):
        return _ubgi(spec.removeprefix(_UBGI), start_seconds)
    name, plies = _parts(spec)
    other = _other(name, plies, python)
    if other is not None:
        return other
    if name in STRENGTHS and not Path(name).exists():
        if plies:
            raise SettingError(f"{spec}: a named strength has its plies")
        deep, noise = STRENGTHS[name]
        return EvaluatorPlayer(plies=deep, noise=noise, threads=threads)
    name, small = _quick(name)
    prefilter = None
    if small is not None:
        quick = evaluators.Prefilter(_ours(small, tables=False))
        prefilter = replace(quick, top=quick.inside)
    return EvaluatorPlayer(_ours(name, tables), plies=plies, prefilter=prefilter, threads=threads)


def evaluator(
    spec: str, *, tables: bool = False, python: str | os.PathLike[str] | None = None
) -> evaluators.Evaluator:
    """Return the evaluator that a text names: what `player` takes, without lookahead of ours.

    Of `LARGE+SMALL` it is the large net, since the small one only picks plays.

    Raises what `player` does.
    """
    if spec.startswith(_UBGI):
        raise SettingError(f"{spec:.80}: an engine of UBGI tells plays, and no chances")
    name, plies = _parts(spec)
    other = _other(name, plies, python)
    if other is not None:
        return other
    if plies:
        raise SettingError(f"{spec}: an evaluator of gammon's does not look ahead here")
    return _ours(_quick(name)[0], tables)


def _ubgi(text: str, start_seconds: float) -> Ubgi:
    command, at, plies = text.rpartition("@")
    if at and plies.isascii() and plies.isdigit():
        return Ubgi(command, plies=_plies(text, plies), start_seconds=start_seconds)
    return Ubgi(text, start_seconds=start_seconds)


def _other(name: str, plies: int, python: str | os.PathLike[str] | None) -> Gnubg | Engine | None:
    """Return another program, or `None` if the name is none of one."""
    if name == "gnubg":
        return Gnubg(plies=plies)
    if name in _ENGINES:
        return Engine(_ENGINES[name], plies=plies, python=python)
    return None


def _quick(name: str) -> tuple[str, str | None]:
    """The net, and the small one that picks plays for it."""
    large, plus, small = name.rpartition("+")
    return (large, small) if plus and not os.path.exists(name) else (name, None)


def _ours(name: str, tables: bool) -> evaluators.Evaluator:
    if name in ("default", "small"):
        return evaluators.default() if name == "default" else evaluators.small()
    if not Path(name).exists():
        raise SettingError(f"{name!r:.80} names no player: it is {_KNOWN}{_OF_VARIANTS}")
    net = evaluators.load(name)
    return evaluators.composite(contact=net) if tables else net


def _parts(spec: str) -> tuple[str, int]:
    """The name and the plies."""
    name, at, plies = spec.rpartition("@")
    if not at or os.path.exists(spec):
        return spec, 0
    return name, _plies(spec, plies)


def _plies(spec: str, plies: str) -> int:
    if not (plies.isascii() and plies.isdigit() and int(plies[:9]) <= 4):
        raise SettingError(
            f"{spec!r:.80}: behind the @ goes a number of plies from 0 to 4, got {plies!r:.40}"
        )
    return int(plies)
