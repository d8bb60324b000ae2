"""The stub says what the built extension has, name by name and signature by signature."""

import subprocess
import sys
from pathlib import Path

import gammon
import pytest
from gammon import _native


def test_the_stub_matches_the_extension() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "gammon._native"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,  # where nothing but the installed package is called gammon
    )
    assert found.returncode == 0, found.stdout


def test_everything_in_the_extension_can_be_reached_from_the_package() -> None:
    hidden = {"evaluate_with"}
    public = {name for name in _native.__all__ if not name.startswith("_")}
    reachable = set(gammon.__all__) | set(gammon.errors.__all__)
    assert public - hidden <= reachable


@pytest.mark.parametrize("name", gammon.__all__)
def test_public_names_exist_and_say_what_they_are(name: str) -> None:
    value = getattr(gammon, name)
    if callable(value):
        assert value.__doc__
