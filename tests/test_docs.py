"""Every example in the documents and docstrings runs and shows what it says."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import gammon

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = [
    "gammon",
    "gammon.bearoff",
    "gammon.evaluators",
    "gammon.rollout",
    "gammon.training",
    "gammon.viz._svg",
]
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


def test_the_picture_in_the_readme_is_drawn_by_this_version() -> None:
    position = gammon.Position.start().play("8/5 6/5", "31").after.play("24/18 13/11", "62").after
    assert (ROOT / "docs" / "board.svg").read_text() == gammon.viz.svg(position)
    assert position.id in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
