"""Input that is wrong, too large or too odd: an error that names it, never a crash or silence."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Play, Position, Roll, Situation, bearoff, hypergammon, rollout, training, variants, viz
from gammon.errors import (
    ArrayError,
    EvaluatorError,
    GammonError,
    IllegalPlayError,
    IllegalPositionError,
    IllegalRollError,
    ParseError,
    SettingError,
    Stopped,
)

START = Position.start()
LOST = Position.from_points({6: 2, 3: 1}, {})


def run(*arguments: str | bytes) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gammon", *arguments], capture_output=True, text=True, encoding="utf-8"
    )


# Finished games.


@pytest.mark.parametrize("over", [LOST, LOST.flip()])
def test_a_finished_game_is_not_played_on(over: Position) -> None:
    for roll in Roll.all():
        plays = over.plays(roll)
        assert plays.is_pass
        assert [play.after for play in plays] == [over.flip()]
        assert str(plays[0]) == "pass"
        assert over.steps(roll) == []
    assert over.play("pass", "61").after == over.flip()
    for written in ("6/off 3/2", [(6, 5)]):
        with pytest.raises(IllegalPlayError, match="the game is over") as caught:
            over.play(written, "61")
        assert caught.value.reason == "the game is over"
    boards, offsets = gammon.expand(over.board[None], np.array([[6, 1]], np.uint8))
    assert offsets.tolist() == [0, 1]
    assert Position.from_board(boards[0]) == over.flip()


# Plays, rolls, points, situations.


def test_what_is_taken_for_a_play() -> None:
    expected = START.play("8/5 6/5", "31")
    assert START.play([(8, 5), (6, 5)], "31") == expected
    assert START.play(np.array([[8, 5], [6, 5]]), "31") == expected
    assert START.play(expected, "31") == expected
    assert Play(START, "31", expected) == expected
    with pytest.raises(IllegalPlayError, match="for roll 42: the dice cannot make 8/5"):
        START.play(expected, "42")


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ([(8, 500)], "no move has the number 500"),
        ([(-1, 5)], "no move has the number -1"),
        ([(0, 5)], "no move has the number 0"),
        ([(26, 5)], "no move has the number 26"),
        ([(10**30, 5)], "no move has the number"),
        ([], "the roll can be played"),
        ([(8, 5)] * 1000, "no die is left for 8/5"),
    ],
)
def test_moves_that_are_none_are_named(play: list[tuple[int, int]], reason: str) -> None:
    with pytest.raises(IllegalPlayError, match=reason) as caught:
        START.play(play, "31")
    assert caught.value.play
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("play", [5, None, [8, 5], [(8, 5, 3)], [(True, False)], ["8/5"], [(8.0, 5.0)], b"8"])
def test_what_is_no_play_at_all_is_a_type_error(play: Any) -> None:
    with pytest.raises(TypeError, match="a play is a text such as"):
        START.play(play, "31")


def test_plays_are_equal_by_position_roll_and_result() -> None:
    once = START.play("8/5 6/5", "31")
    ones = START.play("8/5 6/5", "11")
    assert once.after == ones.after
    assert once != ones


@pytest.mark.parametrize("roll", [None, 5, 3.1, (True, 2), (3.0, 1), ("3", "1"), [None, None]])
def test_what_is_no_roll_is_a_type_error(roll: Any) -> None:
    with pytest.raises(TypeError, match="roll"):
        START.plays(roll)


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (10**30, 1), (3,), (1, 2, 3), ()])
def test_what_no_dice_show_is_an_illegal_roll(roll: Any) -> None:
    with pytest.raises(IllegalRollError):
        START.plays(roll)


@pytest.mark.parametrize("dice", [5, None, (True,), (1.0,), ("1",)])
def test_dice_of_the_wrong_type(dice: Any) -> None:
    with pytest.raises(TypeError, match="no turn has the dice"):
        START.steps(dice)


def test_points_given_twice_or_of_the_wrong_type() -> None:
    with pytest.raises(IllegalPositionError, match="the bar is given twice"):
        Position.from_points({25: 1, "bar": 2}, {})
    with pytest.raises(IllegalPositionError, match="no point 26"):
        Position.from_points({26: 1}, {})
    for side in ({True: 1}, {6: True}, {6.5: 1}, {6: 1.0}, {None: 1}, [6, 5], 7):
        with pytest.raises(TypeError, match="roller: "):
            Position.from_points(side, {})  # type: ignore[arg-type]


def test_scores_of_the_wrong_form() -> None:
    for score in [(1,), (1, 2, 3), ()]:
        with pytest.raises(SettingError, match="score must be the points of both players"):
            Situation.from_parts("start", length=5, score=score)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="score"):
        Situation.from_parts("start", length=5, score=3)  # type: ignore[arg-type]


def test_bools_are_no_numbers() -> None:
    with pytest.raises(TypeError, match="seed must be a whole number, got True"):
        gammon.random_games(1, True)
    with pytest.raises(TypeError, match="depth must be a whole number, got False"):
        gammon.perft(START, False)


@pytest.mark.parametrize(
    "read", [Situation, Position, gammon.parse, Position.from_id, Position.from_xgid, Position.from_fibs]
)
def test_lone_surrogates_are_unreadable(read: Callable[[str], object]) -> None:
    with pytest.raises(ParseError) as caught:
        read("4HPw\udcffDgc")
    str(caught.value).encode()


def test_lone_surrogates_in_rolls_and_plays() -> None:
    for call in (lambda: START.plays("\udc803"), lambda: START.play("8/5\udc80", "31")):
        with pytest.raises(ParseError):
            call()


LONG = "9" * 3_000_000


@pytest.mark.parametrize(
    "call",
    [
        lambda: Position(LONG),
        lambda: START.plays(LONG),
        lambda: START.plays([LONG]),  # type: ignore[list-item]
        lambda: START.plays((1, LONG)),  # type: ignore[arg-type]
        lambda: START.steps([LONG]),  # type: ignore[list-item]
        lambda: START.play(LONG, "31"),
        lambda: START.play("8/5 " + " " * 3_000_000 + "6/2", "31"),
        lambda: START.play([LONG], "31"),  # type: ignore[list-item]
        lambda: Position.from_points({LONG: 1}, {}),
        lambda: Position.from_points({6: LONG}, {}),  # type: ignore[dict-item]
        lambda: Position.from_points(LONG, {}),  # type: ignore[arg-type]
        lambda: Situation.from_parts("start", score=LONG),  # type: ignore[arg-type]
        lambda: Situation.from_parts("start", offer=LONG),  # type: ignore[arg-type]
        lambda: Situation.from_parts("start", length=LONG),  # type: ignore[arg-type]
        lambda: gammon.random_games(LONG, 1),  # type: ignore[arg-type]
        lambda: gammon.random_games(1, LONG),  # type: ignore[arg-type]
        lambda: training.Training(LONG),
        lambda: training.Training(LONG + " = 1"),
        lambda: training.Training("games = " + LONG),
        lambda: rollout.Settings(opening=LONG),  # type: ignore[arg-type]
        lambda: rollout.run(START, LONG),  # type: ignore[arg-type]
    ],
)
def test_messages_stay_short(call: Callable[[], object]) -> None:
    with pytest.raises((GammonError, TypeError)) as caught:
        call()
    assert len(str(caught.value)) < 500
    for value in vars(caught.value).values():
        assert len(str(value)) < 500


# Arrays.


def test_arrays_in_any_layout_are_read_alike() -> None:
    boards = gammon.expand(START.board[None], np.array([[3, 1]], np.uint8))[0]
    many = np.concatenate([boards] * 5_000)  # more than one piece
    rolls = np.full((len(many), 2), 5, np.uint8)
    expected = gammon.features(many).pips
    for layout in (np.asfortranarray(many), many[::-1][::-1], np.repeat(many, 2, 0)[::2]):
        assert np.array_equal(gammon.features(layout).pips, expected)
    found = gammon.expand(np.asfortranarray(many), np.asfortranarray(rolls))
    assert np.array_equal(found[1], gammon.expand(many, rolls)[1])
    bad = np.asfortranarray(many)
    bad[70_001, 0, 3] = 99
    with pytest.raises(IllegalPositionError, match=r"boards\[70001\]"):
        gammon.features(bad)
    rolls[70_002, 1] = 7
    with pytest.raises(IllegalRollError, match=r"rolls\[70002\]"):
        gammon.expand(many, np.asfortranarray(rolls))


def test_masked_arrays_are_refused() -> None:
    masked = np.ma.masked_array(START.board[None], mask=False)
    with pytest.raises(ArrayError, match="masked arrays"):
        gammon.features(masked)


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory the Linux way")
@pytest.mark.parametrize(
    "call",
    [
        "gammon.features(np.broadcast_to(start, (10**9, 2, 25)))",
        "gammon.expand(np.broadcast_to(start, (10**9, 2, 25)), np.broadcast_to(roll, (10**9, 2)))",
        "gammon.expand(np.broadcast_to(start, (10**14, 2, 25)), np.broadcast_to(roll, (10**14, 2)))",
    ],
)
def test_more_than_memory_holds_is_a_memory_error(call: str) -> None:
    script = (
        "import resource, numpy as np, gammon\n"
        "start, roll = gammon.Position.start().board, np.array([3, 1], np.uint8)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        f"try:\n    {call}\nexcept MemoryError:\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory the Linux way")
def test_threads_that_cannot_be_started_are_done_without() -> None:
    script = (
        "import resource, gammon\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "print(gammon.random_games(20_000, 1, threads=1024).turns.sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == gammon.random_games(20_000, 1).turns.sum()


# Callbacks.


@pytest.mark.parametrize("answer", [False, np.False_, 0])
def test_false_answers_stop(answer: object) -> None:
    with pytest.raises(Stopped):
        gammon.random_games(10**8, 1, progress=lambda _: answer)
    part = rollout.run("start", rollout.Settings(trials=10**7), progress=lambda _: answer)
    assert not part.complete


@pytest.mark.parametrize("answer", [None, True, np.True_, 7, "on"])
def test_none_and_true_answers_go_on(answer: object) -> None:
    told = []

    def progress(done: int) -> object:
        told.append(done)
        return answer

    gammon.perft(START, 2, threads=1, progress=progress)
    gammon.random_games(20_000, 1, threads=1, progress=progress)
    assert told


# Evaluators and rollouts.


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (
            lambda n: np.zeros((n, 5)),
            r"dtype float32 and shape \(1, 5\), got dtype float64 and shape \(1, 5\)",
        ),
        (lambda n: np.zeros((n, 4), np.float32), r"got dtype float32 and shape \(1, 4\)"),
        (lambda n: np.zeros(5, np.float32), r"got dtype float32 and shape \(5,\)"),
        (lambda n: [[0.5] * 5], "got list"),
    ],
)
def test_unusable_answers_say_dtype_and_shape(answer: Callable[[int], Any], found: str) -> None:
    class Odd:
        id = "odd"

        def evaluate(self, boards: np.ndarray[Any, Any]) -> Any:
            return answer(len(boards))

    with pytest.raises(EvaluatorError, match=found):
        gammon.evaluate(START.board[None], Odd())


def test_rollout_settings_of_the_wrong_type() -> None:
    for given in (5, {}, [], "trials=3"):  # type: ignore[var-annotated]
        with pytest.raises(TypeError, match=r"settings must be a rollout\.Settings"):
            rollout.run(START, given)  # type: ignore[arg-type]
    for opening in ("false", 0, 1):
        with pytest.raises(TypeError, match="opening must be True, False or None"):
            rollout.Settings(opening=opening)  # type: ignore[arg-type]


def test_parts_that_do_not_belong_together_are_not_merged() -> None:
    def part(position: str = "start", **settings: Any) -> rollout.RolloutPart:
        return rollout.run(position, rollout.Settings(**{"trials": 10, "opening": False} | settings)).part

    first = part()
    merged = first.merge(part(first=10))
    assert merged == part(trials=20)
    assert pickle.loads(pickle.dumps(merged)).merge(part(first=20)).trials == 30
    for other, reason in [
        (first, "both parts have the trials 0 to 9"),
        (part(first=5), "both parts have the trials 5 to 9"),
        (part(first=10, seed=2), "the seed differs"),
        (part(first=10, truncate=9), "truncate differs"),
        (part(first=10, luck="off"), "luck differs"),
        (part(first=10, strata=1), "strata differs"),
        (part(first=10, opening=True), "opening differs"),
        (part(START.play("8/5 6/5", "31").after.id, first=10), "the position differs"),
    ]:
        with pytest.raises(SettingError, match=reason):
            first.merge(other)


def test_pictures_of_whatever_is_a_position() -> None:
    assert viz.svg("start") == viz.svg(START) == viz.svg(Situation("start"))


# Training.


def settings(**more: int) -> str:
    return training.settings_text(**{"games": 100_000, "hidden": 64, "seed": 3} | more)


def test_config_texts_that_contradict_themselves() -> None:
    for text, reason in [
        ("games = 10\ngames = 10", "line 2: games is given twice"),
        ("games = 1__0", "1__0"),
    ]:
        with pytest.raises(SettingError, match=reason):
            training.Training(text)


@pytest.mark.parametrize("callback", ["progress", "report"])
def test_an_exception_leaves_a_checkpoint(tmp_path: Path, callback: str) -> None:
    path = tmp_path / "training"
    one = training.Training(settings(games=20_000))

    def fails(_: object) -> None:
        if one.games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one.run(save=path, **{callback: fails})  # type: ignore[arg-type]
    assert training.Training.from_checkpoint(path.read_bytes()).games == one.games > 0


def test_an_exception_notes_that_nothing_was_saved(tmp_path: Path) -> None:
    def fails(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "missing" / "training"
    with pytest.raises(KeyboardInterrupt) as caught:
        training.Training(settings()).run(save=path, progress=fails)
    assert "the training was not saved" in caught.value.__notes__[0]


def test_a_training_can_be_asked_while_it_runs() -> None:
    one = training.Training(settings())
    seen: list[str] = []

    def progress(games: int) -> bool:
        seen.append(f"{one!r} {one.games} {one.games_wanted} {one.is_done} {len(one.settings)}")
        with pytest.raises(RuntimeError, match="another call"):
            one.net()
        return False

    assert not one.run(progress=progress)
    assert len(seen) == 1
    assert seen[0].startswith("<Training, ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_while_learning_is_answered_at_once(threads: int) -> None:
    one = training.Training(settings(hidden=1024, chunk_first=300, chunk_last=300))
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(4.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        one.run(threads=threads)
    timer.join()
    # 0.2 s on a free machine; a lesson, not looked up from, takes several.
    assert time.monotonic() - sent[0] < 1.5


def test_errors_of_files_name_the_file(tmp_path: Path) -> None:
    missing = tmp_path / "no such folder" / "file"
    blocked = tmp_path / "a file" / "file"  # a table makes the folders it needs, but not of a file
    blocked.parent.touch()
    for call in (
        lambda: training.Training(settings(games=10)).run(save=missing),
        lambda: bearoff.OneSided.open(missing),
        lambda: bearoff.TwoSided.open(missing),
    ):
        with pytest.raises(FileNotFoundError) as caught:
            call()
        assert caught.value.filename == str(missing)
    with pytest.raises(OSError, match="a file") as refused:
        bearoff.OneSided.build(2, 2).save(blocked)
    assert refused.value.filename == str(blocked)


# The command line.


@pytest.mark.skipif(os.name != "posix", reason="needs arguments that are bytes")
def test_bytes_that_are_no_text() -> None:
    for arguments in ([b"board", b"\xff"], [b"plays", b"start", b"\xff"], [b"rollout", b"4HPw\xffDgc"]):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        # A progress bar that ends leaves a line behind.
        assert done.stderr.strip().startswith("gammon: ")
        assert "not a valid " in done.stderr
        assert done.stderr.strip().count("\n") == 0


def test_settings_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_bytes(b"games = 10\n\xff\xfe")
    done = run("train", str(tmp_path / "net"), "--settings", str(file))
    assert done.returncode == 2
    assert done.stderr == f"gammon: {file} is no text of settings: byte 11 is not UTF-8\n"


def test_options_speak_instead_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_text("games = 100000 # many\nhidden = 64\n")
    done = run("train", str(tmp_path / "net"), "--settings", str(file), "--games", "20", "--json")
    assert '"games": 20' in done.stdout, done.stderr


# Commands that write files, and what they are told.


NOT_A_NET = "not a net"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of somebody's that nothing may harm."""
    path = tmp_path / "mine.html"
    path.write_text(NOT_A_NET, encoding="utf-8")
    return path


