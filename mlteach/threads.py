"""One BLAS thread for small problems.

The matrices of an exercise, of an explorer or of a model with few features are small: several threads only wait for
each other, and on a busy machine that costs ten times the processor time of one. The Makefile asks for one thread, but
not everybody starts the course by it, so checks, explorers and `fit` ask themselves. Only their own work is limited,
nothing else in the process.
"""

import contextlib
import functools
import sys

LARGE = 500  # from here on both sides of a matrix are long enough for several threads to pay


def one_thread():
    """Return a context in which numpy's and scipy's linear algebra keeps to one thread.

    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ [3.0, 4.0])
    [3. 4.]
    """
    return _libraries("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")


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
