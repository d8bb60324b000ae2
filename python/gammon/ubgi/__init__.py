"""UBGI: gammon as an engine that other programs talk to, a line at a time.

Three dialects are spoken: the drafts 0.1 and 0.2 of bgci (github.com/bungogood/bgci) and the draft 0.01 of
Øystein Schønning-Johansen. A server answers in the manner it is asked in; docs/ubgi.md lists the commands.

>>> from gammon.ubgi import Server
>>> server = Server()
>>> server.answer("ubgi")[-1], server.answer("isready")
('ubgiok', ['readyok'])
>>> server.answer("position gnubgid 4HPwATDgc/ABMA"), server.answer("dice 3 1")
([], [])
>>> server.answer("go chequer")[-1]
'bestmove 8/5 6/5'
>>> server.answer("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
['8/5 6/5']
"""

from gammon.ubgi._server import Dialect, Server, serve

__all__ = ["Dialect", "Server", "serve"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
