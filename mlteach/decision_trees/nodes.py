"""What every tree of the chapter shares: its nodes, its rules, its text, and cutting it back (section 12.2)."""

import copy
from dataclasses import dataclass, field

import numpy as np

from mlteach.decision_trees.rules import Condition, Rule, simplified


@dataclass(slots=True)
class Node:
    """One node. A leaf has no ``feature`` and no ``children``.

    counts     weight of each class among the training samples here; of a regression tree: weight, mean, variance
    value      the answer of a leaf: number of the class, or mean
    n          weight of the training samples here; 0 in a branch that no sample took
    feature    column that is tested, ``threshold`` what it is compared with (None where each value has a branch)
    gain       what the test takes from the impurity; ``scores`` those of all candidates, {column: score}, in ID3
    children   from the `Condition` on the branch to the number of the child
    """

    depth: int
    counts: np.ndarray
    value: float
    n: float
    impurity: float
    feature: int | None = None
    threshold: float | None = None
    gain: float = 0.0
    scores: dict = field(default_factory=dict)
    children: dict = field(default_factory=dict)


class Tree:
    """What can be done with any fitted tree; it needs ``nodes_``, a dict from number to `Node` with the root as 0."""

    @property
    def n_nodes_(self):
        """How many nodes the tree has."""
        return len(self.nodes_)

    @property
    def n_leaves_(self):
        """How many of them are leaves."""
        return sum(not node.children for node in self.nodes_.values())

    @property
    def depth_(self):
        """How many tests the longest path has."""
        return max(node.depth for node in self.nodes_.values())

    def rules(self):
        """Return the tree as a list of `Rule`, one for each leaf, from left to right.

        A tree is a disjunction of conjunctions: it answers "yes" where one of the rules for "yes" holds.
        """
        self._require_fit()
        nodes, found, stack = self.nodes_, [], [(0, ())]
        while stack:
            number, path = stack.pop()
            children = nodes[number].children
            if not children:
                found.append(Rule(simplified(path), self.answer(nodes[number])))
            stack += [(child, (*path, condition)) for condition, child in reversed(children.items())]
        return found

    def text(self):
        """Return the tree as indented text."""
        self._require_fit()
        nodes, lines, stack = self.nodes_, [], [(0, "")]
        while stack:
            number, test = stack.pop()
            node = nodes[number]
            answer = [] if node.children else [f"{Rule((), self.answer(node)).answer} ({node.n:.4g})"]
            if test or answer:
                lines.append("    " * max(0, node.depth - 1) + ": ".join([test][: bool(test)] + answer))
            stack += [(child, str(condition)) for condition, child in reversed(node.children.items())]
        return "\n".join(lines)

    def cut(self, *numbers):
        """Return a copy of the tree in which these nodes are leaves, with the answer of their training samples.

        The other nodes keep their numbers.
        """
        self._require_fit()
        for number in numbers:
            if number not in self.nodes_:
                raise ValueError(f"the tree has no node {number!r}; its nodes are {', '.join(map(str, self.nodes_))}.")
        pruned = copy.copy(self)
        pruned._cut(numbers)
        return pruned

    def feature_name(self, j):
        """Return the name of column j, x1, x2, ... where ``fit`` was given none."""
        names = getattr(self, "feature_names_in_", None)
        return f"x{j + 1}" if names is None else names[j]

    def _condition(self, j, sign, value):
        return Condition(self.feature_name(j), sign, value, j)


def reachable(nodes):
    """Return those nodes of a dict that can be reached from the root, in breadth-first order."""
    queue = [0]
    for number in queue:
        queue.extend(nodes[number].children.values())
    return {number: nodes[number] for number in queue}
