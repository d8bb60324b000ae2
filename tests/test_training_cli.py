"""Commands that train, label and fit nets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import GAMMON, run, run_json
from gammon import evaluators, training


def test_train(tmp_path: Path) -> None:
    nets = [tmp_path / name for name in ("one.net", "two.net")]
    settings = ("--games", 200, "--hidden", 64, "--seed", 4)
    assert "200 games learned from" in run("train", nets[0], *settings, "--threads", 1).stdout
    data = run_json("train", nets[1], *settings, "--threads", 2)
    assert nets[0].read_bytes() == nets[1].read_bytes()
    assert data["id"] == evaluators.load(nets[0]).id
    file = tmp_path / "settings.txt"
    file.write_text("# few games\ngames = 200\nhidden = 64\n")
    kept = nets[1].read_bytes()
    assert "--force" in run("train", nets[1], "--settings", file, "--seed", 4, code=2).stderr
    assert nets[1].read_bytes() == kept
    run("train", nets[1], "--settings", file, "--seed", 4, "--force")
    assert nets[0].read_bytes() == nets[1].read_bytes()


def test_help_names_the_settings_that_a_training_has_by_itself() -> None:
    told = " ".join(run("train", "--help").stdout.split())
    lines = (line.split(" = ") for line in training.Training().settings.splitlines())
    by_default = {name: value for name, value in lines if name in ("games", "hidden", "seed")}
    assert len(by_default) == 3
    for name, value in by_default.items():
        assert re.search(rf"--{name} [^-]*; by default {int(value):,}\.", told), told


def test_a_training_taken_up_again_keeps_its_settings(tmp_path: Path) -> None:
    kept, net = tmp_path / "kept", tmp_path / "x.net"
    settings = ("--games", 50, "--hidden", 64, "--checkpoint", kept)
    run("train", net, *settings)
    made = net.read_bytes()
    run("train", net, *settings)
    assert net.read_bytes() == made
    err = run("train", net, *settings, "--seed", 9, code=2).stderr
    assert "seed is 9, but the training in" in err
    assert net.read_bytes() == made


def test_label_and_fit(net_file: Path, tmp_path: Path) -> None:
    games, learning = tmp_path / "games.txt", tmp_path / "learning.txt"
    games.write_text("games = 20 # few\nkeep = 0.2\n")
    learning.write_text("hidden = 64\nbatch = 16\nepochs = 2\nfeatures = core\n")
    one, two, net, log = (tmp_path / name for name in ("one.data", "two.data", "x.net", "x.csv"))
    labelled = run_json("label", games, one, "--strong", net_file, "--threads", 1)
    assert labelled["complete"]
    assert labelled["games"] == labelled["games_wanted"] == 20
    assert "keep = 0.2\n" in str(labelled["settings"])
    text = run("label", games, two, "--strong", net_file, "--quick", net_file, "--threads", 2).stdout
    assert f"{labelled['positions']} positions of 20 games" in text
    assert one.read_bytes() == two.read_bytes()
    games.write_text("games = 21\nkeep = 0.2\n")
    assert "asked for is `games = 21`" in run("label", games, two, "--strong", net_file, code=2).stderr
    assert "No such file" in run("label", games, two, "--strong", tmp_path / "no.net", code=2).stderr

    kept = tmp_path / "kept"
    fitted = run("fit", learning, net, one, two, "--checkpoint", kept, "--log", log)
    assert re.search(r"error \d\.\d+, rms \d\.\d+", fitted.stderr)
    positions = 2 * training.read_data(one).__len__()
    assert f"updates on {positions} positions; wrote" in fitted.stdout
    made = evaluators.load(net)
    assert (made.hidden, made.features) == (64, "core")
    lines = log.read_text().splitlines()
    assert lines[0] == "updates,updates_wanted,seconds,loss,rms_error,mean_error,rate"
    assert lines[-1].split(",")[0] == lines[-1].split(",")[1]
    # Taken up again it is done, and writes the same; anew it replaces nothing unasked.
    assert run_json("fit", learning, net, one, two, "--checkpoint", kept, "--log", log)["id"] == made.id
    assert log.read_text().splitlines() == lines
    for place in (net, tmp_path / "other.net"):
        err = run("fit", learning, place, one, two, "--log", log, code=2).stderr
        assert "exists: say --force to replace it" in err
    assert "began with" in run("fit", learning, net, one, "--checkpoint", kept, code=2).stderr
    again = run_json(
        "fit", learning, net, one, two, "--after", kept, "--after", kept, "--force", "--log", log
    )
    assert again["complete"]
    assert again["id"] != made.id
    assert len(log.read_text().splitlines()) == len(lines)
    assert again["mean_error"] == pytest.approx(float(log.read_text().splitlines()[-1].split(",")[5]), 1e-4)


def test_unusable_training_data_are_named(net_file: Path, tmp_path: Path) -> None:
    config, data, net = tmp_path / "settings.txt", tmp_path / "x.data", tmp_path / "x.net"
    config.write_text("games = 5\n")
    run("label", config, data, "--strong", net_file)
    config.write_text("hidden = 64\n")
    bent = bytearray(data.read_bytes())
    bent[-30] ^= 1
    (tmp_path / "bent.data").write_bytes(bent)
    err = run("fit", config, net, data, tmp_path / "bent.data", code=2).stderr
    assert "bent.data: unusable training data: part 0 is damaged" in err
    (tmp_path / "empty.data").write_bytes(data.read_bytes()[: len(training.read_data(data).recipe) + 16])
    assert "no positions to learn from" in run("fit", config, net, tmp_path / "empty.data", code=2).stderr
    assert "does not begin with the mark" in run("fit", config, net, net_file, code=2).stderr
    config.write_text("features = best\n")
    assert "features: " in run("fit", config, net, data, code=2).stderr
    assert not net.exists()


def test_fit_and_train_refuse_files_that_coincide(tmp_path: Path) -> None:
    config, data, net, kept = (tmp_path / name for name in ("settings.txt", "x.data", "x.net", "kept"))
    config.write_text("hidden = 64\n")
    data.write_bytes(b"left alone")
    link = tmp_path / "link"
    link.symlink_to(data)
    roundabout = tmp_path / ".." / tmp_path.name / "x.net"
    for arguments, names in [
        ((config, data), "OUT and CONFIG"),
        ((data, data), "OUT and DATA"),
        ((link, data), "OUT and DATA"),
        ((net, data, "--log", roundabout), "OUT and --log"),
        ((net, data, "--checkpoint", roundabout), "OUT and --checkpoint"),
        ((net, data, "--log", kept, "--checkpoint", kept), "--log and --checkpoint"),
        ((net, data, "--log", data), "--log and DATA"),
        ((net, data, "--log", config), "--log and CONFIG"),
        ((net, data, "--checkpoint", link), "--checkpoint and DATA"),
        ((net, data, "--checkpoint", kept, "--after", kept), "--checkpoint and --after"),
    ]:
        err = run("fit", config, *arguments, "--force", code=2).stderr
        assert f"{names} are the same file" in err
    err = run("train", config, "--settings", config, "--force", code=2).stderr
    assert "OUT and --settings are the same file" in err
    assert "OUT and --checkpoint are" in run("train", net, "--checkpoint", roundabout, code=2).stderr
    assert data.read_bytes() == b"left alone"
    assert config.read_text() == "hidden = 64\n"
    assert not net.exists()


def test_a_checkpoint_that_cannot_be_written_is_refused_before_learning(tmp_path: Path) -> None:
    config, net, nowhere = tmp_path / "settings.txt", tmp_path / "x.net", tmp_path / "none" / "kept"
    config.write_text("hidden = 64\n")
    data = tmp_path / "x.data"  # it is not even read before that
    for command in (["fit", config, net, data], ["train", net, "--games", 10]):
        err = run(*command, "--checkpoint", nowhere, code=2).stderr
        assert "No such file" in err
        assert str(nowhere) in err
        assert not net.exists()


@pytest.mark.skipif(os.name == "nt", reason="open files have no names there")
@pytest.mark.parametrize("piped", [True, False], ids=["a pipe", "a file"])
def test_a_log_of_a_fit_that_is_no_file_is_refused_before_anything_is_read(
    piped: bool, tmp_path: Path
) -> None:
    config, out = tmp_path / "settings.txt", tmp_path / "out"
    config.write_text("hidden = 64\n")
    arguments = ["fit", "settings.txt", "x.net", "no.data", "--log", "/dev/stdout", "--force"]
    with out.open("w") as file:
        file.write("printed before, ")
        file.flush()
        to = subprocess.PIPE if piped else file
        found = subprocess.run(
            [*GAMMON, *arguments], cwd=tmp_path, stdout=to, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 2
    assert "/dev/stdout is no regular file" in found.stderr
    assert found.stderr.count("\n") == 1
    assert out.read_text() == "printed before, "
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "settings.txt"]


@pytest.mark.parametrize("command", ["label", "fit"])
def test_a_stopped_labelling_or_fit_is_kept(command: str, net_file: Path, tmp_path: Path) -> None:
    config, data, net, kept = (tmp_path / name for name in ("settings.txt", "x.data", "x.net", "kept"))
    config.write_text("games = 20\n")
    run("label", config, data, "--strong", net_file)
    config.write_text("games = 1_000_000\n" if command == "label" else "hidden = 64\nepochs = 1000\n")
    arguments = {
        "label": ["label", config, tmp_path / "more.data", "--strong", net_file],
        "fit": ["fit", config, net, data, "--checkpoint", kept],
    }[command]
    script = f"""
import contextlib, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    yield lambda: True
_progress.interruptible = stopped
sys.argv = {["gammon", *map(str, arguments)]!r}
main()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.returncode == 130, found.stderr
    assert "Stopped after" in found.stderr
    assert found.stderr.endswith("gammon: stopped\n")
    assert "run again to go on" in found.stdout
    assert not net.exists()
    assert (tmp_path / "more.data").exists() if command == "label" else kept.exists()


def test_a_net_that_cannot_be_written_is_noticed_before_the_training(tmp_path: Path) -> None:
    # With the default number of games this would take minutes.
    assert "No such file" in run("train", tmp_path / "no" / "such" / "x.net", code=2).stderr
