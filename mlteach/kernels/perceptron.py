"""The perceptron that sees its points through a kernel: it counts mistakes instead of moving weights (section 15.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.history import History
from mlteach.kernels.model import KernelModel
from mlteach.parameters import FLAG, Whole


class Mistake(NamedTuple):
    """One correction of the kernel perceptron; the first record, before any, has no sample."""

    sample: int | None  # index of the misclassified sample, whose a_n grows by one
    score: float  # y(x_n) before the correction, of the wrong sign or 0
    epoch: int  # pass over the data in which it was made; 0 before the first
    n_mistakes: int  # mistakes so far, this one included


class KernelPerceptron(KernelModel):
    """Rosenblatt's perceptron (chapter 07) in the feature space of a kernel, for two classes, t = -1 and t = +1.

    Model   y(x) = sum_n a_n t_n k(x_n, x) + b,  class by the sign of y (15.17)
    Update  a_n <- a_n + 1,  b <- b + t_n,  for each misclassified sample
    Dual    w = sum_n a_n t_n phi(x_n) and b = sum_n a_n t_n (15.16): a_n counts the mistakes made on sample n

    With ``linear_kernel`` it makes the mistakes of ``Perceptron``, one by one. The run ends after an epoch without a
    mistake, which comes if and only if a plane separates the classes in feature space and ``epochs`` suffices.

    Parameters
    ----------
    kernel : a kernel object, or a function of two sets of points; None is ``linear_kernel``.
    epochs : the most passes over the data.
    rng : seed or Generator that shuffles the samples anew in each epoch.
    shuffle : False keeps the order of the data.
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    alpha_ (n,), the mistakes made on each sample; b_, classes_, kernel_; n_mistakes_ = n_iter_, converged_; history_,
    one `Mistake` per mistake after the first record, which is the start; mistakes_ (epochs made,).

    >>> from mlteach.kernels import polynomial_kernel
    >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = KernelPerceptron(polynomial_kernel(2), shuffle=False).fit(xor, [0, 1, 1, 0])
    >>> print(model.predict(xor), model.converged_)
    [0 1 1 0] True
    """

    task, more_classes = "binary", "Use OneVsRest(KernelPerceptron(kernel)) for more."
    params = {**KernelModel.params, "epochs": Whole(1), "shuffle": FLAG}

    def __init__(self, kernel=None, epochs=100, rng=0, *, shuffle=True, history=True):
        self.kernel, self.epochs, self.rng = kernel, epochs, rng
        self.shuffle, self.history = shuffle, history

    def learn(self, X, t):
        """Count mistakes until an epoch has none."""
        K = self._gram(X)
        # 1. Start with no mistake: y(x) = 0, which counts as class -1
        a, scores, mistakes = np.zeros(len(t)), np.zeros(len(t)), []
        run = History([Mistake(None, 0.0, 0, 0)], whole=self.history)
        while len(mistakes) < self.epochs and mistakes[-1:] != [0]:
            order = self.rng.permutation(len(t)) if self.shuffle else np.arange(len(t))
            before, at = run.n_steps, -1
            while (at := _next_mistake(order, at + 1, t, scores)) < len(t):
                # 2. Count the next mistake, and add t_n (k(x_n, x) + 1) to y(x) at all points
                n = int(order[at])
                run.append(Mistake(n, float(scores[n]), len(mistakes) + 1, run.n_steps + 1))
                a[n] += 1
                scores += t[n] * (K[n] + 1)
            # 3. Stop after a clean pass
            mistakes.append(run.n_steps - before)
        self.alpha_, self.b_, self.history_, self.converged_ = a, float(a @ t), run, mistakes[-1] == 0
        self.mistakes_, self.n_mistakes_ = np.array(mistakes), run.n_steps
        self._remember(X, a * t, self.b_)

    def advice(self, X, t):
        """Say that the last epoch still made mistakes."""
        if not self.converged_:
            yield (
                f"KernelPerceptron still made {self.mistakes_[-1]} mistakes in epoch {self.epochs}, the last. If no "
                "plane separates the classes in feature space it never stops: choose another kernel; otherwise raise "
                "epochs."
            )

    def decision_function(self, X):
        """Return y(x), (n,), positive for ``classes_[1]``."""
        return self._y(X)

    def predict(self, X):
        """Return the class that the sign of y(x) chooses; 0 is the first."""
        y = self.decision_function(X)
        return self.classes_[(y > 0).astype(int)]


def _next_mistake(order, at, t, scores):
    """Return the place in ``order``, from ``at`` on, of the first wrong sign; the length of ``order`` if none is."""
    rest = order[at:]
    wrong = (scores[rest] > 0) != (t[rest] > 0)
    return at + int(wrong.argmax()) if wrong.any() else len(order)
