"""Training nets: from zero by self-play, and from positions valued by looking ahead.

The same settings give the same net, byte for byte, on any number of threads and after any number of
interruptions.

>>> from gammon import training
>>> net = training.train(games=100, hidden=64, seed=3)
>>> net == training.train(games=100, hidden=64, seed=3)
True

The next nets come from a better teacher than the games' results: `label` plays games and values their
positions by looking ahead, `fit` fits a net to them.

>>> import pathlib, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "few.data")
...     made = training.label(path, strong=net, games=20, keep=0.1)
...     data = training.read_data(path)
>>> made.complete, made.games, made.positions == len(data)
(True, 20, True)
>>> training.fit(data, hidden=64, epochs=1).features
'full'
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from gammon import evaluators as _evaluators
from gammon import variants
from gammon._native import (
    Fit,
    FitReport,
    Net,
    Training,
    TrainingData,
    TrainingReport,
    VariantNet,
    active_rows,
    label_games,
    label_settings,
    row_count,
)
from gammon._typing import Boards, Chances, Progress
from gammon.errors import CheckpointError, SettingError
from gammon.variants import OptionValue, Variant

__all__ = [
    "Fit",
    "FitReport",
    "Labelled",
    "Training",
    "TrainingData",
    "TrainingReport",
    "features",
    "fit",
    "game_settings",
    "label",
    "label_settings",
    "read_data",
    "row_count",
    "settings_text",
    "take_up",
    "take_up_fit",
    "train",
    "write_data",
]

FeatureSet: TypeAlias = Literal["core", "full", "plan"]
"""What a net sees of a position."""

DataLike: TypeAlias = TrainingData | str | os.PathLike[str]
"""Whatever is taken for training data: a `TrainingData` or the path of its file."""

FitLike: TypeAlias = Fit | str | os.PathLike[str]
"""Whatever is taken for a fit: a `Fit` or the path of its checkpoint."""


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


def settings_text(**settings: float | str) -> str:
    """Write settings the way `Training` and `Fit` read them; their `settings` show all, with defaults."""
    shown = {name: f'"{value}"' if isinstance(value, str) else value for name, value in settings.items()}
    return "".join(f"{name} = {value}\n" for name, value in shown.items())


def take_up(settings: str = "", checkpoint: str | os.PathLike[str] | None = None) -> Training:
    """Return the training a checkpoint file holds, or a new one if there is no such file.

    Raises `SettingError` if one of the settings is not what the checkpoint was begun with: changing settings
    half-way would give a net that no settings give. Raises `CheckpointError` if the file is no checkpoint.
    """
    new = Training(settings)
    if checkpoint is None or not Path(checkpoint).exists():
        return new
    kept = Training.from_checkpoint(Path(checkpoint).read_bytes())
    _check_same(settings, new.settings, kept.settings, "training", checkpoint)
    return kept


def take_up_fit(
    settings: str = "",
    checkpoint: str | os.PathLike[str] | None = None,
    *,
    after: FitLike | Sequence[FitLike] | None = None,
) -> Fit:
    """Return the fit a checkpoint file holds, or a new one if there is no such file.

    A new one begins with the weights of `after`, another fit or the checkpoint of one, or with the mean of
    the weights of several. One that is taken up goes on as it was begun; `after` then only has to be usable.

    Raises `SettingError` if one of the settings is not what the checkpoint was begun with, or if the
    features or hidden units are not those of `after`; `CheckpointError` if a file is no checkpoint of a
    fit.
    """
    others = _fits(after)
    if checkpoint is None or not Path(checkpoint).exists():
        return Fit(settings, after=others)
    kept = _checkpoint_of_fit(checkpoint)
    _check_same(settings, Fit(settings).settings, kept.settings, "fit", checkpoint)
    Fit(kept.settings, after=others)  # says if they do not fit together
    return kept


def _fits(after: FitLike | Sequence[FitLike] | None) -> list[Fit]:
    """Read the fits that another is to begin with."""
    if after is None:
        return []
    several = [after] if isinstance(after, (Fit, str, os.PathLike)) else after
    return [fit if isinstance(fit, Fit) else _checkpoint_of_fit(fit) for fit in several]


def _checkpoint_of_fit(path: str | os.PathLike[str]) -> Fit:
    """Read a fit; an error names its file."""
    try:
        return Fit.from_checkpoint(Path(path).read_bytes())
    except CheckpointError as error:
        raise CheckpointError(f"{os.fspath(path)}: {error}") from None


def _check_same(given: str, asked: str, kept: str, what: str, checkpoint: str | os.PathLike[str]) -> None:
    """Raise `SettingError` if a setting that is given is not the checkpoint's."""
    wanted, found = _values(asked), _values(kept)
    for name, text in _values(given).items():
        absent = '""' if text.startswith('"') else "0"  # some settings are left out while they are that
        mine, its = wanted.get(name, absent), found.get(name, absent)
        if mine != its:
            raise SettingError(
                f"{name} is {mine}, but the {what} in {os.fspath(checkpoint)} was begun with {its}"
            )


