"""Training a net from zero by self-play.

The same settings give the same net, byte for byte, on any number of threads and after any number of
interruptions.

>>> from gammon import training
>>> net = training.train(games=100, hidden=64, seed=3)
>>> net == training.train(games=100, hidden=64, seed=3)
True
"""

import os
from collections.abc import Callable
from pathlib import Path

from gammon._native import Net, Training, TrainingReport
from gammon._typing import Progress
from gammon.errors import SettingError

__all__ = ["Training", "TrainingReport", "settings_text", "take_up", "train"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


def settings_text(**settings: float) -> str:
    """Write settings the way `Training` reads them; `Training().settings` shows all with their defaults."""
    return "".join(f"{name} = {value}\n" for name, value in settings.items())


def take_up(settings: str = "", checkpoint: str | os.PathLike[str] | None = None) -> Training:
    """Return the training a checkpoint file holds, or a new one if there is no such file.

    Raises `SettingError` if one of the settings is not what the checkpoint was begun with: changing settings
    half-way would give a net that no settings give. Raises `CheckpointError` if the file is no checkpoint.
    """
    new = Training(settings)
    if checkpoint is None or not Path(checkpoint).exists():
        return new
    kept = Training.from_checkpoint(Path(checkpoint).read_bytes())
    asked, found = _values(new.settings), _values(kept.settings)
    for name in _values(settings):
        if asked[name] != found[name]:
            raise SettingError(
                f"{name} is {asked[name]}, but the training in {os.fspath(checkpoint)} "
                f"was begun with {found[name]}"
            )
    return kept


def _values(settings: str) -> dict[str, str]:
    """Settings by name."""
    lines = (line.partition("#")[0].partition("=") for line in settings.splitlines())
    return {name.strip(): value.strip() for name, equals, value in lines if equals}


def train(
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Callable[[TrainingReport], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: float,
) -> Net:
    """Train a net and return it.

    `progress` is told the number of games learned from so far some twenty times a second and may return
    `False` to stop early; `report` is told every now and then how the training goes. A checkpoint file that
    exists is taken up again, and is written as the training goes on and when it ends, be it by Ctrl-C or
    another exception; settings given then have to be its own.

    Raises `SettingError` for a setting that is unknown, outside its range or not the checkpoint's,
    `CheckpointError` for a file that is none, `OSError` if it cannot be written.
    """
    training = take_up(settings_text(**settings), checkpoint)
    training.run(threads=threads, progress=progress, report=report, save=checkpoint)
    return training.net()
