"""What the perceptrons of this chapter read: two classes as signs, and a learning rate."""

from mlteach.linear import read_points
from mlteach.validation import as_two_classes, check_number


def read_signs(X, y, who):
    """Return X (n, d), t = -1 for the first class and +1 for the second (n,), and the two classes."""
    X = read_points(X)
    remedy = "Use MulticlassPerceptron, or OneVsRest(Perceptron), for more."
    classes, t = as_two_classes(y, who, remedy, length=len(X))
    return X, t, classes


def check_rate(value):
    """Return the learning rate of a perceptron."""
    eta = check_number(value, "learning_rate", low=0, high=1e100, open_low=True)
    if eta < 1e-100:
        raise ValueError(f"learning_rate must be at least 1e-100; got {eta:g}. From w = 0 its size is immaterial.")
    return eta
