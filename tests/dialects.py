"""One match written the way other programs write it, and small texts of every dialect."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

from gammon import Position, Roll
from gammon.formats import _xg_archive, dumps
from gammon.formats import _xg_records as records
from gammon.formats._reading import Warnings
from gammon.match import CubeAction, Game, Match, Played, Rolled

PLAN = (
    # Plays, the play after which the cube is taken, how it ends.
    (30, None, "pass"),
    (54, 20, "unplayed"),
    (9, None, "pass"),
    (20, None, "pass"),
    (118, 30, "unplayed"),
    (40, 10, "resigned"),
    (60, 18, "unplayed"),
)
"""331 plays, 14 cube actions, 7 games; 3 throws that were not played."""

WINNERS = (0, 0, 1, 1, 1, 0, 0)


def look_alike(seed: int) -> Match:
    """A match to 7 with as many plays, cube actions and unplayed throws as a real one, drawn at random."""
    match = Match(7, ("Zoë Ångström", "Bo Lind-2"))
    match.event, match.date = "Open, 3rd", "2026-11-30"
    rng = random.Random(seed)
    for plan, winner in zip(PLAN, WINNERS, strict=True):
        game = match.new_game()
        while not draw(game, rng, plan, winner):
            game.undo(len(game))
    return match


def draw(game: Game, rng: random.Random, plan: tuple[int, int | None, str], winner: int) -> bool:
    """Play a game by its plan; whether it lasted as long."""
    plays, cube, end = plan
    # The winner is on roll, to double, after all plays; of an unplayed throw it is the loser.
    last = winner if end == "pass" else 1 - winner
    player = (last + plays) % 2
    for i in range(plays):
        if cube is not None and i == cube:
            game.double()
            game.take()
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        if i == 0 and dice[0] == dice[1]:
            dice = (3, 1)
        game.roll(dice, player=player if i == 0 else None)
        choices = game.plays
        game.play(choices[rng.randrange(len(choices))])
        if game.is_over:
            return False
    if end == "pass":
        game.double()
        game.drop()
        return True
    if end == "unplayed":
        game.roll((rng.randint(1, 6), rng.randint(1, 6)))
    game.resign(player=1 - winner)
    game.accept()
    return True


def counts(match: Any) -> tuple[int, int, int, int]:
    """Plays, throws, cube actions, games."""
    every = [record for game in match.games for record in game.records]
    return (
        sum(isinstance(record, Played) for record in every),
        sum(isinstance(record, Rolled) for record in every),
        sum(isinstance(record, CubeAction) for record in every),
        len(match.games),
    )


def story(match: Any) -> list[tuple[Any, ...]]:
    """Everything that happened, without what is noted about it."""
    told: list[tuple[Any, ...]] = []
    for game in match.games:
        ended = game.result and (game.result.winner, game.result.points)
        told.append((game.number, game.score, game.crawford, ended))
        for record in game.records:
            what = getattr(record, "roll", None) or getattr(record, "action", "")
            after = record.play.after.id if isinstance(record, Played) else ""
            told.append((record.kind, record.player, after or str(what)))
    return told


# The same match as other programs write it.


def rows(match: Match, cell: Any, *, unplayed: str, width: int, point: str) -> list[str]:
    """The games of a match in columns."""
    lines: list[str] = []
    for game in match.games:
        left, right = match.players[0].name, match.players[1].name
        lines += [
            f" Game {game.number}",
            f" {left} : {game.score[0]}".ljust(width + 5) + f"{right} : {game.score[1]}",
        ]
        row: list[str] = []
        number = 0
        for i, record in enumerate(game.records):
            text = ""
            if isinstance(record, Rolled):
                following = game.records[i + 1] if i + 1 < len(game) else None
                if not isinstance(following, Played):
                    text = f"{record.roll}: {unplayed}"
            elif isinstance(record, Played):
                text = f"{record.roll}: {cell(record)}"
            elif isinstance(record, CubeAction):
                text = {
                    "double": f" Doubles => {2 * game[i].before.cube}",
                    "take": " Takes",
                    "pass": " Drops",
                }[record.action]
            if not text:
                continue
            if len(row) > record.player:
                number += 1
                lines.append(f"{number:3d}) " + "".join(part.ljust(width) for part in row))
                row = []
            row += [""] * (record.player - len(row)) + [text]
        lines.append(f"{number + 1:3d}) " + "".join(part.ljust(width) for part in row))
        assert game.result is not None
        indent = 6 if game.result.winner == 0 else width + 6
        won = f"{'':{indent}}Wins {game.result.points} {point}"
        lines += [won + (" and the match" if game is match.games[-1] else ""), "", "", ""]
    return lines


def xg_head() -> list[str]:
    """The tags eXtreme Gammon writes: the right column is player 1."""
    tags = {"Site": "Café, étage 2", "Match ID": "-1", "Player 1": "Bo Lind-2", "Player 2": "Zoë Ångström"}
    tags |= {
        "Player 1 Elo": "1600.00/0",
        "EventDate": "2026.11.30",
        "EventTime": "09.30",
        "Variation": "Backgammon",
    }
    tags |= {"Crawford": "On", "CubeLimit": "1024"}
    return [*(f'; [{name} "{value}"]' for name, value in tags.items()), "", "7 point match", ""]


def xg_mat(match: Match) -> bytes:
    """A byte order mark, carriage returns, every hop by itself, no hits, `???` for a throw not played."""

    def cell(record: Played) -> str:
        return " ".join(f"{source}/{target}" for source, target in record.play.moves)

    lines = xg_head() + rows(match, cell, unplayed="???", width=32, point="point")
    return b"\xef\xbb\xbf" + "\r\n".join(lines).encode()


def xg_text(match: Match) -> bytes:
    """The same in the notation people write: `Bar/22 6/Off 13/7(2) 8/3*`, `Cannot Move`, `????`."""

    def cell(record: Played) -> str:
        return (
            str(record.play).replace("bar", "Bar").replace("off", "Off")
            if record.play.moves
            else "Cannot Move"
        )

    lines = xg_head() + rows(match, cell, unplayed="????", width=38, point="point")
    return "\n".join(lines).encode()


DATA = Path(__file__).parent / "data" / "formats"

DIALECTS = {path.stem: path.read_bytes() for path in sorted(DATA.glob("*.mat"))}
"""A small text of every dialect of `.mat` that has been met."""


def small_texts() -> list[bytes]:
    """All of them."""
    return list(DIALECTS.values())


def sgf_setup() -> bytes:
    """A tree with a position put up, comments, a branch, and brackets that are not escaped."""
    return (DATA / "setup.sgf").read_bytes()


def analysed_xg() -> bytes:
    """A file of eXtreme Gammon with evaluations, a rollout, luck and comments."""
    content, _ = dumps(look_alike(2), "xg")
    assert isinstance(content, bytes)
    files = _xg_archive.unpack(content, Warnings())
    data = bytearray(files["temp.xg"])
    for index in range(len(data) // records.SIZE):
        kind, _ = records.record(bytes(data), index)
        view = memoryview(data)[index * records.SIZE :]
        if kind == records.MOVE:
            _analyse_move(view, index)
        elif kind == records.CUBE:
            _analyse_cube(view, index)
    files["temp.xg"] = bytes(data)
    rollout = records.blank(records.ROLLOUT)
    rollout["trials"], rollout["seed"], rollout["variance"], rollout["error"] = 1296, 7, 1, [[0.01, 0.02]]
    rollout["truncated"], rollout["truncate"], rollout["levels"] = 1, 11, [[2, 1000]]
    files["temp.xgr"] = rollout.tobytes()
    files["temp.xgc"] = b"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 good \\'e9t\\u233?\\par second}\r\n"
    return _xg_archive.pack(files, identity=b"0" * 16, title="", comment="")


def _analyse_move(view: memoryview, index: int) -> None:
    """Give a play one candidate: itself, with numbers that depend on where it stands."""
    moves = struct.unpack_from("<8i", view, 68)
    struct.pack_into("<i", view, 124 + 64, 1)
    view[124 + 68 : 124 + 94] = view[35:61]
    struct.pack_into("<8b", view, 124 + 900, *(max(-128, min(127, move)) for move in moves))
    struct.pack_into("<hBb", view, 124 + 1156, 100 if index == 5 else index % 4, 0, 0)
    won = (index % 90 + 5) / 100
    struct.pack_into("<7f", view, 124 + 1284, 0.001, 0.1, 1 - won, won, 0.15, 0.002, 2 * won - 1)
    struct.pack_into("<d", view, 2312, -index / 10_000)
    struct.pack_into("<d", view, 2320, 0.125)
    struct.pack_into("<i", view, 2344, 0 if index == 5 else -1)
    struct.pack_into("<i", view, 2524, 0 if index == 3 else -1)


def _analyse_cube(view: memoryview, index: int) -> None:
    """Give a cube decision numbers."""
    struct.pack_into("<i", view, 64 + 28, 1)
    struct.pack_into("<h", view, 64 + 56, 0)
    struct.pack_into("<7f", view, 64 + 60, 0.001, 0.1, 0.5, 0.5, 0.15, 0.002, 0.05)
    struct.pack_into("<3f", view, 64 + 88, 0.25, -0.5, 1.0)
    struct.pack_into("<7f", view, 64 + 104, 0.001, 0.1, 0.5, 0.5, 0.15, 0.002, 0.05)
    struct.pack_into("<i", view, 232, 1)
    struct.pack_into("<d", view, 200, 0.0625)


def oldmoves(match: Match) -> bytes:
    """The games as the FIBS server tells them."""
    lines = []
    for game in match.games[:2]:
        lines += [
            f"Score is {game.score[0]}-{game.score[1]} in a {match.length} point match.",
            "anna is X - bo is O",
        ]
        for record in game.records:
            side = "XO"[record.player]
            if isinstance(record, Played):
                moves = " ".join(f"{_fibs(source)}-{_fibs(target)}" for source, target in record.play.moves)
                lines.append(f"{side}: ({record.roll.high} {record.roll.low}) {moves or 'can not move'}")
            elif isinstance(record, CubeAction):
                lines.append(
                    f"{side}: " + {"double": "doubles", "take": "accepts", "pass": "rejects"}[record.action]
                )
        if game.result is not None:
            lines.append(f"{'XO'[game.result.winner or 0]}: wins {game.result.points} points")
    return "\n".join(lines).encode()


def _fibs(point: int) -> str:
    return {25: "bar", 0: "off"}.get(point, str(point))


def snowie() -> bytes:
    """Two positions of Snowie."""
    start = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    return (
        f"7;0;0;0;1;Anna;Bo;0;3;4;1;0;{start[0:]};3;1;\n0;1;0;0;0;Anna;Bo;0;0;0;2;-1;{start};0;0;\n".encode()
    )


def ogxm(match: Match) -> bytes:
    """Two games as OpenGammon's codec writes them."""
    import ogxm as codec  # type: ignore[import-not-found,import-untyped,unused-ignore]

    games: list[dict[str, Any]] = []
    for game in match.games[:2]:
        plies: list[dict[str, Any]] = []
        for record in game.records:
            colour = 1 if record.player == 0 else 0
            if isinstance(record, Played):
                low, high = record.roll.low, record.roll.high
                action = [0, 6, 11, 15, 18, 20][low - 1] + high - low
                plies.append(
                    {"color": colour, "action_id": action, "d1": low, "d2": high, "moves": _steps(record)}
                )
            elif isinstance(record, CubeAction):
                plies.append(
                    {"color": colour, "action_id": {"double": 21, "take": 22, "pass": 23}[record.action]}
                )
        result = game.result
        assert result is not None
        games.append({"winner": result.winner, "points_won": int(result.points), "plies": plies})
        if result.reason == "resigned":
            games[-1]["termination"] = "resigned"
            plies.append({"color": result.winner, "action_id": 27, "resign_value": "single"})
    names = [player.name for player in match.players]
    document = {
        "match_length": 7,
        "player_white": names[0],
        "player_black": names[1],
        "games": games,
        "crawford": True,
    }
    return bytes(codec.json_to_binary(document))


