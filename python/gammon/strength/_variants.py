"""Duels of the other games: pairs of games with the same dice, played in Rust."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gammon import evaluators, hypergammon
from gammon._names import short_id
from gammon._native import PipCount, VariantNet, variant_duel, variant_prizes
from gammon.errors import SettingError
from gammon.rollout import Estimate
from gammon.strength._duel import Duel
from gammon.variants import Variant

__all__ = ["VariantDuel", "VariantPlayer", "duel_of", "variant_player"]

VariantPlayer: TypeAlias = VariantNet | PipCount | evaluators.Evaluator | str
"""Whoever plays another game: a net trained for it, `PipCount()`, `"random"`, or, in games that move as the
standard one does, any evaluator of that."""

_RANDOM = "random"


@dataclass(frozen=True, eq=False, slots=True)
class VariantDuel(Duel):
    """A `Duel` of another game: `points` are `int32[n, 2]`, `turns` are decisions.

    `unfinished` are games that nobody won: drawn, void or broken off.
    """

    variant: str = ""
    """The game."""

    @property
    def won(self) -> Estimate:
        """Share of games that the first player won, a game without a winner counting half."""
        halves = (np.sign(self.points).sum(axis=1) / 2 + 1) / 2
        count = len(halves)
        error = halves.std(ddof=1) / math.sqrt(count) if count > 1 else math.inf
        return Estimate(float(halves.mean()) if count else math.nan, float(error))

    @property
    def won_interval(self) -> tuple[float, float]:
        """About 95 of 100 such intervals hold the true share (Wilson's, also where all games were won).

        Games of a pair count as independent, which makes it rather too wide.
        """
        count, share, z = max(self.games, 1), self.won.mean, 1.96
        centre = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2) * z / (1 + z * z / count)
        return max(0.0, centre - half), min(1.0, centre + half)

    def merge(self, other: Duel) -> "VariantDuel":
        """Return both together, for different pairs of the same duel."""
        if not isinstance(other, VariantDuel) or other.variant != self.variant:
            raise SettingError("these are not parts of one duel: the game differs")
        merged = Duel.merge(self, other)
        fields = (merged.players, merged.seed, merged.judge, merged.pairs, merged.points, merged.luck)
        return VariantDuel(*fields, merged.turns, merged.unfinished, self.variant)

    def to_dict(self) -> dict[str, Any]:
        """Return a summary as plain values, ready for JSON."""
        shown = {"mean": self.won.mean, "interval": list(self.won_interval)} if self.games else None
        return {"variant": self.variant} | Duel.to_dict(self) | {"games_won": shown}

    def _outcomes(self) -> dict[str, dict[str, int]]:
        """How many games were won and lost with how many points."""
        counts = Counter(self.points.ravel().tolist())
        sides = {"won": 1, "lost": -1}
        return {
            side: {
                str(sign * points): counts[points] for points in sorted(counts, key=abs) if sign * points > 0
            }
            for side, sign in sides.items()
        }

    def __str__(self) -> str:
        """Write it for people."""
        if not self.games:
            return "No pair of games was finished."
        first, second = map(short_id, self.players)
        parts = []
        for side, ends in self._outcomes().items():
            told = ", ".join(_worth(count, points) for points, count in ends.items())
            parts.append(f"{side} {sum(ends.values()):,}" + (f" ({told})" if told else ""))
        lines = [f"{self.variant}: {first} against {second}, {self.games:,} games, " + " and ".join(parts)]
        low, high = self.won_interval
        share = f"{100 * self.won.mean:.2f} %"
        lines.append(f"{'games won':<14}{share}, 95 % interval {100 * low:.2f} to {100 * high:.2f} %")
        for name, value in (("raw", self.raw), ("luck-adjusted", self.adjusted)):
            if value is not None:
                line = f"{name:<14}{value.mean:+.4f}"
                if math.isfinite(value.error):
                    low, high = value.interval
                    line += f" ± {value.error:.4f} points a game, 95 % interval {low:+.4f} to {high:+.4f}"
                lines.append(line)
        if self.unfinished:
            lines.append(f"{self.unfinished:,} games had no winner")
        return "\n".join(lines)


def _worth(count: int, points: str) -> str:
    return f"{count:,} worth {points} point{'' if points == '1' else 's'}"


def variant_player(spec: str, game: Variant) -> VariantPlayer:
    """Return the player of another game that a text names.

    It is `default`, the evaluator that is asked if none is named, `pips`, who counts pips and plays any of
    the plays that are equally good, `random`, or a net file; in games that move as the standard one does also
    `small` and files of nets for that; in Hypergammon also `table`, which plays perfectly, and its files.

    Raises `SettingError` for a text that names none and for a net of another game, `NetFormatError` for a
    file that is no net.

    >>> from gammon import strength, variants
    >>> strength.variant_player("pips", variants.get("fevga"))
    PipCount()
    """
    if spec == _RANDOM:
        return spec
    if spec == "pips":
        return PipCount()
    if spec == "default":
        return evaluators.default(game)
    if spec == "table" and game.name == "hypergammon":
        return hypergammon.table(int(game.options["checkers"]))
    standard = variant_prizes(game._rules)[2]
    if spec == "small" and standard:
        return evaluators.small()
    if not Path(spec).is_file():
        small = ", 'small'" if standard else ""
        table = ", 'table'" if game.name == "hypergammon" else ""
        raise SettingError(
            f"{spec!r:.80} names no player of {game.name}: "
            f"it is a net file, 'default'{small}{table}, 'pips' or 'random'"
        )
    return evaluators.load_for(game, spec)


def duel_of(
    game: Variant,
    first: VariantPlayer,
    second: VariantPlayer,
    *,
    games: int = 1_000,
    seed: int = 1,
    begin: int = 0,
    judge: VariantPlayer | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> VariantDuel:
    """Let two players play another game against each other and say who is how much better.

    Games come in pairs with the same dice, each player beginning once; `games` is their number, `begin` the
    number of the first pair. With a `judge`, an evaluator, luck is taken out: for every throw what its best
    play is worth by the judge, less the mean of that over all throws. The result depends on game, players,
    seed, pairs and judge alone. `progress` is told some twenty times a second how many pairs are done; if it
    returns something false but not `None` the duel stops, and the unbroken run of finished pairs is kept.

    Raises `SettingError` for an odd number of games, a player that is none of this game, and numbers outside
    their range.

    >>> from gammon import evaluators, strength, variants
    >>> found = strength.duel_of(variants.get("nackgammon"), evaluators.PipCount(), "random", games=20)
    >>> found.games, found.won.mean > 0.5
    (20, True)
    """
    if games < 2 or games % 2:
        raise SettingError(f"games must be an even number of at least 2, got {games}")
    points, luck, decisions, without = variant_duel(
        game._rules,
        first,
        second,
        judge,
        seed=seed,
        begin=begin,
        pairs=games // 2,
        threads=threads,
        progress=progress,
    )
    names = (_name(first), _name(second))
    pairs = np.arange(begin, begin + len(points), dtype=np.uint64)
    by = None if judge is None else _name(judge)
    return VariantDuel(names, seed, by, pairs, points, luck, decisions, without, game.name)  # type: ignore[arg-type]


def _name(player: VariantPlayer) -> str:
    return player if isinstance(player, str) else player.id
