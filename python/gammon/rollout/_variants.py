"""Rollouts of the other games: the same sums and errors, games played by their own rules."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gammon import evaluators
from gammon._names import short_id
from gammon._native import Play, RolloutSubject, variant_prizes
from gammon._typing import RollLike
from gammon.errors import SettingError
from gammon.rollout._comparison import Candidate, Comparison
from gammon.rollout._engine import Game, How, play
from gammon.rollout._result import Result
from gammon.rollout._settings import Settings
from gammon.variants import Place, Variant, VariantPlay, VariantPosition

__all__ = ["VariantComparison", "VariantRollout", "compare", "run"]

Made = TypeVar("Made", Play, VariantPlay)

PlayOf = VariantPlay | str | Sequence[tuple[Place, Place]]


@dataclass(frozen=True, slots=True)
class VariantRollout(Result):
    """A `Result` of another game: `position` is a `VariantPosition`.

    A draw counts as half a win. `win_gammon` are games won with two points or more, `win_backgammon` those
    with three; in games whose wins are worth many different amounts (acey-deucey, say) both are 0, and
    `equity`, in points, says all. `part.unfinished` are games that nobody won: drawn, void or cut short.
    """

    @property
    def variant(self) -> Variant:
        """The game."""
        return _variant_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {"variant": self.variant.name, "options": self.variant.options} | Result.to_dict(self)

    def _repr_html_(self) -> str:
        return in_text(self)

    def __str__(self) -> str:
        """Write a small table for people."""
        if not self.trials:
            return "No trial was finished."
        stakes = variant_prizes(self.variant._rules)[1]
        lose = [1 - self.win.mean, self.lose_gammon.mean, self.lose_backgammon.mean]
        win = [self.win.mean, self.win_gammon.mean, self.win_backgammon.mean]
        errors = [self.win.error, self.win_gammon.error, self.win_backgammon.error]
        lost_errors = [self.win.error, self.lose_gammon.error, self.lose_backgammon.error]
        names = ["wins"] if stakes else ["wins", "2 points", "3 points"]
        lines = [f"{self.variant.name:<16}" + "".join(f"{name:>18}" for name in names)]
        for who, means, spread in (("player to act", win, errors), ("opponent", lose, lost_errors)):
            cells = [f"{100 * m:.2f} % ± {100 * e:.2f}" for m, e in zip(means, spread, strict=True)]
            lines.append(f"{who:<16}" + "".join(f"{cell:>18}" for cell in cells[: len(names)]))
        equity, raw = self.equity, self.raw_equity
        text = f"equity {equity.mean:+.4f} ± {equity.error:.4f} points"
        if self.settings.luck != "off":
            text += f"; with the luck {raw.mean:+.4f} ± {raw.error:.4f}"
        without = self.part.unfinished()
        if without:
            text += f"; {without:,} games without a winner"
        return "\n".join([*lines, text, _foot(self)])


@dataclass(frozen=True, slots=True)
class VariantComparison(Comparison):
    """A `Comparison` of another game: `position` is a `VariantPosition`, the plays are `VariantPlay`s."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        game = _variant_of(self)
        return {"variant": game.name, "options": game.options} | Comparison.to_dict(self)

    def _repr_html_(self) -> str:
        return in_text(self)


def in_text(found: VariantRollout | VariantComparison) -> str:
    """Return the board and the numbers as HTML: of these games there are no pictures."""
    position: Any = found.position
    text = f"{position.draw()}\n\n{found}"
    return f"<pre>{html.escape(text)}</pre>"


def _variant_of(found: Result | Comparison) -> Variant:
    position: Any = found.position
    game: Variant = position.variant
    return game


def _foot(found: Result) -> str:
    asked = "" if found.complete else f" of {found.settings.trials:,} asked for"
    return (
        f"{found.trials:,} games{asked}, seed {found.settings.seed}, {found.seconds:.1f} s, "
        f"plays by {short_id(found.evaluator)}; ± is one standard error"
    )


def _settings(settings: Settings) -> Settings:
    # Luck is measured at every turn in these games.
    return replace(settings, opening=bool(settings.opening), one_look_in=1)


def _check(position: VariantPosition, *, cube: bool, small: object) -> None:
    """Raise `SettingError` for what rollouts of other games do not do."""
    game = position.variant
    if cube:
        reason = "rolled out without one" if game.has_cube else "played without one"
        raise SettingError(f"a cube was asked for, but {game.name} is {reason}")
    if small is not None:
        raise SettingError(f"rollouts of {game.name} take no small evaluator beside the other one")
    if position.is_over:
        raise SettingError(f"nothing to roll out: the game of {game.name} is over ({position.result})")


def run(
    position: VariantPosition,
    settings: Settings,
    how: How,
    *,
    cube: bool,
    evaluator: Any,
    small: object,
) -> VariantRollout:
    """Play a position to the end many times; `gammon.rollout.run` does this for a `VariantPosition`."""
    _check(position, cube=cube, small=small)
    asked = _settings(settings)
    subject = RolloutSubject.of_variant("position", [position._state], [False])
    chooser: Any = evaluators.default(position.variant) if evaluator is None else evaluator
    game = Game(subject, asked, chooser, None, position.variant.options)
    found = play(game, how)
    return VariantRollout(
        position,  # type: ignore[arg-type]
        asked,
        chooser.id,
        found.part,
        found.complete,
        found.seconds,
        found.evaluations,
        (),
        found.stopped,
    )


def compare(
    position: VariantPosition,
    roll: RollLike | None,
    plays: Sequence[PlayOf] | None,
    settings: Settings,
    how: How,
    *,
    candidates: int,
    cube: bool,
    evaluator: Any,
    small: object,
) -> VariantComparison:
    """Roll out some results of a decision; `gammon.rollout.compare` does this for a `VariantPosition`."""
    _check(position, cube=cube, small=small)
    asked = _settings(settings)
    chooser: Any = evaluators.default(position.variant) if evaluator is None else evaluator
    made = _plays(position, roll, plays, candidates, chooser)
    states = [one.after._state for one in made]
    subject = RolloutSubject.of_variant("plays", states, [not one.again for one in made])
    game = Game(subject, asked, chooser, None, position.variant.options)
    found = play(game, how)
    rows = tuple(
        Candidate(one, found.part, branch)  # type: ignore[arg-type]
        for branch, one in enumerate(made)
    )
    return VariantComparison(
        position,  # type: ignore[arg-type]
        asked,
        chooser.id,
        rows,
        found.part,
        found.complete,
        found.stopped,
        found.seconds,
        found.evaluations,
    )


def distinct(plays: list[Made]) -> list[Made]:
    """Return the plays; raise `SettingError` for one that is there twice."""
    for number, one in enumerate(plays):
        if one in plays[:number]:
            raise SettingError(f"the play {one!s} is named twice")
    return plays


def _plays(
    position: VariantPosition,
    roll: RollLike | None,
    plays: Sequence[PlayOf] | None,
    candidates: int,
    evaluator: Any,
) -> list[VariantPlay]:
    if plays is not None:
        return distinct([one if isinstance(one, VariantPlay) else position.play(one, roll) for one in plays])
    if candidates < 1:
        raise SettingError(f"candidates must be at least 1, got {candidates}")
    return [ranked.play for ranked in position.rank(roll, evaluator=evaluator)[:candidates]]
