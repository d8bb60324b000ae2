"""Training data and fits: made, read, written, interrupted and taken up again without a trace."""

import _thread
import base64
import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Net, evaluators, training
from gammon._typing import Boards, Chances
from gammon.errors import (
    ArrayError,
    CheckpointError,
    DataFormatError,
    DivergedError,
    EvaluatorError,
    IllegalPositionError,
    SettingError,
)
from gammon.training import Fit, FitReport, TrainingData

GAMES: dict[str, Any] = {"games": 30, "keep": 0.2, "seed": 7}
FIT: dict[str, Any] = {"hidden": 64, "features": "core", "batch": 32, "epochs": 3, "warm_up": 10}


@pytest.fixture(scope="module")
def data(small_net: Net, tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    path = tmp_path_factory.mktemp("data") / "few.data"
    made = training.label(path, strong=small_net, **GAMES)
    found = training.read_data(path)
    assert made == (30, len(found), True)
    return found


def test_labels_are_the_values_one_ply_ahead(small_net: Net, tmp_path: Path) -> None:
    path = tmp_path / "wide.data"
    training.label(path, strong=small_net, **GAMES, width=1000, margin=1.0)
    found = training.read_data(path)
    boards, chances = found.boards, found.chances
    assert (boards.dtype, boards.shape[1:]) == (np.dtype(np.uint8), (2, 25))
    assert (chances.dtype, chances.shape) == (np.dtype(np.float32), (len(boards), 5))
    phases = np.array(gammon.PHASES)[gammon.features(boards).phase]
    ahead = np.isin(phases, ("contact", "crashed"))
    assert 100 < ahead.sum() < len(boards)
    expected = np.where(
        ahead[:, None],
        gammon.evaluate(boards, small_net, plies=1),
        gammon.evaluate(boards, small_net),
    )
    assert np.abs(chances - expected).max() < 1e-5 + 1 / 65_535


def test_races_are_asked_of_the_tables(small_net: Net, tmp_path: Path) -> None:
    path = tmp_path / "tables.data"
    training.label(path, strong=evaluators.composite(contact=small_net), quick=small_net, **GAMES)
    found = training.read_data(path)
    race = np.isin(np.array(gammon.PHASES)[gammon.features(found.boards).phase], ("race", "bearoff"))
    assert race.sum() > 20
    exact = gammon.bearoff.race().evaluate(found.boards[race])
    assert np.abs(found.chances[race] - exact).max() <= 1 / 65_535
    assert 'quick = "' + small_net.id in found.recipe
    assert "race+bearoff: " in found.recipe


def test_the_same_bytes_on_any_number_of_threads_and_after_interruptions(
    small_net: Net, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{threads}.data" for threads in (1, 2, 3)]
    for threads, path in enumerate(paths, start=1):
        training.label(path, strong=small_net, threads=threads, **GAMES)
    whole = paths[0].read_bytes()
    assert all(path.read_bytes() == whole for path in paths)

    class Slow:
        id = small_net.id

        def evaluate(self, boards: Boards) -> Chances:
            time.sleep(0.001)
            return small_net.evaluate(boards, threads=1)

    broken = tmp_path / "broken.data"
    first = training.label(broken, strong=Slow(), progress=lambda games: games < 5, **GAMES)
    assert 5 <= first.games < 30
    assert not first.complete
    assert sorted(path.name for path in tmp_path.glob("broken*")) == ["broken.data", "broken.data.part"]
    assert len(training.read_data(broken)) == 0
    second = training.label(broken, strong=small_net, **GAMES)
    assert second.complete
    assert broken.read_bytes() == whole
    assert not list(tmp_path.glob("*.part"))
    # Nothing is left to do, and nothing done.
    assert training.label(broken, strong=small_net, **GAMES) == second
    assert broken.read_bytes() == whole


def test_a_file_is_continued_by_its_own_settings_only(small_net: Net, tmp_path: Path) -> None:
    path = tmp_path / "x.data"
    training.label(path, strong=small_net, **GAMES)
    made = path.read_bytes()
    with pytest.raises(SettingError, match=r"x\.data: .*it has `keep = 0\.2`, asked for is `keep = 0\.3`"):
        training.label(path, strong=small_net, **{**GAMES, "keep": 0.3})
    with pytest.raises(SettingError, match="it has `strong = "):
        training.label(path, quick=small_net, **GAMES)
    assert path.read_bytes() == made
    letter = tmp_path / "letter.txt"
    letter.write_text("dear all,")
    with pytest.raises(DataFormatError, match=r"letter\.txt: .*does not begin with the mark"):
        training.label(letter, strong=small_net, **GAMES)
    assert letter.read_text() == "dear all,"
    with pytest.raises(OSError, match="No such file"):
        training.label(tmp_path / "no" / "such" / "x.data", strong=small_net, **GAMES)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"games": 0}, "games is 0, allowed is 1 to"),
        ({"plies": 4}, "plies is 4"),
        ({"keep": float("nan")}, "keep is NaN"),
        ({"noise": 2}, "noise is 2"),
        ({"gaems": 5}, "no setting is called .gaems"),
        ({"width": "wide"}, "width: .*wide"),
    ],
)
def test_impossible_settings_are_named(small_net: Net, tmp_path: Path, settings: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        training.label(tmp_path / "x.data", strong=small_net, **settings)
    assert not (tmp_path / "x.data").exists()


def test_all_settings_are_shown() -> None:
    shown = training.label_settings("games = 1_000 # few\n")
    assert "games = 1000\n" in shown
    assert "plies = 1\n" in shown
    assert training.label_settings(shown) == shown


def test_an_evaluator_of_ones_own_is_asked_by_one_thread_at_a_time(small_net: Net, tmp_path: Path) -> None:
    class Own:
        id = "own"
        inside = 0
        over = 0

        def evaluate(self, boards: Boards) -> Chances:
            self.inside += 1
            assert self.inside == 1
            self.over += int((gammon.features(boards).phase == gammon.PHASES.index("over")).sum())
            chances = small_net.evaluate(boards, threads=1)
            self.inside -= 1
            return chances

    own = Own()
    both = evaluators.composite(contact=own, race=small_net)
    training.label(tmp_path / "own.data", strong=both, quick=own, threads=3, games=4)
    assert own.over == 0
    nets = evaluators.composite(contact=small_net, race=small_net)
    training.label(tmp_path / "net.data", strong=nets, quick=small_net, games=4)
    found, expected = (training.read_data(tmp_path / name) for name in ("own.data", "net.data"))
    assert (found.chances == expected.chances).all()


def test_bad_answers_and_exceptions_of_an_evaluator_come_out(small_net: Net, tmp_path: Path) -> None:
    class Bad:
        id = "bad"
        asked = 0

        def __init__(self, answer: Callable[[Boards], Chances]) -> None:
            self.answer = answer

        def evaluate(self, boards: Boards) -> Chances:
            self.asked += 1
            return self.answer(boards) if self.asked > 50 else small_net.evaluate(boards, threads=1)

    def nothing(boards: Boards) -> Chances:
        return np.full((len(boards), 5), np.nan, np.float32)

    def worse(boards: Boards) -> Chances:
        raise LookupError("no idea")

    path = tmp_path / "x.data"
    for role in ("strong", "quick"):

        def label(bad: Bad, role: str = role) -> None:
            strong, quick = (bad, small_net) if role == "strong" else (small_net, bad)
            training.label(path, strong=strong, quick=quick, threads=2, games=20)

        with pytest.raises(EvaluatorError, match=r"bad.*must be finite"):
            label(Bad(nothing))
        path.unlink()
        with pytest.raises(LookupError, match="no idea"):
            label(Bad(worse))
        path.unlink()
        path.with_name("x.data.part").unlink(missing_ok=True)


def test_ctrl_c_is_answered_within_a_game(small_net: Net, tmp_path: Path) -> None:
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.monotonic()
        _thread.interrupt_main()

    timer = threading.Timer(0.3, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        training.label(tmp_path / "x.data", strong=small_net, plies=3, keep=1.0, games=1_000, threads=2)
    assert time.monotonic() - pressed < 1.0  # 0.2 s where the machine is idle


def test_data_of_ones_own(data: TrainingData, tmp_path: Path) -> None:
    path = tmp_path / "own.data"
    boards, chances = data.boards, data.chances
    training.write_data(path, boards, chances, recipe="rollouts\n", games=30)
    found = training.read_data(path)
    assert (found.recipe, found.games, len(found)) == ("rollouts\n", 30, len(data))
    assert (found.boards == boards).all()
    assert (found.chances == chances).all()
    assert repr(found) == f"<TrainingData, {len(data)} positions of 30 games>"
    assert pickle.loads(pickle.dumps(found)) == found
    assert found != data
    assert found == TrainingData(boards, chances, recipe="rollouts\n", games=30)
    with pytest.raises(TypeError):
        hash(found)
    training.write_data(path, boards[::2][:3], chances[::2][:3])
    assert (training.read_data(path).boards == boards[:6:2]).all()
    empty = TrainingData(boards[:0], chances[:0])
    assert (len(empty), empty.boards.shape, empty.chances.shape) == (0, (0, 2, 25), (0, 5))


def test_what_is_no_data_is_refused(data: TrainingData, tmp_path: Path) -> None:
    boards, chances = data.boards, data.chances
    over = boards.copy()
    over[3, 0] = 0

    def with_row(*row: float) -> Chances:
        changed = chances.copy()
        changed[2] = row
        return changed

    cases: list[tuple[type[Exception], str, Any, Any, dict[str, Any]]] = [
        (ArrayError, "chances: expected .* rows, one a board", boards, chances[1:], {}),
        (ArrayError, "expected dtype float32", boards, chances.astype(float), {}),
        (ArrayError, "expected dtype uint8", boards.astype(int), chances, {}),
        (ArrayError, r"chances\[2\]: chances must be finite", boards, with_row(np.nan, 0, 0, 0, 0), {}),
        (ArrayError, r"chances\[2\]: .*from 0 to 1", boards, with_row(1.5, 0, 0, 0, 0), {}),
        (ArrayError, r"chances\[2\]: gammons won", boards, with_row(0.2, 0.3, 0, 0, 0), {}),
        (ArrayError, r"chances\[2\]: gammons lost", boards, with_row(0.9, 0, 0, 0.3, 0), {}),
        (IllegalPositionError, r"boards\[3\] is a finished game", over, chances, {}),
        (SettingError, "games must be at least 0", boards, chances, {"games": -1}),
        (SettingError, "65537 bytes", boards, chances, {"recipe": "x" * 65_537}),
    ]
    for error, words, b, c, options in cases:
        with pytest.raises(error, match=words):
            training.write_data(tmp_path / "x.data", b, c, **options)
    assert not (tmp_path / "x.data").exists()


def test_damaged_files_are_named(data: TrainingData, tmp_path: Path) -> None:
    path = tmp_path / "x.data"
    data.write(path)
    good = path.read_bytes()
    head = 16 + len(data.recipe.encode())
    for place, words in (
        (0, "does not begin with the mark"),
        (8, "format version"),
        (head + 100, "part 0 is damaged"),
        (head + 12, "part 0 is damaged"),
        (len(good) - 1, "part 0 is damaged"),
    ):
        bent = bytearray(good)
        bent[place] ^= 0x41
        path.write_bytes(bent)
        with pytest.raises(DataFormatError, match=rf"x\.data: unusable training data: .*{words}"):
            training.read_data(path)
    with pytest.raises(FileNotFoundError):
        training.read_data(tmp_path / "nothing.data")
    # Cut short it is good up to the last part that is whole.
    path.write_bytes(good[:-1])
    assert len(training.read_data(path)) == 0


def test_fitting_reduces_the_error(data: TrainingData) -> None:
    reports: list[FitReport] = []
    net = training.fit(data, report=reports.append, **{**FIT, "epochs": 12, "hold_out": 5})
    assert net.features == "core"
    assert net.hidden == 64
    assert f"# {len(data)} positions of\n{data.recipe}" in net.recipe
    assert 20 < len(reports) <= 40
    assert reports[-1].updates == reports[-1].updates_wanted
    losses = [report.loss for report in reports]
    assert sum(losses[-5:]) < sum(losses[:5])
    errors = [(report.rms_error, report.mean_error) for report in reports]
    measured = [(rms, mean) for rms, mean in errors if rms is not None and mean is not None]
    assert len(measured) == len(reports)
    assert measured[-1][1] < 0.8 * measured[0][1]
    assert all(rms >= mean > 0 for rms, mean in measured)
    assert all(report.loss > 0 for report in reports)
    assert pickle.loads(pickle.dumps(reports[0])) == reports[0]
    assert eval(repr(reports[0]), {"FitReport": FitReport}) == reports[0]


def test_an_interrupted_fit_ends_like_an_unbroken_one(data: TrainingData, tmp_path: Path) -> None:
    path = tmp_path / "fit.checkpoint"
    whole = training.fit(data, **FIT)
    assert training.fit([data], **FIT) == whole
    broken = Fit(training.settings_text(**FIT))
    assert not broken.run([data], report=lambda told: told.updates < 10, report_every=5, save=path)
    wanted = broken.updates_wanted(len(data))
    assert 10 <= broken.updates < wanted
    assert repr(broken) == f"<Fit, {broken.updates} updates>"
    with pytest.raises(SettingError, match=r"epochs is 4, but the fit in .* was begun with 3"):
        training.fit(data, checkpoint=path, **{**FIT, "epochs": 4})
    half = TrainingData(data.boards[1:], data.chances[1:])
    with pytest.raises(SettingError, match="only be continued with the data it began with"):
        training.fit(half, checkpoint=path, **FIT)
    continued = training.fit(data, checkpoint=path, **FIT)
    assert continued == whole
    assert Fit.from_checkpoint(path.read_bytes()).updates == wanted
    # Nothing is left to do.
    assert training.fit(data, checkpoint=path) == whole


def test_data_are_one_after_another(data: TrainingData, tmp_path: Path) -> None:
    boards, chances = data.boards, data.chances
    training.write_data(tmp_path / "one.data", boards[:40], chances[:40])
    net = training.fit([tmp_path / "one.data", TrainingData(boards[40:], chances[40:])], **FIT)
    whole = training.fit(TrainingData(boards, chances), **FIT)
    assert (net.evaluate(boards) == whole.evaluate(boards)).all()
    assert net != whole  # their recipes differ


def test_a_fit_begins_where_another_ended(data: TrainingData, tmp_path: Path) -> None:
    path = tmp_path / "first.checkpoint"
    first = training.fit(data, checkpoint=path, **FIT)
    again = training.fit(data, after=path, **{**FIT, "rate_first": 0.0, "rate_last": 0.0})
    boards = data.boards
    assert (again.evaluate(boards) == first.evaluate(boards)).all()
    with pytest.raises(SettingError, match="features is full, allowed is core"):
        training.fit(data, after=path, **{**FIT, "features": "full"})
    with pytest.raises(SettingError, match="hidden is 128, allowed is 64"):
        training.fit(data, after=Fit.from_checkpoint(path.read_bytes()), **{**FIT, "hidden": 128})
    (tmp_path / "other").write_bytes(training.Training("hidden = 64").checkpoint())
    with pytest.raises(CheckpointError, match=r"other: .*mark"):
        training.fit(data, after=tmp_path / "other", **FIT)
    # One that is taken up goes on as it was begun, but what it is to begin with has to be usable.
    assert training.fit(data, after=path, checkpoint=path, **FIT) == first
    with pytest.raises(FileNotFoundError):
        training.fit(data, after=tmp_path / "none", checkpoint=path, **FIT)
    with pytest.raises(SettingError, match="hidden is 64, allowed is 128"):
        training.fit(data, after=Fit('hidden = 128\nfeatures = "core"'), checkpoint=path, **FIT)
    for wrong in (0, "a.checkpoint", [1]):
        with pytest.raises(TypeError, match="has to be a Fit or a sequence of them"):
            Fit("hidden = 64", after=wrong)  # type: ignore[arg-type]


def test_a_fit_begins_with_the_mean_of_others(data: TrainingData, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    still = {**FIT, "rate_first": 0.0, "rate_last": 0.0}
    nets = [training.fit(data, checkpoint=path, **{**FIT, "seed": i}) for i, path in enumerate(paths)]
    fits = [Fit.from_checkpoint(path.read_bytes()) for path in paths]
    mean = training.fit(data, after=paths, **still)
    boards = data.boards
    assert (mean.evaluate(boards) == training.fit(data, after=fits, **still).evaluate(boards)).all()
    assert not any((mean.evaluate(boards) == net.evaluate(boards)).all() for net in nets)
    twice = training.fit(data, after=[fits[0], fits[0]], **still)
    assert (twice.evaluate(boards) == nets[0].evaluate(boards)).all()
    wide = Fit('hidden = 128\nfeatures = "core"')
    with pytest.raises(SettingError, match="hidden is 64, allowed is 128"):
        training.fit(data, after=[paths[0], wide], **still)


def test_equity_in_the_loss(data: TrainingData, tmp_path: Path) -> None:
    plain, path = training.fit(data, **FIT), tmp_path / "fit.checkpoint"
    told: list[FitReport] = []
    net = training.fit(data, checkpoint=path, report=told.append, **FIT, equity=0.5)
    assert net.id != plain.id
    assert "equity = 0.5" in net.recipe
    assert training.fit(data, **FIT, equity=0.0).id == plain.id, "it is left out while it is 0"
    assert training.fit(data, checkpoint=path, **FIT, equity=0.5).id == net.id
    for other, begun in ((0.0, "0.5"), (0.6, "0.5")):
        with pytest.raises(
            SettingError, match=f"equity is {other:g}, but the fit in .* was begun with {begun}"
        ):
            training.fit(data, checkpoint=path, **FIT, equity=other)
    without = tmp_path / "without.checkpoint"
    training.fit(data, checkpoint=without, **FIT)
    assert training.fit(data, checkpoint=without, **FIT, equity=0).id == plain.id
    with pytest.raises(SettingError, match=r"equity is 0\.5, but the fit in .* was begun with 0"):
        training.fit(data, checkpoint=without, **FIT, equity=0.5)


def test_a_fit_that_holds_nothing_out_has_no_error(data: TrainingData) -> None:
    told: list[FitReport] = []
    few = TrainingData(data.boards[:20], data.chances[:20])
    training.fit(few, report=told.append, **{**FIT, "hold_out": 100})
    assert told[-1].rms_error is None
    assert told[-1].mean_error is None
    assert eval(repr(told[-1])) == told[-1] == pickle.loads(pickle.dumps(told[-1]))


def test_impossible_fits_are_refused(data: TrainingData, tmp_path: Path) -> None:
    empty = TrainingData(data.boards[:0], data.chances[:0])
    for nothing in (empty, [], [empty, empty]):
        with pytest.raises(SettingError, match="no positions to learn from"):
            training.fit(nothing, **FIT)
    for settings, words in (
        ({"features": "best"}, "features: .*best"),
        ({"hidden": 65}, "hidden is 65"),
        ({"hold_out": 1}, "hold_out is 1"),
        ({"rate_last": float("nan")}, "rate_last is NaN"),
    ):
        with pytest.raises(SettingError, match=words):
            training.fit(data, **settings)
    with pytest.raises(OSError, match="No such file"):
        training.fit(data, checkpoint=tmp_path / "no" / "such" / "file", **FIT)
    running = Fit(training.settings_text(**FIT))

    def look(told: FitReport) -> None:
        running.net()

    with pytest.raises(RuntimeError, match="being run by another call"):
        running.run([data], report=look)


def digest(data: bytes) -> bytes:
    """What closes parts and files, as `docs/training-data.md` says."""
    words = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data) + 1, 8)]
    halves, mask = b"", 2**64 - 1
    for multiplier in (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03):
        state = multiplier ^ len(data)
        for word in words:
            state = ((state ^ word) * multiplier) & mask
            state ^= state >> 29
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            state = ((state ^ state >> shift) * factor) & mask
        halves += (state ^ state >> 31).to_bytes(8, "little")
    return halves


