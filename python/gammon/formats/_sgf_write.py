"""Writes `.sgf` as GNU Backgammon reads it: a tree a game, with what analysis it could have made."""

import re
from collections.abc import Iterator

from gammon._native import Play, Position, Situation
from gammon.errors import GammonError
from gammon.formats._losses import Losses, lost_dice, lost_results
from gammon.formats._sgf_analysis import write_cube, write_luck, write_plays
from gammon.formats._sgf_read import BAR, LETTERS, LUCK, OFF, SKILL
from gammon.formats._sgf_tree import Node, escaped, node
from gammon.match import (
    CubeAction,
    CubeFinding,
    Flag,
    Game,
    IllegalPlay,
    LuckFinding,
    Match,
    Opening,
    Played,
    PlayFinding,
    Record,
    Rolled,
    Rules,
    Session,
    Settlement,
    Setup,
)

_SKILL: list[tuple[str, tuple[str, ...]]] = list(SKILL.items())
_VARIANTS = {"nackgammon": "Nackgammon", "hypergammon": "HyperGammon3"}


def write(series: Match | Session, losses: Losses) -> str:
    """Return the text of a match."""
    lost_dice(series, losses)
    losses.add("transcriber", bool(series.transcriber))
    losses.add("tags", len(series.tags))
    losses.rules(_rules(series), series.rules)
    losses.add(
        "ratings",
        sum(
            _rating(player.rating) is None or player.experience is not None
            for player in series.players
            if player.rating is not None or player.experience is not None
        ),
    )
    losses.add("score", not series.games and series.starting_score != (0, 0))
    if not series.games:
        losses.add("empty match")
        return node(_root(series, None)).join(("(", ")\n"))
    return "\n".join(_Writer(series, game, losses).tree() for game in series.games)


def _rules(series: Match | Session) -> Rules:
    """Return the rules that will be read."""
    rules = series.rules
    variant = rules.variant if rules.variant in _VARIANTS else "backgammon"
    if series.length:
        return Rules(variant=variant, cube=rules.cube, crawford=rules.crawford)
    return Rules(variant=variant, cube=rules.cube, jacoby=rules.jacoby, beavers=True)


def _rating(rating: float | None) -> str | None:
    """Return a rating as text, if it is read back the same."""
    text = "" if rating is None else f"{rating:.9f}".rstrip("0").rstrip(".")
    return (
        text
        if rating is not None and re.fullmatch(r"\d{1,5}(\.\d{1,9})?", text) and float(text) == rating
        else None
    )


def _root(series: Match | Session, game: Game | None) -> Node:
    rules = series.rules
    score = (0, 0) if game is None else tuple(max(0, int(points)) for points in game.score)
    number = 0 if game is None else game.number - 1
    words = ["Crawford"] if series.length and rules.crawford else []
    words += ["CrawfordGame"] if game is not None and game.crawford else []
    words += ["Jacoby"] if not series.length and rules.jacoby else []
    words += [] if rules.cube else ["NoCube"]
    words += [_VARIANTS[rules.variant]] if rules.variant in _VARIANTS else []
    properties: Node = {"FF": ["4"], "GM": ["6"], "CA": ["UTF-8"]}
    if series.program:
        name, _, version = series.program.rpartition(" ")
        properties["AP"] = [escaped(f"{name}:{version}" if name else version)]
    properties["MI"] = [f"length:{series.length}", f"game:{number}", f"ws:{score[0]}", f"bs:{score[1]}"]
    for seat, (name, rating) in enumerate((("PW", "WR"), ("PB", "BR"))):
        player = series.players[seat]
        properties[name] = [escaped(player.name)]
        if (text := _rating(player.rating)) is not None:
            properties[rating] = [text]
    texts = {
        "DT": series.date,
        "EV": series.event,
        "RO": series.round,
        "PC": series.place,
        "AN": series.annotator,
    }
    texts["GC"] = series.comment
    properties |= {name: [escaped(text)] for name, text in texts.items() if text}
    if words:
        properties["RU"] = [":".join(words)]
    return properties


