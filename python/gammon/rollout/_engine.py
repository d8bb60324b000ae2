"""Where rollouts are played: on threads of this process, or in jobs sent to others.

Plays that are compared may be dropped on the way. A rollout then goes in stages: whatever is left is played
to a number of trials, what is surely worse by then is dropped, and the rest goes on from the sums it has.
Where a play is dropped depends on sums at fixed numbers of trials alone, so neither threads nor machines nor
interruptions matter.
"""

import functools
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from gammon._native import RolloutPart, RolloutSubject, roll_out
from gammon.errors import SettingError
from gammon.evaluators import Evaluator, composite, default
from gammon.evaluators import small as packaged_small
from gammon.rollout._checkpoint import Checkpoint, Stage
from gammon.rollout._settings import Settings, Until

__all__ = ["Game", "How", "Outcome", "PartProgress", "executor_of", "play"]

_IN_FLIGHT = 16
"""Jobs sent out before the first comes back."""

PartProgress: TypeAlias = Callable[[RolloutPart], object]
"""Told the sums so far; what it returns stops the rollout if it is false and not `None`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a rollout."""

    stages: tuple[Stage, ...]
    """Where plays were dropped, and the end: the plays left by their numbers, with their sums."""
    complete: bool
    stopped: str | None
    seconds: float
    evaluations: int

    @property
    def part(self) -> RolloutPart:
        """The sums of what was left at the end."""
        return self.stages[-1].part


@dataclass(frozen=True, slots=True)
class How:
    """How games are played, whatever they are: nothing of it changes what comes out, only how much."""

    until: Until | None
    checkpoint: str | Path | None
    resume: bool
    threads: int | None
    executor: object | None
    progress: PartProgress | None


@functools.cache
def _quick() -> Evaluator:
    """What stands in front of the packaged large net: the small one, and the same tables in races."""
    return composite(contact=packaged_small())


@dataclass(frozen=True, slots=True)
class Game:
    """How a subject is to be rolled out, and by whom."""

    subject: RolloutSubject
    settings: Settings
    evaluator: Evaluator | None
    small: Evaluator | None
    options: Mapping[str, str] | None = None
    """Those of another game, by which it is played; `None` is the standard one."""

    @property
    def chooser(self) -> Evaluator:
        """Who chooses the plays: by default the packaged net, which jobs need not carry."""
        return default() if self.evaluator is None else self.evaluator

    @property
    def filter(self) -> Evaluator | None:
        """Who picks the candidates the other is asked about: by default the packaged small net."""
        if self.small is None and self.evaluator is None and self.settings.prefilter is not None:
            return _quick()
        return self.small

    @property
    def name(self) -> str:
        """What results call the evaluators."""
        front = self.filter
        return self.chooser.id if front is None else f"{self.chooser.id}, filtered by {front.id}"

    def at(self, branches: tuple[int, ...], trials: int) -> "Game":
        """Return the same of some plays alone, up to a number of trials."""
        subject, settings = self.subject, replace(self.settings, trials=trials)
        if len(branches) < subject.branches:
            left = [subject.positions[branch] for branch in branches]
            subject = RolloutSubject(subject.kind, left, subject.situation, subject.met, subject.life)
        return replace(self, subject=subject, settings=settings)


def play(game: Game, how: How, *, drop: float | None = None) -> Outcome:
    """Play a rollout, from a checkpoint on if there is one, and keep the checkpoint up to date."""
    begun = time.perf_counter()
    until, progress = how.until, how.progress
    if until is not None:
        _check_rules(game, until)
    if how.resume and how.checkpoint is None:
        raise SettingError("resume needs a checkpoint file to go on from")
    saved = None if how.checkpoint is None else Checkpoint(Path(how.checkpoint), game, drop)
    stages = [] if saved is None else saved.begin(resume=how.resume)
    left = stages.pop() if stages else Stage(tuple(range(game.subject.branches)), None)
    timed_out = halted = False
    evaluations = 0

    def told(part: RolloutPart) -> object:
        nonlocal timed_out, halted, left
        left = replace(left, sums=part)
        if saved is not None:
            saved.keep([*stages, left])
        answer = None if progress is None else progress(part)
        if until is not None and until.seconds is not None:
            timed_out = time.perf_counter() - begun >= until.seconds
        halted = timed_out or (answer is not None and not answer)
        return not halted

    hands = None if how.executor is None else executor_of(how.executor)
    try:
        for count in _looks(game.settings, drop):
            stage = game.at(left.branches, count)
            part, complete, stopped, work = _stage(stage, left.sums, until, how.threads, hands, told)
            left, evaluations = replace(left, sums=part), evaluations + work
            if not complete or stopped is not None or halted or count == game.settings.trials:
                complete = complete and count == game.settings.trials
                break
            # Taken up again, a rollout may be beyond this number: what was to be dropped is gone already.
            kept = _sure_enough(part, drop) if part.trials == count else list(range(part.branches))
            if len(kept) < len(left.branches):
                stages.append(left)
                left = Stage(tuple(left.branches[branch] for branch in kept), part.of_plays(kept))
                if len(kept) == 1 and until is not None and until.jsd is not None:
                    stopped, complete = "jsd", False
                    break
    finally:
        if saved is not None and left.sums is not None:
            saved.write([*stages, left])
    if stopped is None and not complete and timed_out:
        stopped = "seconds"
    return Outcome((*stages, left), complete, stopped, time.perf_counter() - begun, evaluations)


