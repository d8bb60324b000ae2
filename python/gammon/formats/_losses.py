"""What a format cannot hold: collected while writing, said in words afterwards."""

import re
from collections import Counter
from dataclasses import fields

from gammon.match import FairDice, Game, Match, Opening, Resignation, Rules, SeededDice, Session

_PHRASES = {
    "comments": "comments on what happened",
    "game comments": "comments on games",
    "match comment": "the comment on the match",
    "findings": "evaluations found in files",
    "marks": "marks such as 'very bad'",
    "time left": "time left on the clocks",
    "dice": "where the dice came from",
    "throws for the start": "the throws for the start",
    "stakes": "stakes raised by the throws for the start",
    "open resignations": "resignations that were not accepted",
    "resignation levels": "the levels of resignations",
    "settlements": "settlements",
    "flags": "flags that fell",
    "results": "how games ended",
    "rules": "rules of play",
    "ratings": "ratings of players",
    "names": "names of players",
    "tags": "other tags",
    "line breaks": "line breaks in names and tags",
    "characters": "characters that no text can hold",
    "the date": "the date",
    "annotator": "the annotator",
    "transcriber": "the transcriber",
    "place": "the place",
    "program": "the program it came from",
    "illegal plays": "positions after illegal plays",
    "illegal remarks": "remarks on what was against the rules",
    "fractions": "fractions of points",
    "start": "other positions at the start",
    "game numbers": "numbers of games",
    "score": "the score before the first game",
    "offers": "offers pending in a position that is set up",
    "matches": "matches",
    "empty match": "that no game has been played yet",
}


class Losses:
    """Counts what is not carried, by kind."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._said: list[str] = []
        self._rules: list[str] = []

    def add(self, kind: str, times: int = 1) -> None:
        """Note that something of this kind is lost."""
        if kind not in _PHRASES:
            raise KeyError(kind)
        if times:
            self._counts[kind] += times

    def rules(self, kept: Rules, wanted: Rules) -> None:
        """Note the rules that differ between those that will be read and those that are meant."""
        for field in fields(Rules):
            if getattr(kept, field.name) != getattr(wanted, field.name):
                self.add("rules")
                if field.name not in self._rules:
                    self._rules.append(field.name)

    def say(self, phrase: str) -> None:
        """Note that something is lost for which there is no kind."""
        if phrase not in self._said:
            self._said.append(phrase)

    def phrases(self) -> list[str]:
        """Return a phrase for each kind, with how often it was met."""
        return [self._phrase(kind, times) for kind, times in self._counts.items()] + self._said

    def _phrase(self, kind: str, times: int) -> str:
        if kind == "rules" and self._rules:
            return f"{_PHRASES[kind]}: {', '.join(self._rules)}"
        return f"{_PHRASES[kind]} ({times})" if times > 1 else _PHRASES[kind]


def kinds_of(phrases: list[str]) -> set[str]:
    """Return the kinds that phrases of `Losses` name."""
    by_phrase = {phrase: kind for kind, phrase in _PHRASES.items()}
    return {by_phrase[re.sub(r" \(\d+\)$|:.*", "", phrase)] for phrase in phrases}


def one_line(text: str) -> str:
    """Return a text on one line, single blanks where the breaks were."""
    return " ".join(text.split("\n")).replace("\r", " ") if "\n" in text or "\r" in text else text


def lost_dice(series: Match | Session, losses: Losses) -> None:
    """Note that dice of a seed or of two secrets can no longer be thrown or checked again."""
    losses.add("dice", isinstance(series.dice, SeededDice | FairDice))


def unnoted(series: Match | Session, losses: Losses) -> None:
    """Note everything said beside the play, for formats that hold only the play."""
    lost_dice(series, losses)
    losses.add("match comment", bool(series.comment))
    losses.add("program", bool(series.program))
    losses.add("annotator", bool(series.annotator))
    for game in series.games:
        losses.add("game comments", bool(game.comment) + bool(game.closing_comment))
        unnoted_records(game, losses)


def unnoted_records(game: Game, losses: Losses) -> None:
    """Note comments, marks, findings and clocks of the records of a game."""
    for record in game.records:
        losses.add("comments", bool(record.comment))
        losses.add("marks", bool(record.marks))
        losses.add("findings", bool(record.findings))
        losses.add("time left", record.time_left is not None)


def lost_results(game: Game, losses: Losses) -> None:
    """Note what a format that says only who won how much loses of how a game ended."""
    offered = 0
    for record in game.records:
        if isinstance(record, Opening) and not game.terms.length:
            losses.add("stakes", game.terms.rules.stake(record.ties) > 1)
        if isinstance(record, Resignation):
            offered += (record.action == "offer") - (record.action == "accept")
    losses.add("open resignations", offered)
    result = game.result
    if result is None:
        return
    accepted = any(isinstance(record, Resignation) and record.action == "accept" for record in game.records)
    usual = result.reason in ("played", "passed") or (result.reason == "resigned" and accepted)
    losses.add("fractions", int(result.points) != result.points)
    losses.add("results", not usual or result.winner is None or bool(result.illegal) or result.ends_match)
    jacoby = game.terms.jacoby and not game.state.offered
    losses.add("resignation levels", result.reason == "resigned" and jacoby and result.level != "single")
