"""How strong an evaluator is, measured.

>>> from gammon import evaluators, strength
>>> found = strength.agreement()
>>> found["contact, self-play"].count
452
>>> net = evaluators.default()
>>> strength.duel(net, net, games=10).adjusted.mean  # nobody is better than himself
0.0
"""

from gammon.strength._agreement import QUANTITIES, Agreement, ClassAgreement, Differences, agreement
from gammon.strength._agreement import table as agreement_table
from gammon.strength._duel import Duel, duel, read_duel
from gammon.strength._engine import ENGINES, Engine
from gammon.strength._gnubg import Gnubg
from gammon.strength._known import Known, known, read_known
from gammon.strength._openings import openings
from gammon.strength._phases import GAME_PHASES, GamePhase, game_phases
from gammon.strength._players import Decisions, EvaluatorPlayer, Player, equities
from gammon.strength._reference import Reference, read_reference, select_reference, value_reference
from gammon.strength._report import Measured, Report, report
from gammon.strength._sample import Sampling
from gammon.strength._specs import evaluator, player
from gammon.strength._speed import Speed, speed
from gammon.strength._speed import table as speed_table
from gammon.strength._ubgi import Ubgi
from gammon.strength._variants import VariantDuel, VariantPlayer, duel_of, variant_player

__all__ = [
    "ENGINES",
    "GAME_PHASES",
    "QUANTITIES",
    "Agreement",
    "ClassAgreement",
    "Decisions",
    "Differences",
    "Duel",
    "Engine",
    "EvaluatorPlayer",
    "GamePhase",
    "Gnubg",
    "Known",
    "Measured",
    "Player",
    "Reference",
    "Report",
    "Sampling",
    "Speed",
    "Ubgi",
    "VariantDuel",
    "VariantPlayer",
    "agreement",
    "agreement_table",
    "duel",
    "duel_of",
    "equities",
    "evaluator",
    "game_phases",
    "known",
    "openings",
    "player",
    "read_duel",
    "read_known",
    "read_reference",
    "report",
    "select_reference",
    "speed",
    "speed_table",
    "value_reference",
    "variant_player",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
