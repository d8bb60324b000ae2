"""Other programs that are run beside this one."""

import contextlib
import os
import signal
import subprocess
from typing import Any

__all__ = ["end_with_its_own", "has_ended"]


def has_ended(program: subprocess.Popen[Any]) -> bool:
    """Whether a program has ended, asked so that `end_with_its_own` still knows what it has started.

    `poll` would give its number back to the system.
    """
    if os.name == "nt" or not hasattr(os, "waitid") or program.returncode is not None:
        return program.poll() is not None
    return os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end_with_its_own(program: subprocess.Popen[Any]) -> None:
    """End a program that was started in a session of its own, and what it has started and not given another.

    A shell that runs an engine may have more children than that, and none of them ends by itself when the
    shell is killed. Where there are no groups of processes it is the program alone.
    """
    # As long as nobody has asked whether it has ended, no other process can have got its number.
    if os.name != "nt" and program.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program.pid, signal.SIGKILL)
    program.kill()
    program.wait()
