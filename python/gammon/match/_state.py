"""The state of a game between two records, and what each record makes of it.

`problem` says why a record is against the rules, `after` what comes of it whether it is or not: a file may
hold anything, and a reader must get through it.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from gammon._native import Position, Roll, Situation
from gammon._typing import Offer
from gammon._typing import Player as Side
from gammon.errors import IllegalSituationError
from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    IllegalPlay,
    Opening,
    Played,
    Points,
    Resignation,
    Result,
    Rolled,
    Settlement,
    Setup,
)
from gammon.match._rules import LEVELS, MAX_CUBE, Level, Rules

Phase: TypeAlias = Literal["start", "to-roll", "to-play", "to-answer", "over"]
"""What comes next: the throws for the start, a throw or a double, a play, the answer to a double, nothing."""

CubeOffer: TypeAlias = Literal["double", "beaver", "raccoon"]

_TURNS: dict[CubeOffer, int] = {"double": 2, "beaver": 4, "raccoon": 8}
"""What each offer makes of the cube as it was before the double."""


_USUAL_LIMIT = 1024


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is played for and by."""

    rules: Rules
    length: int
    """Points of the match; 0 is money play."""
    score: tuple[Points, Points]
    """Points of seat 0 and seat 1 before the game; whole but for settlements."""
    crawford: bool

    @property
    def jacoby(self) -> bool:
        """Whether the Jacoby rule applies."""
        return self.rules.jacoby and not self.length

    @property
    def post_crawford(self) -> bool:
        """Whether it is a game after the Crawford game."""
        one_away = self.length > 1 and max(self.score) == self.length - 1
        return one_away and self.rules.crawford and not self.crawford

    def points(self, level: Level, cube: int, *, offered: bool) -> int:
        """Return what a win of this level is worth."""
        counts = LEVELS.index(level) + 1 if offered or not self.jacoby else 1
        return counts * cube


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the next decision depends on, but for the terms."""

    position: Position
    """Seen by `turn`, who has the roll; by the winner of the start before it is known."""
    turn: int | None = None
    phase: Phase = "start"
    roll: Roll | None = None
    opening: Roll | None = None
    """The dice thrown for the start, which have to be played."""
    cube: int = 1
    """Its value before a pending offer."""
    owner: int | None = None
    offered: bool = False
    """Whether a double has been taken."""
    offer: CubeOffer | None = None
    resignation: tuple[int, Level] | None = None
    """Who offers to lose the game, and how."""
    settlement: tuple[int, Points] | None = None
    """Who offers to settle, and what he would get."""
    throws: tuple[int, int] = (0, 0)
    """How often each has thrown in turn."""
    penalties: tuple[int, int] = (0, 0)
    """Points each got because the other's time ran out."""
    result: Result | None = None

    @property
    def to_act(self) -> int | None:
        """The seat that has to decide; `None` if the game has not begun or is over."""
        if self.turn is None or self.phase == "over":
            return None
        if self.resignation is not None:
            return 1 - self.resignation[0]
        if self.settlement is not None:
            return 1 - self.settlement[0]
        if self.offer in ("double", "raccoon"):
            return 1 - self.turn
        return self.turn

    @property
    def stake(self) -> int:
        """The cube, a pending offer counted."""
        return self.cube if self.offer is None else self.cube * _TURNS[self.offer]

    def situation(self, terms: Terms, turn: int = 1) -> Situation:
        """Return the same as a `Situation`; `turn` is the seat that is taken to be on roll before the start.

        A cube that a triple for sixes has raised is divided by it: a situation knows powers of two. What
        contradicts itself, as a double in the Crawford game, is left out.
        """
        seat = turn if self.turn is None else self.turn
        money = not terms.length
        score = tuple(min(int(points), 32_767) for points in scores(terms, self))
        side: dict[int | None, Side | None] = {None: None, seat: "roller", 1 - seat: "opponent"}
        limit = terms.rules.highest_cube
        if limit >= MAX_CUBE:  # no limit: other programs expect the usual one, while it makes no difference
            limit = _USUAL_LIMIT if self.stake * 2 <= _USUAL_LIMIT else MAX_CUBE
        offer: Offer | None = self.offer
        to_act: Side | None = None
        if self.resignation is not None:
            by, level = self.resignation
            offer = _RESIGNATIONS[level]
            to_act = side[1 - by]
        reason = "" if self.result is None else self.result.reason
        cube = self.cube & -self.cube
        whole = Situation.from_parts(
            self.position,
            length=terms.length,
            score=(score[seat], score[1 - seat]),
            jacoby=terms.jacoby,
            beavers=money and terms.rules.beavers,
            seat=seat,
            state="not-started" if self.turn is None else _STATES.get(reason, "playing"),
            roll=self.roll,
        )
        for crawford, owner, held, pending in (
            (terms.crawford, self.owner, cube, offer),
            (False, self.owner, cube, offer),
            (terms.crawford, self.owner, cube, None),
            (False, self.owner, cube, None),
        ):
            try:
                return Situation.from_parts(
                    self.position,
                    length=terms.length,
                    score=whole.score,
                    crawford=crawford,
                    cube=held,
                    cube_owner=side[owner],
                    jacoby=whole.jacoby,
                    beavers=whole.beavers,
                    cube_limit=None if limit == MAX_CUBE else max(1 << (limit.bit_length() - 1), held),
                    roll=self.roll,
                    offer=pending,
                    to_act=None if pending is None else to_act,
                    seat=seat,
                    state=whole.state,
                )
            except IllegalSituationError:
                continue
        return whole


