"""Evaluators: the packaged net, nets from files, and a user's own objects."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import gammon
from gammon import Net, Position, evaluators, rollout
from gammon.errors import ArrayError, EvaluatorError, NetFormatError

Chances = npt.NDArray[np.float32]
Boards = npt.NDArray[np.uint8]


@pytest.fixture(scope="module")
def boards() -> Boards:
    positions = [Position.random(gammon.PHASES[seed % 5], seed) for seed in range(300)]
    return np.stack([position.board for position in positions])


@pytest.fixture(scope="module")
def unfinished() -> Boards:
    positions = [Position.random(gammon.PHASES[1 + seed % 4], seed) for seed in range(300)]
    return np.stack([position.board for position in positions])


class Own:
    """An evaluator whose answer a test chooses."""

    id = "own"

    def __init__(self, answer: Callable[[Boards], object]) -> None:
        self.answer = answer

    def evaluate(self, boards: Boards, /) -> Chances:
        return self.answer(boards)  # type: ignore[return-value]


def even(boards: Boards) -> Chances:
    return np.tile(np.array([0.5, 0.1, 0.0, 0.2, 0.05], np.float32), (len(boards), 1))


def test_chances_are_chances(boards: Boards) -> None:
    chances = gammon.evaluate(boards)
    assert chances.dtype == np.float32
    assert chances.shape == (300, 5)
    win, gammons, backgammons, lost_gammons, lost_backgammons = chances.T.astype(float)
    assert np.isfinite(chances).all()
    assert (chances >= 0).all()
    assert (chances <= 1).all()
    assert (gammons <= win + 1e-6).all()
    assert (backgammons <= gammons + 1e-6).all()
    assert (lost_gammons <= 1 - win + 1e-6).all()
    assert (lost_backgammons <= lost_gammons + 1e-6).all()


def test_the_packaged_net_knows_who_is_ahead() -> None:
    ahead = Position.from_points({6: 3, 5: 2}, {6: 8, 5: 7})
    behind = Position.from_points({6: 8, 5: 7}, {6: 3, 5: 2})
    chances = gammon.evaluate(np.stack([ahead.board, behind.board, Position.start().board]))
    assert chances[0, 0] > 0.97
    assert chances[1, 0] < 0.03
    # Known to a percent from rollouts of strong programs: the player on roll wins 52.5 %, 14-15 % gammons.
    assert chances[2, 0] == pytest.approx(0.525, abs=0.03)


def test_finished_games_are_certain() -> None:
    single = Position.from_points({}, {6: 3})
    gammon_won = Position.from_points({}, {6: 15})
    backgammon_lost = Position.from_points({24: 15}, {})
    chances = gammon.evaluate(np.stack([single.board, gammon_won.board, backgammon_lost.board]))
    assert chances.tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1]]


def test_any_thread_count_and_any_batch_gives_the_same_bits(boards: Boards) -> None:
    many = np.tile(boards, (20, 1, 1))
    one = gammon.evaluate(many, threads=1)
    for threads in (2, 3):
        assert np.array_equal(gammon.evaluate(many, threads=threads), one)
    singly = np.concatenate([gammon.evaluate(board[None]) for board in boards])
    assert np.array_equal(singly, one[: len(boards)])
    assert gammon.evaluate(boards[:0]).shape == (0, 5)


def test_a_net_is_its_bytes(small_net: Net, boards: Boards, tmp_path: Path) -> None:
    path = tmp_path / "small.net"
    path.write_bytes(small_net.to_bytes())
    read = evaluators.load(path)
    assert read == small_net
    assert hash(read) == hash(small_net)
    assert read != evaluators.default()
    assert np.array_equal(read.evaluate(boards), small_net.evaluate(boards))
    assert np.array_equal(read.evaluate(boards), gammon.evaluate(boards, read))
    assert (read.hidden, read.seed) == (64, 5)
    assert "games = 300" in read.recipe
    assert isinstance(read, evaluators.Evaluator)


def test_damaged_nets_are_refused(small_net: Net) -> None:
    data = small_net.to_bytes()
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 1
    for bad in (b"", b"not a net", data[:100], data[:-1], data + b"x", bytes(damaged)):
        with pytest.raises(NetFormatError, match="unusable net file"):
            Net(bad)
    with pytest.raises(FileNotFoundError):
        evaluators.load("no/such.net")


def test_an_evaluator_of_ones_own(unfinished: Boards) -> None:
    seen: list[tuple[int, ...]] = []

    def answer(batch: Boards) -> Chances:
        seen.append(batch.shape)
        return even(batch)

    chances = gammon.evaluate(unfinished, Own(answer))
    assert np.array_equal(chances, even(unfinished))
    assert seen == [(300, 2, 25)]
    assert isinstance(Own(even), evaluators.Evaluator)


def test_an_evaluator_is_not_asked_about_finished_games(boards: Boards) -> None:
    def answer(batch: Boards) -> Chances:
        assert np.all(batch.any(axis=2))
        return even(batch)

    chances = gammon.evaluate(boards, Own(answer))
    over = (boards == 0).all(axis=2).any(axis=1)
    assert 0 < over.sum() < len(boards)
    assert np.array_equal(chances[over], gammon.evaluate(boards[over]))
    assert np.array_equal(chances[~over], even(boards[~over]))
    end = Position.from_points({6: 2, 5: 1}, {1: 1})
    found = rollout.run(end, rollout.Settings(trials=100), evaluator=Own(answer))
    assert found.part.unfinished() == 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda boards: None, "must return a numpy array of dtype float32"),
        (lambda boards: even(boards).astype(np.float64), "dtype float32"),
        (lambda boards: even(boards)[:-1], r"shape \(300, 5\)"),
        (lambda boards: even(boards)[:, :4], r"shape \(300, 5\)"),
        (lambda boards: even(boards) * np.float32(np.nan), "result 0: chances must be finite"),
        (lambda boards: even(boards) + np.float32(np.inf), "must be finite"),
        (lambda boards: even(boards) * 3, "must be from 0 to 1"),
        (lambda boards: -even(boards), "must be from 0 to 1"),
        (lambda boards: even(boards)[:, [1, 0, 2, 3, 4]], "gammons won must be among games won"),
        (lambda boards: even(boards)[:, [0, 1, 2, 4, 3]], "backgammons among gammons"),
        (lambda boards: np.where(np.arange(300)[:, None] == 7, np.float32(2), even(boards)), "result 7"),
    ],
)
def test_useless_answers_are_refused(
    unfinished: Boards, answer: Callable[[Boards], object], words: str
) -> None:
    with pytest.raises(EvaluatorError, match=f"evaluator own: .*{words}"):
        gammon.evaluate(unfinished, Own(answer))


def test_an_evaluators_exception_comes_out_as_it_is(boards: Boards) -> None:
    mine = KeyError("as it is")

    def fail(batch: Boards) -> Chances:
        raise mine

    with pytest.raises(KeyError) as caught:
        gammon.evaluate(boards, Own(fail))
    assert caught.value is mine


def test_an_evaluator_that_failed_is_not_asked_again(boards: Boards) -> None:
    calls = 0

    def fail(batch: Boards) -> Chances:
        nonlocal calls
        calls += 1
        raise KeyError("as it is")

    many = np.resize(boards, (5 * 65_536, 2, 25))
    for threads in (1, 3):
        calls = 0
        with pytest.raises(KeyError):
            gammon.evaluate(many, Own(fail), threads=threads)
        assert calls == 1


def test_an_evaluator_is_asked_by_one_thread_at_a_time(boards: Boards) -> None:
    inside, most, threads_seen = 0, 0, set()

    def slow(batch: Boards) -> Chances:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        threads_seen.add(threading.get_ident())
        time.sleep(0.002)  # where another thread would come in
        inside -= 1
        # Whatever it uses of gammon may itself use several threads.
        return gammon.evaluate(batch, net, threads=2)

    net = evaluators.strong()
    many = np.resize(boards, (3 * 65_536, 2, 25))
    assert np.array_equal(gammon.evaluate(many, Own(slow), threads=3), gammon.evaluate(many, net))
    settings = rollout.Settings(trials=300)
    found = rollout.run("start", settings, evaluator=Own(slow), threads=3)
    expected = rollout.run("start", settings, evaluator=net, threads=1)
    assert (found.part.chances, found.part.outcomes()) == (expected.part.chances, expected.part.outcomes())
    assert most == 1
    assert len(threads_seen) > 1


@pytest.mark.parametrize("thing", [3, "net", object(), Position.start()])
def test_what_is_no_evaluator(boards: Boards, thing: object) -> None:
    with pytest.raises(TypeError, match="an evaluator is a Net, or an object with"):
        gammon.evaluate(boards, thing)  # type: ignore[arg-type]


def test_bad_boards_are_refused() -> None:
    with pytest.raises(ArrayError):
        gammon.evaluate(np.zeros((3, 2, 25)))  # type: ignore[arg-type]


def test_a_net_is_saved_and_loaded(small_net: Net, tmp_path: Path) -> None:
    path = tmp_path / "x.net"
    path.write_bytes(b"old")
    small_net.save(path)
    small_net.save(str(path))
    assert evaluators.load(path) == small_net
    assert [file.name for file in tmp_path.iterdir()] == ["x.net"]
    with pytest.raises(FileNotFoundError, match="nowhere"):
        small_net.save(tmp_path / "nowhere" / "x.net")
