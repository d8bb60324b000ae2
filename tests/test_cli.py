"""The command line: what it prints, as text and as JSON, and how it refuses."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import gammon
from gammon import Net, evaluators, training

SIGNATURE = "369cade98521a469"
"""What `gammon bench` prints: another one means other results, on whatever machine. CHANGELOG.md says why."""

GAMMON = [sys.executable, "-m", "gammon"]


def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        [*GAMMON, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    assert found.returncode == code, (found.stdout, found.stderr)
    assert "Traceback" not in found.stderr
    return found


def read_or_nothing(terminal: int) -> bytes:
    """What a terminal shows next; nothing once its other end is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def run_json(*arguments: object) -> dict[str, object]:
    out = run(*arguments, "--json").stdout
    assert out.count("\n") == 1
    data = json.loads(out)
    assert isinstance(data, dict)
    return data


@pytest.fixture
def net_file(small_net: Net, tmp_path: Path) -> Path:
    path = tmp_path / "small.net"
    path.write_bytes(small_net.to_bytes())
    return path


def test_plays() -> None:
    lines = run("plays", "start", "31").stdout.splitlines()
    assert len(lines) == 16
    assert any(re.fullmatch(r"8/5 6/5 +\S{14}", line) for line in lines)
    data = run_json("plays", "4HPwATDgc/ABMA", "31")
    assert data["id"] == "4HPwATDgc/ABMA"
    assert data["roll"] == "31"
    assert len(data["plays"]) == 16  # type: ignore[arg-type]


def test_plays_of_the_dice_an_id_holds() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
    assert run("plays", xgid.format("31")).stdout == run("plays", "start", "31").stdout
    assert len(run("plays", xgid.format("31"), "65").stdout.splitlines()) == 7
    assert "ID holds no dice" in run("plays", xgid.format("00"), code=2).stderr


def test_version() -> None:
    assert run("--version").stdout == f"gammon {gammon.__version__}\n"


def test_one_trial_has_no_standard_error(net_file: Path) -> None:
    text = run("rollout", "start", "--trials", 1, "--net", net_file).stdout
    assert "inf" not in text
    assert "± -" in text


@pytest.mark.parametrize(
    ("work", "arguments"),
    [
        ("perft.count", ["perft"]),
        ("bench._bench.measure", ["bench"]),
        ("plays.Situation", ["plays", "start"]),
    ],
)
@pytest.mark.parametrize("happens", ["signal.raise_signal(signal.SIGINT)", "stop()"])
def test_stopping_without_a_result_is_said(work: str, arguments: list[str], happens: str) -> None:
    module, _, name = work.partition(".")
    script = f"""
import signal, sys
from gammon.cli import main, {module}
from gammon.errors import Stopped
def stop():
    raise Stopped("the callback asked to stop")
{module}.{name} = lambda *_, **__: {happens}
sys.argv = {["gammon", *arguments]}
main()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "gammon: stopped\n")


def test_a_stopped_training_says_so_and_writes_its_net(tmp_path: Path) -> None:
    net = tmp_path / "x.net"
    script = f"""
import contextlib, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    yield lambda: True
_progress.interruptible = stopped
sys.argv = ["gammon", "train", {str(net)!r}, "--games", "1000000", "--hidden", "64", "--threads", "1"]
main()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert re.search(r"Stopped after [\d,]+ of 1,000,000 games", found.stderr)
    assert "wrote" in found.stdout
    assert evaluators.load(net).hidden == 64


def test_plays_without_a_choice() -> None:
    shut_out = "XGID=-BBBBBB------------------a:0:0:-1:66:0:0:0:0:10"
    closed = run(
        "convert", "XGID=aBBBBBB-------------------:0:0:-1:66:0:0:0:0:10", "--to", "posid"
    ).stdout.strip()
    assert run("plays", closed, "66").stdout.startswith("pass")
    assert run("plays", shut_out, "66", code=2).stderr.startswith("gammon: not a valid xgid")


