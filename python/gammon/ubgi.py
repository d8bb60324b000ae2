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

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias

from gammon import cube, evaluators, search
from gammon import met as tables
from gammon._native import CubeDecision, Play, Position, Ranking, Roll, SearchCache, Situation, build_info
from gammon.cube import MetLike
from gammon.errors import GammonError, SettingError

__all__ = ["Dialect", "Server", "serve"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


Dialect: TypeAlias = Literal["auto", "0.01", "0.1", "0.2"]
"""A draft of the protocol; `auto` is that of the commands as they come."""

_MOST_PLIES = 4


class _Refused(Exception):
    """A command that cannot be obeyed: what kind of mistake it is, and what is wrong."""

    def __init__(self, kind: Literal["command", "value", "state", "unsupported"], text: str) -> None:
        super().__init__(text)
        self.kind = kind


_CODES: dict[str, dict[str, str]] = {
    "0.1": {
        "command": "unknown_command",
        "value": "bad_argument",
        "state": "missing_context",
        "unsupported": "unsupported_feature",
    },
    "0.2": {
        "command": "bad_command",
        "value": "bad_value",
        "state": "bad_state",
        "unsupported": "unsupported",
    },
}
"""What the drafts call each kind of mistake."""


@dataclass
class _Engine:
    """How the engine plays."""

    plies: int = 0
    threads: int | None = None
    filter: search.FilterLike = "normal"
    cubeful: bool = True


@dataclass
class _Game:
    """What is known of the game beside the position."""

    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int = 1
    owner: int | None = None
    turn: int = 0


@dataclass(frozen=True)
class _Key:
    """A setting of draft 0.2, which draft 0.1 may know by another name."""

    kind: str
    """What its values are, in the words of the draft."""
    about: str
    read: Callable[["Server"], object]
    write: Callable[["Server", str], None]
    option: str = ""
    """Its name in draft 0.1; empty if it has none there."""
    minor: bool = False


class Server:
    """An engine that answers lines with lines.

    Players are p0 and p1; a Position ID is seen by the one who is on roll, p0 unless told otherwise, and an
    XGID's top player is p0, its bottom player p1. One ply of draft 0.2 is our 0 plies.

    Raises `SettingError` for an unknown dialect.
    """

    def __init__(
        self,
        dialect: Dialect = "auto",
        *,
        plies: int = 0,
        evaluator: evaluators.Evaluator | None = None,
        met: MetLike = tables.DEFAULT,
    ) -> None:
        if dialect not in ("auto", "0.01", "0.1", "0.2"):
            raise SettingError(f"dialect must be auto, 0.01, 0.1 or 0.2, got {dialect!r}")
        self.is_done = False
        """Whether it has been told to quit."""
        self._fixed = dialect
        self._dialect: Dialect = "0.2" if dialect == "auto" else dialect
        self._engine = _Engine(plies=plies)
        self._game = _Game()
        self._position: Position | None = None
        self._asked: Situation | None = None
        self._roll: Roll | None = None
        self._evaluator = evaluators.default() if evaluator is None else evaluator
        self._met = tables.load(met)
        self._cache = SearchCache()

    def answer(self, line: str) -> list[str]:
        """Return the lines that answer a line; none for what needs no answer."""
        words = line.split()
        if not words:
            return []
        try:
            return self._obey(words, line.strip())
        except _Refused as refused:
            return [self._error(refused.kind, str(refused))]
        except GammonError as error:
            return [self._error("value", " ".join(str(error).split()))]

    def _error(self, kind: str, text: str) -> str:
        if self._dialect == "0.01":
            return "sorry"
        return f"error {_CODES[self._dialect][kind]} {text}"

    def _speak(self, dialect: Dialect) -> None:
        """Answer in a dialect from now on, if none was fixed."""
        if self._fixed == "auto":
            self._dialect = dialect

    def _obey(self, words: list[str], line: str) -> list[str]:
        command = words[0]
        if command not in _COMMANDS:
            if command.startswith(("XGID=", "board:")) or line.count(":") >= 8:
                return [self._best_action(line)]
            raise _Refused("command", f"unknown command {command}")
        return _COMMANDS[command](self, words[1:])

    # Greeting, settings.

    def _ubgi(self, words: list[str]) -> list[str]:
        about = ["id name gammon", "id author the gammon developers", f"id version {build_info()['version']}"]
        if self._fixed == "0.01":
            return [*about, "readyok"]
        if self._fixed != "0.1":
            about += ["proto 0.2", *self._keys([])]
        if self._fixed != "0.2":
            about += [
                f"option name {key.option} type {_option(key, self)}" for key in _KEYS.values() if key.option
            ]
        return [*about, "ubgiok"]

    def _isready(self, words: list[str]) -> list[str]:
        return ["readyok"]

    def _quit(self, words: list[str]) -> list[str]:
        self.is_done = True
        return []

    def _stop(self, words: list[str]) -> list[str]:
        return []  # an answer is never waited for: it came before the next line was read

    def _keys(self, words: list[str]) -> list[str]:
        self._speak("0.2")
        return [
            f"key {name} {key.kind} {_shown(key.read(self))} {'! ' if key.minor else ''}{key.about}"
            for name, key in _KEYS.items()
        ]

    def _get(self, words: list[str]) -> list[str]:
        self._speak("0.2")
        if len(words) != 1:
            raise _Refused("command", "expected: get <key>")
        return [f"value {words[0]} {_shown(self._key(words[0]).read(self))}"]

    def _set(self, words: list[str]) -> list[str]:
        self._speak("0.2")
        if len(words) < 2:
            raise _Refused("command", "expected: set <key> <value>")
        self._key(words[0]).write(self, " ".join(words[1:]))
        return []

    def _setoption(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        if len(words) < 4 or words[0] != "name" or "value" not in words:
            raise _Refused("value", "expected: setoption name <name> value <value>")
        at = words.index("value")
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        if name == "Deterministic":  # it always is
            return []
        key = next((key for key in _KEYS.values() if key.option.lower() == name.lower() and key.option), None)
        if key is None:
            raise _Refused("unsupported", f"no option {name}")
        key.write(self, value)
        return []

    def _key(self, name: str) -> _Key:
        if name not in _KEYS:
            raise _Refused("unsupported", f"no key {name}")
        return _KEYS[name]

    # The game.

    def _newgame(self, words: list[str]) -> list[str]:
        self._position = self._asked = self._roll = None
        self._game.cube, self._game.owner = 1, None
        return []

    def _newsession(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        given = dict(zip(words[::2], words[1::2], strict=False))
        unknown = sorted(set(given) - {"type", "length", "jacoby", "crawford"})
        if unknown or len(words) % 2 or given.get("type") not in ("money", "match"):
            raise _Refused(
                "value", "expected: newsession type money|match [length N] [jacoby|crawford on|off]"
            )
        game = _Game(jacoby=given.get("jacoby", "off") == "on", crawford=given.get("crawford", "off") == "on")
        if given["type"] == "match":
            game.length = _whole("length", given.get("length", "0"), 1, 32_767)
            game.jacoby = False
        self._game = game
        self._position = self._asked = self._roll = None
        return []

    def _setscore(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        first, second = self._two(words, "setscore <p0> <p1>")
        self._game.score = (_whole("score", first, 0, 32_767), _whole("score", second, 0, 32_767))
        return []

    def _setcube(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        if len(words) != 4 or words[0] != "value" or words[2] != "owner":
            raise _Refused("value", "expected: setcube value <N> owner <center|p0|p1>")
        self._game.cube = _cube(words[1])
        self._game.owner = _owner(words[3])
        return []

    def _setturn(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        self._game.turn = _turn(" ".join(words))
        return []

    def _place(self, words: list[str]) -> list[str]:
        kind, text = self._two(words, "position gnubgid|xgid <id>")
        if kind == "gnubgid":
            known = Situation(text)
            self._position = known.position
            self._asked = known if known.format == "gnuid" else None
        elif kind == "xgid":
            self._asked = Situation(text)
            self._position = self._asked.position
        else:
            raise _Refused("unsupported", f"position {kind}")
        self._roll = None if self._asked is None else self._asked.roll
        return []

    def _dice(self, words: list[str]) -> list[str]:
        first, second = self._two(words, "dice <d1> <d2>")
        self._roll = Roll(_whole("die", first, 1, 6), _whole("die", second, 1, 6))
        return []

    @staticmethod
    def _two(words: list[str], usage: str) -> tuple[str, str]:
        if len(words) != 2:
            raise _Refused("value", f"expected: {usage}")
        return words[0], words[1]

    def _situation(self, *, rolled: bool) -> Situation:
        """Return what is to be decided, with or without the dice."""
        if self._position is None:
            raise _Refused("state", "no position")
        roll = self._roll if rolled else None
        if self._asked is not None:
            return _with_roll(self._asked, roll)
        game, turn = self._game, self._game.turn
        sides: dict[int | None, Literal["roller", "opponent"] | None]
        sides = {None: None, turn: "roller", 1 - turn: "opponent"}
        return Situation.from_parts(
            self._position,
            length=game.length,
            score=(game.score[turn], game.score[1 - turn]),
            crawford=game.crawford,
            jacoby=game.jacoby,
            beavers=game.beavers,
            cube=game.cube,
            cube_owner=sides[game.owner],
            roll=roll,
            seat=turn,
        )

    # Decisions.

    def _go(self, words: list[str]) -> list[str]:
        if words[:1] == ["role"]:
            self._speak("0.1")
            words = words[1:]
        else:
            self._speak("0.2")
        role = words[0] if words else "chequer"
        limits = dict(zip(words[1::2], words[2::2], strict=False))
        if role not in ("chequer", "cube", "turn"):
            raise _Refused("value", f"go chequer, cube or turn, not {role}")
        plies = self._engine.plies
        if "depth" in limits:
            plies = _whole("depth", limits["depth"], 1, _MOST_PLIES + 1) - 1
        if role == "cube":
            return self._go_cube(plies)
        if role == "turn":
            return self._go_turn(plies)
        ranking = self._ranking(self._situation(rolled=True), plies)
        return [_evaluation(ranking), f"bestmove {_moves(ranking.best.play) or 'pass'}"]

    def _go_cube(self, plies: int) -> list[str]:
        situation = self._situation(rolled=False)
        decision = self._decision(situation, plies)
        if situation.offer is not None:
            answer = decision.answer if situation.offer == "double" else decision.beaver_reply
            return [f"bestcube {'pass' if answer in ('pass', 'drop') else 'take'}"]
        mwc = decision.mwc(decision.optimal_equity)
        equity = f"eval eq {decision.optimal_equity:.4f}" + ("" if mwc is None else f" mwc {mwc:.4f}")
        return [equity, f"bestcube {'double' if decision.action == 'double' else 'nodouble'}"]

    def _go_turn(self, plies: int) -> list[str]:
        decision = self._decision(self._situation(rolled=False), plies)
        action = "double" if decision.action == "double" else "nodouble"
        if self._roll is None:
            raise _Refused("state", "no dice")
        play = self._ranking(self._situation(rolled=True), plies).best.play
        move = f"moveid={play.after.id}" if self._dialect == "0.1" else f"move={_moves(play) or 'pass'}"
        return [f"bestturn cube={action} {move}"]

    def _best_action(self, line: str) -> str:
        """Return what draft 0.01 wants: the move, an empty line, roll, double, take or drop."""
        self._speak("0.01")
        situation = Situation(line)
        if situation.is_over:
            raise _Refused("state", "the game is over")
        if situation.offer in ("double", "beaver", "raccoon"):
            decision = self._decision(situation, self._engine.plies)
            answer = decision.answer if situation.offer == "double" else decision.beaver_reply
            return "drop" if answer in ("pass", "drop") else "take"
        if situation.offer is not None:
            raise _Refused("unsupported", "resignations")
        if situation.roll is None:
            return "double" if self._decision(situation, self._engine.plies).action == "double" else "roll"
        return _moves(self._ranking(situation, self._engine.plies).best.play)

    def _ranking(self, situation: Situation, plies: int) -> Ranking:
        if situation.roll is None:
            raise _Refused("state", "no dice")
        return search.rank(
            situation,
            plies=plies,
            filter=self._engine.filter,
            cubeful=self._engine.cubeful,
            evaluator=self._evaluator,
            met=self._met,
            cache=self._cache,
            threads=self._engine.threads,
        )

    def _decision(self, situation: Situation, plies: int) -> CubeDecision:
        return cube.decide(
            situation, plies=plies, evaluator=self._evaluator, met=self._met, threads=self._engine.threads
        )


_COMMANDS: dict[str, Callable[[Server, list[str]], list[str]]] = {
    "ubgi": Server._ubgi,
    "isready": Server._isready,
    "quit": Server._quit,
    "stop": Server._stop,
    "keys": Server._keys,
    "get": Server._get,
    "set": Server._set,
    "setoption": Server._setoption,
    "newgame": Server._newgame,
    "newsession": Server._newsession,
    "setscore": Server._setscore,
    "setcube": Server._setcube,
    "setturn": Server._setturn,
    "position": Server._place,
    "dice": Server._dice,
    "go": Server._go,
}


def serve(server: Server, lines: Iterable[str], out: IO[str]) -> None:
    """Answer lines until one says quit, or there are no more; every answer is flushed at once."""
    for line in lines:
        for answer in server.answer(line):
            out.write(answer + "\n")
        out.flush()
        if server.is_done:
            break


# Reading and writing values.


def _with_roll(situation: Situation, roll: Roll | None) -> Situation:
    if situation.roll == roll:
        return situation
    return Situation.from_parts(
        situation.position,
        length=situation.length,
        score=situation.score,
        crawford=situation.crawford,
        jacoby=situation.jacoby,
        beavers=situation.beavers,
        cube=situation.cube,
        cube_owner=situation.cube_owner,
        cube_limit=situation.cube_limit,
        roll=roll,
        seat=situation.seat,
    )


def _moves(play: Play) -> str:
    """Return every step of a play on its own, without hit marks; empty if nothing is moved."""
    names = {25: "bar", 0: "off"}
    return " ".join(
        f"{names.get(source, source)}/{names.get(target, target)}" for source, target in play.moves
    )


def _evaluation(ranking: Ranking) -> str:
    best = ranking.best
    win, gammon, backgammon = best.probs[:3]
    return f"eval eq {best.equity:.4f} pwin {win:.4f} pgammon {gammon:.4f} pbg {backgammon:.4f}"


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,9}", text) or not least <= int(text) <= most:
        raise _Refused("value", f"{name} must_be {least}..{most}, got {text}")
    return int(text)


def _cube(text: str) -> int:
    value = _whole("cube", text, 1, 1 << 15)
    if value & (value - 1):
        raise _Refused("value", f"cube must_be a power of two, got {text}")
    return value


def _owner(text: str) -> int | None:
    owners: dict[str, int | None] = {"center": None, "p0": 0, "p1": 1}
    if text not in owners:
        raise _Refused("value", f"owner must_be center, p0 or p1, got {text}")
    return owners[text]


def _turn(text: str) -> int:
    if text not in ("p0", "p1"):
        raise _Refused("value", f"turn must_be p0 or p1, got {text}")
    return int(text[1])


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false", "on", "off"):
        raise _Refused("value", f"{name} must_be true or false, got {text}")
    return text.lower() in ("true", "on")


def _one(name: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise _Refused("value", f"{name} must_be {'|'.join(allowed)}, got {text}")
    return text


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(key: _Key, server: Server) -> str:
    """Return a key as draft 0.1 announces an option."""
    kind, _, allowed = key.kind.partition(" ")
    value = _shown(key.read(server))
    if kind == "int":
        least, most = ("0", str(2**63 - 1)) if allowed == "*" else allowed.split("..")
        return f"spin default {value} min {least} max {most}"
    if kind == "bool":
        return f"check default {value}"
    return f"combo default {value} " + " ".join(f"var {name}" for name in allowed.split("|"))


def _engine_key(field: str, kind: str, about: str, read: Callable[[str], object], **more: object) -> _Key:
    def write(server: Server, text: str) -> None:
        setattr(server._engine, field, read(text))

    return _Key(kind, about, lambda server: getattr(server._engine, field), write, **more)  # type: ignore[arg-type]


def _game_key(field: str, kind: str, about: str, read: Callable[[str], object]) -> _Key:
    def write(server: Server, text: str) -> None:
        setattr(server._game, field, read(text))

    return _Key(kind, about, lambda server: getattr(server._game, field), write)


def _score_key(seat: int) -> _Key:
    def write(server: Server, text: str) -> None:
        score = list(server._game.score)
        score[seat] = _whole("score", text, 0, 32_767)
        server._game.score = (score[0], score[1])

    return _Key("int 0..32767", f"points of p{seat}", lambda server: server._game.score[seat], write)


def _name(seat: int | None) -> str:
    return "center" if seat is None else f"p{seat}"


_FILTERS = ("narrow", "normal", "wide", "all")

_KEYS: dict[str, _Key] = {
    "engine.ply": _Key(
        f"int 1..{_MOST_PLIES + 1}",
        "depth of decisions, the plays themselves counted",
        lambda server: server._engine.plies + 1,
        lambda server, text: setattr(
            server._engine, "plies", _whole("engine.ply", text, 1, _MOST_PLIES + 1) - 1
        ),
        option="Ply",
    ),
    "engine.filter": _engine_key(
        "filter",
        "enum " + "|".join(_FILTERS),
        "which plays are looked at more deeply",
        lambda text: _one("engine.filter", text, _FILTERS),
        option="Filter",
    ),
    "engine.mode": _Key(
        "enum cubeful|cubeless",
        "whether plays are ranked with the cube",
        lambda server: "cubeful" if server._engine.cubeful else "cubeless",
        lambda server, text: setattr(
            server._engine, "cubeful", _one("engine.mode", text, ("cubeful", "cubeless")) == "cubeful"
        ),
        option="EvalMode",
    ),
    "engine.threads": _Key(
        "int 0..1024",
        "worker threads; 0 is all cores",
        lambda server: server._engine.threads or 0,
        lambda server, text: setattr(
            server._engine, "threads", _whole("engine.threads", text, 0, 1024) or None
        ),
        option="Threads",
        minor=True,
    ),
    "engine.seed": _Key(
        "int *",
        "nothing is random",
        lambda server: 0,
        lambda server, text: None,
        option="Seed",
        minor=True,
    ),
    "game.variant": _Key(
        "enum backgammon",
        "the game",
        lambda server: "backgammon",
        lambda server, text: _only_backgammon(text),
        option="Variant",
    ),
    "game.length": _game_key(
        "length",
        "int 0..32767",
        "points of the match; 0 is money play",
        lambda text: _whole("game.length", text, 0, 32_767),
    ),
    "game.score0": _score_key(0),
    "game.score1": _score_key(1),
    "game.crawford": _game_key(
        "crawford", "bool", "whether it is the Crawford game", lambda text: _flag("game.crawford", text)
    ),
    "game.jacoby": _game_key(
        "jacoby", "bool", "money play: the Jacoby rule", lambda text: _flag("game.jacoby", text)
    ),
    "game.beavers": _game_key(
        "beavers", "bool", "money play: beavers", lambda text: _flag("game.beavers", text)
    ),
    "game.cube": _game_key("cube", "int 1..32768", "the cube", _cube),
    "game.owner": _Key(
        "enum center|p0|p1",
        "who owns the cube",
        lambda server: _name(server._game.owner),
        lambda server, text: setattr(server._game, "owner", _owner(text)),
    ),
    "game.turn": _Key(
        "enum p0|p1",
        "who is on roll",
        lambda server: _name(server._game.turn),
        lambda server, text: setattr(server._game, "turn", _turn(text)),
    ),
}


def _only_backgammon(text: str) -> None:
    if text.lower() != "backgammon":
        raise _Refused("unsupported", f"the game {text}")
