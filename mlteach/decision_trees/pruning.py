"""Cutting back a tree that fits noise: reduced-error pruning and rule post-pruning (sections 12.8.3 and 12.8.5)."""

from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from mlteach.base import KINDS
from mlteach.decision_trees.nodes import Tree
from mlteach.decision_trees.rules import Rule
from mlteach.evaluation import wilson_interval
from mlteach.validation import as_labels, as_vector

TIE = 1e-9  # what differs by less than this is equal


class Cut(NamedTuple):
    """One step of reduced-error pruning; the first record, before any cut, has no node.

    node      number of the node that became a leaf; ``saved``: validation errors that it saves
    errors    validation errors after the cut, out of n (sum of squares for a regression tree)
    n_nodes   nodes after the cut; ``n_leaves`` leaves
    """

    node: int | None
    saved: float
    errors: float
    n_nodes: int
    n_leaves: int


def reduced_error_prune(tree, X, y):
    """Return a copy of a fitted tree, cut back while the errors on validation data X (n, d), y (n,) do not rise.

    Repeat: for every inner node t count what a cut there saves,  errors of the subtree at t - errors of t as a leaf;
    cut where it saves most. Stop when every cut would cost errors. A cut that saves nothing is made: the smaller tree
    is preferred. Of equal savings the smallest subtree goes first, then the deeper node.

    A new leaf answers with the most common class (or the mean) of the training samples at it. ``pruning_`` of the
    copy lists the steps as `Cut`; ``tree.cut(*[step.node for step in pruning_[1:k + 1]])`` is the tree after k of them.

    >>> from mlteach.decision_trees import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1], [2], [3], [4], [5]], ["a", "b", "a", "b", "b"])
    >>> pruned = reduced_error_prune(tree, [[1.2], [2.2], [4.4]], ["a", "a", "b"])
    >>> [step.errors for step in pruned.pruning_], pruned.n_leaves_
    ([1.0, 0.0, 0.0], 2)
    """
    reach, wrong = _validation(tree, X, y)
    nodes = tree.nodes_
    as_leaf = dict(zip(nodes, np.sum(reach * wrong, axis=0).tolist()))  # errors of each node if it were a leaf
    pruned, steps = tree, []
    while True:
        nodes = pruned.nodes_
        errors, size = _subtrees(nodes, as_leaf)
        if not steps:
            steps.append(Cut(None, 0.0, errors[0], len(nodes), pruned.n_leaves_))
        saved = {t: errors[t] - as_leaf[t] for t, node in nodes.items() if node.children}
        if not saved or max(saved.values()) < -TIE * max(1, errors[0]):
            break
        best = max(saved, key=lambda t: (round(saved[t], 9), -size[t], t))
        pruned = pruned.cut(best)
        left = errors[0] - saved[best]
        steps.append(Cut(best, saved[best], left, pruned.n_nodes_, pruned.n_leaves_))
    pruned = pruned.cut()
    pruned.pruning_ = steps
    return pruned


class Drop(NamedTuple):
    """One step of rule post-pruning: a condition left out of a rule, and the rule's accuracy before and after."""

    rule: int
    condition: object
    before: float
    after: float


@dataclass
class RuleList:
    """Rules in the order in which they are asked; the first that covers a row answers, else ``default``.

    accuracy   of each rule on the rows that it covers, among the data it was pruned with; ``covered`` how many
    history    the steps that made it, as `Drop`
    """

    rules: list
    default: object
    accuracy: list
    covered: list
    history: list = field(default_factory=list, repr=False)
    reader: object = field(default=None, repr=False)  # reads rows as the tree does

    def predict(self, X):
        """Return the answer of the first rule that covers each row, or the default."""
        X = self.reader(X)
        answers = np.array([*(rule.label for rule in self.rules), self.default])
        covers = np.array([*(rule.covers(X) for rule in self.rules), np.ones(len(X), dtype=bool)])
        return answers[np.argmax(covers, axis=0)]  # argmax: the first that is true

    def text(self):
        """Return the rules as text, with accuracy and coverage."""
        lines = [f"{rule}   ({a:.2f} of {n})" for rule, a, n in zip(self.rules, self.accuracy, self.covered)]
        return "\n".join([*lines, f"OTHERWISE {self.default}"])


