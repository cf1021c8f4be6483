"""Mixture of experts: a gate decides, point by point, which of several simple models to believe (section 13.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.logistic_regression import log_softmax, softmax
from mlteach.numerics import Units, check_range, log_sum_exp
from mlteach.parameters import Real, Whole


class ExpertStep(NamedTuple):
    """State of a mixture of experts after one step of EM."""

    W: np.ndarray  # (K, d), slopes of the experts
    b: np.ndarray  # (K,)
    V: np.ndarray  # (K, d), slopes of the gate's scores
    c: np.ndarray  # (K,)
    sigma: float  # standard deviation of the noise
    loss: float  # L below


class MixtureOfExperts(Estimator):
    """Linear regressions, each an expert for a part of the input space, and a gate that knows the parts.

    Model   y(x) = sum_k g_k(x) (w_k . x + b_k),  g(x) = softmax(V x + c)                 (13.21)
    Loss    L = -sum_n ln sum_k g_k(x_n) N(y_n; w_k . x_n + b_k, sigma^2) + 1/2 lam |V|^2
    E step  r_nk = the chance that expert k made y_n: g_k(x_n) N(y_n; ...) over its sum       (13.22)
    M step  w_k, b_k: least squares with weights r_nk;  sigma^2: the weighted mean of the squared errors;
            V, c: a Newton step of softmax regression with the targets r_nk

    No step raises L. It has several minima: another ``rng`` starts elsewhere. The penalty on V, in units of the
    standard deviations of X, keeps the gate from becoming infinitely steep.

    Parameters: ``k`` experts; ``lam`` > 0; ``rng``, a seed or Generator of the start; ``tol``, stop when a step lowers
    L by less than tol times n; ``max_iter``, most steps; ``history``: False keeps only the first and the last record.

    Attributes: W_ (K, d), b_ (K,), V_ (K, d), c_ (K,), sigma_, loss_; n_iter_, converged_; history_, a list of
    `ExpertStep`.

    >>> x = np.linspace(-1, 1, 41)[:, None]
    >>> model = MixtureOfExperts(2).fit(x, np.abs(x[:, 0]))
    >>> print(np.sort(model.W_.ravel()).round(2))
    [-1.  1.]
    """

    task, largest = "regression", 1e100
    params = {"k": Whole(1, "n", "X has {samples}"), "lam": Real(above=0), "tol": Real(0), "max_iter": Whole(1)}

    def __init__(self, k=2, lam=0.001, rng=0, *, tol=1e-6, max_iter=500, history=True):
        self.k, self.lam, self.rng = k, lam, rng
        self.tol, self.max_iter, self.history = tol, max_iter, history

    def learn(self, X, y):
        """Run EM."""
        # 1. Standardise; start from parts around K random samples
        unit = _Standardised(X, y)
        Z, t = unit.Z, unit.t
        r, gate = _start(Z[:, 1:], self.k, self.rng), np.zeros((self.k, Z.shape[1]))
        run, losses, self.converged_ = History(whole=self.history), [], False
        while len(losses) <= self.max_iter and not self.converged_:
            # 2. M step: each expert on its own samples, the gate towards the responsibilities
            U, s2 = _experts(Z, t, r)
            gate = _gate_step(Z, r, gate, self.lam)
            # 3. E step: which expert made which sample
            r, height = _e_step(Z, t, U, s2, gate)
            losses.append(float(-height + 0.5 * self.lam * (gate[:, 1:] ** 2).sum()))
            run.append(unit.record(U, gate, s2, losses[-1]))
            # 4. Stop when the loss falls no more
            self.converged_ = len(losses) > 1 and losses[-2] - losses[-1] <= self.tol * len(X)
        self.W_, self.b_, self.V_, self.c_, self.sigma_, self.loss_ = run[-1]
        self.history_ = run

    def advice(self, X, y):
        """Say that EM was stopped before it came to rest."""
        if not self.converged_:
            yield (
                f"MixtureOfExperts: {self.max_iter} steps of EM were not enough for tol={self.tol:g}. "
                "Raise max_iter or tol."
            )

    def _check_data(self, X, y):
        check_range(y, "y", largest=self.largest)

    def gate(self, X):
        """Return how much each expert is believed, (n, K); each row sums to one."""
        X = self._points(X)
        return softmax(X @ self.V_.T + self.c_)

    def expert_outputs(self, X):
        """Return what each expert says, (n, K)."""
        X = self._points(X)
        return X @ self.W_.T + self.b_

    def predict(self, X):
        """Return the experts' outputs, weighted by the gate."""
        X = self._points(X)
        return (self.gate(X) * self.expert_outputs(X)).sum(axis=1)


