"""Snowie's positions: 40 values between semicolons.

    length; Jacoby; two that mean nothing known; turn; name of the player on turn; the other's; Crawford;
    score of the player on turn; the other's; cube; owner (1 on turn, -1 the other, 0 nobody); his bar; 24
    points, his checkers positive; the other's bar; two dice

Jacoby is 1 in money play. The turn is 0 for the first player, whom we seat at 0, and 1 for the second.
"""

import re

from gammon._native import Position, Roll, Situation
from gammon.errors import FormatError, GammonError
from gammon.formats._losses import Losses
from gammon.formats._reading import FoundPosition, Reading, Warnings
from gammon.formats._source import Source, split_lines
from gammon.match import PlayerInfo

FIELDS = 40
"""Values of a position: 11 and one before the board, 26 of the board, two dice."""

_START = re.compile(r"^\s*\d{1,5};[01];")


def sniff(text: str) -> bool:
    """Whether a text begins like a position of Snowie."""
    return any(_START.match(line.text) for line in split_lines(text[:4_000])[:20])


def read(source: Source) -> Reading:
    """Read a text of positions, one a line. Raises `FormatError` if there is none."""
    warnings = Warnings()
    positions = []
    for line in source.lines():
        if not _START.match(line.text):
            if line.text.strip():
                warnings.add(f"not understood: {line.text.strip()[:60]!r}", line.place)
            continue
        try:
            positions.append(read_snowie(line.text, line.place))
        except GammonError as error:
            warnings.add(str(error), line.place)
    if not positions:
        raise FormatError(
            "snowie", "no position that can be read", str(warnings.all()[0]) if warnings.all() else ""
        )
    return Reading(format="snowie", positions=tuple(positions), warnings=warnings.all(), path=source.path)


def read_snowie(text: str, place: str = "") -> FoundPosition:
    """Return the position of one text. Raises `FormatError`, or what `Situation.from_parts` does."""
    fields = [field.strip() for field in text.strip().rstrip(";").split(";")]
    if len(fields) != FIELDS:
        raise FormatError("snowie", f"{len(fields)} of {FIELDS} values between semicolons")
    numbers = [_number(fields, i) for i in range(FIELDS) if i not in (5, 6)]
    length, jacoby, _, _, turn, crawford, mine, theirs, cube, owner = numbers[:10]
    board, dice = numbers[10:36], numbers[36:38]
    roller = {25: board[0]} | {point: n for point in range(1, 25) if (n := board[point]) > 0}
    opponent = {25: abs(board[25])} | {25 - point: -n for point in range(1, 25) if (n := board[point]) < 0}
    situation = Situation.from_parts(
        Position.from_points(roller, opponent),
        length=length,
        score=(mine, theirs),
        crawford=bool(length and crawford),
        cube=max(cube, 1),
        cube_owner={1: "roller", -1: "opponent"}.get(owner),  # type: ignore[arg-type]
        jacoby=not length and bool(jacoby),
        roll=Roll(dice[0], dice[1]) if all(dice) else None,
        seat=1 if turn else 0,
    )
    on_turn, other = PlayerInfo(fields[5]), PlayerInfo(fields[6])
    players = (other, on_turn) if turn else (on_turn, other)
    return FoundPosition(situation=situation, players=players, place=place)


def _number(fields: list[str], index: int) -> int:
    text = fields[index]
    if not re.fullmatch(r"[-+]?\d{1,5}", text):
        raise FormatError(
            "snowie", f"value {index + 1} of {FIELDS} must be a whole number, not {text[:20]!r}"
        )
    return int(text)


def write(found: FoundPosition, losses: Losses) -> str:
    """Return the text of a position."""
    situation = found.situation
    seat = situation.seat
    board = situation.position.board
    points = [int(board[0, i]) - int(board[1, 23 - i]) for i in range(24)]
    names = [player.name.replace(";", ",").replace("\n", " ") for player in found.players]
    losses.add("names", names != [player.name for player in found.players])
    losses.add("comments", bool(found.comment))
    losses.add("findings", len(found.findings))
    read_back = {"offer": situation.offer is not None, "state": situation.state not in ("playing", "over")}
    losses.add("results", sum(read_back.values()))
    losses.add("rules", situation.beavers or situation.cube_limit != 1024)
    owner = {"roller": 1, "opponent": -1, None: 0}[situation.cube_owner]
    dice = (situation.roll.high, situation.roll.low) if situation.roll else (0, 0)
    values = [
        situation.length,
        int(situation.jacoby),
        0,
        0,
        seat,
        names[seat],
        names[1 - seat],
        int(situation.crawford),
        *situation.score,
        situation.cube,
        owner,
        int(board[0, 24]),
        *points,
        -int(board[1, 24]),
        *dice,
    ]
    return ";".join(map(str, values)) + ";"
