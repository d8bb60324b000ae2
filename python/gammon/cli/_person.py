"""A person at a terminal as a player: sees the board, types decisions, may ask for hints."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from gammon import Roll, Situation, evaluators
from gammon import met as tables
from gammon._native import thread_count
from gammon.analysis import Decision
from gammon.analysis._judge import Judge
from gammon.errors import GammonError, IllegalActionError
from gammon.match import (
    AnyRecord,
    Choice,
    CubeAction,
    Game,
    Moment,
    Opening,
    Played,
    Resignation,
    Rolled,
    Series,
    Settlement,
)

Ask: TypeAlias = Callable[[str], str]
"""Shows a prompt and returns a line; raises `EOFError` at the end of all lines."""

Tell: TypeAlias = Callable[[str], None]
"""Shows a text."""

HELP = """\
a play         such as 8/5 6/5, bar/22, 13/11(2), 6/off
roll, r        throw the dice (also just Enter)
double, d      offer the cube
take, t        take it; play on after a beaver
pass, p        refuse it
beaver, b      take it and turn it once more
resign         a single game; resign gammon, resign backgammon
accept, no     answer a resignation
hint, h        what gammon would do
board          show the board again
save           write the match to its file
quit, q        stop; a match with a file can be taken up again"""

_WORDS = {
    "": "roll",
    "r": "roll",
    "d": "double",
    "t": "take",
    "p": "pass",
    "drop": "pass",
    "b": "beaver",
    "no": "decline",
    "yes": "accept",
    "resign gammon": "resign-gammon",
    "resign backgammon": "resign-backgammon",
    "resign single": "resign",
}
_ACTIONS = {"roll", "double", "take", "pass", "beaver", "raccoon", "accept", "decline"}
_ACTIONS |= {"resign", "resign-gammon", "resign-backgammon"}


class Quit(Exception):
    """The person wants to stop."""


class Person:
    """A player who types.

    `ask` shows a prompt and returns a line (`EOFError` is the end of all lines), `tell` shows a text, `save`
    writes the match. With a `tutor`, a decision that loses so much equity or more has to be confirmed.
    """

    def __init__(
        self,
        seat: int,
        series: Series,
        *,
        ask: Ask,
        tell: Tell,
        save: Callable[[], str],
        tutor: float | None = None,
        plies: int = 1,
    ) -> None:
        self.seat = seat
        self._series = series
        self._ask = ask
        self._tell = tell
        self._save = save
        self._tutor = tutor
        self._seen = (0, 0)
        self._judge = Judge(
            plies=plies,
            filter="normal",
            luck_plies=0,
            evaluator=evaluators.default(),
            prefilter=None,
            met=tables.load(),
            life=None,
            shown=5,
            threads=thread_count(),
        )

    def __call__(self, game: Game) -> Choice:
        """Return what the person decides. Raises `Quit`."""
        self.tell_news(game)
        forced = self._forced(game)
        if forced is not None:
            return forced
        self._tell(self.board(game))
        while True:
            choice = self._command(game, self._line(game))
            if choice is not None and self._is_meant(game, choice):
                return choice

    def tell_news(self, game: Game) -> None:
        """Tell what has happened since it was last told."""
        number, index = self._seen
        start = index if number == game.number else 0
        for moment in list(game)[start:]:
            text = describe(moment.record, self._series)
            if text:
                self._tell(text)
        self._seen = (game.number, len(game))

    def board(self, game: Game) -> str:
        """Return the board with the person below, and what is to be done."""
        state = game.state
        turn = self.seat if state.turn is None else state.turn
        shown = game.situation
        if turn != self.seat or shown.offer is not None:
            score = shown.score if turn == self.seat else (shown.score[1], shown.score[0])
            sides: dict[str | None, str | None] = {None: None, "roller": "opponent", "opponent": "roller"}
            owner = shown.cube_owner if turn == self.seat else sides[shown.cube_owner]
            shown = Situation.from_parts(
                shown.position if turn == self.seat else shown.position.flip(),
                length=shown.length,
                score=score,
                crawford=shown.crawford,
                cube=shown.cube,
                cube_owner="roller" if owner == "roller" else "opponent" if owner == "opponent" else None,
                cube_limit=None,
                seat=self.seat,
            )
        lines = shown.draw().splitlines()
        return "\n".join([*lines[:-1], f" {self._task(game)}"])

    def _task(self, game: Game) -> str:
        state = game.state
        other = self._series.label(1 - self.seat)
        if state.resignation is not None:
            return f"{other} offers to lose a {state.resignation[1]} game: accept, or no?"
        if state.settlement is not None:
            return f"{other} wants to settle for {state.settlement[1]}: accept, or no?"
        if state.offer is not None:
            return f"{other}: {state.offer} to {state.stake}. {', '.join(game.actions)}?"
        if state.roll is not None:
            return f"You have {state.roll} to play."
        choices = ", ".join(action for action in game.actions if action != "resign")
        return f"Your turn: {choices}?"

    def _forced(self, game: Game) -> Choice | None:
        """Return what is done without asking: a play without choice, a roll instead of which nothing is."""
        if "play" in game.actions and game.plays.is_forced:
            return game.plays[0]
        if game.actions in (("roll",), ("roll", "resign")):
            return "roll"
        return None

    def _line(self, game: Game) -> str:
        try:
            return " ".join(self._ask("> ").split())
        except EOFError:
            raise Quit from None

    def _command(self, game: Game, line: str) -> Choice | None:
        """Return the decision a line is; `None` if it was another command, which is then done."""
        word = _WORDS.get(line.lower(), line.lower())
        if word in ("quit", "q"):
            raise Quit
        if word in ("help", "?"):
            self._tell(HELP)
        elif word in ("hint", "h"):
            self._tell(self.hint(game))
        elif word == "board":
            self._tell(self.board(game))
        elif word == "save":
            self._tell(self._save())
        elif word.startswith("settle "):
            return self._settlement(word.removeprefix("settle "))
        elif word in _ACTIONS:
            return self._action(game, word)
        elif "play" in game.actions:
            try:
                return game.state.position.play(line, game.plays.roll)
            except GammonError as error:
                self._tell(f"{error}" if line[:1].isdigit() or line[:3].lower() == "bar" else _unknown(line))
        else:
            self._tell(_unknown(line))
        return None

    def _settlement(self, text: str) -> Choice | None:
        try:
            return "settle", Fraction(text)
        except (ValueError, ZeroDivisionError):
            self._tell(f"settle for how many points? {text!r} is no number")
            return None

    def _action(self, game: Game, word: str) -> Choice | None:
        name = "resign" if word.startswith("resign") else word
        if name in game.actions:
            return word
        if word == "roll" and "play" in game.actions:
            self._tell("your dice have been thrown: type a play")
        else:
            self._tell(f"you cannot {name} now: {', '.join(game.actions)}")
        return None

    # What gammon thinks.

    def _judged(self, game: Game, choice: Choice) -> Decision | None:
        """Judge a decision before it is made; `None` if it is none of play and cube."""
        record = _record(game, choice)
        if record is None:
            return None
        moment = Moment(len(game), record, game.state, game.terms)
        try:
            if isinstance(record, Played):
                return self._judge.play(0, moment)
            if isinstance(record, CubeAction) and record.action != "double":
                return self._judge.answer(0, moment)
            return self._judge.double(0, moment)
        except GammonError:
            return None

    def _is_meant(self, game: Game, choice: Choice) -> bool:
        """Whether a decision stands: giving up, and what the tutor finds wrong, is to be confirmed."""
        if isinstance(choice, str) and choice.startswith("resign"):
            level = choice.removeprefix("resign").removeprefix("-") or "single"
            points = game.terms.points(level, game.state.cube, offered=game.state.offered)  # type: ignore[arg-type]
            self._tell(
                f"Lose a {level} game, {points} point{'' if points == 1 else 's'}? Type yes to give it up."
            )
            return self._line(game).lower() in ("yes", "y")
        if self._tutor is None:
            return True
        judged = self._judged(game, choice)
        if judged is None or judged.error < self._tutor:
            return True
        self._tell(
            f"That loses {judged.error:.3f}. Type yes to do it anyway, or anything else to think again "
            "(hint shows what is better)."
        )
        return self._line(game).lower() in ("yes", "y")

    def hint(self, game: Game) -> str:
        """Return what gammon would do, and what other choices lose."""
        actions = game.actions
        choice: Choice
        if "play" in actions:
            choice = game.plays[0]
        elif "take" in actions:
            choice = "take"
        elif "roll" in actions:
            choice = "roll"
        else:
            return "no hint for this"
        judged = self._judged(game, choice)
        if judged is None:
            return "roll: you cannot double"
        best = judged.best.equity
        shown = [one for one in judged.choices if "," not in one.name][:5]
        return "\n".join(
            f"{number}. {one.name:<24} {one.equity:+.3f}"
            + (f" ({one.equity - best:+.3f})" if number > 1 else "")
            for number, one in enumerate(shown, 1)
        )


def _unknown(line: str) -> str:
    return f"{line!r:.60} is nothing you can do now; help lists the commands"


def _record(game: Game, choice: Choice) -> AnyRecord | None:
    """Return the record a decision would be; `None` for one that is not judged."""
    seat = game.to_act
    if seat is None:
        return None
    if choice == "roll":
        return Rolled(seat, Roll(2, 1))  # whatever the dice: judged is that there was no double
    if isinstance(choice, str) and choice in ("double", "take", "pass", "beaver", "raccoon"):
        return CubeAction(seat, choice)  # type: ignore[arg-type]
    if isinstance(choice, str) or (isinstance(choice, tuple) and choice and choice[0] == "settle"):
        return None
    try:
        return Played(seat, game.state.position.play(choice, game.plays.roll))  # type: ignore[arg-type]
    except (GammonError, IllegalActionError):
        return None


def describe(record: AnyRecord, series: Series) -> str:
    """Say in a line what happened; nothing for a throw, which its play tells."""
    who = series.label(record.player)
    match record:
        case Opening():
            throws = ", ".join(f"{first}-{second}" for first, second in record.throws)
            return f"{who}: first to play ({throws})"
        case Played():
            return f"{who}: {record.roll}, {'no play' if record.play.is_pass else record.play}"
        case CubeAction():
            return f"{who}: {record.action}"
        case Resignation() | Settlement():
            level = f" ({record.level})" if isinstance(record, Resignation) and record.level else ""
            what = "resignation" if isinstance(record, Resignation) else "settlement"
            return f"{who}: {what}{level} {_ANSWERS[record.action]}"
        case _:
            return ""


_ANSWERS = {"offer": "offered", "accept": "accepted", "decline": "declined"}
