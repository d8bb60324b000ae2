"""Playing at the terminal: what is typed, what is told, and the commands about it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gammon.cli._person import Person, Quit
from gammon.match import Engine, FairDice, Game, Match, Series, Session, play_match, verify
from random_matches import random_player

GAMMON = [sys.executable, "-m", "gammon"]


class Terminal:
    """Types given lines, or what a function says, and keeps what is told."""

    def __init__(self, series: Series, lines: list[str] | Callable[[Game], str]) -> None:
        self.told: list[str] = []
        self._series = series
        self._lines: Iterator[str] | None = iter(lines) if isinstance(lines, list) else None
        self._decide = None if isinstance(lines, list) else lines

    def ask(self, prompt: str) -> str:
        if self._decide is not None:
            return self._decide(self._series.games[-1])
        assert self._lines is not None
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None

    def person(self, *, seat: int = 1, tutor: float | None = None) -> Person:
        def save() -> str:
            return "saved"

        return Person(seat, self._series, ask=self.ask, tell=self.told.append, save=save, tutor=tutor)

    @property
    def text(self) -> str:
        return "\n".join(self.told)


def typing(seed: int) -> Callable[[Game], str]:
    """What a random player would type."""
    player = random_player(seed)

    def decide(game: Game) -> str:
        choice = player(game)
        if isinstance(choice, tuple):
            return f"settle {choice[1]}"
        return str(choice)

    return decide


def started(roll: str = "31") -> Match:
    match = Match(5, ("gammon", "A"))
    match.new_game().roll(roll, player=1)
    return match


@pytest.mark.parametrize("seed", range(5))
def test_whole_matches_are_played_by_typing(seed: int) -> None:
    for series in (
        Match(2, ("gammon", "A"), seed=seed),
        Session(("gammon", "A"), seed=seed, settlement=True),
    ):
        terminal = Terminal(series, typing(seed))
        play_match(series, (Engine(noise=0.2, resigns=True), terminal.person()), games=2)
        assert series.games[0].is_over
        assert "BAR" in terminal.text
        assert verify(series) == []


def test_a_play_is_typed_and_mistakes_are_told() -> None:
    match = started()
    terminal = Terminal(match, ["8/2", "roll", "take", "nonsense", "help", "board", "save", "6/5 8/5"])
    choice = terminal.person()(match.games[0])
    assert str(choice) == "8/5 6/5"
    for part in (
        "illegal play 8/2",
        "your dice have been thrown",
        "you cannot take now: play, resign",
        "'nonsense' is nothing you can do now; help lists the commands",
        "bar/22",
        "You have 31 to play",
        "saved",
    ):
        assert part in terminal.text


@pytest.mark.parametrize("lines", [[], ["quit"], ["hint", "q"]])
def test_whoever_quits_or_says_no_more_stops(lines: list[str]) -> None:
    match = started()
    with pytest.raises(Quit):
        Terminal(match, lines).person()(match.games[0])


def test_hints_name_plays_and_cube_decisions() -> None:
    match = started()
    terminal = Terminal(match, ["hint", "8/5 6/5"])
    terminal.person()(match.games[0])
    assert "1. 8/5 6/5" in terminal.text
    game = match.games[0]
    game.play("8/5 6/5")
    game.roll("62")
    game.play("24/18 13/11")
    terminal = Terminal(match, ["hint", "double"])
    assert terminal.person()(game) == "double"
    assert "no double" in terminal.text
    game.double()
    terminal = Terminal(match, ["hint", "t"])
    assert terminal.person(seat=0)(game) == "take"
    assert "1. take" in terminal.text
    assert "A: double to 2" not in terminal.text or "take, pass" in terminal.text


def test_the_tutor_asks_before_an_error_only() -> None:
    match = started("61")
    terminal = Terminal(match, ["24/18 6/5", "no", "24/18 6/5", "yes"])
    assert str(terminal.person(tutor=0.05)(match.games[0])) == "24/18 6/5"
    assert terminal.text.count("That loses") == 2
    terminal = Terminal(match, ["13/7 8/7"])
    assert str(terminal.person(tutor=0.05)(match.games[0])) == "13/7 8/7"
    assert "That loses" not in terminal.text
    terminal = Terminal(match, ["24/18 6/5"])
    assert str(terminal.person()(match.games[0])) == "24/18 6/5"


def test_the_person_sits_below_when_the_other_doubles() -> None:
    match = started()
    game = match.games[0]
    game.play("8/5 6/5")
    game.double()
    terminal = Terminal(match, ["take"])
    assert terminal.person()(game) == "take"
    board = terminal.told[-1].splitlines()
    assert board[11].endswith("X: 163 pips, 0 off, score 0")
    assert board[-1] == " gammon: double to 2. take, pass?"


def test_what_leaves_no_choice_is_not_asked() -> None:
    match = Match(1, ("gammon", "A"))  # a dead cube
    game = match.new_game()
    game.roll("31", player=0)
    game.play("8/5 6/5")
    assert Terminal(match, []).person()(game) == "roll"


def test_a_game_is_given_up_only_if_that_is_meant() -> None:
    match = Match(3, ("gammon", "You"), seed=1)
    game = match.new_game()
    game.roll("31", player=1)
    terminal = Terminal(match, ["resign gammon", "no", "undo", "resign", "yes"])
    assert terminal.person()(game) == "resign"
    assert "Lose a gammon game, 2 points? Type yes to give it up." in terminal.told
    assert "Lose a single game, 1 point? Type yes to give it up." in terminal.told
    assert "'undo' is nothing you can do now; help lists the commands" in terminal.told


# The command.


def run(*arguments: object, lines: str = "", code: int = 0) -> str:
    found = subprocess.run(
        [*GAMMON, "play", *map(str, arguments)], input=lines, capture_output=True, text=True
    )
    assert found.returncode == code, (found.stdout, found.stderr)
    assert "Traceback" not in found.stderr
    return found.stdout


def test_a_match_is_saved_and_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    out = run("--length", 3, "--seed", 4, "--save", path, "--strength", "casual", lines="hint\nresign\nyes\n")
    assert "1. " in out
    assert "stopped" in out
    first = Series.from_dict(json.loads(path.read_text(encoding="utf-8")))
    again = run("--save", path, "--games", 1, "--review", lines="resign backgammon\nyes\n" * 20)
    assert "taken up from" in again
    assert "PR (XG)" in again
    series = Series.from_dict(json.loads(path.read_text(encoding="utf-8")))
    assert series.games[0].records[: len(first.games[0])] == first.games[0].records
    assert series.games[0].is_over
    assert verify(series) == []


def test_dice_from_two_secrets_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    out = run("--fair", "--save", path, "--games", 1, lines="my secret\n" + "resign backgammon\nyes\n" * 20)
    series = Series.from_dict(json.loads(path.read_text(encoding="utf-8")))
    assert isinstance(series.dice, FairDice)
    for seat, name in ((0, "gammon's commitment: "), (1, "your commitment:     ")):
        assert name + series.dice.commitments[seat] in out
    assert verify(series) == []


def test_json_is_the_only_output_on_stdout() -> None:
    out = run("--seed", 1, "--json", lines="quit\n")
    assert Series.from_dict(json.loads(out)).length == 5


def test_what_is_no_match_or_strength_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_text("{", encoding="utf-8")
    run("--save", path, code=2)
    run("--strength", "godlike", code=2)
