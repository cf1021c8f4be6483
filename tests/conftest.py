"""Let the tests import their helpers, and the benchmarks, by name; no test fails by chance or on a busy machine."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

# "course" draws the same examples at every run; `make fresh` takes the other one
settings.register_profile("course", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, print_blob=True)
settings.load_profile("course")


def pytest_collection_modifyitems(items):
    """Two processes share the tests by name: a name that holds an address stops both."""
    if addressed := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"give these tests an id that is the same in every process: {addressed}")
