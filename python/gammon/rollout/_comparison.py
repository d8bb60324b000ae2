"""What came of plays that were rolled out side by side."""

import math
from dataclasses import dataclass, field
from typing import Any

from gammon._native import Play, Position, RolloutPart
from gammon.rollout._estimate import Estimate, confidence_of, cubeful_of, mwc_of, plain, shown, sure
from gammon.rollout._settings import Settings
from gammon.rollout._told import foot_of, notes_of, told_by_all

__all__ = ["Candidate", "Comparison"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the plays compared, seen by the player who moves."""

    play: Play
    """The play."""
    part: RolloutPart = field(repr=False)
    """The sums of all plays that were left when this one was last rolled out."""
    branch: int
    """Which of them are this play's."""
    earlier: tuple[tuple[RolloutPart, int], ...] = field(default=(), repr=False)
    """The same for each time before that when other plays were dropped."""

    @property
    def trials(self) -> int:
        """Games counted: fewer than those of others if the play was dropped."""
        return self.part.trials

    @property
    def equity(self) -> Estimate:
        """Equity with the cube if there is one (in a match normalised), else cubeless in points."""
        return cubeful_of(self.part, self.branch) or self.cubeless

    @property
    def cubeless(self) -> Estimate:
        """Cubeless money equity in points."""
        return Estimate(*self.part.equity_of(self.branch))

    @property
    def mwc(self) -> Estimate | None:
        """Chance to win the match; `None` in money play or without a cube."""
        return mwc_of(self.part, self.branch)

    @property
    def chances(self) -> tuple[Estimate, ...]:
        """The five chances."""
        return tuple(Estimate(*chance) for chance in self.part.chances_of(self.branch))

    def ahead_of(self, other: "Candidate") -> Estimate:
        """How much better than another play it is; the dice being the same, more surely known than either.

        Over the trials both have.
        """
        mine, others = [
            (*one.earlier, (one.part, one.branch))[: min(len(self.earlier), len(other.earlier)) + 1]
            for one in (self, other)
        ]
        part, branch = mine[-1]
        return Estimate(*part.difference(branch, others[-1][1]))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Plays of one roll, rolled out with the same dice."""

    position: Position
    """Before the play."""
    settings: Settings
    """What was asked for."""
    evaluator: str
    """Who chose the plays."""
    plays: tuple[Candidate, ...]
    """The plays in the order given."""
    part: RolloutPart
    """The sums."""
    complete: bool
    """Whether all trials asked for are in."""
    stopped: str | None
    """The rule of an `Until` that ended it."""
    seconds: float
    """How long it took."""
    evaluations: int
    """Positions evaluated in all."""
    ignored: tuple[str, ...] = ()
    """What the identifier said beside the position and the dice, such as the score: not used."""

    @property
    def trials(self) -> int:
        """Games of each play."""
        return self.part.trials

    @property
    def ranked(self) -> tuple[Candidate, ...]:
        """The plays, best first; those dropped follow the others, the last dropped first."""
        if not self.trials:
            return self.plays
        return tuple(sorted(self.plays, key=lambda one: (-one.trials, -one.equity.mean)))

    @property
    def best(self) -> Candidate:
        """The best play."""
        return self.ranked[0]

    @property
    def jsd(self) -> float:
        """By how many standard errors of the difference the best play leads the second; infinite if alone."""
        if len(self.plays) < 2 or not self.trials:
            return math.inf
        gap = self.ranked[0].ahead_of(self.ranked[1])
        return gap.mean / gap.error if gap.error > 0 else math.inf

    @property
    def confidence(self) -> float:
        """How sure it is that the best play is better than the second, 0.5 to 1: the normal tail of `jsd`."""
        return confidence_of(self.jsd)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return notes_of(self.settings, self.part)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        ranked = self.ranked if self.trials else ()
        return {
            "id": self.position.id,
            **told_by_all(self),
            "ignored": list(self.ignored),
            "jsd": self.jsd if math.isfinite(self.jsd) else None,
            "confidence": self.confidence,
            "plays": [
                {
                    "play": str(one.play),
                    "trials": one.trials,
                    "equity": plain(one.equity),
                    "cubeless": plain(one.cubeless),
                    "behind": plain(self.best.ahead_of(one)),
                    "chances": [plain(chance) for chance in one.chances],
                    **({"mwc": plain(one.mwc)} if one.mwc else {}),
                }
                for one in ranked
            ],
        }

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.comparison(self)

    def __str__(self) -> str:
        """Write a table for people: the best play first, the others by how far they are behind it."""
        if not self.trials:
            return "No trial was finished."
        width = max(len(str(one.play)) for one in self.plays)
        lines = []
        for number, one in enumerate(self.ranked, 1):
            gap = self.best.ahead_of(one)
            behind = f"  -{gap.mean:.4f} ± {shown(gap.error, 4)}" if number > 1 else ""
            win, win_gammon = one.chances[0], one.chances[1]
            lines.append(
                f"{number}. {one.play!s:<{width}}  {one.equity.mean:+.4f} ± {shown(one.equity.error, 4)}"
                f"  win {100 * win.mean:.1f} %, gammon {100 * win_gammon.mean:.1f} %{behind}"
                + (f", dropped after {one.trials:,} games" if one.trials < self.trials else "")
            )
        lead = ""
        if math.isfinite(self.jsd):
            lead = f"best by {self.jsd:.1f} standard errors ({sure(self.confidence)})\n"
        foot = foot_of(self.settings, self.part, self.complete, self.seconds, self.evaluator)
        if isinstance(self.position, Position) and self.part.subject.situation is None:
            foot += "; equities cubeless, money"
        return "\n".join([*lines, lead + foot])
