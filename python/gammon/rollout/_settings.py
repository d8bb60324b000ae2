"""What is asked of a rollout."""

import math
from dataclasses import dataclass
from typing import Literal, SupportsFloat

from gammon.errors import SettingError

__all__ = ["PRESETS", "Settings", "Until"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a position is rolled out.

    `trials`: games to play, at least 1.

    `seed`: seed of the dice, 0 to 2**64 - 1; trial `i` of a seed throws the same dice in every rollout.

    `first`: number of the first trial. A rollout of trials 0 to 71 and one of 72 to 143 (`first=72`) are
    together one of 144: merge their parts.

    `luck`: whose numbers say how lucky each roll was, which is then taken out of the result: those of the
    evaluator ('large'), of the small one beside it ('small'), or nobody's ('off').

    `strata`: 36 makes each throw come once at every turn of 36 trials, 1296 also each pair of first two
    throws once in 1,296; 1 leaves all dice independent.

    `truncate`: turns after which a game is broken off and valued by the evaluator; `None` plays to the end.

    `stop_at_exact`: whether games are broken off as soon as the evaluator's numbers are exact, as they are
    where a composite's two-sided bear-off table reaches. `stop_at_bear_off`: also where both sides stand in
    its one-sided table, which takes each to play for its own fewest rolls: wrong by some ten thousandths of a
    point.

    `one_look_in`: after the first three turns luck is measured in one of so many pairs of turns, and what is
    found there counts for the others too. Means stay unbiased, errors grow by less than what the time saved
    is worth; 1 measures it at every turn. What the cube is decided by is looked at always.

    `prefilter`: with a small evaluator, how many candidates of a roll it passes on to the large one at most,
    and within how many points of its best. `None` leaves out the packaged small net that otherwise stands in
    front of the packaged large one.

    `plies`, `cube_plies`: how deep plays and cube decisions are looked at, 0 being the evaluator's own
    values; two numbers are those of the player whose numbers are wanted and of his opponent. One ply for the
    cube costs nothing where luck is taken out. `filter` says which plays a deeper look considers.

    `early_turns`: so many first turns are played with `early_plies` and `early_cube_plies` instead.

    `opening`: whether the first roll is that of a new game, which is never a double. `None` means: only if
    the position is given as the word 'start'. Its Position ID and `Position.start()` are the same checkers
    at any time of a game, where doubles count; say `True` to roll out an opening given so. An opening has 30
    throws where others have 36, and its trials come in thirties.

    >>> from gammon.rollout import Settings
    >>> settings = Settings(trials=72, truncate=7)
    >>> settings.luck, settings.strata, settings.first
    ('large', 36, 0)
    """

    trials: int = 1296
    """Games to play."""
    seed: int = 1
    """Seed of the dice; trial `i` of a seed throws the same dice in every rollout."""
    first: int = 0
    """Number of the first trial: parts with adjoining numbers are one rollout."""
    luck: Literal["off", "small", "large"] = "large"
    """Whose numbers luck is measured by."""
    strata: Literal[1, 36, 1296] = 36
    """First rolls, or pairs of them, that come equally often."""
    one_look_in: int = 3
    """Of so many pairs of turns luck is measured in one; 1 measures it at every turn."""
    truncate: int | None = None
    """Turns after which a game is broken off and valued by the evaluator."""
    stop_at_exact: bool = True
    """Whether a game is broken off where the evaluator is exact."""
    stop_at_bear_off: bool = False
    """Whether a game is broken off where the evaluator answers from a table of bear-offs, exact or as good
    as."""
    prefilter: tuple[int, float] | None = (3, 0.08)
    """Candidates that a small evaluator passes on, and within how many points of its best; `None`: no
    packaged net stands in front of the other."""
    plies: int | tuple[int, int] = 0
    """Plies looked ahead for plays, of both sides or one a side."""
    cube_plies: int | tuple[int, int] = 1
    """Plies looked ahead for cube decisions."""
    early_turns: int = 0
    """First turns of a game that are played with the strength of the next two."""
    early_plies: int | tuple[int, int] = 0
    """Plies for plays in the first turns."""
    early_cube_plies: int | tuple[int, int] = 1
    """Plies for cube decisions in the first turns."""
    filter: Literal["narrow", "normal", "wide", "all"] = "narrow"
    """Plays that a deeper look considers."""
    opening: bool | None = None
    """Whether the first roll is a game's, never a double; `None`: only for the identifier 'start'."""

    def __post_init__(self) -> None:
        """Refuse what is no bool, where 'false' would mean yes; numbers are checked when they are used."""
        if not (self.opening is None or isinstance(self.opening, bool)):
            raise TypeError(f"opening must be True, False or None, got {self.opening!r:.120}")

    @property
    def replication(self) -> int:
        """Trials whose dice are drawn together; ask for a multiple of it."""
        throws = 30 if self.opening else 36
        return {1: 1, 36: throws}.get(self.strata, 36 * throws)


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """When a rollout ends before all trials are in: as soon as one of the rules given is satisfied.

    Rules are asked about the first trials without a gap, at multiples of `every` trials and not before
    `least`, so that where a rollout ends depends neither on threads nor on machines. Both are rounded up to
    multiples of what is played together, 36 trials or 30 of an opening. Asking often makes an early end by
    chance more likely than asking once; a high `least` keeps that small. `seconds` alone depends on the
    machine: the result says after how many trials it was.

    Raises `SettingError` for a bound that is not a finite number above 0, `TypeError` for what is no number.
    `jsd` is for plays that are compared, `decided` for cube decisions.

    >>> from gammon.rollout import Until
    >>> Until(error=0.005).least is None
    True
    """

    error: float | None = None
    """No equity has a larger standard error, in points or normalised points."""
    jsd: float | None = None
    """The best play is so many standard errors of the difference ahead of the second."""
    decided: float | None = None
    """Doubling or not, and taking or not, are each right by so many standard errors."""
    seconds: float | None = None
    """Time."""
    least: int | None = None
    """Trials before which no rule is asked; `None`: sixteen times 36 or 30."""
    every: int | None = None
    """Trials between two looks; `None`: four times 36 or 30."""

    def __post_init__(self) -> None:
        """Refuse bounds that would end a rollout at once or never; counts are checked when they are used."""
        for name in ("error", "jsd", "decided", "seconds"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, SupportsFloat):
                raise TypeError(f"{name} must be a number or None, got {value!r:.120}")
            if not (math.isfinite(value) and float(value) > 0):
                raise SettingError(f"{name} must be above 0 and finite, got {value}")


PRESETS: dict[str, Settings] = {
    "full": Settings(),
    "race": Settings(stop_at_bear_off=True, one_look_in=1),
    "quick": Settings(trials=360, truncate=5),
    "medium": Settings(trials=1296, truncate=9),
    "strong": Settings(trials=1296, truncate=11, early_turns=2, early_plies=1),
}
"""Ways of rolling out with a name.

* `full`: 1,296 games to the end.
* `race`: 1,296 games to where both sides stand in a bear-off table, exact or as good as, luck measured at
  every turn, for positions without contact.
* `quick`: 360 games of five turns, then the evaluator's word.
* `medium`: 1,296 games of nine turns.
* `strong`: 1,296 games of eleven turns, of which the first two are played with one ply of lookahead.
"""
