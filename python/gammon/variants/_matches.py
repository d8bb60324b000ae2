"""Games of the family one after the other: matches, money sessions, and Trictrac in rounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from gammon.errors import SettingError
from gammon.variants._game import Variant
from gammon.variants._position import VariantPosition
from gammon.variants._values import VariantResult

Who: TypeAlias = Literal["me", "opponent"]
_PLAYERS: tuple[Who, Who] = ("me", "opponent")


def check_player(who: Any) -> None:
    """Raise `SettingError` for what is neither of the two players."""
    if who not in _PLAYERS:
        raise SettingError(f"a player is 'me' or 'opponent', not {who!r}")


def other(who: Who) -> Who:
    """The other player."""
    return "opponent" if who == "me" else "me"


def check_number(name: str, value: Any, least: int) -> None:
    """Raise `SettingError` for what is no whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SettingError(f"{name} must be a whole number of at least {least}, got {value!r}")


def _check_variant(variant: object) -> None:
    """Raise `TypeError` for what is no game, such as its name."""
    if not isinstance(variant, Variant):
        raise TypeError(f"a game is needed, as gammon.variants.get names it, got {variant!r:.80}")


@dataclass(frozen=True)
class MatchGame:
    """A game of a match as it was scored."""

    winner: Who | None
    """Who won, or nobody."""
    kind: str
    """`VariantResult.kind`; `drop` after a double that was not taken, `settled` after an agreement."""
    points: Fraction
    """What the winner got, the cube included."""
    cube: int
    """What the cube showed, 1 without one."""


class VariantMatch:
    """Games of one kind in a row.

    To a number of points (`target`), so many games (`games`), or for money as long as one likes (neither).
    Tavla is played to the points its option `target` says unless something else is asked for.

    >>> from gammon import variants
    >>> match = variants.VariantMatch(variants.get("tavla"))
    >>> match.target, match.starter
    (5, None)
    >>> match.add(variants.VariantResult("opponent", "gammon", 2))
    >>> match.score, match.starter, match.cube_allowed
    ((0, 2), 'opponent', False)

    Raises `SettingError` for a target and games at once, and numbers that are none.
    """

    def __init__(
        self,
        variant: Variant,
        *,
        target: int | None = None,
        games: int | None = None,
        stake: float = 1.0,
        crawford: bool = True,
    ) -> None:
        _check_variant(variant)
        if target is not None and games is not None:
            raise SettingError(f"a match has a target or a number of games, not both: {target} and {games}")
        if target is None and games is None and variant.name == "tavla":
            target = int(variant.options["target"])
        for name, number in (("target", target), ("games", games)):
            if number is not None:
                check_number(name, number, 1)
        if not 0 < stake < math.inf:
            raise SettingError(f"the stake of a point must be positive, got {stake!r}")
        self.variant = variant
        self.target = target
        self.games = games
        self.stake = stake
        self.crawford = crawford
        self.played: list[MatchGame] = []
        self._crawford_played = False

    @property
    def score(self) -> tuple[Fraction | int, Fraction | int]:
        """Points of both players, mine first; whole unless a game was settled for something else."""
        mine, his = (sum((g.points for g in self.played if g.winner == who), Fraction()) for who in _PLAYERS)
        return _plain(mine), _plain(his)

    @property
    def balance(self) -> float:
        """What I have won in money: the points at their stake."""
        mine, his = self.score
        return float(mine - his) * self.stake

    @property
    def is_over(self) -> bool:
        """Whether the target is reached or all games have been played; never for money."""
        if self.target is not None:
            return max(self.score) >= self.target
        return self.games is not None and len(self._counted) >= self.games

    @property
    def winner(self) -> Who | None:
        """Who has won the match; nobody while it is played, and if so many games ended level."""
        mine, his = self.score
        if not self.is_over or mine == his:
            return None
        return "me" if mine > his else "opponent"

    @property
    def starter(self) -> Who | None:
        """Who starts the next game, throwing both dice; `None` if an opening throw decides.

        Where winners start, a game that nobody has won leaves it to the dice again.
        """
        if not self.played or self.variant.later_games == "opening":
            return None
        return self.played[-1].winner

    @property
    def uses_opening_dice(self) -> bool:
        """Whether the next game begins with an opening throw whose dice its winner plays."""
        return self.starter is None and self.variant.opening == "use_dice"

    @property
    def is_crawford(self) -> bool:
        """Whether the next game is the first with a player a point from victory, played without a cube."""
        if not self.crawford or not self.variant.has_cube or self.target is None or self.is_over:
            return False
        return not self._crawford_played and max(self.score) == self.target - 1

    @property
    def cube_allowed(self) -> bool:
        """Whether the next game is played with a cube."""
        return self.variant.has_cube and not self.is_over and not self.is_crawford

    @property
    def _counted(self) -> list[MatchGame]:
        """The games that count: those that could not be ended are played again."""
        return [game for game in self.played if game.kind != "void"]

    def add(self, result: VariantResult, cube: int = 1) -> None:
        """Score a game that was played to its end.

        Raises `SettingError` if the match is over, for a cube where there is none, and a win of no points.
        """
        if not isinstance(result, VariantResult):
            raise TypeError(f"a game is scored by its VariantResult, got {result!r:.80}")
        if result.winner is not None and result.points < 1:
            raise SettingError(f"a game that is won is worth at least a point, got {result!r:.120}")
        self._score(result.winner, result.kind, Fraction(self._stake_of(result, cube)), cube)

    def drop(self, winner: Who, cube: int = 1) -> None:
        """Score a game whose double was not taken: what the cube showed before it, as a single game.

        Raises `SettingError` as `add` does, and where no cube is allowed.
        """
        check_player(winner)
        if not self.cube_allowed:
            raise SettingError(
                f"this game of {self.variant.name} is played without a cube: nothing was doubled"
            )
        _check_cube(cube)
        self._score(winner, "drop", Fraction(cube), cube)

    def settle(self, winner: Who, points: int | float | Fraction, cube: int = 1) -> None:
        """Score a game that the players of a money session have agreed to end for so many points.

        Raises `SettingError` in a match, where games are not settled, and for points that no game could be
        worth: more than three times the cube where there is one, more than thirty otherwise.
        """
        check_player(winner)
        if self.target is not None or self.games is not None:
            raise SettingError("games are settled when playing for money, not in a match")
        self._check_cube(cube)
        most = 3 * cube if self.variant.has_cube else 30
        if not 0 <= points <= most:
            raise SettingError(f"a game is settled for 0 to {most} points, not {points!r}")
        self._score(winner, "settled", Fraction(points), cube)

    def _stake_of(self, result: VariantResult, cube: int) -> int:
        self._check_cube(cube)
        return self.variant.stake(result, cube)

    def _check_cube(self, cube: int) -> None:
        _check_cube(cube)
        if cube > 1 and not self.cube_allowed:
            reason = "the Crawford game" if self.is_crawford else self.variant.name
            raise SettingError(f"{reason} is played without a cube, but its value is given as {cube}")

    def _score(self, winner: Who | None, kind: str, points: Fraction, cube: int) -> None:
        if self.is_over:
            raise SettingError("the match is over")
        if winner is not None:
            check_player(winner)
        if kind != "void":
            self._crawford_played |= self.is_crawford
        self.played.append(MatchGame(winner, kind, points if winner else Fraction(), cube))


