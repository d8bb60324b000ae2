"""The `gammon` command. Each command is a module beside this one: parse, call one function, print."""

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


def _reason(error: Exception) -> str:
    """One line; of a file, its name and what is wrong with it, without a number."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    return str(error)