class _Standardised:
    """Standardised inputs with a leading 1 and standardised targets, and the way back."""

    def __init__(self, X, y):
        self.x, self.y = Units(X), Units(y)
        self.Z, self.t = np.column_stack([np.ones(len(X)), self.x.inside(X)]), self.y.inside(y)

    def record(self, U, gate, s2, loss):
        """Return the `ExpertStep` in the units of X and y."""
        W, V = self.y.scale * U[:, 1:] / self.x.scale, gate[:, 1:] / self.x.scale
        b = self.y.outside(U[:, 0]) - W @ self.x.middle
        loss += len(self.t) * np.log(self.y.scale)
        return ExpertStep(W, b, V, gate[:, 0] - V @ self.x.middle, float(self.y.scale * np.sqrt(s2)), float(loss))


def _start(Z, K, rng):
    """Return first responsibilities (n, K): each sample to the nearest of K samples that lie far from each other."""
    centres = [Z[rng.integers(len(Z))]]
    while len(centres) < K:
        far = np.min([((Z - c) ** 2).sum(axis=1) for c in centres], axis=0)
        centres.append(Z[rng.choice(len(Z), p=far / far.sum())] if far.sum() > 0 else Z[0])
    distance = np.array([((Z - c) ** 2).sum(axis=1) for c in centres]).T
    return softmax(-distance)


def _experts(Z, t, r):
    """Return the weighted least-squares coefficients of each expert (K, 1 + d), and the common variance."""
    root = np.sqrt(r)
    U = np.array([np.linalg.lstsq(Z * w[:, None], t * w, rcond=1e-10)[0] for w in root.T])
    variance = (r * (t[:, None] - Z @ U.T) ** 2).sum() / len(t)
    return U, max(float(variance), 1e-6)  # no fit is better than a thousandth of the spread of y


def _e_step(Z, t, U, s2, gate):
    """Return the responsibilities (n, K), and the sum of ln sum_k g_k(x_n) N(t_n; u_k . z_n, s2) over the samples."""
    log_joint = log_softmax(Z @ gate.T) - (t[:, None] - Z @ U.T) ** 2 / (2 * s2) - 0.5 * np.log(2 * np.pi * s2)
    log_p = log_sum_exp(log_joint)
    return np.exp(log_joint - log_p[:, None]), log_p.sum()


def _gate_step(Z, r, gate, lam):
    """Return the gate after one Newton step on -sum r ln g + 1/2 lam |V|^2, halved while it would raise it."""

    def loss(G):
        return -(r * log_softmax(Z @ G.T)).sum() + 0.5 * lam * (G[:, 1:] ** 2).sum()

    m, K = Z.shape[1], len(gate)
    shrink = np.append(0.0, np.full(m - 1, lam))
    g = softmax(Z @ gate.T)
    gradient = (g - r).T @ Z + shrink * gate
    A = g[:, :, None] * np.eye(K) - g[:, :, None] * g[:, None, :]
    H = np.einsum("nkl,ni,nj->kilj", A, Z, Z, optimize=True).reshape(K * m, K * m) + np.diag(np.tile(shrink, K))
    step = np.linalg.lstsq(H, -gradient.ravel(), rcond=1e-12)[0].reshape(K, m)
    before = loss(gate)
    for _ in range(30):
        if loss(gate + step) <= before:
            return gate + step
        step = step / 2
    return gate
