"""Hypergammon, solved: exact chances and money equities of every position, and the best plays.

The table is built when first asked for and kept in the cache folder: a blink for one checker a side, seconds
for two, minutes and 343 MB for three. It is an evaluator, `id` and `evaluate(boards)`, of this game only.

>>> from gammon import hypergammon, variants
>>> table = hypergammon.table(1)
>>> opening = hypergammon.opening(table)
>>> round(opening.equity, 6), round(opening.win, 6)
(0.314256, 0.574883)
>>> start = variants.get("hypergammon", checkers=1).start
>>> best = hypergammon.rank(start, "61", table)[0]
>>> str(best.play), round(best.equity, 4)
('24/18 18/17', 0.2508)
"""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon import _data, variants
from gammon._native import Hypergammon
from gammon._typing import Boards, EquityKind, Progress, RollLike
from gammon.errors import SettingError, TableFormatError
from gammon.variants._position import boards_of

__all__ = [
    "Cube",
    "Hypergammon",
    "Known",
    "Opening",
    "RankedPlay",
    "boards",
    "opening",
    "probe",
    "rank",
    "table",
    "table_path",
]

Cube: TypeAlias = Literal["none", "centred", "owned", "opponent"]

# What the opponent has after a play, by where the mover sees the cube.
_AFTER: dict[Cube, EquityKind] = {
    "none": "cubeless",
    "centred": "centred_best",
    "owned": "opponent_owned",
    "opponent": "owned_best",
}


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


@dataclass(frozen=True)
class Opening:
    """The start for the winner of the opening roll, who plays the dice that decided it; cubeless."""

    equity: float
    """Points a game for money."""
    win: float
    """Chance to win."""
    win_gammon: float
    """Chance to win a gammon or a backgammon."""
    win_backgammon: float
    """Chance to win a backgammon."""
    lose_gammon: float
    """Chance to lose a gammon or a backgammon."""
    lose_backgammon: float
    """Chance to lose a backgammon."""
    change: float
    """By how much the most changed equity of all positions changed in the last sweep."""
    chance_change: float
    """By how much the most changed chance did."""


