"""Softmax regression: K classes at once, by Newton's method (section 8.6)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.history import kept
from mlteach.linear import LinearClassifier, read_classes
from mlteach.logistic_regression._design import reduce_columns
from mlteach.logistic_regression.functions import log_soft
from mlteach.logistic_regression.newton import (
    CERTAIN,
    Direction,
    FitStep,
    check_iteration,
    newton,
    solve_triangular,
    warn_no_optimum,
    warn_unfinished,
)
from mlteach.validation import as_table


class SoftmaxRegression(LinearClassifier, Estimator):
    """Logistic regression for K >= 2 classes: the categorical member of the generalised linear models.

    Model     p(k | x) = softmax(W x + b)_k
    Loss      E = -sum_n sum_k t_nk ln p_nk + 1/2 lam |W|^2 with one-hot t;  b is not penalised
    Gradient  in (b_k, w_k):  sum_n (p_nk - t_nk) (1, x_n) + lam (0, w_k)
    Hessian   block k, l:     sum_n p_nk ([k = l] - p_nl) x~_n x~_n' + lam [k = l] diag(0, 1, ..., 1)
    Step      (b, W) <- (b, W) - H^-1 grad E, halved while it would raise E, from W = 0, b = 0

    Adding one vector to all rows of W, or one number to all of b, changes no probability. Of all equivalent weights
    the shortest are returned: the rows of W and the entries of b sum to zero. (A penalty alone would choose so for W.)
    With two classes W_[1] - W_[0] is the w of LogisticRegression(lam=lam / 2), since |W|^2 = |w|^2 / 2. The Hessian
    has ((K - 1)(d + 1))^2 entries: thousands of samples, hundreds of weights.

    Parameters: ``lam`` >= 0 (scikit-learn's C is 1 / lam); ``tol``, stop when a step promises to lower E by less than
    tol times E at the start; ``max_iter``, most steps; ``history``: False keeps only the first and the last record.

    Attributes: W_ (K, d), b_ (K,), classes_ (K,), loss_; n_iter_, converged_; history_, a list of `FitStep`.

    >>> model = SoftmaxRegression(lam=1).fit([[0], [1], [2], [3], [4], [5]], ["a", "b", "a", "b", "c", "c"])
    >>> print(model.W_.round(4).ravel(), model.predict([[0], [2.5], [6]]))
    [-0.6484 -0.229   0.8774] ['a' 'b' 'c']
    """

    task = "classification"

    def __init__(self, lam=0.0, *, tol=1e-12, max_iter=1000, history=True):
        self.lam, self.tol, self.max_iter, self.history = lam, tol, max_iter, history

    def fit(self, X, y):
        """Minimise E over W and b; return self."""
        lam, tol, max_iter = check_iteration(self)
        X, names = as_table(X)
        X, classes, index = read_classes(X, y)
        K, T = len(classes), np.eye(len(classes))[:, index]
        # 1. Coordinates: independent columns, and K - 1 directions that sum to zero over the classes
        design, C = reduce_columns(X), contrasts(K)
        loss, direction = softmax_problem(design, C, T, lam)
        # 2. Newton's method from equal probabilities
        start = np.zeros((K - 1) * design.Z.shape[1])
        run = newton(loss, direction, start, penalised=lam > 0, tol=tol, max_iter=max_iter)
        # 3. Back to one weight vector per class
        self.history_ = [_record(design, C, v, E, X, T, lam) for v, E in kept(run.states, self.history)]
        end = self.history_[-1]
        self._keep_features(X.shape[1], names)
        self.W_, self.b_, self.classes_, self.loss_ = end.w, end.b, classes, end.loss
        # For lam = 0 weights that give every sample its own class have no finite optimum behind them
        A = end.w @ X.T + end.b[:, None]
        separates = lam == 0 and bool((A[index, np.arange(len(X))] > np.where(T == 1, -np.inf, A).max(axis=0)).all())
        self.n_iter_, self.converged_ = len(run.states) - 1, run.converged and not separates
        if separates:
            warn_no_optimum(self, "planes separate all classes")
        elif run.runs_away:
            warn_no_optimum(self, "planes separate at least one class from the others, up to points that lie on them")
        elif not self.converged_:
            warn_unfinished(self)
        return self

    def predict_proba(self, X):
        """Return the probability of each class, shape (n, K)."""
        return np.exp(log_soft(self.scores(X)))


def contrasts(K):
    """Return K - 1 orthonormal columns (K, K - 1), each of which sums to zero: class j + 1 against those before it."""
    C = np.triu(np.ones((K, K - 1))) - np.diag(np.arange(1.0, K), -1)[:, : K - 1]
    return C / np.linalg.norm(C, axis=0)


def softmax_problem(design, C, T, lam):
    """Return the loss and Newton's direction as functions of v, the (K - 1, 1 + r) coordinates in one row.

    Inside, samples are columns: sums over a few classes are then fast. ``T`` (K, n).
    """
    Z, P = design.Z, design.P
    (n, m), k = Z.shape, C.shape[1]
    ZZ = (Z[:, :, None] * Z[:, None, :]).reshape(n, m * m)
    CC = (C[:, :, None] * C[:, None, :]).reshape(len(C), k * k)
    penalty = np.zeros((m, m))
    penalty[1:, 1:] = lam * P.T @ P
    penalties = np.kron(np.eye(k), penalty)

    def loss(v):
        return float(-(T * log_soft(C @ v.reshape(k, m) @ Z.T, axis=0)).sum() + 0.5 * v @ penalties @ v)

    def direction(v):
        p = np.exp(log_soft(C @ v.reshape(k, m) @ Z.T, axis=0))
        # 1. Gradient
        g = (C.T @ _residual(p, T) @ Z).ravel() + penalties @ v
        # 2. Hessian: C'(diag(p) - pp')C for each sample, times z z'
        q = C.T @ p
        R = CC.T @ p - (q[:, None, :] * q[None, :, :]).reshape(k * k, n)
        H = (R @ ZZ).reshape(k, k, m, m).transpose(0, 2, 1, 3).reshape(k * m, k * m) + penalties
        # 3. Solve
        delta, promise = _solve(H, g)
        moved = np.abs(C @ delta.reshape(k, m) @ Z.T)
        return Direction(delta, promise, moved[p * (1 - p) < CERTAIN].max(initial=0.0))

    return loss, direction


def _residual(p, T):
    """Return p - t, samples in columns, with full relative accuracy: p_k - 1 is minus the sum of the other p."""
    others = p * (1 - T)
    return others - T * others.sum(axis=0)


def _solve(H, g):
    """Return -H^-1 g and 1/2 g'H^-1 g; of all solutions the shortest where H is singular in doubles."""
    try:
        return solve_triangular(np.linalg.cholesky(H).T, g)
    except np.linalg.LinAlgError:
        s, U = np.linalg.eigh(H)
        keep = s > 1e-15 * max(s[-1], np.finfo(float).tiny)
        q = (U[:, keep].T @ -g) / s[keep]
        return U[:, keep] @ q, 0.5 * float((q * s[keep]) @ q)


def _record(design, C, v, E, X, T, lam):
    V = C @ v.reshape(C.shape[1], -1)
    W = V[:, 1:] @ design.B.T
    e = _residual(np.exp(log_soft(V @ design.Z.T, axis=0)), T)
    gradient = np.column_stack([e.sum(axis=1), e @ X + lam * W])
    return FitStep(W, V[:, 0] - W @ design.mean, E, float(np.linalg.norm(gradient)))
