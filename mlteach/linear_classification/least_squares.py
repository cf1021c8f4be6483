"""Least squares on one-hot targets: linear regression used as a classifier (section 7.4)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearClassifier
from mlteach.linear_regression import LinearRegression


class LeastSquaresClassifier(LinearClassifier, Estimator):
    """K >= 2 classes by linear regression on one-hot targets.

    Model      y_k(x) = w_k . x + b_k;  the class with the largest y_k, the first of equals
    Targets    t_n = (0, ..., 1, ..., 0) with the 1 at the class of x_n; T (n, K)
    Objective  E = 1/2 sum_n |y(x_n) - t_n|^2  (7.11)
    Solution   w_k = X0^+ (t_k - mean of t_k),  b_k = mean of t_k - w_k . mean of x,  X0 the centred inputs, see 7.4.4;
               solved by QR, or by the SVD where columns depend on each other

    The scores of a point sum to one (7.13), because the targets do; they are no probabilities: they leave [0, 1].
    Points far on their own side count as errors too, so they turn the boundary. Two classes get two scores as well:
    y_1 - y_2 = 0 is the boundary. With independent columns this is X^+ T with a column of ones in X (7.12); with
    dependent ones, as for n <= d, the shortest w_k are taken and b_k stays free, so the scores still sum to one.

    Attributes after ``fit(X, y)`` with X (n, d): ``classes_`` (K,), ``W_`` (K, d), ``b_`` (K,), ``loss_`` = E.

    >>> model = LeastSquaresClassifier().fit([[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]], list("aaabbb"))
    >>> print(model.scores([[1, 1]]).round(6), model.predict([[1, 1]]), round(model.loss_, 6))
    [[0.771084 0.228916]] ['a'] 0.036145
    """

    task = "classification"

    def __init__(self):
        pass

    def learn(self, X, y):
        """Regress the one-hot targets on X."""
        # 1. One column of targets per class
        T = (y[:, None] == np.arange(len(self.classes_))).astype(float)
        # 2. Least squares for all columns at once
        found = LinearRegression().fit(X, T)
        self.W_, self.b_, self.loss_ = found.W_, found.b_, float(0.5 * found.rss_.sum())
