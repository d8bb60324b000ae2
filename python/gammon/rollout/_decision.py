"""What came of a cube decision that was rolled out."""

from dataclasses import dataclass
from typing import Any

from gammon._native import CubeDecision, RolloutPart, Situation
from gammon.rollout._estimate import Estimate, confidence_of, plain, ratio, shown, sure
from gammon.rollout._settings import Settings
from gammon.rollout._told import foot_of, notes_of, told_by_all

__all__ = ["CubeResult"]


@dataclass(frozen=True, slots=True)
class CubeResult:
    """A cube decision rolled out: no double this turn, and double and take, with the same dice."""

    situation: Situation
    """Score, cube and position."""
    settings: Settings
    """What was asked for."""
    evaluator: str
    """Who chose the plays."""
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

    @property
    def trials(self) -> int:
        """Games of each branch."""
        return self.part.trials

    @property
    def no_double(self) -> Estimate:
        """Equity without a double this turn, per unit of the cube."""
        return Estimate(*self.part.cubeful_of(0))

    @property
    def double_take(self) -> Estimate | None:
        """Equity of double and take; `None` if no double may be offered."""
        return Estimate(*self.part.cubeful_of(1)) if self.part.branches > 1 else None

    @property
    def difference(self) -> Estimate | None:
        """What double and take is worth more than no double."""
        return Estimate(*self.part.difference(1, 0)) if self.part.branches > 1 else None

    @property
    def decision(self) -> CubeDecision | None:
        """What is right; `None` without trials."""
        return self.part.decision()

    @property
    def confidence(self) -> tuple[float, float] | None:
        """How sure it is that doubling or not, and that taking or not, are right, 0.5 to 1 each.

        By the normal distribution of the differences; `None` if no double may be offered.
        """
        take, gap = self.double_take, self.difference
        if take is None or gap is None or not self.trials:
            return None
        answer = ratio(1 - take.mean, take.error)
        action = (
            ratio(gap.mean, gap.error)
            if take.mean < 1
            else ratio(1 - self.no_double.mean, self.no_double.error)
        )
        return confidence_of(abs(action)), confidence_of(abs(answer))

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return notes_of(self.settings, self.part)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        decision, take = self.decision, self.double_take
        return {
            "id": self.situation.xgid,
            **told_by_all(self),
            "no_double": plain(self.no_double) if self.trials else None,
            "double_take": plain(take) if take and self.trials else None,
            "decision": decision.label if decision else None,
            "confidence": None if self.confidence is None else list(self.confidence),
        }

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.cube_rollout(self)

    def __str__(self) -> str:
        """Write the equities and the verdict for people."""
        decision, take, gap = self.decision, self.double_take, self.difference
        if decision is None:
            return "No trial was finished."
        lines = [f"no double    {self.no_double.mean:+.4f} ± {shown(self.no_double.error, 4)}"]
        if take is not None and gap is not None:
            lines += [
                f"double, take {take.mean:+.4f} ± {shown(take.error, 4)}"
                f"  ({gap.mean:+.4f} ± {shown(gap.error, 4)} more)",
                "double, pass +1.0000",
            ]
        foot = foot_of(self.settings, self.part, self.complete, self.seconds, self.evaluator)
        verdict = decision.label
        if self.confidence is not None:
            double, answer = map(sure, self.confidence)
            verdict += f"  (doubling or not {double}, taking or not {answer})"
        return "\n".join([*lines, verdict, foot])
