"""Information per second of rollouts, each technique on and off, beside GNU Backgammon and bgsage.

    python benches/rollouts.py [--seconds N] [--only NAME ...] [--nets FILE ...] [--no-peers] [--dice]
    [--json]

Everybody rolls the same positions out on one thread, cubeless, to the end, for about as many CPU seconds,
taking turns. Information is 1 / (standard error^2 x seconds): what twice as much of it costs half as much for
the same error. GNU Backgammon is the program `gnubg` on the PATH, playing 0-ply with variance reduction and
quasi-random dice and ending at its one-sided bear-off table, as our row "to the bear-off tables" does; bgsage
is its full rollout with 1-ply decisions (our 0 plies), from the package in this interpreter. What is not
installed is left out. With `--nets` the opening is also rolled out by these nets, alone and with the small
net in front: information against the size of the net.

`docs/rollouts.md` has the tables.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import gammon
from gammon import evaluators
from gammon.rollout import Settings, compare, run
from gnubg_cli import find, roll_out, start_seconds

POSITIONS = {
    "opening": gammon.Position.start(),
    # Both have an advanced anchor or blots to make one of: hits and primes are to come.
    "middle game": gammon.Position.from_points(
        {20: 2, 13: 4, 8: 3, 6: 4, 5: 2}, {24: 1, 21: 1, 13: 5, 8: 3, 6: 3, 4: 2}
    ),
    # The player on roll holds the opponent's ace and three points.
    "back game": gammon.Position.from_points(
        {24: 2, 22: 3, 13: 2, 8: 2, 7: 1, 6: 3, 5: 2}, {10: 1, 9: 2, 8: 3, 7: 2, 6: 3, 5: 2, 4: 2}
    ),
    "race": gammon.Position.from_points(
        {12: 1, 10: 2, 8: 3, 6: 4, 5: 3, 4: 2}, {12: 1, 10: 2, 9: 1, 7: 3, 6: 4, 5: 2, 4: 2}
    ),
}
"""What is rolled out: the player on roll is yet to throw."""

GNU_TRIALS_A_SECOND = 18
SAGE_TRIALS_A_SECOND = 14
"""Roughly, to ask for as many as fill the time."""


@dataclass
class Row:
    """One way of rolling out one position."""

    position: str
    program: str
    way: str
    trials: int
    seconds: float
    equity: float
    error: float
    #: Positions evaluated a game, where it is known.
    evaluations: float | None = None

    @property
    def rate(self) -> float:
        return self.trials / self.seconds

    @property
    def information(self) -> float:
        return 1 / (self.error**2 * self.seconds) if self.error > 0 else math.inf


Roll = Callable[[str, gammon.Position, float], Row]


def ours(way: str, settings: Settings, large: Any, small: Any = None) -> Roll:
    """Our rollout, broken off when the time is over."""

    def roll(name: str, position: gammon.Position, seconds: float) -> Row:
        run(position, Settings(trials=1), evaluator=large, small=small, threads=1)  # tables are built
        begun = time.process_time()
        found = run(
            position,
            settings,
            evaluator=large,
            small=small,
            threads=1,
            progress=lambda _: time.process_time() - begun < seconds,
        )
        spent = time.process_time() - begun
        each = found.evaluations / found.trials
        equity = found.equity
        return Row(name, "gammon", way, found.trials, spent, equity.mean, equity.error, each)

    return roll


def gnubg(program: str) -> Roll:
    """GNU Backgammon's, by its command line; the time it takes to start is not counted."""

    def roll(name: str, position: gammon.Position, seconds: float) -> Row:
        trials = 36 * max(2, round(seconds * GNU_TRIALS_A_SECOND / 36))
        start = start_seconds(program, position.id)
        found = roll_out(program, position.id, trials)
        spent = found.seconds - start
        return Row(name, "gnubg", "0-ply, variance reduction", trials, spent, found.equity, found.error)

    return roll


def bgsage() -> Roll:
    """bgsage's full rollout; it values the position after a play, so the sign changes."""
    from bgsage import create_analyzer

    from adapters.bgsage import board

    def roll(name: str, position: gammon.Position, seconds: float) -> Row:
        trials = 36 * max(2, round(seconds * SAGE_TRIALS_A_SECOND / 36))
        analyzer = create_analyzer("rollout", cubeful=False, parallel_threads=1, n_trials=trials)
        strategy = analyzer._analyzer._rollout_strategy
        roller, opponent = position.board.tolist()
        moved = board((tuple(opponent), tuple(roller)))
        begun = time.process_time()
        found = strategy.evaluate_board(moved, moved)
        spent = time.process_time() - begun
        return Row(
            name, "bgsage", "full, 1-ply decisions", trials, spent, -found["equity"], found["std_error"]
        )

    return roll


def much(**changes: Any) -> Settings:
    """More games than there is time for; every turn's luck measured, unless it is said otherwise."""
    return Settings(**({"trials": 10_000_000, "opening": False, "one_look_in": 1} | changes))


def ways() -> Iterator[Roll]:
    """Each technique off, on, and together with the others."""
    large, small = evaluators.default(), evaluators.composite(contact=evaluators.small())
    front, looks = {"prefilter": Settings().prefilter}, {"one_look_in": Settings().one_look_in}
    # With independent dice, whose errors need fewer games to be known well; the last three have 36 strata.
    yield ours("plain games", much(luck="off", strata=1), large)
    yield ours("stratified dice", much(luck="off"), large)
    yield ours("luck taken out", much(strata=1), large)
    yield ours("  and the small net in front", much(strata=1, **front), large, small)
    yield ours("  and one look in three", much(strata=1, **front, **looks), large, small)
    yield ours("  and stratified: as usual", much(**front, **looks), large, small)
    tables = {"stop_at_bear_off": True}
    yield ours("as usual, to the bear-off tables", much(**front, **looks, **tables), large, small)
    yield ours("the same, every turn looked at", much(**front, **tables), large, small)


