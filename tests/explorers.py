"""Explorers for tests that only ask what one computes and says: each is made once in a process.

Building one takes as long as twenty moves of a slider. A test that moves controls makes its own.
"""

import functools

from mlteach.explore import REGISTRY


@functools.cache
def made(name):
    """Return the explorer ``name``, its controls at their start."""
    return REGISTRY[name]()
