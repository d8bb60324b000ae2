"""Games of another kind at the terminal: a person against an evaluator."""

import secrets
from pathlib import Path
from typing import Any

from gammon import Roll, evaluators
from gammon._native import seeded_throw
from gammon.cli._person import Ask, Quit, Tell
from gammon.errors import GammonError
from gammon.variants import Variant, VariantPlay, VariantPosition

__all__ = ["VariantTable"]

HELP = """\
a play         as it is listed by plays: 24/18 18/16, bar/22, 6/off, 13/11(2); or a word: stay, leave, 66
a number       the play of this number in the list
plays, p       the plays there are
hint, h        what gammon would do
board          the board again
quit, q        stop"""

_MOST_DECISIONS = 20_000
"""Decisions after which a game is broken off."""

_LISTED = 60
"""Plays shown in a list."""


class VariantTable:
    """A person and gammon at a table, one game after another, without a cube."""

    def __init__(
        self, game: Variant, *, net: Path | None, name: str, seed: int | None, ask: Ask, tell: Tell
    ) -> None:
        self._game = game
        self._evaluator: Any = evaluators.default(game) if net is None else evaluators.load_for(game, net)
        self._names = (name, "gammon")
        self._seed = secrets.randbits(63) if seed is None else seed
        self._ask, self._tell = ask, tell
        self._score = [0, 0]
        self._played = 0

    def play(self, *, length: int, games: int | None) -> dict[str, Any]:
        """Play until somebody has so many points or so many games are over; the score.

        A length of 0 is a session without an end.
        """
        starter: int | None = None
        try:
            while (games is None or self._played < games) and not (length and max(self._score) >= length):
                mine, theirs = self._score
                number, game = self._played + 1, self._game.name
                self._tell(f"\nGame {number} of {game}: {self._names[0]} {mine}, gammon {theirs}")
                winner = self._one(starter)
                starter = winner if self._game.later_games == "winner_starts" else None
                self._played += 1
        except (Quit, KeyboardInterrupt):
            self._tell("stopped")
        return {
            "variant": self._game.name,
            "options": self._game.options,
            "games": self._played,
            "score": list(self._score),
            "seed": self._seed,
            "evaluator": self._evaluator.id,
        }

    def _one(self, starter: int | None) -> int | None:
        """Play a game; who has won it."""
        turn = 0

        def throw() -> tuple[int, int]:
            nonlocal turn
            turn += 1
            return seeded_throw(self._seed, self._played, turn)

        first = None
        acts = starter
        while acts is None:
            one, other = throw()
            if one != other:
                acts, first = (0 if one > other else 1), Roll(one, other)
                self._tell(f"{self._names[acts]}: first to play ({one}-{other})")
        if self._game.opening == "reroll":
            first = None
        position, passes = self._game.start, 0
        for _ in range(_MOST_DECISIONS):
            roll = None
            if position.asks == ("throw",):
                roll, first = first or Roll(*throw()), None
            played = self._decided(position, roll, acts)
            passes = passes + 1 if played.before.plays(roll).is_pass else 0
            who = self._names[acts]
            self._tell(f"{who}: " + (f"{roll}, {played}" if roll is not None else f"{played}"))
            position = played.after
            acts = acts if played.again else 1 - acts
            result = position.result
            if result is not None:
                return self._ended(result.winner, acts, result.kind, result.points)
            if passes > 40 and _is_stuck(position):
                break
        self._tell("Nobody can move any more: no points.")
        return None

    def _ended(self, winner: str | None, acts: int, kind: str, points: int) -> int | None:
        if winner is None:
            self._tell(f"A {kind}: no points.")
            return None
        won = acts if winner == "me" else 1 - acts
        self._score[won] += points
        mine, theirs = self._score
        score = f"{self._names[0]} {mine}, gammon {theirs}"
        self._tell(f"{self._names[won]} wins {points} ({kind}). {score}.")
        return won

    def _decided(self, position: VariantPosition, roll: Roll | None, acts: int) -> VariantPlay:
        plays = position.plays(roll)
        if len(plays) == 1:
            return plays[0]
        if acts == 1:
            return position.rank(roll, evaluator=self._evaluator)[0].play
        self._tell(position.draw())
        self._tell(f" You have {roll} to play." if roll is not None else " You decide.")
        while True:
            found = self._command(position, roll)
            if found is not None:
                return found

    def _command(self, position: VariantPosition, roll: Roll | None) -> VariantPlay | None:
        """Return the play that a line says; `None` if it was another command, which is then done."""
        try:
            line = " ".join(self._ask("> ").split()).lower()
        except EOFError:
            raise Quit from None
        if line in ("quit", "q"):
            raise Quit
        if line in ("help", "?", ""):
            self._tell(HELP)
        elif line in ("board", "b"):
            self._tell(position.draw())
        elif line in ("hint", "h"):
            ranked = position.rank(roll, evaluator=self._evaluator)[:5]
            lines = [f"{n}. {one.play!s:<28} {one.equity:+.3f}" for n, one in enumerate(ranked, 1)]
            self._tell("\n".join(lines))
        elif line in ("plays", "p"):
            plays = position.plays(roll)
            self._tell("\n".join(f"{n:>3}. {play}" for n, play in enumerate(plays[:_LISTED], 1)))
            if len(plays) > _LISTED:
                self._tell(f"and {len(plays) - _LISTED:,} more")
        else:
            return self._named(position, roll, line)
        return None

    def _named(self, position: VariantPosition, roll: Roll | None, line: str) -> VariantPlay | None:
        plays = position.plays(roll)
        try:
            return position.play(line, roll)
        except GammonError as error:
            if line.isascii() and line.isdigit() and 0 < int(line) <= len(plays):
                return plays[int(line) - 1]
            self._tell(f"{error}; help lists the commands, plays the plays")
            return None


def _is_stuck(position: VariantPosition) -> bool:
    """Whether neither side can move a checker, whatever is thrown."""
    if not all(position.plays(roll).is_pass for roll in Roll.all()):
        return False
    other = position.plays(Roll(2, 1))[0].after
    return all(other.plays(roll).is_pass for roll in Roll.all())
