"""Rosenblatt's perceptron: correct mistakes until none is left (section 7.5)."""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearClassifier
from mlteach.linear_classification._data import check_rate
from mlteach.linear_classification.geometry import functional_margin
from mlteach.parameters import FLAG, By, Choice, Maybe, Whole

AHEAD = 32  # samples scored at once when the search for a mistake begins; only speed depends on it


class PerceptronStep(NamedTuple):
    """State of the perceptron after one update."""

    w: np.ndarray  # (d,)
    b: float
    epoch: int  # pass over the data in which the update was made; 0 before the first
    wrong: np.ndarray | None  # indices of the misclassified samples that made the update; None before the first
    n_mistakes: int  # mistakes so far
    seen: int  # samples looked at so far, those of this update included; 0 before the first


class Perceptron(LinearClassifier, Estimator):
    """Rosenblatt's perceptron for two classes, t = -1 for ``classes_[0]`` and t = +1 for ``classes_[1]``.

    Model   y(x) = w . x + b,  class by the sign of y (7.1)
    Loss    -sum t_n y(x_n) over the misclassified points, see `perceptron_loss` (7.17)
    Update  w <- w + eta sum t_n x_n,  b <- b + eta sum t_n,  over the misclassified points of the batch
    Bound   (R / gamma)^2 mistakes at most, one sample at a time, see `perceptron_bound` (7.24)

    The run starts from w = 0, b = 0 and ends after an epoch without a mistake, which comes if and only if the classes
    are separable and ``epochs`` suffices. From this start eta scales w and b and changes no decision. A rule written
    with the output o = sign(y), w <- w + eta (t - o) x, takes steps twice as long. Where no plane separates the classes
    the last weights are an accident; ``keep`` takes better ones from the same run.

    Parameters
    ----------
    learning_rate : eta > 0.
    epochs : the most passes over the data.
    rng : seed or Generator that shuffles the samples anew in each epoch.
    batch_size : 1 corrects one sample at a time, None all at once; m deals the samples into batches of m.
    shuffle : False keeps the order of the data.
    zero : the sign given to y = 0: -1 (the default, as in ``predict``), +1, or 0, a mistake whichever the class.
    keep : what the run answers with: "last", its last weights; "pocket", the first with the fewest training mistakes;
        "average", the mean of the weights after each sample (7.25).
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    w_ (d,), b_, classes_, zero_; n_iter_ updates, n_mistakes_, converged_; history_, one `PerceptronStep` per update,
    so len(history_) == n_iter_ + 1; mistakes_ (epochs made,), the mistakes of each epoch.

    >>> model = Perceptron(shuffle=False).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [False, False, False, True])
    >>> print(model.w_, model.b_, model.n_mistakes_, model.converged_)
    [2. 1.] -2.0 10 True
    """

    task, largest = "binary", 1e100
    more_classes = "Use MulticlassPerceptron, or OneVsRest(Perceptron), for more."
    params = {
        "learning_rate": By(check_rate),
        "epochs": Whole(1),
        "batch_size": Maybe(Whole(1, "n", "the number of samples"), "n"),
        "shuffle": FLAG,
        "zero": Choice(-1, 0, 1),
        "keep": Choice("last", "pocket", "average"),
    }

    def __init__(
        self, learning_rate=1.0, epochs=100, rng=0, *, batch_size=1, shuffle=True, zero=-1, keep="last", history=True
    ):
        self.learning_rate, self.epochs, self.rng = learning_rate, epochs, rng
        self.batch_size, self.shuffle, self.zero = batch_size, shuffle, zero
        self.keep, self.history = keep, history

    def learn(self, X, t):
        """Correct the mistakes of one batch after the other until an epoch has none."""
        # 1. Start from w = 0; with a 1 in front of x the bias is the first weight, and t x~ . w~ > 0 is what we want
        Z = t[:, None] * np.column_stack([np.ones(len(X)), X])
        least = np.where(t == self.zero, 0.0, np.nextafter(0, 1))  # a smaller t y is a mistake
        v, mistakes = np.zeros(Z.shape[1]), []
        last = self.keep == "last"
        run = History([PerceptronStep(v[1:], 0.0, 0, None, 0, 0)], whole=self.history or not last, bounded=last)
        while len(mistakes) < self.epochs and mistakes[-1:] != [0]:
            order, at, before = self._order(len(X)), 0, run[-1].n_mistakes
            A, bar = Z[order], least[order]
            while at < len(X):
                # 2. The next batch with a mistake; until then nothing changes
                batch, wrong = _next_mistakes(A, bar, v, at, self.batch_size)
                at = batch.stop
                if wrong.any():
                    # 3. Turn the plane towards its misclassified points (7.19)
                    v = v + self.learning_rate * (wrong @ A[batch])
                    who, seen = order[batch][wrong], len(mistakes) * len(X) + min(at, len(X))
                    total = run[-1].n_mistakes + len(who)
                    run.append(PerceptronStep(v[1:], float(v[0]), len(mistakes) + 1, who, total, seen))
            # 4. Stop after a clean pass
            mistakes.append(run[-1].n_mistakes - before)
        # 5. Answer with the last weights, or with better ones of the run
        if not last:
            v = _fewest_mistakes(run, Z, least) if self.keep == "pocket" else _mean_weights(run, len(mistakes) * len(X))
        self.w_, self.b_, self.zero_ = v[1:], float(v[0]), self.zero
        self.history_, self.converged_ = run, mistakes[-1] == 0
        self.mistakes_, self.n_mistakes_ = np.array(mistakes), run[-1].n_mistakes

    def advice(self, X, t):
        """Say that the last epoch still made mistakes."""
        return unfinished(self)

    def predict(self, X):
        """Return the class on whose side each point lies; ``zero=1`` gives points on the plane to ``classes_[1]``."""
        y = self.decision_function(X)
        return self.classes_[(y >= 0 if self.zero_ == 1 else y > 0).astype(int)]

    def _order(self, n):
        return self.rng.permutation(n) if self.shuffle and self.batch_size < n else np.arange(n)


