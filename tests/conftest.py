"""Settings shared by all tests: the same examples on every run, and the helper modules on the path."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).parent))  # for strategies.py and literal.py

settings.register_profile("book", derandomize=True, deadline=None, max_examples=60, database=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("unshrunk", settings.get_profile("book"), phases=(Phase.explicit, Phase.generate),
                          # for scripts/mutate.py, which asks only whether a test fails
                          report_multiple_bugs=False)
settings.load_profile("book")


@pytest.fixture
def rng():
    """A generator that starts the same in every test."""
    return np.random.default_rng(1992)
