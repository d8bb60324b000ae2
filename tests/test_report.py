"""Reports of matches: what is in them, that it is only ever text, and that they need nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from commands import run, run_json
from gammon import formats, viz
from gammon.analysis import Analysis, analyse
from gammon.errors import SettingError
from gammon.match import CubeAction, Engine, Match, Session, play_match
from gammon.viz._points import course, error_counts, swings, ticks
from random_matches import random_player

EVIL = "<script>alert(1)</script>\"'&\x00"
VOID = {"meta", "br", "input", "link", "img", "hr"}


class Page(HTMLParser):
    """The elements of a page, each with the texts in it; whatever is not closed in order is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.of: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), "an attribute given twice"
        if tag not in VOID:
            self.open.append(tag)
            self.of.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        for tag in set(self.open):
            self.of[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def match() -> Match:
    """A match of several games by weak players, with comments of all kinds."""
    match = Match(5, (EVIL, "Bo & Co"), seed=4)
    match.event, match.comment = f"Event {EVIL}", f"Of the match {EVIL}"
    play_match(match, (Engine(noise=0.1, seed=1), Engine(noise=0.05, seed=2)))
    for game in match.games:
        game.comment, game.closing_comment = f"Before {EVIL}", f"After {EVIL}"
        game._records = [replace(record, comment=f"Of the record {EVIL}") for record in game.records]
    return match


@pytest.fixture(scope="module")
def found(match: Match) -> Analysis:
    return analyse(match, plies=0)


@pytest.fixture(scope="module")
def page(found: Analysis, match: Match) -> Page:
    return Page(found.to_html(match))


def test_every_error_has_its_board_and_its_choices(found: Analysis, page: Page) -> None:
    articles = page.all("article")
    errors = found.errors(at_least=viz._report.LEAST)
    assert [float(article["data-error"] or "") for article in articles] == [
        pytest.approx(decision.error, abs=1e-6) for decision in errors
    ]
    assert len(articles) > 20
    assert [text for text in page.of["code"] if text.startswith("XGID=")] == [one.id for one in errors]
    for article, decision, text in zip(articles, errors, page.of["article"], strict=True):
        assert (article["data-kind"], article["data-player"]) == (decision.kind, str(decision.player))
        assert f"{decision.made.name}; better {decision.best.name}" in text
        for choice in decision.choices:
            assert f"{choice.equity:+.3f}" in text
    used = page.all("use")
    assert len(used) == len(articles)
    assert {use["href"] for use in used} == {"#board"}
    plays = [one for one in errors if one.kind == "play"]
    arrows = [one["class"] for one in page.all("g") if (one.get("class") or "").startswith("arrow")]
    assert arrows.count("arrow best") >= len(plays)


def test_the_numbers_are_those_of_the_analysis(found: Analysis, page: Page) -> None:
    summary = page.of["table"][0]
    for player in (0, 1):
        for rule in ("xg", "gnubg", "snowie"):
            assert f"{found.rating(player, rule).value:.2f}" in summary
        assert f"{found.totals(player).error:.3f}" in summary
        assert f"{found.luck_totals(player).equity:+.3f}" in summary
        assert f"{found.luck_adjusted(player):+.2%}" in summary
    assert f"after {len(found.games)} games" in "".join(page.of["header"])


def test_what_names_and_comments_hold_is_only_text(page: Page) -> None:
    assert len(page.all("script")) == 1
    assert page.all("b") == []
    handlers = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert handlers == []
    shown = "".join(page.texts)
    for part in ("Event ", "Of the match ", "Before ", "After ", "Of the record "):
        assert part + EVIL.replace("\x00", "\ufffd") in shown
    assert "\x00" not in shown


def test_a_page_asks_nothing_of_any_other(found: Analysis, match: Match) -> None:
    text = found.to_html(match)
    page = Page(text)
    assert not re.search(r"(?:src|srcset|action|@import|url\()\s*[=(]", text)
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        if "href" in attributes:
            assert (attributes["href"] or "").startswith("#")
    assert set(re.findall(r"https?://[^\"' <]+", text)) == {"http://www.w3.org/2000/svg"}
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    policy = next(one for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert f"'sha256-{digest}'" in (policy["content"] or "")
    assert "default-src 'none'" in (policy["content"] or "")


def test_links_and_names_fit_together(page: Page) -> None:
    names = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(set(names)) == len(names)
    targets = [attributes["href"] for _, attributes in page.elements if attributes.get("href")]
    assert {target[1:] for target in targets if target} <= {name for name in names if name}
    named = [one.get("aria-labelledby") or "" for _, one in page.elements if one.get("aria-labelledby")]
    assert {part for text in named for part in text.split()} <= set(names)


def test_a_page_can_be_used_by_everyone(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("title")) > 1
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for picture in page.all("svg"):
        assert picture.get("aria-hidden") == "true" or picture["role"] == "img"
    for head in page.all("th"):
        assert head.get("scope") in {"row", "col", "colgroup"}
    # Each control stands in a label.
    controls = len(page.all("select")) + len(page.all("input"))
    assert controls == len(page.all("label"))


def test_all_moves_are_told(match: Match, found: Analysis, page: Page) -> None:
    details = page.of["details"]
    assert len(details) == len(match.games)
    for game, text in zip(match.games, details, strict=True):
        for moment in game:
            if moment.record.kind == "play":
                assert f"{moment.record.roll}: {moment.record.play}" in text  # type: ignore[union-attr]
    folded = [text for text in page.of["td"] if text == "doubles"]
    doubles = [
        record
        for game in match.games
        for record in game.records
        if isinstance(record, CubeAction) and record.action == "double"
    ]
    assert len(folded) == len(doubles)


def test_a_session_and_an_analysis_alone() -> None:
    session = play_match(Session(("", ""), seed=3), (Engine(noise=0.1), Engine()), games=2)
    found = analyse(session, plies=0)
    page = Page(found.to_html())
    assert "seat 0 – seat 1, money session" in page.of["h1"]
    assert page.all("details") == []
    assert "match equity table" not in "".join(page.of["header"])
    whole = Page(found.to_html(session))
    assert len(whole.all("details")) == 2
    one = analyse(session.games[1], plies=0, luck=False)
    assert "Luckiest" not in "".join(Page(one.to_html(session.games[1])).texts)


@pytest.mark.parametrize("length", [0, 3])
def test_odd_matches_have_a_report_too(length: int) -> None:
    """Games of random plays, stopped, resigned and not begun; an analysis that was stopped."""
    series = Match(length) if length else Session()
    assert "No games." in analyse(series, plies=0).to_html(series)
    game = series.new_game()
    assert Page(analyse(series, plies=0).to_html(series)).all("article") == []
    game.roll("31", player=1)
    game.play("8/5 6/5")
    game.resign("gammon")
    game.accept()
    other = Match(length, seed=1) if length else Session(seed=1)
    play_match(other, (random_player(1), random_player(2)), games=None if length else 1)
    for played in (series, other):
        assert Page(analyse(played, plies=0).to_html(played)).all("h1")
    stopped = replace(analyse(other, plies=0), is_complete=False)
    assert "was stopped" in stopped.to_html(other)


def test_a_file_with_illegal_plays_has_a_report() -> None:
    path = Path(__file__).parent / "data" / "formats" / "illegal.mat"
    match = formats.read(path).matches[0]
    found = analyse(match, plies=0)
    text = "".join(Page(found.to_html(match)).texts)
    assert found.skipped
    assert "Not judged" in text
    assert "(illegal: " in text


def test_long_matches_are_files_of_a_sensible_size() -> None:
    match = Match(25, ("A", "B"), seed=9)
    play_match(match, (Engine(noise=0.08, seed=1), Engine(noise=0.08, seed=2)))
    found = analyse(match, plies=0)
    assert len(found.games) >= 10
    page = found.to_html(match)
    boards = page.count("<article")
    assert boards > 80
    assert len(page) < 250_000 + 6_000 * boards


def test_settings_are_checked(found: Analysis, match: Match) -> None:
    assert len(Page(found.to_html(least=0.1)).all("article")) == len(found.errors(at_least=0.1))
    assert Page(found.to_html(title="<T>")).of["h1"] == ["<T>"]
    with pytest.raises(SettingError, match="least"):
        found.to_html(least=0)
    with pytest.raises(SettingError, match="title"):
        found.to_html(title=3)
    with pytest.raises(SettingError, match="not the match"):
        found.to_html(Match(5))


# What the graphs show.


def test_the_course_of_a_match_is_that_of_its_decisions(found: Analysis) -> None:
    mine, theirs = course(found, 0), course(found, 1)
    assert len(mine) == len(found)
    for point, other, decision in zip(mine, theirs, found, strict=True):
        assert point.decision is decision
        assert point.before + other.before == pytest.approx(1)
        gone = point.before - point.after
        assert gone == pytest.approx(
            (decision.error_mwc or 0) * (1 if decision.player == 0 else -1), abs=1e-9
        )
    drawn = viz._charts.course_chart(found, viz.THEMES["light"])
    assert drawn.count('class="error"') == len(found.errors())
    line = re.search(r'<polyline points="([^"]+)"', drawn)
    assert line is not None
    assert len(line[1].split()) == 2 * len(found)
    assert drawn.count("doubled to") == sum(one.made.name == "double" for one in found)
    one_game = course(found, 0, 1)
    assert {point.decision.game for point in one_game} == {1}


def test_the_course_of_a_session_counts_points() -> None:
    session = play_match(Session(seed=3), (Engine(noise=0.1), Engine()), games=3)
    found = analyse(session, plies=0, luck=False)
    points = course(found, 1)
    assert abs(points[0].before) < 0.3
    last = next(point for point in reversed(points))
    assert last.after == pytest.approx(found.result[1], abs=0.7)
    with pytest.raises(SettingError, match="unit"):
        course(found, 0, unit="mwc")
    with pytest.raises(SettingError, match="seat"):
        course(found, 2)


def test_sizes_and_swings_add_up(found: Analysis) -> None:
    for player in (0, 1, None):
        assert sum(error_counts(found, player)) == len(found.errors(player, at_least=0.01))
        assert error_counts(found, player, [0.05, 0.1]) == [
            sum(0.05 <= one.error < 0.1 for one in found.errors(player)),
            sum(one.error >= 0.1 for one in found.errors(player)),
        ]
    with pytest.raises(SettingError, match="bounds"):
        error_counts(found, bounds=[0.2, 0.1])
    first, second = swings(found, 0), swings(found, 1)
    assert [one.luck for one in first] == [-one.luck for one in second]
    luck = [found.luck_totals(player).mwc or 0 for player in (0, 1)]
    assert sum(one.luck for one in first) == pytest.approx(luck[0] - luck[1])
    adjusted = found.luck_adjusted(0)
    assert adjusted == pytest.approx(found.result[0] - sum(one.luck for one in first))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 7), (0, 1e-12), (-1e6, 5), (0.2, 0.21)])
