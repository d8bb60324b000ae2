"""Analysing a match: every decision on its own, side by side, what is known already not again."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TypeVar

from gammon import evaluators, rollout, search
from gammon import met as tables
from gammon._native import BuiltIn, Composite, Met, StopFlag, thread_count
from gammon._typing import Progress
from gammon.analysis import _plain
from gammon.analysis._decisions import Decision, Luck, Skipped
from gammon.analysis._judge import Judge, NotJudged
from gammon.analysis._result import Analysis, GameSummary
from gammon.analysis._rollouts import contenders, rolled_out
from gammon.analysis._settings import Settings, Thresholds, check
from gammon.analysis._store import Store
from gammon.cube import MetLike
from gammon.errors import CubeError, MetError, SettingError
from gammon.match import CubeAction, Game, Moment, Played, Rolled, Series
from gammon.match._stakes import match_chance
from gammon.match._state import Terms
from gammon.match._turns import turns

_T = TypeVar("_T")
_SIDE_BY_SIDE = 2
"""Up to this depth decisions are judged side by side; a deeper one takes all threads for itself."""

_POLL_SECONDS = 0.05
"""How often a caller who waits for its threads looks up."""


@dataclass(frozen=True, slots=True)
class _Task:
    """Something to be judged."""

    game: int
    moment: Moment
    kind: str
    """'play', 'double', 'answer' or 'luck'."""


def _tasks(series: Series | Game, luck: bool) -> Iterator[_Task]:
    games = series.games if isinstance(series, Series) else (series,)
    for number, game in enumerate(games):
        for moment in game:
            match moment.record:
                case Rolled():
                    yield _Task(number, moment, "double")
                    if luck:
                        yield _Task(number, moment, "luck")
                case Played():
                    yield _Task(number, moment, "play")
                case CubeAction():
                    yield _Task(number, moment, "double" if moment.record.action == "double" else "answer")
                case _:
                    pass


def count(series: Series | Game, *, luck: bool = True) -> int:
    """Return how many things `analyse` looks at, luck counted apart: what it tells its `progress` last."""
    return sum(1 for _ in _tasks(series, luck))


def analyse(
    match: Series | Game,
    *,
    plies: int = 2,
    filter: search.FilterLike = "normal",
    luck: bool = True,
    luck_plies: int = 0,
    evaluator: evaluators.Evaluator | None = None,
    prefilter: search.Prefilter | None = None,
    met: MetLike = tables.DEFAULT,
    life: float | None = None,
    thresholds: Thresholds | None = None,
    shown: int = 5,
    rollouts: rollout.Settings | None = None,
    close: float = 0.02,
    store: Store | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Judge every play and every cube decision of a match, a session or a game, and the luck of every roll.

    Plays are ranked with the cube and at the score they were made at, as by `search.rank`; the play that was
    made is looked at as deeply as the best one, whatever the `filter`. Of each, the `shown` best choices are
    kept. Luck is judged `luck_plies` deep. Without an evaluator the packaged net judges; a `prefilter` makes
    the search quicker.

    With `rollouts`, decisions in which another choice is within `close` of the best are rolled out after
    that, these choices and the one that was made with the same dice; `progress` is then told the whole number
    all the time.

    The same numbers for any number of `threads`. Decisions found in a `store` (a `Store`, or the path of
    one) are not judged again; those that are come into it one by one, so that a stopped analysis is taken up
    where it was. `progress` is told some twenty times a second how many of `count(match)` are done; if it
    answers with something false, what is done by then comes back.

    Raises `SettingError` for an unknown filter, plies beyond 4 or a `close` below 0, `CubeError` for a `life`
    that is not from 0 to 1, `TypeError` for numbers and thresholds that are none and for what is no
    match, `MetError` for an unusable
    table, `EvaluatorError` for an unusable answer of an evaluator of your own, and whatever that raises
    itself.

    >>> from gammon.analysis import analyse
    >>> from gammon.match import Engine, Match, play_match
    >>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine(noise=0.3)))
    >>> found = analyse(match, plies=0)
    >>> found.is_complete, found.rating(0).value, found.rating(1).value > 1
    (True, 0.0, True)
    """
    if not isinstance(match, Series | Game):
        raise TypeError(
            f"analyse takes a match, session or game, got {type(match).__name__}; "
            "of a file: formats.read(path).matches[0]"
        )
    check(life, close, thresholds)
    table = tables.load(met)
    asked = evaluators.default() if evaluator is None else evaluator
    workers = thread_count(threads)
    quick = None if prefilter is None else prefilter.evaluator
    alone = plies > _SIDE_BY_SIDE or not (_is_ours(asked) and (quick is None or _is_ours(quick)))
    if shown < 1:
        raise SettingError(f"shown must be at least 1, got {shown}")
    judge = Judge(
        plies=plies,
        filter=filter,
        luck_plies=luck_plies,
        evaluator=asked,
        prefilter=prefilter,
        met=table,
        life=life,
        shown=shown,
        threads=workers if alone else 1,
    )
    length = match.length if isinstance(match, Series) else match.terms.length
    settings = Settings(
        plies=plies,
        filter=filter if isinstance(filter, str) else json.dumps([list(part) for part in filter]),
        luck_plies=luck_plies if luck else None,
        evaluator=asked.id,
        prefilter="" if prefilter is None else _told(prefilter),
        met=table.name if length else "",
        life=life,
        thresholds=Thresholds() if thresholds is None else thresholds,
        rollout="" if rollouts is None else repr(rollouts),
        close=None if rollouts is None else close,
    )
    tasks = list(_tasks(match, luck))
    found: dict[int, Decision | Luck | Skipped | None] = {}
    kept = Store(store) if isinstance(store, str | os.PathLike) else store
    try:
        judged = _Judged(judge, settings, kept, shown, _digest(table))
        done = _all(tasks, judged.judge, 1 if alone else workers, found, progress)
        if done and rollouts is not None:
            asked_again = _Asked(progress, len(tasks))
            done = _roll_out(tasks, found, judged, rollouts, close, workers, asked_again)
    finally:
        if kept is not None:
            kept.flush()
            if kept is not store:
                kept.close()
    return _collected(match, settings, table, found, done)


