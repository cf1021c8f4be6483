"""What the covariances of a mixture may be: five shapes, and a floor under the variances (section 21.8)."""

import numpy as np

SHAPES = ("full", "tied", "diagonal", "spherical", "fixed")
NOBODY = 1e-300  # a component with a smaller weight has no points left


class Shape:
    """A shape of the covariances, with no variance in any direction below the floor.

    Projecting the best covariances (21.16) onto shape and floor is the exact M-step under these constraints, so the
    likelihood still never falls.
    """

    def __init__(self, name, floor):
        self.name, self.floor = name, floor

    def allow(self, new, old):
        """Return the parameters of an M-step as the shape has them; a component without points keeps its old ones."""
        (weights, means, S), alive = new, new[0] > NOBODY
        means = np.where(alive[:, None], means, old[1])
        if self.name == "fixed":
            return old[0], means, old[2]
        if self.name == "tied":
            S = np.broadcast_to(self.held(np.tensordot(weights, S, axes=1)[None]), S.shape)
        else:
            S = self.held(np.where(alive[:, None, None], S, old[2]))
        return np.where(alive, weights, 0), means, S

    def held(self, S):
        """Return covariances (K, d, d) of the shape, with eigenvalues below the floor lifted to it."""
        d = S.shape[1]
        variances = np.diagonal(S, axis1=1, axis2=2)
        if self.name == "spherical":
            return np.maximum(variances.mean(axis=1), self.floor)[:, None, None] * np.eye(d)
        if self.name == "diagonal":
            return np.maximum(variances, self.floor)[:, :, None] * np.eye(d)
        if d == 2 and _surely_above(S, self.floor):
            return S
        values, vectors = np.linalg.eigh(S)
        if values.min() >= self.floor:
            return S
        return (vectors * np.maximum(values, self.floor)[:, None, :]) @ vectors.swapaxes(1, 2)

    def start(self, S):
        """Return the covariances of a start as shape and floor allow them."""
        if self.name == "fixed":
            return S
        return self.held(np.broadcast_to(S.mean(axis=0), S.shape) if self.name == "tied" else S)

    def floored(self, covariances):
        """Say for each component whether a variance lies at the floor."""
        if self.name == "fixed":
            return np.zeros(len(covariances), dtype=bool)
        return np.linalg.eigvalsh(covariances).min(axis=1) <= self.floor * (1 + 1e-6)


def n_free(shape, k, d):
    """Return the number of free parameters of a mixture: weights, means and covariances."""
    one = d * (d + 1) // 2
    covariances = {"full": k * one, "tied": one, "diagonal": k * d, "spherical": k, "fixed": 0}[shape]
    return k * d + covariances + (k - 1 if shape != "fixed" else 0)


def _surely_above(S, floor):
    """Say whether both eigenvalues of all (2, 2) matrices exceed the floor, by trace and determinant."""
    trace = S[:, 0, 0] + S[:, 1, 1]
    det = S[:, 0, 0] * S[:, 1, 1] - S[:, 0, 1] ** 2
    return bool((det > 1.01 * floor * trace).all())  # the smaller one is at least det / trace
