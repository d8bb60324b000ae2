"""Does the value of a position jump where another part of the evaluator takes over?

`python benches/borders.py [REFERENCE.jsonl.gz]`. A position's value should be the mean over the 21 rolls of
its best reply's. How far it is from that is compared between positions whose best replies stay in the same
phase and such from which most lead into another (from contact to crashed, from contact to race, ...).
"""

import sys
from itertools import pairwise

import numpy as np

import gammon
from gammon import evaluators, strength


def main() -> None:
    known = strength.read_reference(sys.argv[1]) if len(sys.argv) > 1 else strength.known()
    boards = known.boards
    net = evaluators.default()
    rolls = gammon.Roll.all()
    dice = np.array([roll.dice[:2] for roll in rolls], np.uint8)
    weights = np.array([1 if roll.is_double else 2 for roll in rolls]) / 36
    results, offsets = gammon.expand(np.repeat(boards, len(rolls), axis=0), np.tile(dice, (len(boards), 1)))
    phases = np.array(gammon.features(boards).phase)
    later_phases = np.array(gammon.features(results).phase)
    values = strength.equities(gammon.evaluate(results, net))
    best = np.array([i + values[i:j].argmin() for i, j in pairwise(offsets)])
    best = best.reshape(len(boards), len(rolls))
    ahead = -(values[best] * weights).sum(axis=1)
    jump = ahead - strength.equities(gammon.evaluate(boards, net))
    leaves = ((later_phases[best] != phases[:, None]) * weights).sum(axis=1)
    contact = np.isin(phases, [gammon.PHASES.index("contact"), gammon.PHASES.index("crashed")])
    for name, chosen in [
        ("all replies stay in the phase", leaves == 0),
        ("up to half of them leave it", (leaves > 0) & (leaves <= 0.5)),
        ("more than half leave it", leaves > 0.5),
    ]:
        found = jump[contact & chosen]
        error = found.std() / max(len(found), 1) ** 0.5
        mean, size = found.mean(), abs(found).mean()
        print(f"{name:32} {len(found):5} positions, mean {mean:+.4f} +- {error:.4f}, size {size:.4f}")


main()
