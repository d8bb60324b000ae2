"""Rollouts: a position played to the end many times.

>>> from gammon import rollout
>>> result = rollout.run("4HPwATDgc/ABMA", rollout.Settings(trials=36, seed=2))
>>> result.trials, result.complete
(36, True)
"""

from gammon._native import RolloutPart, RolloutSubject
from gammon.rollout._comparison import Candidate, Comparison
from gammon.rollout._decision import CubeResult
from gammon.rollout._estimate import Estimate
from gammon.rollout._many import Many, run_many
from gammon.rollout._report import page
from gammon.rollout._result import Result
from gammon.rollout._run import compare, decide, run
from gammon.rollout._settings import PRESETS, Settings, Until
from gammon.rollout._trace import Point, Trace
from gammon.rollout._variants import VariantComparison, VariantRollout

__all__ = [
    "PRESETS",
    "Candidate",
    "Comparison",
    "CubeResult",
    "Estimate",
    "Many",
    "Point",
    "Result",
    "RolloutPart",
    "RolloutSubject",
    "Settings",
    "Trace",
    "Until",
    "VariantComparison",
    "VariantRollout",
    "compare",
    "decide",
    "page",
    "run",
    "run_many",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