QUICK = ("--trials", "36", "--truncate", "1", "--threads", "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rollout", "start", *QUICK, "--html", "MINE"), "mine.html exists: say --force"),
        (
            ("rollout", "start", *QUICK, "--html", "MINE", "--checkpoint", "MINE", "--force"),
            "are the same file",
        ),
        (("rollout", "start", *QUICK, "--html", "MINE", "--net", "MINE", "--force"), "are the same file"),
        (("rollout", "start", *QUICK, "--net", "MINE"), "mine.html: unusable net file"),
        (
            ("rollout", "start", *QUICK, "--variant", "plakoto", "--net", "MINE"),
            "mine.html: unusable net file",
        ),
        (("rollout", "no_such.txt"), "no_such.txt: no such file"),
        (("analyze", "no_such.mat", "--html", "x.html"), "no_such.mat: no such file"),
        (("duel", "ubgi:'", "small", "--games", "2"), "No closing quotation"),
        (("duel", "pips", "pips", "--variant", "fevga", "--tables"), "--tables is for the standard game"),
        (
            ("duel", "pips", "pips", "--variant", "fevga", "--python", "MINE"),
            "--python is for the standard game",
        ),
        (("play", "--variant", "fevga", "--strength", "zzz"), "--strength is for the standard game"),
        (("hypergammon", "show", "--checkers", "1", "--cube", "mine"), "got 'mine'"),
        (
            ("hypergammon", "show", "--checkers", "1", "--cube", "owned"),
            "--cube owned is for the plays of a roll",
        ),
    ],
)
def test_commands_name_what_is_wrong_and_leave_files_alone(
    mine: Path, arguments: tuple[str, ...], said: str
) -> None:
    found = run(*(str(mine) if one == "MINE" else one for one in arguments))
    assert found.returncode == 2, found.stderr
    assert said in found.stderr, found.stderr
    assert mine.read_text(encoding="utf-8") == NOT_A_NET


