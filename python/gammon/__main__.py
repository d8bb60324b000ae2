"""`python -m gammon` is the command `gammon`."""

from gammon_command import main

main()
