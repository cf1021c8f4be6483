"""LMS: least squares by gradient descent, on all samples at once, in batches, or one by one (section 4.5).

The loss is a mean over the batch, not a sum, so the same learning rate suits any number of samples.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearRegressor, power_of_two
from mlteach.linear_regression.features import design_matrix
from mlteach.parameters import Maybe, Real, Whole

RUNAWAY = 1e12  # a loss so many times that of the start has left the valley for good


class Step(NamedTuple):
    """State of LMS after one update."""

    w: np.ndarray  # (d,)
    b: float
    epoch: int  # pass over the data in which the update was made; 0 before the first
    batch: np.ndarray | None  # indices of the samples that made the update; None before the first


class LMSRegressor(LinearRegressor, Estimator):
    """Linear regression by gradient descent from w = 0, b = 0 with a fixed learning rate eta.

    Model   y(x) = b + w.x
    Loss    mean over the batch of 1/2 (w.x + b - t)^2
    Update  w <- w - eta mean (w.x + b - t) x,  b likewise with x = 1     (4.9); (4.8) for one sample
    Stable  0 < eta < 2 / lambda_max, see `max_stable_rate`               (4.10)

    Parameters: ``learning_rate``; ``epochs``, the most passes over the data; ``batch_size``, None for all
    samples (batch descent) or 1 for one at a time (stochastic); ``tol``: stop after an epoch when no entry of
    the gradient over all samples exceeds ``tol`` times its largest entry at the start; 0 makes exactly
    ``epochs`` passes, without a warning; ``rng`` shuffles the samples anew in each epoch; ``history``: False keeps only
    the first and the last record of the run.

    Attributes: ``w_`` (d,), ``b_`` float; ``n_iter_`` updates; ``converged_``; ``history_``, one `Step` per
    update, so ``len(history_) == n_iter_ + 1``; ``losses_`` (epochs made + 1,), the loss over all samples at the
    start and after each epoch (for batch descent, of each ``history_`` entry). On divergence the run stops with
    the last finite weights.

    >>> model = LMSRegressor(learning_rate=0.1, batch_size=1).fit([[0], [1], [2]], [1, 3, 5])
    >>> print(model.w_.round(3), round(model.b_, 3), model.converged_)
    [2.] 1.0 True
    """

    task, largest = "regression", 1e100
    params = {
        "learning_rate": Real(above=0),
        "epochs": Whole(1),
        "batch_size": Maybe(Whole(1, "n", "the number of samples"), "n"),
        "tol": Real(0),
    }

    def __init__(self, learning_rate=0.01, epochs=1000, batch_size=None, rng=0, *, tol=1e-6, history=True):
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.batch_size = batch_size
        self.tol = tol
        self.rng = rng
        self.history = history

    def learn(self, X, y):
        """Descend the squared error batch by batch until its gradient vanishes."""
        # 1. Start from the zero function
        w, b = np.zeros(X.shape[1]), 0.0
        run = History([Step(w, b, 0, None)], whole=self.history)
        loss, slope = _loss_and_slope(X, y, w, b)
        losses, limit, small, diverged = [loss], RUNAWAY * loss, self.tol * slope, False
        self.converged_ = slope == 0
        while not (self.converged_ or diverged) and len(losses) <= self.epochs:
            # 2. Shuffle the samples and deal them into batches
            for batch in self._batches(len(X)):
                # 3. Step against the mean gradient of the batch        (4.9)
                w, b, loss = _update(X[batch], y[batch], w, b, self.learning_rate)
                diverged = not (loss <= limit and np.isfinite(b) and np.isfinite(w).all())
                if diverged:
                    break
                run.append(Step(w, b, len(losses), batch))
            else:
                # 4. Stop where the gradient over all samples is next to nothing
                loss, slope = _loss_and_slope(X, y, w, b)
                losses.append(loss)
                self.converged_, diverged = slope <= small and self.tol > 0, not loss <= limit
        self.w_, self.b_, self.history_, self.losses_ = run[-1].w, run[-1].b, run, np.array(losses)

    def advice(self, X, y):
        """Say that the run diverged, or that it has not met tol."""
        made = len(self.losses_) - 1
        if self.converged_:
            return
        if made < self.epochs or not self.losses_[-1] / RUNAWAY <= self.losses_[0]:
            smaller = "" if self.batch_size == len(X) else " for the full batch, less for smaller ones"
            yield (
                f"LMS diverges with learning_rate={self.learning_rate:g} and was stopped at update {self.n_iter_}. "
                f"The largest stable rate, 2/lambda_max, is {max_stable_rate(X):.4g}{smaller}. Use less, or scale X."
            )
        elif self.tol > 0:
            yield (
                f"LMS has not met tol={self.tol:g} after {made} epochs. Raise epochs or the learning "
                "rate, or scale X. With small batches and noisy targets a fixed rate never settles; tol=0 accepts that."
            )

    def _batches(self, n):
        order = self.rng.permutation(n) if self.batch_size < n else _everyone(n)
        if self.batch_size == n:
            return [order]
        return (order[k : k + self.batch_size] for k in range(0, n, self.batch_size))

    def _check_data(self, X, y):
        if not np.isfinite(_loss_and_slope(X, y, np.zeros(X.shape[1]), 0.0)).all():
            raise ValueError(
                f"the squared error of y (up to {np.abs(y).max():.0e}) overflows before the first step; "
                "change the unit of y, or of X."
            )


def max_stable_rate(X):
    """Return 2 / lambda_max, above which batch descent diverges.

    H = 1/N sum_n x_n x_n'  with the constant 1 in front of each x;  0 < eta < 2 / lambda_max(H)     (4.10)

    Smaller batches need a smaller rate: single samples are safe below 2 / max_n |x_n|^2.

    >>> round(max_stable_rate([[1], [2], [3], [4], [5]]), 6)
    0.169048
    """
    Phi, unit = power_of_two(design_matrix(X).ravel())
    Phi = Phi.reshape(len(X), -1)
    return float(2 / np.linalg.eigvalsh(Phi.T @ Phi / len(Phi))[-1] / unit / unit)


@lru_cache(maxsize=1)
def _everyone(n):
    """Return all indices, the same array for every epoch: the records share it, and so does their pickle."""
    everyone = np.arange(n)
    everyone.flags.writeable = False
    return everyone


def _update(X, y, w, b, eta):
    """Return weights and bias after one step on a batch, and the batch's loss before it."""
    with np.errstate(over="ignore", invalid="ignore"):  # a diverging run is caught by the caller
        error = X @ w + b - y
        return w - eta / len(y) * (error @ X), float(b - eta / len(y) * error.sum()), 0.5 / len(y) * (error @ error)


def _loss_and_slope(X, y, w, b):
    """Return the mean loss over all samples and the largest entry of its gradient."""
    with np.errstate(over="ignore", invalid="ignore"):
        error = X @ w + b - y
        slope = max(np.abs(error @ X).max(), abs(error.sum())) / len(y)
        return float(0.5 / len(y) * (error @ error)), float(slope)