def test_a_report_of_matches_needs_a_page_or_a_folder(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("notes", encoding="utf-8")
    example = Path(__file__).parent / "data" / "example.mat"
    found = run("analyze", str(example), "--plies", "0", "--html", str(notes), "--force")
    assert found.returncode == 2
    assert f"{notes} is a file" in found.stderr
    assert notes.read_text(encoding="utf-8") == "notes"


def test_a_game_is_no_name_and_no_number() -> None:
    for wrong in ("tavla", 5, None):
        with pytest.raises(TypeError, match="a game is needed"):
            variants.VariantMatch(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a game is needed"):
            variants.EcrireMatch(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="variant must be a game"):
        training.game_settings(5)  # type: ignore[arg-type]


def test_drop_beyond_every_float_is_refused() -> None:
    with pytest.raises(SettingError, match="drop must be above 0 and finite"):
        rollout.compare(Situation("start"), "31", None, rollout.Settings(trials=36, truncate=1), drop=10**400)


def test_a_table_of_other_checkers_in_the_cache_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMMON_CACHE", str(tmp_path))
    two = hypergammon.Hypergammon.build(1, threads=1)
    two.save(hypergammon.table_path(2))
    assert hypergammon.table(2, threads=1, save=False).checkers == 2


def test_results_that_no_game_has_are_not_scored() -> None:
    match = variants.VariantMatch(variants.get("tavla"))
    with pytest.raises(SettingError, match="at least a point"):
        match.add(variants.VariantResult("me", "gammon", -3))
    for wrong in (None, 5, "me"):
        with pytest.raises(TypeError, match="VariantResult"):
            match.add(wrong)  # type: ignore[arg-type]
    assert match.score == (0, 0)


def test_positions_of_games_nested_too_deep_are_refused() -> None:
    with pytest.raises(GammonError, match="is no JSON"):
        variants.parse('{"a":' * 50_000)
    with pytest.raises(TypeError, match="a gammon-id or a JSON text"):
        variants.parse(None)  # type: ignore[arg-type]
