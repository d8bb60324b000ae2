"""Running the command line in tests."""

import json
import os
import subprocess
import sys

GAMMON = [sys.executable, "-m", "gammon"]


def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        [*GAMMON, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    assert found.returncode == code, (found.stdout, found.stderr)
    assert "Traceback" not in found.stderr
    return found


def read_or_nothing(terminal: int) -> bytes:
    """What a terminal shows next; nothing once its other end is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def run_json(*arguments: object) -> dict[str, object]:
    out = run(*arguments, "--json").stdout
    assert out.count("\n") == 1
    data = json.loads(out)
    assert isinstance(data, dict)
    return data