def by_size(files: list[Path], seconds: float) -> Iterator[Row]:
    """The opening by nets of other sizes."""
    front = evaluators.small()
    nets = [("small", front), ("strong", evaluators.strong())]
    nets += [(path.stem, evaluators.load(path)) for path in files]
    usual = much(strata=1, one_look_in=Settings().one_look_in)
    for name, net in sorted(nets, key=lambda one: (one[1].hidden, one[1].features)):
        label = f"{name}: {net.features}, {net.hidden}"
        yield ours(label, usual, net)("opening", POSITIONS["opening"], seconds)
        if net.id != front.id:
            with_small = ours(f"{label}, small in front", usual, net, front)
            yield with_small("opening", POSITIONS["opening"], seconds)


def common_dice(trials: int) -> Iterator[str]:
    """What comparing plays with the same dice brings, by the variance of their difference."""
    for luck in ("off", "large"):
        settings = Settings(trials=trials, luck=luck, opening=False)
        both = compare("start", "31", ["8/5 6/5", "24/20"], settings, threads=1)
        first, second = both.plays
        apart = math.hypot(first.equity.error, second.equity.error)
        together = first.ahead_of(second).error
        yield (
            f"difference of two plays, luck {'in' if luck == 'off' else 'out'}: ± {together:.5f} with "
            f"common dice, ± {apart:.5f} without: {(apart / together) ** 2:.2f} times the information"
        )


def best_coefficient(trials: int) -> str:
    """What taking out a little more or less of the luck would bring."""
    large = evaluators.default()
    raw, adjusted = [], []
    for first in range(trials):
        one = run(POSITIONS["opening"], much(trials=1, first=first, strata=1), evaluator=large, threads=1)
        adjusted.append(one.equity.mean)
        raw.append(one.raw_equity.mean)
    luck = [a - b for a, b in zip(raw, adjusted, strict=True)]
    mean_raw, mean_luck = statistics.fmean(raw), statistics.fmean(luck)
    shared = sum((a - mean_raw) * (b - mean_luck) for a, b in zip(raw, luck, strict=True))
    best = shared / sum((b - mean_luck) ** 2 for b in luck)
    fitted = [a - best * b for a, b in zip(raw, luck, strict=True)]
    gain = statistics.variance(adjusted) / statistics.variance(fitted)
    return (
        f"luck as a control variate, {trials} games: best coefficient {best:.4f}, "
        f"{gain:.3f} times the information of coefficient 1"
    )


def peers() -> Iterator[Roll]:
    program = find()
    if program:
        yield gnubg(program)
    else:
        print("no gnubg on the PATH", file=sys.stderr)
    try:
        yield bgsage()
    except ImportError:
        print("no bgsage in this interpreter", file=sys.stderr)


def print_row(row: Row, best_peer: float | None) -> None:
    times = f"{row.information / best_peer:>7.1f}" if best_peer else ""
    each = f"{row.evaluations:>9,.0f}" if row.evaluations else f"{'':>9}"
    print(
        f"{row.position:<12}{row.program:<8}{row.way:<34}{row.trials:>7,}{row.rate:>9,.1f}{each}"
        f"{row.equity:>+9.4f}{row.error:>9.5f}{row.information:>10,.0f}{times}",
        flush=True,
    )


HEAD = (
    f"{'':<12}{'':<8}{'':<34}{'games':>7}{'games/s':>9}{'evals':>9}{'equity':>9}{'error':>9}{'1/(e² s)':>10}"
    f"{'times':>7}"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=6, help="CPU seconds of each row (default 6)")
    parser.add_argument("--only", nargs="+", choices=list(POSITIONS), help="only these positions")
    parser.add_argument("--nets", nargs="*", type=Path, help="the opening by nets of these files too")
    parser.add_argument(
        "--dice", action="store_true", help="common dice and the luck's coefficient, nothing else"
    )
    parser.add_argument("--no-peers", action="store_true", help="gammon alone")
    parser.add_argument("--json", action="store_true", help="print everything measured, for programs")
    parser.add_argument("--save", metavar="FILE", type=Path, help="also write that to a file")
    arguments = parser.parse_args()
    if arguments.dice:
        print(*common_dice(1_296), best_coefficient(1_500), sep="\n")
        return 0
    rows: list[Row] = []
    others = [] if arguments.no_peers else list(peers())
    if not arguments.json:
        print(HEAD)
    for name in arguments.only or POSITIONS:
        position = POSITIONS[name]
        theirs = [roll(name, position, 2 * arguments.seconds) for roll in others]
        best = max((row.information for row in theirs), default=None)
        rows += theirs
        for row in theirs:
            if not arguments.json:
                print_row(row, best)
        for roll in ways():
            row = roll(name, position, arguments.seconds)
            rows.append(row)
            if not arguments.json:
                print_row(row, best)
    for row in by_size(arguments.nets, arguments.seconds) if arguments.nets is not None else ():
        rows.append(row)
        if not arguments.json:
            print_row(row, None)
    data = json.dumps([asdict(row) | {"information": row.information} for row in rows], indent=1)
    if arguments.save:
        arguments.save.write_text(data + "\n")
    if arguments.json:
        print(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
