"""One BLAS thread for small problems.

The matrices of an exercise or of an explorer are small: several threads only wait for each other, and on a busy
machine that costs ten times the processor time of one. The Makefile asks for one thread, but not everybody starts the
course by it, so checks and explorers ask themselves. Only their own work is limited, nothing else in the process.
"""

import functools
import sys


def one_thread():
    """Return a context in which numpy's and scipy's linear algebra keeps to one thread.

    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ [3.0, 4.0])
    [3. 4.]
    """
    return _libraries("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")


@functools.cache
def _libraries(scipy_too):
    """Return the controls of the libraries that are loaded; scipy brings one of its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
