"""Rollouts on disk: what is done so far, written as it grows, from which a rollout goes on to the same bits.

A checkpoint is one JSON object:

    format      "gammon rollout checkpoint"
    gammon      the version that wrote it; another one may throw other dice
    subject     kind, positions (Position IDs), situation (XGID), met (its name), life
    settings    those of `gammon.rollout.Settings` that the games depend on
    evaluator   who chooses the plays
    trials      the numbers of the trials summed up: [first, end] of each range
    sums        whole numbers; `RolloutPart.sums`
"""

import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gammon._native import RolloutPart, RolloutSubject, build_info
from gammon.errors import CheckpointError
from gammon.rollout._settings import Settings

__all__ = ["Checkpoint"]

_FORMAT = "gammon rollout checkpoint"

_SECONDS = 2.0
"""Seconds between two writings."""


class Checkpoint:
    """The file of one rollout."""

    def __init__(self, path: Path, subject: RolloutSubject, settings: Settings, evaluator: str) -> None:
        self._path = path
        self._subject = subject
        self._settings = settings
        self._written = time.monotonic()
        self._head = _head(subject, settings, evaluator)
        self._evaluator = evaluator

    def begin(self, *, resume: bool) -> RolloutPart | None:
        """Return what the file holds, to go on from; `None` if there is none yet."""
        if not self._path.exists():
            return None
        if not resume:
            raise CheckpointError(f"{self._path} exists: resume it, or choose another name")
        try:
            return self._part(json.loads(self._path.read_text(encoding="utf-8")))
        except CheckpointError:
            raise
        except RecursionError:
            raise CheckpointError(f"{self._path} is no checkpoint: it is nested too deeply") from None
        except ValueError as error:  # no JSON, or no UTF-8
            raise CheckpointError(f"{self._path} is no checkpoint: {error}") from None

    def _part(self, held: Any) -> RolloutPart:
        """Return the sums of a file's values."""
        if not isinstance(held, dict) or held.get("format") != _FORMAT:
            raise CheckpointError(f"{self._path} is no checkpoint of a rollout")
        for key, ours in self._head.items():
            if held.get(key) != ours:
                difference = _difference(key, held.get(key), ours)
                raise CheckpointError(f"{self._path} is of another rollout: {difference}")
        try:
            source = (self._subject, self._evaluator, [(start, end) for start, end in held["trials"]])
            return RolloutPart._from_state(source, self._settings, held["sums"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise CheckpointError(f"{self._path} is damaged: {error}") from None

    def keep(self, part: RolloutPart) -> None:
        """Write what is done, if the last time was some seconds ago."""
        if time.monotonic() - self._written >= _SECONDS:
            self.write(part)

    def write(self, part: RolloutPart) -> None:
        """Write what is done: under another name first, so that the file is always whole."""
        held = self._head | {"trials": part.numbers, "sums": part.sums}
        temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        try:
            with temporary.open("w", encoding="utf-8") as file:
                json.dump(held, file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self._path)
        finally:
            temporary.unlink(missing_ok=True)
        self._written = time.monotonic()


def _head(subject: RolloutSubject, settings: Settings, evaluator: str) -> dict[str, Any]:
    """What has to be the same for a rollout to be the same."""
    met, situation = subject.met, subject.situation
    told = asdict(settings)
    del told["trials"]  # more may be asked for later
    return {
        "format": _FORMAT,
        "gammon": build_info()["version"],
        "subject": {
            "kind": subject.kind,
            "positions": [position.id for position in subject.positions],
            "situation": None if situation is None else situation.xgid,
            "met": None if met is None else met.name,
            "life": subject.life,
        },
        "settings": json.loads(json.dumps(told)),
        "evaluator": evaluator,
    }


def _difference(key: str, held: object, ours: object) -> str:
    """Name what differs, within parts that have several."""
    if isinstance(held, dict) and isinstance(ours, dict):
        for name, value in ours.items():
            if held.get(name) != value:
                return f"{name} is {held.get(name)!r:.120}, not {value!r:.120}"
    return f"{key} is {held!r:.120}, not {ours!r:.120}"
