"""Pictures of positions: what is in them, and where."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ElementTree
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from commands import run, run_json
from gammon import Position, Situation, viz
from gammon.analysis import analyse
from gammon.errors import IllegalPlayError, ParseError, SettingError
from gammon.match import Engine, IllegalPlay, Match, play_match

SVG = "{http://www.w3.org/2000/svg}"
MATCH = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10"
TOP_ON_ROLL = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:2:4:0:7:10"
DOUBLED = "XGID=aFBB--------------bbbcc--A:1:1:1:D:2:4:0:7:10"


def drawn(position: Any, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(viz.svg(position, **options))


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def numbers(root: ElementTree.Element) -> dict[int, tuple[float, float]]:
    """Where each point's number stands."""
    found = {}
    for group in root.findall(f"{SVG}g"):
        if group.get("font-size") == "12":
            for text in group:
                found[int(text.text or "")] = (float(text.get("x", "")), float(text.get("y", "")))
    return found


def checkers(root: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    group = next(group for group in root.findall(f"{SVG}g") if group.get("class") == name)
    return [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in group.iter(f"{SVG}circle")]


def on_points(root: ElementTree.Element, name: str) -> dict[int, int]:
    """How many checkers of a colour are drawn in the column of each number."""
    middle = float(root.get("height", "")) / 2
    columns = {(x, y > middle): point for point, (x, y) in numbers(root).items()}
    found: dict[int, int] = {}
    for x, y in checkers(root, name):
        point = columns[x, y > middle]
        found[point] = found.get(point, 0) + 1
    return found


@pytest.mark.parametrize("home", ["right", "left"])
@pytest.mark.parametrize("perspective", get_args(viz.Perspective))
@pytest.mark.parametrize("id", ["start", MATCH, TOP_ON_ROLL])
def test_checkers_stand_where_the_numbers_say(id: str, perspective: str, home: str) -> None:
    """The checkers of the player on roll stand on the points that have his numbers, wherever he sits."""
    root = drawn(id, perspective=perspective, home=home)
    mine = "dark" if perspective == "absolute" and id == TOP_ON_ROLL else "light"
    assert on_points(root, mine) == {6: 5, 8: 3, 13: 5, 24: 2}
    assert on_points(root, "light" if mine == "dark" else "dark") == {19: 5, 17: 3, 12: 5, 1: 2}


def test_numbers_turn_with_the_player_on_roll_or_stay_or_are_left_out() -> None:
    turning = numbers(drawn(TOP_ON_ROLL, perspective="absolute"))
    staying = numbers(drawn(TOP_ON_ROLL, perspective="absolute", numbers="bottom"))
    assert {25 - point: place for point, place in turning.items()} == staying
    assert numbers(drawn(TOP_ON_ROLL, numbers="none")) == {}
    mirrored = numbers(drawn(TOP_ON_ROLL, home="left", perspective="absolute"))
    width = float(drawn(TOP_ON_ROLL).get("width", ""))
    assert mirrored == {point: (width - x, y) for point, (x, y) in turning.items()}


def test_who_is_at_the_bottom() -> None:
    names = ("Anna", "Bo")
    below = {
        (shown, perspective): texts(drawn(shown, perspective=perspective, names=names, numbers="none"))
        for shown, perspective in product((MATCH, TOP_ON_ROLL, DOUBLED), get_args(viz.Perspective))
    }
    starts = {
        key: next(text for text in found if "Anna" in text or "Bo" in text) for key, found in below.items()
    }
    above = {key: text.split(" ")[0] for key, text in starts.items()}  # the strip above comes first
    assert above == {
        (MATCH, "roller"): "Anna",
        (MATCH, "decider"): "Anna",
        (MATCH, "absolute"): "Anna",
        (TOP_ON_ROLL, "roller"): "Bo",
        (TOP_ON_ROLL, "decider"): "Bo",
        (TOP_ON_ROLL, "absolute"): "Anna",
        (DOUBLED, "roller"): "Anna",
        (DOUBLED, "decider"): "Bo",
        (DOUBLED, "absolute"): "Anna",
    }


def test_score_pips_and_what_is_to_be_done_are_written() -> None:
    found = texts(drawn(MATCH, names=("Anna", "Bo"), numbers="none"))
    assert found == ["2", "Anna · 4 of 7 · 167 pips", "Bo · 2 of 7 · 167 pips", "match to 7", "31 to play"]
    assert texts(drawn(MATCH, pips=False, numbers="none"))[1:3] == ["4 of 7", "2 of 7"]
    assert texts(drawn("start", pips=False, numbers="none")) == []
    crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:4:1:7:10"
    assert "match to 7, Crawford" in texts(drawn(crawford))
    assert "double to 4: dark to answer" in texts(drawn(DOUBLED))
    assert "double to 4: light to answer" in texts(drawn(DOUBLED, perspective="decider"))
    for perspective in get_args(viz.Perspective):
        named = texts(drawn(DOUBLED, names=("Anna", "Bo"), perspective=perspective))
        assert "double to 4: Anna to answer" in named
    assert f"double to 4: {'A' * 15}… to answer" in texts(drawn(DOUBLED, names=("A" * 40, "B")))
    resigned = Situation.from_parts("start", length=3, offer="resign-gammon", to_act="opponent")
    assert "a gammon offered: dark to answer" in texts(drawn(resigned))


def cube_of(position: Any, **options: Any) -> tuple[str, float, float]:
    root = drawn(position, **options)
    group = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "cube")
    text = group.find(f"{SVG}text")
    assert text is not None
    height, width = float(root.get("height", "")), float(root.get("width", ""))
    return text.text or "", float(text.get("x", "")) / width, float(text.get("y", "")) / height


