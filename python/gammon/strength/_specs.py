"""Players and evaluators by name, as the command line takes them."""

import os
from pathlib import Path

from gammon import evaluators
from gammon.errors import SettingError
from gammon.strength._engine import Engine, EngineName
from gammon.strength._gnubg import Gnubg
from gammon.strength._players import EvaluatorPlayer, Player

__all__ = ["evaluator", "player"]

_KNOWN = "a net file, 'default', 'gnubg', 'gnubg-package' or 'bgsage', each with '@N' behind it for N plies"

_ENGINES: dict[str, EngineName] = {"gnubg-package": "gnubg", "bgsage": "bgsage"}


def player(
    spec: str,
    *,
    tables: bool = False,
    python: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> Player:
    """Return the player that a text names.

    It is a net file, `default` for the packaged evaluator, `gnubg` for the program GNU Backgammon,
    `gnubg-package` or `bgsage` for the package of that name, which the interpreter `python` has; `@1`
    behind it makes it look a ply ahead. With `tables` races and bear-offs of a net file are left to the exact
    tables.

    Raises `SettingError` for a text that names none, what `evaluators.load` does for a file, and what `Gnubg`
    and `Engine` do.

    >>> from gammon import strength
    >>> strength.player("default@1").id.endswith(" 1-ply (normal)")
    True
    """
    name, plies = _parts(spec)
    other = _other(name, plies, python)
    if other is not None:
        return other
    return EvaluatorPlayer(_ours(name, tables), plies=plies, threads=threads)


def evaluator(
    spec: str, *, tables: bool = False, python: str | os.PathLike[str] | None = None
) -> evaluators.Evaluator:
    """Return the evaluator that a text names: what `player` takes, without lookahead of ours.

    Raises what `player` does.
    """
    name, plies = _parts(spec)
    other = _other(name, plies, python)
    if other is not None:
        return other
    if plies:
        raise SettingError(f"{spec}: an evaluator of gammon's does not look ahead here")
    return _ours(name, tables)


def _other(name: str, plies: int, python: str | os.PathLike[str] | None) -> Gnubg | Engine | None:
    """Return another program, or `None` if the name is none of one."""
    if name == "gnubg":
        return Gnubg(plies=plies)
    if name in _ENGINES:
        return Engine(_ENGINES[name], plies=plies, python=python)
    return None


def _ours(name: str, tables: bool) -> evaluators.Evaluator:
    if name == "default":
        return evaluators.default()
    if not Path(name).exists():
        raise SettingError(f"{name!r:.80} names no player: it is {_KNOWN}")
    net = evaluators.load(name)
    return evaluators.composite(contact=net) if tables else net


def _parts(spec: str) -> tuple[str, int]:
    """The name and the plies."""
    name, at, plies = spec.rpartition("@")
    if not at or os.path.exists(spec):
        return spec, 0
    if not (plies.isascii() and plies.isdigit() and int(plies) <= 4):
        raise SettingError(
            f"{spec!r:.80}: behind the @ goes a number of plies from 0 to 4, got {plies!r:.40}"
        )
    return name, int(plies)
