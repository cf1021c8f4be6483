"""Gaussian naive Bayes: a Gaussian for each feature and class, independent given the class (section 10.6)."""

import numpy as np

from mlteach.generative_classifiers.bayes import GenerativeClassifier
from mlteach.numerics import centre
from mlteach.parameters import Real
from mlteach.validation import as_rng, check_integer


class GaussianNaiveBayes(GenerativeClassifier):
    """Measured features that are independent given the class, each with a Gaussian of its own.

    Model      p(x | C_k) = prod_j N(x_j; mu_kj, v_kj)   (10.10)
    Estimates  P(C_k) = N_k / N,  mu_kj and v_kj the mean and the variance (divisor N_k) of feature j in class k

    It is a `GaussianDiscriminant` with own covariances that are diagonal. A variance of 0 would make a density
    infinite, so every v_kj gets ``smoothing`` times the largest variance of a feature added to it.

    Parameters: ``smoothing`` >= 0 (scikit-learn's var_smoothing).

    Attributes: classes_ (K,), priors_ (K,), means_ (K, d), variances_ (K, d).

    >>> model = GaussianNaiveBayes().fit([[1, 0], [3, 4], [6, 1], [8, 3]], ["a", "a", "b", "b"])
    >>> print(model.means_.tolist(), model.predict([[4, 2]]))
    [[2.0, 2.0], [7.0, 2.0]] ['a']
    """

    largest, params = 1e100, {"smoothing": Real(0)}
    remedy = "It lies so far out that its density is 0 in a double; change the unit, or look at it."

    def __init__(self, smoothing=1e-9):
        self.smoothing = smoothing

    def learn(self, X, y):
        """Take means and variances, class by class and feature by feature."""
        K = len(self._keep_shares(y))
        deviations, means = zip(*[centre(X[y == k]) for k in range(K)])
        variances = np.array([(A**2).mean(axis=0) for A in deviations])
        self.means_, self.variances_ = (
            np.array(means),
            variances + self.smoothing * (centre(X)[0] ** 2).mean(axis=0).max(),
        )
        if (self.variances_ == 0).any():
            k, j = np.argwhere(self.variances_ == 0)[0]
            raise ValueError(
                f"feature {j} is constant in class {self.classes_.tolist()[k]!r}, so its density there is infinite. "
                f"Leave it out, or use smoothing > 0 with a feature that varies."
            )

    def sample(self, n, rng=0):
        """Return ``n`` new points (n, d) and their classes (n,): draw a class, then each feature on its own."""
        self._require_fit()
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        k = rng.choice(len(self.classes_), size=n, p=self.priors_)
        return rng.normal(self.means_[k], np.sqrt(self.variances_[k])), self.classes_[k]

    def _log_joint(self, X):
        with np.errstate(over="ignore"):
            J = [
                -0.5 * ((X - mu) ** 2 / v + np.log(2 * np.pi * v)).sum(axis=1)
                for mu, v in zip(self.means_, self.variances_)
            ]
        return np.column_stack(J) + self._log_priors