def _next_mistakes(Z, least, v, at, size):
    """Return the next batch of ``size`` rows of Z with a mistake, from row ``at`` on, and which of its rows are wrong.

    It looks at a few batches at once, then at twice as many, and so on: the time grows with the way to the mistake,
    not with the rest of the data. Without a mistake on the way the last rows are returned, none of them wrong.
    """
    look = size * -(-AHEAD // size)  # whole batches
    while True:
        wrong = Z[at : at + look] @ v < least[at : at + look]
        first = int(wrong.argmax())
        if wrong[first]:
            first -= first % size
            return slice(at + first, at + first + size), wrong[first : first + size]
        at, look = at + look, 2 * look
        if at >= len(Z):
            return slice(at, at), wrong[:0]


def _fewest_mistakes(run, Z, least):
    """Return the first (b, w) of the run with the fewest mistakes among all samples."""
    states = [np.append(step.b, step.w) for step in run]
    return min(states, key=lambda v: np.sum(Z @ v < least))


def _mean_weights(run, seen):
    """Return the mean of (b, w) after each of the ``seen`` samples: every state counts as long as it lasted."""
    lasted = np.diff([*(step.seen for step in run), seen + 1])  # that of the start is one too long, and its state zero
    return (lasted / seen) @ np.array([np.append(step.b, step.w) for step in run])


def perceptron_loss(X, t, w, b):
    """Return the perceptron's loss: minus t y(x), added up over the misclassified points.

    E(w, b) = -sum over the n with t_n y(x_n) < 0 of t_n (w . x_n + b)      (7.17)

    Parameters: ``X`` (n, d), ``t`` (n,) of -1 and +1, ``w`` (d,), ``b``. Zero if and only if no point is on the wrong
    side; each term is |w| times a distance to the plane, so a short w makes it small.

    >>> perceptron_loss([[1, 0], [2, 1], [-3, 0]], [1, -1, 1], [1, 0], 0.5)
    5.0
    """
    return float(np.maximum(0.0, -functional_margin(X, t, w, b)).sum())


def unfinished(model):
    """Yield the news that the last epoch still made mistakes."""
    if not model.converged_:
        yield (
            f"{type(model).__name__} still made {model.mistakes_[-1]} mistakes in epoch {len(model.mistakes_)}, the "
            "last. If no plane separates the classes it never stops; otherwise raise epochs, or bring the features to "
            "one scale."
        )