def _is_ours(evaluator: object) -> bool:
    """Whether an evaluator may be asked by several threads: one of a user's own never is."""
    if isinstance(evaluator, Composite):
        parts = (evaluator.contact, evaluator.crashed, evaluator.race, evaluator.bearoff)
        return all(_is_ours(part) for part in parts)
    return isinstance(evaluator, BuiltIn)


def _told(prefilter: search.Prefilter) -> str:
    return f"{prefilter.evaluator.id}, inside {prefilter.inside}, top {prefilter.top}"


def _digest(met: Met) -> str:
    pre, post = met.tables()
    return hashlib.sha256(pre.tobytes() + post.tobytes()).hexdigest()[:16]


class _Judged:
    """Judges tasks, what the store knows already apart."""

    def __init__(self, judge: Judge, settings: Settings, store: Store | None, shown: int, met: str) -> None:
        self._judge = judge
        self._store = store
        self._how = (
            settings.plies,
            settings.filter,
            settings.evaluator,
            settings.prefilter,
            settings.life,
            shown,
        )
        self._luck = (
            judge.luck_plies,
            settings.filter,
            settings.evaluator,
            settings.prefilter,
            settings.life,
        )
        self._met = met
        self.engine = judge

    def rolled_out(
        self, task: _Task, decision: Decision, how: str, refine: Callable[[], Decision | None]
    ) -> Decision | None:
        """Judge a decision by a rollout, what the store knows apart; `None` if that was stopped."""
        if self._store is None:
            return refine()
        key = self._key(task, how)
        known = self._store.get(key)
        if known is not None:
            place = {"game": task.game, "record": task.moment.index, "player": task.moment.record.player}
            return _plain.checked(lambda: _plain.to_decision(known, **place))
        result = refine()
        if result is not None:
            self._store.put(key, _kept(result))
        return result

    def judge(self, task: _Task) -> Decision | Luck | Skipped | None:
        """Judge something; `None` if there was nothing to decide."""
        try:
            if self._store is None:
                return self._anew(task)
            key = self._key(task)
            known = self._store.get(key)
            if known is None:
                result = self._anew(task)
                self._store.put(key, _kept(result))
                return result
            return _found(known, task)
        except (NotJudged, CubeError, MetError) as error:
            return Skipped(game=task.game, record=task.moment.index, reason=str(error))

    def _anew(self, task: _Task) -> Decision | Luck | None:
        game, moment = task.game, task.moment
        if task.kind == "play":
            return self._judge.play(game, moment)
        if task.kind == "double":
            return self._judge.double(game, moment)
        if task.kind == "answer":
            return self._judge.answer(game, moment)
        return self._judge.luck(game, moment)

    def _key(self, task: _Task, how: str = "") -> str:
        """Return everything a judgement depends on, in a word."""
        moment = task.moment
        record, before, terms = moment.record, moment.before, moment.terms
        made = ""
        if isinstance(record, CubeAction):
            made = record.action
        elif isinstance(record, Played):
            made = record.play.after.id
        depends = (
            task.kind,
            how,
            self._luck if task.kind == "luck" else self._how,
            self._met if terms.length else "",
            made,
            str(record.roll) if isinstance(record, Rolled | Played) and task.kind != "double" else "",
            bool(record.illegal),
            record.player,
            before.position.id,
            (before.turn, before.phase, str(before.roll), str(before.opening), before.cube, before.owner),
            (before.offered, before.offer, before.throws == (0, 0), min(before.throws) < 2, before.penalties),
            (terms.length, [str(points) for points in terms.score], terms.crawford, str(terms.rules)),
        )
        return hashlib.sha256(repr(depends).encode()).hexdigest()[:32]


