"""`gammon fit CONFIG OUT DATA...`: fit a net to training data."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

from gammon._files import replacing
from gammon._native import FitReport
from gammon.cli import _progress
from gammon.cli._common import Json, emit, file_name, keepable, replaceable, settings_in
from gammon.errors import SettingError, Stopped
from gammon.training import read_data, take_up_fit

_COLUMNS = ("updates", "updates_wanted", "seconds", "loss", "rms_error", "mean_error", "rate")


def fit(
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG",
            help="A file of settings, one 'name = value' a line; docs/training-data.md lists them.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Argument(parser=file_name, metavar="OUT", help="The net file to write.")],
    data: Annotated[list[Path], typer.Argument(metavar="DATA", help="Files of training data.")],
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            parser=file_name, metavar="FILE", help="A file to keep the fit in, and to take it up from."
        ),
    ] = None,
    after: Annotated[
        list[Path] | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
            help="The checkpoint of another fit, to begin with its weights; of several, with their mean.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(parser=file_name, metavar="FILE", help="A CSV file for the figures of every report."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT and the log if they exist.")] = False,
    as_json: Json = False,
) -> None:
    """Fit a net to training data and write it.

    An OUT or a log that exists is replaced only with --force, or if a checkpoint is taken up again; the log
    then is continued. Errors shown are those of the positions held out, in points of equity.

    The same settings and data, and fits to begin with, give the same file. Ctrl-C stops; with a checkpoint
    file the fit can then be taken up again, with the same settings and data, otherwise the net as it is gets
    written.
    """
    keep_apart(
        [("OUT", out), ("--log", log), ("--checkpoint", checkpoint)],
        [
            ("CONFIG", config),
            *(("--after", path) for path in after or ()),
            *(("DATA", path) for path in data),
        ],
    )
    taken_up = checkpoint is not None and checkpoint.exists()
    for path in (out, log):
        if path is not None:
            replaceable(path, force=force or taken_up)
    for path in (log, checkpoint):
        keepable(path)
    fitting = take_up_fit(settings_in(config), checkpoint, after=after)
    parts = [read_data(path) for path in data]
    positions = sum(map(len, parts))
    wanted = fitting.updates_wanted(positions)
    last: FitReport | None = None

    with _log(log, taken_up) as write, _progress.bar("fitting", wanted, shown=not as_json) as update:

        def report(told: FitReport) -> None:
            nonlocal last
            last = told
            write(told)
            if not as_json:
                typer.echo(f"{told.updates:>10,} updates  loss {told.loss:.6f}  {_held_out(told)}", err=True)

        done = fitting.run(
            parts,
            progress=lambda updates: update(updates, ""),
            report=report,
            save=checkpoint,
        )
    net = fitting.net()
    if done or checkpoint is None:
        with replacing(out) as part:
            net.save(part)
    if not done:
        typer.echo(f"Stopped after {fitting.updates:,} of {wanted:,} updates.", err=True)
    if as_json:
        emit(
            {
                "out": str(out) if done or checkpoint is None else None,
                "id": net.id,
                "positions": positions,
                "updates": fitting.updates,
                "updates_wanted": wanted,
                "complete": done,
                "rms_error": None if last is None else last.rms_error,
                "mean_error": None if last is None else last.mean_error,
                "settings": fitting.settings,
            }
        )
    elif done or checkpoint is None:
        typer.echo(f"{fitting.updates:,} updates on {positions:,} positions; wrote {out} ({net.id[:12]}).")
    else:
        typer.echo(f"Kept in {checkpoint}; run again to go on.")
    if not done:
        raise Stopped


def _held_out(told: FitReport) -> str:
    if told.mean_error is None or told.rms_error is None:
        return "no positions held out to measure the error on"
    return f"error {told.mean_error:.5f}, rms {told.rms_error:.5f}"


Named = tuple[str, Path | None]
"""What the command calls a file, and where it is."""


def keep_apart(written: Iterable[Named], read: Iterable[Named] = ()) -> None:
    """Raise `SettingError` if a file to write is also another one to write, or one to read."""
    outputs = [(name, path) for name, path in written if path is not None]
    inputs = [(name, path) for name, path in read if path is not None]
    pairs = [*combinations(outputs, 2), *((one, other) for one in outputs for other in inputs)]
    for (name, path), (other_name, other) in pairs:
        if _is_same(path, other):
            raise SettingError(f"{name} and {other_name} are the same file: {path}")


def _is_same(one: Path, other: Path) -> bool:
    """Whether both are one file, by whatever name: links, and cases that the file system does not tell."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


@contextmanager
def _log(path: Path | None, continued: bool) -> Iterator[Callable[[FitReport], None]]:
    """A CSV file of reports, every line written at once."""
    if path is None:
        yield lambda told: None
        return
    with path.open("a" if continued else "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if file.tell() == 0:
            writer.writerow(_COLUMNS)

        def write(told: FitReport) -> None:
            figures = [getattr(told, name) for name in _COLUMNS]
            writer.writerow(f"{x:.6g}" if isinstance(x, float) else x for x in figures)
            file.flush()

        yield write
