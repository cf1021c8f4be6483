"""Declared parameters: an estimator says in one line each what its parameters may be, and ``fit`` checks them.

``params = {"k": Whole(1, "n"), "tol": Real(0), "init": Choice("k-means++", "random")}`` in a class is all it takes:
`mlteach.base.Model.fit` hands ``learn`` a model whose parameters have been read, floats for all real numbers among
them. ``rng`` (a Generator inside ``learn``) and ``history`` are the same everywhere and need no declaration.
"""

from dataclasses import dataclass

from mlteach.validation import as_rng, check_choice, check_integer, check_number


@dataclass(frozen=True)
class Sizes:
    """What limits may refer to by name: the rows and columns of X."""

    n: int  # samples
    d: int  # features

    def __call__(self, limit):
        """Return a limit as a number: "n", "d" or "min(n, d)" by name, and what is no text as it is."""
        return {"n": self.n, "d": self.d, "min(n, d)": min(self.n, self.d)}[limit] if type(limit) is str else limit

    def tell(self, words):
        """Return ``words`` with {n}, {d} and {samples} filled in."""
        return words.format(n=self.n, d=self.d, samples=f"{self.n} sample{'s' * (self.n != 1)}")


@dataclass(frozen=True)
class Whole:
    """A whole number of at least ``low`` and at most ``high``, which may be "n", "d" or "min(n, d)".

    ``why`` explains the upper limit, with {n}, {d} or {samples} where it wants them.

    >>> Whole(1, "n", "X has {samples}").check(4, "k", Sizes(n=3, d=2))
    Traceback (most recent call last):
    ValueError: k must be at most 3 (X has 3 samples); got 4.
    """

    low: int | None = None
    high: int | str | None = None
    why: str = ""

    def check(self, value, name, sizes):
        """Return ``value`` as an int."""
        return check_integer(value, name, low=self.low, high=sizes(self.high), why=sizes.tell(self.why))


@dataclass(frozen=True)
class Real:
    """A finite real number from ``low`` to ``high``; ``above`` and ``below`` are limits that it must not reach.

    >>> Real(above=0).check(0, "C", None)
    Traceback (most recent call last):
    ValueError: C must be greater than 0; got 0.
    """

    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None

    def check(self, value, name, sizes):
        """Return ``value`` as a float."""
        low, high = (self.low if self.above is None else self.above), (self.high if self.below is None else self.below)
        open_low, open_high = self.above is not None, self.below is not None
        return check_number(value, name, low=low, high=high, open_low=open_low, open_high=open_high)


class Choice:
    """One of some values.

    >>> Choice("last", "pocket").check("first", "keep", None)
    Traceback (most recent call last):
    ValueError: keep must be one of 'last', 'pocket'; got 'first'.
    """

    def __init__(self, *options):
        self.options = options

    def check(self, value, name, sizes):
        """Return ``value``."""
        return check_choice(value, name, self.options)


@dataclass(frozen=True)
class Maybe:
    """None, or what ``kind`` allows; None stands for ``default``, which may be "n", "d" or "min(n, d)".

    >>> Maybe(Whole(1, "n"), "n").check(None, "batch_size", Sizes(n=60, d=2))
    60
    """

    kind: object
    default: object = None

    def check(self, value, name, sizes):
        """Return ``value``, or the default in place of None."""
        return sizes(self.default) if value is None else self.kind.check(value, name, sizes)


@dataclass(frozen=True)
class By:
    """What a function of the value returns, which raises on what it cannot use."""

    read: object

    def check(self, value, name, sizes):
        """Return what the function makes of ``value``."""
        return self.read(value)


FLAG = Choice(True, False)
ANY = By(lambda value: value)  # the estimator reads it itself
EVERYWHERE = {"rng": By(as_rng), "history": FLAG}


def read_params(declared, given, X):
    """Return the values of the parameters ``given`` as ``declared`` for the data X (n, d); all must be."""
    sizes = Sizes(len(X), X.shape[1] if hasattr(X, "shape") else 1)
    declared = EVERYWHERE | declared
    return {name: declared[name].check(value, name, sizes) for name, value in given.items()}
