"""Conjunctions of attribute values, ordered from specific to general: the classical language for concepts.

Derived in section 1.6 of the chapter.
"""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from mlteach.learning_problems._instances import as_instance, as_instances, as_rows
from mlteach.validation import check_integer

ANY, NOTHING = "?", "∅"


@dataclass(frozen=True, repr=False)
class Conjunction:
    """A hypothesis that asks for certain values of some attributes and leaves the others free.

    h(x) = 1  if for every attribute i:  values[i] is "?"  or  values[i] = x[i]

    ``values`` has one entry per attribute: the value required, "?" for any, or "∅" for none. A single "∅" already
    rules out every instance, so all conjunctions with one are the same hypothesis and are stored as all-"∅".

    Conjunctions are partially ordered by the sets they cover: ``g >= h`` says that g is more general than h or equal.

    >>> h = Conjunction(["Sunny", "?", "High"])
    >>> h(["Sunny", "Cold", "High"]), h(["Rainy", "Cold", "High"])
    (True, False)
    >>> h.generalise(["Sunny", "Cold", "Normal"])
    <Sunny, ?, ?>
    """

    values: tuple

    def __post_init__(self):
        values = as_instance(self.values)
        if not isinstance(values, tuple) or not values:
            raise TypeError(f"values must be a row with one entry per attribute; got {self.values!r}.")
        if NOTHING in values:
            values = (NOTHING,) * len(values)
        object.__setattr__(self, "values", values)

    @classmethod
    def most_general(cls, n):
        """Return <?, ..., ?> with ``n`` attributes: it covers everything."""
        return cls((ANY,) * check_integer(n, "n", low=1))

    @classmethod
    def most_specific(cls, n):
        """Return <∅, ..., ∅> with ``n`` attributes: it covers nothing."""
        return cls((NOTHING,) * check_integer(n, "n", low=1))

    @property
    def is_empty(self):
        """True for the most specific hypothesis, which covers nothing."""
        return self.values[0] == NOTHING

    def covers(self, x):
        """Return True where the instance ``x`` has all the required values."""
        return self._covers(self._row(x))

    __call__ = covers

    def generalise(self, x):
        """Return the only minimal generalisation that covers ``x``: what differs becomes "?"."""
        x = self._row(x)
        refuse_symbols(x, "x")
        if self.is_empty:
            return Conjunction(x)
        return Conjunction(tuple(v if v == a else ANY for v, a in zip(self.values, x)))

    def specialise(self, x, domains):
        """Return the minimal specialisations that exclude ``x``: one "?" each becomes another value of its domain.

        >>> Conjunction(["Sunny", "?"]).specialise(["Sunny", "Cold"], [["Sunny", "Rainy"], ["Warm", "Cold"]])
        (<Sunny, Warm>,)
        """
        x, domains = self._row(x), as_domains(domains, n=len(self.values))
        if not self._covers(x):
            return (self,)
        free = [i for i, v in enumerate(self.values) if v == ANY]
        if not free:
            return (Conjunction.most_specific(len(x)),)
        return tuple(
            Conjunction((*self.values[:i], value, *self.values[i + 1 :]))
            for i in free
            for value in domains[i]
            if value != x[i]
        )

    def __ge__(self, other):
        if not isinstance(other, Conjunction):
            return NotImplemented
        self._row(other.values)
        return other.is_empty or self._covers(other.values)

    def __le__(self, other):
        return other >= self if isinstance(other, Conjunction) else NotImplemented

    def __gt__(self, other):
        return self >= other and self != other if isinstance(other, Conjunction) else NotImplemented

    def __lt__(self, other):
        return other > self if isinstance(other, Conjunction) else NotImplemented

    def __repr__(self):
        return f"<{', '.join(map(str, self.values))}>"

    def _covers(self, x):
        return all(v == ANY or v == a for v, a in zip(self.values, x))

    def _row(self, x):
        x = as_instance(x)
        if not isinstance(x, tuple) or len(x) != len(self.values):
            raise ValueError(f"this conjunction has {len(self.values)} attributes; got the instance {x!r}.")
        return x


