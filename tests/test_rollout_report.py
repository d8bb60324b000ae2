"""How a rollout went: points of its curve, drawn as SVG, as text, and on a page of its own."""

import html
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from gammon import Net, Situation, rollout, variants
from gammon.rollout import Settings, Trace

SHORT = Settings(trials=720, truncate=2, opening=False)


@pytest.fixture(scope="module")
def net_file(small_net: Net, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("net") / "a.net"
    small_net.save(file)
    return file


def traced(net: Net) -> tuple[rollout.Comparison, Trace]:
    trace = Trace()
    found = rollout.compare("start", "31", ["8/5 6/5", "24/20"], SHORT, evaluator=net, progress=trace)
    trace(found.part)
    return found, trace


def test_a_trace_ends_with_what_was_found(small_net: Net) -> None:
    found, trace = traced(small_net)
    assert list(trace.curves) == [one.play.after.id for one in found.plays]
    for one, points in zip(found.plays, trace.curves.values(), strict=True):
        assert [point.trials for point in points] == sorted({point.trials for point in points})
        last = points[-1]
        assert (last.trials, last.mean, last.error) == (720, one.equity.mean, one.equity.error)
        assert last.band == pytest.approx(one.equity.interval)


def test_however_long_it_is_few_points_are_kept(small_net: Net) -> None:
    trace = Trace()
    parts = [
        rollout.run("start", Settings(trials=trials, truncate=1, opening=False), evaluator=small_net).part
        for trials in (36, 72, 108)
    ]
    for part in parts:
        trace(part)
    assert [point.trials for point in trace.curves[parts[0].subject.positions[0].id]] == [36, 72, 108]
    longer = Trace()
    part = parts[0]
    for first in range(36, 36 * 700, 36):
        more = Settings(trials=36, first=first, truncate=1, opening=False, luck="off")
        if first == 36:
            part = rollout.run("start", more, evaluator=small_net).part
        else:
            part = part.merge(rollout.run("start", more, evaluator=small_net).part)
        longer(part)
    (points,) = longer.curves.values()
    assert len(points) < 300
    assert points[-1].trials == part.trials


def test_pictures_can_be_read(small_net: Net) -> None:
    found, trace = traced(small_net)
    labels = {one.play.after.id: str(one.play) for one in found.plays}
    picture = ET.fromstring(trace.svg({**labels, found.plays[0].play.after.id: "<a> & b"}))
    svg = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f"{svg}polygon")) == len(picture.findall(f"{svg}polyline")) == 2
    assert "<a> & b" in [element.text for element in picture.iter(f"{svg}text")]
    text = trace.text(labels)
    assert "1: 8/5 6/5" in text
    assert "720 trials" in text
    assert max(map(len, text.splitlines())) <= 72
    assert ET.fromstring(Trace().svg()).tag == f"{svg}svg"
    assert Trace().text() == "Nothing to draw yet."


def test_a_page_needs_nothing_else(small_net: Net) -> None:
    found, trace = traced(small_net)
    single = rollout.run("start", SHORT, evaluator=small_net)
    decision = rollout.decide("start", Settings(trials=36, truncate=2), evaluator=small_net)
    for one, picture in ((found, trace), (single, None), (decision, None)):
        page = rollout.page(one, picture, title="A <rollout>")
        assert "A &lt;rollout&gt;" in page
        assert not re.search(r'(src|href)="', page)
        assert re.findall(r"https?://[^\"' ]+", page) == ["http://www.w3.org/2000/svg"] * page.count("<svg")
        assert one.evaluator in page
    assert "8/5 6/5" in rollout.page(found)


