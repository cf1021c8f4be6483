"""A Beta law over the chance of success: each success adds one to a, each failure one to b (section 9.5)."""

import numpy as np

from mlteach.bayesian_learning.estimates import zeros_and_ones
from mlteach.evaluation import Interval
from mlteach.probability import beta_pdf
from mlteach.validation import check_number


class BetaBernoulli:
    """What is believed about the chance theta of success, as a Beta law; it is never changed, `update` returns another.

    p(theta) = Beta(theta; a, b),  p(theta | s successes, f failures) = Beta(theta; a + s, b + f)   (9.18)

    Parameters: ``a`` > 0 and ``b`` > 0, virtual counts of successes and failures; (1, 1) is uniform.

    >>> belief = BetaBernoulli(1, 1).update([1, 1, 0])
    >>> belief, belief.mean()
    (BetaBernoulli(3, 2), 0.6)
    >>> low, high = belief.interval(0.95)
    >>> round(low, 4), round(high, 4)
    (0.1941, 0.9324)
    """

    def __init__(self, a=1.0, b=1.0):
        self.a = check_number(a, "a", low=0, open_low=True)
        self.b = check_number(b, "b", low=0, open_low=True)

    def update(self, data):
        """Return the belief after ``data``: one observation, 1 or 0, or any number of them."""
        x = zeros_and_ones(np.atleast_1d(data), "data") if np.size(data) else np.zeros(0)
        return BetaBernoulli(self.a + x.sum(), self.b + len(x) - x.sum())

    def mean(self):
        """Return E[theta] = a / (a + b), which is also P(next is a success) (9.20)."""
        return self.a / (self.a + self.b)

    def mode(self):
        """Return the theta with the largest density, (a - 1) / (a + b - 2), if there is one."""
        if min(self.a, self.b) < 1 or self.a == self.b == 1:
            raise ValueError(f"Beta({self.a:g}, {self.b:g}) has no single peak inside [0, 1]; ask for its mean.")
        return (self.a - 1) / (self.a + self.b - 2)

    def variance(self):
        """Return Var(theta) = mean (1 - mean) / (a + b + 1)."""
        return self.mean() * (self.b / (self.a + self.b)) / (self.a + self.b + 1)

    def pdf(self, theta):
        """Return the density at ``theta``, of any shape."""
        return beta_pdf(theta, self.a, self.b)

    def interval(self, confidence=0.95):
        """Return the central credible `Interval`: theta lies in it with this probability, equal shares beyond each end.

        P(low <= theta <= high | D) = confidence   (9.21)
        """
        from scipy.special import betainccinv, betaincinv

        tail = (1 - check_number(confidence, "confidence", low=0, high=1, open_low=True, open_high=True)) / 2
        return Interval(float(betaincinv(self.a, self.b, tail)), float(betainccinv(self.a, self.b, tail)))

    def __eq__(self, other):
        return isinstance(other, BetaBernoulli) and (self.a, self.b) == (other.a, other.b)

    def __hash__(self):
        return hash((self.a, self.b))

    def __repr__(self):
        return f"BetaBernoulli({self.a:g}, {self.b:g})"
