"""Rollouts of GNU Backgammon, by its command line."""

import os
import pty
import re
import resource
import shutil
import tempfile
from dataclasses import dataclass


@dataclass(frozen=True)
class Rolled:
    """What one of its rollouts found, for the player on roll, and the CPU seconds it took."""

    chances: tuple[float, float, float, float, float]
    equity: float
    error: float
    seconds: float


def roll_out(program: str, position_id: str, trials: int) -> Rolled:
    """Cubeless, to the one-sided bear-off table, 0-ply with variance reduction and quasi-random dice.

    `trials` is a multiple of 36, or the dice are not evenly spread. Starting the program is part of the time.
    """
    said, seconds = _session(program, position_id, trials)
    number = r"([+-]?\d+\.\d+)"
    means = rf"{' '.join([number] * 3)} - {' '.join([number] * 3)}\s+CL\s+{number}\s*\n\s*\[.*CL\s+{number}\]"
    found = re.findall(means, said)
    assert found, said[-2000:]
    assert f"\n{trials} games" in said, said[-2000:]
    win, gammon, backgammon, _, lost_gammon, lost_backgammon, equity, error = map(float, found[-1])
    return Rolled((win, gammon, backgammon, lost_gammon, lost_backgammon), equity, error, seconds)


def find() -> str | None:
    """The program: on the PATH, or where Debian has it."""
    return shutil.which("gnubg") or shutil.which("/usr/games/gnubg")


def start_seconds(program: str, position_id: str) -> float:
    """CPU seconds that starting the program and setting up a position takes."""
    return _session(program, position_id, 0)[1]


def _session(program: str, position_id: str, trials: int) -> tuple[str, float]:
    lines = [
        "set automatic roll off",
        "set automatic game off",
        "set player 0 human",
        "set player 1 human",
        "set threads 1",
        "set display off",
        "set output digits 6",
        "new session",
        "set turn 1",
        f"set board {position_id}",
        f"set rollout trials {max(trials, 1)}",
        "set rollout cubeful off",
        "set rollout varredn on",
        "set rollout quasirandom on",
        "set rollout initial off",
        "set rollout truncation enable off",
        "set rollout bearofftruncation exact on",
        "set rollout bearofftruncation onesided on",
        "set rollout chequerplay evaluation plies 0",
        "set rollout chequerplay evaluation cubeful off",
        "set rollout seed 7",
    ]
    lines += ["rollout"] if trials else []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as commands:
        commands.write("\n".join(lines) + "\n")
        commands.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = _in_a_terminal([program, "-t", "-q", "-r", "-c", commands.name])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return said.replace("\r", ""), spent


def _in_a_terminal(command: list[str]) -> str:
    """What a program writes that tells its results to a terminal alone."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    said = b""
    while True:
        try:
            some = os.read(terminal, 65_536)
        except OSError:  # the other end is closed
            break
        if not some:
            break
        said += some
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode(errors="replace")
