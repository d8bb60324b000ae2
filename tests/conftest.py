"""What several test files need."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon import Net, training


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rule-cases",
        action="append",
        default=[],
        metavar="FILE",
        help="A further file of rule cases, one JSON object a line (may be repeated).",
    )


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tables that tests and examples build go to a folder of this run, not to the user's cache."""
    before = os.environ.get("GAMMON_CACHE")
    folder = tmp_path_factory.mktemp("cache")
    os.environ["GAMMON_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["GAMMON_CACHE"]
    else:
        os.environ["GAMMON_CACHE"] = before


@pytest.fixture(scope="session")
def small_net() -> Net:
    """A net that has seen a few games: not good, but a net."""
    return training.train(games=300, hidden=64, seed=5)


@pytest.fixture
def net_file(small_net: Net, tmp_path: Path) -> Path:
    path = tmp_path / "small.net"
    path.write_bytes(small_net.to_bytes())
    return path
