"""Naive Bayes for categories: count the values of each attribute in each class (section 10.6)."""

import numpy as np

from mlteach.generative_classifiers.bayes import GenerativeClassifier
from mlteach.parameters import ANY
from mlteach.validation import as_array


class NaiveBayes(GenerativeClassifier):
    """Attributes with finitely many values, independent given the class; probabilities from smoothed counts.

    Model     P(C | x_1, ..., x_d) = P(C) prod_j P(x_j | C), divided by its sum over the classes  (10.10)
    Estimate  P(C) = N_C / N,   P(x_j = v | C) = (n_v + m p) / (N_C + m)   (10.11)

    n_v of the N_C samples of class C have the value v. The m-estimate adds m virtual samples, a share p of which has
    the value v. A value that ``fit`` never saw says nothing about the class: its factor is left out.

    Parameters
    ----------
    m : how many virtual samples; None for one per value of the attribute (Laplace), 0 for the raw shares. A number,
        or one for each attribute.
    p : prior guess of P(x_j = v | C); None for 1 / (number of values of the attribute), the only number with which
        the estimates sum to one. A number, or one for each attribute.

    Attributes
    ----------
    classes_ (K,), priors_ (K,); values_, for each attribute the list of its values; tables_, for each attribute the
    estimates (K, number of values).

    >>> rows = [["sunny", "hot"], ["rain", "mild"], ["rain", "hot"], ["sunny", "mild"]]
    >>> model = NaiveBayes().fit(rows, ["no", "yes", "yes", "no"], feature_names=["outlook", "heat"])
    >>> print(model.conditional("outlook", "rain", "yes"), model.predict([["sunny", "hot"]]))
    0.75 ['no']
    """

    inputs, params = "categories", {"m": ANY, "p": ANY}
    remedy = "A value of it was never seen together with any class that allows the others; use m > 0."

    def __init__(self, m=None, p=None):
        self.m, self.p = m, p

    def fit(self, X, y, feature_names=None):
        """Learn all tables; ``feature_names`` (d,) are texts for the columns of X; return self."""
        return self._fit(X, y, feature_names=feature_names)

    def learn(self, rows, y):
        """Count each value of each attribute in each class."""
        N, (m, p) = self._keep_shares(y), self._virtual(rows.shape[1])
        self.values_, self.tables_, self._logs = [], [], []
        for j, column in enumerate(rows.T):
            # 1. The values of the attribute, and how often each class has them
            seen = _sorted(dict.fromkeys(column))
            places = {value: i for i, value in enumerate(seen)}
            counts = np.zeros((len(N), len(seen)))
            np.add.at(counts, (y, [places[value] for value in column]), 1)
            # 2. The m-estimate (10.11)
            m_j = len(seen) if m is None else m[j]
            p_j = 1 / len(seen) if p is None else p[j]
            table = (counts + m_j * p_j) / (N[:, None] + m_j)
            self.values_.append(seen)
            self.tables_.append(table)
            # 3. Its logarithm, with a last column for a value that was never seen
            with np.errstate(divide="ignore"):
                self._logs.append((places, np.column_stack([np.log(table), np.zeros(len(N))])))

    def conditional(self, feature, value, label):
        """Return the estimate of P(feature = value | label); ``feature`` is a number or a name."""
        self._require_fit()
        j = self._feature(feature)
        if value not in self.values_[j]:
            raise ValueError(
                f"feature {feature!r} has the values {', '.join(map(repr, self.values_[j]))}; got {value!r}."
            )
        if label not in self.classes_.tolist():
            raise ValueError(f"label must be one of {', '.join(map(repr, self.classes_.tolist()))}; got {label!r}.")
        return float(self.tables_[j][self.classes_.tolist().index(label), self.values_[j].index(value)])

    def _log_joint(self, rows):
        J = np.tile(self._log_priors, (len(rows), 1))
        for column, (places, table) in zip(rows.T, self._logs):
            J += table[:, [places.get(value, -1) for value in column]].T
        return J

    def _virtual(self, d):
        m = None if self.m is None else _per_attribute(self.m, "m", d, high=np.inf)
        p = None if self.p is None else _per_attribute(self.p, "p", d, high=1)
        return m, p

    def _feature(self, feature):
        names = getattr(self, "feature_names_in_", np.array([])).tolist()
        if feature in names:
            return names.index(feature)
        if isinstance(feature, int) and 0 <= feature < self.n_features_in_:
            return feature
        known = ", ".join(map(repr, names)) if names else f"0 to {self.n_features_in_ - 1}"
        raise ValueError(f"feature must be one of {known}; got {feature!r}.")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical, tags.classifier_tags.poor_score = True, True
        return tags


def _sorted(values):
    """Return the values in order, or as they came where they cannot be compared."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)


def _per_attribute(value, name, d, high):
    """Return one number for each of the d attributes."""
    value = as_array(value, name)
    if value.shape not in ((), (d,)):
        raise ValueError(f"{name} must be one number, or one for each of the {d} attributes; got shape {value.shape}.")
    if value.min() < 0 or value.max() > high:
        limits = "at least 0" if high == np.inf else f"between 0 and {high}"
        raise ValueError(f"{name} must be {limits}; got {value.min() if value.min() < 0 else value.max():g}.")
    return np.broadcast_to(value, (d,))
