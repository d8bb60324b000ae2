"""Everything that is measured, of several players, in one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gammon import evaluators
from gammon._native import RankedPlay, Roll
from gammon.strength._agreement import Agreement, agreement
from gammon.strength._agreement import table as agreement_table
from gammon.strength._duel import Duel, duel
from gammon.strength._engine import Engine
from gammon.strength._gnubg import Gnubg
from gammon.strength._known import Known
from gammon.strength._openings import openings
from gammon.strength._players import EvaluatorPlayer, Player
from gammon.strength._speed import Speed, speed
from gammon.strength._speed import table as speed_table

__all__ = ["Measured", "Report", "report"]

Measured: TypeAlias = EvaluatorPlayer | Engine | Gnubg
"""Players that value positions too."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured of some players; what was not asked for is empty."""

    names: tuple[str, ...]
    """What the players are called, in the order of all else."""
    agreement: tuple[Agreement, ...]
    """How far each is from GNU Backgammon's 2-ply."""
    reference: tuple[Agreement, ...]
    """How far each is from rollouts."""
    openings: tuple[dict[Roll, RankedPlay], ...]
    """What each plays first; players that are other programs are not asked."""
    speed: tuple[Speed, ...]
    """How fast they are; of programs that are not measured from within there is none."""
    speed_names: dict[str, str]
    """What those in `speed` are called."""
    duels: tuple[Duel, ...]
    """Duels of each with each opponent."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        first = [
            {str(roll): {"play": str(best.play), "equity": best.equity} for roll, best in plays.items()}
            for plays in self.openings
        ]
        found: dict[str, Any] = {"agreement": [one.to_dict() for one in self.agreement]}
        for name, values in (
            ("reference", [one.to_dict() for one in self.reference]),
            ("openings", first),
            ("speed", [one.to_dict() for one in self.speed]),
            ("duels", [one.to_dict() for one in self.duels]),
        ):
            if values:
                found[name] = values
        return found

    def __str__(self) -> str:
        """Write it for people."""
        names = list(self.names)
        parts = [agreement_table([*self.agreement], names)]
        if self.reference:
            parts.append(agreement_table([*self.reference], names))
        for name, plays in zip(names, self.openings, strict=False):
            told = ", ".join(f"{roll} {best.play} ({best.equity:+.3f})" for roll, best in plays.items())
            parts.append(f"{name} opens {told}")
        if self.speed:
            parts.append(speed_table(self.speed, self.speed_names))
        parts += map(str, self.duels)
        return "\n\n".join(parts)


def report(
    players: Mapping[str, Measured],
    *,
    positions: Known | None = None,
    reference: Known | None = None,
    first_plays: bool = False,
    speed_rounds: int = 0,
    opponents: Sequence[Player] = (),
    games: int = 1_000,
    threads: int | None = None,
) -> Report:
    """Measure players, by the names given: agreement, and whatever else is asked for.

    `positions` and `reference` are for `agreement`, `first_plays` asks for `openings`, `speed_rounds` for
    `speed`, and there is a duel of each with each of the `opponents`.

    Raises what these functions do.

    >>> from gammon import strength
    >>> found = strength.report({"net": strength.EvaluatorPlayer()})
    >>> str(found).count("gnubg 0-ply"), list(found.to_dict())
    (9, ['agreement'])
    """
    subjects = [*players.values()]
    ours = [player for player in subjects if isinstance(player, EvaluatorPlayer)]
    timed = {
        name: player
        for name, player in players.items()
        if speed_rounds and isinstance(player, EvaluatorPlayer | Engine)
    }
    return Report(
        tuple(players),
        tuple(_agreement(player, positions, threads) for player in subjects),
        () if reference is None else tuple(_agreement(player, reference, threads) for player in subjects),
        tuple(
            openings(player.evaluator, plies=player.plies, threads=threads) for player in ours if first_plays
        ),
        speed([*timed.values()], rounds=speed_rounds) if timed else (),
        {player.id: name for name, player in timed.items()},
        tuple(
            duel(player, opponent, games=games, threads=threads)
            for player in subjects
            for opponent in opponents
        ),
    )


def _agreement(player: Measured, positions: Known | None, threads: int | None) -> Agreement:
    if isinstance(player, EvaluatorPlayer):
        evaluator: evaluators.Evaluator = player.evaluator
        return agreement(evaluator, positions=positions, plies=player.plies, threads=threads)
    return agreement(player, positions=positions, threads=threads)
