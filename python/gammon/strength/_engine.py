"""Engines that live in another Python interpreter, as evaluators and players."""

import base64
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import weakref
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, TypeAlias

import numpy as np

from gammon import evaluators
from gammon._typing import Boards, Chances, Rolls
from gammon.errors import EvaluatorError, SettingError
from gammon.strength._players import Decisions, Equities, Numbers, best_for_mover, equities
from gammon.strength._programs import end_with_its_own

__all__ = ["ENGINES", "Engine", "EngineName"]

EngineName: TypeAlias = Literal["gnubg", "bgsage"]

ENGINES: tuple[EngineName, ...] = ("gnubg", "bgsage")
"""Packages that can be asked: GNU Backgammon as a package, and Open Sage."""

_WORKER = Path(__file__).with_name("_worker.py")
_BATCH = 2_000
"""Positions asked about at a time: some tens of milliseconds."""


class Engine:
    """An engine that another Python interpreter has installed, cubeless, for money without the Jacoby rule.

    It is an evaluator, and a `Player` that makes the legal play it values highest. Its process runs until
    `close` is called, the object is gone or the `with` block it was opened for ends.
    """

    def __init__(
        self, name: EngineName, *, plies: int = 0, python: str | os.PathLike[str] | None = None
    ) -> None:
        """`python` is the interpreter that has the package `name`, by default this one.

        Plies are counted as ours are: bgsage calls our 0 plies 1-ply. With lookahead only the plays that its
        own evaluation finds good are looked at deeply: as many as the engine's own filter lets pass.

        Raises `SettingError` for an unknown engine or plies beyond 4, `OSError` if the interpreter cannot be
        run, `EvaluatorError` if the engine does not start.
        """
        if name not in ENGINES:
            raise SettingError(f"engine must be one of {', '.join(ENGINES)}, got {name!r:.60}")
        if not 0 <= plies <= 4:
            raise SettingError(f"plies must be from 0 to 4, got {plies}")
        self.name, self.plies = name, plies
        interpreter = sys.executable if python is None else os.fspath(python)
        self._process = _Process([interpreter, str(_WORKER), name, str(plies)], name)
        self.close = weakref.finalize(self, self._process.end)
        greeting = self._process.read()
        self.version: str = greeting["id"]
        self._most, self._within = greeting["narrow"]

    @property
    def id(self) -> str:
        """The engine, its version and plies, counted as ours."""
        return f"{self.version} {self.plies}-ply"

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def evaluate(self, boards: Boards, /) -> Chances:
        """Return the chances of the player on roll in each position: `float32[n, 5]`."""
        return self._chances(boards, self.plies)

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision the engine plays."""
        values = self._values(decisions.results, 0)
        if not self.plies:
            return best_for_mover(values, decisions.offsets)
        near = self._near(values, decisions.offsets)
        deep = np.full(len(values), np.inf)
        deep[near] = self._values(decisions.results[near], self.plies)
        return best_for_mover(deep, decisions.offsets)

    def _near(self, values: Equities, offsets: Numbers) -> Numbers:
        """Where the results are that are looked at more deeply."""
        near = []
        for first, end in pairwise(offsets.tolist()):
            order = first + np.argsort(values[first:end], kind="stable")[: self._most]
            near.append(order[values[order] <= values[order[0]] + self._within])
        return np.concatenate(near)

    def _values(self, boards: Boards, plies: int) -> Equities:
        """Equities of the player on roll; finished games have theirs without asking."""
        return equities(evaluators.evaluate(boards, _AtPlies(self, plies), threads=1))

    def _chances(self, boards: Boards, plies: int) -> Chances:
        found = [
            np.frombuffer(
                base64.b64decode(self.ask(boards[first : first + _BATCH], plies=plies)["chances"]), np.float32
            )
            for first in range(0, len(boards), _BATCH)
        ]
        return np.concatenate([np.zeros(0, np.float32), *found]).reshape(-1, 5)

    def ask(self, boards: Boards, rolls: Rolls | None = None, *, plies: int = 0) -> dict[str, Any]:
        """Return the engine's answer about positions: chances, or with rolls how many plays it ranked.

        In both cases `seconds` is the CPU time that the engine itself took.
        """
        request: dict[str, Any] = {"boards": _text(boards), "plies": plies}
        if rolls is not None:
            request["rolls"] = _text(rolls)
        return self._process.ask(request)


class _AtPlies:
    """An engine as an evaluator at some other depth."""

    def __init__(self, engine: Engine, plies: int) -> None:
        self.id = engine.id
        self.engine = engine
        self.plies = plies

    def evaluate(self, boards: Boards, /) -> Chances:
        return self.engine._chances(boards, self.plies)


def _text(array: Boards) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


class _Process:
    """The worker, and the lines to and from it."""

    def __init__(self, command: list[str], name: str) -> None:
        self.name = name
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        try:
            # In a session of its own, so that Ctrl-C is not for it, and with all it starts in one group.
            self.program = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                start_new_session=True,
                text=True,
                encoding="utf-8",
            )
        except BaseException:
            self.log.close()
            raise

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        try:
            stdin = self._pipe(self.program.stdin)
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
        except (OSError, ValueError) as error:
            raise self._failure() from error
        except BaseException:
            self.end()
            raise
        return self.read()

    def read(self) -> dict[str, Any]:
        """Return the next answer."""
        try:
            answer = json.loads(self._pipe(self.program.stdout).readline())
        except ValueError as error:
            raise self._failure() from error
        except BaseException:
            self.end()  # or its answer would be taken for that to the next question
            raise
        if not isinstance(answer, dict):
            raise self._failure()
        return answer

    def _pipe(self, pipe: IO[str] | None) -> IO[str]:
        if pipe is None:
            raise self._failure()
        return pipe

    def _failure(self) -> EvaluatorError:
        if self.log.closed:
            return EvaluatorError(f"{self.name} was closed")
        end_with_its_own(self.program)
        self.log.seek(0)
        printed = self.log.read().decode(errors="replace").strip().splitlines()
        last = printed[-1][:300] if printed else "nothing"
        return EvaluatorError(f"{self.name} has ended; the last it printed: {last}")

    def end(self) -> None:
        """End the process."""
        end_with_its_own(self.program)
        for pipe in (self.program.stdin, self.program.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # there may be something still to be written
                    pipe.close()
        self.log.close()
