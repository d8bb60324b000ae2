"""Every example in the documents and docstrings runs and shows what it says."""

import ast
import doctest
import importlib
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gammon
from gammon import _native

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "variants").glob("*.md")),
]
MODULES = [
    "gammon",
    "gammon.analysis",
    "gammon.analysis._run",
    "gammon.analysis._settings",
    "gammon.anki",
    "gammon.bearoff",
    "gammon.evaluators",
    "gammon.formats",
    "gammon.formats._use",
    "gammon.hypergammon",
    "gammon.match",
    "gammon.match._clock",
    "gammon.match._dice",
    "gammon.match._game",
    "gammon.match._players",
    "gammon.match._playing",
    "gammon.match._rules",
    "gammon.match._series",
    "gammon.patterns",
    "gammon.patterns._files",
    "gammon.patterns._find",
    "gammon.patterns._language",
    "gammon.rollout",
    "gammon.rollout._many",
    "gammon.rollout._report",
    "gammon.rollout._run",
    "gammon.rollout._settings",
    "gammon.rollout._trace",
    "gammon.search",
    "gammon.strength",
    "gammon.strength._agreement",
    "gammon.strength._duel",
    "gammon.strength._openings",
    "gammon.strength._phases",
    "gammon.strength._reference",
    "gammon.strength._report",
    "gammon.strength._specs",
    "gammon.training",
    "gammon.ubgi",
    "gammon.variants",
    "gammon.variants._evaluate",
    "gammon.variants._game",
    "gammon.variants._matches",
    "gammon.variants._position",
    "gammon.viz",
    "gammon.viz._files",
    "gammon.viz._markup",
    "gammon.viz._points",
    "gammon.viz._report",
    "gammon.viz._svg",
    "gammon.viz.plots",
]
STUB = Path(_native.__file__).with_name("_native.pyi")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_of_documents(document: Path) -> None:
    failed, _ = doctest.testfile(str(document), module_relative=False, optionflags=OPTIONS, encoding="utf-8")
    assert failed == 0


def test_the_readme_shows_five_examples() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("```python") >= 5


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, globs={}, optionflags=OPTIONS)
    assert failed == 0
    assert tried > 0


def documented() -> dict[str, str]:
    """Every docstring of the extension, by the name of what it is about."""
    found = {}
    for name in _native.__all__:
        value = getattr(_native, name)
        found[name] = value.__doc__
        if isinstance(value, type):
            members = {member: getattr(value, member) for member in vars(value) if member[0] != "_"}
            found.update({f"{name}.{member}": thing.__doc__ for member, thing in members.items()})
    return {name: text for name, text in found.items() if text}


@pytest.mark.parametrize("name", [name for name, text in documented().items() if ">>>" in text])
def test_examples_of_the_extension(name: str) -> None:
    example = doctest.DocTestParser().get_doctest(inspect.cleandoc(documented()[name]), {}, name, None, None)
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(example).failed == 0


LONG = ["from_points", "from_board", "from_id", "from_xgid", "from_fibs", "plays", "play", "steps", "random"]
HELPFUL = [
    *("expand", "features", "shots", "perft", "random_games", "parse", "RolloutPart"),
    *("Features.to_dict", "RandomGames.to_dict", "Situation.to"),
    *(f"Position.{name}" for name in LONG),
]


@pytest.mark.parametrize("name", HELPFUL)
def test_help_is_what_the_stub_says_with_an_example(name: str) -> None:
    tree: ast.Module | ast.ClassDef | ast.FunctionDef = ast.parse(STUB.read_text(encoding="utf-8"))
    for part in name.split("."):
        kinds = (ast.ClassDef, ast.FunctionDef)
        tree = next(node for node in tree.body if isinstance(node, kinds) and node.name == part)
    text = inspect.cleandoc(documented()[name])
    assert text == ast.get_docstring(tree)
    assert ">>>" in text


def test_modules_show_what_they_offer() -> None:
    for module in (gammon, gammon.bearoff, gammon.cube, gammon.match, gammon.met, gammon.rollout, gammon.viz):
        assert set(dir(module)) == set(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)


def test_the_pictures_in_the_documents_are_drawn_by_this_version() -> None:
    both = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:4:0:7:10"
    arrows: list[gammon.viz.Arrow] = [("8/5 6/5", "best"), ("24/20", "bad")]
    seen: dict[str, tuple[str, gammon.viz.BoardOptions]] = {
        "light": (both, {"arrows": arrows, "names": ("Anna", "Bo")}),
        "dark": (
            "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:2:4:0:7:10",
            {"theme": "dark", "perspective": "absolute", "home": "left", "arrows": ["24/18 13/10"]},
        ),
        "print": (
            "XGID=aFBB--------------bbbcc--A:1:1:1:D:2:4:0:7:10",
            {"theme": "print", "perspective": "decider"},
        ),
    }
    for name, (shown, options) in seen.items():
        picture = ROOT / "docs" / "pictures" / f"{name}.svg"
        assert picture.read_text(encoding="utf-8") == gammon.viz.svg(shown, **options), name


def test_the_first_script_of_the_readme(tmp_path: Path) -> None:
    """As a user runs it from a checkout: it prints five boards and writes a report."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- script: first -->\n```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    script = found[1]
    assert len(script.splitlines()) < 15
    (tmp_path / "tests" / "data").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "data" / "example.mat", tmp_path / "tests" / "data")
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.count("|BAR|") == 5
    assert done.stdout.count(" lost 0.") == 5
    assert (tmp_path / "example.html").read_text(encoding="utf-8").count("<article") >= 5


def test_the_picture_in_the_readme_is_drawn_by_this_version() -> None:
    position = gammon.Position.start().play("8/5 6/5", "31").after.play("24/18 13/11", "62").after
    assert (ROOT / "docs" / "board.svg").read_text() == gammon.viz.svg(position)
    assert position.id in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
