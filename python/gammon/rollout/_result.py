"""What came of a position that was rolled out, with standard errors."""

from dataclasses import dataclass
from typing import Any

from gammon._native import Position, RolloutPart
from gammon.rollout._estimate import Estimate, cubeful_of, mwc_of, percent, plain, shown
from gammon.rollout._settings import Settings
from gammon.rollout._told import foot_of, notes_of, told_by_all

__all__ = ["Result"]


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
    stopped: str | None = None
    """The rule of an `Until` that ended it: 'error', 'jsd', 'decided' or 'seconds'."""

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
    def cubeful(self) -> Estimate | None:
        """Equity with the cube, per unit of the cube; in a match normalised. `None` without a cube."""
        return cubeful_of(self.part, 0)

    @property
    def mwc(self) -> Estimate | None:
        """Chance to win the match; `None` in money play or without a cube."""
        return mwc_of(self.part, 0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return notes_of(self.settings, self.part)

    def _chance(self, index: int) -> Estimate:
        return Estimate(*self.part.chances[index])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        chances = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        names = (*chances, "equity", "raw_equity") if self.trials else ()
        estimates = {name: getattr(self, name) for name in names}
        return {
            "id": self.position.id,
            **told_by_all(self),
            "ignored": list(self.ignored),
            **{name: plain(value) for name, value in estimates.items()},
            **{
                name: plain(value)
                for name, value in (("cubeful", self.cubeful), ("mwc", self.mwc))
                if value is not None and self.trials
            },
            "outcomes": {
                side: dict(zip(("single", "gammon", "backgammon"), counts, strict=True))
                for side, counts in zip(("won", "lost"), self.part.outcomes(), strict=True)
            },
            "unfinished": self.part.unfinished(),
            "turns": self.part.turns(),
        }

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.rollout(self)

    def __str__(self) -> str:
        """Write a small table for people."""
        if not self.trials:
            return "No trial was finished."
        lose = Estimate(1 - self.win.mean, self.win.error)
        rows = [
            ("", "wins", "gammons", "backgammons"),
            ("player on roll", *map(percent, (self.win, self.win_gammon, self.win_backgammon))),
            ("opponent", *map(percent, (lose, self.lose_gammon, self.lose_backgammon))),
        ]
        lines = [
            f"{name:<16}{wins:>18}{gammons:>18}{backgammons:>18}" for name, wins, gammons, backgammons in rows
        ]
        raw = self.raw_equity
        adjusted = self.settings.luck != "off"
        luck = f"; with the luck {raw.mean:+.4f} ± {shown(raw.error, 4)}" if adjusted else ""
        return "\n".join(
            [
                *lines,
                f"equity {self.equity.mean:+.4f} ± {shown(self.equity.error, 4)} (cubeless, money)" + luck,
                *_with_cube(self.cubeful, self.mwc),
                foot_of(self.settings, self.part, self.complete, self.seconds, self.evaluator),
            ]
        )


def _with_cube(cubeful: Estimate | None, mwc: Estimate | None) -> list[str]:
    if cubeful is None:
        return []
    match = f", match won {percent(mwc)}" if mwc is not None else ""
    return [f"equity {cubeful.mean:+.4f} ± {shown(cubeful.error, 4)} (with the cube){match}"]