def _check_cube(cube: Any) -> None:
    check_number("the cube", cube, 1)
    if cube & (cube - 1):
        raise SettingError(f"a cube shows 1, 2, 4, ..., not {cube}")


def _plain(points: Fraction) -> Fraction | int:
    return int(points) if points.denominator == 1 else points


@dataclass(frozen=True)
class Round:
    """A round of Trictrac "a ecrire" as it was scored."""

    holes: tuple[int, int]
    """Holes of both players, mine first."""
    winner: Who | None
    """Who had more; nobody if they were as many, and the round is played again."""
    payment: int
    """What the winner is paid."""


class EcrireMatch:
    """Trictrac "a ecrire": an even number of rounds, whose payments are added up.

    The first throw alternates by rounds; a drawn round is played again by the same starter, and pays more.

    >>> from gammon import variants
    >>> match = variants.EcrireMatch(variants.get("trictrac", mode="ecrire", rounds=2))
    >>> match.add(8, 3, run=6)
    >>> match.rounds[-1].payment, match.starter, match.balance
    (17, 'opponent', 17)

    Raises `SettingError` for another game than Trictrac with `mode="ecrire"`.
    """

    def __init__(self, variant: Variant, *, first: Who = "me") -> None:
        _check_variant(variant)
        if variant.name != "trictrac" or variant.options["mode"] != "ecrire":
            raise SettingError(f"rounds are played in trictrac with mode='ecrire', not in {variant!r}")
        check_player(first)
        self.variant = variant
        self.first = first
        self.length = int(variant.options["rounds"])
        self.rounds: list[Round] = []

    @property
    def decided(self) -> int:
        """Rounds that somebody has won."""
        return sum(one.winner is not None for one in self.rounds)

    @property
    def draws(self) -> int:
        """Draws of the round that is being played."""
        count = 0
        while count < len(self.rounds) and self.rounds[-1 - count].winner is None:
            count += 1
        return count

    @property
    def starter(self) -> Who | None:
        """Who throws first in the round to be played; `None` when all are played."""
        if self.is_over:
            return None
        return self.first if self.decided % 2 == 0 else other(self.first)

    @property
    def is_over(self) -> bool:
        """Whether all rounds have been won by somebody."""
        return self.decided >= self.length

    @property
    def balance(self) -> int:
        """What I have been paid, less what I have paid."""
        return sum(one.payment if one.winner == "me" else -one.payment for one in self.rounds)

    @property
    def winner(self) -> Who | None:
        """Who has been paid more, once all rounds are played."""
        if not self.is_over or self.balance == 0:
            return None
        return "me" if self.balance > 0 else "opponent"

    def add(self, mine: int, his: int, *, run: int = 0) -> None:
        """Score a round by the holes of both and the longest uninterrupted run of the winner's.

        With W holes against L, k 4 after a run of 12 or more, 2 after one of 6 or more, else 1, and r draws
        of this round before, the winner is paid k W - L + 2 k 2^r.

        Raises `SettingError` once all rounds are played, and for holes that no round ends with.
        """
        if self.is_over:
            raise SettingError(f"all {self.length} rounds are played")
        for holes in (mine, his):
            check_number("holes", holes, 0)
        if max(mine, his) < 6:
            raise SettingError(f"a round ends when a side has six holes or more, not with {mine} and {his}")
        check_number("run", run, 0)
        if run > max(mine, his):
            raise SettingError(f"a run of {run} holes is longer than {max(mine, his)} holes")
        if mine == his:
            self.rounds.append(Round((mine, his), None, 0))
            return
        k = 4 if run >= 12 else 2 if run >= 6 else 1
        payment = k * max(mine, his) - min(mine, his) + 2 * k * 2**self.draws
        self.rounds.append(Round((mine, his), "me" if mine > his else "opponent", payment))

    def add_position(self, position: VariantPosition, to_act: Who) -> None:
        """Score a round by the position that ended it, whose player to act is `to_act`.

        Raises `SettingError` as `add` does, and for a position in which no round has ended.
        """
        check_player(to_act)
        if position.variant != self.variant or not position.is_over:
            raise SettingError(f"no round of {self.variant!r} has ended with {position!r}")
        tt: Mapping[str, Any] = position.fields["tt"]
        holes, runs = tt["holes"], tt.get("best_runs", [0, 0])
        ahead = 0 if holes[0] > holes[1] else 1
        mine, his = holes if to_act == "me" else reversed(holes)
        self.add(mine, his, run=runs[ahead])


