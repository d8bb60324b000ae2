"""Speed of move generation and of random games, one thread. Each bench asserts what it counted."""

from __future__ import annotations

import time

import pytest

import gammon
from conftest import Measure
from sets import RESULTS, ROLLS, Boards, array, expansions, speed_boards, with_rolls

pytestmark = pytest.mark.benchmark(timer=time.process_time)

MIXED = [roll for roll in ROLLS if roll[0] != roll[1]]
DOUBLES = [roll for roll in ROLLS if roll[0] == roll[1]]

CONTACT = array(speed_boards())


def random_boards(phase: str) -> Boards:
    """2,000 seeded positions of a phase."""
    return array([gammon.Position.random(phase, seed).board.tolist() for seed in range(2_000)])


@pytest.mark.parametrize(
    ("phase", "rolls", "results"),
    [
        pytest.param("contact", ROLLS, RESULTS, id="contact"),
        pytest.param("contact", MIXED, 425_673, id="contact-not-doubles"),
        pytest.param("contact", DOUBLES, 487_767, id="contact-doubles"),
        pytest.param("race", ROLLS, 363_175, id="race"),
        pytest.param("bearoff", ROLLS, 104_396, id="bearoff"),
    ],
)
def test_expand_by_phase(phase: str, rolls: list[tuple[int, int]], results: int, measure: Measure) -> None:
    positions = CONTACT if phase == "contact" else random_boards(phase)
    boards, dice = with_rolls(positions, rolls)

    def expand() -> int:
        total = 0
        for first in range(0, len(boards), 4_096):
            batch = slice(first, first + 4_096)
            total += int(gammon.expand(boards[batch], dice[batch], threads=1)[1][-1])
        return total

    assert measure(expand, len(boards), "expansions") == results


@pytest.mark.parametrize("size", [16, 256, 4_096, 42_000])
def test_expand_by_batch_size(size: int, measure: Measure) -> None:
    boards, rolls = expansions()
    batches = [(boards[i : i + size], rolls[i : i + size]) for i in range(0, len(boards), size)]

    def expand() -> int:
        return sum(int(gammon.expand(*batch, threads=1)[1][-1]) for batch in batches)

    assert measure(expand, len(boards), "expansions") == RESULTS


def test_single_call(measure: Measure) -> None:
    positions = [gammon.Position.from_board(board) for board in CONTACT]
    rolls = [gammon.Roll(*roll) for roll in ROLLS]

    def plays() -> int:
        return sum(len(position.plays(roll)) for position in positions for roll in rolls)

    assert measure(plays, len(positions) * len(rolls), "expansions") == RESULTS


def test_single_call_to_an_array(measure: Measure) -> None:
    positions = [gammon.Position.from_board(board) for board in CONTACT]
    rolls = [gammon.Roll(*roll) for roll in ROLLS]

    def plays() -> int:
        return sum(len(position.plays(roll).boards) for position in positions for roll in rolls)

    assert measure(plays, len(positions) * len(rolls), "expansions") == RESULTS


def test_every_play_as_an_object(measure: Measure) -> None:
    """The slow way: a ``Play`` and a ``Position`` for every result of the first 200 positions."""
    positions = [gammon.Position.from_board(board) for board in CONTACT[:200]]
    rolls = [gammon.Roll(*roll) for roll in ROLLS]
    expected = sum(len(position.plays(roll)) for position in positions for roll in rolls)

    def plays() -> int:
        afters = (play.after for position in positions for roll in rolls for play in position.plays(roll))
        return sum(1 for _ in afters)

    assert measure(plays, expected, "plays") == expected


def test_random_games(measure: Measure) -> None:
    games = measure(lambda: gammon.random_games(2_000, 3, threads=1), 2_000, "games")
    assert games.turns.sum() == 193_095
    assert games.points.all()


def test_perft(measure: Measure) -> None:
    start = gammon.Position.start()
    perft = measure(lambda: gammon.perft(start, 2, threads=1), 202_782, "paths")
    assert (perft.paths, perft.unique) == (202_782, 163_706)
