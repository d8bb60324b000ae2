"""What a file says about a decision: evaluations, rollouts and luck worked out by some program.

They are kept as they were found, beside anything gammon works out itself. All numbers are seen by the
player whose decision it is; equities are per unit of the cube, and normalised in a match, unless the file has
only match winning chances (`mwc`, from 0 to 1).
"""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from gammon._native import Position

Five: TypeAlias = tuple[float, float, float, float, float]
"""Chances: win, win gammon, win backgammon, lose gammon, lose backgammon; each includes the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutSettings:
    """How a rollout was made, as far as the file says."""

    trials: int | None = None
    """Games played."""
    seed: int | None = None
    truncate: int | None = None
    """Plies after which games were broken off; 0 is never."""
    variance_reduction: bool | None = None
    cubeful: bool | None = None
    text: str = ""
    """Everything else, in the program's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Who evaluated, and how deeply."""

    program: str
    """The program and its version, such as 'GNU Backgammon 1.07.001'."""
    level: str = ""
    """The depth in the program's own words, such as 'XG Roller+' or '2-ply'."""
    plies: int | None = None
    """The depth in our counting, where it has one: 0 is the evaluator's own answer."""
    cubeful: bool | None = None
    met: str = ""
    """The match equity table."""
    rollout: RolloutSettings | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What one program thinks of one position; `None` is what the file does not say."""

    source: Source
    probs: Five | None = None
    equity: float | None = None
    """With the cube."""
    cubeless_equity: float | None = None
    mwc: float | None = None
    probs_error: Five | None = None
    """Standard errors of a rollout's chances."""
    equity_error: float | None = None
    """Standard error of a rollout's equity."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was considered."""

    play: str
    """The play, such as '8/5 6/5'; empty if only the position after it is known."""
    evaluation: Evaluation
    after: Position | None = None
    """The position it leads to, the opponent on roll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFinding:
    """The plays of a roll that were considered, in the order of the file."""

    kind: ClassVar[str] = "plays"
    candidates: tuple[Candidate, ...]
    chosen: int | None = None
    """Which of them was played."""
    error: float | None = None
    """What the play lost, as the file says: 0 or more, in equity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeFinding:
    """The cube decision before a throw, seen by the player who may double; also of the answer to a double."""

    kind: ClassVar[str] = "cube"
    no_double: Evaluation | None = None
    double_take: Evaluation | None = None
    double_pass: Evaluation | None = None
    best: str = ""
    """What the program recommends, in its words."""
    error: float | None = None
    """What the choice about doubling lost: 0 or more, in equity."""
    answer_error: float | None = None
    """What the answer lost: 0 or more, in equity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckFinding:
    """How lucky a roll was: its value less the mean of all rolls."""

    kind: ClassVar[str] = "luck"
    source: Source
    equity: float | None = None
    mwc: float | None = None


Finding: TypeAlias = PlayFinding | CubeFinding | LuckFinding
"""Something a file says about a decision."""
