"""Chapter 06: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import regularization as right


def _in_place(w, A, t, lam, rho):
    w[:] = right.sweep(w, A, t, lam, rho)
    return w


def _centre_in_place(X, t, lams):
    X -= X.mean(axis=0)
    t -= t.mean()
    return right.ridge_weights(X, t, lams)


def _solved(X, t, lams):
    A = X - X.mean(axis=0)
    return [np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ t) for lam in lams]


def _clipped_sweep(w, A, t, lam, rho):
    w = list(w)
    for j in range(len(w)):
        z = sum(A[:, j] * (t - sum(w[k] * A[:, k] for k in range(len(w)) if k != j)))
        w[j] = (z - np.clip(z, -lam * rho, lam * rho)) / (sum(A[:, j] ** 2) + lam * (1 - rho))
    return w


def _by_ones(X, t, lam):
    Z = np.column_stack([np.ones(len(t)), X])
    price = lam * np.eye(Z.shape[1])
    price[0, 0] = 0
    H = Z @ np.linalg.solve(Z.T @ Z + price, Z.T)
    return np.mean((t - H @ t) ** 2) / (1 - np.trace(H) / len(t)) ** 2


WRONG = {
    "6.a": [
        ((11 / 14, 4 - 33 / 14), "least squares"), ((0.893, 0.3603), "charged the intercept"), ((0.5, 2.6), "not 2.6"),
        ((2.5, 0.5), "another order"), ((-0.5, 5.5), "wrong sign"), (("0.5", 2.5), "without quotation marks"),
    ],
    "6.b": [(0.7, "is not"), ("1.6 or so", "a number"), (160, "a hundred times")],
    "6.c": [((1, 2), "another order"), ((3, 1), "is not 3"), ((1.414, 1), "σ/a")],
    "6.d": [((5, [1, 0.3]), "not divided"), ((5, [0.7, 0]), "is not 0.7"), ((5, 0.5), "is one number")],
    "6.e": [(-0.8, "divide it by 1 - h.*sign"), (1.7, "is not 1.7")],
    "6.f": [((1.3077, 2.769), "another order"), ((3, 1.333), "ignores the prior"), ((2.77, 1.3), "round|is not")],
    "6.g": [((1000, 1e6), "wrong order"), ((1e6, 30), "is not 30"), (("million", 1000), "a number")],
    "6.1": [
        (lambda X, t, lams: -right.ridge_weights(X, t, lams), "wrong sign"), (_centre_in_place, "in place"),
        (lambda X, t, lams: right.ridge_weights(X, t, lams)[0], "shape|entries"),
        (lambda X, t, lams: right.ridge_weights(X, t, [2.5, 0.4, 30.0, 7.0][: len(lams)]), "should be|2.5"),
    ],
    "6.2": [
        (lambda w, A, t, lam, rho: right.sweep(w, A, t, 1.0, rho), "lam = 1"),
        (lambda w, A, t, lam, rho: right.sweep(w, A, t, lam, 0.75), "rho = 0.75"),
        (lambda w, A, t, lam, rho: right.sweep(w, A, t, rho, lam), "exchanged|should be|nan"), (_in_place, "in place"),
    ],
    "6.3": [("bac", "exchanged"), (["B", "A", "C"], "exchanged"), ("B", "exactly once"), ({"B", "C", "A"}, "no order")],
    "6.4": [
        (lambda w, A, t, lam: -right.gap(w, A, t, lam), "wrong sign"),
        (lambda w, A, t, lam: right.gap(w, A, t, 1.0), "lam = 1"),
    ],
    "6.5": [
        (lambda X, t, lam: right.gcv(X, t, 1.0), "lam = 1"), (lambda X, t, lam: 1.029412, "whatever it is given|round"),
    ],
}  # fmt: skip

RIGHT = {
    "6.a": [[0.5, 2.5], (np.array(0.5), np.float32(2.5)), ([0.5], [2.5])],
    "6.b": [1.60, np.array([1.6]), [1.6]],
    "6.c": [(2, 1), (np.array([2.0]), 1.0)],
    "6.d": [(5, (0.5, 0)), (np.array(5.0), np.array([0.5, 0.0])), ([5], {"w₁": 0.5, "w₂": 0.0})],
    "6.e": [1.5, np.array([1.5]), 3 / 2],
    "6.f": [[2.769, 1.308], (9 / 3.25, 1 + 1 / 3.25), (np.array([2.7692]), np.float32(1.3077))],
    "6.g": [(10**6, 10**3), (1e6, 1e3), [np.array([1e6]), 1000.0]],
    "6.1": [_solved, lambda X, t, lams: right.ridge_weights(X, t, lams).astype(np.float32)],
    "6.2": [_clipped_sweep],
    "6.3": ["bca", "B, C, A", ("B", "C", "A"), ["b", "c", "a"], np.array(["B", "C", "A"])],
    "6.4": [lambda w, A, t, lam: right.gap(w, A, t, lam) * np.ones(1)],
    "6.5": [_by_ones, lambda X, t, lam: np.float32(right.gcv(X, t, lam))],
}
