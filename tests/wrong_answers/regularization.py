"""Typical wrong answers to the exercises of chapter 06, each with words that the check must say."""

import numpy as np

from mlteach.exercises.regularization import _raw_ridge, _sweep_with, gap, leave_one_out, ridge, sweep


def _with_ones(X, t, lam):
    return _raw_ridge(np.column_stack([np.ones(len(t)), X]), t, lam)


def _in_place(w, A, t, lam):
    w[:] = sweep(w, A, t, lam)
    return w


def _gap_with(factor):
    def wrong(w, A, t, lam):
        r = t - A @ w
        s = factor(A.T @ r, lam)
        return 0.5 * r @ r + lam * np.abs(w).sum() - s * r @ t + 0.5 * s**2 * r @ r

    return wrong


def _cost(w, A, t, lam):
    r = t - A @ w
    return 0.5 * r @ r + lam * np.abs(w).sum()


def _loo(X, t, lam, *, intercept=True, power=2, mean=True):
    A, y = X - X.mean(axis=0), t - t.mean()
    H = A @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T)
    miss = (y - H @ y) / (1 - np.diag(H) - (1 / len(t) if intercept else 0))
    return np.mean(miss**power) if mean else np.sum(miss**power)


def _loo_with_ones(X, t, lam):
    Z = np.column_stack([np.ones(len(t)), X])
    H = Z @ np.linalg.solve(Z.T @ Z + lam * np.eye(Z.shape[1]), Z.T)
    return np.mean(((t - H @ t) / (1 - np.diag(H))) ** 2)


def _training(X, t, lam):
    w = ridge(X, t, lam)
    return np.var(t - X @ w)


WRONG = {
    "6.1": [
        (lambda X, t, lam: ridge(X, t, lam**2), "λ is squared"),
        (lambda X, t, lam: ridge(X, t, 3.0), "should be"),
        (_raw_ridge, "no intercept"),
        (lambda X, t, lam: _with_ones(X, t, lam)[1:], "penalised the intercept"),
        (_with_ones, "not to be returned"),
        (lambda X, t, lam: ridge(X, t, lam * len(t)), "N times too large"),
        (lambda X, t, lam: ridge(X, t, lam / len(t)), "N times too small"),
        (lambda X, t, lam: ridge(X, t, 2 * lam), "doubled"),
        (lambda X, t, lam: ridge(X, t, lam / 2), "halved"),
        (lambda X, t, lam: np.linalg.lstsq(X - X.mean(axis=0), t, rcond=None)[0], "least squares"),
        (lambda X, t, lam: ridge(X / X.std(axis=0), t, lam), "standardised"),
        (lambda X, t, lam: _raw_ridge(X, t - t.mean(), lam), "t alone"),
        (lambda X, t, lam: _raw_ridge(X - X.mean(), t - t.mean(), lam), "its own mean"),
        (lambda X, t, lam: -ridge(X, t, lam), "wrong sign"),
        (lambda X, t, lam: ridge(X, t, lam)[:, None], "shape"),
        (lambda X, t, lam: (t.mean() - X.mean(axis=0) @ ridge(X, t, lam), *ridge(X, t, lam)), "return w alone"),
    ],
    "6.2": [
        (3 / 4 + 1 / 2 + 0.5 / 1.5, "Square"),
        (3 / 10 + 1 / 2 + 0.5 / 1.25, "belongs to the weights"),
        (3, "at λ = 0"),
        (1.4, "takes away"),
        (2.6, "intercept"),
        (0.7, "is not"),
        (1.6 / 3, "average"),
        ("1.6 or so", "a number"),
    ],
    "6.3": [
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, hard=True), "a hard one"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, signed=False), "sign of z is lost"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, own=False), "own part"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, fresh=False), "old weights"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, divide=False), "squared length"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, threshold=0.5), "lam/2"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, threshold=2), "2 lam"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, threshold=0), "without a penalty"),
        (lambda w, A, t, lam: _sweep_with(w, A, t, lam, inside=True), "before the threshold"),
        (lambda w, A, t, lam: sweep(sweep(w, A, t, lam), A, t, lam), "two sweeps"),
        (lambda w, A, t, lam: sweep(np.zeros(len(w)), A, t, lam), "started from zero"),
        (_in_place, "copy"),
        (lambda w, A, t, lam: sweep(w, A - A.mean(axis=0), t - t.mean(), lam), "do not centre"),
        (lambda w, A, t, lam: sweep(w[::-1], A[:, ::-1], t, lam)[::-1], "backwards"),
    ],
    "6.4": [
        ("ABC", "not ridge"),
        ("CBA", "not ridge"),
        ("BAC", "exchanged"),
        ("bac", "exchanged"),
        ("AAB", "exactly once"),
        ("B", "exactly once"),
        (["B", "C", 1], "string"),
    ],
    "6.5": [
        ((2.769, 1.2), "the predictive variance is not 1.2"),
        ((2.5, 1.308), "the posterior mean is not 2.5"),
        ((2.5, 0.308), "noise on top"),
        ((2.769, 1.3), "rounded too far"),
        ((1 + 1 / 3.25, 9 / 3.25), "wrong order"),
        ((2.769, 0.308), "noise on top"),
        ((2.769, 1.144), "standard deviation"),
        ((3, 1.333), "ignores the prior"),
        ((3, 1.308), "pulled"),
        ((1.286, 1.143), "precision is 1/4"),
        ((2.571, 1.286), "one over the standard"),
        ((2.939, 1.327), "not the standard deviation"),
        ((None, 1.308), "missing"),
        ((2.769, 4.25), "invert"),
        (2.769, r"is one number; shape \(2,\) is wanted"),
    ],
    "6.6": [
        (_gap_with(lambda g, lam: 1), "without shrinking"),
        (_gap_with(lambda g, lam: lam / np.abs(g).max()), "exceed 1"),
        (_gap_with(lambda g, lam: min(1, lam / g.max())), "absolute value|should be|is not"),
        (_cost, "cost alone"),
        (lambda w, A, t, lam: _cost(w, A, t, lam) - gap(w, A, t, lam), "dual value alone"),
        (lambda w, A, t, lam: gap(w, A, t, lam) + 0.5 * np.sum((t - A @ w) ** 2), "factor ½"),
        (lambda w, A, t, lam: gap(w, A, t, lam) - lam * (np.abs(w).sum() - w.sum()), "absolute values"),
        (lambda w, A, t, lam: -gap(w, A, t, lam), "wrong sign"),
    ],
    "6.7": [
        (_training, "training error"),
        (lambda X, t, lam: _loo(X, t, lam, intercept=False), "leverage"),
        (lambda X, t, lam: _loo(X, t, lam, mean=False), "sum"),
        (lambda X, t, lam: np.sqrt(_loo(X, t, lam)), "root"),
        (lambda X, t, lam: _loo(X, t, lam, power=1), "Square"),
        (lambda X, t, lam: leave_one_out(X, t, 1e-12), "no effect|should be"),
        (lambda X, t, lam: leave_one_out(X, t, 2 * lam), "should be"),
        (_loo_with_ones, "column of ones"),
    ],
}

RIGHT = {
    "6.3": [lambda w, A, t, lam: sweep(w, A, t, lam).tolist()],
    "6.4": [["B", "C", "A"], ("b", "c", "a"), "B-C-A", "b, c, a", np.array(["B", "C", "A"])],
    "6.5": [[2.769, 1.308], np.array([2.769, 1.308]), (9 / 3.25, 4.25 / 3.25)],
    "6.6": [lambda w, A, t, lam: gap(w, A, t, lam) * np.ones(1)],
}
