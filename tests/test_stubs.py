"""The stub says what the built extension has, name by name and signature by signature."""

import subprocess
import sys
from pathlib import Path

import pytest

import gammon
from gammon import _native


def test_the_stub_matches_the_extension(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "gammon._native"],
        capture_output=True,
        text=True,
        cwd=tmp_path,  # where nothing but the installed package is called gammon
    )
    assert found.returncode == 0, found.stdout


def test_everything_in_the_extension_can_be_reached_from_the_package() -> None:
    hidden = {  # have a Python face
        "active_rows",
        "cube_decision",
        "cube_decisions",
        "cube_matrix",
        "cube_points",
        "evaluate_with",
        "label_games",
        "race_count_columns",
        "race_counts",
        "random_numbers",
        "rank_at_scores",
        "rank_plays",
        "rank_rolls",
        "roll_out",
        "rolls",
        "roll_out_many",
        "seeded_throw",
        "search_cube",
        "search_cubes",
        "search_values",
        "StopFlag",
        "VariantRules",
        "VariantState",
        "variant_choices",
        "variant_duel",
        "variant_numbers",
        "variant_prizes",
    }
    public = {name for name in _native.__all__ if not name.startswith("_")}
    modules = (
        gammon,
        gammon.bearoff,
        gammon.cube,
        gammon.met,
        gammon.errors,
        gammon.evaluators,
        gammon.hypergammon,
        gammon.rollout,
        gammon.search,
        gammon.training,
    )
    reachable = {name for module in modules for name in module.__all__}
    assert public - hidden <= reachable


@pytest.mark.parametrize("name", gammon.__all__)
def test_public_names_exist_and_say_what_they_are(name: str) -> None:
    value = getattr(gammon, name)
    if callable(value):
        assert value.__doc__
