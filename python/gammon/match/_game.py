"""One game: its records, the state after each, and what may happen next."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from gammon._native import Play, Plays, Position, Roll, Situation
from gammon._typing import PlayLike, RollLike
from gammon.errors import IllegalActionError, SettingError
from gammon.match._after import after
from gammon.match._dice import Dice
from gammon.match._given import contradiction, made_of, roll_of
from gammon.match._legal import problem
from gammon.match._moment import Moment
from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    Opening,
    Played,
    Points,
    Resignation,
    Result,
    Rolled,
    Settlement,
)
from gammon.match._rules import LEVELS, Level
from gammon.match._state import Phase, State, Terms

Action: TypeAlias = Literal[
    "roll", "play", "double", "take", "pass", "beaver", "raccoon", "resign", "settle", "accept", "decline"
]
"""What a player may do."""


class Game:
    """A game, played here or read from a file.

    `roll`, `play`, `double`, `take` and their like act for the player whose decision it is, and raise
    `IllegalActionError` or `IllegalPlayError` for what the rules do not allow. `add` records whatever a file
    says and marks what is against the rules. What was done stays; `undo` is for analysts.

    >>> from gammon.match import Match
    >>> game = Match(3).new_game()
    >>> game.roll("31", player=1)
    Roll(3, 1)
    >>> str(game.play("8/5 6/5"))
    '8/5 6/5'
    >>> game.to_act, game.actions
    (0, ('roll', 'double', 'resign'))
    """

    def __init__(
        self,
        terms: Terms,
        *,
        number: int = 1,
        start: Position | None = None,
        dice: Dice | None = None,
    ) -> None:
        self._terms = terms
        self._source = dice
        self._records: list[AnyRecord] = []
        self._states = [State(Position.start() if start is None else start)]
        self._result: Result | None = None
        self.number = number
        """Which game of the match or session it is, from 1."""
        self.comment = ""
        """What is said of the game before it begins."""
        self.closing_comment = ""
        """What is said of it after its end."""

    @property
    def terms(self) -> Terms:
        """What it is played for: rules, match length, score before it, whether it is the Crawford game."""
        return self._terms

    @property
    def score(self) -> tuple[Points, Points]:
        """Points of seat 0 and seat 1 before the game."""
        return self._terms.score

    @property
    def crawford(self) -> bool:
        """Whether it is the Crawford game."""
        return self._terms.crawford

    @property
    def start(self) -> Position:
        """Where the checkers stood at first."""
        return self._states[0].position

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        """Everything that happened."""
        return tuple(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Moment]:
        """Go through the records, each with the situation before it."""
        for index, record in enumerate(self._records):
            yield Moment(index, record, self._states[index], self._terms)

    def __getitem__(self, index: int) -> Moment:
        number = range(len(self._records))[index]
        return Moment(number, self._records[number], self._states[number], self._terms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game {self.number}: {len(self._records)} records, {self._outcome()}>"

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.game(self)

    def _content(self) -> tuple[Any, ...]:
        texts = (self.number, self.comment, self.closing_comment)
        return self._terms, self.start, self._records, self.result, texts

    def _outcome(self) -> str:
        result = self.result
        if result is None:
            return "not finished"
        if result.winner is None:
            return "no winner"
        return f"seat {result.winner} wins {result.points}"

    # What may happen next.

    @property
    def state(self) -> State:
        """Position, turn, cube, offers and dice as they are now."""
        return self._states[-1]

    @property
    def situation(self) -> Situation:
        """The same as a `Situation`, seen by the player whose roll it is; at first by seat 1."""
        return self.state.situation(self._terms)

    @property
    def phase(self) -> Phase:
        """What comes next."""
        return "over" if self._result is not None else self.state.phase

    @property
    def to_act(self) -> int | None:
        """The seat that has to decide; `None` before the game has begun and after it."""
        return None if self._result is not None else self.state.to_act

    @property
    def result(self) -> Result | None:
        """How it ended; `None` if it has not. What a file says goes before what the records say."""
        return self.state.result if self._result is None else self._result

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.result is not None

    @property
    def plays(self) -> Plays:
        """The legal plays of the roll on the table. Raises `IllegalActionError` if there is none."""
        state = self.state
        if self.phase != "to-play" or state.roll is None:
            raise IllegalActionError("play", "no dice have been thrown")
        return state.position.plays(state.roll)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the player who is to act may do; before the game begins, only 'roll'."""
        if self.is_over:
            return ()
        player = self.to_act
        if player is None:
            return ("roll",)
        possible: tuple[tuple[Action, AnyRecord], ...] = (
            ("take", CubeAction(player, "take")),
            ("pass", CubeAction(player, "pass")),
            ("beaver", CubeAction(player, "beaver")),
            ("raccoon", CubeAction(player, "raccoon")),
            ("double", CubeAction(player, "double")),
            ("resign", Resignation(player, "offer", "single")),
            ("settle", Settlement(player, "offer", 0)),
            *((name, Resignation(player, name)) for name in _ANSWERS),
            *((name, Settlement(player, name)) for name in _ANSWERS),
        )
        allowed = [name for name, record in possible if not problem(self._terms, self.state, record)]
        waiting = self.state.resignation is not None or self.state.settlement is not None
        if not waiting and self.phase in ("to-roll", "to-play"):
            allowed.insert(0, "roll" if self.phase == "to-roll" else "play")
        return tuple(allowed)

    # Playing.

    def roll(self, dice: RollLike | None = None, *, player: int | None = None, **notes: Any) -> Roll:
        """Throw the dice for the player to act, or take those given; a new game begins with it.

        A game that has not begun is started by the throws of its dice source (`Opening`), or, with `dice`
        given, by `player`, who plays them.

        Raises `IllegalActionError` if nobody may throw now, `SettingError` if there is no dice source.
        """
        if self.phase == "start":
            return self._start(dice, player, notes)
        seat = self.state.turn
        if seat is None or self.phase != "to-roll":
            raise IllegalActionError("roll", self._why_not_roll())
        thrown = self.state.opening if dice is None else roll_of(dice)
        if thrown is None:
            thrown = Roll(*self._dice())
        self._do("roll", Rolled(seat, thrown, **notes))
        return thrown

    def _start(self, dice: RollLike | None, player: int | None, notes: dict[str, Any]) -> Roll:
        if dice is not None:
            if player not in (0, 1):
                raise SettingError(f"player must be 0 or 1 when the first dice are given, got {player}")
            thrown = roll_of(dice)
            self._do("roll", Rolled(player, thrown, **notes))
            return thrown
        throws = [self._dice()]
        while throws[-1][0] == throws[-1][1]:
            throws.append(self._dice(len(throws)))
        starter = int(throws[-1][1] > throws[-1][0])
        self._do("roll", Opening(starter, tuple(throws)))
        return self.roll(player=starter, **notes)

    def _dice(self, more: int = 0) -> tuple[int, int]:
        """Throw the next dice: throws are numbered through the game, those for the start included."""
        if self._source is None:
            raise SettingError("this game has no dice: give the roll, or the match a seed or dice")
        return self._source(self.number, self.thrown + more)

    @property
    def thrown(self) -> int:
        """How often dice have been thrown, for the start too; the last of those is played."""
        count = 0
        used = False
        for record in self._records:
            if isinstance(record, Opening):
                count += len(record.throws)
                used = self._terms.rules.opening == "use_dice"
            elif isinstance(record, Rolled):
                count += not used
                used = False
        return count

    def _why_not_roll(self) -> str:
        turn = self.state.turn
        record = Rolled(turn or 0, Roll(2, 1))
        return "the game is over" if self.is_over else problem(self._terms, self.state, record)

    def play(self, play: PlayLike, **notes: Any) -> Play:
        """Play the roll; a completed play is not taken back.

        Raises `IllegalActionError` without a roll, `IllegalPlayError` and `ParseError` as `Position.play`.
        """
        state = self.state
        if self.phase != "to-play" or state.roll is None or state.turn is None:
            raise IllegalActionError(
                "play", "the game is over" if self.is_over else "no dice have been thrown"
            )
        made = state.position.play(play, state.roll)
        self._do("play", Played(state.turn, made, **notes))
        return made

    def double(self, **notes: Any) -> None:
        """Offer a double. Raises `IllegalActionError` if the player on roll may not."""
        self._cube("double", self.state.turn, notes)

    def take(self, **notes: Any) -> None:
        """Take the cube that is offered; play on after a beaver or a raccoon. Raises `IllegalActionError`."""
        self._cube("take", self.to_act, notes)

    def drop(self, **notes: Any) -> None:
        """Pass the cube that is offered and lose the game. Raises `IllegalActionError`."""
        self._cube("pass", self.to_act, notes)

    def beaver(self, **notes: Any) -> None:
        """Beaver the double. Raises `IllegalActionError`."""
        self._cube("beaver", self.to_act, notes)

    def raccoon(self, **notes: Any) -> None:
        """Raccoon the beaver. Raises `IllegalActionError`."""
        self._cube("raccoon", self.to_act, notes)

    def _cube(
        self,
        action: Literal["double", "take", "pass", "beaver", "raccoon"],
        player: int | None,
        notes: dict[str, Any],
    ) -> None:
        self._do(action, CubeAction(player or 0, action, **notes))

    def resign(self, level: Level = "single", *, player: int | None = None, **notes: Any) -> None:
        """Offer to lose the game at a level, by default for the player to act.

        Raises `IllegalActionError` if it may not be resigned now, `SettingError` for another level.
        """
        if level not in LEVELS:
            raise SettingError(f"level must be single, gammon or backgammon, got {level!r}")
        self._do("resign", Resignation(self._seat(player), "offer", level, **notes))

    def settle(self, points: Points, *, player: int | None = None, **notes: Any) -> None:
        """Offer to end the game for points that the player who offers would get, or pay if negative.

        Raises `IllegalActionError`.
        """
        self._do("settle", Settlement(self._seat(player), "offer", points, **notes))

    def accept(self, **notes: Any) -> None:
        """Accept a resignation or a settlement. Raises `IllegalActionError` if neither is offered."""
        self._answer("accept", notes)

    def decline(self, **notes: Any) -> None:
        """Decline a resignation or a settlement; play goes on. Raises `IllegalActionError`."""
        self._answer("decline", notes)

    def _answer(self, action: Literal["accept", "decline"], notes: dict[str, Any]) -> None:
        player = self.to_act or 0
        record = Settlement if self.state.settlement is not None else Resignation
        self._do(action, record(player, action, **notes))

    def flag(self, player: int, **notes: Any) -> None:
        """Record that a player's time has run out: the match is lost, or points by `Rules.flag_fall`."""
        self._do("flag", Flag(player, self._terms.rules.flag_fall or 0, **notes))

    def correct(self, play: PlayLike) -> Play:
        """Put a legal play in the place of the illegal one just recorded.

        Raises `IllegalActionError` unless the last record is an illegal play: once the opponent has thrown or
        doubled, it stands.
        """
        last = self._records[-1] if self._records else None
        before = self._states[-2] if last else self.state
        if not isinstance(last, Played) or not last.illegal or before.roll is None:
            raise IllegalActionError("correct", "the last thing that happened is not an illegal play")
        made = before.position.play(play, before.roll)
        self.undo()
        self._do("play", replace(last, play=made, illegal=""))
        return made

    def condone(self) -> None:
        """Let the illegal play just recorded stand, where the rules leave that to the opponent.

        Raises `IllegalActionError` otherwise.
        """
        last = self._records[-1] if self._records else None
        if not isinstance(last, Played) or not last.illegal:
            raise IllegalActionError("condone", "the last thing that happened is not an illegal play")
        if self._terms.rules.illegal_play != "responsible":
            raise IllegalActionError("condone", "an illegal play noticed in time must be corrected")
        self._records[-1] = replace(last, marks=(*last.marks, "condoned"))

    def _seat(self, player: int | None) -> int:
        seat = self.to_act if player is None else player
        return 0 if seat is None else seat

    def _do(self, action: str, record: AnyRecord) -> None:
        if record.player not in (0, 1):
            raise SettingError(f"player must be 0 or 1, got {record.player}")
        why = "the game is over" if self._result is not None else ""
        why = why or problem(self._terms, self.state, record)
        if why:
            raise IllegalActionError(action, why)
        self._append(record)

    def _append(self, record: AnyRecord) -> None:
        state = after(self._terms, self.state, record)
        self._records.append(record)
        self._states.append(state)

    def undo(self, records: int = 1) -> tuple[AnyRecord, ...]:
        """Take back the last records, and a result that was stated; returns what was taken back.

        For analysts: nobody takes back a play at the table. Raises `SettingError` if there are not so many.
        """
        if not 0 <= records <= len(self._records):
            raise SettingError(f"there are {len(self._records)} records to take back, not {records}")
        keep = len(self._records) - records
        taken = tuple(self._records[keep:])
        del self._records[keep:], self._states[keep + 1 :]
        self._result = None
        return taken

    # Reading.

    def add(self, record: AnyRecord) -> AnyRecord:
        """Record what a file says, whether or not the rules allow it, and return it as it is kept.

        `illegal` of what comes back says why the rules do not allow it, unless the record said so itself.
        """
        if record.player not in (0, 1):
            raise SettingError(f"player must be 0 or 1, got {record.player}")
        why = problem(self._terms, self.state, record)
        if why and not record.illegal:
            record = replace(record, illegal=why)
        self._append(record)
        return record

    def add_play(
        self,
        player: int,
        play: PlayLike,
        roll: RollLike | None = None,
        *,
        after: Position | None = None,
        **notes: Any,
    ) -> AnyRecord:
        """Record a play as a file has it: a text, or pairs of points. What comes back says if it is illegal.

        The roll is the one on the table unless one is given. A play that the rules do not allow, or that
        cannot be read, is kept as an `IllegalPlay`, with the position `after` (seen by the opponent, on roll)
        if it is given, else that its moves lead to.
        """
        state = self.state
        position = state.position if state.turn in (player, None) else state.position.flip()
        thrown = state.roll if roll is None else roll_of(roll)
        if thrown is None:
            raise SettingError("no dice have been thrown: give the roll of the play")
        return self.add(Played(player, made_of(position, thrown, play, after), **notes))

    def add_turn(
        self,
        player: int,
        roll: RollLike,
        play: PlayLike | None = None,
        *,
        after: Position | None = None,
        **notes: Any,
    ) -> tuple[AnyRecord, ...]:
        """Record a roll and its play, if there was one before the game ended; notes go with the last."""
        if play is None:
            return (self.add(Rolled(player, roll_of(roll), **notes)),)
        rolled = self.add(Rolled(player, roll_of(roll)))
        return rolled, self.add_play(player, play, after=after, **notes)

    def end(self, result: Result) -> Result:
        """Record how a file says the game ended, and return it as it is kept.

        `illegal` of what comes back says what contradicts it; an unfinished game may end in any way.
        """
        found = self.state.result
        if found is not None and not result.illegal:
            why = contradiction(found, result)
            result = replace(result, illegal=why, level=result.level or found.level)
        self._state_result(result)
        return result

    def _state_result(self, result: Result) -> None:
        self._result = result

    def note(self, index: int, **notes: Any) -> AnyRecord:
        """Change what is noted about a record: `comment`, `marks`, `findings` or `time_left`.

        Raises `SettingError` for anything else: what happened is not changed.
        """
        wrong = set(notes) - {"comment", "marks", "findings", "time_left"}
        if wrong:
            raise SettingError(
                f"notes are comment, marks, findings and time_left, not {', '.join(sorted(wrong))}"
            )
        number = range(len(self._records))[index]
        self._records[number] = replace(self._records[number], **notes)
        return self._records[number]


_ANSWERS: tuple[Literal["accept", "decline"], ...] = ("accept", "decline")
