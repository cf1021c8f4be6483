"""Kernels on words, on sets and on whatever has a probability (section 15.5)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlteach.kernels.kernel import ANYTHING, Kernel, as_points, check_list, keep
from mlteach.kernels.rules import numbers_of
from mlteach.validation import as_vector, check_integer, check_probabilities, is_hashable


@dataclass(frozen=True)
class _Substring(Kernel):
    """Count the substrings that two strings share: k(x, x') = sum over u of #(u in x) #(u in x') (15.14).

    A substring is a run of neighbouring letters. Its feature is the number of places where it occurs, so k counts
    the pairs of equal runs, one in each string. ``substring_kernel`` takes runs of every length;
    ``substring_kernel(length=3)`` those of three letters, also known as the spectrum kernel. No substring is listed:
    m[i, j], the length of the longest run that ends at letter i of x and at letter j of x', is 1 + m[i-1, j-1] where
    the letters are equal and 0 elsewhere. Then k is the sum of all m, or the number of those with m >= length.

    >>> substring_kernel("cat", "cart")  # c, a, t, ca
    4.0
    >>> substring_kernel(["cat", "banana"]).tolist()
    [[6.0, 3.0], [3.0, 35.0]]
    >>> substring_kernel(length=2)("banana", "bandana")
    7.0
    """

    length: int | None = None
    points = "strings"

    def __post_init__(self):
        if self.length is not None:
            keep(self, length=check_integer(self.length, "length", low=1))

    def __call__(self, X=None, Y=None, *, length=None):
        if X is None and Y is None:
            return _Substring(length)
        if length is not None:
            raise ValueError(f"the length comes first: substring_kernel(length={length!r})(X, Y).")
        if isinstance(X, str) and isinstance(Y, str):
            return float(self._gram([X], [Y])[0, 0])
        return super().__call__(X, Y)

    def read(self, X, name="X"):
        """Return a list of strings."""
        if isinstance(X, str):
            raise ValueError(f"{name} must be a list of strings; got one string. Use [{X!r}].")
        for n, x in enumerate(check_list(X, name, "strings")):
            if not isinstance(x, str):
                raise ValueError(f"{name} must be a list of strings; {name}[{n}] is {x!r}.")
        return [str(x) for x in X]

    def _gram(self, X, Y):
        # 1. The letters of each x' as numbers, one row each, filled up with -1
        letters = np.full((len(Y), max(map(len, Y))), -1)
        for row, y in zip(letters, Y):
            row[: len(y)] = [ord(letter) for letter in y]
        # 2. For each letter of x: runs that end here, in all x' at once
        K = np.zeros((len(X), len(Y)))
        for k, x in zip(K, X):
            m = np.zeros((len(Y), letters.shape[1] + 1))
            for letter in x:
                m[:, 1:] = np.where(letters == ord(letter), m[:, :-1] + 1, 0)
                k += (m if self.length is None else m >= self.length).sum(axis=1)
        return K

    def __repr__(self):
        return "substring_kernel" + ("" if self.length is None else f"(length={self.length})")


@dataclass(frozen=True)
class _Set(Kernel):
    """Count the subsets that two finite sets share: k(A, B) = 2^|A and B| (15.13).

    Its features: one for each set U that is possible, 1 if U is a subset of A and 0 otherwise. A point is a set, or
    a list or tuple of its elements, which are counted once.

    >>> set_kernel({"rain", "wind"}, {"wind", "sun"})  # the empty set and {"wind"}
    2.0
    >>> set_kernel([{1, 2, 3}, {3, 4}, set()]).tolist()
    [[8.0, 2.0, 1.0], [2.0, 4.0, 1.0], [1.0, 1.0, 1.0]]
    """

    points = "sets"

    def __call__(self, X=None, Y=None):
        if X is None and Y is None:
            return self
        if isinstance(X, set | frozenset) and isinstance(Y, set | frozenset):
            return float(self._gram([X], [Y])[0, 0])
        return super().__call__(X, Y)

    def read(self, X, name="X"):
        """Return a list of sets."""
        return [_as_set(x, f"{name}[{n}]") for n, x in enumerate(check_list(X, name, "sets"))]

    def _gram(self, X, Y):
        return 2.0 ** np.array([[len(A & B) for B in Y] for A in X])

    def __repr__(self):
        return "set_kernel"


substring_kernel, set_kernel = _Substring(), _Set()


@dataclass(frozen=True)
class generative_kernel(Kernel):
    """Compare by a distribution: k(x, x') = p(x) p(x'), alike are points that are both probable (15.15).

    With ``prior`` p(z) over K latent values, ``p`` returns the K numbers p(x|z) for a point, and
    k(x, x') = sum over z of p(z) p(x|z) p(x'|z): alike are points that the same z explains.

    >>> generative_kernel(lambda x: 0.5 ** len(x))(["a", "ab"]).tolist()
    [[0.25, 0.125], [0.125, 0.0625]]
    >>> coins = generative_kernel(lambda x: [0.9 if x == "heads" else 0.1, 0.5], prior=[0.5, 0.5])
    >>> coins(["heads", "tails"]).round(3).tolist()
    [[0.53, 0.17], [0.17, 0.13]]
    """

    p: Callable
    prior: tuple | None = None
    points = ANYTHING

    def __post_init__(self):
        if not callable(self.p):
            raise ValueError(f"p must be a function of one point; got {self.p!r}.")
        if self.prior is not None:
            keep(self, prior=tuple(check_probabilities(as_vector(self.prior, "prior"), "prior").tolist()))

    def read(self, X, name="X"):
        """Return the points ``X``: numbers as a matrix, all else as a list."""
        return as_points(X, name)

    def _gram(self, X, Y):
        prior = np.ones(1) if self.prior is None else np.array(self.prior)
        P = self._probabilities(X)
        return (P * prior) @ (P if Y is X else self._probabilities(Y)).T

    def _probabilities(self, X):
        """Return p(x|z), one row for each point and one column for each z."""
        if self.prior is None:
            return _not_negative(numbers_of(self.p, X, "p")[:, None])
        rows = [as_vector(self.p(x), "p(x)") for x in X]
        wrong = next((len(row) for row in rows if len(row) != len(self.prior)), None)
        if wrong is not None:
            raise ValueError(f"p(x) must have one entry per entry of prior, {len(self.prior)}; got {wrong}.")
        return _not_negative(np.array(rows))


def _not_negative(P):
    if P.min() < 0:
        raise ValueError(f"p(x) must not be negative; got {P.min():g}.")
    return P


def _as_set(x, place):
    if isinstance(x, str):
        raise ValueError(
            f"{place} is the string {x!r}; use set({x!r}) for its letters, or {x!r}.split() for its words."
        )
    if not isinstance(x, set | frozenset | list | tuple | np.ndarray):
        raise ValueError(f"{place} must be a set, or a list of its elements; got {x!r}.")
    elements = list(x)
    odd = next((e for e in elements if not is_hashable(e)), None)
    if odd is not None:
        raise ValueError(f"{place} must hold values that can be hashed, such as text or numbers; got {odd!r}.")
    return frozenset(elements)
