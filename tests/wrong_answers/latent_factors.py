"""Chapter 22: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import latent_factors as right


def _svd(X, m):
    mean = X.mean(axis=0)
    V = np.linalg.svd(X - mean, full_matrices=False)[2][:m]
    return ((X - mean) @ V.T @ V + mean).tolist()


def _spoils_X(X, m):
    answer = right.rebuild(X, m)
    X -= X.mean(axis=0)
    return answer


def _regression_line(X, m):
    answer = X.copy()
    answer[:, 1] = np.polyval(np.polyfit(X[:, 0], X[:, 1], 1), X[:, 0])
    return answer


def _unit_v_in_place(X, v, lam):
    v /= np.linalg.norm(v)
    return X.T @ v / np.sqrt(len(X) * lam)


def _lift_by_parts(X, v, lam):
    v = v / np.linalg.norm(v)
    return (X.T @ v / np.sqrt(len(X) * lam)).tolist()


def _by_woodbury(x, mu, W, s2):
    d, m = W.shape
    r, M = x - mu, W.T @ W + s2 * np.eye(m)
    distance = (r @ r - (W.T @ r) @ np.linalg.solve(M, W.T @ r)) / s2
    return np.float32(-0.5 * (d * np.log(2 * np.pi) + np.linalg.slogdet(M)[1] + (d - m) * np.log(s2) + distance))


def _fill_by_joint(x, mu, L, psi):
    seen, C = ~np.isnan(x), L @ L.T + np.diag(psi)
    answer = x.copy()
    answer[~seen] = mu[~seen] + C[np.ix_(~seen, seen)] @ np.linalg.solve(C[np.ix_(seen, seen)], (x - mu)[seen])
    return answer.tolist()


def _fill_by_huge_noise(x, mu, L, psi):
    noise = np.where(np.isnan(x), 1e15, psi)
    z = np.linalg.solve(np.eye(L.shape[1]) + L.T / noise @ L, L.T / noise @ np.nan_to_num(x - mu))
    return np.where(np.isnan(x), mu + L @ z, x)


def _fills_in_place(x, mu, L, psi):
    x[:] = right.fill_in(x, mu, L, psi)
    return x


def _spoils_W(W, x, eta):
    answer = right.ica_step(W, x, eta)
    W += 1
    return answer


WRONG = {
    "22.a": [((6, 5), "another order|first"), ((5, 6.01), "largest variance")],
    "22.b": [((2, 85.7), "per cent"), ((2, 86), "per cent"), ((12 / 14, 2), "another order|first")],
    "22.c": [((8.08, 6, 2), "90 % rule"), ((8, 6.01, 2), "5 % rule"), ((6, 8, 2), "another order|first")],
    "22.d": [((0.091, 1.273), "another order|first"), ((1.27, 0.091), "rounded")],
    "22.e": [
        ((210.01, 59, 11), "full covariance"),
        ((59, 210, 11), "another order|first"),
        ((210, 59, 11.01), "rank"),
        ((210, 60, 11), "turned"),
    ],
    "22.f": [(12.5, "per cent"), (0.12, "rounded")],
    "22.1": [
        (lambda X, m: X[:, :1], "shape"),
        (_regression_line, "picture"),
        (lambda X, m: right.rebuild(X, m).round(3), "rounded"),
        (_spoils_X, "X"),
    ],
    "22.2": [(lambda X, v, lam: X @ (X.T @ v), "10 are wanted"), (_unit_v_in_place, "in place")],
    "22.3": [
        (lambda x, mu, W, s2: right.ppca_log_density(x, mu, W, 0.5), "s2"),
    ],
    "22.4": [
        (lambda x, mu, L, psi: mu + L @ (L.T @ (x - mu)), "enter a sum"),
        (lambda x, mu, L, psi: right.fill_in(x, mu, L, psi)[np.isnan(x)], "has 1 entry; 3 are wanted"),
        (_fills_in_place, "x"),
    ],
    "22.5": [(lambda W, x, eta: right.ica_step(W, x, 0.1), "eta"), (_spoils_W, "W")],
}

RIGHT = {
    "22.a": [([5.0], np.float32(6)), (5.0, np.array([6.0]))],
    "22.b": [(2, 0.857), (np.float32(2), 12 / 14)],
    "22.c": [(8.0, 6.0, 2.0), [8, 6, 2]],
    "22.d": [(1.2727, 0.0909), (np.array([1.273]), np.float32(0.091))],
    "22.e": [(210.0, np.int32(59), 11), [210, 59, 11]],
    "22.f": [np.array([0.125]), 1 / 8],
    "22.1": [_svd, lambda X, m: right.rebuild(X, m).astype(np.float32)],
    "22.2": [_lift_by_parts, lambda X, v, lam: X.T @ v / np.sqrt(v @ X @ X.T @ v)],
    "22.3": [_by_woodbury, lambda *a: np.array([right.ppca_log_density(*a)])],
    "22.4": [_fill_by_joint, _fill_by_huge_noise],
    "22.5": [lambda W, x, eta: (W + eta * (np.outer(-np.tanh(W @ x / 2), x) + np.linalg.inv(W.T))).tolist()],
}
