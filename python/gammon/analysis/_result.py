"""What an analysis found, and the sums people look at."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from gammon._typing import Phase
from gammon.analysis import _plain
from gammon.analysis._decisions import Decision, Kind, Luck, Skipped
from gammon.analysis._ratings import RATINGS, Rating, rate
from gammon.analysis._settings import Mark, Settings
from gammon.errors import MatchDataError, SettingError
from gammon.match import Game, Series

FORMAT = "gammon-analysis"
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A game of the match that was analysed."""

    number: int
    score: tuple[float, float]
    """Points of seat 0 and seat 1 before it."""
    winner: int | None
    """The seat; `None` if nobody has won it."""
    points: float
    """What the winner got."""
    plays: tuple[int, int]
    """Plays of seat 0 and seat 1, forced ones too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Decisions of one kind added up."""

    decisions: int
    forced: int
    """How many of them left nothing to choose."""
    marks: dict[Mark, int]
    """How many errors there are of each mark."""
    error: float
    """All errors, in equity."""
    error_mwc: float | None
    """All errors, in match winning chances; `None` in money play."""
    error_points: float
    """All errors times the cube, in points; in a match, of that match's normalised kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckTotals:
    """Rolls of one player added up."""

    rolls: int
    equity: float
    mwc: float | None
    """`None` in money play."""
    points: float
    """Luck times the cube."""
    marks: dict[str, int]
    """How many rolls there are of each mark, such as 'very lucky'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Every decision of a match, judged; going through it gives them in the order they were made."""

    settings: Settings
    players: tuple[str, str]
    """Names of seat 0 and seat 1; empty if unknown."""
    length: int
    """Points of the match; 0 is money play."""
    games: tuple[GameSummary, ...]
    result: tuple[float, float]
    """What came of it for each seat: the match won (0.5) or lost (-0.5), or the chance to win it less that at
    the start if it is not finished; points won less points lost in money play."""
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    skipped: tuple[Skipped, ...]
    """What could not be judged, as illegal plays."""
    is_complete: bool
    """Whether everything was judged; false if it was stopped."""

    def __len__(self) -> int:
        return len(self.decisions)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.decisions)

    def label(self, player: int) -> str:
        """Return a player's name, or the seat if none is known."""
        return self.players[player] or f"seat {player}"

    def select(
        self,
        player: int | None = None,
        *,
        kind: Kind | None = None,
        phase: Phase | None = None,
        game: int | None = None,
    ) -> list[Decision]:
        """Return the decisions of a player, kind, phase or game (its place in `games`), or of all these.

        Raises `SettingError` for a player, kind, phase or game that there is not.
        """
        if player is not None:
            _one_of("player", player, (0, 1))
        if kind is not None:
            _one_of("kind", kind, get_args(Kind))
        if phase is not None:
            _one_of("phase", phase, get_args(Phase))
        self._check_game(game)
        return [
            decision
            for decision in self.decisions
            if (player is None or decision.player == player)
            and (kind is None or decision.kind == kind)
            and (phase is None or decision.phase == phase)
            and (game is None or decision.game == game)
        ]

    def errors(
        self, player: int | None = None, *, at_least: float | None = None, **which: Any
    ) -> list[Decision]:
        """Return the errors, the worst first: from `at_least` on, by default from the lowest threshold.

        `which` is what `select` takes.
        """
        least = self.settings.thresholds.doubtful if at_least is None else at_least
        found = [decision for decision in self.select(player, **which) if decision.error >= max(least, 1e-9)]
        return sorted(found, key=lambda decision: -decision.error)

    def mark(self, decision: Decision) -> Mark:
        """Return how bad a decision was."""
        return self.settings.thresholds.mark(decision.error)

    def totals(self, player: int | None = None, **which: Any) -> Totals:
        """Add up decisions; `which` is what `select` takes."""
        chosen = self.select(player, **which)
        marks: dict[Mark, int] = {"": 0, "doubtful": 0, "bad": 0, "very bad": 0}
        for decision in chosen:
            marks[self.mark(decision)] += 1
        return Totals(
            decisions=len(chosen),
            forced=sum(decision.is_forced for decision in chosen),
            marks=marks,
            error=sum(decision.error for decision in chosen),
            error_mwc=_sum(decision.error_mwc for decision in chosen) if self.length else None,
            error_points=sum(decision.error * decision.cube for decision in chosen),
        )

    def rating(
        self, player: int, rule: str = "xg", *, kind: Kind | None = None, game: int | None = None
    ) -> Rating:
        """Return how well a player played by one of `RATINGS`, overall, by kind of decision or in one game.

        Raises `SettingError` for an unknown rule, player, kind or game.
        """
        _one_of("player", player, (0, 1))
        self._check_game(game)
        games = self.games if game is None else self.games[game : game + 1]
        plays = sum(sum(summary.plays) for summary in games)
        return rate(rule, self.select(player, kind=kind, game=game), plays)

    def luck_totals(self, player: int, *, game: int | None = None) -> LuckTotals:
        """Add up the luck of a player's rolls, in the match or in one game.

        Raises `SettingError` for a player or game that there is not.
        """
        _one_of("player", player, (0, 1))
        self._check_game(game)
        rolls = [luck for luck in self.luck if luck.player == player and (game is None or luck.game == game)]
        marks: dict[str, int] = {}
        for luck in rolls:
            mark = self.settings.thresholds.luck_mark(luck.equity)
            if mark:
                marks[mark] = marks.get(mark, 0) + 1
        return LuckTotals(
            rolls=len(rolls),
            equity=sum(luck.equity for luck in rolls),
            mwc=_sum(luck.mwc for luck in rolls) if self.length else None,
            points=sum(luck.equity * luck.cube for luck in rolls),
            marks=marks,
        )

    def luck_adjusted(self, player: int) -> float:
        """Return the player's result less the luck of both: what his play alone would have brought.

        In a match it is match winning chance, 0 being an even match; in money play it is points. (Douglas
        Zare, "Hedging toward skill", GammonVillage 2000.) Raises `SettingError` for an unknown player.
        """
        _one_of("player", player, (0, 1))
        mine, theirs = self.luck_totals(player), self.luck_totals(1 - player)
        if mine.mwc is not None and theirs.mwc is not None:
            return self.result[player] - (mine.mwc - theirs.mwc)
        return self.result[player] - (mine.points - theirs.points)

    def _check_game(self, game: int | None) -> None:
        if game is not None and game not in range(len(self.games)):
            raise SettingError(f"game must be from 0 to {len(self.games) - 1}, got {game!r:.120}")

    # For tables and files.

    def table(self) -> dict[str, npt.NDArray[Any]]:
        """Return the decisions as flat columns: `pandas.DataFrame(analysis.table())`, or polars'.

        What has no meaning in money play is not a number there. `counts_xg` and its like say whether the
        rating of that name divides by the decision.
        """
        rows = self.decisions
        columns: dict[str, npt.NDArray[Any]] = {
            "game": np.array([row.game for row in rows], np.int32),
            "record": np.array([row.record for row in rows], np.int32),
            "turn": np.array([row.turn for row in rows], np.int32),
            "player": np.array([row.player for row in rows], np.int8),
            "kind": np.array([row.kind for row in rows], np.str_),
            "phase": np.array([row.phase for row in rows], np.str_),
            "id": np.array([row.id for row in rows], np.str_),
            "made": np.array([row.made.name for row in rows], np.str_),
            "best": np.array([row.best.name for row in rows], np.str_),
            "equity": np.array([row.made.equity for row in rows], np.float64),
            "best_equity": np.array([row.best.equity for row in rows], np.float64),
            "error": np.array([row.error for row in rows], np.float64),
            "mwc": _floats(row.mwc(row.made.equity) for row in rows),
            "best_mwc": _floats(row.mwc(row.best.equity) for row in rows),
            "error_mwc": _floats(row.error_mwc for row in rows),
            "mark": np.array([self.mark(row) for row in rows], np.str_),
            "cube": np.array([row.cube for row in rows], np.int32),
            "plies": np.array([row.made.plies for row in rows], np.int8),
            "is_forced": np.array([row.is_forced for row in rows], np.bool_),
        }
        for name in ("xg", "gnubg"):
            counts = RATINGS[name].counts
            columns[f"counts_{name}"] = np.array([counts(row) for row in rows], np.bool_)
        return columns

    def luck_table(self) -> dict[str, npt.NDArray[Any]]:
        """Return the rolls as flat columns."""
        rows = self.luck
        return {
            "game": np.array([row.game for row in rows], np.int32),
            "record": np.array([row.record for row in rows], np.int32),
            "turn": np.array([row.turn for row in rows], np.int32),
            "player": np.array([row.player for row in rows], np.int8),
            "roll": np.array([row.roll for row in rows], np.str_),
            "luck": np.array([row.equity for row in rows], np.float64),
            "luck_mwc": _floats(row.mwc for row in rows),
            "cube": np.array([row.cube for row in rows], np.int32),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that `json.dump` writes; `from_dict` reads them."""
        names = ("number", "score", "winner", "points", "plays")
        return {
            "format": FORMAT,
            "version": VERSION,
            "settings": _plain.of_settings(self.settings),
            "players": list(self.players),
            "length": self.length,
            "games": [{name: getattr(game, name) for name in names} for game in self.games],
            "result": list(self.result),
            "decisions": [_plain.of_decision(decision) for decision in self.decisions],
            "luck": [_plain.of_luck(luck) for luck in self.luck],
            "skipped": [
                {"game": one.game, "record": one.record, "reason": one.reason} for one in self.skipped
            ],
            "is_complete": self.is_complete,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Analysis":
        """Read what `to_dict` gave. Raises `MatchDataError` for anything else."""
        return _plain.checked(lambda: _read(values))

    def to_html(self, match: Series | Game | None = None, **options: Any) -> str:
        """Return the report: one HTML page with boards, tables, graphs and filters; see `viz.report`.

        With the `match` that was analysed it has the comments and all moves too.
        """
        from gammon import viz

        return viz.report(self, match, **options)

    def _repr_html_(self) -> str:
        from gammon.viz import _notebook

        return _notebook.analysis(self)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _read(values: dict[str, Any]) -> Analysis:
    if values["format"] != FORMAT or values["version"] != VERSION:
        raise MatchDataError(f"expected {FORMAT} {VERSION}, got {values['format']!r} {values['version']!r}")
    first, second = (str(name) for name in values["players"])
    games = tuple(
        GameSummary(
            number=game["number"],
            score=(game["score"][0], game["score"][1]),
            winner=game["winner"],
            points=game["points"],
            plays=(game["plays"][0], game["plays"][1]),
        )
        for game in values["games"]
    )
    return Analysis(
        settings=_plain.to_settings(values["settings"]),
        players=(first, second),
        length=values["length"],
        games=games,
        result=(float(values["result"][0]), float(values["result"][1])),
        decisions=tuple(_plain.placed(_plain.to_decision, one) for one in values["decisions"]),
        luck=tuple(_plain.placed(_plain.to_luck, one) for one in values["luck"]),
        skipped=tuple(_plain.to_skipped(one) for one in values["skipped"]),
        is_complete=bool(values["is_complete"]),
    )


def _one_of(name: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r:.120}")


def _sum(values: Iterable[float | None]) -> float:
    return math.fsum(value for value in values if value is not None)


def _floats(values: Iterable[float | None]) -> npt.NDArray[np.float64]:
    return np.array([math.nan if value is None else value for value in values], np.float64)


def _lines(analysis: Analysis) -> Iterator[str]:
    """Say in a table how both players played."""
    yield f"{'':<28}" + "".join(f"{analysis.label(player)[:20]:>22}" for player in (0, 1))
    for kind, title in (
        ("play", "plays"),
        ("double", "doubling decisions"),
        ("answer", "answers to doubles"),
    ):
        sums = [analysis.totals(player, kind=kind) for player in (0, 1)]
        yield f"{title:<28}" + "".join(f"{total.decisions:>22}" for total in sums)
        if kind == "play":
            yield f"{'  unforced':<28}" + "".join(f"{total.decisions - total.forced:>22}" for total in sums)
        for mark in ("doubtful", "bad", "very bad"):
            yield f"{'  ' + mark:<28}" + "".join(f"{total.marks[mark]:>22}" for total in sums)
        yield f"{'  error':<28}" + "".join(_cell(total.error, total.error_mwc) for total in sums)
    total = [analysis.totals(player) for player in (0, 1)]
    yield f"{'all errors':<28}" + "".join(_cell(one.error, one.error_mwc) for one in total)
    for rule, title in (("xg", "PR (XG)"), ("gnubg", "error rate (GNU)"), ("snowie", "Snowie error rate")):
        ratings = [analysis.rating(player, rule) for player in (0, 1)]
        texts = ["-" if one.value is None else f"{one.value:.2f} {one.name}" for one in ratings]
        yield f"{title:<28}" + "".join(f"{text:>22}" for text in texts)
    if analysis.luck:
        luck = [analysis.luck_totals(player) for player in (0, 1)]
        yield f"{'luck':<28}" + "".join(_cell(one.equity, one.mwc, sign="+") for one in luck)
        adjusted = [analysis.luck_adjusted(player) for player in (0, 1)]
        unit = "{:+.2%}" if analysis.length else "{:+.3f}"
        yield f"{'luck-adjusted result':<28}" + "".join(f"{unit.format(value):>22}" for value in adjusted)
    if not analysis.is_complete:
        yield "stopped: not everything has been judged"
    if analysis.skipped:
        yield f"{len(analysis.skipped)} decisions could not be judged"


def _cell(equity: float, mwc: float | None, sign: str = "") -> str:
    text = f"{equity:{sign}.3f}" + ("" if mwc is None else f" ({mwc:{sign}.2%})")
    return f"{text:>22}"
