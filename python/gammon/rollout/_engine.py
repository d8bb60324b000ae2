"""Where rollouts are played: on threads of this process, or in jobs sent to others."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from gammon._native import RolloutPart, RolloutSubject, roll_out
from gammon.errors import SettingError
from gammon.evaluators import Evaluator, default
from gammon.rollout._checkpoint import Checkpoint
from gammon.rollout._settings import Settings, Until

__all__ = ["Game", "Outcome", "executor_of", "play"]

_IN_FLIGHT = 16
"""Jobs sent out before the first comes back."""

Progress = Callable[[RolloutPart], object]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a rollout."""

    part: RolloutPart
    complete: bool
    stopped: str | None
    seconds: float
    evaluations: int


@dataclass(frozen=True, slots=True)
class Game:
    """How a subject is to be rolled out, and by whom."""

    subject: RolloutSubject
    settings: Settings
    evaluator: Evaluator | None
    small: Evaluator | None

    @property
    def chooser(self) -> Evaluator:
        """Who chooses the plays: by default the packaged net, which jobs need not carry."""
        return default() if self.evaluator is None else self.evaluator

    @property
    def name(self) -> str:
        """What results call the evaluators."""
        return self.chooser.id if self.small is None else f"{self.chooser.id}, filtered by {self.small.id}"


def play(
    game: Game,
    *,
    until: Until | None,
    checkpoint: str | Path | None,
    resume: bool,
    threads: int | None,
    executor: object | None,
    progress: Progress | None,
) -> Outcome:
    """Play a rollout, from a checkpoint on if there is one, and keep the checkpoint up to date."""
    begun = time.perf_counter()
    if until is not None:
        _check_rules(game, until)
    if resume and checkpoint is None:
        raise SettingError("resume needs a checkpoint file to go on from")
    saved = (
        None if checkpoint is None else Checkpoint(Path(checkpoint), game.subject, game.settings, game.name)
    )
    before = None if saved is None else saved.begin(resume=resume)
    timed_out = False
    latest = before

    def told(part: RolloutPart) -> object:
        nonlocal timed_out, latest
        latest = part
        if saved is not None:
            saved.keep(part)
        answer = None if progress is None else progress(part)
        if until is not None and until.seconds is not None:
            timed_out = time.perf_counter() - begun >= until.seconds
        return False if timed_out else answer

    try:
        if executor is None:
            part, complete, stopped, evaluations = roll_out(
                game.subject,
                game.chooser,
                game.small,
                game.settings,
                before=before,
                until=until,
                threads=threads,
                progress=told,
            )
        else:
            part, complete, stopped, evaluations = _distribute(
                game, before, until, executor_of(executor), told
            )
        latest = part
    finally:
        if saved is not None and latest is not None:
            saved.write(latest)
    if stopped is None and not complete and timed_out:
        stopped = "seconds"
    return Outcome(part, complete, stopped, time.perf_counter() - begun, evaluations)


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
    part, _, _, evaluations = roll_out(game.subject, game.chooser, game.small, game.settings, threads=1)
    return part, evaluations


def _distribute(
    game: Game, before: RolloutPart | None, until: Until | None, executor: Executor, told: Progress
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
            game.subject, game.chooser, game.small, settings, threads=1, progress=lambda _: False
        )
        return part, part.trials == settings.trials, None, evaluations
    return part, merged == len(spans), stopped, evaluations
