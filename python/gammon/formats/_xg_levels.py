"""How deeply eXtreme Gammon looked: its numbers for levels, and its rollouts."""

import numpy as np

from gammon.formats import _xg_records as records
from gammon.match import RolloutSettings, Source

PROGRAM = "eXtreme Gammon"

ROLLOUT = 100

_NAMED = {12: "3-ply red", ROLLOUT: "Rollout", 998: "Opening book", 999: "Opening book 2"}
_NAMED |= {1000: "XG Roller", 1001: "XG Roller+", 1002: "XG Roller++"}

INTERVAL = 1.959963984540054
"""Half the 95 % interval of a normal distribution in standard errors: what is stored of a rollout."""


def name(level: int) -> str:
    """Return what eXtreme Gammon calls a level; it counts plies from 1."""
    if level in _NAMED:
        return _NAMED[level]
    return f"{level + 1}-ply" if 0 <= level <= 9 else f"level {level}"


def source(level: int, rollout: np.void | None = None) -> Source:
    """Return who evaluated how deeply; 0 of our plies is 1-ply there."""
    plies = level if 0 <= level <= 9 else 2 if level == 12 else None
    settings = None if rollout is None else rollout_settings(rollout)
    return Source(program=PROGRAM, level=name(level), plies=plies, rollout=settings)


def rollout_settings(found: np.void) -> RolloutSettings:
    """Return how a rollout was made."""
    said = [f"plays {name(int(found['levels'][0]))}", f"cube {name(int(found['cube_levels'][0]))}"]
    if int(found["level_cut"]) > 0 and found["levels"][0] != found["levels"][1]:
        said.append(f"plays {name(int(found['levels'][1]))} from turn {int(found['level_cut'])} on")
    said.append(
        {0: "36 first rolls", 1: "21 first rolls", 2: "30 first rolls"}.get(int(found["rotation"]), "")
    )
    said.append("interrupted" if found["interrupted"] else "")
    return RolloutSettings(
        trials=int(found["trials"]),
        seed=int(found["seed"]),
        truncate=int(found["truncate"]) if found["truncated"] else 0,
        variance_reduction=bool(found["variance"]),
        cubeful=not found["cubeless"],
        text=", ".join(filter(None, said)),
    )


def rollouts(data: bytes) -> list[np.void]:
    """Return the records of `temp.xgr`."""
    size = records.ROLLOUT_SIZE
    return list(np.frombuffer(data, records.ROLLOUT, len(data) // size)) if len(data) >= size else []
