"""Where files are: those shipped in the package, and the cache folder. No other module knows a path."""

import os
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["cache_folder", "packaged"]


def packaged(*parts: str) -> Traversable:
    """Return a file shipped in the package's data folder."""
    return files("gammon").joinpath("data", *parts)


def cache_folder() -> Path:
    """Return the folder for files made on this machine: `GAMMON_CACHE`, else the platform's cache folder."""
    given = os.environ.get("GAMMON_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "gammon"
