"""What the learners of this chapter read: points, classes, and for two of them the signs."""

import numpy as np

from mlteach.validation import as_labels, as_matrix, check_integer, check_number

LARGEST, SMALLEST = 1e100, 1e-100  # rate times x times x stays inside the range of a double


def read_points(X):
    """Return X (n, d), of a size whose products can be computed."""
    X = as_matrix(X)
    size = float(np.abs(X).max())
    if size > LARGEST or 0 < size < SMALLEST:
        raise ValueError(
            f"X holds values up to {size:.0e}; their products leave the range of a double. Change the unit of X."
        )
    return X


def read_classes(X, y):
    """Return X (n, d), the sorted classes (k,), and the index of each sample's class (n,)."""
    X = read_points(X)
    classes, index = as_labels(y, length=len(X))
    return X, classes, index


def read_signs(X, y, who):
    """Return X (n, d), t = -1 for the first class and +1 for the second (n,), and the two classes."""
    X, classes, index = read_classes(X, y)
    if len(classes) > 2:
        some = ", ".join(map(repr, classes[:5].tolist())) + ", ..." * (len(classes) > 5)
        raise ValueError(
            f"{who} separates two classes; y holds {len(classes)}: {some}. "
            "Use MulticlassPerceptron, or OneVsRest(Perceptron), for more."
        )
    return X, np.where(index == 1, 1.0, -1.0), classes


def check_run(model):
    """Return the checked learning rate and number of epochs of a perceptron."""
    eta = check_number(model.learning_rate, "learning_rate", low=0, high=LARGEST, open_low=True)
    if eta < SMALLEST:
        raise ValueError(
            f"learning_rate must be at least {SMALLEST:g}; got {eta:g}. From w = 0 its size is immaterial."
        )
    return eta, check_integer(model.epochs, "epochs", low=1)
