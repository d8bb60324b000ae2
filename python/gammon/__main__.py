"""`python -m gammon` is the command `gammon`."""

from gammon.cli import main

main()
