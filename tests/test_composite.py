"""One evaluator made of several: who answers what, and that nothing but who answers depends on it."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import numpy.typing as npt
import pytest

import gammon
from gammon import Net, Position, bearoff, evaluators, rollout
from gammon.errors import ArrayError, EvaluatorError, IllegalPositionError, SettingError

Chances = npt.NDArray[np.float32]
Boards = npt.NDArray[np.uint8]


class Own:
    """Answers a constant, and remembers how many positions it was asked about."""

    def __init__(self, win: float, id: str = "own") -> None:
        self.id = id
        self.win = win
        self.asked: list[int] = []

    def evaluate(self, boards: Boards, /) -> Chances:
        self.asked.append(len(boards))
        chances = np.zeros((len(boards), 5), np.float32)
        chances[:, 0] = self.win
        return chances


@pytest.fixture(scope="module")
def boards() -> Boards:
    positions = [Position.random(gammon.PHASES[seed % 5], seed) for seed in range(400)]
    return np.stack([position.board for position in positions])


@pytest.fixture(scope="module")
def race() -> bearoff.Race:
    return bearoff.Race(bearoff.OneSided.build(), bearoff.TwoSided.build(storage="f32"))


@pytest.fixture(scope="module")
def both(race: bearoff.Race) -> evaluators.Composite:
    return evaluators.composite(race=race)


def phases(boards: Boards) -> list[str]:
    return [gammon.PHASES[number] for number in gammon.features(boards).phase]


def test_each_kind_of_position_has_its_evaluator(boards: Boards) -> None:
    parts = {
        "contact": Own(0.1),
        "crashed": Own(0.2),
        "race": Own(0.3),
        "bearoff": Own(0.4),
    }
    found = evaluators.composite(**parts).evaluate(boards)
    for phase, chances in zip(phases(boards), found, strict=True):
        if phase == "over":
            assert chances[0] in (0, 1)
        else:
            assert chances[0] == np.float32(parts[phase].win)
    for phase, part in parts.items():
        assert part.asked == [phases(boards).count(phase)]


def test_one_that_answers_several_kinds_is_asked_once(boards: Boards) -> None:
    contact, race = Own(0.1, "a"), Own(0.2, "b")
    two = evaluators.composite(contact=contact, race=race)
    assert two.id == "composite(contact+crashed: a, race+bearoff: b)"
    assert (two.contact, two.crashed, two.race, two.bearoff) == (contact, contact, race, race)
    assert isinstance(two, evaluators.Evaluator)
    gammon.evaluate(boards, two)
    assert (len(contact.asked), len(race.asked)) == (1, 1)


def test_the_net_and_the_tables(boards: Boards, race: bearoff.Race, both: evaluators.Composite) -> None:
    found = gammon.evaluate(boards, both)
    net = evaluators.strong()
    for phase, board, chances in zip(phases(boards), boards, found, strict=True):
        alone = net if phase in ("contact", "crashed") else race
        assert np.array_equal(alone.evaluate(board[None])[0], chances), phase
    assert both.id == f"composite(contact+crashed: {net.id}, race+bearoff: {race.id})"


def test_order_batches_and_threads_change_no_bit(boards: Boards, both: evaluators.Composite) -> None:
    many = np.tile(boards, (15, 1, 1))
    expected = both.evaluate(many, threads=1)
    for threads in (2, 3):
        assert np.array_equal(both.evaluate(many, threads=threads), expected)
    order = np.random.default_rng(1).permutation(len(many))
    assert np.array_equal(both.evaluate(many[order]), expected[order])
    singly = np.concatenate([both.evaluate(board[None]) for board in boards])
    assert np.array_equal(singly, expected[: len(boards)])
    assert both.evaluate(boards[:0]).shape == (0, 5)


def test_a_race_is_rolled_out_as_by_the_tables_alone(race: bearoff.Race, both: evaluators.Composite) -> None:
    position = Position.from_points({6: 5, 5: 4, 8: 2}, {6: 5, 4: 4, 9: 1})
    settings = rollout.Settings(trials=720, seed=4)
    alone = rollout.run(position, settings, evaluator=race, threads=1)
    for threads in (1, 3):
        found = rollout.run(position, settings, evaluator=both, threads=threads)
        # Parts of different evaluators are not equal; their figures are.
        assert found.part.chances == alone.part.chances
        assert found.part.outcomes() == alone.part.outcomes()
        assert found.part.turns() == alone.part.turns()
    assert found.evaluator == both.id


def test_a_rollout_of_a_bearoff_gives_the_exact_chance(both: evaluators.Composite) -> None:
    """Plays are the table's own, so that only the dice are left to chance."""
    position = Position.from_points({6: 2, 4: 2, 2: 1}, {5: 2, 3: 2, 1: 1})
    exact = bearoff.TwoSided.build(storage="f32").probe(position)
    plain = rollout.Settings(trials=12_960, seed=2, luck="off", stop_at_exact=False)
    win, error = rollout.run(position, plain, evaluator=both).part.chances[0]
    assert 0 < error < 0.005
    assert abs(win - exact.win) < 4 * error
    # Exact numbers leave no luck in the result, and need no more than one turn.
    found = rollout.run(position, rollout.Settings(trials=36), evaluator=both)
    assert abs(found.win.mean - exact.win) < 2e-5
    assert found.win.error < 2e-5
    assert found.part.turns() == 36


