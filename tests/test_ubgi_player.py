"""Engines that speak UBGI as players of duels: ours, in all drafts, and ones that misbehave."""

from __future__ import annotations

import os
import re
import select
import shlex
import sys
import textwrap
import time
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import gammon
from commands import run, run_json
from gammon import strength
from gammon.errors import EvaluatorError, SettingError
from gammon.strength import Decisions, EvaluatorPlayer, Ubgi

OURS = [sys.executable, "-m", "gammon", "ubgi", "--dialect"]


def decisions(count: int) -> Decisions:
    """Positions with contact, races and bear-offs, each with a roll that leaves a choice."""
    phases: tuple[Literal["contact", "race", "bearoff", "crashed"], ...]
    phases = ("contact", "race", "bearoff", "crashed")
    found = [gammon.Position.random(phases[seed % 4], seed) for seed in range(count)]
    boards = np.stack([one.board for one in found])
    dice = np.array([roll.dice[:2] for roll in gammon.Roll.all()] * (count // 21 + 1), np.uint8)[:count]
    results, offsets = gammon.expand(boards, dice)
    chosen = np.flatnonzero(np.diff(offsets) > 1)
    results, offsets = gammon.expand(boards[chosen], dice[chosen])
    return Decisions(boards[chosen], dice[chosen], results, offsets)


@pytest.mark.parametrize("draft", ["0.1", "0.2"])
@pytest.mark.parametrize("plies", [None, 1])
def test_our_own_engine_plays_as_it_does_at_home(draft: str, plies: int | None) -> None:
    asked = decisions(63 if plies is None else 21)
    with Ubgi([*OURS, draft], plies=plies) as engine:
        assert engine.draft == draft
        told = "" if plies is None else " 1-ply"
        assert engine.id == f"gammon {gammon.__version__} (UBGI {draft}){told}"
        picked = engine.choose(asked)
    at_home = EvaluatorPlayer(plies=plies or 0).choose(asked)
    values = asked.results[asked.offsets[:-1] + picked]
    assert (values == asked.results[asked.offsets[:-1] + at_home]).all()


def test_the_oldest_draft_is_spoken_too() -> None:
    asked = decisions(42)
    with Ubgi([*OURS, "0.01"]) as engine:
        assert engine.draft == "0.01"
        picked = engine.choose(asked)
    assert (picked < np.diff(asked.offsets)).all()
    # It ranks with the cube, which seldom makes a difference in money play.
    assert (picked == EvaluatorPlayer().choose(asked)).mean() > 0.8
    with pytest.raises(SettingError, match=r"UBGI 0\.01 cannot be told how many plies"):
        Ubgi([*OURS, "0.01"], plies=1)


def test_a_duel_against_itself_is_even() -> None:
    command = " ".join(["ubgi:", *OURS, "0.2"])
    found = run_json("duel", command, "default", "--games", 4)
    assert found["raw"]["mean"] == 0  # type: ignore[index]
    assert found["adjusted"]["mean"] == 0  # type: ignore[index]
    assert "UBGI 0.2" in found["players"][0]  # type: ignore[index]
    refused = run("strength", command, code=2).stderr
    assert "tells plays, and no chances" in refused
    with pytest.raises(SettingError, match="tells plays, and no chances"):
        strength.evaluator(command)
    with pytest.raises(SettingError, match="plies from 0 to 4, got '9'"):
        strength.player(command + "@9")


ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ubgi":
        {hello}
    elif word == "isready":
        print("readyok")
    elif word == "go":
        {answer}
    sys.stdout.flush()
"""


def engine(folder: Path, hello: str, answer: str) -> list[str]:
    """A small program that answers as it is told."""
    path = folder / "engine.py"
    path.write_text(textwrap.dedent(ENGINE).format(hello=hello, answer=answer), encoding="utf-8")
    return [sys.executable, str(path)]


GREETING = "print('id name tiny\\nubgiok')"


@pytest.mark.parametrize(
    ("hello", "answer", "words"),
    [
        ("sys.exit('no licence')", "pass", "it has ended; the last it printed: no licence"),
        ("print('x' * 100_000)", "pass", "longer than"),
        (GREETING, "print('bestmove 24/1')", r"tiny \(UBGI 0\.1\) played '24/1' in"),
        (GREETING, "print('info a b\\n\\nbestmove pass')", "played '' in"),
        (GREETING, "print('error missing_context no dice')", "it answered 'error missing_context no dice'"),
        (GREETING, "sys.exit(3)", "it has ended"),
        (GREETING, "print('\\xff\\xfe bestmove')\n        sys.exit()", "it has ended"),
    ],
)
def test_what_an_engine_does_wrong_is_said(tmp_path: Path, hello: str, answer: str, words: str) -> None:
    asked = decisions(21)
    with pytest.raises(EvaluatorError, match=words):
        Ubgi(engine(tmp_path, hello, answer)).choose(asked)


ENDLESS = "\n        while True: print('info thinking', flush=True)"


@pytest.mark.parametrize("hello", ["pass", ENDLESS], ids=["silent", "chattering"])
def test_an_engine_that_does_not_greet_is_given_up(tmp_path: Path, hello: str) -> None:
    command = engine(tmp_path, hello, "pass")
    begun = time.monotonic()
    late = r": it has not answered the greeting 'ubgi' within 0\.3 s \(start_seconds grants it more\)"
    with pytest.raises(EvaluatorError, match=rf"^{re.escape(shlex.join(command)[:120])}{late}"):
        Ubgi(command, start_seconds=0.3)
    spec = f"ubgi:{shlex.join(command)}"
    with pytest.raises(EvaluatorError, match=late):
        strength.player(spec, start_seconds=0.3)
    assert time.monotonic() - begun < 8
    assert "within 0.3 s" in run("duel", spec, "small", "--start-seconds", 0.3, code=2).stderr


def test_an_engine_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"{GREETING}\nimport time\ntime.sleep(60)"]
    with pytest.raises(EvaluatorError, match=r"it has not made itself ready within 0\.5 s"):
        Ubgi(command, start_seconds=0.5)
    refused = "start_seconds must be above 0 and at most 86,400"
    for seconds in (0, -1, float("nan"), float("inf"), "5", True, 86_401, 1e300, 10**400):
        with pytest.raises(SettingError, match=refused):
            Ubgi(command, start_seconds=seconds)  # type: ignore[arg-type]
        with pytest.raises(SettingError, match=refused):
            strength.player("default", start_seconds=seconds)  # type: ignore[arg-type]
    assert (
        refused in run("duel", f"ubgi:{shlex.join(command)}", "small", "--start-seconds", -5, code=2).stderr
    )


@pytest.mark.parametrize("seconds", [-5, 10])
def test_seconds_to_start_are_refused_where_nothing_starts(seconds: int) -> None:
    for words, said in (
        (("duel", "pips", "random", "--variant", "fevga"), "--start-seconds is for the standard game"),
        (("duel", "default", "small"), "--start-seconds is for programs that speak UBGI"),
        (("strength", "small", "--duel", "default"), "--start-seconds is for programs that speak UBGI"),
    ):
        assert said in run(*words, "--start-seconds", seconds, code=2).stderr


@pytest.mark.parametrize("answer", ["pass", ENDLESS], ids=["silent", "chattering"])
def test_an_engine_that_does_not_play_is_given_up(
    tmp_path: Path, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gammon.strength._ubgi._ANSWER_SECONDS", 0.4)
    begun = time.monotonic()
    with (
        Ubgi(engine(tmp_path, GREETING, answer)) as one,
        pytest.raises(EvaluatorError, match=r"it has not played within 0\.4 s"),
    ):
        one.choose(decisions(21))
    assert time.monotonic() - begun < 60


def test_commands_that_cannot_be_run_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Ubgi(str(tmp_path / "nobody"))
    with pytest.raises(SettingError, match="needs a command"):
        Ubgi("  ")
    with pytest.raises(SettingError, match="names no setting for plies"):
        Ubgi(engine(tmp_path, GREETING, "pass"), plies=1)
    with Ubgi(engine(tmp_path, GREETING, "pass")) as one:
        pass
    with pytest.raises(EvaluatorError, match="it was closed"):
        one.choose(decisions(21))


@pytest.mark.skipif(os.name == "nt", reason="there are no groups of processes there")
@pytest.mark.parametrize("leaves", ["", "exit"], ids=["a shell that waits", "a shell that has ended"])
def test_what_a_program_has_started_ends_with_it(leaves: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ours = shlex.join([*OURS, "0.2"])
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        # Somebody beside the engine holds the pipe; nobody writes to it once he is gone.
        script = f"(echo begun; exec sleep 60) > {shlex.quote(str(pipe))} & {ours}; {leaves or 'wait'}"
        engine = Ubgi(["sh", "-c", script])
        assert select.select([reader], [], [], 60)[0]
        assert os.read(reader, 100) == b"begun\n"
        assert not select.select([reader], [], [], 0)[0]
        if leaves:
            engine._process.tell(["quit"])
            engine._process.program.stdout.read()  # type: ignore[union-attr]
        engine.close()
        assert select.select([reader], [], [], 10)[0]
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)