@dataclass(frozen=True)
class Known:
    """All that the table knows of a position, seen by the player on roll, who is yet to throw.

    Equities are for money in units of the cube as it stands, gammons counting, without beavers; each is that
    of best plays and decisions. Chances are those of the plays that are best without a cube.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    cubeless: float
    """Without a cube."""
    centred_no_double: float
    """Cube in the middle, not doubling this turn."""
    centred_best: float
    """Cube in the middle, best decision this turn."""
    owned_no_double: float
    """Cube owned by the player on roll, not doubling this turn."""
    owned_best: float
    """Cube owned by the player on roll, best decision this turn."""
    opponent_owned: float
    """Cube owned by the opponent."""

    @property
    def double_take(self) -> float:
        """Doubling this turn and being taken."""
        return 2 * self.opponent_owned

    @property
    def should_double(self) -> bool:
        """Whether doubling a cube in the middle is at least as good as waiting."""
        return min(self.double_take, 1.0) >= self.centred_no_double

    @property
    def should_take(self) -> bool:
        """Whether the opponent should take a double."""
        return self.double_take <= 1


@dataclass(frozen=True)
class RankedPlay:
    """A play and what it is worth to the player who makes it."""

    play: variants.VariantPlay
    equity: float
    """Points for money, with the cube where it was said to be."""
    chances: tuple[float, float, float, float, float]
    """Win, win gammon, win backgammon, lose gammon, lose backgammon; as those of `Known`."""


def table_path(checkers: int = 3) -> Path:
    """Return where a table is kept in the cache folder."""
    return _data.cache_folder() / "hypergammon" / f"hypergammon-{checkers}.bo"


def table(
    checkers: int = 3, *, threads: int | None = None, progress: Progress | None = None, save: bool = True
) -> Hypergammon:
    """Return the table of so many checkers a side: from the cache folder, else built and, if `save`, kept.

    A file that is damaged, or of another version or number of checkers, is built again.

    Raises `SettingError` for another number of checkers than 1 to 3, `Stopped` if `progress` asks to stop.
    """
    path = table_path(checkers)
    try:
        kept = Hypergammon.open(path)
        if kept.checkers == checkers:
            return kept
        raise TableFormatError(f"{path} is a table of {kept.checkers} checkers, not {checkers}")
    except (FileNotFoundError, TableFormatError):
        built = Hypergammon.build(checkers, threads=threads, progress=progress)
    if save:
        try:
            built.save(path)
        except OSError:
            # A cache that cannot be written is no reason to refuse the table.
            return built
    return built


@functools.cache
def _kept(checkers: int) -> Hypergammon:
    return table(checkers)


def opening(table: Hypergammon) -> Opening:
    """Return what the winner of the opening roll has, in full precision."""
    equity, chances, change, chance_change = table._opening()
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return Opening(
        equity, win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, change, chance_change
    )


def boards(positions: Iterable[variants.VariantPosition]) -> Boards:
    """Return positions of Hypergammon as an array, `uint8[n, 2, 25]`, the player on roll first.

    Raises `SettingError` for a position of another game.
    """
    known = tuple(positions)
    for position in known:
        if position.variant.name != "hypergammon":
            raise SettingError(f"a position of hypergammon is needed, not {position!r}")
    return boards_of(known)


def probe(position: variants.VariantPosition | str, table: Hypergammon | None = None) -> Known:
    """Return what is known of a position, or of the one a `gammon-id` stands for.

    Without a table the one of the position's game is asked, or of three checkers for an id; it is built if
    need be.

    Raises `SettingError` for a position of another game or of another number of checkers, `ParseError`.
    """
    found, table = _subject(position, table)
    board = boards([found])
    chances = [float(chance) for chance in table.evaluate(board)[0]]
    return Known(*chances, *table.equities(board)[0].tolist())


def rank(
    position: variants.VariantPosition | str,
    roll: RollLike,
    table: Hypergammon | None = None,
    *,
    cube: Cube = "none",
) -> list[RankedPlay]:
    """Return all plays of a roll, the best first, with the cube nowhere, centred, or owned by one of the two.

    `cube` is seen by the player who moves. Equal ones stay in the order of `VariantPosition.plays`.

    Raises `SettingError` as `probe` does and for another `cube`, `IllegalRollError`.
    """
    if cube not in _AFTER:
        raise SettingError(f"cube must be one of {', '.join(_AFTER)}; got {cube!r}")
    found, table = _subject(position, table)
    plays = list(found.plays(roll))
    after = boards(play.after for play in plays)
    equities: npt.NDArray[np.float64] = -table.equities(after, _AFTER[cube])
    order = np.argsort(-equities, kind="stable")
    chances = table.evaluate(after)
    return [RankedPlay(plays[i], float(equities[i]), _flipped(chances[i])) for i in order]


def _flipped(chances: npt.NDArray[np.float32]) -> tuple[float, float, float, float, float]:
    win, won, won_more, lost, lost_more = (float(chance) for chance in chances)
    return 1 - win, lost, lost_more, won, won_more


def _subject(
    position: variants.VariantPosition | str, table: Hypergammon | None
) -> tuple[variants.VariantPosition, Hypergammon]:
    """A position and the table that knows it."""
    if isinstance(position, str):
        game = variants.get("hypergammon", checkers=3 if table is None else table.checkers)
        position = game.start if position == "start" else game.position(position)
    if position.variant.name != "hypergammon":
        raise SettingError(f"a position of hypergammon is needed, not {position!r}")
    checkers = int(position.variant.options["checkers"])
    if table is None:
        table = _kept(checkers)
    if table.checkers != checkers:
        raise SettingError(
            f"a table of {table.checkers} checkers a side does not know a game of {checkers}: {position!r}"
        )
    return position, table