def _kept(result: Decision | Luck | None) -> object:
    if result is None:
        return {"none": True}
    return (
        _plain.of_luck(result, place=False)
        if isinstance(result, Luck)
        else _plain.of_decision(result, place=False)
    )


def _found(values: dict[str, object], task: _Task) -> Decision | Luck | None:
    place = {"game": task.game, "record": task.moment.index, "player": task.moment.record.player}
    if "none" in values:
        return None
    read: Callable[..., Decision | Luck] = _plain.to_luck if task.kind == "luck" else _plain.to_decision
    return _plain.checked(lambda: read(values, **place))


def _all(
    tasks: list[_Task],
    judge: Callable[[_Task], _T],
    workers: int,
    found: dict[int, _T],
    progress: Progress | None,
) -> bool:
    """Judge all tasks, the results by their numbers; false if `progress` asked to stop."""
    asked = _Asked(progress, len(tasks))
    if workers == 1:
        for number, task in enumerate(tasks):
            found[number] = judge(task)
            if asked.stops(number + 1):
                return number + 1 == len(tasks)
        return True
    stop = StopFlag()
    pool = ThreadPoolExecutor(workers, initializer=stop.heed)
    try:
        return _side_by_side(pool, workers, tasks, judge, found, asked)
    finally:
        # Whoever stops waits for no decision to be finished, nor does the end of the process.
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)


def _side_by_side(
    pool: ThreadPoolExecutor,
    workers: int,
    tasks: list[_Task],
    judge: Callable[[_Task], _T],
    found: dict[int, _T],
    asked: "_Asked",
) -> bool:
    waiting: dict[Future[_T], int] = {}
    coming = iter(enumerate(tasks))
    ahead = 8 * workers
    while True:
        while len(waiting) < ahead:
            following = next(coming, None)
            if following is None:
                break
            waiting[pool.submit(judge, following[1])] = following[0]
        if not waiting:
            return True
        done, _ = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            found[waiting.pop(future)] = future.result()
        if asked.stops(len(found)):
            return len(found) == len(tasks)


