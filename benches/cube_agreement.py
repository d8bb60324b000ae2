"""How near our cube decisions come to GNU Backgammon's two-ply cubeful ones, by search and by the model.

    python benches/cube_agreement.py [--plies 0 1 2] [--threads N] [--json]

The positions are those of `tests/data/evals.jsonl.gz` that are not solved exactly, money play, cube centred,
no Jacoby. Differences of equities are absolute, per unit of the cube; verdicts are compared where the choices
differ by more than 0.03. `docs/search.md` has the table.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

import gammon

DATA = Path(__file__).parents[1] / "tests" / "data" / "evals.jsonl.gz"
MONEY = gammon.Situation.from_parts("start", cube_limit=None)


def compare(decisions: gammon.CubeDecisions, printed: np.ndarray[Any, Any]) -> dict[str, float]:
    """Mean and worst differences, and how many clear verdicts agree."""
    no_double, take = printed.T
    off = np.abs([decisions.no_double_equity - no_double, decisions.double_take_equity - take])
    clear = np.minimum(np.abs(np.minimum(take, 1) - no_double), np.abs(take - 1)) > 0.03
    action = np.where(np.minimum(take, 1) > no_double, 2, np.where(no_double > 1, 1, 0))
    same = (decisions.action == action) & (decisions.answer == (take > 1))
    return {
        "no double": float(off[0].mean()),
        "double, take": float(off[1].mean()),
        "worst": float(off.max()),
        "agree": int((same & clear).sum()),
        "clear": int(clear.sum()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    lines = gzip.decompress(DATA.read_bytes()).decode().splitlines()
    rows = [row for row in map(json.loads, lines) if row["class"] != "bearoff2"]
    positions = [gammon.Position(row["position_id"]) for row in rows]
    boards = np.stack([position.board for position in positions])
    printed = np.array([[row["cf2"]["centered"][name] for name in ("nd", "dt")] for row in rows])
    lives = np.array([gammon.cube.decide(gammon.Situation.from_parts(p)).life for p in positions])
    found = {}
    for plies in asked.plies:
        searched = gammon.cube.decide_boards(MONEY, boards, plies=plies, threads=asked.threads)
        chances = gammon.evaluate(boards, plies=plies, threads=asked.threads)
        found[f"{plies}-ply search"] = compare(searched, printed)
        found[f"model on {plies}-ply chances"] = compare(
            gammon.cube.decide_many(MONEY, chances, lives), printed
        )
    if asked.json:
        print(json.dumps(found))
        return
    print(f"{len(rows)} positions, net {gammon.evaluators.strong().id[:12]}")
    print(f"{'':<26}{'no double':>11}{'double, take':>14}{'worst':>8}  verdicts")
    for name, row in found.items():
        numbers = f"{row['no double']:>11.4f}{row['double, take']:>14.4f}{row['worst']:>8.3f}"
        print(f"{name:<26}{numbers}  {row['agree']} of {row['clear']}")


if __name__ == "__main__":
    main()