def test_marks_of_axes_cover_the_range(low: float, high: float) -> None:
    marks = ticks(low, high)
    assert marks[0] <= low + 1e-9
    assert marks[-1] >= high - 1e-9
    assert 2 <= len(marks) <= 9


# The command.


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for number in (1, 2):
        match = Match(1, ("A", "B"), seed=number)
        play_match(match, (Engine(noise=0.2), Engine()))
        formats.write(match, tmp_path / f"{number}.mat")
    return tmp_path


def test_analyze_writes_a_report(files: Path) -> None:
    target = files / "out.html"
    out = run("analyze", files / "1.mat", "--plies", 0, "--html", target).stdout
    assert f"report: {target}" in out
    match = formats.read(files / "1.mat").matches[0]
    assert target.read_text(encoding="utf-8") == analyse(match, plies=0).to_html(match)
    before = target.read_bytes()
    again = ("analyze", files / "2.mat", "--plies", 0, "--html", target)
    assert "say --force" in run(*again, code=2).stderr
    assert target.read_bytes() == before
    assert run_json(*again, "--force")["html"] == str(target)
    assert target.read_bytes() != before
    assert [path.name for path in files.iterdir() if path.suffix == ".part"] == []


def test_several_matches_have_a_page_each(files: Path) -> None:
    (files / "2.sgf").write_text("nothing of the kind", encoding="utf-8")
    formats.write(formats.read(files / "1.mat"), files / "1.sgf")
    run("analyze", files / "*.*", "--plies", 0, "--html", files / "pages", code=1)
    assert sorted(path.name for path in (files / "pages").iterdir()) == ["1-2.html", "1.html", "2.html"]
    run("analyze", files / "1.mat", files / "2.mat", "--plies", 0, "--html", files / "x.html")
    assert (files / "x.html").exists()
    assert (files / "x-2.html").exists()
    found = run("analyze", files / "1.mat", "--plies", 0, "--html", files / "pages", code=1)
    assert "say --force" in found.stderr