def test_board() -> None:
    text = run("board", "start").stdout
    assert "X: 167 pips" in text
    assert "Money play" in text
    assert run("board", "start", "--svg").stdout.count("<circle") == 30
    data = run_json("board", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10")
    assert data["pips"] == [167, 167]
    assert data["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"


def test_perft_of_another_game() -> None:
    assert "59 paths, 49 different positions" in run("perft", "--variant", "plakoto", "--depth", 1).stdout
    acey = ["perft", "--variant", "acey_deucey", "--depth", 1, "--divide"]
    data = run_json(*acey, "--option", "version=european")
    assert (data["variant"], data["paths"]) == ("acey_deucey", 60)
    assert isinstance(data["divide"], list)
    assert {"roll": "21", "play": "hand/23 hand/24", "paths": 1} in data["divide"]


def test_perft() -> None:
    assert "202,782 paths, 163,706 different positions" in run("perft").stdout
    data = run_json("perft", "start", "--depth", 2, "--divide", "--threads", 2)
    assert data["paths"] == 202_782
    divided = data["divide"]
    assert isinstance(divided, list)
    assert len(divided) == 447
    assert sum(part["paths"] for part in divided) == 202_782
    assert len(run("perft", "--depth", 1, "--divide").stdout.splitlines()) == 448


def test_convert() -> None:
    text = run("convert", "start").stdout
    for word in ("xgid", "gnuid", "posid", "fibs", "ogid", "XGID=", "4HPwATDgc/ABMA:cAkAAAAAAAAE"):
        assert word in text
    beavers = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"
    found = run("convert", beavers, "--to", "gnuid")
    assert re.fullmatch(r"\S{14}:\S{12}\n", found.stdout)
    assert "not in gnuid: beavers" in found.stderr
    data = run_json("convert", beavers)
    assert data["read_as"] == "xgid"


def test_rollout(net_file: Path) -> None:
    text = run("rollout", "start", "--trials", 72, "--net", net_file).stdout
    for word in ("player on roll", "gammons", "backgammons", "equity", "±", "72 games"):
        assert word in text
    data = run_json("rollout", "4HPwATDgc/ABMA", "--trials", 72, "--net", net_file, "--seed", 3)
    again = run_json(
        "rollout", "4HPwATDgc/ABMA", "--trials", 72, "--net", net_file, "--seed", 3, "--threads", 1
    )
    work = {"seconds": 0, "evaluations": 0}
    assert data | work == again | work
    assert data["complete"] is True
    assert data["ignored"] == []
    thrown = (
        "rollout",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10",
        "--trials",
        36,
        "--truncate",
        5,
        "--net",
        net_file,
    )
    compared = run_json(*thrown)["plays"]
    assert isinstance(compared, list)
    assert len(compared) == 5
    assert compared[0]["equity"]["mean"] >= compared[1]["equity"]["mean"]
    found = run(*thrown, "--plays", "8/5 6/5, 24/23 13/10").stdout
    assert "8/5 6/5" in found
    assert "24/23 13/10" in found
    assert "Not used: the dice 31, the score." in run(*thrown, "--on-roll").stderr
    assert run_json(*thrown, "--on-roll")["ignored"] == ["the dice 31", "the score"]
    assert "can only be turned before" in run(*thrown, "--on-roll", "--cube", code=2).stderr


def test_rollouts_of_the_cube_with_rules_and_checkpoints(net_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "start.json"
    quick = ("rollout", "start", "--preset", "quick", "--trials", 60, "--net", net_file, "--checkpoint", file)
    text = run(*quick, "--cube").stdout
    for word in ("no double", "double, take", "double, pass"):
        assert word in text
    assert "exists: resume it" in run(*quick, "--cube", code=2).stderr
    assert run_json(*quick, "--cube", "--resume")["evaluations"] == 0
    assert "kind is 'decision', not 'position'" in run(*quick, "--resume", code=2).stderr
    named = ("rollout", "start", "--net", net_file)
    for options, word in [
        (("--until", "se=x"), "--until takes NAME=NUMBER"),
        (("--until", "se=-1"), "error must be above 0"),
        (("--until", "seconds=nan"), "seconds must be above 0 and finite"),
        (("--until", "se=1", "--until", "se=2"), "--until says se more than once"),
        (("--until", "jsd=3"), "jsd compares plays"),
        (("--until", "decided=3"), "decided is for cube decisions"),
        (("--resume",), "--resume needs the file to go on from"),
        (("--preset", "huge"), "expected one of full, quick, medium, strong"),
        (("--plays", "8/5 6/5"), "--plays needs the dice"),
    ]:
        assert word in run(*named, *options, code=2).stderr
    ruled = run(*named, "--preset", "quick", "--trials", 7200, "--until", "se=0.05", "--until", "least=30")
    assert "Ended by its rule (error) after" in ruled.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_stops_a_rollout_and_reports_what_was_done(net_file: Path) -> None:
    command = [*GAMMON, "rollout", "start", "--trials", "100000000", "--net", str(net_file)]
    terminal, end = os.openpty()  # the progress bar, which says when it runs, is for terminals only
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=end,
        text=True,
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    os.close(end)
    shown = b""
    while not re.search(rb"[1-9]\d*/100000000", shown):
        shown += os.read(terminal, 4096)
    os.kill(child.pid, signal.SIGINT)
    while piece := read_or_nothing(terminal):
        shown += piece
    out = child.communicate()[0]
    os.close(terminal)
    err = shown.decode()
    assert child.returncode == 0, err
    assert re.search(r"Stopped after [\d,]+ of 100,000,000 games", err)
    assert "equity" in out
    assert "of 100,000,000 asked for" in out


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
    again = run_json("fit", learning, net, one, two, "--after", kept, "--force", "--log", log)
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
    assert found.returncode == 0, found.stderr
    assert "Stopped after" in found.stderr
    assert "run again to go on" in found.stdout
    assert not net.exists()
    assert (tmp_path / "more.data").exists() if command == "label" else kept.exists()


def test_a_net_that_cannot_be_written_is_noticed_before_the_training(tmp_path: Path) -> None:
    # With the default number of games this would take minutes.
    assert "No such file" in run("train", tmp_path / "no" / "such" / "x.net", code=2).stderr


def test_bench() -> None:
    data = run_json("bench", "--seconds", 0)
    figures = data["figures"]
    assert isinstance(figures, list)
    assert {figure["name"] for figure in figures} >= {"perft", "random games", "evaluate, strong net"}
    assert all(figure["per_second"] > 0 for figure in figures)
    assert data["threads"] == 1
    two = run_json("bench", "--seconds", 0, "--threads", 2)
    assert two["threads"] == 2
    assert data["signature"] == two["signature"] == SIGNATURE


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["plays", "start", "71"], 'not a valid roll: "71"'),
        (["plays", "4HPwATDgc/AB", "31"], "needs a Position ID"),
        (["plays", "4HPwATDgc/ABM", "31"], "13 of 14 characters"),
        (["board", "XGID=bBBBCBcBbccbB:0:0:1:00:0:0:3:0:10"], "dashes lost in copying"),
        (["perft", "--depth", "-1"], "depth must be from 0 to 8"),
        (["perft", "--threads", "-1"], "threads must be from 1"),
        (["perft", "--variant", "poker"], "no variant is called"),
        (["perft", "--variant", "fevga", "--option", "runner"], "an option is written NAME=VALUE"),
        (["perft", "--variant", "fevga", "--option", "runner=both"], "it may be pass_start, none"),
        (["perft", "--option", "runner=none"], "needs a game it belongs to"),
        (["rollout", "start", "--trials", "0"], "trials must be from 1"),
        (["rollout", "start", "--net", "no/such.net"], "gammon: no/such.net: No such file"),
        (["convert", "nonsense!"], "no known identifier"),
        (
            ["convert", "start", "--to", "sgf"],
            "gammon: format must be one of xgid, gnuid, posid, fibs, ogid, got",
        ),
        (["train", "x.net", "--hidden", "65"], "hidden is 65"),
        (["nonsense"], "No such command"),
        (["plays"], "Missing argument"),
    ],
)
def test_mistakes_are_answered_in_words_with_exit_code_2(arguments: list[str], words: str) -> None:
    assert words in run(*arguments, code=2).stderr