def test_the_page_of_a_comparison_shows_what_counts(small_net: Net) -> None:
    match = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:4:0:7:10"
    few = Settings(trials=36, truncate=1)

    def page(*, cube: bool) -> tuple[rollout.Comparison, str]:
        found = rollout.compare(match, "31", ["8/5 6/5", "24/20"], few, evaluator=small_net, cube=cube)
        return found, rollout.page(found)

    found, text = page(cube=True)
    thrown = Situation(match.replace(":00:", ":31:"))
    assert thrown._repr_svg_() in text
    assert "Not used" not in text
    gap = found.best.ahead_of(found.ranked[1])
    assert f"<td>{-gap.mean:+.4f} ± {gap.error:.4f}</td>" in text
    assert gap.mean > 0
    _, text = page(cube=False)
    assert Situation.from_parts(thrown.position, roll="31")._repr_svg_() in text
    assert "<p>Not used: the score, the cube at 2.</p>" in text
    single = rollout.page(rollout.run(thrown, few, cube=True, evaluator=small_net))
    assert Situation(match)._repr_svg_() in single
    assert "<p>Not used: the dice 31.</p>" in single


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gammon", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "120"})


def test_the_command_writes_a_page_and_draws(net_file: Path, tmp_path: Path) -> None:
    page = tmp_path / "rollout.html"
    quick = ("--trials", 72, "--truncate", 2, "--net", net_file)
    done = run(
        "rollout", "start", "--roll", "31", "--plays", "8/5 6/5, 24/20", *quick, "--html", page, "--plot"
    )
    assert done.returncode == 0, done.stderr
    assert "72 trials" in done.stdout
    assert "<polyline" in page.read_text()
    assert "<h1>Rollout of 31 in start</h1>" in page.read_text()
    wrong = run("rollout", "start", *quick, "--html", tmp_path / "no" / "such.html")
    assert wrong.returncode == 2
    assert "such.html" in wrong.stderr


def test_the_command_writes_and_draws_other_games(tmp_path: Path) -> None:
    page = tmp_path / "rollout.html"
    quick = ("--trials", 72, "--truncate", 2, "--variant", "plakoto", "--html", page)
    done = run("rollout", "start", "--roll", "62", "--plays", "24/18 24/22, 24/18 18/16", *quick, "--plot")
    assert done.returncode == 0, done.stderr
    start = variants.get("plakoto").start
    text = page.read_text(encoding="utf-8")
    assert "<h1>Rollout of 62 in start (plakoto)</h1>" in text
    assert html.escape(start.draw()) in text
    assert text.count("<polyline") == 2
    assert all(f">{play}</text>" in text for play in ("24/18 24/22", "24/18 18/16"))
    assert "1: 24/18 24/22\n  2: 24/18 18/16\n" in done.stdout
    again = run("rollout", "start", *quick)
    assert (again.returncode, again.stdout) == (2, "")
    assert "say --force" in again.stderr
    assert run("rollout", "start", *quick, "--force").returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "<h1>Rollout of start (plakoto)</h1>" in text
    assert text.count("<polyline") == 1
    assert run("rollout", "start", *quick, "--force", "--drop", 3).returncode == 2


def test_the_command_rolls_out_a_file(net_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_text(
        "\ufeff# two\n4HPwATDgc/ABMA\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", encoding="utf-8"
    )
    quick = ("--trials", 36, "--truncate", 2, "--net", net_file)
    done = run("rollout", file, *quick)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2
    as_json = run("rollout", file, *quick, "--json", "--cube")
    assert as_json.stdout.count('"cubeful"') == 2
    assert run("rollout", file, *quick, "--plays", "24/20").returncode == 2


def test_results_are_as_the_schema_says(small_net: Net) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[1] / "docs" / "gammon-rollout.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    found, _ = traced(small_net)
    few = Settings(trials=36, truncate=2)
    results: list[rollout.Result | rollout.Comparison | rollout.CubeResult] = [
        found,
        rollout.run("start", few, evaluator=small_net),
        rollout.run("start", Settings(trials=1), evaluator=small_net, cube=True),
        rollout.decide("start", few, evaluator=small_net),
        rollout.compare("start", "31", ["24/20"], few, evaluator=small_net),
    ]
    of_another_game = rollout.run(variants.get("fevga").start, few).to_dict()
    assert {"variant", "options"} <= set(schema["properties"]) & set(of_another_game)
    check.validate(json.loads(json.dumps(of_another_game)))
    for one in results:
        plain = json.loads(json.dumps(one.to_dict()))
        check.validate(plain)
        assert plain["settings"]["one_look_in"] == 3
        with pytest.raises(jsonschema.ValidationError):
            check.validate({name: value for name, value in plain.items() if name != "seed"})
