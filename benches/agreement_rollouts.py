"""How far from the truth are GNU Backgammon's 2-ply and we, where it is the yardstick of the agreement?

`python benches/agreement_rollouts.py FILE.jsonl.gz [--trials N] [--threads N] [NET...]` plays the contact
and crashed positions of `gammon.strength.known()` out to the end, luck taken out, and writes what it found to
FILE, in the form that `gammon strength --data FILE` takes: `p2` are the rollout's chances, `p0` GNU
Backgammon's 0-ply, `deep` its 2-ply. A file that is there is read instead. The table is of mean absolute
differences in equity to the rollouts; last stands how far off the rollouts themselves are by their standard
errors. Below are those of the five chances.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

import gammon
from gammon import evaluators, rollout, strength

SEED = 20261130
CHANCES = ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--trials", type=int, default=324)
    parser.add_argument("--threads", type=int)
    parser.add_argument("nets", nargs="*")
    args = parser.parse_args()
    if not args.file.exists():
        args.file.write_bytes(gzip.compress(_rolled_out(args.trials, args.threads).encode(), mtime=0))
    rows = read(args.file)
    boards = np.stack([gammon.Position.from_id(row["position_id"]).board for row in rows])
    known = np.array([row["p2"] for row in rows])
    truth = equity(known)
    errors = np.array([row["error"] for row in rows])
    chances = {
        "gnubg 0-ply": np.array([row["p0"] for row in rows]),
        "gnubg 2-ply": np.array([row["deep"] for row in rows]),
        "default": gammon.evaluate(boards, evaluators.default()),
    } | {name: gammon.evaluate(boards, evaluators.load(name)) for name in args.nets}
    judges = {name: equity(given) for name, given in chances.items()}
    kinds = np.array([f"{row['class']}, {row['src']}" for row in rows])
    print(f"{'':28}{'number':>7}" + "".join(f"{name[-14:]:>16}" for name in judges) + f"{'noise':>9}")
    for kind in (*sorted(set(kinds)), "contact", "crashed", ""):
        chosen = np.char.startswith(kinds, kind)
        off = "".join(f"{np.abs(value - truth)[chosen].mean():16.4f}" for value in judges.values())
        # The mean size of a normal error is its standard deviation times the root of 2 / pi.
        noise = errors[chosen].mean() * (2 / np.pi) ** 0.5
        print(f"{kind or 'all':28}{chosen.sum():7}{off}{noise:9.4f}")
    print()
    for i, chance in enumerate(CHANCES):
        off = "".join(f"{np.abs(given - known)[:, i].mean():16.4f}" for given in chances.values())
        print(f"{'all, ' + chance:28}{len(rows):7}{off}")


def read(file: Path) -> list[dict[str, Any]]:
    """The rows that such a file has."""
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).decode().splitlines()]


def _rolled_out(trials: int, threads: int | None) -> str:
    """The positions with what rollouts say of them, a JSON object a line."""
    packed = Path(gammon.__file__).with_name("data") / "strength" / "evals.jsonl.gz"
    sources = [json.loads(line) for line in gzip.decompress(packed.read_bytes()).decode().splitlines()]
    sources = [row for row in sources if row["class"] in ("contact", "crashed")]
    boards = np.stack([gammon.Position.from_id(row["position_id"]).board for row in sources])
    settings = rollout.Settings(trials=trials, seed=SEED)
    found = rollout.run_many(boards, settings, threads=threads)
    lines = []
    for row, chances, error in zip(sources, found.chances, found.equity_error, strict=True):
        lines.append(
            json.dumps(
                {
                    "position_id": row["position_id"],
                    "class": row["class"],
                    "src": row["src"],
                    "p0": [round(chance, 5) for chance in row["p0"][:5]],
                    "p2": [round(float(chance), 5) for chance in chances],
                    "deep": [round(chance, 5) for chance in row["p2"][:5]],
                    "error": round(float(error), 5),
                    "trials": trials,
                    "seed": SEED,
                    "evaluator": found.evaluator,
                }
            )
        )
    return "\n".join(lines) + "\n"


def equity(chances: object) -> np.ndarray:
    return strength.equities(np.asarray(chances, np.float64)[:, :5])


if __name__ == "__main__":
    main()