def test_a_file_made_by_its_description_is_read(tmp_path: Path) -> None:
    recipe = b"by hand"
    data = b"GAMMPOS\n" + (1).to_bytes(4, "little") + len(recipe).to_bytes(4, "little") + recipe
    positions = [gammon.Position.start(), gammon.Position.start().play("8/5 6/5", "31").after]
    for number, position in enumerate(positions):
        part = number.to_bytes(8, "little") + (1).to_bytes(4, "little") + (1).to_bytes(4, "little")
        part += base64.b64decode(position.id + "==")
        part += b"".join(chance.to_bytes(2, "little") for chance in (32_768, 8_000, 500, 9_000, 0))
        data += part + digest(part)
    path = tmp_path / "own.data"
    path.write_bytes(data)
    found = training.read_data(path)
    assert (found.recipe, found.games, len(found)) == ("by hand", 2, 2)
    assert (found.boards == np.stack([position.board for position in positions])).all()
    assert (found.chances[1] == np.array([32_768, 8_000, 500, 9_000, 0], np.float32) / 65_535).all()


def test_a_fit_that_diverges_is_an_error_and_spoils_no_file(data: TrainingData, tmp_path: Path) -> None:
    path = tmp_path / "x.checkpoint"
    fit = Fit(training.settings_text(**{**FIT, "rate_first": 1.0, "rate_last": 1.0, "warm_up": 0}))
    good = fit.checkpoint()
    # The weights into the second layer, as large as a net's may be: some step will be up.
    start = 32 + len(fit.settings)
    rows = (len(good) - start - 36) // (4 * 4 * 64 + 8)
    behind = 12 + 12 * 5 + 12
    weights = np.frombuffer(good[start : start + 4 * 64 * rows], np.float32).reshape(rows, 64).copy()
    weights[rows - behind - 12 * 32 : rows - behind] = 1e6
    forged = good[:start] + weights.tobytes() + good[start + weights.nbytes : -16]
    fit = Fit.from_checkpoint(forged + digest(forged))
    path.write_bytes(good)
    with pytest.raises(DivergedError, match=r"no net can hold its weights.*lower learning rates"):
        fit.run([data], save=path, report_every=5)
    with pytest.raises(DivergedError):
        fit.net()
    with pytest.raises(DivergedError):
        fit.checkpoint()
    assert path.read_bytes() == good


