"""Our analysis of matches beside GNU Backgammon's of the same matches, at equal plies.

Plays matches between engines with noise, lets GNU Backgammon (its command line, `gnubg`) analyse them and
reads what it found from its `.sgf`. Prints how many of the errors that one puts above 0.08 the other puts
above 0.04, and how much processor time both took. `--show` lists decisions the two do not agree on.

    python benches/compare_analysis.py --plies 0 --matches 20
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
from pathlib import Path

from gammon import formats, met
from gammon.analysis import Decision, analyse
from gammon.match import CubeFinding, Engine, Evaluation, Match, Moment, PlayFinding, Series, play_match
from gammon.match._stakes import match_scale

BLUNDER, SEEN = 0.08, 0.04


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--plies", type=int, default=0)
    options.add_argument("--matches", type=int, default=10)
    options.add_argument("--length", type=int, default=7)
    options.add_argument("--noise", type=float, default=0.12)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--show", type=int, default=0, help="decisions not agreed on to list")
    options.add_argument("--no-luck", action="store_true", help="our time without the luck of rolls")
    asked = options.parse_args()
    pairs: list[tuple[Decision, float]] = []
    seconds = [0.0, 0.0]
    decisions = 0
    for number in range(asked.matches):
        match = played(asked.length, asked.noise, asked.seed + number)
        started = seconds_used(resource.RUSAGE_CHILDREN)
        theirs = analysed_by_gnubg(match, asked.plies, asked.threads)
        seconds[0] += seconds_used(resource.RUSAGE_CHILDREN) - started
        started = seconds_used(resource.RUSAGE_SELF)
        ours = analyse(theirs, plies=asked.plies, threads=asked.threads, luck=not asked.no_luck)
        seconds[1] += seconds_used(resource.RUSAGE_SELF) - started
        decisions += len(ours.decisions)
        for decision in ours.decisions:
            error = found_by_gnubg(theirs.games[decision.game][decision.record], decision)
            if error is not None:
                pairs.append((decision, error))
    report(pairs, asked.plies, decisions, seconds)
    show(pairs, asked.show)


def seconds_used(who: int) -> float:
    """Seconds of processor time so far."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def played(length: int, noise: float, seed: int) -> Match:
    """A match between two engines that make errors."""
    match = Match(length, ("A", "B"), seed=seed)
    play_match(match, (Engine(noise=noise, seed=2 * seed), Engine(noise=noise, seed=2 * seed + 1)))
    return match


def analysed_by_gnubg(match: Match, plies: int, threads: int) -> Series:
    """The match with what GNU Backgammon says of it."""
    with tempfile.TemporaryDirectory() as folder:
        mat, sgf = Path(folder, "match.mat"), Path(folder, "match.sgf")
        formats.write(match, mat)
        lines = [
            f"set threads {threads}",
            f"set analysis chequerplay evaluation plies {plies}",
            f"set analysis cubedecision evaluation plies {plies}",
            f"import mat {mat}",
            "analyse match",
            f"save match {sgf}",
            "exit",
            "y",
        ]
        subprocess.run(
            [os.environ.get("GNUBG", "gnubg"), "-t", "-q", "-r"],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "HOME": folder},
        )
        (found,) = formats.read(sgf).matches
    return found


def found_by_gnubg(moment: Moment, decision: Decision) -> float | None:
    """What GNU Backgammon says the decision lost, in normalised equity; `None` if it says nothing."""
    for finding in moment.record.findings:
        if isinstance(finding, PlayFinding) and decision.kind == "play" and finding.chosen is not None:
            equities = [candidate.evaluation.equity for candidate in finding.candidates]
            made = equities[finding.chosen]
            known = [equity for equity in equities if equity is not None]
            return None if made is None else max(known) - made
        if isinstance(finding, CubeFinding) and decision.kind != "play":
            return of_cube(moment, finding, decision)
    return None


def of_cube(moment: Moment, finding: CubeFinding, decision: Decision) -> float | None:
    state = moment.before
    if state.turn is None:
        return None
    win, lose = match_scale(met.load(), moment.terms, state, state.turn)

    def equity(found: Evaluation | None) -> float | None:
        if found is None:
            return None
        return found.equity if found.mwc is None else 2 * (found.mwc - lose) / (win - lose) - 1

    held, taken = equity(finding.no_double), equity(finding.double_take)
    if held is None or taken is None:
        return None
    if decision.kind == "answer":
        return max(taken - 1, 0) if decision.made.name == "take" else max(1 - taken, 0)
    doubled = min(taken, 1.0)
    return max(doubled - held, 0) if decision.made.name == "no double" else max(held - doubled, 0)


def report(pairs: list[tuple[Decision, float]], plies: int, decisions: int, seconds: list[float]) -> None:
    print(f"{plies}-ply, {decisions} decisions; GNU Backgammon {seconds[0]:.1f} s, gammon {seconds[1]:.1f} s")
    for kinds in (("play",), ("double", "answer"), ("play", "double", "answer")):
        chosen = [(theirs, decision.error) for decision, theirs in pairs if decision.kind in kinds]
        one = [ours > SEEN for theirs, ours in chosen if theirs > BLUNDER]
        other = [theirs > SEEN for theirs, ours in chosen if ours > BLUNDER]
        mean = sum(abs(theirs - ours) for theirs, ours in chosen) / max(len(chosen), 1)
        print(f"{' '.join(kinds)}: {len(chosen)} judged by both, mean difference {mean:.4f}")
        print(f"  theirs above {BLUNDER} that are above {SEEN} here: {sum(one)} of {len(one)}")
        print(f"  ours above {BLUNDER} that are above {SEEN} there: {sum(other)} of {len(other)}")


def show(pairs: list[tuple[Decision, float]], most: int) -> None:
    """Blunders of one that the other hardly minds, the furthest apart first."""
    apart = [
        (decision, theirs)
        for decision, theirs in pairs
        if (theirs > BLUNDER and decision.error <= SEEN) or (decision.error > BLUNDER and theirs <= SEEN)
    ]
    for decision, theirs in sorted(apart, key=lambda pair: -abs(pair[1] - pair[0].error))[:most]:
        print(f"{decision.id} {decision.made.name}: theirs {theirs:.3f}, ours {decision.error:.3f}")


if __name__ == "__main__":
    main()
