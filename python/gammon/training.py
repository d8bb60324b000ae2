"""Training a net from zero by self-play.

The same settings give the same net, byte for byte, on any number of threads and after any number of
interruptions.

>>> net = train(games=100, hidden=64, seed=3)
>>> net == train(games=100, hidden=64, seed=3)
True
"""

from collections.abc import Callable
from pathlib import Path

from gammon._native import Net, Training, TrainingReport
from gammon._typing import Progress

__all__ = ["Training", "TrainingReport", "settings_text", "train"]


def settings_text(**settings: float) -> str:
    """Write settings the way `Training` reads them; `Training().settings` shows all with their defaults."""
    return "".join(f"{name} = {value}\n" for name, value in settings.items())


def train(
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Callable[[TrainingReport], object] | None = None,
    checkpoint: Path | None = None,
    **settings: float,
) -> Net:
    """Train a net and return it.

    `progress` is told the number of games some twenty times a second and may return `False` to stop early;
    `report` is told every now and then how the training goes. A checkpoint file that exists is taken up
    again, with its own settings, and is written as the training goes on.
    """
    if checkpoint is not None and checkpoint.exists():
        training = Training.from_checkpoint(checkpoint.read_bytes())
    else:
        training = Training(settings_text(**settings))
    training.run(threads=threads, progress=progress, report=report, save=checkpoint)
    return training.net()