_RESIGNATIONS: dict[Level, Offer] = {
    "single": "resign-single",
    "gammon": "resign-gammon",
    "backgammon": "resign-backgammon",
}

_STATES: dict[str, Literal["over", "resigned", "dropped"]] = {
    "played": "over",
    "passed": "dropped",
    "resigned": "resigned",
    "settled": "over",
    "time": "over",
    "forfeited": "over",
    "unknown": "over",
}


def scores(terms: Terms, state: State) -> tuple[Points, Points]:
    """Return the score before the game with the penalties during it."""
    return terms.score[0] + state.penalties[0], terms.score[1] + state.penalties[1]


def problem(terms: Terms, state: State, record: AnyRecord) -> str:
    """Return why the record is against the rules; empty if it is not."""
    match record:
        case Setup():
            return ""
        case Flag():
            return "the game is over" if state.phase == "over" else ""
    if state.phase == "over":
        return "the game is over"
    pending = _pending(state, record)
    if pending is not None:
        return pending
    match record:
        case Opening():
            return _opening(state, record)
        case Rolled():
            return _rolled(terms, state, record)
        case Played():
            return _played(state, record)
        case CubeAction():
            return _cube(terms, state, record)
        case Resignation():
            return _resignation(terms, state, record)
        case Settlement():
            return _settlement(terms, state, record)


def _pending(state: State, record: AnyRecord) -> str | None:
    """Say what is wrong while a resignation or a settlement waits for its answer; `None` if none does."""
    for kind, name, offer in (
        (Resignation, "resignation", state.resignation),
        (Settlement, "settlement", state.settlement),
    ):
        if offer is not None:
            if not isinstance(record, kind) or record.action == "offer":
                return f"the {name} has not been answered"
            return "" if record.player != offer[0] else f"the {name} is answered by the other player"
    return None


def _opening(state: State, record: Opening) -> str:
    if state.phase != "start":
        return "the game has begun"
    if not record.throws:
        return "no dice were thrown"
    if any(die not in range(1, 7) for throw in record.throws for die in throw):
        return "a die shows 1 to 6"
    *before, (first, second) = record.throws
    if any(tie[0] != tie[1] for tie in before):
        return "an earlier throw decided who starts"
    if first == second:
        return "equal dice are thrown again"
    return "" if record.player == int(second > first) else "the higher die starts"


def _rolled(terms: Terms, state: State, record: Rolled) -> str:
    if state.phase == "start":
        double = record.roll.is_double and terms.rules.opening == "use_dice"
        return "no game starts with a double" if double else ""
    if state.phase == "to-play":
        return f"{state.roll} has not been played"
    if state.phase == "to-answer":
        return f"the {state.offer} has not been answered"
    if record.player != state.turn:
        return "it is the other player's roll"
    if state.opening is not None and record.roll != state.opening:
        return f"the starter plays the dice thrown for the start, {state.opening}"
    return ""


def _played(state: State, record: Played) -> str:
    if state.phase != "to-play":
        return "no dice have been thrown"
    if record.player != state.turn:
        return "it is the other player's play"
    if record.play.roll != state.roll:
        return f"the roll is {state.roll}, not {record.play.roll}"
    if record.play.before != state.position:
        return "it was played from another position"
    return record.play.reason if isinstance(record.play, IllegalPlay) else ""


def _cube(terms: Terms, state: State, record: CubeAction) -> str:
    if record.action == "double":
        return may_not_double(terms, state, record.player)
    if state.offer is None:
        return "no double is pending"
    if record.player != state.to_act:
        return f"the {state.offer} is answered by the other player"
    if record.action == "take":
        return ""
    if record.action == "pass":
        refused = state.offer == "beaver" and not terms.rules.beaver_refusal
        return "a beaver may not be refused" if refused else ""
    return _animal(terms, state, record.action)


