"""K normal densities at many points at once."""

import numpy as np


def log_normals(X, means, covariances):
    """Return ln N(x_i | mu_k, Sigma_k) for the rows of X (n, d) and K components: shape (n, K).

    The quadratic form is |u|^2 with u = L^-1 (x - mu) and Sigma = L L'.

    >>> log_normals(np.array([[1.0]]), np.array([[1.0], [3.0]]), np.array([[[1.0]], [[4.0]]])).round(4).tolist()
    [[-0.9189, -2.1121]]
    """
    (n, d), K = X.shape, len(means)
    roots = np.linalg.cholesky(covariances)
    whiten = np.linalg.inv(roots)
    constant = -np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1) - d * np.log(2 * np.pi) / 2
    L = np.empty((K, n))
    step = max(1, 400_000 // (n * d))  # as many components at a time as fit into a few megabytes
    for some in (slice(k, k + step) for k in range(0, K, step)):
        u = (X - means[some, None]) @ whiten[some].swapaxes(1, 2)
        L[some] = constant[some, None] - 0.5 * np.einsum("knd,knd->kn", u, u)
    return L.T
