"""Rolling out the decisions that a search leaves close."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gammon import evaluators, rollout
from gammon.analysis._decisions import Choice, Decision
from gammon.analysis._judge import Judge, before_offer
from gammon.match import Moment, Played


def contenders(decision: Decision, close: float) -> list[Choice]:
    """Return the choices that are worth a rollout; fewer than two if the decision is clear."""
    if decision.is_forced:
        return []
    choices = [choice for choice in decision.choices if "," not in choice.name]
    best = decision.best
    near = [one for one in choices if one.plies == best.plies and best.equity - one.equity <= close]
    if len(near) < 2:
        return []
    return near if decision.made in near else [*near, decision.made]


def rolled_out(
    judge: Judge,
    game: int,
    moment: Moment,
    decision: Decision,
    settings: rollout.Settings,
    close: float,
    threads: int,
    stops: Callable[[], bool],
) -> Decision | None:
    """Return a close decision judged by a rollout, another as it is; `None` if it was stopped."""
    near = contenders(decision, close)
    if len(near) < 2:
        return decision
    asked: dict[str, Any] = {
        "met": judge.met,
        "life": judge.life,
        # Whoever names no evaluator gets the packaged small net in front of it.
        "evaluator": None if judge.evaluator is evaluators.default() else judge.evaluator,
        "threads": threads,
        "progress": lambda part: not stops(),
    }
    if decision.kind == "play":
        return _play(moment, decision, near, settings, asked)
    situation = moment.situation if decision.kind == "double" else before_offer(moment)
    found = rollout.decide(situation, settings, **asked)
    known = found.decision
    if known is None or not found.complete:
        return None
    again = judge.double if decision.kind == "double" else judge.answer
    return again(game, moment, known, found.trials)


def _play(
    moment: Moment,
    decision: Decision,
    near: list[Choice],
    settings: rollout.Settings,
    asked: dict[str, Any],
) -> Decision | None:
    record = moment.record
    assert isinstance(record, Played)
    situation = moment.situation
    plays = [situation.position.play(choice.name, record.play.roll) for choice in near]
    found = rollout.compare(situation, record.play.roll, plays, settings, cube=True, **asked)
    if not found.complete:
        return None
    judged = {}
    for choice, candidate in zip(near, found.plays, strict=True):
        win, gammon, backgammon, lose_gammon, lose_backgammon = (one.mean for one in candidate.chances)
        judged[choice.after] = replace(
            choice,
            equity=candidate.equity.mean,
            probs=(win, gammon, backgammon, lose_gammon, lose_backgammon),
            trials=found.trials,
            equity_error=candidate.equity.error,
        )
    first = sorted(judged.values(), key=lambda choice: -choice.equity)
    others = [choice for choice in decision.choices if choice.after not in judged]
    return replace(
        decision,
        made=judged[decision.made.after],
        best=first[0],
        choices=(*first, *others),
        spread=max(first[0].equity - first[-1].equity, decision.spread),
    )
