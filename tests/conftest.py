"""Let the tests import their helpers, and the benchmarks, by name; no test fails because the machine is busy."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

settings.register_profile("course", deadline=None)
settings.load_profile("course")
