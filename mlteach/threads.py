"""One BLAS thread for small problems.

The matrices of an exercise, of an explorer or of a model with few features are small: several threads only wait for
each other, and on a busy machine that costs ten times the processor time of one. The Makefile asks for one thread, but
not everybody starts the course by it, so checks, explorers and `fit` ask themselves. A BLAS has one number of threads
for the whole process: it is one while any of them is at work, in whichever thread, and what it was before as soon as
none is.
"""

import contextlib
import functools
import sys
import threading

LARGE = 500  # from here on both sides of a matrix are long enough for several threads to pay


class _OneThread:
    """A context that several threads may be in at the same time: the last to leave puts the numbers back."""

    def __init__(self):
        self.lock, self.inside, self.limits = threading.Lock(), 0, {}

    def __enter__(self):
        with self.lock:
            loaded = "scipy.linalg" in sys.modules
            if loaded not in self.limits:
                self.limits[loaded] = _libraries(loaded).limit(limits=1, user_api="blas")
            self.inside += 1  # last: an interrupt before it leaves no more than a limit, and the next exit lifts that

    def __exit__(self, *_):
        with self.lock:
            self.inside -= 1
            while self.limits and not self.inside:
                self.limits.popitem()[1].restore_original_limits()


ONE = _OneThread()


def one_thread():
    """Return a context in which numpy's and scipy's linear algebra keeps to one thread.

    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ [3.0, 4.0])
    [3. 4.]
    """
    return ONE


def threads_for(*shape):
    """Return a context for work with matrices of this shape: one thread, unless two sides or more are long.

    >>> with threads_for(30_000, 10):
    ...     print(sum([3, 4]))
    7
    """
    return contextlib.nullcontext() if sum(side >= LARGE for side in shape) > 1 else one_thread()


@functools.cache
def _libraries(scipy_too):
    """Return the controls of the libraries that are loaded; scipy brings one of its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
