"""Rolling out a position, plays and a cube decision."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gammon import met as tables
from gammon._native import PipCount, Play, Position, RolloutSubject, Situation, VariantNet
from gammon._typing import PlayLike, PositionLike, RollLike
from gammon.errors import SettingError
from gammon.evaluators import Evaluator
from gammon.rollout import _variants
from gammon.rollout._asked import (
    MetLike,
    bound_of,
    checked,
    ignored_of,
    opened,
    situation_of,
    standard,
    table_of,
)
from gammon.rollout._comparison import Candidate, Comparison
from gammon.rollout._decision import CubeResult
from gammon.rollout._engine import Game, How, Outcome, PartProgress, play
from gammon.rollout._result import Result
from gammon.rollout._settings import Settings, Until
from gammon.search import rank
from gammon.variants import VariantPlay, VariantPosition

__all__ = ["compare", "decide", "run"]


def run(
    position: PositionLike | VariantPosition,
    settings: Settings | None = None,
    *,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | VariantNet | PipCount | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: PartProgress | None = None,
) -> Result:
    """Play a position to the end many times, both sides' plays chosen by an evaluator.

    The player on roll throws first. Without `cube` games are worth their points at a cube of 1, and of an
    identifier that says more, dice, score, cube and pending offer are not used: `Result.ignored` names them.
    With `cube` the score and the cube count too, and both sides turn it during play (by `met`, and by
    Janowski's model with `life`); the result then has both equities.

    The result depends on position, settings and evaluators alone, not on threads or executors. `progress` is
    told some twenty times a second what is finished, as a `RolloutPart`; if it returns something false but
    not `None` the rollout stops, and what is finished by then is returned. Rules of `until` end it earlier.
    Without an evaluator the packaged large net chooses, among candidates that the packaged small one picks;
    one of your own is asked by one thread at a time. A `small` evaluator spares it work in the same way
    (`Settings.prefilter`).

    A `checkpoint` file is written every two seconds and at the end, whole at any time; with `resume` the
    rollout goes on from what it holds, to the same bits, and more trials may be asked for than before. Ctrl-C
    raises `KeyboardInterrupt` as ever, after the checkpoint has been written.

    `executor` plays the games elsewhere: any `concurrent.futures.Executor`, or a `dask.distributed.Client`.

    A `VariantPosition` is rolled out by the rules of its game, without a cube or lookahead, by an evaluator
    of that game (`evaluators.default(game)` if none is given); the result is a `VariantRollout`.

    Raises `ParseError` for a text that is no identifier, `SettingError` for a setting outside its range or a
    game that is over, `CheckpointError` for a checkpoint of another rollout, which is left as it is,
    `EvaluatorError` for an unusable answer of an evaluator of your own, and whatever that raises itself.
    """
    how = How(until, checkpoint, resume, threads, executor, progress)
    if isinstance(position, VariantPosition):
        return _variants.run(
            position,
            checked(settings),
            how,
            cube=cube,
            evaluator=evaluator,
            small=small,
        )
    asked, known = opened(checked(settings), position)
    subject = Position(known)
    context = situation_of(known) if cube else None
    rolled = RolloutSubject("position", [subject], context, table_of(context, met), life)
    game = Game(rolled, asked, standard(evaluator), small)
    found = play(game, how)
    ignored = ignored_of(known, cube=cube) if isinstance(known, Situation) else ()
    return Result(
        subject,
        asked,
        game.name,
        found.part,
        found.complete,
        found.seconds,
        found.evaluations,
        ignored,
        found.stopped,
    )


def compare(
    situation: Situation | Position | VariantPosition | str,
    roll: RollLike | None = None,
    plays: Sequence[PlayLike | VariantPlay] | None = None,
    settings: Settings | None = None,
    *,
    candidates: int = 5,
    drop: float | None = None,
    cube: bool = False,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | VariantNet | PipCount | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: PartProgress | None = None,
) -> Comparison:
    """Roll out some plays of one roll with the same dice, and say which is best and how surely.

    The roll is the one given, or the situation's. Without `plays` the `candidates` best ones by the evaluator
    are rolled out. Chances and equities are those of the player who moves. With `drop` plays that are so many
    standard errors of the difference behind the best are not rolled out any longer; that is looked at after
    144, 288, 576, ... trials (120, ... of an opening), so that it depends on nothing else. Without `cube`
    equities are cubeless money points, and `Comparison.ignored` names what was not used. What `cube`,
    `until` and the others mean is said at `run`. The plays of a `VariantPosition` are `VariantPlay`s, or what
    its `play` reads, and the result is a `VariantComparison`.

    Raises what `run` does, `SettingError` without dice, `IllegalPlayError` for a play that is not legal, and
    `SettingError` for one that is named twice, however it is written.

    >>> from gammon import rollout
    >>> few = rollout.Settings(trials=36, truncate=2)
    >>> found = rollout.compare("start", "31", ["8/5 6/5", "24/20"], few)
    >>> str(found.best.play), found.jsd > 3
    ('8/5 6/5', True)
    """
    if isinstance(plays, str):
        raise TypeError(f"plays is a list of plays, got a text: {plays!r:.80}")
    how = How(until, checkpoint, resume, threads, executor, progress)
    if isinstance(situation, VariantPosition):
        if drop is not None:
            raise SettingError("drop is for the standard game alone")
        return _variants.compare(
            situation,
            roll,
            plays,  # type: ignore[arg-type]
            checked(settings),
            how,
            candidates=candidates,
            cube=cube,
            evaluator=evaluator,
            small=small,
        )
    asked = checked(settings)
    if asked.opening is None:
        asked = replace(asked, opening=False)  # the dice have been thrown
    known = Situation(situation) if isinstance(situation, str) else situation
    thrown = roll if roll is not None else getattr(known, "roll", None)
    if thrown is None:
        raise SettingError("plays of which roll? Give one, or an identifier that says which was thrown")
    position = Position(known)
    chooser = standard(evaluator)
    made = _plays(position, thrown, plays, candidates, chooser)  # type: ignore[arg-type]
    context = situation_of(known) if cube else None
    after = [one.after for one in made]
    subject = RolloutSubject("plays", after, context, table_of(context, met), life)
    game = Game(subject, asked, chooser, small)
    found = play(game, how, drop=bound_of(drop))
    rows = tuple(_candidate(one, number, found) for number, one in enumerate(made))
    return Comparison(
        position,
        asked,
        game.name,
        rows,
        found.part,
        found.complete,
        found.stopped,
        found.seconds,
        found.evaluations,
        ignored_of(known, cube=cube, thrown=made[0].roll) if isinstance(known, Situation) else (),
    )


def decide(
    situation: Situation | str,
    settings: Settings | None = None,
    *,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    evaluator: Evaluator | None = None,
    small: Evaluator | None = None,
    until: Until | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: object | None = None,
    progress: PartProgress | None = None,
) -> CubeResult:
    """Roll out a cube decision: no double this turn, and double and take, with the same dice.

    Where no double may be offered, only the first is rolled out. What the arguments mean is said at `run`.

    Raises what `run` does, and `CubeError` for a score that contradicts itself.

    >>> from gammon import rollout
    >>> rollout.decide("4HPwATDgc/ABMA", rollout.Settings(trials=36, truncate=2)).decision.label
    'no double, take'
    """
    asked, given = opened(checked(settings), situation)
    known = situation_of(given)
    if known.roll is not None:
        raise SettingError("the dice have been thrown: the cube can only be turned before")
    position = Position(known)
    game = Game(
        RolloutSubject("decision", [position], known, table_of(known, met), life), asked, evaluator, small
    )
    how = How(until, checkpoint, resume, threads, executor, progress)
    found = play(game, how)
    return CubeResult(
        known, asked, game.name, found.part, found.complete, found.stopped, found.seconds, found.evaluations
    )


def _plays(
    position: Position,
    roll: RollLike,
    plays: Sequence[PlayLike] | None,
    candidates: int,
    evaluator: Evaluator | None,
) -> list[Play]:
    if plays is not None:
        return _variants.distinct([position.play(one, roll) for one in plays])
    if candidates < 1:
        raise SettingError(f"candidates must be at least 1, got {candidates}")
    ranking = rank(position, roll, evaluator=evaluator)
    return [ranked.play for ranked in list(ranking)[:candidates]]


def _candidate(play: Play, number: int, found: Outcome) -> Candidate:
    """A play with the sums of all stages it took part in."""
    stages = [
        (stage.part, stage.branches.index(number)) for stage in found.stages if number in stage.branches
    ]
    part, branch = stages.pop()
    return Candidate(play, part, branch, tuple(stages))
