"""Calls on arrays: the same as one at a time, for any number of threads, and every bad array named."""

import numpy as np
import numpy.typing as npt
import pytest

import gammon
from gammon import Position, Roll
from gammon.errors import ArrayError, IllegalPositionError, IllegalRollError, SettingError

Boards = npt.NDArray[np.uint8]


@pytest.fixture(scope="module")
def pairs() -> tuple[Boards, Boards]:
    """Positions of every phase with a roll each."""
    positions = [Position.random(gammon.PHASES[1 + seed % 4], seed) for seed in range(700)]
    rolls = Roll.all()
    dice = [rolls[i % 21].dice[:2] for i in range(len(positions))]
    return np.stack([position.board for position in positions]), np.array(dice, np.uint8)


def test_expand_is_plays_of_each(pairs: tuple[Boards, Boards]) -> None:
    boards, rolls = pairs
    results, offsets = gammon.expand(boards, rolls)
    assert results.dtype == np.uint8
    assert results.shape[1:] == (2, 25)
    assert offsets.dtype == np.int64
    assert offsets.shape == (len(boards) + 1,)
    assert offsets[0] == 0
    assert offsets[-1] == len(results)
    for i, (board, roll) in enumerate(zip(boards, rolls, strict=True)):
        expected = Position.from_board(board).plays(roll).boards
        assert np.array_equal(results[offsets[i] : offsets[i + 1]], expected)


def test_expand_gives_the_same_bytes_for_any_thread_count(pairs: tuple[Boards, Boards]) -> None:
    boards, rolls = np.tile(pairs[0], (8, 1, 1)), np.tile(pairs[1], (8, 1))
    results, offsets = gammon.expand(boards, rolls, threads=1)
    for threads in (2, 3, 7):
        more, more_offsets = gammon.expand(boards, rolls, threads=threads)
        assert np.array_equal(more, results)
        assert np.array_equal(more_offsets, offsets)


def test_strided_arrays_are_read_like_any_other(pairs: tuple[Boards, Boards]) -> None:
    boards, rolls = pairs
    expected, offsets = gammon.expand(boards[::-3].copy(), rolls[::-3].copy())
    found, found_offsets = gammon.expand(boards[::-3], rolls[::-3])
    assert np.array_equal(found, expected)
    assert np.array_equal(found_offsets, offsets)
    swapped = gammon.expand(boards, rolls[:, ::-1])
    assert np.array_equal(swapped[0], gammon.expand(boards, rolls)[0])


def test_nothing_to_expand() -> None:
    results, offsets = gammon.expand(np.zeros((0, 2, 25), np.uint8), np.zeros((0, 2), np.uint8))
    assert results.shape == (0, 2, 25)
    assert offsets.tolist() == [0]


def test_a_bad_board_is_named_with_its_row(pairs: tuple[Boards, Boards]) -> None:
    boards, rolls = pairs[0].copy(), pairs[1]
    boards[:, 0, :] = 0
    boards[:, 0, 5] = 3
    boards[:, 1, :] = 0
    boards[:, 1, 3] = 3
    boards[41, 0, 5] = 16
    boards[43, 0, 5] = 17
    for call in (gammon.features, gammon.shots, lambda boards: gammon.expand(boards, rolls)):
        with pytest.raises(IllegalPositionError, match=r"boards\[41\].*16 checkers"):
            call(boards)


@pytest.mark.parametrize("dice", [(7, 1), (0, 3), (255, 255)])
def test_a_bad_roll_is_named_with_its_row(pairs: tuple[Boards, Boards], dice: tuple[int, int]) -> None:
    boards, rolls = pairs[0], pairs[1].copy()
    rolls[17] = dice
    with pytest.raises(IllegalRollError, match=rf"rolls\[17\].*\({dice[0]}, {dice[1]}\)"):
        gammon.expand(boards, rolls)


@pytest.mark.parametrize(
    ("change_boards", "change_rolls", "words"),
    [
        (lambda b: b.astype(np.int64), None, ["boards", "uint8", "int64", ".astype"]),
        (lambda b: b.astype(">u2"), None, ["boards", "uint8", ">u2"]),
        (lambda b: b.tolist(), None, ["boards", "numpy array", "list"]),
        (lambda b: b[:, :, :24], None, ["boards", "(n, 2, 25)", "24"]),
        (lambda b: b[:, :1], None, ["boards", "(n, 2, 25)"]),
        (lambda b: b.reshape(-1, 50), None, ["boards", "(n, 2, 25)", "(700, 50)"]),
        (lambda b: b[0], None, ["boards", "(n, 2, 25)", "(2, 25)"]),
        (None, lambda r: r.astype(np.float32), ["rolls", "uint8", "float32"]),
        (None, lambda r: r[:5], ["rolls", "(700, 2)", "(5, 2)"]),
        (None, lambda r: r.ravel(), ["rolls", "(n, 2)", "(1400,)"]),
        (None, lambda _: "31", ["rolls", "numpy array", "str"]),
    ],
)
def test_arrays_that_do_not_fit(
    pairs: tuple[Boards, Boards], change_boards: object, change_rolls: object, words: list[str]
) -> None:
    boards, rolls = pairs
    with pytest.raises(ArrayError) as caught:
        gammon.expand(
            change_boards(boards) if callable(change_boards) else boards,
            change_rolls(rolls) if callable(change_rolls) else rolls,
        )
    for word in words:
        assert word in str(caught.value)


