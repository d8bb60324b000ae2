"""What a rollout found, with standard errors."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from gammon._names import short_id
from gammon._native import CubeDecision, Play, Position, RolloutPart, Situation, build_info
from gammon.rollout._settings import Settings

__all__ = ["Candidate", "Comparison", "CubeResult", "Estimate", "Result"]


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
        return _cubeful(self.part, 0)

    @property
    def mwc(self) -> Estimate | None:
        """Chance to win the match; `None` in money play or without a cube."""
        return _mwc(self.part, 0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return _notes(self.settings, self.part)

    def _chance(self, index: int) -> Estimate:
        return Estimate(*self.part.chances[index])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        chances = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        names = (*chances, "equity", "raw_equity") if self.trials else ()
        estimates = {name: getattr(self, name) for name in names}
        return {
            "id": self.position.id,
            **_told_by_all(self),
            "ignored": list(self.ignored),
            **{name: _plain(value) for name, value in estimates.items()},
            **{
                name: _plain(value)
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
            ("player on roll", *map(_percent, (self.win, self.win_gammon, self.win_backgammon))),
            ("opponent", *map(_percent, (lose, self.lose_gammon, self.lose_backgammon))),
        ]
        lines = [
            f"{name:<16}{wins:>18}{gammons:>18}{backgammons:>18}" for name, wins, gammons, backgammons in rows
        ]
        raw = self.raw_equity
        adjusted = self.settings.luck != "off"
        luck = f"; with the luck {raw.mean:+.4f} ± {_shown(raw.error, 4)}" if adjusted else ""
        return "\n".join(
            [
                *lines,
                f"equity {self.equity.mean:+.4f} ± {_shown(self.equity.error, 4)} (cubeless, money)" + luck,
                *_with_cube(self.cubeful, self.mwc),
                _foot(self.settings, self.part, self.complete, self.seconds, self.evaluator),
            ]
        )


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
        return _cubeful(self.part, self.branch) or self.cubeless

    @property
    def cubeless(self) -> Estimate:
        """Cubeless money equity in points."""
        return Estimate(*self.part.equity_of(self.branch))

    @property
    def mwc(self) -> Estimate | None:
        """Chance to win the match; `None` in money play or without a cube."""
        return _mwc(self.part, self.branch)

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
        return _confidence(self.jsd)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return _notes(self.settings, self.part)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        ranked = self.ranked if self.trials else ()
        return {
            "id": self.position.id,
            **_told_by_all(self),
            "ignored": list(self.ignored),
            "jsd": self.jsd if math.isfinite(self.jsd) else None,
            "confidence": self.confidence,
            "plays": [
                {
                    "play": str(one.play),
                    "trials": one.trials,
                    "equity": _plain(one.equity),
                    "cubeless": _plain(one.cubeless),
                    "behind": _plain(self.best.ahead_of(one)),
                    "chances": [_plain(chance) for chance in one.chances],
                    **({"mwc": _plain(one.mwc)} if one.mwc else {}),
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
            behind = f"  -{gap.mean:.4f} ± {_shown(gap.error, 4)}" if number > 1 else ""
            win, win_gammon = one.chances[0], one.chances[1]
            lines.append(
                f"{number}. {one.play!s:<{width}}  {one.equity.mean:+.4f} ± {_shown(one.equity.error, 4)}"
                f"  win {100 * win.mean:.1f} %, gammon {100 * win_gammon.mean:.1f} %{behind}"
                + (f", dropped after {one.trials:,} games" if one.trials < self.trials else "")
            )
        sure = f"best by {self.jsd:.1f} standard errors ({_sure(self.confidence)})\n"
        sure = sure if math.isfinite(self.jsd) else ""
        foot = _foot(self.settings, self.part, self.complete, self.seconds, self.evaluator)
        if isinstance(self.position, Position) and self.part.subject.situation is None:
            foot += "; equities cubeless, money"
        return "\n".join([*lines, sure + foot])


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
        answer = _ratio(1 - take.mean, take.error)
        action = (
            _ratio(gap.mean, gap.error)
            if take.mean < 1
            else _ratio(1 - self.no_double.mean, self.no_double.error)
        )
        return _confidence(abs(action)), _confidence(abs(answer))

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the numbers, one sentence each."""
        return _notes(self.settings, self.part)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        decision, take = self.decision, self.double_take
        return {
            "id": self.situation.xgid,
            **_told_by_all(self),
            "no_double": _plain(self.no_double) if self.trials else None,
            "double_take": _plain(take) if take and self.trials else None,
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
        lines = [f"no double    {self.no_double.mean:+.4f} ± {_shown(self.no_double.error, 4)}"]
        if take is not None and gap is not None:
            lines += [
                f"double, take {take.mean:+.4f} ± {_shown(take.error, 4)}"
                f"  ({gap.mean:+.4f} ± {_shown(gap.error, 4)} more)",
                "double, pass +1.0000",
            ]
        foot = _foot(self.settings, self.part, self.complete, self.seconds, self.evaluator)
        verdict = decision.label
        if self.confidence is not None:
            double, answer = map(_sure, self.confidence)
            verdict += f"  (doubling or not {double}, taking or not {answer})"
        return "\n".join([*lines, verdict, foot])


def _told_by_all(found: Result | Comparison | CubeResult) -> dict[str, Any]:
    """What every result says about how it was made, as plain values."""
    settings = found.settings
    return {
        "gammon": build_info()["version"],
        "trials": found.trials,
        "complete": found.complete,
        "stopped": found.stopped,
        "seed": settings.seed,
        "first": settings.first,
        "opening": settings.opening,
        "luck": settings.luck,
        "strata": settings.strata,
        "truncate": settings.truncate,
        "settings": asdict(settings),
        "evaluator": found.evaluator,
        "seconds": found.seconds,
        "evaluations": found.evaluations,
        "notes": list(found.notes),
    }


def _cubeful(part: RolloutPart, branch: int) -> Estimate | None:
    mean, error = part.cubeful_of(branch)
    return None if math.isnan(mean) else Estimate(mean, error)


def _mwc(part: RolloutPart, branch: int) -> Estimate | None:
    found = part.mwc_of(branch)
    return None if found is None else Estimate(*found)


def _notes(settings: Settings, part: RolloutPart) -> tuple[str, ...]:
    size = settings.replication
    notes = []
    if part.trials % size:
        notes.append(f"{part.trials:,} trials are no multiple of {size:,}, whose dice belong together.")
    if part.trials and size > 1 and not part.by_replications:
        notes.append(
            f"With fewer than {16 * size:,} trials the standard errors shown are too high"
            " rather than too low."
        )
    return tuple(notes)


def _plain(value: Estimate) -> dict[str, float | None]:
    """As JSON, which has no infinity: a single trial has no standard error."""
    return {"mean": value.mean, "error": value.error if math.isfinite(value.error) else None}


def _with_cube(cubeful: Estimate | None, mwc: Estimate | None) -> list[str]:
    if cubeful is None:
        return []
    match = f", match won {_percent(mwc)}" if mwc is not None else ""
    return [f"equity {cubeful.mean:+.4f} ± {_shown(cubeful.error, 4)} (with the cube){match}"]


def _foot(settings: Settings, part: RolloutPart, complete: bool, seconds: float, evaluator: str) -> str:
    asked = "" if complete else f" of {settings.trials:,} asked for"
    speed = f", {part.trials * part.branches / seconds:,.0f} games/s" if seconds > 0 else ""
    return (
        f"{part.trials:,} games{asked}, seed {settings.seed}, {seconds:.1f} s{speed}, "
        f"plays by {short_id(evaluator)}; ± is one standard error"
    )


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} % ± {_shown(100 * estimate.error, 2)}"


def _ratio(difference: float, error: float) -> float:
    return difference / error if error > 0 else math.inf


def _confidence(ratio: float) -> float:
    """How much of a normal distribution lies below so many standard errors."""
    return 0.5 * (1 + math.erf(ratio / math.sqrt(2)))


def _sure(confidence: float) -> str:
    return f"{100 * confidence:.1f} % sure" if confidence < 0.9995 else "over 99.9 % sure"


def _shown(error: float, digits: int) -> str:
    """A standard error; a dash for the infinite one of a single trial."""
    return f"{error:.{digits}f}" if math.isfinite(error) else "-"
