"""Naive Bayes for words: which ones occur (Bernoulli), or how often (multinomial); section 10.7."""

import numpy as np

from mlteach.generative_classifiers.bayes import GenerativeClassifier
from mlteach.numerics import one_hot
from mlteach.parameters import Real


class BernoulliNaiveBayes(GenerativeClassifier):
    """Features that are present or absent, each a coin of its own for each class; absence is evidence, too.

    Model     P(x | C_k) = prod_j theta_kj^x_j (1 - theta_kj)^(1 - x_j),  x_j in {0, 1}   (10.16)
    Estimate  theta_kj = (n_kj + alpha) / (N_k + 2 alpha):  n_kj of the N_k samples of class k have feature j

    Parameters: ``alpha`` >= 0, virtual samples with and without each feature (1: Laplace, 0: the raw shares);
    ``threshold``: a feature is present where its entry is greater (0: zeros and ones, truth values, counts).

    Attributes: classes_ (K,), priors_ (K,), theta_ (K, d).

    >>> X, y = [[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0]], [1, 1, 1, 0, 0]
    >>> print(BernoulliNaiveBayes(1).fit(X, y).predict_proba([[1, 1, 1]]).round(5))
    [[0.32808 0.67192]]
    """

    inputs, params = "switches", {"alpha": Real(0), "threshold": Real()}
    remedy = "Each class has seen one of its features always or never; use alpha > 0."

    def __init__(self, alpha=1.0, *, threshold=0.0):
        self.alpha, self.threshold = alpha, threshold

    def learn(self, X, y):
        """Count in how many samples of each class each feature is present."""
        N = self._keep_shares(y)
        n = one_hot(y, len(N)).T @ (X > self.threshold)
        self.theta_ = (n + self.alpha) / (N[:, None] + 2 * self.alpha)
        self._threshold = self.threshold

    def _log_joint(self, X):
        x = (X > self._threshold).astype(float)
        return self._log_priors + _powers(x, self.theta_) + _powers(1 - x, 1 - self.theta_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class MultinomialNaiveBayes(GenerativeClassifier):
    """Counts of words, drawn one after the other from the class's urn; how long a document is says nothing.

    Model     P(x | C_k) proportional to prod_j theta_kj^x_j,  sum_j theta_kj = 1   (10.17)
    Estimate  theta_kj = (T_kj + alpha) / (T_k + alpha d):  word j occurs T_kj times among the T_k words of class k

    Parameters: ``alpha`` >= 0, virtual occurrences of each word in each class (1: Laplace, 0: the raw shares).

    ``X`` (n, d) holds counts, or other weights that are not negative, such as tf-idf.

    Attributes: classes_ (K,), priors_ (K,), theta_ (K, d), whose rows sum to one.

    >>> model = MultinomialNaiveBayes(1).fit([[2, 1, 0], [1, 0, 1], [0, 3, 1], [0, 0, 4]], ["a", "a", "a", "b"])
    >>> print(model.theta_[0].round(6), model.predict([[1, 0, 1], [0, 0, 2]]))
    [0.333333 0.416667 0.25    ] ['a' 'b']
    """

    inputs, params = "counts", {"alpha": Real(0)}
    largest = 1e290  # so that the sums over all words stay inside a double
    remedy = "Each class misses one of its words; use alpha > 0."

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def learn(self, X, y):
        """Count how often each word occurs in each class."""
        N = self._keep_shares(y)
        T = one_hot(y, len(N)).T @ X + self.alpha
        total = T.sum(axis=1)
        if (total == 0).any():
            empty = self.classes_[total == 0].tolist()[0]
            raise ValueError(f"class {empty!r} has no words at all, so their shares are 0/0. Use alpha > 0.")
        self.theta_ = T / total[:, None]

    def _check_data(self, X, y):
        _refuse_negative(X)

    def _log_joint(self, X):
        _refuse_negative(X)
        return self._log_priors + _powers(X, self.theta_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only, tags.classifier_tags.poor_score = True, True
        return tags


def _powers(x, theta):
    """Return ln prod_j theta_kj^x_j for each row of x and each k, (n, K): -inf where a needed theta is 0."""
    zero = theta == 0
    J = x @ np.log(np.where(zero, 1, theta)).T
    return np.where((x > 0) @ zero.T.astype(float) > 0, -np.inf, J) if zero.any() else J


def _refuse_negative(X):
    if X.min() < 0:
        raise ValueError(
            f"X must hold counts, or weights of at least 0; its least entry is {X.min():g} (Negative values in data). "
            f"For measured numbers use GaussianNaiveBayes."
        )
