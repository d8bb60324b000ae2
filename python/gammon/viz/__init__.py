"""Pictures of positions, as SVG, PNG and text, and reports of matches.

>>> from gammon import viz
>>> viz.svg("start", theme="dark").startswith("<svg")
True
"""

from gammon.viz import plots
from gammon.viz._arrows import Arrow
from gammon.viz._files import png, save, text
from gammon.viz._report import report
from gammon.viz._scene import Numbers, Perspective
from gammon.viz._svg import BoardOptions, Home
from gammon.viz._svg import board as svg
from gammon.viz._themes import THEMES, Quality, Theme, ThemeLike

__all__ = [
    "THEMES",
    "Arrow",
    "BoardOptions",
    "Home",
    "Numbers",
    "Perspective",
    "Quality",
    "Theme",
    "ThemeLike",
    "plots",
    "png",
    "report",
    "save",
    "svg",
    "text",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
