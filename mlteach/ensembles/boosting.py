"""AdaBoost with decision stumps: each round looks at what the rounds before got wrong (section 13.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import choose_class
from mlteach.parameters import Whole
from mlteach.validation import as_labels, as_matrix, as_signs, as_vector

EQUAL = 1e-12  # weighted errors closer than this are equal: the first stump wins, whatever the last bit says


class Stump(NamedTuple):
    """A tree of one question: ``sign`` where x[feature] > threshold, ``-sign`` elsewhere."""

    feature: int
    threshold: float  # -inf: the stump says ``sign`` everywhere
    sign: int  # +1 or -1
    error: float  # weighted share of mistakes

    def predict(self, X):
        """Return +1 or -1 for each row of ``X`` (n, d)."""
        return np.where(as_matrix(X)[:, self.feature] > self.threshold, self.sign, -self.sign)


class BoostRound(NamedTuple):
    """State of AdaBoost after one round; the first record is the start, without a stump."""

    weights: np.ndarray  # (n,) of the samples, after the round; they sum to one
    stump: Stump | None
    error: float | None  # eps, the stump's error under the weights before the round
    alpha: float | None  # the stump's say
    training_error: float  # of the sum of all stumps so far
    bound: float  # prod 2 sqrt(eps (1 - eps)) >= training_error


class AdaBoost(Estimator):
    """A weighted vote of decision stumps for two classes, t = -1 for ``classes_[0]`` and +1 for ``classes_[1]``.

    Model    f(x) = sum_m alpha_m h_m(x), h_m a stump;  the sign of f decides
    Round    h_m      the stump with the least weighted error eps_m = sum of w_n over its mistakes (13.10)
             alpha_m  = ln((1 - eps_m) / eps_m)                                              (13.11)
             w_n      <- w_n exp(alpha_m) on a mistake, then divided by their sum            (13.12)
    Loss     sum_n exp(-t_n f(x_n) / 2), lowered greedily, one stump at a time               (13.13)
    Bound    training error <= prod_m 2 sqrt(eps_m (1 - eps_m))                              (13.15)

    With two classes alpha_m and the weights are those of SAMME; many books write 1/2 ln and drop the 1/2 of the loss.
    The run ends before n rounds if a stump makes no mistake, which then decides alone, or if none beats chance.

    Parameters: ``n``, the most rounds; ``history``: False keeps only the first and the last record.

    Attributes: stumps_, alphas_ (m,), errors_ (m,), training_errors_ (m,), bounds_ (m,), classes_ (2,); n_iter_ = m,
    converged_: all rounds were run or none was left to run; history_, a list of `BoostRound`, the start first.

    >>> x, t = [[i] for i in range(10)], [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]
    >>> model = AdaBoost(3).fit(x, t)
    >>> print(model.errors_.round(4), model.alphas_.round(4), model.training_errors_)
    [0.3    0.2143 0.1818] [0.8473 1.2993 1.5041] [0.3 0.3 0. ]
    """

    task, more_classes = "binary", "Use OneVsRest(AdaBoost()) for more."
    params = {"n": Whole(1)}

    def __init__(self, n=50, *, history=True):
        self.n, self.history = n, history

    def learn(self, X, t):
        """Run n rounds."""
        sort, rounds = sort_columns(X), []
        # 1. Start with equal weights
        w, f, bound = np.full(len(X), 1 / len(X)), np.zeros(len(X)), 1.0
        start = BoostRound(w, None, None, None, float(np.mean(t > 0)), bound)
        while len(rounds) < self.n:
            # 2. The best stump under these weights, and its say (13.10), (13.11)
            stump = _best_stump(sort, t, w)
            eps = stump.error
            if eps > 0.5 - EQUAL:
                break
            alpha = float(np.log((1 - eps) / eps)) if eps > 0 else 1.0
            h = stump.predict(X)
            # 3. Raise the weights of its mistakes: they now hold half of the total (13.12)
            w = np.where(h == t, w, w * np.exp(alpha))
            w = w / w.sum()
            # 4. Add it to the sum
            f = f + alpha * h
            bound *= 2 * np.sqrt(eps * (1 - eps))
            rounds.append(BoostRound(w, stump, eps, alpha, float(np.mean((f > 0) != (t > 0))), float(bound)))
            if eps == 0:
                break
        self.history_ = [start, *rounds]
        self.converged_ = len(rounds) == self.n or 0 in [r.error for r in rounds]
        self._keep(rounds)

    def advice(self, X, t):
        """Say where boosting came to an end because no stump is better than chance."""
        if not self.converged_:
            yield (
                f"AdaBoost: after {len(self.stumps_)} of {self.n} rounds no stump beats chance under the weights. "
                "One question about one feature is too weak a learner for the rest."
            )

    def _keep(self, rounds):
        self.stumps_ = [r.stump for r in rounds]
        self.alphas_, self.errors_ = (np.array([getattr(r, name) for r in rounds]) for name in ("alpha", "error"))
        self.training_errors_ = np.array([r.training_error for r in rounds])
        self.bounds_ = np.array([r.bound for r in rounds])

    @property
    def feature_importances_(self):
        """The share of each feature in the say of the stumps (d,)."""
        self._require_fit()
        say = np.bincount([s.feature for s in self.stumps_], self.alphas_, minlength=self.n_features_in_)
        return say / max(say.sum(), np.finfo(float).tiny)

    def staged_scores(self, X):
        """Return f(x) after 1, 2, ... rounds, (m, n)."""
        X = self._points(X)
        if not self.stumps_:
            return np.zeros((0, len(X)))
        feature, threshold, sign, _ = (np.array(column) for column in zip(*self.stumps_, strict=True))
        H = np.where(X[:, feature] > threshold, sign, -sign)
        return np.cumsum(self.alphas_ * H, axis=1).T

    def staged_predict(self, X):
        """Return the class after 1, 2, ... rounds, (m, n)."""
        return self.classes_[(self.staged_scores(X) > 0).astype(int)]

    def decision_function(self, X):
        """Return f(x), (n,), positive for ``classes_[1]``."""
        f = self.staged_scores(X)
        return f[-1] if len(f) else np.zeros(f.shape[1])

    def predict(self, X):
        """Return the class that the sign of f(x) names, the first where f = 0."""
        f = self.decision_function(X)
        return choose_class(self.classes_, f)

    def staged_margins(self, X, y):
        """Return t_n f(x_n) / sum of alphas, from -1 to 1, after 1, 2, ... rounds, (m, n)."""
        f = self.staged_scores(X)
        t = self._signs(y, f.shape[1])
        return t * f / np.cumsum(self.alphas_)[:, None]

    def margins(self, X, y):
        """Return the margins t_n f(x_n) / sum of alphas, (n,): 1 if all stumps are right, -1 if none (13.17)."""
        margins = self.staged_margins(X, y)
        return margins[-1] if len(margins) else np.zeros(margins.shape[1])

    def _signs(self, y, n):
        classes, index = as_labels(y, length=n, min_classes=1)
        unknown = classes[~np.isin(classes, self.classes_)]
        if len(unknown):
            known = self.classes_.tolist()
            raise ValueError(f"y must hold the classes of fit, {known}; got {unknown[0]!r}.")
        return np.where(classes[index] == self.classes_[1], 1.0, -1.0)


class SortedColumns(NamedTuple):
    """The columns of X in rising order, with the places where a threshold can lie."""

    order: np.ndarray  # (n, d), rows of X
    thresholds: np.ndarray  # (n, d), the one in front of each sorted entry; -inf in front of the first
    possible: np.ndarray  # (n, d), False between equal entries


def sort_columns(X):
    """Return the `SortedColumns` of a float matrix: done once, used in every round."""
    order = np.argsort(X, axis=0, kind="stable")
    x = np.take_along_axis(X, order, axis=0)
    with np.errstate(over="ignore"):
        middle = x[:-1] + (x[1:] - x[:-1]) / 2
    middle = np.where(middle < x[1:], middle, x[:-1])  # two neighbours may have no double between them
    first = np.full((1, X.shape[1]), -np.inf)
    possible = np.vstack([np.ones((1, X.shape[1]), dtype=bool), x[1:] > x[:-1]])
    return SortedColumns(order, np.vstack([first, middle]), possible)


def best_stump(X, t, weights=None):
    """Return the `Stump` with the least weighted error, the first feature and the lowest threshold of equals.

    error = sum of w_n over t_n != h(x_n), with weights that sum to one

    All thresholds of a feature are tried at once: sorted by x, a running sum of w_n t_n tells for each threshold what
    lies below it.

    Parameters: ``X`` (n, d); ``t`` (n,) of -1 and +1; ``weights`` (n,) not negative, equal if None.

    >>> best_stump([[0], [1], [2], [3]], [1, 1, -1, 1])
    Stump(feature=0, threshold=-inf, sign=1, error=0.25)
    """
    X = as_matrix(X)
    t = as_signs(t, length=len(X))
    w = np.ones(len(X)) if weights is None else as_vector(weights, "weights", length=len(X))
    if (w < 0).any() or w.sum() <= 0:
        raise ValueError(f"weights must not be negative and not all zero; the least is {w.min():g}.")
    return _best_stump(sort_columns(X), t, w / w.sum())


def _best_stump(columns, t, w):
    wt = (w * t)[columns.order]
    # 1. Sum of w t below each threshold; a stump that says +1 above gains (above - below) over chance
    below = np.vstack([np.zeros((1, wt.shape[1])), np.cumsum(wt[:-1], axis=0)])
    total = (w * t).sum()
    gain = np.where(columns.possible, total - 2 * below, 0.0)
    # 2. Error (1 - gain) / 2 for the sign +1, (1 + gain) / 2 for -1: the largest |gain| wins
    size = np.abs(gain).T
    feature, place = np.unravel_index(np.argmax(size >= size.max() - 2 * EQUAL), size.shape)
    sign = 1 if gain[place, feature] > 0 else -1
    threshold = columns.thresholds[place, feature]
    # 3. The error as a plain sum: exactly 0 where there is no mistake
    above = np.zeros(len(t), dtype=bool)
    above[columns.order[place:, feature]] = True
    error = w[np.where(above, sign, -sign) != t].sum()
    return Stump(int(feature), float(threshold), sign, float(error))