def test_contact_is_rolled_out_into_the_tables(both: evaluators.Composite) -> None:
    settings = rollout.Settings(trials=72, seed=4)
    found = rollout.run(Position.start(), settings, evaluator=both, threads=1)
    assert found.part == rollout.run(Position.start(), settings, evaluator=both, threads=2).part
    # Games are broken off where the two-sided table reaches.
    assert found.part.unfinished() > 0


def test_bad_boards_are_refused(both: evaluators.Composite) -> None:
    good = Position.start().board[None]
    for bad in (good.astype(np.int64), good.astype(bool), good[0], good[:, :1], good[..., :24]):
        with pytest.raises(ArrayError, match="boards"):
            both.evaluate(bad)  # type: ignore[arg-type]
    with pytest.raises(ArrayError, match="numpy array"):
        both.evaluate(good.tolist())
    with pytest.raises(IllegalPositionError, match=r"boards\[1\]"):
        both.evaluate(np.concatenate([good, good + np.uint8(15)]))


@pytest.mark.parametrize("name", ["contact", "crashed", "race", "bearoff"])
def test_every_part_must_be_an_evaluator(name: str, race: bearoff.Race) -> None:
    parts: dict[str, object] = {"race": race, name: "net"}
    with pytest.raises(TypeError, match="an evaluator is a Net, or an object with"):
        evaluators.composite(**parts)  # type: ignore[arg-type]


def test_a_part_that_does_not_cover_its_positions(race: bearoff.Race, boards: Boards) -> None:
    with pytest.raises(EvaluatorError, match="does not cover"):
        evaluators.composite(contact=race, race=race).evaluate(boards)


def test_a_parts_useless_answer_and_exception(boards: Boards, race: bearoff.Race) -> None:
    with pytest.raises(EvaluatorError, match=r"evaluator own: .*must be from 0 to 1"):
        evaluators.composite(contact=Own(2), race=race).evaluate(boards)
    mine = KeyError("as it is")

    class Fails(Own):
        def evaluate(self, boards: Boards, /) -> Chances:
            raise mine

    inner = evaluators.composite(contact=Own(0.5), race=race, crashed=Fails(0))
    for failing in (inner, evaluators.composite(contact=inner, race=race)):
        with pytest.raises(KeyError) as caught:
            failing.evaluate(boards)
        assert caught.value is mine


def test_composites_nest_but_not_for_ever(boards: Boards, race: bearoff.Race) -> None:
    nested = flat = evaluators.composite(race=race)
    for _ in range(15):
        nested = evaluators.composite(contact=nested, race=race)
    assert np.array_equal(nested.evaluate(boards), flat.evaluate(boards))
    with pytest.raises(SettingError, match="16 deep"):
        evaluators.composite(contact=nested, race=race)


def test_the_default_goes_to_other_processes(boards: Boards) -> None:
    twin = pickle.loads(pickle.dumps(evaluators.default()))
    assert twin.id == evaluators.default().id
    assert np.array_equal(gammon.evaluate(boards, twin), gammon.evaluate(boards))


def test_a_composite_is_pickled_if_its_parts_are(small_net: Net, boards: Boards) -> None:
    nets = evaluators.composite(contact=evaluators.strong(), race=small_net)
    again = pickle.loads(pickle.dumps(nets))
    assert again.id == nets.id
    assert np.array_equal(again.evaluate(boards), nets.evaluate(boards))


def test_a_composite_in_a_circle_is_collected(race: bearoff.Race) -> None:
    contact = Own(0.5)
    contact.whole = evaluators.composite(contact=contact, race=race)  # type: ignore[attr-defined]
    gone = weakref.ref(contact)
    del contact
    gc.collect()
    assert gone() is None
