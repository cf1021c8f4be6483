"""Softmax regression: K classes at once, by Newton's method (section 8.6)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearClassifier
from mlteach.logistic_regression._design import reduce_columns
from mlteach.logistic_regression._safeguards import CERTAIN, largest_move, no_optimum, root, unfinished
from mlteach.logistic_regression.functions import log_soft
from mlteach.logistic_regression.newton import FitStep, newton, records
from mlteach.parameters import Real, Whole


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

    Parameters: ``lam`` >= 0 (scikit-learn's C is 1 / lam; with two classes, for which it has one w, 2 / lam); ``tol``,
    stop when a step promises to lower E by less than tol times E at the start; ``max_iter``, most steps; ``history``:
    False keeps only the first and the last record.

    Attributes: W_ (K, d), b_ (K,), classes_ (K,), loss_; n_iter_, converged_; history_, a list of `FitStep`.

    >>> model = SoftmaxRegression(lam=1).fit([[0], [1], [2], [3], [4], [5]], ["a", "b", "a", "b", "c", "c"])
    >>> print(model.W_.round(4).ravel(), model.predict([[0], [2.5], [6]]))
    [-0.6484 -0.229   0.8774] ['a' 'b' 'c']
    """

    task, largest = "classification", 1e100
    params = {"lam": Real(0, 1e100), "tol": Real(0), "max_iter": Whole(1)}

    def __init__(self, lam=0.0, *, tol=1e-12, max_iter=1000, history=True):
        self.lam, self.tol, self.max_iter, self.history = lam, tol, max_iter, history

    def learn(self, X, index):
        """Minimise E over W and b."""
        # 1. One-hot targets, (K, n)
        T = np.eye(len(self.classes_))[:, index]
        # 2. Newton's method from equal probabilities
        problem = ManyScores(X, T, self.lam)
        run = newton(problem, problem.start, tol=self.tol, max_iter=self.max_iter)
        self.history_ = records(problem, run, self.history)
        self.W_, self.b_, self.loss_, _ = self.history_[-1]
        # 3. For lam = 0 weights that give every sample its own class have no finite optimum behind them
        A = self.W_ @ X.T + self.b_[:, None]
        own, best_other = A[index, np.arange(len(X))], np.where(T == 1, -np.inf, A).max(axis=0)
        self._obstacle = None
        if self.lam == 0 and (own > best_other).all():
            self._obstacle = "planes separate all classes"
        elif run.runs_away:
            self._obstacle = "planes separate at least one class from the others, up to points that lie on them"
        self.converged_ = run.converged and self._obstacle is None

    def advice(self, X, index):
        """Say that there is no optimum, or that the run was too short."""
        if self._obstacle:
            yield no_optimum(self, self._obstacle)
        elif not self.converged_:
            yield unfinished(self)

    def predict_proba(self, X):
        """Return the probability of each class, shape (n, K)."""
        return np.exp(log_soft(self.scores(X)))


def contrasts(K):
    """Return K - 1 orthonormal columns (K, K - 1), each of which sums to zero: class j + 1 against those before it."""
    C = np.triu(np.ones((K, K - 1))) - np.diag(np.arange(1.0, K), -1)[:, : K - 1]
    return C / np.linalg.norm(C, axis=0)


class ManyScores:
    """The loss of softmax regression, for `newton`.

        Loss      E = -sum_n sum_k t_nk ln p_nk + 1/2 lam |W|^2                                 (8.23)
        Gradient  sum_n (p_nk - t_nk) z_n for class k, and the penalty's                        (8.24)
        Hessian   sum_n p_nk ([k = l] - p_nl) z_n z_n' for the classes k and l, and the penalty's

    The place v holds the coordinates (K - 1, 1 + r) in one row: independent columns z (`reduce_columns`) and K - 1
    directions C that sum to zero over the classes. Inside, samples are columns: sums over a few classes are then fast.
    """

    def __init__(self, X, T, lam):
        self.X, self.T, self.lam, self.design = X, T, lam, reduce_columns(X)
        self.C, Z, P = contrasts(len(T)), self.design.Z, self.design.P
        (n, m), k = Z.shape, len(T) - 1
        self.start = np.zeros(k * m)
        self.penalty = np.kron(np.eye(k), np.pad(lam * P.T @ P, [(1, 0), (1, 0)]))
        self.ZZ = (Z[:, :, None] * Z[:, None, :]).reshape(n, m * m)  # z z' of each sample, in one row
        self.CC = (self.C[:, :, None] * self.C[:, None, :]).reshape(len(T), k * k)

    def scores(self, v):
        """Return the scores (K, n)."""
        return self.C @ v.reshape(self.C.shape[1], -1) @ self.design.Z.T

    def loss(self, v):
        """Return E."""
        return float(-(self.T * log_soft(self.scores(v), axis=0)).sum() + 0.5 * v @ self.penalty @ v)

    def quadratic(self, v):
        """Return the gradient, and the triangular factor of the Hessian."""
        C, k, (n, m) = self.C, self.C.shape[1], self.design.Z.shape
        p = np.exp(log_soft(self.scores(v), axis=0))
        # 1. Gradient: prediction minus target, times input
        g = (C.T @ _residual(p, self.T) @ self.design.Z).ravel() + self.penalty @ v
        # 2. Hessian: C'(diag(p) - pp')C for each sample, times z z'
        q = C.T @ p
        R = self.CC.T @ p - (q[:, None, :] * q[None, :, :]).reshape(k * k, n)
        H = (R @ self.ZZ).reshape(k, k, m, m).transpose(0, 2, 1, 3).reshape(k * m, k * m) + self.penalty
        return g, root(H)

    def moved(self, v, step):
        """Return the largest change of a score among the classes that are all but certain at ``v``."""
        scores = self.scores(v)
        p = np.exp(log_soft(scores, axis=0))
        certain = p * (1 - p) < CERTAIN
        return largest_move(scores[certain], self.scores(step)[certain])

    def record(self, v, E):
        """Return the `FitStep` of a place and its loss, with one weight vector per class."""
        V = self.C @ v.reshape(self.C.shape[1], -1)
        W = V[:, 1:] @ self.design.B.T
        e = _residual(np.exp(log_soft(V @ self.design.Z.T, axis=0)), self.T)
        gradient = np.column_stack([e.sum(axis=1), e @ self.X + self.lam * W])
        return FitStep(W, V[:, 0] - W @ self.design.mean, E, float(np.linalg.norm(gradient)))


def _residual(p, T):
    """Return p - t, samples in columns, with full relative accuracy: p_k - 1 is minus the sum of the other p."""
    others = p * (1 - T)
    return others - T * others.sum(axis=0)
