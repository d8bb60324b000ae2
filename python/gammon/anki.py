"""Cards for Anki: the errors of an analysis, asked again until they are no more.

>>> from gammon import anki
>>> from gammon.analysis import analyse
>>> from gammon.match import Engine, Match, play_match
>>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine(noise=0.3)))
>>> found = anki.cards(analyse(match, plies=0), player=1)
>>> len(found) > 3, found[0].front.startswith("<svg"), "to play" in found[0].front
(True, True, True)
"""

import hashlib
import html
import json
import os
import random
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gammon import viz
from gammon._files import replacing
from gammon._native import Situation
from gammon.analysis import Analysis, Choice, Decision

__all__ = ["Card", "cards", "write"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


@dataclass(frozen=True, slots=True)
class Card:
    """A question and its answer, in HTML."""

    guid: str
    """The same for the same decision, whoever makes the card and whenever."""
    front: str
    back: str
    tags: tuple[str, ...]


def cards(analysis: Analysis, *, least: float | None = None, player: int | None = None) -> list[Card]:
    """Return a card for every error from `least` on, the worst first; by default from that marked bad on.

    A card asks for the right choice among those that the analysis kept, shuffled. Doubling and answering are
    separate cards, each seen by the player who decides. A decision that was made twice is one card.
    """
    bound = analysis.settings.thresholds.bad if least is None else least
    found: dict[str, Card] = {}
    for decision in analysis.errors(player, at_least=bound):
        card = _card(decision, analysis)
        found.setdefault(card.guid, card)
    return list(found.values())


def _card(decision: Decision, analysis: Analysis) -> Card:
    situation = Situation(decision.id)
    guid = hashlib.sha256(f"{decision.kind} {decision.id}".encode()).hexdigest()[:16]
    choices = [choice for choice in decision.choices if "," not in choice.name]
    shuffled = random.Random(guid).sample(choices, len(choices))
    letters = {choice.name: chr(ord("A") + place) for place, choice in enumerate(shuffled)}
    asked = "".join(f"<li>{html.escape(choice.name)}</li>" for choice in shuffled)
    board = viz.svg(situation, perspective="decider")
    front = f"{board}<p>{_question(situation)}</p><ol type='A'>{asked}</ol>"
    rows = "".join(_row(choice, decision, letters[choice.name]) for choice in choices)
    back = (
        f"{_answer(situation, decision, analysis)}"
        f"<p><b>{letters[decision.best.name]}: {html.escape(decision.best.name)}</b></p>"
        f"<table><tr><th></th><th></th><th>equity</th><th>loss</th></tr>{rows}</table>"
        f"<p>{html.escape(decision.made.name)} lost {decision.error:.3f}. {analysis.settings.plies}-ply.</p>"
        f"<p><code>{html.escape(decision.id)}</code></p>"
    )
    mark = analysis.mark(decision).replace(" ", "-")
    tags = (
        "gammon",
        f"gammon::{decision.kind}",
        f"gammon::{decision.phase}",
        *([f"gammon::{mark}"] if mark else []),
    )
    return Card(guid, front, back, tags)


def _answer(situation: Situation, decision: Decision, analysis: Analysis) -> str:
    """Return the board with the best play and the one that was made; nothing of a cube decision."""
    if decision.kind != "play":
        return ""
    arrows: list[viz.Arrow] = [
        (decision.made.name, analysis.mark(decision) or "good"),
        (decision.best.name, "best"),
    ]
    return viz.svg(situation, perspective="decider", arrows=arrows)


def _question(situation: Situation) -> str:
    mine = situation.to_act == "roller"
    score = situation.score if mine else (situation.score[1], situation.score[0])
    text = f"match to {situation.length}, score {score[0]} to {score[1]}" if situation.length else "money"
    if situation.crawford:
        text += ", Crawford"
    if not situation.length and situation.jacoby:
        text += ", Jacoby"
    owner = {None: "in the middle", situation.to_act: "yours"}.get(situation.cube_owner, "the opponent's")
    text += f"; cube {situation.cube}, {owner}"
    if situation.roll is not None:
        return f"<b>{situation.roll} to play</b> ({text})"
    if situation.offer is not None:
        return f"<b>You face a {situation.offer}.</b> ({text})"
    return f"<b>Double?</b> ({text})"


def _row(choice: Choice, decision: Decision, letter: str) -> str:
    made = " &#8592;" if choice.name == decision.made.name else ""
    loss = choice.equity - decision.best.equity
    cells = (
        letter,
        html.escape(choice.name) + made,
        f"{choice.equity:+.3f}",
        f"{loss:+.3f}" if loss < 0 else "",
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def write(path: str | os.PathLike[str], cards: Iterable[Card], *, deck: str = "gammon") -> int:
    """Write a package for Anki (`.apkg`) and return how many cards it has.

    The same cards make the same notes: importing a package again adds what is new and leaves what is there,
    with its schedule and whatever was written into its field for notes.

    Raises `OSError` if the file cannot be written.
    """
    listed = list(cards)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "collection.anki2"
        collection = sqlite3.connect(file)
        try:
            _fill(collection, listed, deck)
            collection.commit()
        finally:
            collection.close()
        with replacing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr(zipfile.ZipInfo("collection.anki2"), file.read_bytes(), zipfile.ZIP_DEFLATED)
            package.writestr(zipfile.ZipInfo("media"), "{}")
    return len(listed)


# Anki's collection, schema 11 (github.com/ankidroid/Anki-Android/wiki/Database-Structure).

_MADE = 1_700_000_000
"""The time of everything: a note that is there is replaced by a later one only."""

_SCHEMA = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
    ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
    models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
    usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT
    NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
    mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer
    NOT NULL, ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL,
    left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text
    NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT
NULL,
    ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
    type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
"""
_CSS = (
    ".card { font-family: sans-serif; font-size: 18px; text-align: left; max-width: 40em; margin: auto }"
    " td, th { padding-right: 1em; text-align: left } svg { max-width: 100%; height: auto }"
)


def _number(text: str) -> int:
    """Return a number that belongs to a text, of the size of Anki's own (milliseconds of a time)."""
    return 1_000_000_000_000 + int(hashlib.sha256(text.encode()).hexdigest()[:10], 16) % 1_000_000_000_000


def _fill(collection: sqlite3.Connection, cards: Sequence[Card], deck: str) -> None:
    model, number = _number("gammon note type 1"), _number(f"gammon deck {deck}")
    collection.executescript(_SCHEMA)
    collection.execute(
        "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
        (
            _MADE,
            _MADE * 1000,
            _MADE * 1000,
            json.dumps(
                {
                    "curDeck": number,
                    "activeDecks": [number],
                    "curModel": str(model),
                    "nextPos": len(cards) + 1,
                }
            ),
            json.dumps({str(model): _note_type(model, number)}),
            json.dumps({"1": _deck(1, "Default"), str(number): _deck(number, deck)}),
            json.dumps({"1": _options()}),
        ),
    )
    for place, card in enumerate(cards, 1):
        note = _number(card.guid)
        fields = (card.guid, card.front, card.back, "")
        checksum = int(hashlib.sha1(card.guid.encode(), usedforsecurity=False).hexdigest()[:8], 16)
        collection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            (
                note,
                card.guid,
                model,
                _MADE,
                f" {' '.join(card.tags)} ",
                "\x1f".join(fields),
                card.guid,
                checksum,
            ),
        )
        collection.execute(
            "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            (note + 1, note, number, _MADE, place),
        )


def _note_type(model: int, deck: int) -> dict[str, object]:
    names = ("Id", "Front", "Back", "Notes")
    fields = [
        {"name": name, "ord": place, "sticky": False, "rtl": False, "font": "Arial", "size": 20, "media": []}
        for place, name in enumerate(names)
    ]
    template = {
        "name": "Decision",
        "ord": 0,
        "qfmt": "{{Front}}",
        "afmt": "{{FrontSide}}<hr id=answer>{{Back}}{{Notes}}",
        "bqfmt": "",
        "bafmt": "",
        "did": None,
    }
    return {
        "id": model,
        "name": "gammon decision",
        "type": 0,
        "mod": _MADE,
        "usn": -1,
        "sortf": 0,
        "did": deck,
        "tmpls": [template],
        "flds": fields,
        "css": _CSS,
        "latexPre": "",
        "latexPost": "",
        "tags": [],
        "vers": [],
        "req": [[0, "all", [1]]],
    }


def _deck(number: int, name: str) -> dict[str, object]:
    today = {f"{kind}Today": [0, 0] for kind in ("lrn", "rev", "new", "time")}
    more = {"collapsed": False, "browserCollapsed": False, "desc": "", "dyn": 0, "conf": 1}
    return {
        "id": number,
        "name": name,
        "mod": _MADE,
        "usn": -1,
        "extendNew": 10,
        "extendRev": 50,
        **today,
        **more,
    }


def _options() -> dict[str, object]:
    """Return Anki's own defaults."""
    new = {
        "bury": True,
        "delays": [1, 10],
        "initialFactor": 2500,
        "ints": [1, 4, 7],
        "order": 1,
        "perDay": 20,
    }
    reviews = {
        "bury": True,
        "ease4": 1.3,
        "fuzz": 0.05,
        "ivlFct": 1,
        "maxIvl": 36_500,
        "minSpace": 1,
        "perDay": 200,
    }
    lapses = {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0}
    about = {
        "id": 1,
        "mod": 0,
        "name": "Default",
        "usn": 0,
        "maxTaken": 60,
        "autoplay": True,
        "timer": 0,
        "replayq": True,
    }
    return {**about, "new": {**new, "separate": True}, "rev": reviews, "lapse": lapses}