def test_the_extra_that_is_missing_is_named() -> None:
    script = "import sys; sys.modules['typer'] = None; from gammon.cli import main; main()"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.returncode == 1
    assert found.stderr == (
        "gammon: the command line needs typer; install it with: pip install 'gammon[cli]'\n"
    )


def test_help_names_every_command() -> None:
    text = run("--help").stdout
    for command in ("plays", "board", "perft", "rollout", "convert", "bench", "train", "label", "fit"):
        assert command in text
        assert "--json" in run(command, "--help").stdout


def test_cube_of_a_match_score() -> None:
    xgid = "XGID=-a----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10"
    text = run("cube", xgid, "--probs", "0.72 0.2 0.01 0.08 0", "--life", "0.68").stdout
    assert "chances as given; cube life 0.680, Kazaross-XG2" in text
    assert re.search(r"double, take +\+1\.\d{4} .* MWC +\d\d\.\d\d %", text)
    assert text.rstrip().endswith("double, pass")
    data = run_json("cube", xgid, "--probs", "0.72,0.2,0.01,0.08,0", "--met", "woolsey-heinrich")
    assert (data["label"], data["met"]) == ("double, take", "Woolsey-Heinrich")
    mwc = data["mwc"]
    assert isinstance(mwc, dict)
    assert mwc["double_pass"] == pytest.approx(0.66)  # 3-away, 5-away by Woolsey and Heinrich


