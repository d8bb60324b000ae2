"""A progress bar, and Ctrl-C as a wish to stop rather than a crash."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Within it Ctrl-C only makes the given function return `True`; a second Ctrl-C interrupts as usual."""
    stopped = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if stopped:
            raise KeyboardInterrupt
        stopped = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: stopped
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def bar(what: str, total: int, *, shown: bool) -> Iterator[Callable[[int, str], bool]]:
    """A bar on the error stream for work of `total` units.

    The function given takes how many are done and a word on how it goes; it returns whether to go on.
    """
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[word]}"),
    )
    console = Console(stderr=True)
    with (
        interruptible() as stopped,
        Progress(
            *columns, console=console, disable=not shown or not console.is_terminal, transient=True
        ) as progress,
    ):
        task = progress.add_task(what, total=total, word="")

        def update(done: int, word: str) -> bool:
            progress.update(task, completed=done, word=word)
            return not stopped()

        yield update
