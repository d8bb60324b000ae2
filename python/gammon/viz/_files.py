"""Pictures as files: SVG and text by ourselves, PNG by an extra package."""

import os
from pathlib import Path
from typing import Unpack

from gammon._files import replacing
from gammon._native import Position, Situation
from gammon._typing import PositionLike
from gammon.errors import SettingError
from gammon.viz._svg import BoardOptions, board

__all__ = ["png", "save", "text"]


def text(position: PositionLike) -> str:
    """Draw the board in plain text, for terminals and mails, seen by the player on roll.

    >>> from gammon import viz
    >>> print(viz.text("start").splitlines()[0])
     +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
    """
    known = Situation(position) if isinstance(position, str) else position
    return str(known) if isinstance(known, Position) else known.draw()


def png(position: PositionLike, *, scale: float = 2.0, **options: Unpack[BoardOptions]) -> bytes:
    """Draw a position as a PNG picture and return the file; `scale` 1 is one pixel a pixel of the SVG.

    `options` are those of `svg`. Texts are in the fonts that the system has. Raises `ModuleNotFoundError`
    without the package `resvg-py` (`pip install 'gammon[png]'`), `SettingError` for a scale that is not above
    0 and at most 10, and what `svg` raises.
    """
    drawn = board(position, **options)
    return raster(drawn, scale)


def raster(drawn: str, scale: float) -> bytes:
    """Turn an SVG picture into a PNG file."""
    if not (isinstance(scale, int | float) and 0 < scale <= 10):
        raise SettingError(f"scale must be above 0 and at most 10, got {scale!r:.120}")
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "PNG pictures need the package resvg-py: pip install 'gammon[png]'", name=missing.name
        ) from None
    return bytes(svg_to_bytes(svg_string=drawn, zoom=float(scale)))


def save(
    path: str | os.PathLike[str],
    position: PositionLike,
    *,
    scale: float = 2.0,
    **options: Unpack[BoardOptions],
) -> None:
    """Write a picture of a position: `.svg`, `.png` or, as `text` has it, `.txt`, by the name's ending.

    Raises `SettingError` for another ending, `OSError` if the file cannot be written, and what `svg` and
    `png` raise; nothing is written then.
    """
    target = Path(path)
    match target.suffix.lower():
        case ".svg":
            content = board(position, **options).encode()
        case ".png":
            content = png(position, scale=scale, **options)
        case ".txt":
            if options:
                raise SettingError(f"a board in text has no {', '.join(options)}")
            content = (text(position) + "\n").encode()
        case other:
            raise SettingError(f"a picture ends in .svg, .png or .txt, not {other!r:.120}")
    with replacing(target) as part:
        part.write_bytes(content)