def _animal(terms: Terms, state: State, action: Literal["beaver", "raccoon"]) -> str:
    played = terms.rules.beavers if action == "beaver" else terms.rules.raccoons
    if terms.length:
        return f"there are no {action}s in a match"
    if not played:
        return f"{action}s are not played"
    if state.offer != ("double" if action == "beaver" else "beaver"):
        return f"a {action} answers a {'double' if action == 'beaver' else 'beaver'}"
    value = state.cube * _TURNS[action]
    limit = terms.rules.highest_cube
    return f"a cube of {value} is above the limit of {limit}" if value > limit else ""


def may_not_double(terms: Terms, state: State, player: int) -> str:
    """Return why the player may not double now; empty if he may."""
    if not terms.rules.cube:
        return "there is no cube"
    if terms.crawford:
        return "the Crawford game is played without the cube"
    if state.offer is not None:
        return f"the {state.offer} has not been answered"
    if state.phase == "to-play":
        return "the dice have been thrown"
    if state.phase != "to-roll" or state.throws == (0, 0):
        return "nobody doubles before the first throw"
    if player != state.turn:
        return "it is the other player's roll"
    if state.owner == 1 - player:
        return "the other player owns the cube"
    if state.cube * 2 > terms.rules.highest_cube:
        return f"a cube of {state.cube * 2} is above the limit of {terms.rules.highest_cube}"
    if terms.rules.holland and terms.post_crawford and min(state.throws) < 2:
        return "after the Crawford game nobody doubles before both have thrown twice"
    needed = max(terms.length - points for points in scores(terms, state))
    if terms.length and terms.rules.dead_cube and needed <= state.cube:
        return f"the cube is dead: at {state.cube} it decides the match whoever wins"
    return ""


def _resignation(terms: Terms, state: State, record: Resignation) -> str:
    if record.action != "offer":
        return "no resignation is pending"
    if record.level is None:
        return "a resignation says what is offered: single, gammon or backgammon"
    if state.phase == "start":
        return "the game has not begun"
    if state.offer is not None:
        return f"the {state.offer} has not been answered"
    if terms.rules.resign_when == "no_contact" and not state.position.is_race:
        return "games are resigned without contact only"
    return ""


def _settlement(terms: Terms, state: State, record: Settlement) -> str:
    if record.action != "offer":
        return "no settlement is pending"
    if terms.length or not terms.rules.settlement:
        return "games are not settled"
    if record.points is None:
        return "a settlement says for how many points"
    if state.phase == "start":
        return "the game has not begun"
    if state.offer is not None:
        return f"the {state.offer} has not been answered"
    most = 3 * state.cube
    return (
        ""
        if -most <= record.points <= most
        else f"{record.points} points are more than {most}, 3 times the cube"
    )


def after(terms: Terms, state: State, record: AnyRecord) -> State:
    """Return the state after a record, legal or not."""
    match record:
        case Opening():
            return _after_opening(terms, state, record)
        case Rolled():
            return _after_roll(state, record)
        case Played():
            return _after_play(terms, state, record)
        case CubeAction():
            return _after_cube(terms, state, record)
        case Resignation():
            return _after_resignation(terms, state, record)
        case Settlement():
            return _after_settlement(state, record)
        case Setup():
            return _after_setup(state, record)
        case Flag():
            return _after_flag(terms, state, record)


def _on_roll(state: State, player: int) -> State:
    """Return the state with this player on roll, the other's offers and dice gone if he was."""
    if state.turn is None:
        return replace(state, turn=player)
    if state.turn == player:
        return state
    return replace(state, turn=player, position=state.position.flip(), roll=None, opening=None, offer=None)


def _after_opening(terms: Terms, state: State, record: Opening) -> State:
    begun = replace(_on_roll(state, record.player), phase="to-roll")
    first, second = record.throws[-1] if record.throws else (0, 0)
    if terms.rules.opening == "use_dice" and first != second and {first, second} <= set(range(1, 7)):
        begun = replace(begun, opening=Roll(first, second))
    return begun if terms.length else replace(begun, cube=terms.rules.stake(record.ties))


def _after_roll(state: State, record: Rolled) -> State:
    here = _on_roll(state, record.player)
    throws = (here.throws[0] + (record.player == 0), here.throws[1] + (record.player == 1))
    return replace(
        here,
        phase="to-play",
        roll=record.roll,
        opening=None,
        offer=None,
        resignation=None,
        settlement=None,
        throws=throws,
        result=None,
    )


