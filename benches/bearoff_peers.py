"""GNU Backgammon's ``makebearoff`` beside gammon's builds of the same tables, in CPU time.

    python benches/bearoff_peers.py [--rounds N] [--command MAKEBEAROFF] [--eight]

One thread each, in turns; the ratio is taken within each round, the median over rounds is printed. Without
``makebearoff`` only gammon's times are printed, and a word says so. ``--eight`` adds the one-sided table of
eight points, which takes ``makebearoff`` half a minute a round. ``peers.py`` has the two small tables among
all other comparisons.
"""

from __future__ import annotations

import argparse
import shutil
import statistics

from adapters import makebearoff


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--command")
    parser.add_argument("--eight", action="store_true")
    options = parser.parse_args()
    command = shutil.which(options.command) if options.command else makebearoff.find()
    if command is None:
        print(f"{options.command or 'makebearoff'} is not installed: gammon alone")
    for table in [*makebearoff.TABLES, *([makebearoff.EIGHT_POINTS] if options.eight else [])]:
        ours, theirs = [], []
        for _ in range(options.rounds):
            built = table.our_build()
            assert built.counted == built.expected
            ours.append(built.seconds)
            if command:
                theirs.append(table.their_build(command).seconds)
        line = f"{table.name:<22} gammon {statistics.median(ours):8.3f} s"
        if theirs:
            ratio = statistics.median(his / mine for mine, his in zip(ours, theirs, strict=True))
            line += f"   makebearoff {statistics.median(theirs):8.2f} s   {ratio:6.1f} times"
        print(line)


if __name__ == "__main__":
    main()
