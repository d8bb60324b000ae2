"""The `gammon` command. Each command is a module beside this one: parse, call one function, print."""

import gc
import os
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; errors in what was typed end with exit status 2 and one line of reason."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ModuleNotFoundError as missing:
        sys.exit(f"gammon: the command line needs {missing.name}; install it with: pip install 'gammon[cli]'")

    from gammon.cli.app import app
    from gammon.errors import GammonError, MissingTableError

    try:
        app()
    except (GammonError, MissingTableError, OSError) as error:
        print(f"gammon: {_reason(error)}", file=sys.stderr)
        sys.exit(2)
    finally:
        # The process ends: looking through all it has for what could be given back takes five sixths of the
        # time from here to its end, .11 of .13 s of CPU, and Ctrl-C is to be answered at once.
        gc.freeze()


def _reason(error: Exception) -> str:
    """One line; of a file, its name and what is wrong with it, without a number."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    return str(error)
