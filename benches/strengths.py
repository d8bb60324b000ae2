"""How well the named strengths of `gammon.match.Engine` play.

    python benches/strengths.py --matches 3 --games 1000

Their PR by an analysis of matches of each against itself, and points a game in cubeless duels with `default`,
the packaged net without noise and lookahead, the luck of the dice taken out.
"""

from __future__ import annotations

import argparse

from gammon import strength
from gammon.analysis import RATINGS, analyse
from gammon.match import STRENGTHS, Engine, Match, play_match


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--matches", type=int, default=3)
    options.add_argument("--length", type=int, default=7)
    options.add_argument("--plies", type=int, default=2)
    options.add_argument("--games", type=int, default=1000, help="of a duel; of one with lookahead a fifth")
    asked = options.parse_args()
    print(f"{'strength':<14} {'PR':>6} {'decisions':>9}  {'points a game against default':<30} called")
    for name in STRENGTHS:
        pr, decisions = measured(name, asked.matches, asked.length, asked.plies)
        print(
            f"{name:<14} {pr:>6.2f} {decisions:>9}  {points(name, asked.games):<30} {RATINGS['xg'].name(pr)}"
        )


def measured(name: str, matches: int, length: int, plies: int) -> tuple[float, int]:
    """PR and the decisions it counts, in matches of a strength against itself."""
    error, decisions = 0.0, 0
    for number in range(matches):
        match = Match(length, seed=number)
        players = (Engine.named(name, seed=2 * number), Engine.named(name, seed=2 * number + 1))
        found = analyse(play_match(match, players), plies=plies, luck=False)
        for player in (0, 1):
            rating = found.rating(player, "xg")
            error += rating.error
            decisions += rating.decisions
    return 500 * error / decisions, decisions


def points(name: str, games: int) -> str:
    """Points a game against the net without noise and lookahead, with the standard error."""
    player = strength.player(name)
    count = games if not STRENGTHS[name][0] else max(games // 10, 1) * 2
    found = strength.duel(player, strength.player("default"), games=count)
    return f"{found.best.mean:+.3f} ± {found.best.error:.3f} ({found.games} games)"


if __name__ == "__main__":
    main()
