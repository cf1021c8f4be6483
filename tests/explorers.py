"""Explorers for tests that only ask what one computes and says: each is made once in a process, and never painted.

Building and painting one takes as long as twenty moves of a slider. A test that moves controls makes its own.
"""

import functools
from unittest import mock

from mlteach.explore import REGISTRY
from mlteach.explore.base import Explorer


@functools.cache
def made(name):
    """Return the explorer ``name``, its controls at their start; it has no picture."""
    with mock.patch.multiple(Explorer, _prepare=lambda self, moving: None, _redraw=lambda self, _=None: None):
        return REGISTRY[name]()
