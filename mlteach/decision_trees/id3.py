"""ID3: split by the attribute with the largest gain, one branch for each value, until the leaves are pure.

The algorithm is derived in section 12.4, gain ratio and cost in section 12.6, missing values in section 12.7.2.
"""

import numpy as np

from mlteach.base import Estimator
from mlteach.decision_trees.impurity import CRITERIA, cost_gain, decrease, ratio, sorted_values
from mlteach.decision_trees.nodes import Node, Tree, reachable
from mlteach.numerics import one_hot
from mlteach.parameters import ANY, Choice, Maybe, Real
from mlteach.validation import as_categories, as_vector, check_choice

WAYS = ("common", "class", "fractional")
MISSING = object()  # stands for None and NaN
TIE = 1e-12  # scores as close as this are equal: the first attribute wins, and not the last bit


class ID3Tree(Tree, Estimator):
    """A tree for categories: each inner node tests one attribute, each value of it has a branch.

    Step  A* = argmax_A Gain(S, A) (12.4);  one branch for each value v of A*, grown from S_v = {x in S : A*(x) = v}
    Leaf  if S is pure, or no attribute that is left splits it: the most common class. An empty S_v gets that of S.

    Parameters
    ----------
    criterion : "gain" (of information), "gain_ratio", "gini", or "cost" (cost-sensitive gain)
    missing : what to do with None and NaN among the values: None refuses them; "common" takes the attribute's most
        common value at the node, "class" the most common one at the node among samples of the same class (of a new
        sample, whose class is not known, that of all),
        "fractional" sends the sample down all branches, with weights in the proportion of the known values (12.10)
    costs : for "cost", what measuring each attribute costs (d,)
    cost_weight : for "cost", the w of (2^Gain - 1) / (Cost + 1)^w; None for Gain^2 / Cost

    Of equal scores the first attribute wins, of equally common values and classes the first in their order.

    Attributes
    ----------
    classes_ (K,); values_, for each attribute the list of its values; nodes_, a dict from number to `Node`.

    >>> X, y = [["sun", "hot"], ["rain", "mild"], ["rain", "hot"], ["sun", "mild"]], ["no", "yes", "yes", "no"]
    >>> print(ID3Tree().fit(X, y, feature_names=["Outlook", "Heat"]).text())
    Outlook = rain: yes (2)
    Outlook = sun: no (2)
    """

    task, inputs = "classification", "categories"
    params = {
        "criterion": Choice("gain", "gain_ratio", "gini", "cost"),
        "missing": Choice(None, *WAYS),
        "costs": ANY,
        "cost_weight": Maybe(Real(0, 1)),
    }

    def __init__(self, criterion="gain", missing=None, *, costs=None, cost_weight=None):
        self.criterion, self.missing, self.costs, self.cost_weight = criterion, missing, costs, cost_weight

    def fit(self, X, y, feature_names=None):
        """Grow the tree on rows of categories X (n, d) and labels y (n,); return self."""
        return self._fit(X, y, feature_names=feature_names)

    def learn(self, X, y):
        """Grow the tree breadth first. A set S of samples knows what each of them weighs."""
        self.values_ = [sorted_values(v for v in column if v is not MISSING) for column in X.T]
        self._missing, self._routes, score = self.missing, {}, self._score(X.shape[1])
        S = _Samples.of(X, one_hot(y, len(self.classes_)), self.values_, self.missing)
        self.nodes_, queue = {0: S.node(None)}, [(0, S, range(X.shape[1]))]
        for number, S, attributes in queue:
            node = self.nodes_[number]
            # 1. A leaf, where no sample came or all agree
            if node.n == 0 or np.count_nonzero(node.counts) == 1:
                continue
            # 2. Score every attribute that parts the samples
            tables = {j: S.table(j) for j in attributes}
            node.scores = {j: score(j, table) for j, table in tables.items() if len(table) > 1}
            if not node.scores:
                continue
            # 3. Ask for the best, the first of equals
            top = max(node.scores.values())
            best = next(j for j, value in node.scores.items() if value >= top - TIE)
            node.feature, node.gain = best, decrease(tables[best], CRITERIA["entropy"])
            self._routes[number] = S.route(best)
            # 4. Go on with each of its values, and with the other attributes
            for v, value in enumerate(self.values_[best]):
                child = node.children[self._condition(best, "=", value)] = len(self.nodes_)
                S_v = S.part(best, v)
                self.nodes_[child] = S_v.node(node)
                queue.append((child, S_v, [j for j in attributes if j != best]))

    def predict_proba(self, X):
        """Return the shares of the classes in the leaf of each row (n, K); of several leaves, their weighted mean.

        A value that ``fit`` never saw ends the walk: its node answers.
        """
        rows = self._points(X)
        reach = self._reach(rows)
        stops = np.maximum(reach - _passed_on(reach, self.nodes_), 0)
        shares = np.array([node.counts / node.counts.sum() for node in self.nodes_.values()])
        return stops @ shares

    def decision_function(self, X):
        """Return the shares (n, K); of two classes, that of the second minus that of the first (n,)."""
        P = self.predict_proba(X)
        return P[:, 1] - P[:, 0] if len(self.classes_) == 2 else P

    def predict(self, X):
        """Return the most common class in the leaf of each row."""
        P = self.predict_proba(X)
        return self.classes_[_largest(P)]

    def answer(self, node):
        """Return the label that a node gives."""
        return self.classes_[node.value]

    def paths(self, X):
        """Return which share of each row passes each node (n, number of nodes), in the order of ``nodes_``."""
        return self._reach(self._points(X))

    def _reach(self, rows):
        """Walk all rows down the tree together."""
        place = {number: k for k, number in enumerate(self.nodes_)}
        codes = _codes(rows, self.values_)
        reach = np.zeros((len(rows), len(place)))
        reach[:, 0] = 1
        for number, node in self.nodes_.items():  # parents stand before their children
            if node.children:
                shares = _memberships(codes[:, node.feature], self._routes[number])
                for v, child in enumerate(node.children.values()):
                    reach[:, place[child]] = reach[:, place[number]] * shares[:, v]
        return reach

    def _cut(self, numbers):
        nodes = dict(self.nodes_)
        for number in numbers:
            old = nodes[number]
            nodes[number] = Node(old.depth, old.counts, old.value, old.n, old.impurity)
        self.nodes_ = reachable(nodes)

    def _score(self, d):
        """Return the function that scores an attribute j by its table of branches."""
        if self.criterion == "cost":
            if self.costs is None:
                raise ValueError('criterion="cost" needs costs, one for each attribute; got None.')
            costs = as_vector(self.costs, "costs").tolist()
            if len(costs) != d:
                raise ValueError(f"costs must have one entry for each of the {d} attributes; got {len(costs)}.")
            return lambda j, table: cost_gain(decrease(table, CRITERIA["entropy"]), costs[j], self.cost_weight)
        if self.criterion == "gain_ratio":
            return lambda j, table: ratio(table)
        impurity = CRITERIA["entropy" if self.criterion == "gain" else "gini"]
        return lambda j, table: decrease(table, impurity)

    def _read_points(self, X):
        return self._read(X, getattr(self, "_missing", self.missing), getattr(self, "n_features_in_", None))

    def _read(self, X, way, n_features=None):
        """Return ``X`` as rows of categories; MISSING stands where a value is missing, if that is allowed."""
        if way is None or X is None:
            return as_categories(X, n_features=n_features)
        check_choice(way, "missing", (None, *WAYS))
        rows = np.asarray(X, dtype=object)
        gaps = np.array([_is_gap(value) for value in rows.flat], dtype=bool).reshape(rows.shape)
        rows = as_categories(np.where(gaps, MISSING, rows), n_features=n_features)
        empty = gaps.all(axis=0) if rows.ndim == 2 else []
        if n_features is None and np.any(empty):
            raise ValueError(f"X has no known value in column {int(np.argmax(empty))}; leave the attribute out.")
        return rows

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical, tags.classifier_tags.poor_score = True, True
        return tags


