"""What the models of sections 15.6 and 15.7 share: they keep their training points and meet new ones by k alone."""

import inspect

import numpy as np

from mlteach.base import Estimator
from mlteach.kernels.kernel import Kernel
from mlteach.kernels.vectors import linear_kernel
from mlteach.numerics import as_gram
from mlteach.parameters import By
from mlteach.validation import as_matrix


def as_kernel(kernel):
    """Return ``kernel`` if it can be called as kernel(X, Y); None is the linear kernel."""
    if kernel is None:
        return linear_kernel
    if isinstance(kernel, type) or not callable(kernel):
        name = getattr(kernel, "__name__", repr(kernel))
        raise ValueError(f"kernel must be a kernel object such as rbf_kernel(beta=1.0); got {name}.")
    try:
        signature = inspect.signature(kernel)
    except ValueError:  # some functions written in C have none
        return kernel
    try:
        signature.bind(None, None)
    except TypeError:
        raise ValueError(f"kernel must take two sets of points, kernel(X, Y); this one takes {signature}.") from None
    return kernel


class KernelModel(Estimator):
    """A model y(x) = sum_n c_n k(x_n, x) + b; the points may be whatever its kernel compares."""

    params = {"kernel": By(as_kernel)}

    def _read_points(self, X):
        if hasattr(self, "kernel_"):
            numeric = isinstance(self._used, np.ndarray)
            return as_matrix(X, n_features=self.n_features_in_) if numeric else self.kernel_.read(X)
        kernel = as_kernel(self.kernel)
        return kernel.read(X) if isinstance(kernel, Kernel) else as_matrix(X)

    def _gram(self, X):
        """Return the Gram matrix (n, n) of the points."""
        return as_gram(self.kernel(X, X), len(X), "kernel(X, X)")

    def _remember(self, X, c, b=0.0):
        """Store the expansion over the points with c_n != 0."""
        used = np.flatnonzero(c)
        self.kernel_, self._c, self._b = self.kernel, c[used], b
        self._used = X[used] if isinstance(X, np.ndarray) else [X[n] for n in used]

    def _y(self, X):
        """Return y(x) for each point."""
        X = self._points(X)
        return self.kernel_(X, self._used) @ self._c + self._b if len(self._c) else np.full(len(X), self._b)