def _after_play(terms: Terms, state: State, record: Played) -> State:
    position = record.play.after
    here = replace(
        _on_roll(state, record.player),
        position=position,
        turn=1 - record.player,
        phase="to-roll",
        roll=None,
        opening=None,
        offer=None,
        resignation=None,
        settlement=None,
        result=None,
    )
    if not position.is_over:
        return here
    winner = record.player if position.borne_off[1] == 15 else 1 - record.player
    level = level_of(position if winner == record.player else position.flip())
    points = terms.points(level, here.cube, offered=here.offered)
    return _ended(here, Result(winner=winner, points=points, level=level))


def level_of(position: Position) -> Level:
    """Return how a finished game was won, seen by the loser, who would be on roll."""
    if position.borne_off[0]:
        return "single"
    board = position.board[0]
    return "backgammon" if board[18:].any() else "gammon"


def _ended(state: State, result: Result) -> State:
    return replace(state, phase="over", offer=None, resignation=None, settlement=None, result=result)


def _after_cube(terms: Terms, state: State, record: CubeAction) -> State:
    if record.action == "double":
        here = _on_roll(state, record.player)
        return replace(here, phase="to-answer", offer="double", roll=None, resignation=None, settlement=None)
    if record.action in ("beaver", "raccoon"):
        return replace(state, phase="to-answer", offer=record.action)
    if record.action == "pass":
        points = {"beaver": 2, "raccoon": 4}.get(state.offer or "", 1) * state.cube
        return _ended(state, Result(winner=1 - record.player, points=points, level="single", reason="passed"))
    # Without an offer a take is none; the cube would change hands for nothing.
    if state.offer is None or state.turn is None:
        return state
    owner = 1 - state.turn
    if state.offer == "raccoon" and terms.rules.raccoon_owner == "doubler":
        owner = state.turn
    return replace(state, phase="to-roll", offer=None, cube=state.stake, owner=owner, offered=True)


def _after_resignation(terms: Terms, state: State, record: Resignation) -> State:
    if record.action == "offer":
        return replace(state, resignation=(record.player, record.level or "single"), settlement=None)
    if record.action == "decline":
        return replace(state, resignation=None)
    by, level = state.resignation or (1 - record.player, record.level or "single")
    points = terms.points(level, state.cube, offered=state.offered)
    return _ended(state, Result(winner=1 - by, points=points, level=level, reason="resigned"))


def _after_settlement(state: State, record: Settlement) -> State:
    if record.action == "offer":
        return replace(state, settlement=(record.player, record.points or 0), resignation=None)
    if record.action == "decline" or state.settlement is None:
        return replace(state, settlement=None)
    by, points = state.settlement
    winner = None if points == 0 else by if points > 0 else 1 - by
    return _ended(state, Result(winner=winner, points=whole(max(points, -points)), reason="settled"))


def whole(points: Points) -> Points:
    """Return a fraction without denominator as the whole number it is."""
    return int(points) if isinstance(points, Fraction) and points.denominator == 1 else points


def _after_setup(state: State, record: Setup) -> State:
    given = record.situation
    seats = {"roller": given.seat, "opponent": 1 - given.seat}
    offer = given.offer if given.offer in ("double", "beaver", "raccoon") else None
    resignation: tuple[int, Level] | None = None
    for level, name in _RESIGNATIONS.items():
        if given.offer == name:
            resignation = (1 - seats[given.to_act], level)
    phase: Phase = "to-answer" if offer else "to-play" if given.roll else "to-roll"
    return replace(
        state,
        position=given.position,
        turn=given.seat,
        phase=phase,
        roll=given.roll,
        opening=None,
        cube=given.cube,
        owner=None if given.cube_owner is None else seats[given.cube_owner],
        offered=given.cube_owner is not None,
        offer=offer,
        resignation=resignation,
        settlement=None,
        # A position that was put on the board is no start: its player may double.
        throws=(max(state.throws[0], 1), max(state.throws[1], 1)),
        result=None,
    )


def _after_flag(terms: Terms, state: State, record: Flag) -> State:
    other = 1 - record.player
    if record.points:
        penalties = list(state.penalties)
        penalties[other] += record.points
        here = replace(state, penalties=(penalties[0], penalties[1]))
        if not terms.length or scores(terms, here)[other] < terms.length:
            return here
        return _ended(here, Result(winner=other, points=0, reason="time", ends_match=True))
    points = max(terms.length - scores(terms, state)[other], 0) if terms.length else state.cube
    return _ended(state, Result(winner=other, points=points, reason="time", ends_match=bool(terms.length)))
