"""The settings of an engine, as draft 0.2 calls them and draft 0.1 may know them by another name."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gammon import search
from gammon.ubgi._values import Refused, flag, one_of, read_cube, read_owner, read_turn, whole

MOST_PLIES = 4
"""How far the engine can be told to look ahead."""


@dataclass
class EngineSettings:
    """How the engine plays."""

    plies: int = 0
    threads: int | None = None
    filter: search.FilterLike = "normal"
    cubeful: bool = True


@dataclass
class GameSettings:
    """What is known of the game beside the position."""

    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int = 1
    owner: int | None = None
    turn: int = 0


@dataclass
class State:
    """What the settings set."""

    engine: EngineSettings = field(default_factory=EngineSettings)
    game: GameSettings = field(default_factory=GameSettings)


@dataclass(frozen=True)
class Key:
    """A setting of draft 0.2, which draft 0.1 may know by another name."""

    kind: str
    """What its values are, in the words of the draft."""
    about: str
    read: Callable[[State], object]
    write: Callable[[State, str], None]
    option: str = ""
    """Its name in draft 0.1; empty if it has none there."""
    minor: bool = False


def shown(value: object) -> str:
    """Return a value as the drafts write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_line(key: Key, state: State) -> str:
    """Return a key as draft 0.1 announces an option."""
    kind, _, allowed = key.kind.partition(" ")
    value = shown(key.read(state))
    if kind == "int":
        least, most = ("0", str(2**63 - 1)) if allowed == "*" else allowed.split("..")
        return f"spin default {value} min {least} max {most}"
    if kind == "bool":
        return f"check default {value}"
    return f"combo default {value} " + " ".join(f"var {name}" for name in allowed.split("|"))


def _engine_key(name: str, kind: str, about: str, read: Callable[[str], object], **more: object) -> Key:
    def write(state: State, text: str) -> None:
        setattr(state.engine, name, read(text))

    return Key(kind, about, lambda state: getattr(state.engine, name), write, **more)  # type: ignore[arg-type]


def _game_key(name: str, kind: str, about: str, read: Callable[[str], object]) -> Key:
    def write(state: State, text: str) -> None:
        setattr(state.game, name, read(text))

    return Key(kind, about, lambda state: getattr(state.game, name), write)


def _score_key(seat: int) -> Key:
    def write(state: State, text: str) -> None:
        score = list(state.game.score)
        score[seat] = whole("score", text, 0, 32_767)
        state.game.score = (score[0], score[1])

    return Key("int 0..32767", f"points of p{seat}", lambda state: state.game.score[seat], write)


def _name(seat: int | None) -> str:
    return "center" if seat is None else f"p{seat}"


_FILTERS = ("narrow", "normal", "wide", "all")

KEYS: dict[str, Key] = {
    "engine.ply": Key(
        f"int 1..{MOST_PLIES + 1}",
        "depth of decisions, the plays themselves counted",
        lambda state: state.engine.plies + 1,
        lambda state, text: setattr(state.engine, "plies", whole("engine.ply", text, 1, MOST_PLIES + 1) - 1),
        option="Ply",
    ),
    "engine.filter": _engine_key(
        "filter",
        "enum " + "|".join(_FILTERS),
        "which plays are looked at more deeply",
        lambda text: one_of("engine.filter", text, _FILTERS),
        option="Filter",
    ),
    "engine.mode": Key(
        "enum cubeful|cubeless",
        "whether plays are ranked with the cube",
        lambda state: "cubeful" if state.engine.cubeful else "cubeless",
        lambda state, text: setattr(
            state.engine, "cubeful", one_of("engine.mode", text, ("cubeful", "cubeless")) == "cubeful"
        ),
        option="EvalMode",
    ),
    "engine.threads": Key(
        "int 0..1024",
        "worker threads; 0 is all cores",
        lambda state: state.engine.threads or 0,
        lambda state, text: setattr(state.engine, "threads", whole("engine.threads", text, 0, 1024) or None),
        option="Threads",
        minor=True,
    ),
    "engine.seed": Key(
        "int *",
        "nothing is random",
        lambda state: 0,
        lambda state, text: None,
        option="Seed",
        minor=True,
    ),
    "game.variant": Key(
        "enum backgammon",
        "the game",
        lambda state: "backgammon",
        lambda state, text: _only_backgammon(text),
        option="Variant",
    ),
    "game.length": _game_key(
        "length",
        "int 0..32767",
        "points of the match; 0 is money play",
        lambda text: whole("game.length", text, 0, 32_767),
    ),
    "game.score0": _score_key(0),
    "game.score1": _score_key(1),
    "game.crawford": _game_key(
        "crawford", "bool", "whether it is the Crawford game", lambda text: flag("game.crawford", text)
    ),
    "game.jacoby": _game_key(
        "jacoby", "bool", "money play: the Jacoby rule", lambda text: flag("game.jacoby", text)
    ),
    "game.beavers": _game_key(
        "beavers", "bool", "money play: beavers", lambda text: flag("game.beavers", text)
    ),
    "game.cube": _game_key("cube", "int 1..32768", "the cube", read_cube),
    "game.owner": Key(
        "enum center|p0|p1",
        "who owns the cube",
        lambda state: _name(state.game.owner),
        lambda state, text: setattr(state.game, "owner", read_owner(text)),
    ),
    "game.turn": Key(
        "enum p0|p1",
        "who is on roll",
        lambda state: _name(state.game.turn),
        lambda state, text: setattr(state.game, "turn", read_turn(text)),
    ),
}


def _only_backgammon(text: str) -> None:
    if text.lower() != "backgammon":
        raise Refused("unsupported", f"the game {text}")
