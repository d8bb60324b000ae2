"""The engine that answers: a line in, lines out."""

from collections.abc import Callable, Iterable
from typing import IO, Literal, TypeAlias

from gammon import cube, evaluators, search
from gammon import met as tables
from gammon._native import CubeDecision, Position, Ranking, Roll, SearchCache, Situation, build_info
from gammon._situations import standing
from gammon.cube import MetLike
from gammon.errors import GammonError, SettingError
from gammon.ubgi._keys import KEYS, MOST_PLIES, EngineSettings, GameSettings, Key, State, option_line, shown
from gammon.ubgi._values import (
    CODES,
    Refused,
    evaluation,
    moves_text,
    read_cube,
    read_owner,
    read_turn,
    whole,
)

Dialect: TypeAlias = Literal["auto", "0.01", "0.1", "0.2"]
"""A draft of the protocol; `auto` is that of the commands as they come."""


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
        self._state = State(EngineSettings(plies=plies))
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
        except Refused as refused:
            return [self._error(refused.kind, str(refused))]
        except GammonError as error:
            return [self._error("value", " ".join(str(error).split()))]

    def _error(self, kind: str, text: str) -> str:
        if self._dialect == "0.01":
            return "sorry"
        return f"error {CODES[self._dialect][kind]} {text}"

    def _speak(self, dialect: Dialect) -> None:
        """Answer in a dialect from now on, if none was fixed."""
        if self._fixed == "auto":
            self._dialect = dialect

    def _obey(self, words: list[str], line: str) -> list[str]:
        command = words[0]
        if command not in _COMMANDS:
            if command.startswith(("XGID=", "board:")) or line.count(":") >= 8:
                return [self._best_action(line)]
            raise Refused("command", f"unknown command {command}")
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
                f"option name {key.option} type {option_line(key, self._state)}"
                for key in KEYS.values()
                if key.option
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
            f"key {name} {key.kind} {shown(key.read(self._state))} {'! ' if key.minor else ''}{key.about}"
            for name, key in KEYS.items()
        ]

    def _get(self, words: list[str]) -> list[str]:
        self._speak("0.2")
        if len(words) != 1:
            raise Refused("command", "expected: get <key>")
        return [f"value {words[0]} {shown(self._key(words[0]).read(self._state))}"]

    def _set(self, words: list[str]) -> list[str]:
        self._speak("0.2")
        if len(words) < 2:
            raise Refused("command", "expected: set <key> <value>")
        self._key(words[0]).write(self._state, " ".join(words[1:]))
        return []

    def _setoption(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        if len(words) < 4 or words[0] != "name" or "value" not in words:
            raise Refused("value", "expected: setoption name <name> value <value>")
        at = words.index("value")
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        if name == "Deterministic":  # it always is
            return []
        key = next((key for key in KEYS.values() if key.option.lower() == name.lower() and key.option), None)
        if key is None:
            raise Refused("unsupported", f"no option {name}")
        key.write(self._state, value)
        return []

    def _key(self, name: str) -> Key:
        if name not in KEYS:
            raise Refused("unsupported", f"no key {name}")
        return KEYS[name]

    # The game.

    def _newgame(self, words: list[str]) -> list[str]:
        self._position = self._asked = self._roll = None
        self._state.game.cube, self._state.game.owner = 1, None
        return []

    def _newsession(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        given = dict(zip(words[::2], words[1::2], strict=False))
        unknown = sorted(set(given) - {"type", "length", "jacoby", "crawford"})
        if unknown or len(words) % 2 or given.get("type") not in ("money", "match"):
            raise Refused(
                "value", "expected: newsession type money|match [length N] [jacoby|crawford on|off]"
            )
        game = GameSettings(
            jacoby=given.get("jacoby", "off") == "on", crawford=given.get("crawford", "off") == "on"
        )
        if given["type"] == "match":
            game.length = whole("length", given.get("length", "0"), 1, 32_767)
            game.jacoby = False
        self._state.game = game
        self._position = self._asked = self._roll = None
        return []

    def _setscore(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        first, second = self._two(words, "setscore <p0> <p1>")
        self._state.game.score = (whole("score", first, 0, 32_767), whole("score", second, 0, 32_767))
        return []

    def _setcube(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        if len(words) != 4 or words[0] != "value" or words[2] != "owner":
            raise Refused("value", "expected: setcube value <N> owner <center|p0|p1>")
        self._state.game.cube = read_cube(words[1])
        self._state.game.owner = read_owner(words[3])
        return []

    def _setturn(self, words: list[str]) -> list[str]:
        self._speak("0.1")
        self._state.game.turn = read_turn(" ".join(words))
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
            raise Refused("unsupported", f"position {kind}")
        self._roll = None if self._asked is None else self._asked.roll
        return []

    def _dice(self, words: list[str]) -> list[str]:
        first, second = self._two(words, "dice <d1> <d2>")
        self._roll = Roll(whole("die", first, 1, 6), whole("die", second, 1, 6))
        return []

    @staticmethod
    def _two(words: list[str], usage: str) -> tuple[str, str]:
        if len(words) != 2:
            raise Refused("value", f"expected: {usage}")
        return words[0], words[1]

    def _situation(self, *, rolled: bool) -> Situation:
        """Return what is to be decided, with or without the dice."""
        if self._position is None:
            raise Refused("state", "no position")
        roll = self._roll if rolled else None
        if self._asked is not None:
            return self._asked if self._asked.roll == roll else standing(self._asked, roll=roll)
        game, turn = self._state.game, self._state.game.turn
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
            raise Refused("value", f"go chequer, cube or turn, not {role}")
        plies = self._state.engine.plies
        if "depth" in limits:
            plies = whole("depth", limits["depth"], 1, MOST_PLIES + 1) - 1
        if role == "cube":
            return self._go_cube(plies)
        if role == "turn":
            return self._go_turn(plies)
        ranking = self._ranking(self._situation(rolled=True), plies)
        return [evaluation(ranking), f"bestmove {moves_text(ranking.best.play) or 'pass'}"]

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
            raise Refused("state", "no dice")
        play = self._ranking(self._situation(rolled=True), plies).best.play
        move = f"moveid={play.after.id}" if self._dialect == "0.1" else f"move={moves_text(play) or 'pass'}"
        return [f"bestturn cube={action} {move}"]

    def _best_action(self, line: str) -> str:
        """Return what draft 0.01 wants: the move, an empty line, roll, double, take or drop."""
        self._speak("0.01")
        situation = Situation(line)
        if situation.is_over:
            raise Refused("state", "the game is over")
        if situation.offer in ("double", "beaver", "raccoon"):
            decision = self._decision(situation, self._state.engine.plies)
            answer = decision.answer if situation.offer == "double" else decision.beaver_reply
            return "drop" if answer in ("pass", "drop") else "take"
        if situation.offer is not None:
            raise Refused("unsupported", "resignations")
        if situation.roll is None:
            return (
                "double" if self._decision(situation, self._state.engine.plies).action == "double" else "roll"
            )
        return moves_text(self._ranking(situation, self._state.engine.plies).best.play)

    def _ranking(self, situation: Situation, plies: int) -> Ranking:
        if situation.roll is None:
            raise Refused("state", "no dice")
        return search.rank(
            situation,
            plies=plies,
            filter=self._state.engine.filter,
            cubeful=self._state.engine.cubeful,
            evaluator=self._evaluator,
            met=self._met,
            cache=self._cache,
            threads=self._state.engine.threads,
        )

    def _decision(self, situation: Situation, plies: int) -> CubeDecision:
        return cube.decide(
            situation,
            plies=plies,
            evaluator=self._evaluator,
            met=self._met,
            threads=self._state.engine.threads,
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
