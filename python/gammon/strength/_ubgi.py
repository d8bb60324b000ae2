"""Any engine that speaks UBGI as a player, through its standard input and output."""

import contextlib
import os
import re
import selectors
import shlex
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import IO

from gammon._native import Position, Situation
from gammon.errors import EvaluatorError, SettingError
from gammon.strength._players import Decisions, Numbers, choose_by_words
from gammon.strength._programs import end_with_its_own

__all__ = ["START_SECONDS", "Ubgi", "check_seconds"]

START_SECONDS = 10.0
"""How long an engine may take to greet, and again to make itself ready, unless more is granted."""

_MOST_SECONDS = 86_400.0
"""The most that may be granted, a day: what is waited for longer has to be counted otherwise."""

_ANSWER_SECONDS = 300.0
"""Longer than any one play takes; an engine that has not played by then has lost the thread."""

_LONGEST_ANSWER = 1 << 16
"""Bytes of an answer's line, at most."""

_NO_MOVE = ("", "pass", "nomove", "none", "0000")


class Ubgi:
    """A program that speaks UBGI, cubeless where it can be told so, for money without the Jacoby rule.

    The drafts 0.1 and 0.2 of bgci and 0.01 of Schønning-Johansen are spoken, the one that the program's
    greeting shows. It is a `Player`. The program runs until `close` is called, the object is gone or the
    `with` block it was opened for ends.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        plies: int | None = None,
        start_seconds: float = START_SECONDS,
    ) -> None:
        """`command` is the program with its arguments; without `plies` it plays as deeply as it does.

        For its greeting, and again for its answer to the settings it is told, the engine is waited for at
        most `start_seconds`: a program that speaks another language says nothing for ever.

        Raises `SettingError` for an empty command or an open quotation, for plies that the engine cannot be
        told and seconds that are not above 0 or more than a day's, `OSError` if the program cannot be run,
        `EvaluatorError` if it does not greet in time.
        """
        check_seconds(start_seconds)
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise SettingError(f"not a command of a UBGI engine: {command!r:.80}: {error}") from None
        if not words:
            raise SettingError("a UBGI engine needs a command")
        if os.name == "nt":
            raise SettingError("an engine is waited for at its pipe, which this system cannot do")
        self._process = _Process(words)
        self.close = weakref.finalize(self, self._process.end)
        try:
            self._greeting = self._process.greet(start_seconds)
            self.draft = _draft(self._greeting)
            self.plies = 0 if plies is None else plies
            self._told = plies is not None
            self._set_up(plies, start_seconds)
        except BaseException:
            self.close()
            raise
        self.name = _named(self._greeting) or os.path.basename(words[0])

    @property
    def id(self) -> str:
        """The engine's name, the draft it speaks, and its plies if it was told them, counted as ours."""
        return f"{self.name} (UBGI {self.draft})" + (f" {self.plies}-ply" if self._told else "")

    def __enter__(self) -> "Ubgi":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _set_up(self, plies: int | None, seconds: float) -> None:
        """Tell it the game and how deeply to look, by what it says it can be told."""
        if self.draft == "0.01":
            if plies is not None:
                raise SettingError("an engine of UBGI 0.01 cannot be told how many plies to look ahead")
            return
        known = {line.split()[1] for line in self._greeting if line.startswith("key ")}
        options = {found[1] for line in self._greeting if (found := _OPTION.match(line))}
        lines = []
        if plies is not None:
            for names, said in (
                (known & {"engine.ply", "engine.eval_plies"}, "set {} {}"),
                (options & {"Ply", "Plies", "EvalPlies"}, "setoption name {} value {}"),
            ):
                if names:
                    name = min(names)
                    lines.append(said.format(name, plies + (name in ("engine.ply", "Ply"))))
                    break
            else:
                raise SettingError("this engine names no setting for plies")
        for key in known & {"engine.mode", "engine.eval_mode"}:
            lines.append(f"set {key} cubeless")
        if self.draft == "0.1":
            lines += ["setoption name EvalMode value cubeless"] if "EvalMode" in options else []
            lines.append("newsession type money jacoby off crawford off")
        else:
            lines += ["newgame", *(["set game.jacoby false"] if "game.jacoby" in known else [])]
        self._process.tell([*lines, "isready"])
        until = time.monotonic() + seconds
        while (answer := self._process.line(until, _late("made itself ready", seconds))) != "readyok":
            if answer.startswith("error"):
                raise self._process.failure(f"it answered {answer!r:.200} to its settings")

    def choose(self, decisions: Decisions, /) -> Numbers:
        """Return which result of each decision the engine plays.

        Raises `EvaluatorError` if it plays something illegal, has not played within five minutes, answers
        with an error, or has ended.
        """
        return choose_by_words(decisions, self._play, self.id)

    def _play(self, position: Position, dice: tuple[int, int]) -> str:
        """Return the play that the engine makes, in words; empty if it can make none."""
        if self.draft == "0.01":
            shown = Situation.from_parts(position, roll=dice).xgid
            answer = self._process.ask([shown])
            if answer.lower().startswith("sorry"):
                raise self._process.failure(f"it is sorry about {shown}")
            return "" if answer.lower() in _NO_MOVE else answer
        go = "go role chequer" if self.draft == "0.1" else "go chequer"
        self._process.tell([f"position gnubgid {position.id}", f"dice {dice[0]} {dice[1]}", go])
        until = time.monotonic() + _ANSWER_SECONDS
        while True:
            answer = self._process.line(until, _idle())
            word, _, rest = answer.partition(" ")
            if word == "bestmove":
                move = rest.strip().removeprefix("move=")
                return "" if move.lower() in _NO_MOVE else move
            if word in ("error", "sorry"):
                raise self._process.failure(f"it answered {answer!r:.200} about {position.id}")


