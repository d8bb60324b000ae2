"""Matches and sessions drawn at random, and what is left of one when a format has lost something."""

from __future__ import annotations

import random
from typing import Any

from gammon.formats._losses import kinds_of
from gammon.match import (
    Candidate,
    CubeAction,
    CubeFinding,
    Evaluation,
    Finding,
    Game,
    LuckFinding,
    Match,
    Opening,
    Played,
    PlayerInfo,
    PlayFinding,
    Resignation,
    Rolled,
    SeededDice,
    Session,
    Settlement,
    Setup,
    Source,
)

NAMES = [
    "Zoë",
    "Bo O'Hara",
    "A:B",
    "Łukasz  Ż",
    "中村",
    'the "Rock"',
    "x" * 60,
    "",
    "[bracket]",
    "back\\slash",
    "1) 31:",
]
TEXTS = ["", "", "Café, étage 2", "a [b] c \\ d", "two\nlines", "; [x]", "Game 1", "naïve – “quoted”"]
PROGRAM = "GNU Backgammon 1.07.001"


def random_series(seed: int, *, money: bool, games: int = 3) -> Match | Session:
    """A match or session with comments, findings, clocks, resignations, dances and much else."""
    rng = random.Random(seed)

    def throw(game: int, turn: int) -> tuple[int, int]:
        return rng.randint(1, 6), rng.randint(1, 6)

    players = [
        PlayerInfo(rng.choice(NAMES), rng.choice([None, 1500.0, 1712.25]), rng.choice([None, 0, 400]))
        for _ in range(2)
    ]
    series: Match | Session
    dice: Any = rng.choice([throw, SeededDice(seed)])
    if money:
        options: dict[str, Any] = {
            "jacoby": rng.random() < 0.5,
            "raccoons": rng.random() < 0.5,
            "beavers": rng.random() < 0.8,
            "auto_doubles": rng.choice([0, 0, 1]),
            "cube_limit": rng.choice([None, None, 64]),
            "settlement": rng.random() < 0.2,
        }
        series = Session(players, dice=throw, **options)
    else:
        limit = rng.choice([None, None, 16])
        series = Match(
            rng.choice([1, 3, 5, 7, 25]), players, dice=dice, crawford=rng.random() < 0.8, cube_limit=limit
        )
    if rng.random() < 0.5:
        series.program = PROGRAM
    for name in ("event", "place", "round", "annotator", "transcriber", "comment"):
        setattr(series, name, rng.choice(TEXTS))
    series.date = rng.choice(["", "2026-11-30", "2026-11-30T09:30"])
    series.tags = rng.choice([{}, {}, {"Unrated": "On"}, {"Clock": "2'/pt", "Note": "two\nlines"}])
    for _ in range(rng.randint(0, games)):
        if series.is_over:
            break
        game = series.new_game()
        game.comment, game.closing_comment = rng.choice(TEXTS), rng.choice(TEXTS)
        play_game(game, rng)
        if not game.is_over:
            break
    return series


def play_game(game: Game, rng: random.Random, *, give_dice: bool = False) -> None:
    """Play a game at random, by its own dice or by given ones; once in a while it is left unfinished."""
    patience = rng.choice([3, 20, 60, 200])
    chatty = rng.random() < 0.3
    while not game.is_over and (len(game) < 2 * patience or rng.random() < 0.98):
        notes = random_notes(game, rng) if chatty else {}
        actions = game.actions
        if "accept" in actions:
            (game.accept if rng.random() < 0.7 else game.decline)(**notes)
        elif "take" in actions:
            answer(game, rng, notes)
        elif len(game) > 2 * patience and "resign" in actions and rng.random() < 0.3:
            player = rng.choice([0, 1, None])
            game.resign(rng.choice(["single", "single", "gammon", "backgammon"]), player=player, **notes)
        elif "settle" in actions and rng.random() < 0.02:
            game.settle(rng.choice([-1, 0, 1]), **notes)
        elif "double" in actions and rng.random() < 0.15:
            game.double(**notes)
        elif "roll" in actions:
            game.roll((rng.randint(1, 6), rng.randint(1, 6)) if give_dice else None, **notes)
        else:
            plays = game.plays
            game.play(plays[rng.randrange(len(plays))], **played_notes(game, rng, notes))


def answer(game: Game, rng: random.Random, notes: dict[str, Any]) -> None:
    """Take, pass, beaver or raccoon."""
    actions = game.actions
    if "beaver" in actions and rng.random() < 0.3:
        game.beaver(**notes)
    elif "raccoon" in actions and rng.random() < 0.5:
        game.raccoon(**notes)
    else:
        (game.take if rng.random() < 0.7 else game.drop)(**notes)