def _looks(settings: Settings, drop: float | None) -> list[int]:
    """Numbers of trials at which plays may be dropped, each twice the one before, and the one asked for."""
    counts, count = [], 4 * _block(settings)
    while drop is not None and count < settings.trials:
        counts.append(count)
        count *= 2
    return [*counts, settings.trials]


def _sure_enough(part: RolloutPart, drop: float | None) -> list[int]:
    """Plays that are not behind the best by so many standard errors of the difference."""
    everything = list(range(part.branches))
    if drop is None or part.branches < 2:
        return everything
    with_cube = part.subject.situation is not None
    means = [(part.cubeful_of(branch) if with_cube else part.equity_of(branch))[0] for branch in everything]
    best = max(everything, key=means.__getitem__)

    def is_close(branch: int) -> bool:
        gap, error = part.difference(best, branch)
        return branch == best or gap <= drop * error

    return [branch for branch in everything if is_close(branch)]


def _stage(
    game: Game,
    before: RolloutPart | None,
    until: Until | None,
    threads: int | None,
    executor: Executor | None,
    told: PartProgress,
) -> tuple[RolloutPart, bool, str | None, int]:
    """Play on from some sums to a number of trials; what there is already may be all of it."""
    if before is not None and before.trials >= game.settings.trials:
        return before, True, None if until is None else before.ended_by(until), 0
    if executor is not None:
        return _distribute(game, before, until, executor, told)
    return roll_out(
        game.subject,
        game.chooser,
        game.filter,
        game.settings,
        before=before,
        until=until,
        threads=threads,
        progress=told,
    )


def executor_of(given: object) -> Executor:
    """An executor: one of `concurrent.futures`, or that of a `dask.distributed.Client`."""
    if isinstance(given, Executor):
        return given
    if hasattr(given, "get_executor"):
        made: Executor = given.get_executor(retries=3, pure=False)
        return made
    raise TypeError(
        "executor must be a concurrent.futures.Executor or a dask.distributed.Client, "
        f"got {type(given).__name__}"
    )


def _block(settings: Settings) -> int:
    """Trials that have every first roll once."""
    return 30 if settings.opening else 36


def _check_rules(game: Game, until: Until) -> None:
    """Raise `SettingError` for rules that this rollout could never satisfy."""
    if not isinstance(until, Until):
        raise TypeError(f"until must be a rollout.Until, got {type(until).__name__}")
    block, first, kind = _block(game.settings), game.settings.first, game.subject.kind
    if first % block:  # rules are asked at whole strata, which it never reaches
        raise SettingError(f"with rules for stopping, first must be a multiple of {block}, got {first}")
    if until.jsd is not None and kind != "plays":
        raise SettingError("jsd compares plays: there are none to compare in this rollout")
    if until.decided is not None and kind != "decision":
        raise SettingError("decided is for cube decisions: this rollout is none")


def _piece(settings: Settings, until: Until | None) -> int:
    """Trials of a job: what is judged together, and some tenths of a second or more of work."""
    block = _block(settings)
    every = 4 * block if until is None or until.every is None else until.every
    return -(-every // block) * block


def _job(game: Game) -> tuple[RolloutPart, int]:
    """One job, on one thread of whichever process gets it."""
    part, _, _, evaluations = roll_out(game.subject, game.chooser, game.filter, game.settings, threads=1)
    return part, evaluations


def _distribute(
    game: Game, before: RolloutPart | None, until: Until | None, executor: Executor, told: PartProgress
) -> tuple[RolloutPart, bool, str | None, int]:
    """Send out jobs of some trials each; of what comes back only the first without a gap count."""
    settings, size = game.settings, _piece(game.settings, until)
    first, end = settings.first, settings.first + settings.trials
    begin = first if before is None else first + before.trials
    edges = [begin, *range((begin // size + 1) * size, end, size), end]
    spans = [(a, b) for a, b in pairwise(edges) if a < b]
    done: dict[int, tuple[RolloutPart, int]] = {}
    running: dict[Future[tuple[RolloutPart, int]], int] = {}
    part, sent, merged, evaluations, stopped = before, 0, 0, 0, None
    going = True
    try:
        while going and merged < len(spans):
            while sent < len(spans) and len(running) < _IN_FLIGHT:
                start, stop = spans[sent]
                trials = replace(settings, first=start, trials=stop - start)
                running[executor.submit(_job, replace(game, settings=trials))] = sent
                sent += 1
            for future in wait(running, timeout=0.1, return_when=FIRST_COMPLETED).done:
                done[running.pop(future)] = future.result()
            while going and merged in done:
                new, work = done.pop(merged)
                part = new if part is None else part.merge(new)
                evaluations, merged = evaluations + work, merged + 1
                stopped = None if until is None else part.ended_by(until)
                going = stopped is None
            if going and part is not None:
                answer: Any = told(part)
                going = answer is None or bool(answer)
    finally:
        for future in running:
            future.cancel()
    if part is None:
        part, _, _, _ = roll_out(
            game.subject, game.chooser, game.filter, settings, threads=1, progress=lambda _: False
        )
        return part, part.trials == settings.trials, None, evaluations
    return part, merged == len(spans), stopped, evaluations