class _Writer:
    """Writes one game."""

    def __init__(self, series: Match | Session, game: Game, losses: Losses) -> None:
        self._series = series
        self._game = game
        self._losses = losses
        self._program = series.program or "GNU Backgammon"

    def tree(self) -> str:
        """Return the game as a tree."""
        game, losses = self._game, self._losses
        root = _root(self._series, game)
        if game.comment:
            root["C"] = [escaped(game.comment)]
        losses.add("game comments", bool(game.closing_comment))
        losses.add("fractions", any(int(points) != points for points in game.score))
        losses.add("start", game.start != Position.start())
        result = game.result
        lost_results(game, losses)
        if result is not None and result.winner is not None:
            resigned = "R" if result.reason == "resigned" else ""
            root["RE"] = [f"{'WB'[result.winner]}+{int(result.points)}{resigned}"]
        return "\n".join([f"({node(root)}", *map(node, self._nodes())]) + ")"

    def _nodes(self) -> Iterator[Node]:
        records = self._game.records
        for i, record in enumerate(records):
            match record:
                case Rolled():
                    following = records[i + 1] if i + 1 < len(records) else None
                    if not (
                        isinstance(following, Played)
                        and following.player == record.player
                        and following.roll == record.roll
                    ):
                        thrown: Node = {
                            "PL": ["WB"[record.player]],
                            "DI": [f"{record.roll.high}{record.roll.low}"],
                        }
                        yield self._noted(thrown, record, record)
                case Played():
                    before = records[i - 1] if i else None
                    yield self._play(record, before if isinstance(before, Rolled) else None)
                case CubeAction():
                    word = {"pass": "drop", "beaver": "double", "raccoon": "double"}.get(
                        record.action, record.action
                    )
                    yield self._noted({"WB"[record.player]: [word]}, record, None)
                case Setup():
                    yield from self._setup(record)
                case _:
                    self._other(record)

    def _other(self, record: Record) -> None:
        """Note what is said of things that have no node."""
        losses = self._losses
        losses.add("throws for the start", isinstance(record, Opening))
        losses.add("settlements", isinstance(record, Settlement))
        losses.add("flags", isinstance(record, Flag))
        losses.add("comments", bool(record.comment))
        losses.add("marks", bool(record.marks))
        losses.add("findings", bool(record.findings))
        losses.add("time left", record.time_left is not None)

    def _play(self, record: Played, rolled: Rolled | None) -> Node:
        play = record.play
        letters = _letters(play.moves, record.player)
        self._losses.add("illegal plays", isinstance(play, IllegalPlay))
        properties: Node = {"WB"[record.player]: [f"{play.roll.high}{play.roll.low}{letters[:8]}"]}
        return self._noted(properties, record, rolled)

    def _noted(self, properties: Node, record: Record, rolled: Rolled | None) -> Node:
        """Return a node with everything that is said of a record, and of the throw before it."""
        losses = self._losses
        for one in {id(one): one for one in (rolled, record) if one is not None}.values():
            written = sum(self._finding(properties, finding, one) for finding in one.findings)
            losses.add("findings", len(one.findings) - written)
        comments = [one.comment for one in (rolled, record) if one is not None and one.comment]
        if record is rolled:
            comments = comments[:1]
        elif rolled is not None and (rolled.comment or rolled.time_left is not None):
            losses.add("comments", bool(rolled.comment))
            losses.add("time left", rolled.time_left is not None)
        if comments:
            properties["C"] = [escaped("\n".join(comments))]
        self._marks(properties, record, rolled)
        self._clock(properties, record)
        return properties

    def _finding(self, properties: Node, finding: object, record: Record) -> bool:
        """Write a finding; whether that can be done."""
        value: str | None = None
        match finding:
            case CubeFinding() if "DA" not in properties and not isinstance(record, Played):
                value = write_cube(finding, self._program, self._series.length)
                name = "DA"
            case LuckFinding() if "LU" not in properties and isinstance(record, Rolled | Setup):
                value = write_luck(finding, self._program)
                name = "LU"
            case PlayFinding() if "A" not in properties and isinstance(record, Played):
                values = write_plays(finding, self._program, _candidate_letters(finding, record))
                if values is not None:
                    properties["A"] = values
                return values is not None
        if value is None:
            return False
        properties[name] = [value]
        return True

    def _marks(self, properties: Node, record: Record, rolled: Rolled | None) -> None:
        luck = rolled.marks if rolled is not None else ()
        skill = () if record is rolled else record.marks
        for mark in luck:
            for kind, lucky in enumerate(LUCK):
                if mark in lucky:
                    properties["GW" if kind == record.player else "GB"] = [str(lucky.index(mark) + 1)]
        for mark in skill:
            for name, words in _SKILL:
                if mark in words:
                    properties[name] = [str(words.index(mark) + 1)] if len(words) > 1 else [""]
        known = sum(mark in words for mark in luck for words in LUCK) + sum(
            mark in words for mark in skill for words in SKILL.values()
        )
        self._losses.add(
            "marks", known != len(luck) + len(skill) or (known > 1 and len({*luck, *skill}) != known)
        )

    def _clock(self, properties: Node, record: Record) -> None:
        if record.time_left is not None:
            self._losses.add("time left")

    def _setup(self, record: Setup) -> Iterator[Node]:
        situation = record.situation
        self._losses.add("offers", situation.offer is not None)
        self._losses.add("rules", situation.cube_limit is not None)
        seat = situation.seat
        yield {"AE": ["a:y"], **_board(situation)}
        yield {"CV": [str(situation.cube)]}
        owner = {None: "c", "roller": "wb"[seat], "opponent": "wb"[1 - seat]}[situation.cube_owner]
        yield {"CO": [owner]}
        last: Node = {"PL": ["WB"[seat]]}
        if situation.roll is not None:
            last["DI"] = [f"{situation.roll.high}{situation.roll.low}"]
            noted = self._noted(last, record, None)
            self._losses.add("findings", "A" in noted)
            yield noted
        else:
            yield last
            self._other(record)


def _board(situation: Situation) -> Node:
    board = situation.position.board
    node: Node = {}
    for row, seat in enumerate((situation.seat, 1 - situation.seat)):
        letters = [_letter(i + 1, seat) for i in range(25) for _ in range(int(board[row, i]))]
        if letters:
            node["A" + "WB"[seat]] = letters
    return dict(sorted(node.items(), reverse=True))


def _letter(point: int, player: int) -> str:
    if point == 25:
        return LETTERS[BAR]
    if point == 0:
        return LETTERS[OFF]
    return LETTERS[point - 1 if player == 0 else 24 - point]


def _letters(moves: tuple[tuple[int, int], ...], player: int) -> str:
    return "".join(_letter(point, player) for move in moves for point in move)


def _candidate_letters(finding: PlayFinding, record: Played) -> dict[str, str]:
    """Return the plays considered, in letters, where they are read back as they are named."""
    found = {}
    for candidate in finding.candidates:
        try:
            play: Play = record.play.before.play(candidate.play, record.play.roll)
        except GammonError:
            continue
        if play.moves and str(play) == candidate.play:
            found[candidate.play] = _letters(play.moves, record.player)
    return found
