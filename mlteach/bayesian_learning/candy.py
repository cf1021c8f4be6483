"""Surprise candy: bags that look the same and differ in their share of limes (section 9.2)."""

import numpy as np

from mlteach.bayesian_learning.hypotheses import map_hypothesis, ml_hypothesis, posterior, predictive
from mlteach.validation import as_rng, as_vector, check_integer, check_probabilities

FLAVOURS = ("cherry", "lime")


class CandyBags:
    """Kinds of bags with their shares of limes, and belief in them as candies are unwrapped.

    A bag is large: a candy drawn changes nothing for the next. Candies are given as a list of "lime" and "cherry", or
    of 1 (lime) and 0 (cherry).

    Parameters: ``prior`` (H,) P(h), by default 10, 20, 40, 20, 10 %; ``lime`` (H,) P(lime | h), by default 0, 1/4, 1/2,
    3/4 and 1.

    >>> bags = CandyBags()
    >>> round(bags.predict([]), 4)
    0.5
    >>> bags.posterior(["lime"]).round(4).tolist()
    [0.0, 0.1, 0.4, 0.3, 0.2]
    >>> round(bags.predict(["lime"]), 4)
    0.65
    """

    def __init__(self, prior=(0.1, 0.2, 0.4, 0.2, 0.1), lime=(0.0, 0.25, 0.5, 0.75, 1.0)):
        self.prior = as_vector(check_probabilities(prior, "prior"), "prior")
        self.lime = as_vector(lime, "lime", length=len(self.prior), like="prior")
        if self.lime.min() < 0 or self.lime.max() > 1:
            raise ValueError(f"lime must hold shares between 0 and 1; got {self.lime.tolist()}.")

    def likelihood(self, candies):
        """Return P(d_i | h) for each candy and each kind of bag, (n, H)."""
        limes = read_candies(candies)
        return np.where(limes[:, None] == 1, self.lime, 1 - self.lime)

    def posterior(self, candies):
        """Return P(h | candies), (H,) (9.1)."""
        return posterior(self.prior, self._at_least_one_row(candies))

    def curves(self, candies):
        """Return P(h | first k candies) for k = 0, ..., n, (n + 1, H): each posterior is the next prior (9.3)."""
        belief = [self.prior / self.prior.sum()]
        for row in self.likelihood(candies):
            belief.append(posterior(belief[-1], row))
        return np.array(belief)

    def predict(self, candies):
        """Return P(next is lime | candies), averaged over the bags (9.4)."""
        return predictive(self.posterior(candies), self.lime)

    def map_bag(self, candies):
        """Return the index of the most probable bag (9.5)."""
        return map_hypothesis(self.prior, self._at_least_one_row(candies))

    def ml_bag(self, candies):
        """Return the index of the bag under which these candies are most probable (9.6); at least one is needed."""
        L = self.likelihood(candies)
        if len(L) == 0:
            raise ValueError("with no candy every bag fits equally well: unwrap at least one.")
        return ml_hypothesis(L)

    def draw(self, bag, n, rng=0):
        """Return ``n`` candies from the bag with index ``bag``, a list of "lime" and "cherry"."""
        bag, n = check_integer(bag, "bag", low=0, high=len(self.lime) - 1), check_integer(n, "n", low=0)
        return [FLAVOURS[int(u)] for u in as_rng(rng).random(n) < self.lime[bag]]

    def _at_least_one_row(self, candies):
        L = self.likelihood(candies)
        return L if len(L) else np.ones((1, len(self.prior)))

    def __repr__(self):
        return f"CandyBags(prior={self.prior.tolist()}, lime={self.lime.tolist()})"


def read_candies(candies):
    """Return 1 for each lime and 0 for each cherry, (n,)."""
    known = {"lime": 1, "cherry": 0, 1: 1, 0: 0}
    if isinstance(candies, str):
        raise ValueError(f"candies must be a list such as ['lime', 'cherry']; got the text {candies!r}.")
    if not np.iterable(candies):
        raise ValueError(f"candies must be a list such as ['lime', 'cherry']; got {candies!r}.")
    candies = list(candies)
    for candy in candies:
        if not _is_candy(candy, known):
            raise ValueError(f"a candy is 'lime' or 'cherry', or 1 or 0; got {candy!r}.")
    return np.array([known[candy] for candy in candies], dtype=int)


def _is_candy(candy, known):
    try:
        return candy in known
    except TypeError:
        return False
