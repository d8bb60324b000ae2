"""A reference set: positions of all kinds, with the chances that rollouts give them."""

import gzip
import json
import math
import os
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon import evaluators, rollout
from gammon._files import replacing
from gammon._native import Position, build_info
from gammon._typing import Boards
from gammon.errors import ParseError, SettingError
from gammon.strength._known import Known, known
from gammon.strength._phases import GAME_PHASES
from gammon.strength._sample import Sampling, sample

__all__ = ["Reference", "read_reference", "select_reference", "value_reference"]

_FORMAT = "gammon reference 1"
_DIGITS = 6
"""Decimals that numbers of a set have, in memory as in a file."""
_SAVE_SECONDS = 20.0
_AT_ONCE = 16
"""Positions rolled out in one call: some seconds."""

Figures: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Reference:
    """Positions of all kinds with the player on roll, and what their rollouts found so far."""

    made: dict[str, Any]
    """How the positions were drawn: settings, seed and the evaluator that played."""
    valued: dict[str, Any] | None
    """How they were rolled out; `None` as long as they were not."""
    boards: Boards
    """The positions, `uint8[n, 2, 25]`."""
    kinds: npt.NDArray[np.intp]
    """The kind of each, as its place in `GAME_PHASES`."""
    trials: npt.NDArray[np.int64]
    """Games that each was rolled out by."""
    chances: Figures
    """The five chances, luck taken out, `float64[n, 5]`; not a number without trials."""
    chance_errors: Figures
    """Their standard errors, `float64[n, 5]`."""
    equity: Figures
    """Cubeless money equity, luck taken out."""
    equity_error: Figures
    """Its standard error; infinite without trials."""

    def __len__(self) -> int:
        return len(self.boards)

    def known(self) -> Known:
        """Return the positions that were rolled out, for `agreement`, by kind and all together."""
        places = np.flatnonzero(self.trials)
        if not len(places):
            raise SettingError("no position of the reference set has been rolled out yet")
        of = self.kinds[places]
        kinds: dict[str, npt.NDArray[np.intp]] = {
            name: np.flatnonzero(of == place) for place, name in enumerate(GAME_PHASES)
        }
        kinds["all"] = np.arange(len(places))
        ids = tuple(Position.from_board(board).id for board in self.boards[places])
        return Known(ids, self.boards[places], kinds, self.chances[places], None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to a file, which `read_reference` reads. Raises `OSError` if it cannot be written.

        It is gzipped text, one JSON value a line. First an object: `format`, `made` and `valued`. Then a list
        a position: Position ID, kind, trials, five chances, their five errors, equity, its error; the last
        four are left out without trials.
        """
        head = {"format": _FORMAT, "made": self.made, "valued": self.valued}
        lines = [
            json.dumps(head),
            *(json.dumps(self._row(i), separators=(",", ":")) for i in range(len(self))),
        ]
        with replacing(path) as part:
            part.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))

    def _row(self, i: int) -> list[Any]:
        row = [Position.from_board(self.boards[i]).id, GAME_PHASES[self.kinds[i]], int(self.trials[i])]
        if self.trials[i]:
            row += [self.chances[i].tolist(), self.chance_errors[i].tolist()]
            row += [float(self.equity[i]), float(self.equity_error[i])]
        return row

    def __str__(self) -> str:
        """Write for each kind how many positions there are and how exactly they are known."""
        lines = [
            f"{'positions':<20}{'number':>8}{'rolled out':>12}{'trials':>12}{'mean error':>12}{'largest':>9}"
        ]
        for place, name in enumerate(GAME_PHASES):
            own = self.kinds == place
            done = own & (self.trials > 0)
            line = f"{name:<20}{own.sum():>8}{done.sum():>12}{self.trials[own].sum():>12,}"
            if done.any():
                errors = self.equity_error[done]
                line += f"{errors.mean():>12.4f}{errors.max():>9.4f}"
            lines.append(line)
        return "\n".join(lines)


def select_reference(
    evaluator: evaluators.Evaluator | None = None,
    sampling: Sampling | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Reference:
    """Draw a reference set from games of an evaluator with itself, without rolling it out.

    Positions that come with the package (`known`) are left out. Without an evaluator the packaged one plays.

    Raises `SettingError` if a kind is too rare, and whatever the evaluator raises.

    >>> from gammon import strength
    >>> found = strength.select_reference(sampling=strength.Sampling(each=2))
    >>> len(found), int(found.trials.sum())
    (16, 0)
    """
    asked = evaluators.default() if evaluator is None else evaluator
    how = Sampling() if sampling is None else sampling
    boards, kinds = sample(asked, how, apart_from=[known().boards], threads=threads, progress=progress)
    return _unvalued({"gammon": build_info()["version"], "evaluator": asked.id, **asdict(how)}, boards, kinds)


def _unvalued(made: dict[str, Any], boards: Boards, kinds: npt.NDArray[np.intp]) -> Reference:
    count = len(boards)
    return Reference(
        made,
        None,
        boards,
        kinds,
        np.zeros(count, np.int64),
        np.full((count, 5), math.nan),
        np.full((count, 5), math.nan),
        np.full(count, math.nan),
        np.full(count, math.inf),
    )


def value_reference(
    reference: Reference,
    settings: rollout.Settings | None = None,
    *,
    error: float = 0.005,
    most: int = 100_000,
    evaluator: evaluators.Evaluator | None = None,
    small: evaluators.Evaluator | None = None,
    threads: int | None = None,
    progress: Callable[[Reference], object] | None = None,
    save: str | os.PathLike[str] | None = None,
) -> Reference:
    """Roll positions out until each equity is known to a standard error, and return them with what was found.

    `settings` are those of a first rollout of every position, by default 144 trials. What is not known well
    enough then is rolled out anew, with as many trials (a multiple of the first number) as its error says it
    takes, but no more than `most`: so each row is what one rollout of its `trials` finds. What a set has
    already is kept. `progress` is told some twenty times a second what is finished; an answer that is false
    but not `None` stops, as Ctrl-C does: with `save` what is finished is then in that file.

    Raises `SettingError` for a set that was rolled out in another way, and what `gammon.rollout.run_many`
    does.
    """
    first = rollout.Settings(trials=144, one_look_in=1) if settings is None else settings
    if not error > 0:
        raise SettingError(f"error must be above 0, got {error}")
    chooser = evaluators.default() if evaluator is None else evaluator
    done = _Valuation(reference, _how(first, chooser, small), first.trials)
    saved = time.monotonic()
    stopped = False

    def goes_on(_trials: int) -> bool:
        nonlocal stopped
        answer = None if progress is None else progress(done.reference())
        stopped = answer is not None and not answer
        return not stopped

    try:
        while not stopped and len(places := done.next(error, most)):
            found = rollout.run_many(
                reference.boards[places],
                replace(first, trials=int(done.wanted[places[0]])),
                evaluator=chooser,
                small=small,
                threads=threads,
                progress=goes_on,
            )
            done.add(places, found)
            if save is not None and time.monotonic() - saved > _SAVE_SECONDS:
                done.reference().save(save)
                saved = time.monotonic()
        goes_on(0)
    finally:
        if save is not None:
            done.reference().save(save)
    return done.reference()


def _how(
    settings: rollout.Settings, evaluator: evaluators.Evaluator, small: evaluators.Evaluator | None
) -> dict[str, Any]:
    """What all rollouts of a set have to have in common."""
    fields = {name: value for name, value in asdict(settings).items() if name not in ("trials", "opening")}
    return {
        "gammon": build_info()["version"],
        "evaluator": evaluator.id,
        "small": None if small is None else small.id,
        **json.loads(json.dumps(fields)),
    }


_AS_EVER = {"one_look_in": 1, "stop_at_bear_off": False}
"""What sets mean that do not say so: they were rolled out when there was no choice."""


class _Valuation:
    """The numbers of a set as they come in."""

    def __init__(self, reference: Reference, how: dict[str, Any], first: int) -> None:
        if reference.valued is not None:
            alone = how["small"] is None  # and then there is nothing to filter
            for name in (how.keys() | reference.valued.keys()) - ({"prefilter"} if alone else set()):
                before, now = reference.valued.get(name, _AS_EVER.get(name)), how.get(name)
                if before != now:
                    raise SettingError(f"the set was rolled out with {name} {before!r:.60}, not {now!r:.60}")
        self.old = reference
        self.how = how
        self.first = first
        self.trials = reference.trials.copy()
        self.chances, self.chance_errors = reference.chances.copy(), reference.chance_errors.copy()
        self.equity, self.equity_error = reference.equity.copy(), reference.equity_error.copy()
        self.wanted = self.trials.copy()

    def next(self, error: float, most: int) -> npt.NDArray[np.intp]:
        """Which positions are to be rolled out now: of those that want the fewest trials, the first."""
        most = max(self.first, most - most % self.first)
        open_: npt.NDArray[np.intp] = np.flatnonzero((self.equity_error > error) & (self.trials < most))
        if not len(open_):
            return open_
        # Errors fall with the root of the trials; a little more, since they are themselves not exact.
        done = self.trials[open_]
        needed = np.where(
            done == 0, 1, 1.05 * done * (np.minimum(self.equity_error[open_], 9.0) / error) ** 2
        )
        rounds = np.ceil(np.maximum(needed, done + 1) / self.first).astype(np.int64)
        self.wanted[open_] = np.minimum(rounds * self.first, most)
        places: npt.NDArray[np.intp] = open_[self.wanted[open_] == self.wanted[open_].min()]
        return places[:_AT_ONCE]

    def add(self, places: npt.NDArray[np.intp], found: rollout.Many) -> None:
        """Take what rollouts of some positions have found; those that were stopped half-way are left out."""
        complete = found.trials == self.wanted[places]
        places = places[complete]
        self.trials[places] = found.trials[complete].astype(np.int64)
        self.chances[places] = found.chances[complete].round(_DIGITS)
        self.chance_errors[places] = found.chance_errors[complete].round(_DIGITS)
        self.equity[places] = found.equity[complete].round(_DIGITS)
        self.equity_error[places] = found.equity_error[complete].round(_DIGITS)

    def reference(self) -> Reference:
        """Return the set with what is known now."""
        return replace(
            self.old,
            valued=self.how if self.trials.any() else None,
            trials=self.trials.copy(),
            chances=self.chances.copy(),
            chance_errors=self.chance_errors.copy(),
            equity=self.equity.copy(),
            equity_error=self.equity_error.copy(),
        )


def read_reference(path: str | os.PathLike[str]) -> Reference:
    """Read what `Reference.save` has written.

    Raises `OSError` if the file cannot be read, `SettingError` if it holds no reference set.
    """
    name = os.fspath(path)
    try:
        lines = gzip.decompress(Path(path).read_bytes()).decode().splitlines()
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise SettingError(f"{name} is no gzipped text: {error}") from error
    try:
        head, *rows = map(json.loads, lines)
        if not isinstance(head, Mapping) or head.get("format") != _FORMAT:
            raise ValueError(f"it does not begin with the format {_FORMAT!r}")
        return _filled(head, rows)
    except (ParseError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        raise SettingError(f"{name} holds no reference set: {error}") from error


def _filled(head: Mapping[str, Any], rows: list[Any]) -> Reference:
    boards = np.array([Position.from_id(row[0]).board for row in rows], np.uint8).reshape(-1, 2, 25)
    kinds = np.array([GAME_PHASES.index(row[1]) for row in rows], np.intp)
    found = _unvalued(dict(head["made"]), boards, kinds)
    for i, (_, _, trials, *numbers) in enumerate(rows):
        found.trials[i] = trials
        if trials:
            (found.chances[i], found.chance_errors[i], found.equity[i], found.equity_error[i]) = numbers
    valued = head["valued"]
    return replace(found, valued=None if valued is None else dict(valued))
