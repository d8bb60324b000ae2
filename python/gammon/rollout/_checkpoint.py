"""Rollouts on disk: what is done so far, written as it grows, from which a rollout goes on to the same bits.

A checkpoint is one JSON object:

    format      "gammon rollout checkpoint"
    gammon      the version that wrote it; another one may throw other dice
    subject     kind, positions (Position IDs), situation (XGID), met (its name), life; of another game
                also its options
    settings    those of `gammon.rollout.Settings` that the games depend on
    evaluator   who chooses the plays
    trials      the numbers of the trials summed up: [first, end] of each range
    sums        whole numbers; `RolloutPart.sums`

Where plays may be dropped there are also `drop`, the standard errors asked for, `plays`, the numbers of those
left, and `dropped`: a list of the like of `plays`, `trials` and `sums` at each number of trials where some
were.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gammon._files import replacing
from gammon._native import RolloutPart, build_info
from gammon.errors import CheckpointError

if TYPE_CHECKING:
    from gammon.rollout._engine import Game

__all__ = ["Checkpoint", "Stage"]

_FORMAT = "gammon rollout checkpoint"

_SECONDS = 2.0
"""Seconds between two writings."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What is rolled out between two numbers of trials at which plays are dropped."""

    branches: tuple[int, ...]
    """The numbers of the plays left."""
    sums: RolloutPart | None
    """Their sums; `None` before the first trial."""

    @property
    def part(self) -> RolloutPart:
        """The sums of a stage that has some."""
        assert self.sums is not None
        return self.sums


class Checkpoint:
    """The file of one rollout."""

    def __init__(self, path: Path, game: "Game", drop: float | None) -> None:
        self._path = path
        self._game = game
        self._drops = drop is not None
        self._written = time.monotonic()
        self._head = _head(game, drop)

    def begin(self, *, resume: bool) -> list[Stage]:
        """Return the stages the file holds, to go on from the last; none if there is no file yet."""
        if not self._path.exists():
            return []
        if not resume:
            raise CheckpointError(f"{self._path} exists: resume it, or choose another name")
        try:
            return self._stages(json.loads(self._path.read_text(encoding="utf-8")))
        except CheckpointError:
            raise
        except RecursionError:
            raise CheckpointError(f"{self._path} is no checkpoint: it is nested too deeply") from None
        except ValueError as error:  # no JSON, or no UTF-8
            raise CheckpointError(f"{self._path} is no checkpoint: {error}") from None

    def _stages(self, held: Any) -> list[Stage]:
        """Return the stages of a file's values."""
        if not isinstance(held, dict) or held.get("format") != _FORMAT:
            raise CheckpointError(f"{self._path} is no checkpoint of a rollout")
        for key, ours in self._head.items():
            if held.get(key) != ours:
                difference = _difference(key, held.get(key), ours)
                raise CheckpointError(f"{self._path} is of another rollout: {difference}")
        try:
            return [self._stage(one) for one in (*held.get("dropped", ()), held)]
        except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            raise CheckpointError(f"{self._path} is damaged: {error}") from None

    def _stage(self, held: dict[str, Any]) -> Stage:
        every = range(self._game.subject.branches)
        branches = tuple(every[branch] for branch in held["plays"]) if self._drops else tuple(every)
        game = self._game.at(branches, self._game.settings.trials)
        source = (game.subject, game.name, [(start, end) for start, end in held["trials"]])
        return Stage(branches, RolloutPart._from_state(source, game.settings, held["sums"]))

    def keep(self, stages: Sequence[Stage]) -> None:
        """Write what is done, if the last time was some seconds ago."""
        if time.monotonic() - self._written >= _SECONDS:
            self.write(stages)

    def write(self, stages: Sequence[Stage]) -> None:
        """Write what is done: under another name first, so that the file is always whole."""
        *dropped, last = map(self._plain, stages)
        held = self._head | last | ({"dropped": dropped} if self._drops else {})
        with replacing(self._path) as part, part.open("w", encoding="utf-8") as file:
            json.dump(held, file)
        self._written = time.monotonic()

    def _plain(self, stage: Stage) -> dict[str, Any]:
        held = {"trials": stage.part.numbers, "sums": stage.part.sums}
        return {"plays": list(stage.branches)} | held if self._drops else held


def _head(game: "Game", drop: float | None) -> dict[str, Any]:
    """What has to be the same for a rollout to be the same."""
    subject = game.subject
    met, situation = subject.met, subject.situation
    told = asdict(game.settings)
    del told["trials"]  # more may be asked for later
    # The ids of another game name it, but not the options that its rules depend on.
    options = {} if game.options is None else {"options": dict(game.options)}
    return {
        "format": _FORMAT,
        "gammon": build_info()["version"],
        "subject": {
            "kind": subject.kind,
            "positions": [position.id for position in subject.positions],
            "situation": None if situation is None else situation.xgid,
            "met": None if met is None else met.name,
            "life": subject.life,
        }
        | options,
        "settings": json.loads(json.dumps(told)),
        "evaluator": game.name,
        "drop": drop,
    }


def _difference(key: str, held: object, ours: object) -> str:
    """Name what differs, within parts that have several."""
    if isinstance(held, dict) and isinstance(ours, dict):
        for name, value in ours.items():
            if held.get(name) != value:
                return f"{name} is {held.get(name)!r:.120}, not {value!r:.120}"
    return f"{key} is {held!r:.120}, not {ours!r:.120}"