def test_the_cube_lies_where_it_belongs() -> None:
    value, x, y = cube_of(MATCH)
    assert value == "2"
    assert x < 0.1
    assert y > 0.8
    assert cube_of(TOP_ON_ROLL, perspective="absolute")[2] < 0.2
    assert cube_of(TOP_ON_ROLL)[2] > 0.8
    assert cube_of(MATCH, home="left")[1] > 0.9
    centred = cube_of("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10")
    assert centred[0] == "64"
    assert 0.45 < centred[2] < 0.55
    offered = cube_of(DOUBLED, perspective="decider")
    assert offered[0] == "4"
    assert 0.3 < offered[1] < 0.8
    assert not [group for group in drawn("start").iter(f"{SVG}g") if group.get("class") == "cube"]


@pytest.mark.parametrize("roll", [f"{high}{low}" for high in range(1, 7) for low in range(1, high + 1)])
def test_dice_show_their_spots(roll: str) -> None:
    root = drawn(Situation.from_parts("start", roll=roll))
    dice = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "dice")
    assert [(path.get("d") or "").count("M") for path in dice.iter(f"{SVG}path")] == [
        int(die) for die in roll
    ]


def test_stacks_over_five_have_a_digit_and_checkers_off_lie_in_the_tray() -> None:
    position = Position.from_points({1: 7, 2: 5, "bar": 1}, {6: 9, 4: 2})
    root = drawn(position)
    groups = {group.get("class"): group for group in root.findall(f"{SVG}g")}
    light, dark = groups["light"], groups["dark"]
    assert [text.text for text in light.iter(f"{SVG}text")] == ["7"]
    assert [text.text for text in dark.iter(f"{SVG}text")] == ["9"]
    assert len(list(light.iter(f"{SVG}circle"))) == 5 + 5 + 1
    assert len(list(light.iter(f"{SVG}rect"))) == 2
    assert len(list(dark.iter(f"{SVG}rect"))) == 4


