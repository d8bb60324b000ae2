"""Where the command `gammon` starts: outside of the package, whose import takes a third of a second.

Ctrl-C in that time would end in a traceback if the script imported `gammon` itself. This module imports
nothing but `sys` before it is ready for that.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C is one line and exit status 130 from the first moment on."""
    try:
        from gammon.cli import main as command

        command()
    except KeyboardInterrupt:
        print("gammon: stopped", file=sys.stderr)
        sys.exit(130)
