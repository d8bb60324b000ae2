"""The `gammon` command. Each command is a module beside this one: parse, call one function, print."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; errors in what was typed end with exit code 2 and one line of reason."""
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
        print(f"gammon: {error}", file=sys.stderr)
        sys.exit(2)
