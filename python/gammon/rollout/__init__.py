"""Rollouts: a position played to the end many times.

>>> from gammon import rollout
>>> result = rollout.run("4HPwATDgc/ABMA", rollout.Settings(trials=36, seed=2))
>>> result.trials, result.complete
(36, True)
"""

from gammon._native import RolloutPart
from gammon.rollout._many import Many
from gammon.rollout._result import Estimate, Result
from gammon.rollout._run import run, run_many
from gammon.rollout._settings import Settings

__all__ = ["Estimate", "Many", "Result", "RolloutPart", "Settings", "run", "run_many"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