def test_html_is_refused_where_it_makes_no_sense(files: Path) -> None:
    assert "about matches" in run("analyze", "start", "--html", files / "x.html", code=2).stderr
    (files / "folder.html").mkdir()
    found = run("analyze", files / "1.mat", "--plies", 0, "--html", files / "folder.html", code=2)
    assert "is a folder" in found.stderr
    nowhere = run("analyze", files / "1.mat", "--plies", 0, "--html", files / "none" / "x.html", code=2)
    assert nowhere.stderr.startswith("gammon: ")


# In a browser.

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

CHANGE = """
const form = document.getElementById("filter");
const set = (name, value) => {
  form.elements[name].value = value;
  form.elements[name].dispatchEvent(new Event("change", { bubbles: true }));
};
set("least", "0.08");
set("sort", "order");
const other = form.querySelector("input[name=player][value='1']");
other.checked = false;
other.dispatchEvent(new Event("change", { bubbles: true }));
document.getElementById("theme").click();
"""


def in_browser(path: Path, fragment: str = "") -> Page:
    """The page as a browser has it after its script has run."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--dump-dom",
        path.as_uri() + fragment,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return Page(done.stdout)


def shown_in(page: Page) -> list[str | None]:
    return [article["id"] for article in page.all("article") if "hidden" not in article]


@pytest.mark.skipif(CHROMIUM is None, reason="the script of a page is tried in Chromium, which is not here")
def test_the_filters_do_what_they_say(found: Analysis, match: Match, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    text = found.to_html(match)
    path.write_text(text, encoding="utf-8")
    plain = in_browser(path)
    assert len(shown_in(plain)) == len(found.errors())
    assert plain.all("html")[0].get("data-theme") is None
    hidden = next(article for article in plain.all("article") if "hidden" in article)
    assert hidden["id"] in shown_in(in_browser(path, f"#{hidden['id']}"))
    # A script of somebody else's does not run; without the policy, one of ours changes the filters.
    more = text.replace("</body>", f"<script>{CHANGE}</script></body>")
    path.write_text(more, encoding="utf-8")
    assert shown_in(in_browser(path)) == shown_in(plain)
    path.write_text(re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", more), encoding="utf-8")
    changed = in_browser(path)
    expected = [one for one in found if one.player == 0 and one.error >= 0.08]
    listed = {one["id"]: one["data-error"] for one in changed.all("article")}
    assert [listed[name] for name in shown_in(changed)] == [f"{one.error:.6f}" for one in expected]
    assert f"{len(expected)} of {len(listed)} shown" in changed.of["output"]
    assert changed.all("html")[0]["data-theme"] == "dark"