def _values(settings: str) -> dict[str, str]:
    """Settings by name."""
    lines = (line.partition("#")[0].partition("=") for line in settings.splitlines())
    return {name.strip(): value.strip() for name, equals, value in lines if equals}


@overload
def train(
    *,
    variant: None = None,
    options: None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Callable[[TrainingReport], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: float | str,
) -> Net: ...
@overload
def train(
    *,
    variant: Variant | str,
    options: Mapping[str, OptionValue] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Callable[[TrainingReport], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: float | str,
) -> VariantNet: ...
def train(
    *,
    variant: Variant | str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Callable[[TrainingReport], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: float | str,
) -> Net | VariantNet:
    """Train a net by self-play and return it.

    With `variant`, a game of `gammon.variants` or its name, it is a net for that game, with the game's
    options or those given; `docs/variants/README.md` says what such nets see and learn.

    `progress` is told the number of games learned from so far some twenty times a second and may return
    `False` to stop early; `report` is told every now and then how the training goes. A checkpoint file that
    exists is taken up again, and is written as the training goes on and when it ends, be it by Ctrl-C or
    another exception; settings given then have to be its own.

    Raises `SettingError` for a setting that is unknown, outside its range or not the checkpoint's, and for a
    game or an option that there is not, `CheckpointError` for a file that is none, `DivergedError` if the
    weights grow beyond what a net can hold, `OSError` if the file cannot be written.

    >>> from gammon import training
    >>> training.train(variant="fevga", games=50, hidden=64).variant
    'fevga'
    """
    given = game_settings(variant, options) | settings
    training = take_up(settings_text(**given), checkpoint)
    training.run(threads=threads, progress=progress, report=report, save=checkpoint)
    net: Net | VariantNet = training.net()
    return net


def game_settings(
    variant: Variant | str | None, options: Mapping[str, OptionValue] | None = None
) -> dict[str, float | str]:
    """Return the settings of a training that say which game is played; none for the standard one.

    Raises `SettingError` for a game or an option that there is not, or options without a game.

    >>> from gammon import training
    >>> training.game_settings("fevga", {"runner": "none"})
    {'variant': 'fevga', 'options': 'runner=none'}
    """
    if variant is None:
        if options:
            raise SettingError(f"options {dict(options)!r:.120} need the game they belong to: variant")
        return {}
    game = variants.get(variant, options) if isinstance(variant, str) else variant
    if not isinstance(game, variants.Variant):
        raise TypeError(f"variant must be a game or its name, got {variant!r:.80}")
    plain = variants.get(game.name).options
    changed = {name: value for name, value in game.options.items() if value != plain[name]}
    settings: dict[str, float | str] = {"variant": game.name}
    if changed:
        settings["options"] = ",".join(f"{name}={value}" for name, value in changed.items())
    return settings


class Labelled(NamedTuple):
    """How far a file of training data is."""

    games: int
    """Games whose positions are done."""
    positions: int
    """Positions these gave. Of a file that is not complete, up to 4,000 games are kept beside it."""
    complete: bool
    """Whether all games are in the file."""


def label(
    path: str | os.PathLike[str],
    *,
    strong: _evaluators.Evaluator | None = None,
    quick: _evaluators.Evaluator | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: float,
) -> Labelled:
    """Make training data: positions of games with exploration, valued by looking ahead.

    `quick` plays the games and picks the replies that `strong` looks at; a position's chances are the mean
    over the 21 rolls of what `strong` says of the best reply, those of the player on roll. Positions
    without contact `strong` values as they are, and it knows best if it asks tables there, as
    `gammon.evaluators.composite` does. Left out, `strong` is the packaged net joined with them, and `quick`
    is `strong`, or then the packaged net alone. `docs/training-data.md` lists the settings;
    `label_settings()` shows their defaults.

    A file begun with the same settings and evaluators is continued, and gets the same bytes whatever
    interrupted it and on however many threads. `progress` is told the number of games done some twenty
    times a second and may return `False` to stop early; then, and after Ctrl-C, what is done is kept. A
    killed process loses at most half a minute: the games since the last 4,000 are kept in a file with
    `.part` added to the name.

    Raises `SettingError` for a setting that is unknown or outside its range, for a file that was begun with
    other settings or evaluators, and if another process is making it; `DataFormatError` for a file that is
    something else, `OSError` if it cannot be written, `EvaluatorError` for an unusable answer of an
    evaluator of your own, and whatever that raises itself.
    """
    if quick is None:
        quick = _evaluators.strong() if strong is None else strong
    if strong is None:
        strong = _evaluators.composite()
    text = settings_text(**settings)
    return Labelled(*label_games(path, text, strong, quick, threads=threads, progress=progress))


def read_data(path: str | os.PathLike[str]) -> TrainingData:
    """Read training data: `boards` `uint8[n, 2, 25]`, `chances` `float32[n, 5]`, `recipe` and `games`.

    Raises `OSError` if the file cannot be read, `DataFormatError` if it is no training data or damaged.
    """
    return TrainingData.read(path)


def write_data(
    path: str | os.PathLike[str], boards: Boards, chances: Chances, *, recipe: str = "", games: int = 0
) -> None:
    """Write positions with chances of your own, such as those of rollouts, as training data.

    `boards` is `uint8[n, 2, 25]`, unfinished games seen by the player on roll; `chances` is
    `float32[n, 5]`, his: games won, gammons, backgammons, then gammons and backgammons lost, each including
    the next of its side. They are kept in 65,535ths. A file that exists is replaced.

    Raises `ArrayError` for arrays of another dtype, shape or length or numbers that are no chances,
    `IllegalPositionError` for a row that is no position or a finished game, `SettingError` for a recipe of
    more than 65,536 bytes or a negative number of games, `OSError` if the file cannot be written.

    >>> import gammon, numpy as np, pathlib, tempfile
    >>> from gammon import training
    >>> boards, _ = gammon.expand(gammon.Position.start().board[None], np.array([[3, 1]], np.uint8))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "own.data")
    ...     training.write_data(path, boards, gammon.evaluate(boards, plies=1), recipe="after an opening 31")
    ...     training.read_data(path)
    <TrainingData, 16 positions of 0 games>
    """
    TrainingData(boards, chances, recipe=recipe, games=games).write(path)


def fit(
    data: DataLike | Sequence[DataLike],
    *,
    after: FitLike | Sequence[FitLike] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    report: Callable[[FitReport], object] | None = None,
    **settings: float | str,
) -> Net:
    """Fit a net to training data and return it.

    The data are one after another as given, and one position in `hold_out` is not learned from but measured
    on. `progress` is told the number of updates made so far some twenty times a second and may return
    `False` to stop early; `report` is told forty times how the fit goes. A checkpoint file that exists is
    taken up again, with the data it began with, and is written as the fit goes on and when it ends, be it
    by Ctrl-C or another exception; settings given then have to be its own. A new fit begins with the
    weights of `after`, another fit or the checkpoint of one, or with the mean of the weights of several,
    which takes out part of the noise of each. `docs/training-data.md` lists the settings; `Fit().settings`
    shows their defaults.

    Raises `SettingError` for a setting that is unknown, outside its range or not the checkpoint's, if the
    features or hidden units are not those of `after`, if there are no positions or other ones than a
    checkpoint began with; `CheckpointError` and `DataFormatError` for files that are none, `DivergedError`
    if the weights grow beyond what a net can hold, `OSError` if a file cannot be read or written.
    """
    one = isinstance(data, (TrainingData, str, os.PathLike))
    parts: Sequence[DataLike] = [data] if one else data  # type: ignore[list-item,assignment]
    read = [part if isinstance(part, TrainingData) else read_data(part) for part in parts]
    fitting = take_up_fit(settings_text(**settings), checkpoint, after=after)
    fitting.run(read, progress=progress, report=report, save=checkpoint)
    return fitting.net()


def features(
    boards: Boards, set: FeatureSet = "full", *, threads: int | None = None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return what a net sees of each position, for training elsewhere: `int32[m]` and `int64[n + 1]`.

    The first layer of a net is the sum of the rows named by `rows[starts[i]:starts[i + 1]]`, out of
    `row_count(set)`, and a bias: what PyTorch calls an `EmbeddingBag` of mode `"sum"`. `set` is `"core"`,
    some 20 rows a position, `"full"`, some 44, or `"plan"`, as many out of more.

    Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position or
    a finished game, `SettingError` for an unknown set.

    >>> import gammon
    >>> from gammon import training
    >>> rows, starts = training.features(gammon.Position.start().board[None], "core")
    >>> rows.dtype, starts, training.row_count("core")
    (dtype('int32'), array([ 0, 13]), 1318)
    """
    return active_rows(boards, set, threads=threads)