class _Samples:
    """Samples that have come to a node: their codes (n, d) and classes (n, K), and how much of each is here (n,)."""

    def __init__(self, codes, labels, weights, sizes, missing):
        self.codes, self.labels, self.weights, self.sizes, self.missing = codes, labels, weights, sizes, missing
        self.routes = {}

    @classmethod
    def of(cls, rows, labels, values, missing):
        """Return all samples, with weight one each."""
        return cls(_codes(rows, values), labels, np.ones(len(rows)), [len(seen) for seen in values], missing)

    def node(self, parent):
        """Return their node."""
        counts = self.weights @ self.labels
        n = float(counts.sum())
        counts = counts if n > 0 else parent.counts  # an empty branch answers like its parent
        depth = parent.depth + 1 if parent else 0
        return Node(depth, counts, int(_largest(counts)), n, float(CRITERIA["entropy"](counts)))

    def table(self, j):
        """Return the class counts of those branches of attribute j that are not empty."""
        gone, counts = self._gone(j), self._known(j)
        if gone.any():
            counts = counts + self._shares(j).T @ (self.weights[gone, None] * self.labels[gone])
        return counts[counts.sum(axis=1) > 0]

    def part(self, j, v):
        """Return the samples that go down branch v of attribute j."""
        weights, gone = np.where(self.codes[:, j] == v, self.weights, 0.0), self._gone(j)
        if gone.any():
            weights[gone] = self.weights[gone] * self._shares(j)[:, v]
        here = weights > 0
        return _Samples(self.codes[here], self.labels[here], weights[here], self.sizes, self.missing)

    def route(self, j):
        """Return the share of each branch in a sample whose value is missing and whose class is not known (V,)."""
        V, total = self.sizes[j], self._known(j).sum(axis=1)
        if self.missing != "fractional":
            return np.eye(V)[_largest(total)]
        return total / total.sum() if total.sum() > 0 else np.full(V, 1 / V)

    def _shares(self, j):
        """Return the share of each branch in the samples here whose value is missing (m, V)."""
        if j not in self.routes:
            per_class, route = self._known(j).T, self.route(j)  # (K, V)
            if self.missing == "class":
                seen = per_class.sum(axis=1) > 0
                own = np.where(seen[:, None], np.eye(len(route))[np.argmax(per_class, axis=1)], route)
            else:
                own = np.tile(route, (len(per_class), 1))
            self.routes[j] = self.labels[self._gone(j)] @ own
        return self.routes[j]

    def _known(self, j):
        """Return the class counts of the samples whose value is known, by branch (V, K)."""
        code, V = self.codes[:, j], self.sizes[j]
        return np.stack([np.bincount(code, self.weights * one, V + 1)[:V] for one in self.labels.T], axis=1)

    def _gone(self, j):
        return self.codes[:, j] == self.sizes[j]  # a missing value has the number V, and no branch of its own


def _passed_on(reach, nodes):
    """Return what each node passes on to its children."""
    place = {number: k for k, number in enumerate(nodes)}
    passed = np.zeros_like(reach)
    for number, node in nodes.items():
        for child in node.children.values():
            passed[:, place[number]] += reach[:, place[child]]
    return passed


def _largest(weights):
    """Return the place of the largest weight, or of that in each row, the first of equals whatever their last bit."""
    return np.argmax(np.round(weights, 9), axis=-1)


def _memberships(code, route):
    """Return the share of each row in each branch (n, V); a value that was never seen (-1) has none."""
    V = len(route)
    known = np.vstack([np.eye(V), route, np.zeros(V)])
    return known[code]


def _codes(rows, values):
    """Return numbers for values: their place among ``values``, their number V if missing, -1 if never seen."""
    columns = []
    for column, seen in zip(rows.T, values):
        place = {value: v for v, value in enumerate(seen)} | {MISSING: len(seen)}
        columns.append([place.get(value, -1) for value in column])
    return np.array(columns).T


def _is_gap(value):
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