class TavliMatch:
    """The games of Tavli in turn: Portes, Plakoto, Fevga, and again from the first.

    `mode` is `race` (the first to `target` points, 3, 5 or 7) or `best_of_three` (the first to win two
    games).

    >>> from gammon import variants
    >>> match = variants.TavliMatch(target=3)
    >>> match.add("me", 1)
    >>> match.next_game, match.starter, match.score
    ('plakoto', 'me', (1, 0))
    """

    CYCLE = ("portes", "plakoto", "fevga")

    def __init__(self, *, target: int = 7, mode: Literal["race", "best_of_three"] = "race") -> None:
        if mode not in ("race", "best_of_three"):
            raise SettingError(f"the mode of a Tavli match is race or best_of_three, not {mode!r}")
        if target not in (3, 5, 7):
            raise SettingError(f"a Tavli match goes to 3, 5 or 7 points, not {target}")
        self.target = target
        self.mode = mode
        self._score = {"me": 0, "opponent": 0}
        self._wins = {"me": 0, "opponent": 0}
        self._place = 0
        self._starter: str | None = None

    @property
    def score(self) -> tuple[int, int]:
        """Points of both players, mine first."""
        return self._score["me"], self._score["opponent"]

    @property
    def winner(self) -> str | None:
        """`"me"` or `"opponent"` once one has won."""
        reached = self._wins if self.mode == "best_of_three" else self._score
        needed = 2 if self.mode == "best_of_three" else self.target
        return next((who for who, count in reached.items() if count >= needed), None)

    @property
    def next_game(self) -> str | None:
        """The game that is played next; `None` if the match is over."""
        return None if self.winner else self.CYCLE[self._place % 3]

    @property
    def starter(self) -> str | None:
        """Who starts it: the winner of the last game, or `None` if an opening throw decides."""
        return self._starter

    def add(self, winner: Literal["me", "opponent"] | None, points: int) -> None:
        """Score a game; `None` is a draw.

        Raises `SettingError` if the match is over, for points that no game is worth, and for a draw of a game
        that has none.
        """
        if self.winner:
            raise SettingError(f"the match is over: {self.winner} has won")
        if winner not in ("me", "opponent", None):
            raise SettingError(f"the winner is 'me', 'opponent' or None, not {winner!r}")
        if winner is None:
            if self.next_game != "plakoto" or points:
                raise SettingError(
                    f"{self.next_game} with {points} points is no draw; only plakoto has one, for 0"
                )
            self._starter = None
            self._place += self.mode == "race"
            return
        if points not in (1, 2):
            raise SettingError(f"a game is worth 1 or 2 points, not {points}")
        self._score[winner] += points
        self._wins[winner] += 1
        self._starter = winner
        self._place += 1
