"""The command line: what it prints, as text and as JSON, and how it refuses."""

import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import gammon
from commands import GAMMON, read_or_nothing, run, run_json
from gammon import Situation, evaluators, formats
from gammon.match import Engine, Match, play_match

SIGNATURE = "1422b81b7c4a76e2"
"""What `gammon bench` prints: another one means other results, on whatever machine. CHANGELOG.md says why."""


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


INTERRUPTED = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(10)\n"
"""A module during whose import somebody presses Ctrl-C."""


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("imported", ["numpy", "rich", "typer"])
def test_ctrl_c_before_everything_is_imported_is_one_line(tmp_path: Path, imported: str) -> None:
    (tmp_path / f"{imported}.py").write_text(INTERRUPTED, encoding="utf-8")
    script = "import sys; sys.argv = ['gammon', '--version']; from gammon_command import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    found = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "gammon: stopped\n")


def test_the_command_is_the_small_module() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"gammon": "gammon_command:main"}
    # Nothing is imported before it can be stopped.
    script = "import sys; before = set(sys.modules); import gammon_command; print(set(sys.modules) - before)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout == "{'gammon_command'}\n"


@pytest.mark.parametrize("arguments", [["--version"], ["board", "nonsense"]])
def test_a_command_does_not_tidy_up_what_ends_with_it(arguments: list[str]) -> None:
    script = f"""
import atexit, gc, sys
atexit.register(lambda: print("left alone:", gc.get_freeze_count() > 10_000))
from gammon.cli import main
sys.argv = {["gammon", *arguments]}
main()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout.endswith("left alone: True\n"), found.stderr


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
    assert found.returncode == 130, found.stderr
    assert re.search(r"Stopped after [\d,]+ of 1,000,000 games", found.stderr)
    assert "wrote" in found.stdout
    assert evaluators.load(net).hidden == 64


@pytest.mark.parametrize(
    ("arguments", "done"),
    [
        (["rollout", "start", "--trials", "4000000000", "--truncate", "5", "--json"], '"complete": false'),
        (["rollout", "ids.txt", "--trials", "4000000000", "--truncate", "5"], "XGID="),
        (["duel", "random", "random", "--variant", "plakoto", "--games", "100000000"], "plakoto: "),
        (["reference", "value", "set.jsonl.gz", "--trials", "10008", "--error", "1e-6"], "prime against"),
    ],
)
def test_what_was_done_is_told_by_a_command_that_is_stopped(
    arguments: list[str], done: str, tmp_path: Path
) -> None:
    (tmp_path / "ids.txt").write_text("start\n", encoding="utf-8")
    run("reference", "select", tmp_path / "set.jsonl.gz", "--each", 1)
    script = f"""
import contextlib, itertools, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    asked = itertools.count()
    yield lambda: next(asked) > 20
_progress.interruptible = stopped
sys.argv = {["gammon", *arguments]}
main()
"""
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    assert found.returncode == 130, found.stderr
    assert found.stderr.endswith("gammon: stopped\n")
    assert done in found.stdout


@pytest.mark.parametrize(
    ("arguments", "done", "how_far"),
    [
        (
            ["analyze", "x.mat"],
            "7-point match",
            r"^x.mat: Stopped after [1-9]\d* of [1-9]\d\d+ decisions and ",
        ),
        (["analyze", "x.mat", "--json"], '"file": "x.mat"', r"^x.mat: Stopped after [1-9]\d* of "),
        (["find", "contact", "x.mat"], "", "^Stopped after 0 positions and decisions.$"),
        (["find", "contact", "x.mat", "--json"], "", "^Stopped after 0 positions and decisions.$"),
        (["find", "contact", "ids.txt", "x.mat"], "XGID=", "^Stopped after 1 positions and decisions.$"),
    ],
)
def test_a_command_about_matches_that_is_stopped_says_after_how_much(
    arguments: list[str], done: str, how_far: str, tmp_path: Path
) -> None:
    match = Match(7, ("A", "B"), seed=2)
    play_match(match, (Engine(), Engine()))
    formats.write(match, tmp_path / "x.mat")
    (tmp_path / "ids.txt").write_text(f"{Situation('start').xgid}\n", encoding="utf-8")
    script = f"""
import contextlib, sys
from gammon.cli import _progress, main
@contextlib.contextmanager
def stopped():
    yield lambda: True
_progress.interruptible = stopped
sys.argv = {["gammon", *arguments, "--plies", "2", "--threads", "1"]}
main()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 130, found.stderr
    assert found.stderr.endswith("\ngammon: stopped\n")
    assert found.stderr.count("gammon: stopped") == 1
    assert "no files" not in found.stderr
    assert re.search(how_far, found.stderr, re.MULTILINE), found.stderr
    assert done in found.stdout


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
    assert "equities cubeless, money" in found
    assert "Not used: the score.\n" in run(*thrown).stderr
    assert "24/20 is named twice" in run(*thrown, "--plays", "24/20,24/20", code=2).stderr
    with_cube = run(*thrown, "--cube")
    assert "Not used" not in with_cube.stderr
    assert "cubeless" not in with_cube.stdout
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
        (("--preset", "huge"), "expected one of full, race, quick, medium, strong"),
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
    assert child.returncode == 130, err
    assert err.rstrip().endswith("gammon: stopped")
    assert re.search(r"Stopped after [\d,]+ of 100,000,000 games", err)
    assert "equity" in out
    assert "of 100,000,000 asked for" in out


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
        (["analyze", "no-such.mat"], "gammon: no-such.mat: no such file"),
        (["analyze", "no-such/*"], "gammon: no-such/*: no such file"),
        (["analyze", "nonsense"], "'nonsense' is neither a file nor an identifier"),
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
    assert "players of --variant games" in run("duel", "small", "random", code=2).stderr


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
