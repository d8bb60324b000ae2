"""The extension module: positions, plays and everything that computes."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NoReturn, final, overload

import numpy as np
import numpy.typing as npt

from gammon._typing import (
    Boards,
    Chances,
    EquityKind,
    Format,
    Offer,
    Phase,
    Player,
    PlayLike,
    PositionLike,
    Progress,
    RollLike,
    Rolls,
    State,
)

__all__ = [
    "PHASES",
    "ArrayError",
    "Bearoff",
    "BuiltIn",
    "CheckpointError",
    "Composite",
    "CubeDecision",
    "CubeDecisions",
    "CubeError",
    "CubePoints",
    "DataFormatError",
    "DivergedError",
    "Equities",
    "EvaluatorError",
    "Features",
    "Fit",
    "FitReport",
    "GammonError",
    "Hypergammon",
    "IllegalPlayError",
    "IllegalPositionError",
    "IllegalRollError",
    "IllegalSituationError",
    "Met",
    "MetError",
    "MissingTableError",
    "Net",
    "NetFormatError",
    "OneSided",
    "ParseError",
    "Perft",
    "PipCount",
    "Play",
    "Plays",
    "Position",
    "Race",
    "RaceCount",
    "RandomGames",
    "RankedPlay",
    "Ranking",
    "Roll",
    "RolloutPart",
    "RolloutSubject",
    "SearchCache",
    "SettingError",
    "Situation",
    "Step",
    "StopFlag",
    "Stopped",
    "TableFormatError",
    "Training",
    "TrainingData",
    "TrainingReport",
    "TwoSided",
    "VariantNet",
    "VariantRules",
    "VariantState",
    "active_rows",
    "build_info",
    "cube_decision",
    "cube_decisions",
    "cube_matrix",
    "cube_points",
    "epc_verdict",
    "evaluate_with",
    "expand",
    "features",
    "label_games",
    "label_settings",
    "parse",
    "perft",
    "race_count_columns",
    "race_counts",
    "random_games",
    "random_numbers",
    "rank_at_scores",
    "rank_plays",
    "rank_rolls",
    "roll_out",
    "roll_out_many",
    "rolls",
    "row_count",
    "search_cube",
    "search_cubes",
    "search_values",
    "seeded_throw",
    "shots",
    "thread_count",
    "variant_choices",
    "variant_duel",
    "variant_numbers",
    "variant_prizes",
]

PHASES: Final[tuple[Phase, ...]]
"""The kinds of position, in the order of their numbers in `Features.phase`."""

class GammonError(ValueError):
    """Base of the errors gammon raises."""

class ParseError(GammonError):
    """A text could not be read."""

    format: str
    """What was expected, e.g. 'xgid'."""
    text: str
    """The text, shortened if it is long."""
    offset: int
    """Bytes into the text at which reading failed."""
    reason: str
    """What is wrong there."""

class IllegalPositionError(GammonError):
    """Checkers that are no position."""

    problems: tuple[str, ...]
    """One sentence for every reason found."""

class IllegalRollError(GammonError):
    """Two numbers that are no throw of two dice."""

class IllegalSituationError(GammonError):
    """Score, cube, dice and offer that contradict one another."""

    problems: tuple[str, ...]
    """One sentence for every reason found."""

class IllegalPlayError(GammonError):
    """A play that the position and the roll do not allow."""

    play: str
    """The play as it was given."""
    roll: str
    """The roll it was given for."""
    reason: str
    """Why it is not allowed."""

class ArrayError(GammonError):
    """An array of the wrong dtype or shape, or with numbers that are no chances.

    A bad row of points or dice is an `IllegalPositionError` or an `IllegalRollError`.
    """

class SettingError(GammonError):
    """An option outside its range."""

class EvaluatorError(GammonError):
    """An evaluator that returned something unusable; an exception it raises itself comes out as it is."""

class CheckpointError(GammonError):
    """Bytes that are no checkpoint of a training this build can continue."""

class DataFormatError(GammonError):
    """A file that is no training data, another version of it, or damaged."""

class DivergedError(GammonError):
    """A training or fit whose weights have grown beyond what a net can hold: its learning rates are too high."""

class MetError(GammonError):
    """A match equity table that is unknown, unusable, or does not reach a score."""

class CubeError(GammonError):
    """A cube decision that cannot be made: no chances, a finished game, or a double that may not be offered."""

class NetFormatError(GammonError):
    """Bytes that are no net this build can use."""

class TableFormatError(GammonError):
    """A file that is no bear-off table, another kind or version of one, or a damaged one."""

class MissingTableError(LookupError):
    """A position outside the table that was asked, or a table that is not there."""

class Stopped(RuntimeError):
    """A progress callback stopped a call that has no partial result."""

@final
class Roll:
    """One throw of two dice, the larger number first: `Roll(3, 1)`.

    Raises `IllegalRollError` for numbers that are not from 1 to 6.
    """

    def __new__(cls, first: int, second: int) -> Roll: ...
    @staticmethod
    def all() -> tuple[Roll, ...]:
        """All 21 rolls: 11, 21, 22, 31, … 66."""
    @property
    def high(self) -> int:
        """The larger number."""
    @property
    def low(self) -> int:
        """The smaller number (the same for a double)."""
    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number."""
    @property
    def weight(self) -> int:
        """How many of the 36 ordered throws are this roll: 1 or 2."""
    @property
    def dice(self) -> tuple[int, ...]:
        """The numbers that may be played: two, or four of a double."""
    def __lt__(self, other: Roll, /) -> bool: ...
    def __le__(self, other: Roll, /) -> bool: ...
    def __gt__(self, other: Roll, /) -> bool: ...
    def __ge__(self, other: Roll, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Position:
    """Where all checkers stand, seen by the player about to roll.

    Two positions are equal if all checkers stand alike. `Position(text)` reads any identifier.

    Raises `ParseError` for a text that is none, `TypeError` for anything that is no position.
    """

    def __new__(cls, position: PositionLike) -> Position: ...
    @staticmethod
    def start() -> Position:
        """The start of the standard game."""
    @staticmethod
    def from_id(text: str) -> Position:
        """The position of a Position ID: 14 characters, as GNU Backgammon prints them.

        Raises `ParseError`.

        >>> import gammon
        >>> gammon.Position.from_id("4HPwATDgc/ABMA") == gammon.Position.start()
        True
        """
    @staticmethod
    def from_xgid(text: str) -> Position:
        """The position of an XGID, seen by the player whose roll it is; `parse` gives the rest as well.

        Raises `ParseError`.

        >>> import gammon
        >>> gammon.Position.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10").pip_count
        (167, 167)
        """
    @staticmethod
    def from_fibs(text: str) -> Position:
        """The position of a FIBS board line, seen by the player whose roll it is; `parse` gives the rest as well.

        Raises `ParseError`.

        >>> import gammon
        >>> line = gammon.parse("start").to("fibs")[0]
        >>> line[:18], gammon.Position.from_fibs(line).pip_count
        ('board:You:Opponent', (167, 167))
        """
    @staticmethod
    def from_points(
        roller: Mapping[Any, int],
        opponent: Mapping[Any, int],
    ) -> Position:
        """The position with these checkers.

        Each side is a mapping of points, counted from that side's own ace point (1) to 24 and the bar
        (25 or 'bar'), to the number of checkers there. Those missing from 15 are borne off.

        Raises `IllegalPositionError`, naming every reason found.

        >>> import gammon
        >>> gammon.Position.from_points({6: 2, "bar": 1}, {1: 2}).pip_count
        (37, 2)
        """
    @staticmethod
    def from_board(board: Boards) -> Position:
        """The position of a `uint8[2, 25]`: the player on roll first, each side from its own ace point.

        A row holds the checkers on the side's points 1 to 24 and, last, on the bar. Those missing from 15 are
        borne off.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for checkers that are no
        position.

        >>> import gammon
        >>> start = gammon.Position.start()
        >>> gammon.Position.from_board(start.board) == start
        True
        """
    @staticmethod
    def random(phase: Phase, seed: int) -> Position:
        """A position of a phase, drawn from semi-random games; the same seed gives the same position.

        `phase` is one of `PHASES`.

        Raises `SettingError` for an unknown phase or a seed that is not from 0 to 2**64 - 1.

        >>> import gammon
        >>> gammon.Position.random("bearoff", 1).phase
        'bearoff'
        """
    @property
    def id(self) -> str:
        """The Position ID."""
    @property
    def board(self) -> Boards:
        """The checkers as a new `uint8[2, 25]`."""
    @property
    def pip_count(self) -> tuple[int, int]:
        """Pips the player on roll and the opponent still need."""
    @property
    def borne_off(self) -> tuple[int, int]:
        """Checkers the player on roll and the opponent have borne off."""
    @property
    def phase(self) -> Phase:
        """What kind of position it is: one of `PHASES`."""
    @property
    def is_race(self) -> bool:
        """Whether the sides can no longer hit each other (true of a finished game too)."""
    @property
    def is_over(self) -> bool:
        """Whether one side has borne off everything."""
    def flip(self) -> Position:
        """The same checkers seen by the other player: the roll is handed over."""
    def plays(self, roll: RollLike) -> Plays:
        """The legal plays of a roll: a sequence, distinct by the position they lead to, never empty.

        A roll is a `Roll`, a text such as '31', '3-1' or '3 1', or two numbers: a tuple, a list or an array,
        in either order. A roll that cannot be played has one play, which hands the position over.

        Raises `ParseError` for a text that is no roll, `IllegalRollError` for anything else that is none.

        >>> import gammon
        >>> plays = gammon.Position.start().plays("31")
        >>> len(plays), plays.is_forced, plays == gammon.Position.start().plays((1, 3))
        (16, False, True)
        """
    def play(self, play: PlayLike, roll: RollLike) -> Play:
        """The play that a text such as '8/5 6/5', a `Play` of any position, or pairs of points mean.

        Moves may come in any order, joined or one by one, with or without hit marks; 25 and 0 serve for
        the bar and off. The roll is what `plays` takes.

        Raises `ParseError` for a text that is no play or no roll, `IllegalPlayError` for a play that the
        roll does not allow, `IllegalRollError` for numbers that are no roll.

        >>> import gammon
        >>> play = gammon.Position.start().play([(6, 5), (8, 5)], (3, 1))
        >>> str(play), play.after.id
        ('8/5 6/5', 'sGfwATDgc/ABMA')
        """
    def steps(self, dice: Roll | str | Sequence[int]) -> list[Step]:
        """The single checkers that may move now so that the whole turn stays legal.

        `dice` is a whole roll (a `Roll` or a text), or the numbers that are left of one. Nothing to step
        means that the turn is complete.

        Raises `ParseError` for a text that is no roll, `IllegalRollError` for dice no turn can have left.

        >>> import gammon
        >>> step = gammon.Position.start().steps("66")[0]
        >>> str(step), step.dice_left, len(step.after.steps(step.dice_left))
        ('24/18', (6, 6, 6), 3)
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Situation:
    """A moment of a game: position, score, cube, dice, pending offer, and who sits where.

    `Situation(text)`, like `gammon.parse(text)`, reads any identifier; `str()` gives that identifier back.
    Everything is named from the point of view of the player whose roll it is. Two situations are equal if
    all their parts are, whatever they were read from.

    Raises `ParseError`, naming the format, the place and the reason.
    """

    def __new__(cls, text: str) -> Situation: ...
    @staticmethod
    def from_parts(
        position: PositionLike,
        *,
        length: int | None = None,
        score: tuple[int, int] | None = None,
        crawford: bool = False,
        cube: int | None = None,
        cube_owner: Player | None = None,
        jacoby: bool = False,
        beavers: bool = False,
        cube_limit: int | None = ...,
        roll: RollLike | None = None,
        offer: Offer | None = None,
        to_act: Player | None = None,
        seat: int | None = None,
        state: State = "playing",
    ) -> Situation:
        """The situation with these parts.

        By default it is money play with a centred cube that may go up to 1024, and the player in seat 1 is
        about to roll: what a position's identifier alone means. `cube_limit=None` is no limit.

        Raises `SettingError` for a part outside its range, `IllegalSituationError` for parts that contradict
        one another, naming every contradiction.
        """
    @property
    def position(self) -> Position:
        """Where the checkers stand, seen by the player whose roll it is."""
    @property
    def length(self) -> int:
        """Points the match is played to; 0 is money play."""
    @property
    def score(self) -> tuple[int, int]:
        """Points of the player on roll and of the opponent."""
    @property
    def away(self) -> tuple[int, int] | None:
        """Points the player on roll and the opponent still need; `None` in money play."""
    @property
    def crawford(self) -> bool:
        """Whether this is the Crawford game."""
    @property
    def cube(self) -> int:
        """The value of the cube: 1, 2, 4, …; while an offer is pending, before it."""
    @property
    def cube_owner(self) -> Player | None:
        """Who owns the cube; `None` is a centred cube."""
    @property
    def jacoby(self) -> bool:
        """Whether gammons count only once the cube has been turned (money play)."""
    @property
    def beavers(self) -> bool:
        """Whether beavers are played (money play)."""
    @property
    def cube_limit(self) -> int | None:
        """The highest cube allowed; `None` is no limit."""
    @property
    def roll(self) -> Roll | None:
        """The dice on the table; `None` before the throw."""
    @property
    def offer(self) -> Offer | None:
        """The offer that waits for an answer."""
    @property
    def to_act(self) -> Player:
        """Who has to decide next."""
    @property
    def seat(self) -> int:
        """Which absolute player has the roll: 1 is the bottom player of an XGID, 0 the top one."""
    @property
    def state(self) -> State:
        """How far the game has got."""
    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to decide: the game has ended, or the match."""
    @property
    def format(self) -> str:
        """What it was read from, and is printed as: 'xgid', 'gnuid', 'posid', 'fibs', 'ogid' or 'start'."""
    @property
    def xgid(self) -> str:
        """The XGID."""
    @property
    def gnuid(self) -> str:
        """Position ID and Match ID, joined by a colon."""
    def draw(self) -> str:
        """The board in plain text, with score, cube and what is to be done."""
    def to(self, format: Format) -> tuple[str, list[str]]:
        """The text in a format, and what that format cannot hold, one phrase each.

        `format` is 'xgid', 'gnuid' (Position ID:Match ID), 'posid', 'fibs' or 'ogid'.

        Raises `SettingError` for an unknown format.

        >>> import gammon
        >>> gammon.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10").to("gnuid")
        ('4HPwATDgc/ABMA:cAkAAAAAAAAA', ['beavers on'])
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Play:
    """One way to play a roll.

    Plays are equal if they lead from the same position with the same roll to the same position; `str()`
    writes one the usual way, as `24/18*/13`, `bar/22(2)` or `6/off`. `Play(position, roll, play)` is
    `position.play(play, roll)`, and raises what that does.
    """

    def __new__(cls, position: PositionLike, roll: RollLike, play: PlayLike) -> Play: ...
    @property
    def before(self) -> Position:
        """The position before the play, the player on roll."""
    @property
    def after(self) -> Position:
        """The position after the play, the opponent on roll."""
    @property
    def roll(self) -> Roll:
        """The roll that was played."""
    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves of single checkers by single dice, as pairs of points; 25 is the bar, 0 is off."""
    @property
    def hits(self) -> int:
        """How many blots are hit."""
    @property
    def is_pass(self) -> bool:
        """Whether nothing could be played."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Plays(Sequence[Play]):
    """The legal plays of one roll, distinct by the position they lead to.

    `Plays(position, roll)` is `position.plays(roll)`. Two are equal if position and roll are.
    """

    def __new__(cls, position: PositionLike, roll: RollLike) -> Plays: ...
    @property
    def before(self) -> Position:
        """The position before the roll is played."""
    @property
    def roll(self) -> Roll:
        """The roll."""
    @property
    def boards(self) -> Boards:
        """The positions after each play, the opponent on roll, as a new `uint8[n, 2, 25]`."""
    @property
    def is_pass(self) -> bool:
        """Whether nothing can be played: the only entry then hands the position over."""
    @property
    def is_forced(self) -> bool:
        """Whether there is nothing to choose: one play, or none."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Play: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Play]: ...
    def __iter__(self) -> Iterator[Play]: ...
    def __contains__(self, play: object, /) -> bool: ...
    def index(self, play: Play) -> int:  # type: ignore[override]
        """The number of the play in this sequence. Raises `ValueError` if it is not among them."""
    def count(self, play: object) -> int:
        """1 if the play is in this sequence, else 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Step:
    """One checker moved by one die, as `Position.steps` gives them; `str()` writes it as `24/21` or `bar/20*`.

    `Step(position, dice, source, die)` raises `IllegalPlayError` if that step is not among them.
    """

    def __new__(
        cls, position: PositionLike, dice: Roll | str | Sequence[int], source: int, die: int
    ) -> Step: ...
    @property
    def before(self) -> Position:
        """The position before it, seen by the player who is moving."""
    @property
    def dice(self) -> tuple[int, ...]:
        """The dice left before it, the larger first."""
    @property
    def source(self) -> int:
        """Where the checker stands: 1 to 24, or 25 for the bar."""
    @property
    def target(self) -> int:
        """Where it goes: 1 to 24, or 0 for off."""
    @property
    def die(self) -> int:
        """The die that is used."""
    @property
    def is_hit(self) -> bool:
        """Whether it hits a blot."""
    @property
    def after(self) -> Position:
        """The position after it, still seen by the player who is moving."""
    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice left after it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Met:
    """A match equity table: `Met(name, pre, post)` with chances of the first player.

    `pre` has a row for each number of points the first player needs and a column for each the other needs; the
    first of either is the Crawford game. `post` holds the trailer's chances after the Crawford game: one list, or
    two if the players are unequal, the first player as the trailer first. Scores further away are extended to 64
    points. Raises `MetError` if the rows do not fit together or a cell is no chance.
    """

    def __new__(
        cls,
        name: str,
        pre: Sequence[Sequence[float]],
        post: Sequence[Sequence[float]],
        *,
        known: int | None = None,
    ) -> Met: ...
    @staticmethod
    def normal(
        name: str, *, gammons: tuple[float, float], free_drop: tuple[float, float], carried_on: bool
    ) -> Met:
        """David Montgomery's normal approximation before the Crawford game and a recursion after it.

        `gammons` is the share of gammons among either player's wins as the trailer.
        """
    @staticmethod
    def zadeh(
        name: str,
        *,
        doubler_gammons: float,
        taker_gammons: float,
        redouble_waste: float,
        double_waste: float,
        gammons: float,
        free_drop: tuple[float, float],
        carried_on: bool,
    ) -> Met:
        """Zadeh's formula of 1977."""
    @property
    def name(self) -> str:
        """The table's name."""
    @property
    def known(self) -> int:
        """Points away up to which the cells are the table's own; beyond, they are extended."""
    def mwc(self, away: int, opp_away: int, *, crawford: bool = False) -> float:
        """The first player's chance to win the match when he needs `away` points and the other `opp_away`.

        `crawford` says whether the game to be played is the Crawford game; a score with a player one point away
        that is not comes after it. Raises `MetError` for a score that cannot be or is more than 64 points away.
        """
    def tables(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """All pre-Crawford cells, `float64[64, 64]`, and each player's post-Crawford chances, `float64[2, 64]`."""
    def exchanged(self) -> Met:
        """The same table seen by the other player."""
    def issues(self) -> list[str]:
        """What is odd about the table, one sentence each."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CubeDecision:
    """A cube decision of the player on roll: all equities and what is right.

    Equities are per unit of the cube's present value, normalised in a match. What needs a double is `None` where none
    may be offered, and `refusal` says why.
    """

    @property
    def life(self) -> float:
        """The cube life used."""
    @property
    def cubeless_equity(self) -> float:
        """Equity if nobody ever turns the cube."""
    @property
    def no_double_equity(self) -> float:
        """Equity without a double this turn."""
    @property
    def doubled_cubeless_equity(self) -> float | None:
        """Equity if the cube is doubled and never turned again."""
    @property
    def double_take_equity(self) -> float | None:
        """Equity of double and take."""
    @property
    def double_pass_equity(self) -> float | None:
        """Equity of double and pass: 1."""
    @property
    def double_beaver_equity(self) -> float | None:
        """Equity of double and beaver, the doubler replying best; `None` where beavers are not played."""
    @property
    def raccoon_equity(self) -> float | None:
        """Equity of double, beaver and raccoon."""
    @property
    def beaver_reply(self) -> Literal["play on", "raccoon", "drop"] | None:
        """What the doubler should reply to a beaver."""
    @property
    def optimal_equity(self) -> float:
        """Equity if both choose best."""
    @property
    def action(self) -> Literal["no double", "too good", "double"] | None:
        """What the player on roll should do."""
    @property
    def answer(self) -> Literal["take", "pass", "beaver"] | None:
        """What the opponent should answer to a double."""
    @property
    def refusal(self) -> Literal["crawford", "not-owned", "dead-cube", "cube-limit"] | None:
        """Why no double may be offered; `None` if one may."""
    @property
    def label(self) -> str:
        """The decision in words, such as 'double, take'."""
    @property
    def is_optional_double(self) -> bool:
        """Whether doubling and not doubling are equally good, within 1e-6."""
    @property
    def is_optional_take(self) -> bool:
        """Whether taking and passing are equally good, within 1e-6."""
    @property
    def is_close_double(self) -> bool:
        """Whether the choice about doubling gains less than 0.02."""
    @property
    def is_close_take(self) -> bool:
        """Whether the choice between taking and passing gains less than 0.02."""
    @property
    def is_free_drop(self) -> bool:
        """Whether the right pass costs the leader nothing after the Crawford game."""
    @property
    def double_gain(self) -> float | None:
        """What doubling gains over holding the cube; negative if it loses."""
    @property
    def take_gain(self) -> float | None:
        """What the answerer gains by taking rather than passing; negative if he loses."""
    @property
    def wrong_answers_needed(self) -> float | None:
        """Share of wrong answers (passes, or takes if passing is right) that would make a wrong double right."""
    @property
    def missed_double_error(self) -> float:
        """Cost of not doubling; 0 if that is right."""
    @property
    def wrong_double_error(self) -> float:
        """Cost of doubling; 0 if that is right."""
    @property
    def wrong_take_error(self) -> float:
        """Cost of taking; 0 if that is right."""
    @property
    def wrong_pass_error(self) -> float:
        """Cost of passing; 0 if that is right."""
    @property
    def wrong_beaver_error(self) -> float:
        """Cost of beavering; 0 if that is right or not allowed."""
    def mwc(self, equity: float) -> float | None:
        """The match winning chance of one of the equities; `None` in money play."""
    def points(self, equity: float) -> float | None:
        """The points of one of the equities, the cube counted; `None` in a match."""
    def _repr_html_(self) -> str: ...
    @staticmethod
    def _from_state(state: Any) -> CubeDecision: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CubeDecisions:
    """Cube decisions of many positions at one score: columns of shape `(n,)`, one entry a position."""

    @property
    def no_double_equity(self) -> npt.NDArray[np.float64]:
        """Equity without a double."""
    @property
    def double_take_equity(self) -> npt.NDArray[np.float64]:
        """Equity of double and take; NaN if no double may be offered."""
    @property
    def optimal_equity(self) -> npt.NDArray[np.float64]:
        """Equity if both choose best."""
    @property
    def action(self) -> npt.NDArray[np.uint8]:
        """0 no double, 1 too good, 2 double; 255 if no double may be offered."""
    @property
    def answer(self) -> npt.NDArray[np.uint8]:
        """0 take, 1 pass, 2 beaver; 255 if no double may be offered."""
    @staticmethod
    def _from_columns(columns: Any) -> CubeDecisions: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CubePoints:
    """Chances to win of the player on roll at which decisions change, at a fixed mix of gammons.

    A point is `None` where the decision cannot arise or never changes.
    """

    def __new__(
        cls,
        take: float | None,
        recube_vig: float | None,
        beaver: float | None,
        raccoon: float | None,
        double: float | None,
        cash: float | None,
        too_good: float | None,
        dead_window: tuple[float, float] | None,
        redoubled_window: tuple[float, float] | None,
        gammon_value: tuple[float, float],
        opponent_gammon_value: tuple[float, float],
    ) -> CubePoints: ...
    @property
    def take(self) -> float | None:
        """From here he may take if the opponent doubles."""
    @property
    def recube_vig(self) -> float | None:
        """How much owning the cube lowers that point below the dead cube's."""
    @property
    def beaver(self) -> float | None:
        """From here he should beaver that double."""
    @property
    def raccoon(self) -> float | None:
        """From here he should raccoon a beaver of his own double."""
    @property
    def double(self) -> float | None:
        """From here he should double."""
    @property
    def cash(self) -> float | None:
        """From here the opponent should pass."""
    @property
    def too_good(self) -> float | None:
        """From here he should play on for a gammon."""
    @property
    def dead_window(self) -> tuple[float, float] | None:
        """His double and cash point if the cube is turned once and never again, whoever owns it now."""
    @property
    def redoubled_window(self) -> tuple[float, float] | None:
        """The same if the opponent redoubles at once because it costs him nothing; `None` if it would."""
    @property
    def gammon_value(self) -> tuple[float, float]:
        """What a gammon and a backgammon of his add to a win; 0.5 and 1 in money play."""
    @property
    def opponent_gammon_value(self) -> tuple[float, float]:
        """The same for the opponent."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def cube_decision(
    situation: Situation,
    probs: tuple[float, float, float, float, float],
    *,
    life: float | None = None,
    met: Met | None = None,
) -> CubeDecision:
    """Decides about the cube before the player on roll throws. Raises what `gammon.cube.decide` does."""

def cube_decisions(
    situation: Situation,
    probs: npt.NDArray[np.float32],
    life: float | npt.NDArray[np.float64],
    *,
    met: Met | None = None,
    threads: int | None = None,
) -> CubeDecisions:
    """Decides about the cube in many positions at the score of one situation.

    Takes `float32[n, 5]` and one cube life or `float64[n]`. The same numbers for any number of threads.

    Raises `ArrayError` for another dtype or shape, or naming the first row that is no chances; `CubeError` and
    `MetError` for a score at which nothing can be decided.
    """

def cube_matrix(
    position: PositionLike,
    probs: Sequence[float],
    size: int,
    met: Met,
    *,
    life: float | None = None,
) -> list[list[CubeDecision]]:
    """Decides about a centred cube at every score up to `size` points away."""

def cube_points(
    situation: Situation,
    probs: tuple[float, float, float, float, float],
    *,
    life: float | None = None,
    met: Met | None = None,
) -> CubePoints:
    """The points at which cube decisions change in a situation with these chances.

    Raises `CubeError` for numbers that are no chances or no cube life, `MetError` for a score out of reach.
    """

class BuiltIn:
    """The base of the evaluators of this package, which are asked as any other is."""

    def evaluate(self, boards: Boards, *, threads: int | None = None) -> Chances:
        """Chances of the player on roll in each position, who is yet to throw: `float32[n, 5]`.

        The columns are games won, gammons and backgammons won, gammons and backgammons lost; each includes
        the next of its side.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position,
        `EvaluatorError` for one that it does not cover.
        """

@final
class Net(BuiltIn):
    """A trained net: `Net(data)` reads the bytes of a net file, and raises `NetFormatError` if they are none."""

    def __new__(cls, data: bytes) -> Net: ...
    @property
    def id(self) -> str:
        """The digest of the net's bytes."""
    @property
    def hidden(self) -> int:
        """Hidden units."""
    @property
    def features(self) -> Literal["core", "full", "plan"]:
        """The set of features it sees of a position: `"core"`, `"full"` or `"plan"`."""
    @property
    def seed(self) -> int:
        """Seed of the training."""
    @property
    def recipe(self) -> str:
        """The trainer's settings, as text."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the net's file, which `gammon.evaluators.load` reads.

        The path names a whole net or what it named before: the file is written under another name first.

        Raises `OSError` if it cannot be written.
        """
    def to_bytes(self) -> bytes:
        """The net's file."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Perft:
    """What a perft counted."""

    def __new__(cls, depth: int, paths: int, passes: int, unique: int | None) -> Perft: ...
    @property
    def depth(self) -> int:
        """Rolls looked ahead."""
    @property
    def paths(self) -> int:
        """Sequences of rolls and plays; an unplayable roll counts as one play."""
    @property
    def passes(self) -> int:
        """Those whose last roll was unplayable."""
    @property
    def unique(self) -> int | None:
        """Different positions at the end; `None` if they were not told apart."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RandomGames:
    """How random games went, one entry a game."""

    @property
    def points(self) -> npt.NDArray[np.int8]:
        """Points won by the player who rolled first: 1 to 3, or -1 to -3 for a loss; 0 is a game given up."""
    @property
    def turns(self) -> npt.NDArray[np.uint32]:
        """Rolls thrown, unplayable ones included."""
    def to_dict(self) -> dict[str, npt.NDArray[np.integer]]:
        """The columns `points` and `turns`, for a table: `pandas.DataFrame(games.to_dict())`, or polars'.

        >>> import gammon
        >>> sorted(gammon.random_games(10, seed=1).to_dict())
        ['points', 'turns']
        """
    @staticmethod
    def _from_columns(points: npt.NDArray[np.int8], turns: npt.NDArray[np.uint32]) -> RandomGames: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Features:
    """Features of `n` positions; but for `phase` each is an `(n, 2)` array, the player on roll first.

    Pips are `uint16`, sets of points `uint32`, `crunched` is `bool`, counts are `uint8`.
    """

    @property
    def phase(self) -> npt.NDArray[np.uint8]:
        """Number of each position's phase in `PHASES`, `(n,)`."""
    @property
    def pips(self) -> npt.NDArray[np.uint16]:
        """Pips still needed."""
    @property
    def bar(self) -> npt.NDArray[np.uint8]:
        """Checkers on the bar."""
    @property
    def off(self) -> npt.NDArray[np.uint8]:
        """Checkers borne off."""
    @property
    def blots(self) -> npt.NDArray[np.uint8]:
        """How many blots there are."""
    @property
    def blot_set(self) -> npt.NDArray[np.uint32]:
        """Where they are: bit `p` for the owner's point `p`."""
    @property
    def points(self) -> npt.NDArray[np.uint8]:
        """How many points are made."""
    @property
    def point_set(self) -> npt.NDArray[np.uint32]:
        """Which: bit `p` for the owner's point `p`."""
    @property
    def home_points(self) -> npt.NDArray[np.uint8]:
        """Points made in the own home board."""
    @property
    def anchors(self) -> npt.NDArray[np.uint8]:
        """Points made in the opponent's home board."""
    @property
    def prime(self) -> npt.NDArray[np.uint8]:
        """Length of the longest row of neighbouring points made."""
    @property
    def crunched(self) -> npt.NDArray[np.bool_]:
        """Whether at most six checkers are still of use."""
    def to_dict(self) -> dict[str, npt.NDArray[np.integer | np.bool_]]:
        """The features as flat columns, for a table: `pandas.DataFrame(features.to_dict())`, or polars'.

        `phase` is a column of its own; every other feature is two, such as `pips_roller` and `pips_opponent`.

        >>> import gammon
        >>> columns = gammon.features(gammon.Position.start().board[None]).to_dict()
        >>> list(columns)[:5], columns["pips_roller"].tolist()
        (['phase', 'pips_roller', 'pips_opponent', 'bar_roller', 'bar_opponent'], [167])
        """
    @staticmethod
    def _from_columns(columns: Any) -> Features: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RolloutPart:
    """The sums of some trials of a rollout.

    Chances and equity are those of the player on roll, in a comparison of plays those of the player who made
    them. Parts of the same rollout with adjoining `Settings.first` are merged exactly, whoever made them.

    >>> from gammon import rollout
    >>> parts = [rollout.run("start", rollout.Settings(trials=30, first=first)).part for first in (0, 30)]
    >>> parts[0].merge(parts[1]) == rollout.run("start", rollout.Settings(trials=60)).part
    True
    """

    @property
    def trials(self) -> int:
        """Trials summed up."""
    @property
    def branches(self) -> int:
        """Games a trial: the plays compared, or 1."""
    @property
    def chances(self) -> tuple[tuple[float, float], ...]:
        """Mean and standard error of the five chances, cumulative; none without trials."""
    @property
    def equity(self) -> tuple[float, float]:
        """Mean and standard error of the cubeless money equity; not a number without trials."""
    def chances_of(self, branch: int, *, raw: bool = False) -> tuple[tuple[float, float], ...]:
        """Mean and standard error of a branch's five chances, with the luck left in if `raw`."""
    def equity_of(self, branch: int, *, raw: bool = False) -> tuple[float, float]:
        """Mean and standard error of a branch's cubeless money equity, with the luck left in if `raw`."""
    def cubeful_of(self, branch: int, *, raw: bool = False) -> tuple[float, float]:
        """Mean and standard error of a branch's equity with the cube, per unit of the cube; in a match normalised.

        Not a number without a cube.
        """
    def mwc_of(self, branch: int, *, raw: bool = False) -> tuple[float, float] | None:
        """Mean and standard error of a branch's chance to win the match; `None` in money play or without a cube."""
    def difference(self, a: int, b: int) -> tuple[float, float]:
        """Mean and standard error of what branch `a` has more of equity than branch `b`, with the cube if there is one."""
    def decision(self) -> CubeDecision | None:
        """What is right about the cube; `None` without trials, or if no decision was rolled out."""
    def ended_by(self, until: object) -> str | None:
        """The rule of a `gammon.rollout.Until` that ends a rollout here, if any does."""
    def outcomes(self, branch: int = 0) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Games of a branch won single, gammon, backgammon; then lost likewise."""
    def unfinished(self, branch: int = 0) -> int:
        """Games of a branch that were broken off and valued by the evaluator."""
    def turns(self, branch: int = 0) -> int:
        """Turns played in all games of a branch."""
    @property
    def by_replications(self) -> bool:
        """Whether errors come from the spread of replications of stratified dice, rather than of single trials."""
    def merge(self, other: RolloutPart) -> RolloutPart:
        """One part of both, for different trials of the same rollout; exact in any order.

        Raises `SettingError` if they share a trial, or differ in position, evaluator, seed or another setting:
        their errors would come out too small.
        """
    def of_plays(self, branches: Sequence[int]) -> RolloutPart:
        """The sums of some of the plays compared alone, by their numbers, as if the others had never been."""
    @property
    def numbers(self) -> list[tuple[int, int]]:
        """The numbers of the trials: ranges in rising order."""
    @property
    def subject(self) -> RolloutSubject:
        """What was rolled out."""
    @property
    def evaluator(self) -> str:
        """Who chose the plays."""
    @property
    def sums(self) -> list[int]:
        """All sums, as whole numbers."""
    @staticmethod
    def _from_state(source: Any, settings: Any, sums: list[int]) -> RolloutPart:
        """The numbers of what was rolled out, the evaluator, the numbers of the trials, and the sums."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RolloutSubject:
    """What a rollout is of: a position, the positions after some plays, or a cube decision.

    With a situation the cube counts: its score and cube are those of the player whose numbers are wanted.
    """

    def __new__(
        cls,
        kind: str,
        positions: Sequence[PositionLike],
        situation: Situation | None = None,
        met: Met | None = None,
        life: float | None = None,
    ) -> RolloutSubject: ...
    @property
    def kind(self) -> str:
        """'position', 'plays' or 'decision'."""
    @staticmethod
    def of_variant(kind: str, states: Sequence[VariantState], acted: Sequence[bool]) -> RolloutSubject:
        """A position of another game, or those after some plays of one roll.

        `acted` says of each whether the numbers wanted are those of the other player than the one to act.
        """
    @property
    def variant(self) -> str | None:
        """The name of another game; `None` is the standard one."""
    @property
    def positions(self) -> list[Any]:
        """The positions given, each seen by the player on roll; of another game as `VariantState`."""
    @property
    def branches(self) -> int:
        """Games a trial."""
    @property
    def situation(self) -> Situation | None:
        """Score and cube; `None` without a cube."""
    @property
    def met(self) -> Met | None:
        """The match equity table."""
    @property
    def life(self) -> float | None:
        """The cube life given; `None` is the usual one of each phase."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TrainingReport:
    """What a stretch of training did."""

    def __new__(
        cls,
        games: int,
        positions: int,
        evaluations: int,
        seconds: float,
        games_per_second: float,
        loss: float,
        outcomes: tuple[float, float, float],
    ) -> TrainingReport: ...
    @property
    def games(self) -> int:
        """Games learned from so far."""
    @property
    def positions(self) -> int:
        """Positions learned from since the last report."""
    @property
    def evaluations(self) -> int:
        """Candidate plays evaluated since the last report."""
    @property
    def seconds(self) -> float:
        """Seconds since the last report."""
    @property
    def games_per_second(self) -> float:
        """Games a second since the last report."""
    @property
    def loss(self) -> float:
        """Mean squared error of the chances against their targets since the last report."""
    @property
    def outcomes(self) -> tuple[float, float, float]:
        """Shares of single games, gammons and backgammons since the last report."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Training:
    """A training that can be run, stopped, saved and continued.

    `settings` is a text of lines `name = value`; what is not named keeps its default. Raises `SettingError`,
    naming the line or the setting.
    """

    def __new__(cls, settings: str = "") -> Training: ...
    @staticmethod
    def from_checkpoint(data: bytes) -> Training:
        """The training a checkpoint holds. Raises `CheckpointError`."""
    @property
    def settings(self) -> str:
        """All settings, as text."""
    @property
    def games(self) -> int:
        """Games learned from so far."""
    @property
    def games_wanted(self) -> int:
        """Games to learn from."""
    @property
    def is_done(self) -> bool:
        """Whether all games have been learned from."""
    def net(self) -> Any:
        """The net as it is now; of another game a `VariantNet`.

        Raises `DivergedError` if the weights are none any more.
        """
    @property
    def variant(self) -> str:
        """The name of the game that is played; empty for the standard one."""
    def checkpoint(self) -> bytes:
        """The training as bytes, to be continued another time. Raises `DivergedError`."""
    def run(
        self,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        report: Callable[[TrainingReport], object] | None = None,
        save: str | os.PathLike[str] | None = None,
        save_seconds: float = 30.0,
    ) -> bool:
        """Train until all games are done (`True`) or a callback asks to stop (`False`).

        `progress` is told the number of games learned from so far some twenty times a second, `report` now
        and then how it goes. `save` is a file for checkpoints, written every `save_seconds` and at the end,
        whatever ends it, Ctrl-C and other exceptions too.

        Raises `OSError` if that file cannot be written, `DivergedError` if the weights grow beyond what a net
        can hold (the file then is what it was before), `RuntimeError` if another call is running this training.
        """

@final
class FitReport:
    """What a stretch of a fit did."""

    def __new__(
        cls,
        updates: int,
        updates_wanted: int,
        seconds: float,
        loss: float,
        rms_error: float | None,
        mean_error: float | None,
        rate: float,
    ) -> FitReport: ...
    @property
    def updates(self) -> int:
        """Updates made so far."""
    @property
    def updates_wanted(self) -> int:
        """Updates in all."""
    @property
    def seconds(self) -> float:
        """Seconds since the last report."""
    @property
    def loss(self) -> float:
        """Mean squared error of the five chances on what was learned from since the last report."""
    @property
    def rms_error(self) -> float | None:
        """Root mean squared error in equity, in points, on the positions held out; `None` if there are none."""
    @property
    def mean_error(self) -> float | None:
        """Mean absolute error in equity, in points, on the positions held out; `None` if there are none."""
    @property
    def rate(self) -> float:
        """Learning rate now."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Fit:
    """A fit of a net to training data that can be run, stopped, saved and continued.

    `settings` is a text of lines `name = value`; what is not named keeps its default. With `after` it begins with
    the weights those fits have reached, the mean of them if they are several, and forgets everything else of
    them. Raises `SettingError`, naming the line or the setting, also if the features or hidden units are not
    those of `after`.
    """

    def __new__(cls, settings: str = "", *, after: Fit | Sequence[Fit] | None = None) -> Fit: ...
    @staticmethod
    def from_checkpoint(data: bytes) -> Fit:
        """The fit a checkpoint holds. Raises `CheckpointError`."""
    @property
    def settings(self) -> str:
        """All settings, as text."""
    @property
    def updates(self) -> int:
        """Updates made so far, each of one batch of positions."""
    def updates_wanted(self, positions: int) -> int:
        """Updates in all that so many positions need."""
    def net(self) -> Net:
        """The net as it is now; its recipe tells the settings, and the recipes of the data it was last run on.

        Raises `DivergedError` if the weights are no net any more.
        """
    def checkpoint(self) -> bytes:
        """The fit as bytes, to be continued another time with the same data. Raises `DivergedError`."""
    def run(
        self,
        data: Sequence[TrainingData],
        *,
        progress: Progress | None = None,
        report: Callable[[FitReport], object] | None = None,
        report_every: int | None = None,
        save: str | os.PathLike[str] | None = None,
        save_seconds: float = 30.0,
    ) -> bool:
        """Learn from the data until all epochs are done (`True`) or a callback asks to stop (`False`).

        `data` are parts in their order; after a stop the same parts continue it. `progress` is told the number of
        updates made so far some twenty times a second, `report` every `report_every` updates how it goes, and how
        well the positions held out are known; by default that is forty times in all. `save` is a file for
        checkpoints, written every `save_seconds` and at the end, whatever ends it, Ctrl-C and other exceptions too.
        One thread does it all.

        Raises `SettingError` if there are no positions, or if they are not those the fit began with,
        `DivergedError` if the weights grow beyond what a net can hold (the file then is what it was before),
        `OSError` if the file cannot be written, `RuntimeError` if another call is running this fit.
        """

@final
class TrainingData:
    """Positions with the chances they should have.

    `boards` is `uint8[n, 2, 25]`, unfinished games seen by the player on roll; `chances` is `float32[n, 5]`, his,
    and is kept in 65,535ths. `recipe` is a text on how they were made, `games` how many games they are from.

    Raises `ArrayError` for arrays of another dtype, shape or length or numbers that are no chances,
    `IllegalPositionError` for a row that is no position or a finished game, `SettingError` for a negative
    number of games.

    >>> import gammon, numpy as np
    >>> from gammon.training import TrainingData
    >>> boards = gammon.Position.start().board[None]
    >>> data = TrainingData(boards, np.array([[0.525, 0.15, 0.007, 0.14, 0.006]], np.float32), recipe="by hand")
    >>> len(data), [round(float(chance), 3) for chance in data.chances[0]]
    (1, [0.525, 0.15, 0.007, 0.14, 0.006])
    """

    def __new__(
        cls, boards: Boards, chances: Chances, *, recipe: str | None = None, games: int | None = None
    ) -> TrainingData: ...
    @staticmethod
    def read(path: str | os.PathLike[str]) -> TrainingData:
        """Read a file, such as `gammon label` and `write` make.

        What follows its last complete part is left out: the file may be one that is still being made.

        Raises `OSError` if it cannot be read, `DataFormatError` if it is no training data or damaged.
        """
    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, which replaces what was there once it is whole.

        Raises `OSError` if it cannot be written, `SettingError` if the recipe is longer than 65,536 bytes.
        """
    @property
    def boards(self) -> Boards:
        """The positions, `uint8[n, 2, 25]`; unpacked anew each time."""
    @property
    def chances(self) -> Chances:
        """Their chances, `float32[n, 5]`; unpacked anew each time.

        Games won, gammons, backgammons, then gammons and backgammons lost, each including the next of its side.
        """
    @property
    def recipe(self) -> str:
        """How they were made, as text."""
    @property
    def games(self) -> int:
        """Games they are from."""
    def __len__(self) -> int: ...
    @staticmethod
    def _from_bytes(data: bytes) -> TrainingData: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __sizeof__(self) -> int: ...

@final
class Bearoff:
    """What one side needs to bear off."""

    @property
    def pips(self) -> int:
        """Pips left."""
    @property
    def mean_rolls(self) -> float:
        """Mean rolls to bear everything off."""
    @property
    def sd_rolls(self) -> float:
        """Standard deviation of those rolls."""
    @property
    def epc(self) -> float:
        """Effective pip count: mean rolls times 49/6."""
    @property
    def wastage(self) -> float:
        """Effective pips beyond the pips."""
    @property
    def rolls(self) -> npt.NDArray[np.float64]:
        """Chance to need exactly 0, 1, 2, … rolls."""
    @property
    def mean_first_off(self) -> float:
        """Mean rolls until the first checker is off; 0 if one is."""
    @property
    def first_off(self) -> npt.NDArray[np.float64]:
        """Chance that the first checker comes off with roll 0 (one is off already), 1, 2, …."""
    @staticmethod
    def _from_fields(fields: Any) -> Bearoff: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Hypergammon:
    """Every position of Hypergammon with one, two or three checkers a side, exactly; an evaluator of that game.

    Stored as `float32`: off by at most 3e-8 for chances, 1.2e-7 for equities. A table is not pickled; another
    process opens its file.
    """

    @staticmethod
    def build(
        checkers: int | None = None, *, threads: int | None = None, progress: Progress | None = None
    ) -> Hypergammon:
        """Solve the game, by default with 3 checkers; `progress` is told steps of `work()`.

        Raises `SettingError` for another number of checkers than 1 to 3, `Stopped` if `progress` returns `False`.
        """
    @staticmethod
    def work(checkers: int) -> int | None:
        """Steps in which a build reports its progress; none if there is no such table."""
    @staticmethod
    def open(path: str | os.PathLike[str]) -> Hypergammon:
        """Map a file written by `save`. Raises `TableFormatError` unless it is exactly that, `OSError`."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, under a temporary name first, so that the path names a whole table or none.

        Raises `OSError`.
        """
    @property
    def checkers(self) -> int:
        """Checkers a side."""
    @property
    def size(self) -> int:
        """Bytes of the table."""
    @property
    def id(self) -> str:
        """Which table it is: the checkers and a digest."""
    @property
    def sweeps(self) -> int:
        """Sweeps it took to solve."""
    def __len__(self) -> int: ...
    def _opening(self) -> tuple[float, list[float], float, float]: ...
    def evaluate(self, boards: Boards) -> Chances:
        """Chances of the player on roll, `float32[n, 5]`, with the plays that are best without a cube.

        Checkers missing from a board are off. Finished games are answered too.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position,
        `EvaluatorError` for one with more checkers a side than the table has.
        """
    def equities(self, boards: Boards, kind: EquityKind | None = None) -> npt.NDArray[np.float64]:
        """Money equities of many positions, `float64[n, 6]`, or of one kind, `float64[n]`; else not a number.

        Columns, and kinds: cubeless; centred_no_double and centred_best; owned_no_double and owned_best;
        opponent_owned. Gammons count, also with the cube in the middle; no beavers.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position,
        `SettingError` for an unknown kind.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class OneSided:
    """Rolls one side needs, for every side on the lowest points.

    Play is for the fewest mean rolls. Chances are stored with an error of at most 3.1e-8, means in full.
    A table is not pickled; another process opens its file.
    """

    @staticmethod
    def build(
        points: int | None = None,
        checkers: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> OneSided:
        """Solve a table, by default of 6 points and 15 checkers; `progress` is told steps of `work()`.

        Raises `SettingError` for a size there is no table of, `Stopped` if `progress` returns `False`.
        """
    @staticmethod
    def work(points: int, checkers: int) -> int | None:
        """Steps in which a build reports its progress; none if there is no such table."""
    @staticmethod
    def open(path: str | os.PathLike[str]) -> OneSided:
        """Map a file written by `save`. Raises `TableFormatError` unless it is exactly that, `OSError`."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, under a temporary name first, so that the path names a whole table or none.

        Raises `OSError`.
        """
    @property
    def points(self) -> int:
        """Points covered."""
    @property
    def checkers(self) -> int:
        """Most checkers covered."""
    @property
    def size(self) -> int:
        """Bytes of the table."""
    def __len__(self) -> int: ...
    def probe(self, side: Sequence[int]) -> Bearoff:
        """What a side needs, given its checkers on points 1, 2, ….

        Raises `MissingTableError` outside the table, `SettingError` for numbers that are no side.
        """
    def get(self, side: Sequence[int], default: Any = None) -> Any:
        """The same, or the default outside the table."""
    def mean_rolls(self, boards: Boards) -> npt.NDArray[np.float64]:
        """Mean rolls of both sides, `float64[n, 2]`; not a number outside the table.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.
        """
    def win(self, boards: Boards) -> npt.NDArray[np.float64]:
        """Chance of the player on roll to bear off first, `float64[n]`; not a number outside the table.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Equities:
    """Money equities of the player on roll, in units of the cube as it stands; no gammons, no beavers.

    `win`, the best decisions and `double_take` follow from the other four, which make it.
    """

    def __new__(
        cls, cubeless: float, centred_no_double: float, owned_no_double: float, opponent_owned: float
    ) -> Equities: ...
    @property
    def win(self) -> float:
        """Chance to win."""
    @property
    def cubeless(self) -> float:
        """Without a cube."""
    @property
    def centred_no_double(self) -> float:
        """Cube in the middle, not doubling this turn."""
    @property
    def centred_best(self) -> float:
        """Cube in the middle, best decision this turn."""
    @property
    def owned_no_double(self) -> float:
        """Cube owned by the player on roll, not doubling this turn."""
    @property
    def owned_best(self) -> float:
        """Cube owned by the player on roll, best decision this turn."""
    @property
    def opponent_owned(self) -> float:
        """Cube owned by the opponent."""
    @property
    def double_take(self) -> float:
        """Doubling this turn and being taken."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TwoSided:
    """Exact money equities of both sides, with few checkers each.

    Stored in 16 bits (off by at most 1.53e-5, best decisions 3.06e-5) or as `f32` (3e-8, 6e-8).
    A table is not pickled; another process opens its file.
    """

    @staticmethod
    def build(
        points: int | None = None,
        checkers: int | None = None,
        *,
        storage: str = "u16",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> TwoSided:
        """Solve a table, by default of 6 points and 6 checkers a side; `storage` is 'u16' or 'f32'.

        Raises `SettingError` for a size there is no table of or another storage, `Stopped` if `progress` returns
        `False`.
        """
    @staticmethod
    def work(points: int, checkers: int) -> int | None:
        """Steps in which a build reports its progress; none if there is no such table."""
    @staticmethod
    def open(path: str | os.PathLike[str]) -> TwoSided:
        """Map a file written by `save`. Raises `TableFormatError` unless it is exactly that, `OSError`."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, under a temporary name first, so that the path names a whole table or none.

        Raises `OSError`.
        """
    @property
    def points(self) -> int:
        """Points covered."""
    @property
    def checkers(self) -> int:
        """Most checkers a side covered."""
    @property
    def storage(self) -> str:
        """How equities are stored: 'u16' or 'f32'."""
    @property
    def size(self) -> int:
        """Bytes of the table."""
    def __len__(self) -> int: ...
    def probe(self, position: PositionLike) -> Equities:
        """Equities of a position. Raises `MissingTableError` outside the table, `ParseError`."""
    def get(self, position: PositionLike, default: Any = None) -> Any:
        """The same, or the default outside the table."""
    def equities(self, boards: Boards, kind: EquityKind | None = None) -> npt.NDArray[np.float64]:
        """Equities of many positions, `float64[n, 6]`, or of one kind, `float64[n]`; not a number outside the table.

        Columns, and kinds: cubeless; centred_no_double and centred_best; owned_no_double and owned_best;
        opponent_owned. One kind is faster.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position,
        `SettingError` for an unknown kind.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Race(BuiltIn):
    """Chances in every race: an evaluator on a one-sided and perhaps a two-sided table.

    Like its tables it is not pickled. Raises `SettingError` for a one-sided table of fewer than 6 points or 15
    checkers.
    """

    def __new__(cls, one_sided: OneSided, two_sided: TwoSided | None = None) -> Race: ...
    @property
    def id(self) -> str:
        """Which tables answer."""
    def epc(self, boards: Boards) -> npt.NDArray[np.float64]:
        """Effective pip counts of both sides, `float64[n, 2]`: exact where the table reaches, else estimated.

        Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.
        """
    def covers(self, side: Sequence[int]) -> bool:
        """Whether the side's effective pip count comes from the table. Raises `SettingError` if it is no side."""
    def __reduce__(self) -> NoReturn: ...

@final
class RaceCount:
    """A race counted by one method. Raises `SettingError` for an unknown one."""

    def __new__(
        cls,
        method: str,
        roller: float,
        opponent: float,
        double: bool,
        redouble: bool,
        take: bool,
        win: float | None,
    ) -> RaceCount: ...
    @property
    def method(self) -> str:
        """The method's name."""
    @property
    def roller(self) -> float:
        """Adjusted count of the player on roll."""
    @property
    def opponent(self) -> float:
        """Adjusted count of the opponent."""
    @property
    def double(self) -> bool:
        """Double with the cube in the middle."""
    @property
    def redouble(self) -> bool:
        """Redouble with the cube owned."""
    @property
    def take(self) -> bool:
        """Take a double."""
    @property
    def win(self) -> float | None:
        """Chance to win, where the method gives one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Composite(BuiltIn):
    """An evaluator made of several, one for each kind of position; `gammon.evaluators.composite` makes it."""

    def __new__(cls, contact: object, crashed: object, race: object, bearoff: object) -> Composite: ...
    @property
    def contact(self) -> Any:
        """Answers while both sides can still hit and build."""
    @property
    def crashed(self) -> Any:
        """Answers contact in which a side has at most six checkers of use."""
    @property
    def race(self) -> Any:
        """Answers races with checkers outside the home boards."""
    @property
    def bearoff(self) -> Any:
        """Answers races with all checkers at home."""
    @property
    def id(self) -> str:
        """Who answers what."""

def race_counts(position: PositionLike) -> list[RaceCount]:
    """A position counted by every method. Raises `ParseError` for a text that is no identifier."""

def race_count_columns(boards: Boards, method: str) -> Any:
    """Positions counted by one method: a dict of columns, adjusted counts `float64[n, 2]`, the others `(n,)`.

    Raises `SettingError` for an unknown method, `ArrayError` for another dtype or shape, `IllegalPositionError` for a
    row that is no position.
    """

def epc_verdict(roller: float, opponent: float) -> tuple[bool, bool, bool]:
    """The verdict on two effective pip counts: double, redouble, take."""

@final
class VariantRules:
    """One game of the family with its options: what `gammon.variants` is built on."""

    def __new__(cls, name: str, options: Sequence[tuple[str, str]]) -> VariantRules: ...
    @staticmethod
    def names() -> list[tuple[str, list[str]]]:
        """The names of all games, each with its other names."""
    @staticmethod
    def flags(name: str) -> list[tuple[str, str, str]]:
        """The options of a game: name, what it may be, and what it is by default."""
    @property
    def name(self) -> str:
        """The game's name."""
    @property
    def prefix(self) -> str:
        """What its options begin with."""
    @property
    def options(self) -> list[tuple[str, str]]:
        """What was chosen for each option."""
    @property
    def opening(self) -> Literal["use_dice", "reroll"]:
        """What the opening dice are used for."""
    @property
    def later(self) -> Literal["opening", "winner_starts"]:
        """Who starts later games."""
    @property
    def has_cube(self) -> bool:
        """Whether the cube is used."""
    def start(self) -> VariantState:
        """The start."""
    def parse(self, id: str) -> VariantState:
        """The position that an id stands for."""
    def id(self, state: VariantState) -> str:
        """The id of a position."""
    def position(self, fields: dict[str, Any]) -> VariantState:
        """The position that fields say."""
    def fields(self, state: VariantState) -> dict[str, Any]:
        """What a position shows."""
    def plays(
        self, state: VariantState, roll: RollLike | None
    ) -> tuple[list[VariantState], list[VariantState], bool]:
        """The results that hand over, those after which the same player acts, and whether nothing can be played."""
    def result(self, state: VariantState) -> tuple[bool | None, str, int] | None:
        """How the game ended: whether the player to act won, the kind of end, and the points."""
    def steps(
        self, state: VariantState, roll: RollLike | None, after: VariantState, kept: bool
    ) -> tuple[list[tuple[int, int, bool]], str | None] | None:
        """The steps that lead to a result."""
    def follow(
        self,
        state: VariantState,
        roll: RollLike | None,
        moves: Sequence[tuple[int, int]],
        word: str | None,
    ) -> tuple[VariantState, bool] | None:
        """The result of exactly these steps, and whether the same player acts again."""
    def events(self, state: VariantState, roll: RollLike) -> list[tuple[str, bool, int]]:
        """The points of a throw of Trictrac: what for, whether the thrower gets them, how many."""
    @staticmethod
    def mark(marking: dict[str, Any], who: int, points: int) -> tuple[dict[str, Any], int]:
        """A marking after a player (0 is the player to act) has marked points, and the holes he wins."""
    def perft(
        self, state: VariantState, depth: int, unique: bool, threads: int | None, progress: Progress | None
    ) -> Perft:
        """Counts the paths of so many decisions."""
    def random_games(
        self, n: int, seed: int, threads: int | None, progress: Progress | None
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32], list[str | None]]:
        """Plays random games: points of the player who began (negative if he lost), decisions, kinds of ends."""
    def random_game(self, seed: int, trial: int) -> list[tuple[VariantState, Roll | None]]:
        """The decisions of random game number `trial` of a seed: each position, with its throw if there is one."""

@final
class VariantState:
    """A position of one game."""

    def __bytes__(self) -> bytes: ...
    @property
    def id(self) -> str:
        """Its id."""
    @staticmethod
    def _of(name: str, options: Sequence[tuple[str, str]], id: str) -> VariantState: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class VariantNet:
    """A trained net for another game of the family: `VariantNet(data)` reads the bytes of a net file.

    Raises `NetFormatError` if they are none, or those of a net of the standard game.
    """

    def __new__(cls, data: bytes) -> VariantNet: ...
    @property
    def id(self) -> str:
        """The digest of the net's bytes."""
    @property
    def variant(self) -> str:
        """The game it was trained for; `celebi` is Gul bara with that option."""
    @property
    def hidden(self) -> int:
        """Hidden units."""
    @property
    def seed(self) -> int:
        """Seed of the training."""
    @property
    def recipe(self) -> str:
        """The trainer's settings, as text."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the net's file, which `gammon.evaluators.load_for` reads.

        The path names a whole net or what it named before: the file is written under another name first.

        Raises `OSError` if it cannot be written.
        """
    def to_bytes(self) -> bytes:
        """The net's file."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PipCount:
    """An evaluator for any game that counts pips and nothing else: `PipCount()`."""

    def __new__(cls) -> PipCount: ...
    @property
    def id(self) -> str:
        """`"pips"`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def variant_prizes(rules: VariantRules) -> tuple[int, bool, bool]:
    """What the wins of a game are worth, and who can play it.

    The most points told apart, whether these are stakes of many sizes, and whether evaluators of the standard
    game can play it.
    """

def variant_numbers(
    rules: VariantRules, states: Sequence[VariantState], evaluator: Any
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The five numbers of the player to act in each position, and what they are worth."""

def variant_choices(
    rules: VariantRules, state: VariantState, roll: RollLike | None, evaluator: Any
) -> list[tuple[VariantState, bool, tuple[float, float, float, float, float], float]]:
    """The results of a decision in the order of `VariantRules.plays`, valued for the player who decides."""

def variant_duel(
    rules: VariantRules,
    first: Any,
    second: Any,
    judge: Any | None,
    *,
    seed: int,
    begin: int,
    pairs: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], int, int]:
    """Play pairs of games with the same dice, in the first of which the first player begins.

    Points of the first player `int32[n, 2]`, points by which the dice of both games were better for him
    `float64[n]`, decisions made, games without a winner. After a stop by `progress`, told the number of pairs
    done, those before the first that is not finished.
    """

def build_info() -> dict[str, Any]:
    """What this build is: version, profile, target, and the instruction sets found on this CPU."""

def label_games(
    path: str | os.PathLike[str],
    settings: str,
    strong: Any,
    quick: Any,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[int, int, bool]:
    """Make training data: the rest of the games that `settings` ask for, into a file that may have been begun.

    Returns how many games and positions are in, and whether these are all. Raises what `gammon.training.label`
    does.
    """

def label_settings(settings: str = "") -> str:
    """All settings of a labelling as text, those not named with their defaults.

    Raises `SettingError`, naming the line or the setting.
    """

def row_count(set: str = "full") -> int:
    """How many rows there are in a set of features: the numbers `gammon.training.features` gives are below it.

    Raises `SettingError` for an unknown set.
    """

def active_rows(
    boards: Boards, set: str, *, threads: int | None = None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The rows a net of this set of features adds up for each position; see `gammon.training.features`."""

def thread_count(threads: int | None = None) -> int:
    """How many threads a call with this `threads=` uses: the number given, else GAMMON_THREADS, else all cores.

    Raises `SettingError` for a number that is not from 1 to 1024, given or in the environment.
    """

def parse(text: str) -> Situation:
    """Read any identifier: an XGID, GNU Backgammon's ids, a FIBS board line, an OGID, or the word 'start'.

    The lines `Position ID: …` and `Match ID: …` that GNU Backgammon prints may be pasted as they are.

    Raises `ParseError`, naming the format, the place and the reason.

    >>> import gammon
    >>> situation = gammon.parse("Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAE")
    >>> situation.format, situation.cube, situation.length
    ('gnuid', 1, 0)
    """

def roll_out(
    subject: RolloutSubject,
    evaluator: object,
    small: object | None,
    settings: object,
    *,
    before: RolloutPart | None = None,
    until: object | None = None,
    threads: int | None = None,
    progress: Callable[[RolloutPart], object] | None = None,
) -> tuple[RolloutPart, bool, str | None, int]:
    """Play the games of a subject many times, all branches with the same dice.

    The sums come first, of all trials up to `settings.trials` and those `before` among them; then whether all are
    in, the rule of `until` that ended it, and the positions evaluated.

    `progress` is told some twenty times a second what is finished. Raises what `gammon.rollout.run` does.
    """

def roll_out_many(
    boards: Boards,
    evaluator: object,
    small: object | None,
    settings: object,
    *,
    situations: Sequence[Situation] | None = None,
    met: Met | None = None,
    life: float | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[
    npt.NDArray[np.uint64],
    tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    tuple[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]], ...],
    int,
]:
    """Roll many positions out, threads sharing the work: arrays with a row a position.

    With `situations`, one a position, the score and cube of each count. `progress` is told how many trials are done of
    all. Raises what `gammon.rollout.run_many` does.
    """

def evaluate_with(boards: Boards, evaluator: object, *, threads: int | None = None) -> Chances:
    """Chances by a `Net`, or by any object with a text `id` and a method `evaluate(boards)`.

    Raises what `gammon.evaluate` does.
    """

@final
class StopFlag:
    """Ctrl-C reaches the main thread of Python alone: a flag passes it on to threads that work for it."""

    def __new__(cls) -> StopFlag: ...
    def heed(self) -> None:
        """Have long calls of this thread stop once the flag is set, as if their `progress` had asked for it."""
    def set(self) -> None:
        """Stop what heeds the flag, now and later."""

@final
class SearchCache:
    """Values worked out by searches, for later ones; one search uses it at a time.

    A value is found only if position, depth, evaluators (by their `id`), width of the pre-filter, score, cube and
    cube life are all equal, so results do not depend on a cache. The number of `entries` is rounded up to a power of two, some 150 bytes
    each; a new value takes the place of one that falls on the same slot.
    """

    def __new__(cls, entries: int | None = None) -> SearchCache: ...
    @property
    def hits(self) -> int:
        """How often a value was found."""
    @property
    def misses(self) -> int:
        """How often a value was not there."""
    def clear(self) -> None:
        """Forget everything."""

@final
class RankedPlay:
    """A legal play and what it is worth to the mover."""

    def __new__(
        cls,
        play: Play,
        probs: Sequence[float],
        equity: float,
        plies: int,
        loss: float,
        is_prefiltered: bool = False,
    ) -> RankedPlay: ...
    @property
    def play(self) -> Play:
        """The play."""
    @property
    def probs(self) -> list[float]:
        """The mover's chances after it: win, win gammon, win backgammon, lose gammon, lose backgammon."""
    @property
    def equity(self) -> float:
        """The mover's equity after it: cubeless money points, or that of a cubeful search."""
    @property
    def plies(self) -> int:
        """The depth at which it was judged."""
    @property
    def loss(self) -> float:
        """What it loses against the play ranked first, which may have been judged more deeply."""
    @property
    def is_prefiltered(self) -> bool:
        """Whether only the pre-filter has looked at it, so that the numbers are its."""

@final
class Ranking:
    """All plays of a roll, a sequence of `RankedPlay`, best first."""

    def __new__(cls, position: PositionLike, roll: RollLike, plays: Sequence[RankedPlay]) -> Ranking: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> RankedPlay: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[RankedPlay]: ...
    def __iter__(self) -> Iterator[RankedPlay]: ...
    @property
    def best(self) -> RankedPlay:
        """The play ranked first."""
    @property
    def ties(self) -> int:
        """How many plays are best with exactly equal equities; 1 unless there is a tie."""
    @property
    def is_pass(self) -> bool:
        """Whether nothing can be played: the only entry then hands the position over."""
    @property
    def before(self) -> Position:
        """The position before the roll was played."""
    @property
    def roll(self) -> Roll:
        """The roll."""
    def _repr_html_(self) -> str: ...

def rank_plays(
    position: PositionLike,
    roll: RollLike,
    evaluator: object,
    *,
    plies: int,
    filter: str | Sequence[tuple[int, int, float]],
    prefilter: object | None = None,
    score: Situation | None = None,
    life: float | None = None,
    met: Met | None = None,
    max_candidates: int | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Ranking:
    """Rank all plays of a roll; cubefully if a `score` is given."""

def rank_rolls(
    boards: Boards,
    rolls: Rolls,
    evaluator: object,
    *,
    plies: int,
    filter: str | Sequence[tuple[int, int, float]],
    prefilter: object | None = None,
    score: Situation | None = None,
    life: float | None = None,
    met: Met | None = None,
    max_candidates: int | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> tuple[
    Boards,
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
    Chances,
    npt.NDArray[np.uint8],
    npt.NDArray[np.bool_],
]:
    """Rank the plays of many rolls: boards, offsets, equities, chances, depths, whether prefiltered."""

def rank_at_scores(
    position: PositionLike,
    roll: RollLike,
    evaluator: object,
    size: int,
    met: Met,
    *,
    plies: int,
    filter: str | Sequence[tuple[int, int, float]],
    prefilter: object | None = None,
    life: float | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> tuple[
    Ranking,
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
]:
    """Rank the plays of a roll at every score: the ranking, best plays, equities, match winning chances, money."""

def search_values(
    boards: Boards,
    evaluator: object,
    *,
    plies: int,
    prefilter: object | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> Chances:
    """Chances of the player on roll in each position, some plies deep."""

def search_cube(
    situation: Situation,
    evaluator: object,
    *,
    plies: int,
    prefilter: object | None = None,
    life: float | None = None,
    met: Met | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> CubeDecision:
    """Decides about the cube with lookahead."""

def search_cubes(
    situation: Situation,
    boards: Boards,
    evaluator: object,
    *,
    plies: int,
    prefilter: object | None = None,
    life: float | None = None,
    met: Met | None = None,
    cache: SearchCache | None = None,
    threads: int | None = None,
) -> CubeDecisions:
    """Decides about the cube in many positions at the score of one situation."""

def perft(
    position: PositionLike,
    depth: int,
    *,
    unique: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Perft:
    """Count the sequences of `depth` rolls and plays from a position, and the different positions they end in.

    Each of the 21 rolls counts once, an unplayable roll as one play. Telling positions apart (`unique`)
    takes memory for all of them: from the start some 10 MB at depth 2 and some 5 GB at depth 3.

    `progress` is told some twenty times a second how many paths are counted.

    Raises `SettingError` for a depth that is not from 0 to 8, `ParseError` for a text that is no identifier,
    `Stopped` if `progress` asks to stop.

    >>> import gammon
    >>> gammon.perft("start", 1)
    Perft(depth=1, paths=447, passes=0, unique=406)
    """

def random_games(
    n: int, seed: int, *, threads: int | None = None, progress: Progress | None = None
) -> RandomGames:
    """Play `n` games of uniformly random plays from the start; game `i` depends on `seed` and `i` alone.

    `progress` is told some twenty times a second how many games are finished.

    Raises `SettingError` for a number of games or a seed outside its range, `Stopped` if `progress`
    asks to stop.

    >>> import gammon
    >>> games = gammon.random_games(1000, seed=1)
    >>> games.points.shape, games.turns.dtype, set(abs(games.points).tolist())
    ((1000,), dtype('uint32'), {1, 2, 3})
    """

def rolls(
    seed: int,
    trials: npt.NDArray[np.uint64],
    turns: npt.NDArray[np.uint64],
    *,
    opening: bool = False,
) -> Rolls:
    """The rolls of some turns of some trials: `uint8[n, 2]`, the larger die first.

    Row `i` is the roll that turn `turns[i]` of trial `trials[i]` has in any rollout with that seed; `opening`
    as there: turn 0 is then a game's first roll, never a double. Both arrays are `uint64[n]`.

    Raises `ArrayError` for another dtype, or arrays of different lengths, `SettingError` for no seed.
    """

def random_numbers(
    seed: int, trials: npt.NDArray[np.uint64], counters: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Random numbers from 0 up to but not including 1: one of each of some trials, for choices beside the dice.

    Raises what `rolls` does.
    """

def expand(
    boards: Boards, rolls: Rolls, *, threads: int | None = None
) -> tuple[Boards, npt.NDArray[np.int64]]:
    """All distinct results of each roll in its position.

    Takes positions `uint8[n, 2, 25]` (the player on roll first, each side from its own ace point to the bar)
    and rolls `uint8[n, 2]`, either die first. Returns `uint8[m, 2, 25]`, the opponent on roll, and offsets
    `int64[n + 1]`: the results of pair `i` are rows `offsets[i]` to `offsets[i + 1]`. A roll that cannot be
    played has one result, the position handed over. The same bytes for any number of threads.

    Raises `ArrayError` for another dtype or shape, `IllegalPositionError` and `IllegalRollError` for a row
    that is no position or no roll, naming the first.

    >>> import gammon, numpy as np
    >>> boards = np.stack([gammon.Position.start().board] * 2)
    >>> results, offsets = gammon.expand(boards, np.array([[3, 1], [6, 6]], np.uint8))
    >>> results.shape, offsets.tolist()
    ((27, 2, 25), [0, 16, 27])
    """

def features(boards: Boards, *, threads: int | None = None) -> Features:
    """Describe positions: pips, blots, points, anchors, primes, phase; a row of each column a position.

    Takes `uint8[n, 2, 25]`. The columns are arrays `(n, 2)`, the player on roll first; `Features.to_dict` has
    them as flat columns for a table.

    Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.

    >>> import gammon
    >>> found = gammon.features(gammon.Position.start().board[None])
    >>> found.pips.tolist(), found.anchors.tolist(), gammon.PHASES[found.phase[0]]
    ([[167, 167]], [[1, 1]], 'contact')
    """

def seeded_throw(seed: int, trial: int, turn: int) -> tuple[int, int]:
    """Both dice of throw `turn` of trial `trial` under a seed, in the order they were thrown.

    The roll of rollouts and of seeded matches: whoever asks, in whatever order, gets the same.

    Raises `SettingError` for a seed that is not from 0 to 2**64 - 1, or a number below 0.
    """

def shots(
    boards: Boards, *, threads: int | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """How many of the 36 rolls hit.

    Takes `uint8[n, 2, 25]`.
    Returns `uint8[n, 2, 24]`, the rolls that hit each blot by its owner's points, the player on roll's blots
    first; and `uint8[n, 2]`, those that hit any of a side's blots. In a position the player on roll throws
    next: the shots at the opponent's blots are real, those at his own say how exposed he stands.

    Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.

    >>> import gammon
    >>> after = gammon.Position.start().play("13/11 6/5", "21").after  # seen by the opponent, who rolls
    >>> at_each, at_any = gammon.shots(after.board[None])
    >>> at_each[0, 1, [4, 10]].tolist(), at_any.tolist()  # the blots on his 5-point and 11-point
    ([15, 2], [[0, 15]])
    """
