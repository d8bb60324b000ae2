"""The games: their names, their options, and what is asked of one as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from gammon._native import Perft, Roll, VariantRules
from gammon._typing import Progress
from gammon.errors import IllegalPositionError, SettingError
from gammon.variants._json import VERSION, from_json
from gammon.variants._position import VariantPosition
from gammon.variants._values import VariantGames, VariantResult

__all__ = ["OptionValue", "Variant", "get", "mark", "names", "parse"]

OptionValue: TypeAlias = str | int | bool
"""What an option may be."""


class Variant:
    """One game with its options."""

    __slots__ = ("_rules",)

    def __init__(self, rules: VariantRules) -> None:
        self._rules = rules

    @property
    def name(self) -> str:
        """The game's name."""
        return self._rules.name

    @property
    def options(self) -> dict[str, str]:
        """What was chosen for each option."""
        return dict(self._rules.options)

    @property
    def opening(self) -> Literal["use_dice", "reroll"]:
        """Whether the winner of the opening throw plays its two dice or throws again."""
        return self._rules.opening

    @property
    def later_games(self) -> Literal["opening", "winner_starts"]:
        """How the games of a match after the first begin: with an opening throw, or with the last winner."""
        return self._rules.later

    @property
    def has_cube(self) -> bool:
        """Whether the game is played with a doubling cube."""
        return self._rules.has_cube

    @property
    def start(self) -> VariantPosition:
        """Where the checkers stand before the first throw."""
        return VariantPosition(self, self._rules.start())

    def position(self, source: str | Mapping[str, Any]) -> VariantPosition:
        """Return the position that an id, a JSON text or a mapping of fields stands for.

        `me` and `opp` map each side's own points to its checkers; `bar`, `hand` and `off` are pairs, mine
        first. All checkers have to be accounted for. The other fields are those that `VariantPosition.fields`
        shows, and may be left out where they say nothing. A JSON text
        also has to have `variant` and `version`, and all parts of `pinned` and `tt` where it has these.

        Raises `ParseError` for a text that is no id of this game, `IllegalPositionError` for a position that
        this game cannot have.
        """
        if isinstance(source, str):
            if not source.lstrip().startswith("{"):
                return VariantPosition(self, self._rules.parse(source))
            return self.position(from_json(source))
        fields = dict(source)
        tag, version = fields.pop("variant", self.name), fields.pop("version", VERSION)
        if tag != self.name:
            raise IllegalPositionError(f"this is a position of {tag!r}, and {self.name} is played")
        if version != VERSION:
            raise IllegalPositionError(f"a position is written in version {VERSION}, not {version!r}")
        return VariantPosition(self, self._rules.position(fields))

    def perft(
        self,
        depth: int,
        position: VariantPosition | None = None,
        *,
        unique: bool = True,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Perft:
        """Count the paths of `depth` decisions from a position (or the start) and the positions they end in.

        Each of the 21 throws counts once. A decision without a throw counts as one of the `depth`.

        Raises `SettingError` for a depth that is not from 0 to 8, `Stopped` if `progress` asks to stop.
        """
        state = (self.start if position is None else position)._state
        return self._rules.perft(state, depth, unique, threads, progress)

    def random_games(
        self, n: int, seed: int, *, threads: int | None = None, progress: Progress | None = None
    ) -> VariantGames:
        """Play `n` games, each distinct result of a decision equally likely.

        Game `i` depends on `seed` and `i` alone. A game in which neither side can ever move again is void.

        Raises `SettingError` for a number of games or a seed outside its range, `Stopped` if `progress` asks
        to.
        """
        points, decisions, kinds = self._rules.random_games(n, seed, threads, progress)
        return VariantGames(points, decisions, tuple(kinds))

    def random_game(self, seed: int, trial: int = 0) -> list[tuple[VariantPosition, Roll | None]]:
        """Return the decisions of one such game: each position, with its throw if it asks for one."""
        return [(VariantPosition(self, state), roll) for state, roll in self._rules.random_game(seed, trial)]

    def stake(self, result: VariantResult, cube: int = 1) -> int:
        """Return the points of a result with the cube at this value.

        Raises `SettingError` for a cube in a game that has none, or one that does not show a power of two.
        """
        if cube != 1 and not self.has_cube:
            raise SettingError(f"{self.name} is played without a cube, but its value is given as {cube}")
        if cube < 1 or cube & (cube - 1):
            raise SettingError(f"a cube shows 1, 2, 4, ..., not {cube}")
        return result.points * cube

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variant):
            return NotImplemented
        return (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._rules.options)))

    def __repr__(self) -> str:
        plain = get(self.name).options
        changed = {name: value for name, value in self.options.items() if value != plain[name]}
        return f"variants.get({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in changed.items())])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name, self.options)


def names() -> tuple[str, ...]:
    """Return the names that `get` knows, without the aliases.

    >>> from gammon import variants
    >>> "gul_bara" in variants.names()
    True
    """
    return tuple(name for name, _ in VariantRules.names())


def get(name: str, options: Mapping[str, OptionValue] | None = None, **more: OptionValue) -> Variant:
    """Return the game of this name, or alias, with these options; all others are as its page says.

    Options may be written with the game's prefix, as in `{"fevga.runner": "none"}`, or without, as keywords.

    Raises `SettingError` for a game that is unknown, an option it does not have, or a value the option
    cannot be.

    >>> from gammon import variants
    >>> variants.get("tavla", hit_and_run="allowed").options["hit_and_run"]
    'allowed'
    """
    given = {**(options or {}), **more}
    return Variant(VariantRules(name, [(key, _written(value)) for key, value in given.items()]))


def _written(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parse(text: str) -> VariantPosition:
    """Return the position of any game that a `gammon-id` or a JSON text stands for, its options by default.

    Raises `ParseError` or `IllegalPositionError` for what is none, `SettingError` for a game that is unknown.

    >>> from gammon import variants
    >>> variants.parse("plakoto:1:APEAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwAAAAAAAAA").fields
    {'me': {'24': 15}, 'opp': {'24': 15}}
    """
    if not isinstance(text, str):
        raise TypeError(f"a gammon-id or a JSON text is needed, got {type(text).__name__}")
    if not text.lstrip().startswith("{"):
        return get(text.partition(":")[0]).position(text)
    fields = from_json(text)
    return get(fields["variant"]).position(fields)


def mark(
    marking: Mapping[str, Any], who: Literal["me", "opponent"], points: int
) -> tuple[dict[str, Any], int]:
    """Return a Trictrac marking after a player has marked points of one throw, and the holes he wins by it.

    The marking is `VariantPosition.fields["tt"]`; what it leaves out is as at the start of a game.

    Raises `SettingError` for points that no throw brings.

    >>> from gammon import variants
    >>> variants.mark({"pts": [8, 0]}, "me", 6)[1]
    2
    """
    return VariantRules.mark(dict(marking), 0 if who == "me" else 1, points)
