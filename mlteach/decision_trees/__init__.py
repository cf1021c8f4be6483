"""Decision trees (chapter 12): ask one question after another, and answer with what most samples at the leaf say.

ID3 asks for the value of a category, one branch for each; CART asks whether a number exceeds a threshold. Both choose
the question that takes most impurity away, and both are cut back on validation data.
"""

from mlteach.decision_trees.cart import DecisionTreeClassifier, DecisionTreeRegressor
from mlteach.decision_trees.grow import best_split, class_loss, grow, variance
from mlteach.decision_trees.id3 import ID3Tree
from mlteach.decision_trees.impurity import (
    branch_counts,
    cost_gain,
    entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    information_gain,
    misclassification,
    split_information,
)
from mlteach.decision_trees.pruning import RuleList, reduced_error_prune, rule_post_prune
from mlteach.decision_trees.rules import Condition, Rule

__all__ = [
    "Condition",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ID3Tree",
    "Rule",
    "RuleList",
    "best_split",
    "branch_counts",
    "class_loss",
    "cost_gain",
    "entropy",
    "gain_ratio",
    "gini",
    "grow",
    "impurity_decrease",
    "information_gain",
    "misclassification",
    "reduced_error_prune",
    "rule_post_prune",
    "split_information",
    "variance",
]
