"""GNU Backgammon as a player, through its interface for external programs.

The program is started with its text interface and told to listen on a socket (`external`); it then
answers a FIBS board line that holds dice with the play it makes, and `evaluation fibsboard` with five
chances. A request takes some 50 microseconds; its Python interface sleeps 10 milliseconds at each.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from types import TracebackType
from typing import IO

import numpy as np

from gammon._native import Position, Situation
from gammon._typing import Boards, Chances
from gammon.errors import EvaluatorError, SettingError
from gammon.strength._players import Decisions, Numbers, choose_by_words
from gammon.strength._programs import end_with_its_own, has_ended

__all__ = ["Gnubg"]

_START_SECONDS = 60.0
_ANSWER_SECONDS = 120.0
"""Longer than any one play takes; a program that says nothing for so long has lost the thread."""
_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where it is looked for beside the PATH: Debian's place is not always on it."""


class Gnubg:
    """GNU Backgammon, cubeless, for money without the Jacoby rule, with its own filter of moves.

    It is a `Player`, and an evaluator too. The program runs until `close` is called, the object is gone or
    the `with` block it was opened for ends; its own settings are neither read nor changed.
    """

    def __init__(self, *, plies: int = 0, command: str | os.PathLike[str] | None = None) -> None:
        """`command` is the program, by default the `gnubg` that is installed.

        Raises `SettingError` for plies beyond 4, `FileNotFoundError` if there is no such program,
        `EvaluatorError` if it does not answer.
        """
        if not 0 <= plies <= 4:
            raise SettingError(f"plies must be from 0 to 4, got {plies}")
        if not hasattr(socket, "AF_UNIX"):
            raise SettingError("GNU Backgammon is talked to through a Unix socket, which this system lacks")
        self.plies = plies
        self._process = _Process(_find(command), plies)
        self.close = weakref.finalize(self, self._process.end)
        told = self._process.ask("version", until="Software:")
        self.version, self.weights = told["Software"], told["Engine"]

    @property
    def id(self) -> str:
        """Program, version, weights and plies."""
        return f"GNU Backgammon {self.version} (weights {self.weights}) {self.plies}-ply"

    def __enter__(self) -> "Gnubg":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision the program plays.

        Raises `EvaluatorError` if it plays something illegal, or has ended.
        """
        return choose_by_words(
            decisions, lambda position, dice: self._process.ask_line(_fibs(position, dice)), self.id
        )

    def evaluate(self, boards: Boards, /) -> Chances:
        """Return the chances of the player on roll in each position: `float32[n, 5]`."""
        rows = [self._chances(Position.from_board(board)) for board in boards]
        return np.array(rows, dtype=np.float32).reshape(-1, 5)

    def _chances(self, position: Position) -> list[float]:
        prune = " prune" if self.plies else ""
        answer = self._process.ask_line(f"evaluation fibsboard {_fibs(position)} plies {self.plies}{prune}")
        try:
            chances = [float(number) for number in answer.split()[:5]]
        except ValueError:
            chances = []
        if len(chances) != 5:
            raise EvaluatorError(f"{self.id} answered {answer!r:.80} about {position.id}")
        return chances


def _fibs(position: Position, roll: tuple[int, int] | None = None) -> str:
    return Situation.from_parts(position, roll=roll).to("fibs")[0]


def _find(command: str | os.PathLike[str] | None) -> str:
    asked = "gnubg" if command is None else os.fspath(command)
    found = shutil.which(asked, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *_FOLDERS]))
    if found is None:
        raise FileNotFoundError(2, "no such program; GNU Backgammon is not installed", asked)
    return found


class _Process:
    """The running program and the socket to it."""

    def __init__(self, command: str, plies: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gammon-gnubg-"))
        try:
            with (self.folder / "log").open("wb") as log:
                # In a session of its own, so that Ctrl-C is not for it; and with settings of its own.
                self.program = subprocess.Popen(
                    [command, "-t", "-q", "-r", "-s", str(self.folder)],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    text=True,
                )
            self.socket = self._connect(plies)
        except BaseException:
            self.end()
            raise
        self.lines = self.socket.makefile("r", encoding="utf-8", errors="replace")

    def _connect(self, plies: int) -> socket.socket:
        """Send what sets the program up, and wait until it listens."""
        settings = "set evaluation chequerplay evaluation"
        commands = [
            "set threads 1",
            "set jacoby off",
            f"{settings} plies {plies}",
            f"{settings} noise 0",
            f"{settings} cubeful off",
            f"{settings} prune on",
            f"external {self.folder / 'socket'}",
        ]
        try:
            stdin = self._stdin()
            stdin.write("\n".join(commands) + "\n")
            stdin.flush()
        except OSError as error:
            raise self._failure("it has ended") from error
        begun = time.monotonic()
        while time.monotonic() - begun < _START_SECONDS and not has_ended(self.program):
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(self.folder / "socket"))
            except OSError:
                connection.close()
                time.sleep(0.02)
            else:
                connection.settimeout(_ANSWER_SECONDS)
                return connection
        raise self._failure("it does not listen")

    def _stdin(self) -> IO[str]:
        if self.program.stdin is None:
            raise self._failure("it takes no commands")
        return self.program.stdin

    def ask_line(self, question: str) -> str:
        """Return the line that answers a line."""
        try:
            self.socket.sendall(question.encode() + b"\n")
            answer = self.lines.readline()
        except OSError as error:
            raise self._failure("the connection broke") from error
        except BaseException:
            self.end()  # or its answer would be taken for that to the next question
            raise
        if not answer or answer.startswith("Error"):
            raise self._failure(f"{answer.strip() or 'it has ended'}, asked {question!r:.200}")
        return answer.strip()

    def ask(self, question: str, *, until: str) -> dict[str, str]:
        """Return an answer of several lines 'name: value', the last of which begins with `until`."""
        answers = {}
        line = self.ask_line(question)
        while True:
            name, _, value = line.partition(":")
            answers[name] = value.strip()
            if line.startswith(until):
                return answers
            line = self.lines.readline().strip()
            if not line:
                raise self._failure(f"an answer to {question!r} without {until!r}")

    def _failure(self, what: str) -> EvaluatorError:
        try:
            printed = (self.folder / "log").read_text(encoding="utf-8", errors="replace").strip()[-200:]
        except FileNotFoundError:
            return EvaluatorError(f"GNU Backgammon: {what}; it was closed")
        return EvaluatorError(f"GNU Backgammon: {what}; it printed {printed!r}")

    def end(self) -> None:
        """End the program and remove its folder."""
        for name in ("lines", "socket"):
            if hasattr(self, name):
                with contextlib.suppress(OSError):
                    getattr(self, name).close()
        if hasattr(self, "program"):
            end_with_its_own(self.program)
            with contextlib.suppress(OSError):
                self._stdin().close()
        shutil.rmtree(self.folder, ignore_errors=True)