def test_cube_says_where_its_chances_come_from() -> None:
    text = run("cube", "start").stdout
    assert f"static evaluation (0-ply) by net {evaluators.default().id[:12]}" in text
    assert text.rstrip().splitlines()[-2] == "no double, take"
    assert "% wrong passes" in text.rstrip().splitlines()[-1]


def test_cube_answers_what_is_offered() -> None:
    opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:3:0:10"
    losing = run("cube", opening.format("D"), "--probs", "0.4 0.1 0 0.12 0").stdout
    assert losing.rstrip().splitlines()[-1] == "the double is offered: beaver"
    beavered = run("cube", opening.format("B"), "--probs", "0.4 0.1 0 0.12 0").stdout
    assert beavered.rstrip().splitlines()[-1] == "the beaver is offered: play on"
    mistaken = run("cube", opening.format("B"), "--probs", "0.7 0.1 0 0.02 0").stdout
    assert mistaken.rstrip().splitlines()[-1] == "the beaver is offered: raccoon"


def test_cube_at_every_score() -> None:
    lines = run("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--matrix", "3").stdout.splitlines()
    assert [line.split() for line in lines[2:4]] == [["1", "-", "-", "-"], ["2", "-", "DT", "NT"]]
    data = run_json("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--matrix", "2")
    matrix = data["matrix"]
    assert isinstance(matrix, list)
    assert matrix[0][0]["refusal"] == "dead-cube"
    assert matrix[1][1]["action"] == "double"


def test_cube_refuses_in_words() -> None:
    assert "five numbers" in run("cube", "start", "--probs", "0.5", code=2).stderr
    both = run("cube", "start", "--probs", "0.6 0.2 0 0.1 0", "--plies", 1, code=2).stderr
    assert "either --probs or --plies" in both
    assert "are no chances" in run("cube", "start", "--probs", "2 0 0 0 0", code=2).stderr
    xgid = "XGID=-a----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10"
    assert "kazaross-xg2" in run("cube", xgid, "--met", "snowie", code=2).stderr


def test_met() -> None:
    listed = run("met", "list").stdout.splitlines()
    assert "* kazaross-xg2       Kazaross-XG2, known to 25 points" in listed
    assert len(listed) == 8
    data = run_json("met", "list")
    assert data["default"] == "kazaross-xg2"
    shown = run("met", "show", "--size", "3").stdout.splitlines()
    assert shown[2].split() == ["1", "50.00", "67.74", "75.08"]
    assert shown[-1].split() == ["post", "50.00", "48.80", "32.26"]
    data = run_json("met", "show", "jac100", "--size", "2")
    assert data["pre_crawford"] == [[0.52, 0.715], [0.335, 0.53]]
    assert "unknown match equity table" in run("met", "show", "nothing", code=2).stderr


def test_analyze_ranks_the_plays_of_dice() -> None:
    thrown = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"
    text = run("analyze", thrown, "--plies", 1, "--show", 3).stdout
    for word in ("31 to play; 1-ply", "Kazaross-XG2", "filter normal", "13 more", "backg."):
        assert word in text
    assert re.search(r"^ +1 8/5 6/5 +1 +\+0\.\d{4} ", text, re.MULTILINE)
    data = run_json("analyze", thrown, "--plies", 1, "--show", 3)
    plays = data["plays"]
    assert isinstance(plays, list)
    assert (data["kind"], data["roll"], data["cubeful"], data["ties"], len(plays)) == (
        "plays",
        "31",
        True,
        1,
        16,
    )
    assert (plays[0]["play"], plays[0]["plies"], plays[0]["loss"]) == ("8/5 6/5", 1, 0)
    cubeless = run_json("analyze", "start", "--roll", "31", "--plies", 0, "--cubeless")
    assert isinstance(cubeless["plays"], list)
    assert cubeless["plays"][0]["equity"] < plays[0]["equity"]
    assert "unknown filter" in run("analyze", thrown, "--filter", "huge", code=2).stderr


