"""How strong an evaluator is, measured.

>>> from gammon import strength
>>> found = strength.agreement()
>>> found["contact, self-play"].count
452
"""

from gammon.strength._agreement import QUANTITIES, Agreement, ClassAgreement, Differences, agreement
from gammon.strength._agreement import table as agreement_table
from gammon.strength._known import Known, known, read_known
from gammon.strength._openings import openings

__all__ = [
    "QUANTITIES",
    "Agreement",
    "ClassAgreement",
    "Differences",
    "Known",
    "agreement",
    "agreement_table",
    "known",
    "openings",
    "read_known",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
