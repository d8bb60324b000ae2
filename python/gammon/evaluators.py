"""What puts numbers on positions: nets, or any object of your own.

>>> import gammon, numpy as np
>>> class Pips:
...     id = "pips"
...
...     def evaluate(self, boards):
...         pips = gammon.features(boards).pips.astype(np.float32)
...         chances = np.zeros((len(boards), 5), np.float32)
...         chances[:, 0] = pips[:, 1] / pips.sum(axis=1)
...         return chances
>>> gammon.evaluate(gammon.Position.start().board[None], Pips())
array([[0.5, 0. , 0. , 0. , 0. ]], dtype=float32)
"""

import functools
import math
import operator
import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, SupportsFloat, overload, runtime_checkable

from gammon import _data
from gammon import bearoff as _bearoff
from gammon import hypergammon as _hypergammon
from gammon import variants as _variants
from gammon._native import (
    BuiltIn,
    Composite,
    Hypergammon,
    Net,
    PipCount,
    SearchCache,
    VariantNet,
    evaluate_with,
    search_values,
    variant_prizes,
)
from gammon._typing import Boards, Chances
from gammon.errors import NetFormatError, SettingError

_TABLE = b"gammonBO"  # what files of tables begin with

__all__ = [
    "BuiltIn",
    "Composite",
    "Evaluator",
    "Net",
    "PipCount",
    "Prefilter",
    "VariantNet",
    "composite",
    "default",
    "evaluate",
    "load",
    "load_for",
    "small",
    "strong",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


@runtime_checkable
class Evaluator(Protocol):
    """Anything that can evaluate: always a batch, answered in its order.

    Within one call of gammon an object of your own is asked by one thread at a time, which need not be the
    calling one, so it need not be safe for threads; the other threads choose plays meanwhile. Whoever calls
    gammon from several threads of his own has to see to it that the object bears that.
    """

    @property
    def id(self) -> str:
        """A short name for results to carry."""

    def evaluate(self, boards: Boards, /) -> Chances:
        """Return the chances of the player on roll in each position, who is yet to throw: `float32[n, 5]`.

        Five columns, each including the next: games won, gammons won, backgammons won; then gammons lost and
        backgammons lost. No game among them is finished: those are answered without asking.

        An exception comes out of the call of gammon as it is; after it the object is not asked again.
        """


@dataclass(frozen=True)
class Prefilter:
    """A quick evaluator that says which results of a roll the good one is asked about.

    Within a search only the results that it ranks among the best are evaluated, and the best of those is the
    reply; a result it misjudges so badly is lost. Widths are `(least, most, within)`: always `least` of the
    best, others if they are within `within` of the best, never more than `most`.

    Raises `SettingError` for widths that are anything else.
    """

    evaluator: Evaluator
    inside: tuple[int, int, float] = (2, 5, 0.08)
    """Which replies to a roll are evaluated below the position or play searched."""
    top: tuple[int, int, float] = (8, 16, 0.32)
    """Which plays of a ranking are evaluated."""

    def __post_init__(self) -> None:
        _check_width("inside", self.inside)
        _check_width("top", self.top)


_MOST_RESULTS = 65_535


def _check_width(name: str, width: Any) -> None:
    """Raise `SettingError` for what is no `(least, most, within)`."""
    try:
        least, most, within = width
        counts = [operator.index(count) for count in (least, most) if not isinstance(count, bool)]
        is_number = isinstance(within, SupportsFloat) and not isinstance(within, bool)
        is_good = len(counts) == 2 and is_number and math.isfinite(within) and within >= 0
    except (TypeError, ValueError):
        is_good = False
    if not (is_good and 1 <= least <= most <= _MOST_RESULTS):
        raise SettingError(
            f"{name} must be (least, most, within): whole numbers, 1 <= least <= most <= {_MOST_RESULTS}, "
            f"and a finite number of at least 0, got {width!r:.120}"
        )


@overload
def default(variant: None = None) -> Composite: ...
@overload
def default(variant: "_variants.Variant | str") -> Composite | VariantNet | PipCount | Hypergammon: ...
def default(
    variant: "_variants.Variant | str | None" = None,
) -> Composite | VariantNet | PipCount | Hypergammon:
    """Return the evaluator of whoever gives none: `strong()`, and without contact `bearoff.race()`.

    The tables of the second are built when a race or bear-off is first evaluated.

    Of another game, a `Variant` or its name, it is the net that is shipped for it (Plakoto, Fevga, long
    nardi), this same evaluator where checkers move as in the standard game (Portes, Nackgammon, Longgammon,
    short nardi, Tavla, Kirik Tavla), the exact table of Hypergammon (that for three checkers only once it has
    been built, by `gammon hypergammon build`), and else `PipCount()`, which only counts pips: `gammon train
    --variant NAME` makes a better one in minutes. `docs/variants/README.md` says how well each of them plays.

    Raises `SettingError` for a name that no game has.

    >>> from gammon import evaluators
    >>> evaluators.default("portes") is evaluators.default()
    True
    >>> evaluators.default("plakoto").variant, evaluators.default("jacquet")
    ('plakoto', PipCount())
    """
    if variant is None:
        return _default()
    game = _variants.get(variant) if isinstance(variant, str) else variant
    if game.name in _shipped_games():
        return _shipped_for(game.name)
    if game.name == "hypergammon":
        return _solved(int(game.options["checkers"]))
    return _default() if variant_prizes(game._rules)[2] else PipCount()


def _solved(checkers: int) -> Hypergammon | PipCount:
    """The table of Hypergammon, unless it would take minutes to build."""
    if checkers < 3 or _hypergammon.table_path(checkers).exists():
        return _hypergammon._kept(checkers)
    return PipCount()


@functools.cache
def _default() -> Composite:
    return composite()


@functools.cache
def strong() -> Net:
    """Return the strongest net shipped; it answers every position, races less well than tables do."""
    return _packaged("strong")


@functools.cache
def small() -> Net:
    """Return the quickest net shipped with the package, for rollouts' play or a `Prefilter`."""
    return _packaged("small")


def _packaged(name: str) -> Net:
    manifest = tomllib.loads(_data.packaged("nets", "manifest.toml").read_text())
    return Net(_data.packaged("nets", manifest[name]).read_bytes())


@functools.cache
def _shipped_games() -> dict[str, str]:
    """The files of the nets for other games, by game."""
    manifest = tomllib.loads(_data.packaged("nets", "games", "manifest.toml").read_text())
    games: dict[str, str] = manifest["games"]
    return games


@functools.cache
def _shipped_for(name: str) -> VariantNet:
    return VariantNet(_data.packaged("nets", "games", _shipped_games()[name]).read_bytes())


def load(path: str | os.PathLike[str]) -> Net:
    """Read a net file, such as `gammon train` and `Net.save` write; `load_for` reads those of other games.

    Raises `OSError` if it cannot be read, `NetFormatError` if it is no net of the standard game.
    """
    with _naming(path):
        return Net(Path(path).read_bytes())


@contextmanager
def _naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say of a file that is no net which one it is."""
    try:
        yield
    except NetFormatError as error:
        raise NetFormatError(f"{os.fspath(path)}: {error}") from None


def load_for(
    variant: "_variants.Variant | str", path: str | os.PathLike[str]
) -> VariantNet | Net | Hypergammon:
    """Read the file of a net for another game: one trained for it, or one that can play it too.

    For Hypergammon that may be its table, as `gammon.hypergammon.table_path` says where.

    Raises `OSError` if it cannot be read, `NetFormatError` if it is no net, `TableFormatError` for a table
    that is damaged, `SettingError` for a net or table of another game.
    """
    game = _variants.get(variant) if isinstance(variant, str) else variant
    with Path(path).open("rb") as file:
        if file.read(len(_TABLE)) == _TABLE:
            return _table_for(game, path)
    data = Path(path).read_bytes()
    with _naming(path):
        try:
            net = VariantNet(data)
        except NetFormatError:
            if variant_prizes(game._rules)[2]:
                return Net(data)
            raise
    wanted = "celebi" if game.options.get("celebi") == "true" else game.name
    if net.variant != wanted:
        raise SettingError(f"{os.fspath(path)} was trained for {net.variant} and cannot play {wanted}")
    return net


def _table_for(game: "_variants.Variant", path: str | os.PathLike[str]) -> Hypergammon:
    if game.name != "hypergammon":
        raise SettingError(f"{os.fspath(path)} is a table, and none can play {game.name}")
    table = Hypergammon.open(path)
    if str(table.checkers) != game.options["checkers"]:
        raise SettingError(
            f"{os.fspath(path)} is a table of {table.checkers} checkers and cannot play {game!r}"
        )
    return table


def composite(
    *,
    contact: Evaluator | None = None,
    race: Evaluator | None = None,
    crashed: Evaluator | None = None,
    bearoff: Evaluator | None = None,
) -> Composite:
    """Return one evaluator made of several, each asked about its own kind of position.

    `contact` also answers crashed positions, `race` also bear-offs, unless others are given for them. Left
    out, `contact` is `strong()` and `race` is `gammon.bearoff.race()`, whose tables are built when
    first used.

    >>> import gammon, numpy as np
    >>> both = gammon.evaluators.composite()
    >>> start = gammon.Position.start()
    >>> last = gammon.Position.from_points({6: 1}, {1: 1})
    >>> chances = gammon.evaluate(np.stack([start.board, last.board]), both)
    >>> float(chances[1, 0])
    0.75
    """
    if contact is None:
        contact = strong()
    if race is None:
        race = _bearoff.race()
    return Composite(
        contact,
        contact if crashed is None else crashed,
        race,
        race if bearoff is None else bearoff,
    )


def evaluate(
    boards: Boards,
    evaluator: Evaluator | None = None,
    *,
    plies: int = 0,
    prefilter: Prefilter | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Chances:
    """Return the chances of the player on roll in each position: `float32[n, 5]`.

    The columns are games won, gammons and backgammons won, gammons and backgammons lost, cumulative as most
    programs print them. Without an evaluator the packaged net answers; one of your own is asked by one thread
    at a time. With `plies` the chances are those some rolls ahead, both sides playing what the evaluator
    itself likes best, or among those that a `prefilter` leaves it; values that a `cache` holds are not worked
    out again. Positions that a bear-off table solves are not looked at any more deeply.

    Raises `SettingError` for plies beyond 4, `ArrayError` for another dtype or shape, `IllegalPositionError`
    for a row that is no position, `EvaluatorError` for an unusable answer of an evaluator of your own, and
    whatever that raises itself.

    >>> import gammon
    >>> chances = gammon.evaluate(gammon.Position.start().board[None])
    >>> chances.shape, chances.dtype, bool(0.5 < chances[0, 0] < 0.55)
    ((1, 5), dtype('float32'), True)
    """
    asked = default() if evaluator is None else evaluator
    if plies == 0:
        return evaluate_with(boards, asked, threads=threads)
    return search_values(boards, asked, plies=plies, prefilter=prefilter, cache=cache, threads=threads)