def test_analyze_shows_the_best_play_at_every_score() -> None:
    text = run("analyze", "start", "--roll", "31", "--plies", 0, "--by-score", 3).stdout
    assert "   1  A  A  A" in text
    assert "A 8/5 6/5 " in text
    assert "9 scores" in text
    data = run_json("analyze", "start", "--roll", "31", "--plies", 0, "--by-score", 3)
    assert (data["kind"], data["best"]) == ("scores", [[0] * 3] * 3)
    assert "--by-score needs dice" in run("analyze", "start", "--by-score", 3, code=2).stderr


def test_analyze_reads_a_file_of_identifiers(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_text("# two of them\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\nstart\n")
    lines = run("analyze", file, "--plies", 0, "--json").stdout.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["plays", "cube"]
    file.write_text("start\nnonsense\n")
    assert "ids.txt, line 2: not a valid identifier" in run("analyze", file, code=2).stderr
    file.write_text("\n")
    assert "no identifier in it" in run("analyze", file, code=2).stderr
    reason = run("analyze", "nosuch", code=2).stderr
    assert "'nosuch' is neither a file nor an identifier" in reason


def test_analyze_decides_about_the_cube_without_dice() -> None:
    last_roll = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"
    text = run("analyze", last_roll).stdout
    assert "no double, beaver" in text
    assert "2-ply" in text
    data = run_json("analyze", last_roll)
    assert (data["kind"], data["label"]) == ("cube", "no double, beaver")
    assert data["equity"]["no_double"] == pytest.approx(-2 / 3)  # type: ignore[index]
    deeper = run_json("cube", last_roll, "--plies", 2)
    assert deeper["equity"] == data["equity"]
    assert str(deeper["source"]).startswith("evaluation 2 plies deep by net")


def test_strength_and_duel(net_file: Path, tmp_path: Path) -> None:
    table = run("strength", net_file, "default", "--openings").stdout
    assert table.count("\nsmall opens ") == 1
    assert table.count("default") == 10
    data = run_json("strength")
    assert data["agreement"][0]["classes"]["crashed"]["count"] == 122  # type: ignore[index]
    save = tmp_path / "duel.json"
    found = run_json("duel", "default", net_file, "--games", 6, "--save", save)
    assert found["games"] == 6
    assert found["raw"]["mean"] > 0  # type: ignore[index]
    assert run_json("duel", "default", net_file, "--games", 6, "--save", save) == found
    text = run("duel", "default", net_file, "--games", 6, "--judge", "none").stdout
    assert "raw" in text
    assert "luck-adjusted" not in text
    pruned = f"default+{net_file}"
    assert run_json("duel", pruned, "default", "--games", 2, "--judge", "none")["games"] == 2
    assert "names no player" in run("duel", "default", "nobody", code=2).stderr


def test_a_reference_set_is_made_and_compared_with(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.gz"
    assert "prime against prime        1" in run("reference", "select", path, "--each", 1).stdout
    assert "say --force" in run("reference", "select", path, "--each", 1, code=2).stderr
    value = ("reference", "value", path, "--trials", 36, "--error", 0.5, "--truncate", 5, "--luck", "off")
    shown = run(*value).stdout
    assert run("reference", "show", path).stdout == shown
    assert run(*value).stdout == shown
    assert "rolled out with seed 1, not 5" in run(*value, "--seed", 5, code=2).stderr
    assert "rolled out with plies 0, not 1" in run(*value, "--plies", 1, code=2).stderr
    data = run_json("strength", "--reference", path)
    assert data["reference"][0]["classes"]["all"]["count"] == 8  # type: ignore[index]


def test_a_duel_refuses_a_number_beyond_all_pairs() -> None:
    for begin in (2**63 - 1, 99999999999999999999):
        found = run("duel", "default", "default", "--games", 2, "--begin", begin, code=2)
        assert "gammon: begin " in found.stderr