def _steps(record: Played) -> list[dict[str, int]]:
    """The moves by Black's points, as the codec wants them: bar first, off last."""
    own = sorted(record.play.moves, reverse=True)
    return [
        {"from": source if record.player == 1 else 25 - source, "pips": _pips(source, target, record.roll)}
        for source, target in own
    ]


def _pips(source: int, target: int, roll: Roll) -> int:
    if target:
        return source - target
    return source if source in (roll.high, roll.low) else roll.high if source < roll.high else roll.low


def _text(name: str) -> str:
    return (DATA / f"{name}.txt").read_text(encoding="utf-8")


XG_POSITION, BGBLITZ, BGBLITZ_CUBE = _text("xg_position"), _text("bgblitz"), _text("bgblitz_cube")
GNUBG_BOARD, FIBS_BOARD = _text("gnubg_board"), _text("fibs_board")


def position_texts() -> list[bytes]:
    """Texts with positions in them."""
    ids = "\n".join(
        [
            "4HPwATDgc/ABMA:cAkAAAAAAAAE",
            "11ccccchhhjjjjj:66666888dddddoo:N0N:51:B::0:0:7:",
            Position.start().id,
            "board:You:him:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        ]
    )
    texts = (XG_POSITION, BGBLITZ, BGBLITZ_CUBE, GNUBG_BOARD, FIBS_BOARD, GNUBG_BOARD + FIBS_BOARD, ids)
    return [text.encode() for text in texts]
