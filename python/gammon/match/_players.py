"""Players: anyone or anything that decides, and gammon's own evaluator at any strength."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from gammon import cube, evaluators, search
from gammon import met as tables
from gammon._native import CubeDecision, Play, SearchCache, Situation
from gammon._situations import standing
from gammon._typing import PlayLike
from gammon.cube import MetLike
from gammon.errors import IllegalActionError, SettingError
from gammon.match._game import Game
from gammon.match._records import Points
from gammon.match._rules import LEVELS, Level
from gammon.match._stakes import match_chance, match_scale

Choice: TypeAlias = PlayLike | tuple[Literal["settle"], Points]
"""A decision: a play, or 'roll', 'double', 'take', 'pass', 'beaver', 'raccoon', 'resign' (a single game),
'resign-gammon', 'resign-backgammon', 'accept', 'decline', or `('settle', points)`."""

STRENGTHS: dict[str, tuple[int, float]] = {
    "beginner": (0, 0.15),
    "casual": (0, 0.12),
    "intermediate": (0, 0.095),
    "advanced": (0, 0.065),
    "expert": (0, 0.045),
    "world-class": (0, 0.025),
    "strong": (1, 0.0),
    "strongest": (2, 0.0),
}
"""Names of strengths: plies looked ahead, and the noise on every equity."""


_CERTAIN = 0.999
"""From here an engine that resigns takes a chance for certain: a net never says 1."""


class Decider(Protocol):
    """Anyone who decides: called with the game when it is his turn; `game.actions` says what he may do."""

    def __call__(self, game: Game, /) -> Choice: ...


class Engine:
    """gammon's evaluator as a player.

    It looks `plies` ahead and adds to every equity it compares a normally distributed error of standard
    deviation `noise`, which depends on `seed`, the game's number and how far the game has got, and on
    nothing else. It resigns only with `resigns`, and only lost races.

    Raises `SettingError` for a negative noise.

    >>> from gammon.match import Engine, Match
    >>> game = Match(5).new_game()
    >>> roll = game.roll("31", player=0)
    >>> str(Engine()(game))
    '8/5 6/5'
    """

    def __init__(
        self,
        *,
        plies: int = 0,
        noise: float = 0.0,
        seed: int = 0,
        evaluator: evaluators.Evaluator | None = None,
        filter: search.FilterLike = "normal",
        met: MetLike = tables.DEFAULT,
        resigns: bool = False,
        threads: int | None = None,
    ) -> None:
        if not noise >= 0:
            raise SettingError(f"noise must be at least 0, got {noise}")
        self.plies = plies
        self.noise = noise
        self.seed = seed
        self.resigns = resigns
        self._evaluator = evaluators.default() if evaluator is None else evaluator
        self._filter = filter
        self._met = tables.load(met)
        self._threads = threads
        self._cache = SearchCache() if plies else None

    @classmethod
    def named(cls, strength: str, *, seed: int = 0, resigns: bool = False) -> "Engine":
        """Return the engine of a named strength; docs/match.md says how strong each is.

        Raises `SettingError` for an unknown name.
        """
        if strength not in STRENGTHS:
            raise SettingError(f"strength must be one of {', '.join(STRENGTHS)}, got {strength!r}")
        plies, noise = STRENGTHS[strength]
        return cls(plies=plies, noise=noise, seed=seed, resigns=resigns)

    def __call__(self, game: Game) -> Choice:
        """Decide. Raises `IllegalActionError` if nothing is to be decided, and what evaluating does."""
        actions = game.actions
        if game.state.resignation is not None:
            return "accept" if self._accepts(game) else "decline"
        if game.state.settlement is not None:
            return "accept" if self._settles(game) else "decline"
        if "play" in actions:
            return self._play(game)
        if game.phase == "to-answer":
            return self._answer(game)
        if "roll" not in actions:
            raise IllegalActionError("decision", "the game is over")
        level = self._lost(game)
        if level is not None:
            return "resign" if level == "single" else f"resign-{level}"
        return "double" if "double" in actions and self._doubles(game) else "roll"

    def _play(self, game: Game) -> Play:
        plays = game.plays
        if plays.is_forced:
            return plays[0]
        ranking = search.rank(
            game.situation,
            plies=self.plies,
            filter=self._filter,
            cubeful=True,
            evaluator=self._evaluator,
            met=self._met,
            cache=self._cache,
            threads=self._threads,
        )
        if not self.noise:
            return ranking.best.play
        equities = np.array([ranked.equity for ranked in ranking])
        return ranking[int(np.argmax(equities + self._errors(game, len(equities))))].play

    def _errors(self, game: Game, count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        place = (game.number << 32) | len(game)
        stream = np.random.Generator(np.random.Philox(key=[self.seed % (1 << 64), place]))
        return self.noise * stream.standard_normal(count)

    def _decision(self, situation: Situation) -> CubeDecision:
        return cube.decide(
            situation,
            plies=self.plies,
            evaluator=self._evaluator,
            met=self._met,
            threads=self._threads,
        )

    def _doubles(self, game: Game) -> bool:
        decision = self._decision(game.situation)
        held, taken = decision.no_double_equity, decision.double_take_equity
        if decision.action is None or taken is None:
            return False
        if not self.noise:
            return decision.action == "double"
        errors = self._errors(game, 2)
        answered = min(taken + errors[1], 1.0)
        if decision.answer == "beaver" and decision.double_beaver_equity is not None:
            answered = min(answered, decision.double_beaver_equity + errors[1])
        return bool(answered > held + errors[0])

    def _answer(self, game: Game) -> str:
        decision = self._decision(game.situation)
        error = self._errors(game, 1)[0]
        if game.state.offer == "double":
            taken = 1.0 if decision.double_take_equity is None else decision.double_take_equity
            if taken + error > 1.0:
                return "pass"
            return "beaver" if decision.answer == "beaver" and "beaver" in game.actions else "take"
        if game.state.offer == "beaver":
            reply = decision.beaver_reply
            if reply == "raccoon" and "raccoon" in game.actions:
                return "raccoon"
            return "pass" if reply == "drop" and "pass" in game.actions else "take"
        # A raccoon refused costs half of what it makes of the cube: four times the cube before the double.
        worth = decision.raccoon_equity
        return "pass" if worth is not None and worth + 4 * error > 4.0 else "take"

    def _accepts(self, game: Game) -> bool:
        """Whether the offer is at least what the game is worth, or nothing larger can come of it."""
        offer = game.state.resignation
        if offer is None:
            return False
        loser, level = offer
        position = game.state.position if game.state.turn == loser else game.state.position.flip()
        if position.borne_off[0] or level == "backgammon":
            return True
        points = game.terms.points(level, 1, offered=game.state.offered)
        return self._worth(game, 1 - loser) <= self._normalised(game, 1 - loser, points)

    def _normalised(self, game: Game, winner: int, points: int) -> float:
        """Return points of the cube's value as an equity; in a match the cube won is 1 and lost -1."""
        if not game.terms.length:
            return float(points)
        win, lose = match_scale(self._met, game.terms, game.state, winner)
        there = match_chance(self._met, game.terms, game.state, winner, points * game.state.cube)
        return 2 * (there - lose) / (win - lose) - 1 if win > lose else float(points)

    def _worth(self, game: Game, seat: int) -> float:
        """Return the equity of a player, per unit of the cube, normalised in a match."""
        state = game.state
        if state.roll is not None:
            shown = state.situation(game.terms)
            if shown.offer is not None:
                shown = _without_offer(game)
            equity = search.rank(
                shown, plies=0, cubeful=True, evaluator=self._evaluator, met=self._met
            ).best.equity
        else:
            equity = self._decision(_without_offer(game)).optimal_equity
        return equity if state.turn == seat else -equity

    def _settles(self, game: Game) -> bool:
        offer = game.state.settlement
        if offer is None:
            return False
        by, points = offer
        return float(-points) >= self._worth(game, 1 - by) * game.state.cube

    def _lost(self, game: Game) -> Level | None:
        """Return how a race is lost beyond doubt; `None` if it is not, or the engine does not resign."""
        position = game.state.position
        if not self.resigns or not position.is_race or "resign" not in game.actions:
            return None
        win, _, _, gammons, backgammons = cube.chances(position, self._evaluator)
        chances = (1 - win, gammons, backgammons)
        certain = sum(chance >= _CERTAIN for chance in chances)
        if certain == 0 or any(chance > 1 - _CERTAIN for chance in chances[certain:]):
            return None
        return LEVELS[certain - 1]