def _roll_out(
    tasks: list[_Task],
    found: dict[int, Decision | Luck | Skipped | None],
    judged: _Judged,
    settings: rollout.Settings,
    close: float,
    threads: int,
    asked: "_Asked",
) -> bool:
    """Roll out the close decisions, one after the other with all threads; false if it was stopped."""
    for number, task in enumerate(tasks):
        decision = found[number]
        if not isinstance(decision, Decision) or len(contenders(decision, close)) < 2:
            continue

        def refine(task: _Task = task, decision: Decision = decision) -> Decision | None:
            return rolled_out(
                judged.engine,
                task.game,
                task.moment,
                decision,
                settings,
                close,
                threads,
                lambda: asked.stops(len(tasks)),
            )

        refined = judged.rolled_out(task, decision, f"{settings!r} {close}", refine)
        if refined is None:
            return False
        found[number] = refined
    return True


class _Asked:
    """Tells a callback how far things are, some twenty times a second and at the end."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._last = time.monotonic()

    def stops(self, done: int) -> bool:
        """Tell it; whether it asks to stop."""
        now = time.monotonic()
        if self._progress is None or (done < self._total and now - self._last < _POLL_SECONDS):
            return False
        self._last = now
        answer = self._progress(done)
        return answer is not None and not answer


def _collected(
    match: Series | Game,
    settings: Settings,
    met: Met,
    found: dict[int, Decision | Luck | Skipped | None],
    done: bool,
) -> Analysis:
    games = (match,) if isinstance(match, Game) else match.games
    turn = [turns(game.records) for game in games]
    # A judgement that was kept knows nothing of its place.
    results = [
        replace(result, turn=turn[result.game][result.record])
        if isinstance(result, Decision | Luck)
        else result
        for result in (found[number] for number in sorted(found))
    ]
    skipped: dict[tuple[int, int], Skipped] = {}
    for result in results:
        if isinstance(result, Skipped):
            skipped.setdefault((result.game, result.record), result)
    series = match if isinstance(match, Series) else None
    return Analysis(
        settings=settings,
        players=("", "") if series is None else (series.players[0].name, series.players[1].name),
        length=match.terms.length if isinstance(match, Game) else match.length,
        games=tuple(_summary(game) for game in games),
        result=_result(games, met),
        decisions=tuple(result for result in results if isinstance(result, Decision)),
        luck=tuple(result for result in results if isinstance(result, Luck)),
        skipped=tuple(skipped.values()),
        is_complete=done,
    )


def _summary(game: Game) -> GameSummary:
    result = game.result
    plays = [0, 0]
    for record in game.records:
        if isinstance(record, Played):
            plays[record.player] += 1
    return GameSummary(
        number=game.number,
        score=(float(game.score[0]), float(game.score[1])),
        winner=None if result is None else result.winner,
        points=0.0 if result is None else float(result.points),
        plays=(plays[0], plays[1]),
    )


def _result(games: tuple[Game, ...], met: Met) -> tuple[float, float]:
    """Return what the games brought to each seat: match winning chances, or points in money play."""
    if not games:
        return 0.0, 0.0
    if games[0].terms.length:
        gained = _chance_after(games[-1], met) - _chance_before(games[0].terms, met)
        return -gained, gained
    net = 0.0
    for game in games:
        result = game.result
        if result is not None and result.winner is not None:
            net += float(result.points) * (1 if result.winner == 1 else -1)
    return -net, net


def _chance_before(terms: Terms, met: Met) -> float:
    """Return seat 1's chance to win the match before a game."""
    away = [terms.length - int(points) for points in terms.score]
    return met.mwc(away[1], away[0], crawford=terms.crawford)


def _chance_after(game: Game, met: Met) -> float:
    """Return seat 1's chance to win the match after a game, or as it stands if that is not over."""
    result = game.result
    if result is None or result.winner is None:
        return _chance_before(game.terms, met)
    if result.ends_match:
        return float(result.winner == 1)
    points = int(result.points) * (1 if result.winner == 1 else -1)
    return match_chance(met, game.terms, game.state, 1, points)
