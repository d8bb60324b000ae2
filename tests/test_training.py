"""Training: reproducible to the byte, stopped and taken up again without a trace."""

from pathlib import Path
from typing import Any

import pytest

from gammon import training
from gammon.errors import CheckpointError, SettingError
from gammon.training import Training, TrainingReport

SETTINGS: dict[str, Any] = {"games": 400, "hidden": 64, "seed": 11}


def test_the_same_settings_give_the_same_net_on_any_number_of_threads() -> None:
    nets = [training.train(threads=threads, **SETTINGS) for threads in (1, 2, 3)]
    assert nets[0].to_bytes() == nets[1].to_bytes() == nets[2].to_bytes()
    other = training.train(**{**SETTINGS, "seed": 12})
    assert other != nets[0]


def test_an_interrupted_training_ends_like_an_unbroken_one(tmp_path: Path) -> None:
    path = tmp_path / "training.checkpoint"
    broken = Training(training.settings_text(**SETTINGS))
    done = broken.run(report=lambda told: told.games < 100, save=path)
    assert not done
    assert 0 < broken.games < 400
    assert not broken.is_done
    taken_up = Training.from_checkpoint(path.read_bytes())
    assert taken_up.games == broken.games
    assert taken_up.run()
    assert taken_up.is_done
    assert taken_up.net() == training.train(**SETTINGS)
    assert training.train(checkpoint=path) == taken_up.net()


def test_a_checkpoint_goes_on_with_its_own_settings_only(tmp_path: Path) -> None:
    path = tmp_path / "training.checkpoint"
    path.write_bytes(Training(training.settings_text(**SETTINGS)).checkpoint())
    same = training.take_up("seed = 11 # as before\ngames = 400\n", str(path))
    assert same.settings == Training(training.settings_text(**SETTINGS)).settings
    assert training.take_up("", path).games_wanted == 400
    with pytest.raises(
        SettingError, match=r"games is 500, but the training in .*checkpoint was begun with 400"
    ):
        training.train(checkpoint=str(path), **{**SETTINGS, "games": 500})
    with pytest.raises(SettingError, match="rate_first is"):
        training.take_up("rate_first = 0.1", path)
    path.write_bytes(b"nonsense")
    with pytest.raises(CheckpointError):
        training.take_up("", path)


def test_a_training_stopped_while_it_plays_knows_the_games_of_its_last_lesson() -> None:
    # After a chunk of ten games comes one that would take half an hour, of which no end is told. A single
    # thread plays no game of it before the lesson of the ten is over.
    settings = (
        "games = 1_000_000\nhidden = 64\nchunk_first = 10\nchunk_last = 100_000\nchunk_until = 0.00001\n"
    )
    one = Training(settings)
    assert not one.run(threads=1, progress=lambda games: games <= 10)
    assert one.games == 10
    assert Training.from_checkpoint(one.checkpoint()).games == 10


def test_reports_say_how_it_goes() -> None:
    reports: list[TrainingReport] = []
    training.train(report=reports.append, **SETTINGS)
    assert reports[-1].games == 400
    for report in reports:
        assert report.positions > 0
        assert report.evaluations > report.positions
        assert report.loss > 0
        assert sum(report.outcomes) == pytest.approx(1)


def test_settings_are_written_out_in_full() -> None:
    fresh = Training(training.settings_text(games=1_000, hidden=64))
    assert "games = 1000" in fresh.settings
    assert Training(fresh.settings).settings == fresh.settings
    assert (fresh.games, fresh.games_wanted, fresh.is_done) == (0, 1_000, False)
    assert repr(fresh) == "<Training, 0 of 1000 games>"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("games = 0", "games"),
        ("games = many", "games.*many"),
        ("hidden = 65", "hidden.*65"),
        ("rate_first = nan", "rate_first"),
        ("lambda_last = 2", "lambda_last"),
        ("gamez = 5", "line 1.*gamez"),
        ("\nnonsense", "line 2"),
    ],
)
def test_impossible_settings_are_named(settings: str, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        Training(settings)


def test_damaged_checkpoints_are_refused() -> None:
    data = Training("hidden = 64").checkpoint()
    for bad in (b"", b"nonsense", data[:50], data[:-1], data + b"x"):
        with pytest.raises(CheckpointError, match="unusable checkpoint"):
            Training.from_checkpoint(bad)


def test_a_training_is_run_by_one_call_at_a_time() -> None:
    running = Training(training.settings_text(games=10_000, hidden=64))

    def look(games: int) -> None:
        running.net()

    with pytest.raises(RuntimeError, match="being run by another call"):
        running.run(progress=look)
    with pytest.raises(OSError, match="No such file"):
        Training("games = 50\nhidden = 64").run(save="no/such/folder/x")
