"""Bayes' rule in log space: what all generative classifiers share (sections 10.2 and 10.7)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import choose_class, two_class_scores
from mlteach.validation import as_array


class GenerativeClassifier(Estimator):
    """Decides by ln p(x, C_k) = ln p(x | C_k) + ln P(C_k), which a subclass computes in ``_log_joint``."""

    task = "classification"
    remedy = "Look at this row of X."  # how to mend a row that no class can have made

    def _keep_shares(self, y):
        """Estimate P(C_k) by the shares of the classes (10.5); return how many samples each class has, (K,)."""
        counts = np.bincount(y)
        self.priors_, self._log_priors = counts / len(y), np.log(counts / len(y))
        return counts

    def log_joint(self, X):
        """Return ln p(x, C_k) for each row of ``X`` and each class, (n, K); -inf where the class cannot make x."""
        J = self._log_joint(self._points(X))
        impossible = np.flatnonzero((J == -np.inf).all(axis=1) | np.isnan(J).any(axis=1))
        if len(impossible):
            raise ValueError(
                f"X[{impossible[0]}] has probability 0 in every class: Bayes' rule would divide 0 by 0. {self.remedy}"
            )
        return J

    def predict_log_proba(self, X):
        """Return ln P(C_k | x), (n, K)."""
        return log_posterior(self.log_joint(X))

    def predict_proba(self, X):
        """Return P(C_k | x), (n, K); the rows sum to one (10.1)."""
        return np.exp(self.predict_log_proba(X))

    def decision_function(self, X):
        """Return the log-odds of ``classes_[1]``, (n,) (10.2); for K > 2 classes ln p(x, C_k), (n, K)."""
        return two_class_scores(self.log_joint(X))

    def predict(self, X):
        """Return the most probable class, the first of equals."""
        scores = self.decision_function(X)
        return choose_class(self.classes_, scores)


def log_posterior(log_joint):
    """Return ln P(C_k | x) from ln p(x, C_k), along the last axis: subtract ln p(x), the log of a sum of exponentials.

    ln sum_k exp(a_k) = a_max + ln sum_k exp(a_k - a_max)   (10.15)

    The largest exponential is exp(0) = 1, so neither overflow nor underflow can empty the sum.

    ``log_joint`` (..., K) holds ln p(x, C_k).

    >>> np.exp(log_posterior([-1000.0, -1001.0])).round(6)
    array([0.731059, 0.268941])
    """
    given = np.asarray(log_joint)
    if given.dtype.kind not in "fiu" or given.ndim == 0:
        raise ValueError(f"log_joint must be an array of logarithms, (K,) or (n, K); got {log_joint!r}.")
    J = given.astype(float)
    as_array(np.where(J == -np.inf, 0, J), "log_joint")  # -inf is ln 0; nan and +inf are no logarithms of a joint
    if (J == -np.inf).all(axis=-1).any():
        raise ValueError("log_joint must hold at least one finite value for each x; got -inf everywhere.")
    A = J - J.max(axis=-1, keepdims=True)
    return A - np.log(np.exp(A).sum(axis=-1, keepdims=True))
