"""What a match or a money session is played by."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gammon.errors import SettingError

Level: TypeAlias = Literal["single", "gammon", "backgammon"]
"""How a game is won or resigned."""

LEVELS: tuple[Level, ...] = ("single", "gammon", "backgammon")
"""The levels, in the order of their worth: 1, 2 and 3 times the cube."""

MAX_CUBE = 1 << 15
"""The highest cube a `Situation` can hold; nothing above it is offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that are a matter of agreement; those of money play have no effect in a match.

    The defaults are those of tournaments. Raises `SettingError` for a value that means nothing, `TypeError`
    for one of the wrong type.

    >>> from gammon.match import Rules
    >>> Rules(jacoby=True, auto_doubles=1).cube_limit is None
    True
    """

    variant: str = "backgammon"
    """The game's name; another game starts elsewhere (`Game.start`)."""
    opening: Literal["use_dice", "reroll"] = "use_dice"
    """Whether the starter plays the two numbers thrown for the start, or throws both dice again."""
    cube: bool = True
    """Whether there is a cube at all."""
    cube_limit: int | None = None
    """The highest value that may be offered; `None` is no limit."""
    crawford: bool = True
    """Match: the first game in which a player needs one point is played without the cube."""
    holland: bool = False
    """Match: after the Crawford game nobody doubles before both have thrown twice."""
    dead_cube: bool = True
    """Match: nobody doubles when the cube already decides the match, whoever wins."""
    jacoby: bool = False
    """Money: gammons count only once a double has been taken."""
    beavers: bool = False
    """Money: the player who is doubled may turn the cube once more at once and keep it."""
    beaver_refusal: bool = True
    """Money: whether a beaver may be refused, for the value that was offered."""
    raccoons: bool = False
    """Money: the doubler may turn a beavered cube once more."""
    raccoon_owner: Literal["beaverer", "doubler"] = "beaverer"
    """Money: who owns the cube after a raccoon."""
    auto_doubles: int | None = 0
    """Money: how many ties of the opening throw raise the stake; `None` is every one."""
    six_six_triples: bool = False
    """Money: a tie of sixes triples the stake instead of doubling it."""
    settlement: bool = False
    """Money: whether a game may be settled for points both agree on."""
    resign_when: Literal["any_time", "no_contact"] = "any_time"
    """When a game may be resigned."""
    illegal_play: Literal["legal_moves_only", "responsible"] = "legal_moves_only"
    """Whether an illegal play noticed in time must be corrected, or the opponent may condone it."""
    flag_fall: int | None = None
    """Points for the opponent each time the reserve has run out; `None` loses the match."""

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str):
            raise TypeError(f"variant must be a text, got {self.variant!r:.120}")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):  # 'no' would mean yes
                raise TypeError(f"{name} must be True or False, got {getattr(self, name)!r:.120}")
        for name in ("cube_limit", "auto_doubles", "flag_fall"):
            _whole_or_none(name, getattr(self, name))
        _one_of("opening", self.opening, ("use_dice", "reroll"))
        _one_of("raccoon_owner", self.raccoon_owner, ("beaverer", "doubler"))
        _one_of("resign_when", self.resign_when, ("any_time", "no_contact"))
        _one_of("illegal_play", self.illegal_play, ("legal_moves_only", "responsible"))
        if self.cube_limit is not None and self.cube_limit < 1:
            raise SettingError(f"cube_limit must be at least 1, or None, got {self.cube_limit}")
        if self.auto_doubles is not None and self.auto_doubles < 0:
            raise SettingError(f"auto_doubles must be at least 0, or None, got {self.auto_doubles}")
        if self.flag_fall is not None and self.flag_fall < 1:
            raise SettingError(f"flag_fall must be at least 1 point, or None, got {self.flag_fall}")

    @property
    def highest_cube(self) -> int:
        """The highest value that may be offered."""
        if not self.cube:
            return 1
        return MAX_CUBE if self.cube_limit is None else self.cube_limit

    def stake(self, ties: tuple[int, ...]) -> int:
        """Return the cube after these ties of the opening throw: the numbers both players threw.

        >>> from gammon.match import Rules
        >>> Rules(auto_doubles=None, six_six_triples=True).stake((6, 2))
        6
        """
        counted = ties if self.auto_doubles is None else ties[: self.auto_doubles]
        value = 1
        for number in counted:
            factor = 3 if number == 6 and self.six_six_triples else 2
            if value * factor <= MAX_CUBE:
                value *= factor
        return value


_SWITCHES = (
    "cube",
    "crawford",
    "holland",
    "dead_cube",
    "jacoby",
    "beavers",
    "beaver_refusal",
    "raccoons",
    "six_six_triples",
    "settlement",
)
"""The rules that are on or off."""


def _whole_or_none(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise TypeError(f"{name} must be a whole number or None, got {value!r:.120}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