def rule_post_prune(tree, X, y, confidence=None):
    """Return the rules of a fitted classification tree, each shortened on the data X (n, d), y (n,), as a `RuleList`.

    1. Write every path as a rule.
    2. From each rule leave out, again and again, the condition whose loss leaves the highest accuracy on the rows that
       it covers, as long as the accuracy does not fall. A rule that covers no row has accuracy 0 (12.13).
    3. Drop duplicates, sort by accuracy (then by coverage), and ask the rules in this order.

    X and y are validation data. With a ``confidence`` they may be the training data: the accuracy is then judged with
    caution, by the lower end of Wilson's interval, which is low for a rule that covers few rows.
    """
    _require_classes(tree)
    points = tree._points(X)
    classes, index = as_labels(y, length=len(points), min_classes=1)
    estimate = partial(rule_accuracy, X=points, y=classes[index], confidence=confidence)
    rules, history = [], []
    for number, rule in enumerate(tree.rules()):
        now = estimate(rule)
        while rule.conditions:
            shorter = [_without(rule, k) for k in range(len(rule.conditions))]
            estimates = [estimate(r) for r in shorter]
            best = estimates.index(max(estimates))
            if estimates[best][0] < now[0] - TIE:
                break
            history.append(Drop(number, rule.conditions[best], now[0], estimates[best][0]))
            rule, now = shorter[best], estimates[best]
        rules.append((now, rule))
    unique = {(frozenset(rule.conditions), rule.answer): (now, rule) for now, rule in reversed(rules)}
    marks, rules = zip(*sorted(reversed(unique.values()), key=lambda pair: pair[0], reverse=True))
    accuracy, covered = zip(*marks)
    return RuleList(list(rules), tree.answer(tree.nodes_[0]), list(accuracy), list(covered), history, tree._points)


def rule_accuracy(rule, X, y, confidence=None):
    """Return the rule's accuracy on the rows that it covers, 0 if there are none, and their number."""
    covered = rule.covers(X)
    n, wrong = int(covered.sum()), int(np.sum(y[covered] != rule.label))
    if n == 0:
        return 0.0, 0
    return (1 - wrong / n if confidence is None else 1 - wilson_interval(wrong / n, n, confidence).high), n


def _without(rule, k):
    return Rule(rule.conditions[:k] + rule.conditions[k + 1 :], rule.label)


def _validation(tree, X, y):
    """Return the shares (n, nodes) with which rows pass nodes, and the error of each row at each node as a leaf."""
    if not isinstance(tree, Tree):
        raise ValueError(f"tree must be a fitted tree of this chapter; got {tree!r}.")
    reach = tree.paths(X)
    answers = [tree.answer(node) for node in tree.nodes_.values()]
    if KINDS[tree.task] == "regressor":
        return reach, (as_vector(y, length=len(reach))[:, None] - np.array(answers)) ** 2
    classes, index = as_labels(y, length=len(reach), min_classes=1)
    return reach, (classes[index][:, None] != np.array(answers)).astype(float)


def _subtrees(nodes, as_leaf):
    """Return the errors and the size of the subtree at each node, from the leaves up."""
    errors, size = {}, {}
    for t in reversed(nodes):  # children stand after their parents
        below = nodes[t].children.values()
        errors[t] = sum(errors[c] for c in below) if below else as_leaf[t]
        size[t] = 1 + sum(size[c] for c in below)
    return errors, size


def _require_classes(tree):
    if not isinstance(tree, Tree) or KINDS[tree.task] != "classifier":
        raise ValueError(f"tree must be a fitted classification tree of this chapter; got {tree!r}.")
    tree._require_fit()