def test_perft_of_the_start() -> None:
    start = Position.start()
    counts = [gammon.perft(start, depth) for depth in range(3)]
    assert [found.paths for found in counts] == [1, 447, 202_782]
    assert [found.unique for found in counts] == [1, 406, 163_706]
    assert counts[2] == gammon.perft(start, 2, threads=1) == gammon.perft(start, 2, threads=3)
    assert "paths=202782" in repr(counts[2])


def test_random_games_are_repeatable_for_any_thread_count() -> None:
    games = gammon.random_games(1_000, 5, threads=1)
    again = gammon.random_games(1_000, 5, threads=3)
    assert np.array_equal(games.points, again.points)
    assert np.array_equal(games.turns, again.turns)
    assert set(np.unique(games.points)) == {-3, -2, -1, 1, 2, 3}
    # The player who wins moved last: he rolled first if the number of rolls is odd.
    assert np.array_equal(games.points > 0, games.turns % 2 == 1)
    assert not np.array_equal(games.points, gammon.random_games(1_000, 6).points)
    # The first games of a longer run are the games of a shorter one.
    assert np.array_equal(gammon.random_games(100, 5).turns, games.turns[:100])
    assert len(gammon.random_games(0, 1).points) == 0


def test_features_of_known_positions() -> None:
    position = Position.from_points(
        {24: 2, 8: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 1, "bar": 1}, {6: 5, 2: 2, 10: 1}
    )
    found = gammon.features(np.stack([position.board, Position.start().board]))
    assert found.pips.tolist() == [list(position.pip_count), [167, 167]]
    assert found.bar.tolist() == [[1, 0], [0, 0]]
    assert found.off.tolist() == [[2, 7], [0, 0]]
    assert found.blots.tolist() == [[2, 1], [0, 0]]
    assert found.blot_set[0].tolist() == [1 << 8 | 1 << 2, 1 << 10]
    assert found.points.tolist() == [[5, 2], [4, 4]]
    assert found.point_set[1].tolist() == [1 << 24 | 1 << 13 | 1 << 8 | 1 << 6] * 2
    assert found.home_points.tolist() == [[4, 2], [1, 1]]
    assert found.anchors.tolist() == [[1, 0], [1, 1]]
    assert found.prime.tolist() == [[4, 1], [1, 1]]
    assert found.crunched.dtype == np.bool_
    assert [gammon.PHASES[number] for number in found.phase] == ["contact", "contact"]


def test_shots_at_a_blot_five_away() -> None:
    # Any 5 (11 rolls), and 41, 32 both ways: 15 of 36.
    position = Position.from_points({6: 2}, {24: 1, 1: 2})
    points, any_blot = gammon.shots(position.board[None])
    assert points.shape == (1, 2, 24)
    assert any_blot.tolist() == [[0, 15]]
    assert points[0, 1, 23] == 15
    assert points.sum() == 15


def test_features_for_any_thread_count(pairs: tuple[Boards, Boards]) -> None:
    boards = np.tile(pairs[0], (15, 1, 1))
    one, three = (gammon.features(boards, threads=threads) for threads in (1, 3))
    names = [name for name in dir(one) if isinstance(getattr(one, name), np.ndarray)]
    assert len(names) == 12
    for name in names:
        assert np.array_equal(getattr(one, name), getattr(three, name))
        assert len(getattr(one, name)) == len(boards)
    pairs_of_shots = [gammon.shots(boards[:1500], threads=threads) for threads in (1, 2)]
    assert np.array_equal(pairs_of_shots[0][0], pairs_of_shots[1][0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gammon.perft(Position.start(), -1), ["depth", "0 to 8", "-1"]),
        (lambda: gammon.perft(Position.start(), 1, threads=0), ["threads", "1 to 1024", "0"]),
        (lambda: gammon.perft(Position.start(), 1, threads=-2), ["threads", "-2"]),
        (lambda: gammon.perft(Position.start(), 1, threads=10**30), ["threads", str(10**30)]),
        (lambda: gammon.random_games(-1, 1), ["n must be", "-1"]),
        (lambda: gammon.random_games(1, -1), ["seed", "-1"]),
        (lambda: gammon.random_games(1, 2**64), ["seed", str(2**64)]),
    ],
)
def test_options_outside_their_range(call: object, words: list[str]) -> None:
    assert callable(call)
    with pytest.raises(SettingError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_options_of_the_wrong_type() -> None:
    for value in (1.5, "2", True, [1]):
        with pytest.raises(TypeError, match="threads must be a whole number"):
            gammon.perft(Position.start(), 1, threads=value)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gammon.perft(Position.start(), 1, True)  # type: ignore[call-arg]


def test_threads_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMMON_THREADS", "3")
    assert gammon.thread_count() == 3
    assert gammon.thread_count(2) == 2
    monkeypatch.setenv("GAMMON_THREADS", "")
    assert gammon.thread_count() >= 1
    for value in ("0", "-1", "many", "2.5"):
        monkeypatch.setenv("GAMMON_THREADS", value)
        with pytest.raises(SettingError, match="GAMMON_THREADS must be from 1 to 1024"):
            gammon.thread_count()
