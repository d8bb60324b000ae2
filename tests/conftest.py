"""What several test files need."""

import pytest

from gammon import Net, training


@pytest.fixture(scope="session")
def small_net() -> Net:
    """A net that has seen a few games: not good, but a net."""
    return training.train(games=300, hidden=64, seed=5)
