"""The perceptron for K classes: one weight vector each, the largest score wins (section 7.5)."""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearClassifier
from mlteach.linear_classification._data import check_rate
from mlteach.linear_classification.perceptron import unfinished
from mlteach.parameters import FLAG, By, Whole

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

    task, largest = "classification", 1e100
    params = {"learning_rate": By(check_rate), "epochs": Whole(1), "shuffle": FLAG}

    def __init__(self, learning_rate=1.0, epochs=100, rng=0, *, shuffle=True, history=True):
        self.learning_rate, self.epochs, self.rng = learning_rate, epochs, rng
        self.shuffle, self.history = shuffle, history

    def learn(self, X, y):
        """Correct one mistake at a time until an epoch has none."""
        # 1. Start from equal scores; with a 1 in front of x the biases are the first column of the weights
        Phi = np.column_stack([np.ones(len(X)), X])
        V, mistakes = np.zeros((len(self.classes_), Phi.shape[1])), []
        run = History([MulticlassStep(V[:, 1:], V[:, 0], 0, None, None, None, 0)], whole=self.history)
        while len(mistakes) < self.epochs and mistakes[-1:] != [0]:
            order = self.rng.permutation(len(X)) if self.shuffle else np.arange(len(X))
            A, t, at, before = Phi[order], y[order], 0, run.n_steps
            while at < len(X):
                # 2. The next sample whose class has not the largest score; look for it among AHEAD at once
                predicted = (A[at : at + AHEAD] @ V.T).argmax(axis=1)
                wrong = predicted != t[at : at + AHEAD]
                first = int(wrong.argmax())
                at += first + 1 if wrong[first] else AHEAD
                if wrong[first]:
                    # 3. Raise its class, lower the one predicted (7.26)
                    n, down = int(order[at - 1]), int(predicted[first])
                    up, V = int(y[n]), V.copy()
                    V[up] += self.learning_rate * Phi[n]
                    V[down] -= self.learning_rate * Phi[n]
                    run.append(MulticlassStep(V[:, 1:], V[:, 0], len(mistakes) + 1, n, up, down, run.n_steps + 1))
            # 4. Stop after a clean pass
            mistakes.append(run.n_steps - before)
        self.W_, self.b_ = V[:, 1:].copy(), V[:, 0].copy()
        self.history_, self.converged_ = run, mistakes[-1] == 0
        self.mistakes_, self.n_mistakes_ = np.array(mistakes), run.n_steps

    def advice(self, X, y):
        """Say that the last epoch still made mistakes."""
        return unfinished(self)
