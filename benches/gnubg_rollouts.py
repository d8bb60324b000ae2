"""Where GNU Backgammon's 2-ply and our rollouts are furthest apart: what do its own rollouts say?

    python benches/gnubg_rollouts.py AGREEMENT.jsonl.gz FILE.jsonl [--number N] [--trials N]

AGREEMENT is what `agreement_rollouts.py` wrote. The N positions whose two values differ most, the largest
difference first, are rolled out by the program `gnubg` on the PATH with its own nets, playing 0-ply, luck
taken out. FILE keeps what it found, and the same command goes on with it. The tables tell how far from its
rollouts its 2-ply, its 0-ply, our rollouts and our default evaluator are, and which of 2-ply and our rollouts
is nearer, each where the two differ by more than three times the error of its rollout.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import gammon
from agreement_rollouts import equity, read
from gnubg_cli import find, roll_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("agreement", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--number", type=int, default=72)
    parser.add_argument("--trials", type=int, default=144, help="a multiple of 36")
    arguments = parser.parse_args()
    program = find()
    if not program:
        print("no gnubg on the PATH", file=sys.stderr)
        return 1
    rows = read(arguments.agreement)
    ours, deep = (equity([row[name] for row in rows]) for name in ("p2", "deep"))
    chosen = np.argsort(-np.abs(ours - deep), kind="stable")[: arguments.number]
    found = _rolled_out(program, [rows[i] for i in chosen], arguments.file, arguments.trials)
    theirs, errors = np.array([[one["equity"], one["error"]] for one in found]).T
    boards = np.stack([gammon.Position.from_id(rows[i]["position_id"]).board for i in chosen])
    values = {
        "gnubg 2-ply": deep[chosen],
        "gnubg 0-ply": equity([rows[i]["p0"] for i in chosen]),
        "our rollouts": ours[chosen],
        "our net": equity(gammon.evaluate(boards)),
    }
    print(
        f"{len(chosen)} positions; mean absolute difference to its own rollouts (error {errors.mean():.3f}):"
    )
    for name, value in values.items():
        print(f"{name:14}{np.abs(value - theirs).mean():8.3f}")
    apart = np.abs(ours - deep)[chosen] > 3 * errors
    nearer = np.abs(ours[chosen] - theirs) < np.abs(deep[chosen] - theirs)
    print(f"our rollouts are nearer than its 2-ply in {(nearer & apart).sum()} of {apart.sum()}")
    return 0


def _rolled_out(
    program: str, rows: list[dict[str, object]], file: Path, trials: int
) -> list[dict[str, object]]:
    """What its rollouts say of the positions, those that the file has read from there."""
    kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    found = {(one["position_id"], one["trials"]): one for one in kept}
    with file.open("a") as out:
        for row in rows:
            key = (row["position_id"], trials)
            if key in found:
                continue
            rolled = roll_out(program, str(row["position_id"]), trials)
            one = {
                "position_id": row["position_id"],
                "class": row["class"],
                "src": row["src"],
                "trials": trials,
                "chances": rolled.chances,
                "equity": rolled.equity,
                "error": rolled.error,
            }
            out.write(json.dumps(one) + "\n")
            out.flush()
            found[key] = one
    return [found[row["position_id"], trials] for row in rows]


if __name__ == "__main__":
    sys.exit(main())
