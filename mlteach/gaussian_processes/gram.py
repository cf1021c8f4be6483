"""The matrix C = K + sigma^2 I and its triangular root: all that conditioning needs (section 17.4)."""

import numpy as np

from mlteach.kernels import Kernel


def gram(kernel, X):
    """Return kernel(X, X), or say why it is no covariance matrix."""
    if isinstance(kernel, type) or not callable(kernel):
        name = getattr(kernel, "__name__", repr(kernel))
        raise ValueError(f"kernel must be a kernel object such as rbf_kernel(beta=0.5); got {name}.")
    K = np.asarray(kernel(X, X))
    if K.shape != (len(X), len(X)) or K.dtype.kind not in "fiu":
        raise ValueError(f"kernel(X, X) must be a matrix of numbers, ({len(X)}, {len(X)}); got {K.dtype} {K.shape}.")
    if not np.isfinite(K).all():
        raise ValueError("kernel(X, X) is not finite. Bring the features of X to similar scales near 1.")
    if not isinstance(kernel, Kernel) and np.abs(K - K.T).max() > 1e-8 * np.abs(K).max():
        raise ValueError("kernel(X, X) must be symmetric: a kernel has k(x, x') = k(x', x).")
    return K


def diagonal(kernel, X):
    """Return k(x, x) for each row of ``X``, a few rows at a time."""
    return np.concatenate([np.diag(kernel(rows, rows)) for rows in _blocks(X, 64)])


def triangle(K, noise_variance):
    """Return L with L L' = K + sigma^2 I, or say what is needed to have one."""
    C = K + noise_variance * np.eye(len(K))
    try:
        return np.linalg.cholesky(C)
    except np.linalg.LinAlgError:
        largest = np.abs(np.diag(K)).max()
        raise ValueError(
            f"kernel(X, X) + {noise_variance:g} I is not positive definite in double precision (its largest variance "
            f"is {largest:.3g}). Either the kernel is none, as sigmoid_kernel, or points are too close for so little "
            f"noise: give a noise_variance of {max(1e-8 * largest, 10 * noise_variance):.1g} or more."
        ) from None


def solve_lower(L, B, *, transposed=False):
    """Return L^-1 B, or L'^-1 B, by substitution; L is never inverted."""
    from scipy.linalg import solve_triangular

    return solve_triangular(L, B, lower=True, trans=1 if transposed else 0, check_finite=False)


def _blocks(X, size):
    return [X[k : k + size] for k in range(0, len(X), size)]
