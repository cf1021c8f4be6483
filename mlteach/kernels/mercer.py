"""The test of a kernel: no Gram matrix has a negative eigenvalue (section 15.3)."""

import numpy as np

from mlteach.validation import as_array, check_number


def is_positive_semidefinite(K, tol=1e-10):
    """Tell whether K is symmetric with no eigenvalue below ``-tol`` times the largest in size.

    Then c'K c >= 0 for every c, as (15.7) asks. True on one set of points proves nothing about the kernel; one False
    disproves it.

    >>> is_positive_semidefinite([[2.0, -1.0], [-1.0, 2.0]]), is_positive_semidefinite([[0.0, 1.0], [1.0, 0.0]])
    (True, False)
    """
    K = as_array(K, "K", ndim=2)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K must be square; got shape {K.shape}.")
    tol = check_number(tol, "tol", low=0)
    if np.abs(K - K.T).max() > tol * np.abs(K).max():
        return False
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] >= -tol * np.abs(eigenvalues).max())
