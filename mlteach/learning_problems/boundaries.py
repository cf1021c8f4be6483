"""Search along the order of conjunctions: Find-S and Candidate-Elimination, which list no hypothesis space.

Derived in section 1.6 of the chapter.
"""

from typing import NamedTuple

from mlteach.learning_problems._instances import as_examples, as_instance, as_rows
from mlteach.learning_problems.conjunction import Conjunction, all_conjunctions, as_domains, refuse_symbols


class FindS(NamedTuple):
    """The most specific conjunction that covers all positive examples."""

    h: Conjunction
    covered_negatives: tuple[int, ...]  # indices of negative examples that h covers: () if h is consistent
    history: tuple[Conjunction, ...]  # history[n]: h after n examples


class Boundary(NamedTuple):
    """The version space after some examples: everything between a member of S and a member of G."""

    S: tuple[Conjunction, ...]  # its most specific members
    G: tuple[Conjunction, ...]  # its most general members


class Candidates(NamedTuple):
    """The result of Candidate-Elimination."""

    S: tuple[Conjunction, ...]
    G: tuple[Conjunction, ...]
    collapsed: int | None  # number of examples after which no hypothesis was left; None if some are
    history: tuple[Boundary, ...]  # history[n]: the boundaries after n examples
    domains: tuple[tuple, ...]

    def decide(self, x):
        """Return True or False where the whole version space agrees on ``x``, None where it does not.

        All say yes if every member of S covers x, all say no if no member of G does.
        """
        if self.collapsed is not None:
            raise ValueError(f"the version space is empty since example {self.collapsed}; it decides nothing.")
        x = as_instance(x)
        if not isinstance(x, tuple) or len(x) != len(self.domains):
            raise ValueError(f"x must have one value for each of {len(self.domains)} attributes; got {x!r}.")
        _check_values(x, self.domains, "x")
        if all(s.covers(x) for s in self.S):
            return True
        return None if any(g.covers(x) for g in self.G) else False

    def members(self):
        """Return all conjunctions between S and G: the whole version space, listed."""
        return tuple(
            h for h in all_conjunctions(self.domains) if any(g >= h for g in self.G) and any(h >= s for s in self.S)
        )


def find_s(X, y, *, positive=True):
    """Find the most specific conjunction that covers the positive examples.

    h <- <∅, ..., ∅>;  for each positive x:  h <- the minimal generalisation of h that covers x

    Negative examples are not looked at. If the concept is a conjunction and the labels are right, h excludes them by
    itself; ``covered_negatives`` says whether it does.

    Parameters: ``X`` rows of attribute values; ``y`` labels, of which ``positive`` marks a positive example.

    >>> find_s([["Sunny", "Warm"], ["Sunny", "Cold"], ["Rainy", "Cold"]], [True, True, False]).h
    <Sunny, ?>
    """
    X, y = as_examples(as_rows(X), y, positive)
    for n, x in enumerate(X):
        refuse_symbols(x, f"X[{n}]")
    # 1. Start from the hypothesis that covers nothing
    h = Conjunction.most_specific(len(X[0]))
    history = [h]
    for x, label in zip(X, y):
        # 2. Generalise just enough to cover a positive example
        if label:
            h = h.generalise(x)
        history.append(h)
    wrong = tuple(n for n, (x, label) in enumerate(zip(X, y)) if not label and h.covers(x))
    return FindS(h, wrong, tuple(history))


def candidate_elimination(X, y, domains, *, positive=True):
    """Keep the most specific and the most general conjunctions that agree with the examples so far.

    Positive x:  drop from G what does not cover x;  generalise S minimally to cover x, below some g in G
    Negative x:  drop from S what covers x;  specialise G minimally to exclude x, above some s in S

    The version space is {h : s <= h <= g for some s in S and g in G}. Where no conjunction agrees with the examples
    (noise, or a concept that is no conjunction), S and G become empty and stay so; ``collapsed`` says after how many
    examples.

    Parameters: ``X`` rows of attribute values, ``y`` labels, ``domains`` the possible values of each attribute.
    Returns `Candidates`.

    >>> from mlteach.learning_problems import enjoy_sport
    >>> data = enjoy_sport()
    >>> found = candidate_elimination(data.X, data.y, data.domains)
    >>> found.S
    (<Sunny, Warm, ?, Strong, ?, ?>,)
    >>> found.G
    (<Sunny, ?, ?, ?, ?, ?>, <?, Warm, ?, ?, ?, ?>)
    """
    X, y = as_examples(as_rows(X), y, positive)
    domains = as_domains(domains, n=len(X[0]))
    for n, x in enumerate(X):
        _check_values(x, domains, f"X[{n}]")
    # 1. Start with everything: below the most general, above the most specific
    S = (Conjunction.most_specific(len(domains)),)
    G = (Conjunction.most_general(len(domains)),)
    history = [Boundary(S, G)]
    for x, label in zip(X, y):
        # 2. A positive example lifts S, a negative one lowers G
        S, G = _positive(S, G, x) if label else _negative(S, G, x, domains)
        history.append(Boundary(S, G))
    collapsed = next((n for n, boundary in enumerate(history) if not boundary.S), None)
    return Candidates(S, G, collapsed, tuple(history), domains)


def _check_values(x, domains, name):
    for i, (value, domain) in enumerate(zip(x, domains)):
        if value not in domain:
            raise ValueError(f"{name} has {value!r} in attribute {i}; domains[{i}] has only {domain}.")


def _positive(S, G, x):
    G = tuple(g for g in G if g.covers(x))
    lifted = dict.fromkeys(s.generalise(x) for s in S)
    return tuple(s for s in lifted if any(g >= s for g in G)), G


def _negative(S, G, x, domains):
    S = tuple(s for s in S if not s.covers(x))
    lowered = dict.fromkeys(h for g in G for h in g.specialise(x, domains))
    above = [h for h in lowered if any(h >= s for s in S)]
    return S, tuple(h for h in above if not any(other > h for other in above))
