"""Colours of boards and charts."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from gammon.errors import SettingError

__all__ = ["QUALITIES", "THEMES", "Quality", "Theme", "ThemeLike", "theme_of"]

Quality: TypeAlias = Literal["", "best", "good", "doubtful", "bad", "very bad"]
"""How good a play is that is drawn as arrows: best, an error by its mark, or not said."""

QUALITIES: tuple[Quality, ...] = ("", "best", "good", "doubtful", "bad", "very bad")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of a picture, each whatever SVG takes for one."""

    paper: str
    """Behind charts."""
    ink: str
    """Texts and axes of charts."""
    faint: str
    """Grid lines."""
    frame: str
    """Rim and bar of the board."""
    frame_ink: str
    """What is written on the rim."""
    felt: str
    odd: str
    """Points 1, 3, 5 and so on."""
    even: str
    line: str
    """Outlines of checkers, dice and the cube."""
    light: str
    """Checkers of the player at the bottom."""
    light_ink: str
    """Digits and pips on them."""
    dark: str
    """Checkers of the player at the top."""
    dark_ink: str
    cube: str
    cube_ink: str
    halo: str
    """Around arrows."""
    plain: str
    """Arrows of plays of which nothing is said."""
    best: str
    good: str
    doubtful: str
    bad: str
    very_bad: str
    first: str
    """Seat 0 in charts."""
    second: str
    """Seat 1 in charts."""

    def quality(self, quality: Quality) -> str:
        """Return the colour of a quality."""
        return {
            "": self.plain,
            "best": self.best,
            "good": self.good,
            "doubtful": self.doubtful,
            "bad": self.bad,
            "very bad": self.very_bad,
        }[quality]


# The colours of qualities and seats differ in lightness too, and keep apart for the colour-blind (after Okabe
# and Ito, "Color universal design", 2008).

_LIGHT = Theme(
    paper="#ffffff",
    ink="#22262b",
    faint="#d9dce0",
    frame="#7a5230",
    frame_ink="#fdf6e9",
    felt="#e9dcc1",
    odd="#d3b98c",
    even="#a9744a",
    line="#4f3620",
    light="#fbf8f0",
    light_ink="#222222",
    dark="#2b2b2e",
    dark_ink="#f4f4f4",
    cube="#fffdf7",
    cube_ink="#222222",
    halo="#ffffff",
    plain="#1f5fbf",
    best="#007a53",
    good="#5a7d00",
    doubtful="#b07d00",
    bad="#c85a00",
    very_bad="#b3123a",
    first="#0063a8",
    second="#b04a00",
)

_DARK = Theme(
    paper="#16181c",
    ink="#e6e6e6",
    faint="#3a3e45",
    frame="#26221e",
    frame_ink="#e8dfd0",
    felt="#3a352e",
    odd="#5c5143",
    even="#7d5a3c",
    line="#a59a8a",
    light="#efe8d8",
    light_ink="#1c1c1c",
    dark="#15171b",
    dark_ink="#ededed",
    cube="#efe8d8",
    cube_ink="#1c1c1c",
    halo="#0d0e10",
    plain="#7db3ff",
    best="#3fd39b",
    good="#a7cf3a",
    doubtful="#f2c230",
    bad="#ff9d4d",
    very_bad="#ff6b87",
    first="#6bb8ff",
    second="#ff9d4d",
)

_PRINT = Theme(
    paper="#ffffff",
    ink="#000000",
    faint="#cccccc",
    frame="#ffffff",
    frame_ink="#000000",
    felt="#ffffff",
    odd="#e3e3e3",
    even="#b4b4b4",
    line="#000000",
    light="#ffffff",
    light_ink="#000000",
    dark="#3a3a3a",
    dark_ink="#ffffff",
    cube="#ffffff",
    cube_ink="#000000",
    halo="#ffffff",
    plain="#000000",
    best="#000000",
    good="#555555",
    doubtful="#777777",
    bad="#777777",
    very_bad="#777777",
    first="#000000",
    second="#808080",
)

THEMES: Mapping[str, Theme] = MappingProxyType({"light": _LIGHT, "dark": _DARK, "print": _PRINT})
"""The themes by name; 'print' needs no colour and little ink."""

ThemeLike: TypeAlias = Theme | Literal["light", "dark", "print"]
"""Whatever is taken for a theme: a name, or a `Theme`, as `dataclasses.replace(THEMES["dark"], ...)`."""


def theme_of(theme: ThemeLike) -> Theme:
    """Return the theme. Raises `SettingError` for an unknown name."""
    if isinstance(theme, Theme):
        return theme
    if not isinstance(theme, str) or theme not in THEMES:
        raise SettingError(f"theme must be one of {', '.join(THEMES)}, or a Theme, got {theme!r:.120}")
    return THEMES[theme]