def _without_offer(game: Game) -> Situation:
    """Return the situation as if nobody had offered to resign or to settle."""
    shown = game.situation
    return shown if shown.offer is None else standing(shown, roll=shown.roll)


def carry_out(game: Game, choice: Choice, **notes: Any) -> None:
    """Do what a player decided. Raises `IllegalActionError` and `IllegalPlayError` if he may not."""
    if isinstance(choice, tuple) and len(choice) == 2 and choice[0] == "settle":
        game.settle(_points(choice[1]), **notes)
    elif isinstance(choice, str) and choice in _SIMPLE:
        getattr(game, _SIMPLE[choice])(**notes)
    elif isinstance(choice, str) and choice in _RESIGN:
        game.resign(_RESIGN[choice], **notes)
    else:
        game.play(choice, **notes)


_SIMPLE = {name: name for name in ("roll", "double", "take", "beaver", "raccoon", "accept", "decline")}
_SIMPLE["pass"] = "drop"
_RESIGN: dict[str, Level] = {"resign": "single", **{f"resign-{level}": level for level in LEVELS}}


def _points(value: object) -> Points:
    if isinstance(value, int | Fraction):
        return value
    raise SettingError(f"a settlement is for a whole number of points or a Fraction, got {value!r}")


def seats(players: Sequence[Decider]) -> tuple[Decider, Decider]:
    """Return the two players of a match. Raises `SettingError` unless there are two."""
    if len(players) != 2:
        raise SettingError(f"there must be two players, got {len(players)}")
    return players[0], players[1]
