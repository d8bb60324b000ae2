"""What each program measured by ``peers.py`` is asked to do: one module a program.

A module has ``DISTRIBUTION``, the name on the package index (or, outside it, of the program), and
``tasks()``, which imports the program and raises ``ImportError`` if it is not installed.
"""

from adapters import bgsage, gnubg, gnubg_nn, gym_backgammon, makebearoff, open_spiel, pygammon

PEERS = [gnubg_nn, gnubg, bgsage, open_spiel, gym_backgammon, pygammon, makebearoff]