_OPTION = re.compile(r"option\s+name\s+(.+?)\s+type\b")


def _draft(greeting: Sequence[str]) -> str:
    """Return the draft of the protocol that a greeting is of."""
    if greeting[-1] == "readyok":
        return "0.01"
    return "0.2" if any(line.split()[:2] == ["proto", "0.2"] for line in greeting) else "0.1"


def _named(greeting: Sequence[str]) -> str:
    told = {line.split()[1]: " ".join(line.split()[2:]) for line in greeting if line.startswith("id ")}
    return " ".join(text for text in (told.get("name", ""), told.get("version", "")) if text)


def check_seconds(seconds: float) -> None:
    """Raise `SettingError` for seconds that nobody can be waited for."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not (is_number and 0 < seconds <= _MOST_SECONDS):
        most = f"{_MOST_SECONDS:,.0f}"
        raise SettingError(f"start_seconds must be above 0 and at most {most}, got {seconds!r:.80}")


def _idle() -> str:
    return f"it has not played within {_ANSWER_SECONDS:g} s"


def _late(what: str, seconds: float) -> str:
    return f"it has not {what} within {seconds:g} s (start_seconds grants it more)"


class _Process:
    """The running engine, and the lines to and from it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = f"{shlex.join(command):.120}"
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        self.waiting = b""
        try:
            # In a session of its own, so that Ctrl-C is not for it, and with all it starts in one group.
            self.program = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                start_new_session=True,
                bufsize=0,
            )
        except BaseException:
            self.log.close()
            raise
        self.selector = selectors.DefaultSelector()
        self.selector.register(self._pipe(self.program.stdout), selectors.EVENT_READ)

    def greet(self, seconds: float) -> list[str]:
        """Say hello; return the lines of the answer, all of which have come in so many seconds."""
        self.tell(["ubgi"])
        until = time.monotonic() + seconds
        lines: list[str] = []
        while not lines or lines[-1] not in ("ubgiok", "readyok"):
            lines.append(self.line(until, _late("answered the greeting 'ubgi'", seconds)))
        return lines

    def tell(self, lines: Sequence[str]) -> None:
        """Write lines."""
        try:
            self._pipe(self.program.stdin).write("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise self.failure("it has ended") from error

    def ask(self, lines: Sequence[str]) -> str:
        """Write lines and return the one that answers, blank or not."""
        self.tell(lines)
        return self.line(time.monotonic() + _ANSWER_SECONDS, _idle(), blank=True)

    def line(self, until: float, late: str, *, blank: bool = False) -> str:
        """Return the next line, without blanks around it; blank ones only if asked for.

        Raises `EvaluatorError` with the words `late` if it is not there by the time `until`.
        """
        while True:
            text, newline, rest = self.waiting.partition(b"\n")
            if len(text) > _LONGEST_ANSWER:
                raise self.failure(f"a line of its answer is longer than {_LONGEST_ANSWER} bytes")
            if newline:
                self.waiting = rest
                found = text.decode("utf-8", errors="replace").strip()
                if found or blank:
                    return found
            else:
                self._read(until, late)

    def _read(self, until: float, late: str) -> None:
        """Wait for more of its answer."""
        pipe = self._pipe(self.program.stdout)
        try:
            left = until - time.monotonic()  # a program may talk on and on, and never say what is waited for
            ready = left > 0 and self.selector.select(left)
            more = os.read(pipe.fileno(), 1 << 16) if ready else None
        except OSError as error:
            raise self.failure("the connection broke") from error
        except KeyboardInterrupt:
            self.end()  # or its answer would be taken for that to the next question
            raise
        if more is None:
            raise self.failure(late)
        if not more:
            raise self.failure("it has ended")
        self.waiting += more

    def _pipe(self, pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None or pipe.closed:
            raise self.failure("it was closed")
        return pipe

    def failure(self, what: str) -> EvaluatorError:
        """Return the error that says what is wrong, with the last words of the program."""
        if self.log.closed:
            return EvaluatorError(f"{self.name}: {what}; it was closed")
        self.log.seek(0)
        printed = self.log.read().decode(errors="replace").strip().splitlines()
        last = f"; the last it printed: {printed[-1][:300]}" if printed else ""
        return EvaluatorError(f"{self.name}: {what}{last}")

    def end(self) -> None:
        """End the program."""
        self.selector.close()
        end_with_its_own(self.program)
        for pipe in (self.program.stdin, self.program.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.log.close()
