"""Let the tests import their helpers, and the benchmarks, by name; no test fails by chance or on a busy machine."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

# "course" draws the same examples at every run; `make fresh` takes the other one
settings.register_profile("course", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, print_blob=True)
settings.load_profile("course")
