"""Chapter 12 against scikit-learn, grown until the leaves are pure."""

from sklearn import tree

from mlteach.decision_trees import DecisionTreeClassifier, DecisionTreeRegressor, ID3Tree

CASES = {
    "ID3Tree": ("categories", ID3Tree, lambda: tree.DecisionTreeClassifier(criterion="entropy")),
    "DecisionTreeClassifier": ("binary", DecisionTreeClassifier, tree.DecisionTreeClassifier),
    "DecisionTreeClassifier, entropy": (
        "classes",
        lambda: DecisionTreeClassifier("entropy"),
        lambda: tree.DecisionTreeClassifier(criterion="entropy"),
    ),
    "DecisionTreeRegressor": ("regression", DecisionTreeRegressor, tree.DecisionTreeRegressor),
}
