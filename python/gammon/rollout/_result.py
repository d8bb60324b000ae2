"""What a rollout found, with standard errors."""

import math
from dataclasses import dataclass
from typing import Any

from gammon._native import Position, RolloutPart
from gammon.rollout._settings import Settings

__all__ = ["Estimate", "Result"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over trials."""

    mean: float
    """The mean."""
    error: float
    """Its standard error; infinite for a single trial."""

    @property
    def interval(self) -> tuple[float, float]:
        """The mean ± 1.96 standard errors: about 95 such ranges of 100 hold the true value."""
        return (self.mean - 1.96 * self.error, self.mean + 1.96 * self.error)

    def __str__(self) -> str:
        """Give the mean and its standard error with as many digits as they deserve."""
        return f"{self.mean:.4f} ± {_shown(self.error, 4)}"


@dataclass(frozen=True, slots=True)
class Result:
    """Chances and equity of the player on roll, cubeless, with the luck taken out if that was asked for."""

    position: Position
    """What was rolled out."""
    settings: Settings
    """What was asked for."""
    evaluator: str
    """Who chose the plays: a net's digest, or the id of an evaluator of your own."""
    part: RolloutPart
    """The sums; those of adjoining trials can be merged."""
    complete: bool
    """Whether all trials asked for are in; `False` if the rollout was stopped."""
    seconds: float
    """How long it took."""
    evaluations: int
    """Positions evaluated in all: a measure of the work, which depends on how games were batched."""
    ignored: tuple[str, ...] = ()
    """What the identifier said beside the position, such as dice thrown or the score: not used."""

    @property
    def trials(self) -> int:
        """Games counted."""
        return self.part.trials

    @property
    def win(self) -> Estimate:
        """Games won, however."""
        return self._chance(0)

    @property
    def win_gammon(self) -> Estimate:
        """Gammons and backgammons won."""
        return self._chance(1)

    @property
    def win_backgammon(self) -> Estimate:
        """Backgammons won."""
        return self._chance(2)

    @property
    def lose_gammon(self) -> Estimate:
        """Gammons and backgammons lost."""
        return self._chance(3)

    @property
    def lose_backgammon(self) -> Estimate:
        """Backgammons lost."""
        return self._chance(4)

    @property
    def equity(self) -> Estimate:
        """Cubeless money equity in points."""
        return Estimate(*self.part.equity)

    @property
    def raw_equity(self) -> Estimate:
        """The same with the luck left in."""
        return Estimate(*self.part.equity_of(0, raw=True))

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        size = self.settings.replication
        notes = []
        if self.trials % size:
            notes.append(f"{self.trials:,} trials are no multiple of {size:,}, whose dice belong together.")
        if self.trials and size > 1 and not self.part.by_replications:
            notes.append(
                f"Standard errors are rather too large: those of stratified dice need {16 * size:,} trials."
            )
        return tuple(notes)

    def _chance(self, index: int) -> Estimate:
        return Estimate(*self.part.chances[index])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        chances = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        names = (*chances, "equity", "raw_equity") if self.trials else ()
        estimates = {name: getattr(self, name) for name in names}
        return {
            "id": self.position.id,
            "trials": self.trials,
            "complete": self.complete,
            "seed": self.settings.seed,
            "first": self.settings.first,
            "opening": self.settings.opening,
            "luck": self.settings.luck,
            "strata": self.settings.strata,
            "truncate": self.settings.truncate,
            "evaluator": self.evaluator,
            "seconds": self.seconds,
            "ignored": list(self.ignored),
            "notes": list(self.notes),
            # JSON has no infinity: a single trial has no standard error.
            **{
                name: {"mean": value.mean, "error": value.error if math.isfinite(value.error) else None}
                for name, value in estimates.items()
            },
            "outcomes": {
                side: dict(zip(("single", "gammon", "backgammon"), counts, strict=True))
                for side, counts in zip(("won", "lost"), self.part.outcomes(), strict=True)
            },
            "unfinished": self.part.unfinished(),
            "turns": self.part.turns(),
            "evaluations": self.evaluations,
        }

    def __str__(self) -> str:
        """Write a small table for people."""
        if not self.trials:
            return "No trial was finished."
        lose = Estimate(1 - self.win.mean, self.win.error)
        rows = [
            ("", "wins", "gammons", "backgammons"),
            ("player on roll", *map(_percent, (self.win, self.win_gammon, self.win_backgammon))),
            ("opponent", *map(_percent, (lose, self.lose_gammon, self.lose_backgammon))),
        ]
        lines = [
            f"{name:<16}{wins:>18}{gammons:>18}{backgammons:>18}" for name, wins, gammons, backgammons in rows
        ]
        asked = "" if self.complete else f" of {self.settings.trials:,} asked for"
        speed = f", {self.trials / self.seconds:,.0f} games/s" if self.seconds > 0 else ""
        raw = self.raw_equity
        adjusted = self.settings.luck != "off"
        luck = f"; with the luck {raw.mean:+.4f} ± {_shown(raw.error, 4)}" if adjusted else ""
        return "\n".join(
            [
                *lines,
                f"equity {self.equity.mean:+.4f} ± {_shown(self.equity.error, 4)} (cubeless, money)" + luck,
                f"{self.trials:,} games{asked}, seed {self.settings.seed}, {self.seconds:.1f} s{speed}, "
                f"plays by {self.evaluator[:12]}; ± is one standard error",
            ]
        )


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} % ± {_shown(100 * estimate.error, 2)}"


def _shown(error: float, digits: int) -> str:
    """A standard error; a dash for the infinite one of a single trial."""
    return f"{error:.{digits}f}" if math.isfinite(error) else "-"
