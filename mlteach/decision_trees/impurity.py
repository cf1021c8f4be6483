"""Impurity of a set of labels, and what a split takes away from it (sections 12.3, 12.5 and 12.6).

A set is given by its class counts, [9, 5] for nine of one class and five of the other; proportions will do. The last
axis is that of the classes, so a table of counts gives one impurity for each of its rows.
"""

import numpy as np

from mlteach.validation import as_array, as_categories, as_labels, check_choice, check_number


def entropy(counts, *, base=2):
    """Return the entropy of a set of labels, in bits: 0 if it is pure, log2 K if all K classes are equally frequent.

    H(S) = - sum_k p_k log2 p_k,  with 0 log 0 = 0   (12.3)

    ``counts`` (..., K) says how many labels there are of each class, ``base`` is that of the logarithm.

    >>> round(entropy([9, 5]), 3), entropy([4, 0])
    (0.94, 0.0)
    """
    return _plain(_entropy(_counts(counts)) / np.log2(check_number(base, "base", low=1, open_low=True)))


def gini(counts):
    """Return the Gini impurity: how often two labels drawn from the set differ.

    G(S) = sum_k p_k (1 - p_k) = 1 - sum_k p_k^2   (12.7)

    ``counts`` (..., K) says how many labels there are of each class.

    >>> round(gini([400, 100]), 3)
    0.32
    """
    return _plain(_gini(_counts(counts)))


def misclassification(counts):
    """Return the share of labels that differ from the most common one, M(S) = 1 - max_k p_k (12.7).

    ``counts`` (..., K) says how many labels there are of each class.

    >>> misclassification([400, 100])
    0.2
    """
    return _plain(_misclassification(_counts(counts)))


def branch_counts(x, y):
    """Return the class counts of each branch (V, K): a row for each value of ``x`` (n,), a column for each class.

    Values and classes are sorted.

    >>> branch_counts(["rain", "sun", "sun"], ["no", "yes", "yes"]).tolist()
    [[1, 0], [0, 2]]
    """
    column = _column(x)
    classes, index = as_labels(y, length=len(column), like="x", min_classes=1)
    values = sorted_values(column)
    table = np.zeros((len(values), len(classes)), dtype=int)
    np.add.at(table, ([values.index(value) for value in column], index), 1)
    return table


def impurity_decrease(children, criterion="entropy"):
    """Return how much impurity a split takes away, given the class counts of its branches (V, K).

    D = L(S) - sum_v |S_v| / |S| L(S_v)   (12.6)

    It is never negative; for entropy and Gini it is zero only if all branches have the same shares.

    >>> split = [[3, 0], [2, 1]]
    >>> [round(impurity_decrease(split, loss), 3) for loss in ("entropy", "gini", "misclassification")]
    [0.191, 0.056, 0.0]
    """
    table = as_array(children, "children", ndim=2)
    table = table[table.sum(axis=1) > 0] if (table >= 0).all() else table
    return decrease(_counts(table, "children"), CRITERIA[check_choice(criterion, "criterion", list(CRITERIA))])


def information_gain(x, y, criterion="entropy"):
    """Return the gain of splitting the labels ``y`` by the values of the attribute ``x``, both of length n.

    Gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v)   (12.4)

    ``criterion`` may name "gini" or "misclassification" instead of the entropy.

    >>> round(information_gain(["a", "a", "b", "b"], [0, 0, 0, 1]), 3)
    0.311
    """
    return impurity_decrease(branch_counts(x, y), criterion)


def split_information(x):
    """Return the entropy of an attribute's own values: high if it cuts the data into many small parts.

    SplitInformation(S, A) = - sum_v |S_v| / |S| log2 |S_v| / |S|   (12.8)

    >>> split_information([1, 2, 3, 4])
    2.0
    """
    column = _column(x)
    return entropy([np.sum([value == v for value in column]) for v in sorted_values(column)])


def gain_ratio(x, y):
    """Return the gain per bit of split information: Gain(S, A) / SplitInformation(S, A) (12.8).

    It is 0 for an attribute with one value, which splits nothing.

    >>> round(gain_ratio([1, 2, 3, 4], [0, 0, 0, 1]), 3)
    0.406
    """
    return ratio(branch_counts(x, y))


def cost_gain(gain, cost, w=None):
    """Return a gain that an attribute's cost of measurement lowers.

    Gain^2 / Cost,  or with a weight w between 0 and 1:  (2^Gain - 1) / (Cost + 1)^w   (12.9)

    >>> round(cost_gain(0.3, 23), 5), round(cost_gain(0.3, 1, w=1), 4)
    (0.00391, 0.1156)
    """
    gain = check_number(gain, "gain", low=0)
    if w is None:
        return gain**2 / check_number(cost, "cost", low=0, open_low=True)
    return (2**gain - 1) / (check_number(cost, "cost", low=0) + 1) ** check_number(w, "w", low=0, high=1)


def decrease(table, impurity):
    """Return the decrease of an impurity for a table (V, K) of branches, none of them empty."""
    share = table.sum(axis=1) / table.sum()
    return max(0.0, float(impurity(table.sum(axis=0)) - share @ impurity(table)))


def ratio(table):
    """Return the gain ratio for a table (V, K) of branches."""
    table = table[table.sum(axis=1) > 0]
    return decrease(table, _entropy) / float(_entropy(table.sum(axis=1))) if len(table) > 1 else 0.0


def sorted_values(column):
    """Return the different values of a column in order, or as they came where they cannot be compared."""
    values = list(dict.fromkeys(column))
    try:
        return sorted(values)
    except TypeError:
        return values


def _entropy(counts):
    p = _shares(counts)
    return np.abs(np.sum(p * np.log2(np.where(p > 0, p, 1)), axis=-1))


def _gini(counts):
    return 1 - np.sum(_shares(counts) ** 2, axis=-1)


def _misclassification(counts):
    total = np.sum(counts, axis=-1)
    return (total - np.max(counts, axis=-1)) / total


CRITERIA = {"entropy": _entropy, "gini": _gini, "misclassification": _misclassification}


def _shares(counts):
    return counts / np.sum(counts, axis=-1, keepdims=True)


def _counts(counts, name="counts"):
    counts = as_array(counts, name)
    if counts.ndim == 0:
        raise ValueError(f"{name} must list the number of labels in each class, such as [9, 5]; got {counts.item():g}.")
    if counts.min() < 0:
        raise ValueError(f"{name} must not be negative; its smallest entry is {counts.min():g}.")
    if np.any(counts.sum(axis=-1) == 0):
        raise ValueError(f"{name} must hold at least one label; all classes have 0.")
    return counts


def _column(x):
    """Return an attribute's values (n,) as a list."""
    if x is not None and np.ndim(x) != 1:
        raise ValueError(f"x must have shape (n,), one value of the attribute per sample; got shape {np.shape(x)}.")
    return as_categories(x if x is None else [[value] for value in x], "x")[:, 0].tolist()


def _plain(value):
    return float(value) if np.ndim(value) == 0 else value
