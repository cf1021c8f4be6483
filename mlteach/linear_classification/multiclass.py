"""The perceptron for K classes: one weight vector each, the largest score wins (section 7.5)."""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearClassifier, read_classes
from mlteach.linear_classification._data import check_run
from mlteach.linear_classification.perceptron import warn_unfinished
from mlteach.validation import as_rng, as_table, check_choice

AHEAD = 32  # samples scored at once between two mistakes; only speed depends on it


class MulticlassStep(NamedTuple):
    """State of the multiclass perceptron after one update."""

    W: np.ndarray  # (K, d)
    b: np.ndarray  # (K,)
    epoch: int  # pass over the data in which the update was made; 0 before the first
    n: int | None  # index of the misclassified sample; None before the first
    up: int | None  # index of its class, whose weights were raised
    down: int | None  # index of the class predicted, whose weights were lowered
    n_mistakes: int  # mistakes so far


class MulticlassPerceptron(LinearClassifier, Estimator):
    """The perceptron for K >= 2 classes, one sample at a time from W = 0, b = 0.

    Model   y_k(x) = w_k . x + b_k;  the class with the largest y_k, the first of equals
    Update  on a mistake:  w_k += eta x for the class of x,  w_j -= eta x for the class predicted, the rest stays;
            b likewise with x = 1

    Updates add to zero over the classes, so the rows of W and the entries of b do. With two classes it is the
    `Perceptron`: w = W[1] = -W[0], and equal scores go to the first class as y = 0 does there.

    Parameters
    ----------
    learning_rate : eta > 0; from W = 0 it scales the weights and changes no decision.
    epochs : the most passes over the data.
    rng : seed or Generator that shuffles the samples anew in each epoch; ``shuffle=False`` keeps their order.
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    W_ (K, d), b_ (K,), classes_; n_iter_ = n_mistakes_, converged_; history_, one `MulticlassStep` per update, so
    len(history_) == n_iter_ + 1; mistakes_ (epochs made,), the mistakes of each epoch.

    >>> model = MulticlassPerceptron(shuffle=False).fit([[0, 2], [2, -1], [-2, -1]], ["top", "right", "left"])
    >>> print(model.classes_, model.predict([[0, 5], [4, 0], [-4, 0]]))
    ['left' 'right' 'top'] ['top' 'right' 'left']
    """

    task = "classification"

    def __init__(self, learning_rate=1.0, epochs=100, rng=0, *, shuffle=True, history=True):
        self.learning_rate, self.epochs, self.rng = learning_rate, epochs, rng
        self.shuffle, self.history = shuffle, history

    def fit(self, X, y):
        """Correct one mistake at a time until an epoch has none; return self."""
        X, names = as_table(X)
        X, classes, index = read_classes(X, y)
        eta, epochs = check_run(self)
        check_choice(self.shuffle, "shuffle", (True, False))
        rng = as_rng(self.rng)
        # 1. Start from equal scores; with a 1 in front of x the biases are the first column of the weights
        Phi = np.column_stack([np.ones(len(X)), X])
        V = np.zeros((len(classes), Phi.shape[1]))
        start = MulticlassStep(V[:, 1:], V[:, 0], 0, None, None, None, 0)
        history, mistakes = History([start], whole=self.history), []

        while len(mistakes) < epochs and (not mistakes or mistakes[-1] > 0):
            order = rng.permutation(len(X)) if self.shuffle else np.arange(len(X))
            A, t, at, before = Phi[order], index[order], 0, history.n_steps
            while at < len(X):
                # 2. The next sample whose class has not the largest score; look for it among AHEAD at once
                predicted = (A[at : at + AHEAD] @ V.T).argmax(axis=1)
                wrong = predicted != t[at : at + AHEAD]
                first = int(wrong.argmax())
                if not wrong[first]:
                    at += AHEAD
                    continue
                at += first
                # 3. Raise its class, lower the one predicted (7.26)
                up, down, step = int(t[at]), int(predicted[first]), eta * A[at]
                V = V.copy()
                V[up] += step
                V[down] -= step
                n, total = int(order[at]), history.n_steps + 1
                history.append(MulticlassStep(V[:, 1:], V[:, 0], len(mistakes) + 1, n, up, down, total))
                at += 1
            # 4. Stop after a clean pass
            mistakes.append(history.n_steps - before)

        self._keep_features(X.shape[1], names)
        self.W_, self.b_, self.classes_ = V[:, 1:].copy(), V[:, 0].copy(), classes
        self.history_, self.n_iter_, self.converged_ = list(history), history.n_steps, mistakes[-1] == 0
        self.mistakes_, self.n_mistakes_ = np.array(mistakes), history.n_steps
        if not self.converged_:
            warn_unfinished(self)
        return self