def random_notes(game: Game, rng: random.Random) -> dict[str, Any]:
    """A comment, the clocks, and findings that belong to a throw."""
    notes: dict[str, Any] = {}
    if rng.random() < 0.2:
        notes["comment"] = rng.choice(TEXTS)
    if rng.random() < 0.1:
        notes["time_left"] = (float(rng.randint(0, 700)), float(rng.randint(1, 700)))
    if rng.random() < 0.2:
        source = Source(program=rng.choice([PROGRAM, "Another 2"]), level="2-ply", plies=2, cubeful=True)
        side = Evaluation(
            source=source, probs=chances(rng), cubeless_equity=rng.random(), equity=rng.random() * 2 - 1
        )
        if game.terms.length:
            side = Evaluation(source=source, probs=side.probs, cubeless_equity=rng.random(), mwc=rng.random())
        findings: list[Finding] = [CubeFinding(no_double=side, double_take=side)]
        if rng.random() < 0.5:
            findings.append(LuckFinding(source=Source(program=PROGRAM), equity=rng.random() - 0.5))
        notes["findings"] = tuple(findings)
    if rng.random() < 0.05:
        notes["marks"] = (rng.choice(["lucky", "very unlucky", "odd"]),)
    return notes


def chances(rng: random.Random) -> tuple[float, float, float, float, float]:
    """Five chances, ordered as they must be."""
    win = rng.random()
    gammon, lost = win * rng.random(), (1 - win) * rng.random()
    return win, gammon, gammon / 10, lost, lost / 10


def played_notes(game: Game, rng: random.Random, notes: dict[str, Any]) -> dict[str, Any]:
    """Notes of a play: the plays considered instead of the cube."""
    found = {**notes, "findings": (), "marks": ()}
    if "findings" in notes:
        plays = game.plays
        source = Source(program=PROGRAM, level="0-ply", plies=0, cubeful=True)
        candidates = tuple(
            Candidate(str(play), Evaluation(source=source, probs=chances(rng), equity=rng.random()))
            for play in plays[:3]
        )
        found["findings"] = (PlayFinding(candidates=candidates, chosen=0),)
    if rng.random() < 0.05:
        found["marks"] = (rng.choice(["bad", "very bad", "doubtful", "strange"]),)
    return found


def left(series: Match | Session, lost: list[str]) -> dict[str, Any]:
    """What a match is without what was lost: equal for two matches that differ in nothing else."""
    kinds = kinds_of(lost)
    values: dict[str, Any] = {"length": series.length}
    values["dice"] = series.dice if isinstance(series.dice, SeededDice) and "dice" not in kinds else None
    values["rules"] = None if "rules" in kinds else series.rules
    values["players"] = [
        (
            None if "names" in kinds else player.name,
            None if "ratings" in kinds else (player.rating, player.experience),
        )
        for player in series.players
    ]
    for name, kind in (
        ("place", "names"),
        ("event", "names"),
        ("round", "names"),
        ("annotator", "annotator"),
        ("transcriber", "transcriber"),
        ("program", "program"),
        ("comment", "match comment"),
        ("date", "the date"),
    ):
        text = getattr(series, name)
        values[name] = None if kind in kinds else " ".join(text.split()) if "line breaks" in kinds else text
    values["tags"] = None if kinds & {"tags", "line breaks"} else series.tags
    values["games"] = [left_of_game(game, kinds) for game in series.games]
    if "score" not in kinds:
        values["score"] = series.starting_score
    if "empty match" in kinds:
        values["games"] = []
    return values


def left_of_game(game: Game, kinds: set[str]) -> dict[str, Any]:
    """The same of a game."""
    vague = bool(kinds & {"stakes", "results", "fractions", "settlements"})
    records = [left_of_record(record, kinds) for record in game.records if not dropped(record, kinds, vague)]
    if "open resignations" in kinds:
        records = [record for record in records if record[0] != "resignation"]
    result = game.result
    short: Any = result
    if result is not None:
        short = (result.winner, result.points)
        if not vague and "resignation levels" not in kinds:
            short = (*short, result.level, result.reason, result.illegal, result.ends_match)
        if vague and result.winner is None:
            short = None
    commented = not kinds & {"game comments"}
    return {
        "number": game.number,
        "score": game.score,
        "crawford": game.crawford,
        "comment": game.comment if commented else None,
        "closing": game.closing_comment if commented else None,
        "records": records,
        "result": short,
    }


def dropped(record: Any, kinds: set[str], vague: bool) -> bool:
    """Whether a record is of a kind that was lost."""
    return (
        (isinstance(record, Opening) and "throws for the start" in kinds)
        or (isinstance(record, Settlement) and "settlements" in kinds)
        or (isinstance(record, Resignation) and vague)
    )


def left_of_record(record: Any, kinds: set[str]) -> tuple[Any, ...]:
    """The same of a record."""
    what: Any = None
    if isinstance(record, Rolled):
        what = record.roll
    elif isinstance(record, Played):
        what = (record.play.before, record.play.after)
    elif isinstance(record, CubeAction):
        what = record.action
    elif isinstance(record, Resignation):
        what = (record.action, None if "resignation levels" in kinds else record.level)
    elif isinstance(record, Setup):
        moment = record.situation
        what = (
            moment.position,
            moment.seat,
            moment.cube,
            moment.cube_owner,
            moment.roll,
            moment.score,
            moment.crawford,
        )
    else:
        what = repr(record)
    notes = {
        "comments": record.comment,
        "marks": record.marks,
        "findings": record.findings,
        "time left": record.time_left,
    }
    kept = tuple(None if kind in kinds else value for kind, value in notes.items())
    return (record.kind, record.player, what, *kept)
