"""How well the named strengths of `gammon.match.Engine` play: their PR by an analysis at 2 plies.

python benches/strengths.py --matches 2
"""

from __future__ import annotations

import argparse

from gammon.analysis import RATINGS, analyse
from gammon.match import STRENGTHS, Engine, Match, play_match


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--matches", type=int, default=2)
    options.add_argument("--length", type=int, default=7)
    options.add_argument("--plies", type=int, default=2)
    asked = options.parse_args()
    print(f"{'strength':<14} {'PR':>6} {'decisions':>9}  called")
    for name in STRENGTHS:
        error, decisions = 0.0, 0
        for number in range(asked.matches):
            match = Match(asked.length, seed=number)
            players = (Engine.named(name, seed=2 * number), Engine.named(name, seed=2 * number + 1))
            found = analyse(play_match(match, players), plies=asked.plies, luck=False)
            for player in (0, 1):
                rating = found.rating(player, "xg")
                error += rating.error
                decisions += rating.decisions
        value = 500 * error / decisions
        print(f"{name:<14} {value:>6.2f} {decisions:>9}  {RATINGS['xg'].name(value)}")


if __name__ == "__main__":
    main()