def arrow_ends(root: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    """The tips of the arrows of a quality."""
    tips = []
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == f"arrow {name}":
            head = list(group.iter(f"{SVG}path"))[-1].get("d", "")
            x, y = re.findall(r"-?[\d.]+", head)[:2]
            tips.append((float(x), float(y)))
    return tips


@pytest.mark.parametrize("home", ["right", "left"])
@pytest.mark.parametrize("perspective", get_args(viz.Perspective))
@pytest.mark.parametrize(
    ("id", "play", "targets"),
    [(MATCH, "8/5 6/5", [5, 5]), (MATCH, "24/20", [20]), (TOP_ON_ROLL, "24/18 13/10", [18, 10])],
)
def test_arrows_end_on_their_points(
    id: str, play: str, targets: list[int], perspective: str, home: str
) -> None:
    root = drawn(id, arrows=[(play, "best")], perspective=perspective, home=home)
    places = numbers(root)
    middle = float(root.get("height", "")) / 2
    for (x, y), target in zip(arrow_ends(root, "best"), targets, strict=True):
        assert x == pytest.approx(places[target][0], abs=1)
        assert (y > middle) == (places[target][1] > middle)


def test_two_checkers_of_one_play_do_not_share_an_arrow() -> None:
    six_six = "XGID=-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:0:10"
    root = drawn(six_six, arrows=["24/18(2) 13/7(2)"])
    assert len(set(arrow_ends(root, "plain"))) == 4
    hit = Situation.from_parts(Position.from_points({6: 2, 24: 1}, {7: 1, 6: 2}), roll="61")
    through = drawn(hit, arrows=["24/18*/17"])
    (group,) = [group for group in through.iter(f"{SVG}g") if group.get("class") == "arrow plain"]
    shaft = group.find(f"{SVG}path")
    assert shaft is not None
    assert len(re.findall("[ML]", shaft.get("d", ""))) == 3  # by way of the blot that is hit
    tray = drawn(Situation.from_parts(Position.from_points({1: 2}, {6: 2}), roll="21"), arrows=["1/off(2)"])
    for x, _ in arrow_ends(tray, "plain"):
        assert x == pytest.approx(float(tray.get("width", "")) - 43, abs=4)


def test_qualities_have_colours_that_differ() -> None:
    for theme in viz.THEMES.values():
        root = viz.svg(MATCH, arrows=[("24/20", quality) for quality in get_args(viz.Quality)], theme=theme)
        looks = set(re.findall(r'stroke="(\S+)" stroke-width="5"( stroke-dasharray="[\d ]+")?', root))
        assert len(looks) >= 5, theme


def test_illegal_plays_of_files_have_arrows_too() -> None:
    start = Position.start()
    play = IllegalPlay(start, start, Situation(MATCH).roll, ((24, 1), (3, 30), (0, 5)), "24/1", "no")  # type: ignore[arg-type]
    assert len(arrow_ends(drawn(MATCH, arrows=[(play, "bad")]), "bad")) == 1


@pytest.mark.parametrize("theme", list(viz.THEMES))
def test_themes_use_only_their_colours(theme: Any) -> None:
    used = set(re.findall(r"#[0-9a-fA-F]{3,6}\b", viz.svg(MATCH, theme=theme, arrows=["8/5 6/5"])))
    known = set(dataclasses.asdict(viz.THEMES[theme]).values())
    assert used <= known
    assert len(used) >= 4


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", list(viz.THEMES))
def test_what_is_written_can_be_read(theme: str) -> None:
    colours = viz.THEMES[theme]
    for ink, paper in (
        ("frame_ink", "frame"),
        ("light_ink", "light"),
        ("dark_ink", "dark"),
        ("cube_ink", "cube"),
        ("ink", "paper"),
    ):
        assert contrast(getattr(colours, ink), getattr(colours, paper)) >= 4.5, (theme, ink)
    assert contrast(colours.light, colours.dark) >= 7
    for ink in ("best", "good", "doubtful", "bad", "very_bad", "first", "second"):
        assert contrast(getattr(colours, ink), colours.paper) >= 3, (theme, ink)


def test_the_words_say_what_the_picture_shows() -> None:
    root = drawn(DOUBLED, names=("Anna", "Bo"), perspective="decider")
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert words is not None
    assert title.text == "Backgammon position, match to 7"
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {words.get('id')}"
    assert "Anna, light checkers, at the bottom: 1 on the bar, 2 on 7, 2 on 6, 2 on 5" in (words.text or "")
    assert "The cube is offered at 4 to the player at the bottom" in (words.text or "")
    assert "Bo is on roll" in (words.text or "")
    other = drawn("start", title="A <start>").find(f"{SVG}title")
    assert other is not None
    assert other.text == "A <start>"


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\"&'", "a\x00b\x1f", "\ud800", "]]>", "中村 Ångström"]
)
def test_names_are_only_ever_text(name: str) -> None:
    root = drawn(MATCH, names=(name, name))
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "g", "rect", "circle", "path", "text", "title", "desc")
    }
    viz.svg(MATCH, names=(name, name)).encode()
    long = texts(drawn(MATCH, names=("x" * 200, "")))
    assert max(map(len, long)) < 60


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"theme": "pink"}, SettingError),
        ({"perspective": "mine"}, SettingError),
        ({"home": "up"}, SettingError),
        ({"numbers": 3}, SettingError),
        ({"names": ("a",)}, SettingError),
        ({"names": "ab"}, SettingError),
        ({"names": (1, 2)}, SettingError),
        ({"theme": []}, SettingError),
        ({"arrows": [("8/5 6/5", "best", 1)]}, SettingError),
        ({"arrows": [3]}, TypeError),
        ({"arrows": [("8/5 6/5", "superb")]}, SettingError),
        ({"arrows": ["8/2"]}, IllegalPlayError),
        ({"arrows": ["nonsense"]}, ParseError),
        ({"title": 3}, SettingError),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        viz.svg(MATCH, **options)


