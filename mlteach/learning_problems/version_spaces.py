"""The version space by enumeration: hypotheses are listed, and those that contradict an example are struck out.

A hypothesis may be anything that answers yes or no for an instance: a `Conjunction`, any function x -> bool, or the
set of the instances it calls positive.

Derived in section 1.4 of the chapter.
"""

from itertools import combinations
from typing import NamedTuple

from mlteach.learning_problems._instances import as_examples, as_instance, as_instances


class Elimination(NamedTuple):
    """What List-Then-Eliminate leaves, and how it came to that."""

    survivors: tuple  # the version space
    counts: tuple[int, ...]  # hypotheses left before the first example and after each
    history: tuple[tuple, ...]  # history[n]: the hypotheses left after n examples


def predicts(h, x):
    """Return True where hypothesis ``h`` calls the instance ``x`` positive.

    >>> predicts({2, 3, 5, 7}, 4), predicts(lambda x: x > 3, 4)
    (False, True)
    """
    _check_hypothesis(h)
    return _says(h, as_instance(x))


def consistent(h, X, y, *, positive=True):
    """Return True where hypothesis ``h`` gives every example its label: h(x) = y for all of them.

    ``positive`` is the label that stands for yes.

    >>> consistent({2, 3, 5, 7}, [3, 6], [True, False])
    True
    """
    _check_hypothesis(h)
    X, y = as_examples(X, y, positive)
    return all(_says(h, x) == label for x, label in zip(X, y))


def version_space(hypotheses, X, y, *, positive=True):
    """Return the tuple of all hypotheses that are consistent with the examples.

    VS = {h in H : h(x) = y for every example (x, y)}

    Parameters: ``hypotheses``, any number of `Conjunction`, functions or sets; ``X`` the instances; ``y`` their
    labels, of which ``positive`` marks a positive example.

    >>> H = all_subsets(range(1, 11))
    >>> len(H), len(version_space(H, [1, 6, 10, 3, 5, 7], [0, 0, 0, 1, 1, 1]))
    (1024, 16)
    """
    H = _as_hypotheses(hypotheses)
    X, y = as_examples(X, y, positive)
    return tuple(h for h in H if all(_says(h, x) == label for x, label in zip(X, y)))


def list_then_eliminate(hypotheses, X, y, *, positive=True):
    """List all hypotheses, then strike out, example by example, those that get it wrong.

    The survivors are the version space. The list has to be written down first, so this is for small spaces:
    n instances have 2^n subsets. With noisy labels nothing may be left: ``survivors`` is then empty.

    Parameters as for `version_space`. Returns an `Elimination`.

    >>> trace = list_then_eliminate(all_subsets(range(1, 11)), [1, 3, 5, 6, 7, 10], [0, 1, 1, 0, 1, 0])
    >>> trace.counts
    (1024, 512, 256, 128, 64, 32, 16)
    """
    X, y = as_examples(X, y, positive)
    # 1. The version space starts as the whole list
    VS = _as_hypotheses(hypotheses)
    history = [VS]
    # 2. Each example strikes out the hypotheses that contradict it
    for x, label in zip(X, y):
        VS = tuple(h for h in VS if _says(h, x) == label)
        history.append(VS)
    # 3. What is left agrees with every example
    return Elimination(VS, tuple(map(len, history)), tuple(history))


def votes(hypotheses, x):
    """Return the share of the hypotheses that call ``x`` positive: 0 or 1 where the version space is of one mind.

    >>> votes(version_space(all_subsets(range(5)), [0, 1], [True, False]), 3)
    0.5
    """
    H = _as_hypotheses(hypotheses, "there is nobody to vote: no hypothesis agrees with the data (noise?)")
    x = as_instance(x)
    return sum(_says(h, x) for h in H) / len(H)


def all_subsets(instances):
    """Return all 2^n subsets of ``instances``, the smallest first: the space without any language bias.

    >>> [sorted(s) for s in all_subsets([1, 2])]
    [[], [1], [2], [1, 2]]
    """
    points = _distinct(instances, most=16)
    return tuple(frozenset(s) for size in range(len(points) + 1) for s in combinations(points, size))


def all_intervals(instances):
    """Return the empty set and all runs of neighbours in ``instances``: a space with a strong language bias.

    >>> [sorted(s) for s in all_intervals([1, 2, 3])]
    [[], [1], [1, 2], [1, 2, 3], [2], [2, 3], [3]]
    """
    points = _distinct(instances, most=500)
    ends = combinations(range(len(points) + 1), 2)
    return (frozenset(), *(frozenset(points[i:j]) for i, j in ends))


def _distinct(instances, most):
    points = as_instances(instances, "instances")
    if len(set(points)) != len(points):
        raise ValueError("instances must be different from each other; one of them occurs twice.")
    if len(points) > most:
        raise ValueError(f"instances must be at most {most}, or the list gets too long; got {len(points)}.")
    return points


def _as_hypotheses(hypotheses, if_none="at least one hypothesis is needed"):
    if callable(hypotheses) or isinstance(hypotheses, str) or not hasattr(hypotheses, "__iter__"):
        raise TypeError(f"hypotheses must be a collection of hypotheses; got {hypotheses!r}.")
    H = tuple(hypotheses)
    if not H:
        raise ValueError(f"hypotheses is empty; {if_none}.")
    for h in H:
        _check_hypothesis(h)
    return H


def _check_hypothesis(h):
    if isinstance(h, str | bytes) or not (callable(h) or hasattr(h, "__contains__")):
        raise TypeError(f"a hypothesis must be a function of one instance, or the set of its positives; got {h!r}.")


def _says(h, x):
    return bool(h(x)) if callable(h) else x in h
