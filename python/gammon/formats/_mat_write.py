"""Writes Jellyfish `.mat` strictly: one move a checker, the bar 25, off 0, no hit marks, a dance empty."""

from collections.abc import Iterator

from gammon.errors import FormatError
from gammon.formats._losses import Losses, lost_results, unnoted
from gammon.formats._mat_tags import plain_name, write_tags
from gammon.match import (
    CubeAction,
    Flag,
    Game,
    IllegalPlay,
    Match,
    Opening,
    Played,
    Rolled,
    Session,
    Settlement,
    Setup,
)

WIDTH = 28
"""Characters of the left column: the longest play of a double, and a blank."""

LONGEST_NAME = 500
"""Characters of a name that are written: lines beyond all measure are cut when they are read."""

NAMES = ("White", "Black")
"""What players without a name are called."""


def write(series: Match | Session, losses: Losses) -> str:
    """Return the text of a match.

    Raises `FormatError` if a position is set up in it, which cannot be said.
    """
    for game in series.games:
        if any(isinstance(record, Setup) for record in game.records):
            raise FormatError(
                "mat", "a .mat file cannot hold a position that is set up", f"game {game.number}"
            )
    unnoted(series, losses)
    names = [_name(player.name, NAMES[seat], losses) for seat, player in enumerate(series.players)]
    lines = write_tags(series, losses)
    lines += [""] if lines else []
    lines += [f" {series.length} point match", ""]
    if not series.games and series.starting_score != (0, 0):
        losses.add("score")
    for i, game in enumerate(series.games):
        last = i + 1 == len(series.games)
        lines += _game(game, names, losses, wins_match=last and series.winner is not None)
    return "\n".join(lines) + "\n"


def _name(name: str, otherwise: str, losses: Losses) -> str:
    plain = plain_name(name)
    if not plain or len(plain) > LONGEST_NAME:
        losses.add("names")
    return plain[:LONGEST_NAME].strip() or otherwise


def _game(game: Game, names: list[str], losses: Losses, *, wins_match: bool) -> list[str]:
    score = [int(points) for points in game.score]
    losses.add("fractions", score != list(game.score))
    losses.add("game numbers", game.number > 999_999 or game.number < 1)
    lines = [f" Game {min(max(game.number, 1), 999_999)}", _scores(names, score)]
    row: list[str] = []
    number = 0
    for player, cell in _cells(game, losses):
        if len(row) > player:
            number += 1
            lines.append(_row(number, row))
            row = []
        row += [""] * (player - len(row)) + [cell]
    won = _result(game, losses, wins_match=wins_match)
    if won and len(row) == 1 and game.result is not None and game.result.winner == 1:
        # Where the right column is free its win stands there; GNU Backgammon misreads it below a pass.
        row.append(f" {won}")
        won = ""
    if row:
        lines.append(_row(number + 1, row))
    if won:
        assert game.result is not None
        lines.append(" " * (6 if game.result.winner == 0 else 6 + WIDTH) + won)
    return [*lines, ""]


def _scores(names: list[str], score: list[int]) -> str:
    left = f" {names[0]} : {score[0]}"
    return f"{left:<{WIDTH + 3}} {names[1]} : {score[1]}"


def _row(number: int, row: list[str]) -> str:
    left, right = [*row, ""][:2]
    return f"{number:3d}) {left:<{WIDTH}}{right}".rstrip()


def _cells(game: Game, losses: Losses) -> Iterator[tuple[int, str]]:
    """Go through what stands in the columns, each with its seat."""
    records = game.records
    for i, record in enumerate(records):
        match record:
            case Rolled():
                following = records[i + 1] if i + 1 < len(records) else None
                if not (isinstance(following, Played) and following.player == record.player):
                    yield record.player, f"{record.roll.high}{record.roll.low}: ???"
                elif following.roll != record.roll:
                    losses.add("illegal plays")
            case Played():
                yield record.player, f"{record.roll.high}{record.roll.low}: {_play(record, losses)}".rstrip()
            case CubeAction():
                yield from _cube(game, i, record, losses)
            case Settlement():
                losses.add("settlements")
            case Opening():
                losses.add("throws for the start")
            case Flag():
                losses.add("flags")


def _cube(game: Game, index: int, record: CubeAction, losses: Losses) -> Iterator[tuple[int, str]]:
    state = game[index].before
    if record.action == "double":
        yield record.player, f" Doubles => {2 * state.cube}"
    elif record.action == "take" and state.offer == "beaver" and _plays_on(game, index):
        return  # who plays on has taken the beaver
    else:
        yield (
            record.player,
            {"take": " Takes", "pass": " Drops", "beaver": " Beavers", "raccoon": " Raccoons"}[record.action],
        )


def _plays_on(game: Game, index: int) -> bool:
    """Whether the next thing the player of a record does is to throw."""
    following = game.records[index + 1] if index + 1 < len(game) else None
    return isinstance(following, Rolled) and following.player == game.records[index].player


def _play(record: Played, losses: Losses) -> str:
    play = record.play
    if isinstance(play, IllegalPlay):
        losses.add("illegal plays")
    return " ".join(f"{source}/{target}" for source, target in play.moves)


def _result(game: Game, losses: Losses, *, wins_match: bool) -> str:
    """Return who won how much, in words; empty if nobody has."""
    result = game.result
    lost_results(game, losses)
    if result is None or result.winner is None:
        return ""
    points = int(result.points)
    won = f"Wins {points} point{'' if points == 1 else 's'}"
    return f"{won} and the match" if wins_match else won