def test_arrows_of_a_text_need_dice() -> None:
    with pytest.raises(SettingError, match="dice"):
        viz.svg("start", arrows=["8/5 6/5"])
    play = Position.start().play("8/5 6/5", "31")
    assert viz.svg("start", arrows=[play]).count('class="arrow plain"') == 2


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    content = viz.png(MATCH, scale=1)
    assert content.startswith(b"\x89PNG")
    root = drawn(MATCH)
    size = tuple(int.from_bytes(content[i : i + 4], "big") for i in (16, 20))
    assert size == (int(root.get("width", "")), int(root.get("height", "")))
    viz.save(tmp_path / "x.PNG", MATCH, scale=1, theme="dark")
    assert (tmp_path / "x.PNG").read_bytes() != content
    for scale in (0, -1, 11, float("nan"), "2"):
        with pytest.raises(SettingError, match="scale"):
            viz.png("start", scale=scale)  # type: ignore[arg-type]


def test_png_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'gammon\[png\]'"):
        viz.png("start")


def test_saving_goes_by_the_ending(tmp_path: Path) -> None:
    viz.save(tmp_path / "a.svg", MATCH, theme="print")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == viz.svg(MATCH, theme="print")
    viz.save(tmp_path / "a.txt", MATCH)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8").rstrip() == Situation(MATCH).draw().rstrip()
    with pytest.raises(SettingError, match="has no theme"):
        viz.save(tmp_path / "b.txt", MATCH, theme="dark")
    with pytest.raises(SettingError, match=r"\.gif"):
        viz.save(tmp_path / "b.gif", MATCH)
    assert not (tmp_path / "b.gif").exists()


# The command.


def test_board_writes_pictures(tmp_path: Path) -> None:
    options = ["--theme", "dark", "--home", "left", "--names", "Anna", "Bo", "--arrow", "8/5 6/5=best"]
    run("board", MATCH, "-o", tmp_path / "x.svg", *options)
    expected = viz.svg(MATCH, theme="dark", home="left", names=("Anna", "Bo"), arrows=[("8/5 6/5", "best")])
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == expected
    assert run("board", MATCH, "--svg", *options).stdout == expected
    run("board", MATCH, "-o", tmp_path / "x.txt")
    assert "X to play 31" in (tmp_path / "x.txt").read_text(encoding="utf-8")
    told = run_json("board", MATCH, "-o", tmp_path / "x.svg", "--force", *options)
    assert told == {"id": "4HPwATDgc/ABMA", "xgid": MATCH, "file": str(tmp_path / "x.svg")}
    assert run_json("board", MATCH, "--svg", *options)["svg"] == expected
    for wrong in (
        ["-o", tmp_path / "x.gif"],
        ["-o", tmp_path / "none" / "x.svg"],
        ["--svg", "--arrow", "8/2"],
        ["--svg", "--theme", "pink"],
        ["--theme", "dark"],
        ["-o", tmp_path / "y.txt", "--no-pips"],
        ["-o", tmp_path / "y.txt", "--svg"],
        ["-o", tmp_path / "y.svg", "--scale", "3"],
    ):
        found = run("board", MATCH, *wrong, code=2)
        assert found.stderr.startswith("gammon: "), wrong
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.svg", "x.txt"]


def test_board_replaces_a_file_only_if_told(tmp_path: Path) -> None:
    for name in ("mine.svg", "mine.png", "mine.txt"):
        mine = tmp_path / name
        mine.write_text("mine", encoding="utf-8")
        assert f"{mine} exists: say --force" in run("board", "start", "-o", mine, code=2).stderr
        assert mine.read_text(encoding="utf-8") == "mine"
    run("board", "start", "-o", tmp_path / "mine.txt", "--force")
    assert "mine" not in (tmp_path / "mine.txt").read_text(encoding="utf-8")


def test_pictures_are_of_positions() -> None:
    match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine()))
    decision = analyse(match, plies=0, luck=False).decisions[0]
    with pytest.raises(TypeError, match=r"got Decision \(its \.id is one\)"):
        viz.svg(decision)  # type: ignore[arg-type]
    for wrong in (None, 5, b"start"):
        with pytest.raises(TypeError, match="expected a Position, a Situation or an identifier"):
            viz.svg(wrong)  # type: ignore[arg-type]


def test_board_says_which_package_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = 'raise ModuleNotFoundError("No module named resvg_py", name="resvg_py")\n'
    (tmp_path / "resvg_py.py").write_text(missing, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = run("board", "start", "-o", tmp_path / "x.png", code=2)
    assert found.stderr.strip() == "gammon: PNG pictures need the package resvg-py: pip install 'gammon[png]'"
    assert not (tmp_path / "x.png").exists()