def refuse_symbols(x, name):
    """Raise if the instance ``x`` holds one of the symbols of the language instead of a value."""
    if ANY in x or NOTHING in x:
        raise ValueError(f"{name} is {x}; {ANY!r} and {NOTHING!r} have a meaning of their own and are no values.")


def as_domains(domains, *, n=None):
    """Return the domains as a tuple of tuples of distinct values, at least two each."""
    domains = as_instances(domains, "domains")
    if n is not None and len(domains) != n:
        raise ValueError(f"domains must have one entry per attribute: {n} attributes, {len(domains)} domains.")
    for i, values in enumerate(domains):
        if not isinstance(values, tuple) or len(set(values)) != len(values) or len(values) < 2:
            raise ValueError(f"domains[{i}] must list at least two different values of attribute {i}; got {values!r}.")
        if {ANY, NOTHING} & set(values):
            raise ValueError(f"domains[{i}] must not hold {ANY!r} or {NOTHING!r}, which have a meaning of their own.")
    return tuple(domains)


def attribute_domains(X):
    """Return for each column of ``X`` the values that occur in it, in order of appearance.

    >>> attribute_domains([["Sunny", "Hot"], ["Rain", "Hot"], ["Rain", "Cool"]])
    (('Sunny', 'Rain'), ('Hot', 'Cool'))
    """
    return tuple(tuple(dict.fromkeys(column)) for column in zip(*as_rows(X)))


def all_conjunctions(domains):
    """Return every conjunction over ``domains`` once, the empty one last: 1 + prod (size + 1) of them.

    >>> all_conjunctions([["a", "b"], [0, 1]])
    (<?, ?>, <?, 0>, <?, 1>, <a, ?>, <a, 0>, <a, 1>, <b, ?>, <b, 0>, <b, 1>, <∅, ∅>)
    """
    domains = as_domains(domains)
    if (total := 1 + prod(len(values) + 1 for values in domains)) > 200_000:
        raise ValueError(f"these domains have {total} conjunctions; 200000 is the most that are listed.")
    listed = [Conjunction(values) for values in product(*((ANY, *values) for values in domains))]
    return (*listed, Conjunction.most_specific(len(domains)))


class HypothesisCount(NamedTuple):
    """The size of a space of conjunctions."""

    instances: int  # prod size
    syntactic: int  # prod (size + 2): every way to write "?", "∅" or a value
    distinct: int  # 1 + prod (size + 1): all with "∅" are one hypothesis
    concepts: int | None  # 2 ** instances: what an unrestricted space would hold; None beyond 10,000 instances


def count_conjunctions(domains):
    """Return how many instances, conjunctions as written, different conjunctions, and concepts there are.

    ``domains`` are the lists of values, one for each attribute.

    >>> count_conjunctions([["a", "b"], [0, 1]])
    HypothesisCount(instances=4, syntactic=16, distinct=10, concepts=16)
    """
    sizes = [len(values) for values in as_domains(domains)]
    n = prod(sizes)
    concepts = 2**n if n <= 10_000 else None
    return HypothesisCount(n, prod(s + 2 for s in sizes), 1 + prod(s + 1 for s in sizes), concepts)


class ConceptData(NamedTuple):
    """Examples of a concept over discrete attributes."""

    X: tuple
    y: tuple  # True for positive examples
    domains: tuple
    feature_names: tuple


def enjoy_sport():
    """Return Mitchell's four days on which Aldo did or did not enjoy his sport (Machine Learning, 1997, table 2.1).

    >>> count_conjunctions(enjoy_sport().domains)[:3]
    (96, 5120, 973)
    """
    X = (
        ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same"),
        ("Sunny", "Warm", "High", "Strong", "Warm", "Same"),
        ("Rainy", "Cold", "High", "Strong", "Warm", "Change"),
        ("Sunny", "Warm", "High", "Strong", "Cool", "Change"),
    )
    domains = (
        ("Sunny", "Cloudy", "Rainy"),
        ("Warm", "Cold"),
        ("Normal", "High"),
        ("Strong", "Weak"),
        ("Warm", "Cool"),
        ("Same", "Change"),
    )
    names = ("Sky", "AirTemp", "Humidity", "Wind", "Water", "Forecast")
    return ConceptData(X, (True, True, False, True), domains, names)