def test_features_name_the_rows_of_each_position(data: TrainingData) -> None:
    boards = data.boards
    for name, least, most in (("core", 5, 30), ("full", 5, 64), ("plan", 5, 64)):
        rows, starts = training.features(boards, name, threads=3)  # type: ignore[arg-type]
        assert (rows.dtype, starts.dtype) == (np.dtype(np.int32), np.dtype(np.int64))
        assert len(starts) == len(boards) + 1
        assert (starts[0], starts[-1]) == (0, len(rows))
        counts = np.diff(starts)
        assert least <= counts.min() <= counts.max() <= most
        assert 0 <= rows.min() <= rows.max() < training.row_count(name)
        one, _ = training.features(boards[7:8], name)  # type: ignore[arg-type]
        assert (one == rows[starts[7] : starts[8]]).all()
    # The first 312 rows say who has how many checkers where.
    rows, starts = training.features(boards, "core")
    places = np.add.reduceat((rows < 312).astype(int), starts[:-1])
    assert (places == (boards > 0).sum(axis=(1, 2))).all()
    empty_rows, empty_starts = training.features(boards[:0])
    assert (len(empty_rows), empty_starts.tolist()) == (0, [0])


def test_features_of_nonsense_are_refused(data: TrainingData) -> None:
    with pytest.raises(SettingError, match=r"set must be one of core, full, plan, got .*most"):
        training.features(data.boards, "most")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="set must be one of"):
        training.row_count("most")
    over = data.boards[:3].copy()
    over[1, 1] = 0
    with pytest.raises(IllegalPositionError, match=r"boards\[1\] is a finished game"):
        training.features(over)
    with pytest.raises(ArrayError, match="uint8"):
        training.features(data.boards.astype(int))


def test_nets_say_what_they_see(small_net: Net) -> None:
    assert small_net.features == "core"
    assert training.train(games=20, hidden=64, features="full").features == "full"
