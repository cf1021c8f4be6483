"""Bagging: one learner on many bootstrap samples; what a member has not drawn tests it for nothing (section 13.4)."""

import numpy as np

from mlteach.base import Estimator, new_model
from mlteach.ensembles._members import said
from mlteach.linear import choose_class, two_class_scores
from mlteach.parameters import ANY, Whole
from mlteach.validation import as_rng, check_integer


def bootstrap(n_samples, n, rng=0):
    """Return n bootstrap samples, (n, n_samples): each row holds n_samples draws with replacement.

    A sample is drawn at all with chance 1 - (1 - 1/n_samples)^n_samples, about 63 % (13.8).

    >>> bootstrap(5, 2)
    array([[4, 3, 2, 1, 1],
           [0, 0, 0, 0, 4]])
    """
    n_samples, n = check_integer(n_samples, "n_samples", low=1), check_integer(n, "n", low=1)
    return as_rng(rng).integers(n_samples, size=(n, n_samples))


def in_bag(samples):
    """Return how often each row of ``samples`` (n, n_samples) has drawn each sample, (n, n_samples)."""
    n, n_samples = samples.shape
    place = samples + n_samples * np.arange(n)[:, None]
    return np.bincount(place.ravel(), minlength=n * n_samples).reshape(n, n_samples)


class VoteOfMany(Estimator):
    """What bagging and forests share once their members are there: votes, and what follows from them."""

    task = "classification"

    def member_predictions(self, X):
        """Return the class that each member names, (n, n_samples), n the number of members."""
        X = self._points(X)
        return self.classes_[self._said(X)]

    def votes(self, X):
        """Return the number of votes for each class, (n_samples, K)."""
        X = self._points(X)
        said = self._said(X)
        return np.stack([(said == k).sum(axis=0) for k in range(len(self.classes_))], axis=1)

    def predict_proba(self, X):
        """Return the share of the votes for each class, (n_samples, K)."""
        votes = self.votes(X)
        return votes / votes[0].sum()

    def decision_function(self, X):
        """Return the shares (n_samples, K); for two classes their difference (n_samples,), positive for the second."""
        return two_class_scores(self.predict_proba(X))

    def predict(self, X):
        """Return the class with the most votes, the first of equals."""
        shares = self.decision_function(X)
        return choose_class(self.classes_, shares)

    def _keep_out_of_bag(self, samples, said, index):
        """Judge each sample by the members that have not drawn it; it counts as soon as there is one."""
        votes, errors = np.zeros((len(index), len(self.classes_)), dtype=int), []
        for answer, drawn in zip(said, in_bag(samples), strict=True):
            out = np.flatnonzero(drawn == 0)
            votes[out, answer[out]] += 1
            judged = votes.any(axis=1)
            wrong = votes.argmax(axis=1) != index
            errors.append(wrong[judged].mean() if judged.any() else np.nan)
        self.samples_, self.oob_votes_, self.oob_errors_ = samples, votes, np.array(errors)
        self.oob_error_ = float(errors[-1])


class BaggingClassifier(VoteOfMany):
    """Copies of one classifier, each fitted to a bootstrap sample; the majority decides.

    Sample  n draws with replacement from the n samples: a share of 1 - (1 - 1/n)^n, about 63 %, is drawn at all
    Answer  the class with the most votes, the first of equals
    Test    each sample is out of the bag of about 37 % of the members; their votes give the out-of-bag error (13.9)

    A bootstrap sample of one class only, which nothing can be learned from, is drawn again.

    Parameters
    ----------
    make : a classifier, of which each member is a new copy, or a function that returns a new one. Copies of a model
        with ``rng`` get a seed of their own each.
    n : number of members.
    rng : seed or Generator of the bootstrap samples.

    Attributes: models_; samples_ (n, n_samples), what each member has drawn; classes_ (K,);
    oob_error_, oob_errors_ (n,) of the first 1, 2, ... members, oob_votes_ (n_samples, K).

    >>> from mlteach.linear_classification import LeastSquaresClassifier
    >>> model = BaggingClassifier(LeastSquaresClassifier(), 9).fit([[0], [1], [2], [7], [8], [9]], list("aaabbb"))
    >>> print(model.predict([[1], [8]]), model.votes([[1]]))
    ['a' 'b'] [[9 0]]
    """

    params = {"make": ANY, "n": Whole(1)}

    def __init__(self, make, n=25, rng=0):
        self.make, self.n, self.rng = make, n, rng

    def learn(self, X, y):
        """Fit one member to each bootstrap sample."""
        # 1. Bootstrap samples
        samples = bootstrap(len(X), self.n, self.rng)
        for row in samples:
            while len(np.unique(y[row])) < 2:
                row[:] = bootstrap(len(X), 1, self.rng)[0]
        # 2. One member for each
        self.models_ = []
        for row in samples:
            self.models_.append(new_model(self.make, self.models_, name="a member", rng=self.rng))
            self.models_[-1].fit(X[row], self.classes_[y[row]])
        # 3. Each sample is judged by those that have not drawn it
        self._keep_out_of_bag(samples, self._said(X), y)

    def _said(self, X):
        return np.array([said(model, X, self.classes_) for model in self.models_])


class BaggingRegressor(Estimator):
    """Copies of one regressor, each fitted to a bootstrap sample; the mean of their answers.

    Parameters: ``make``, ``n`` and ``rng`` as in `BaggingClassifier`.

    Attributes: models_; samples_ (n, n_samples); oob_predictions_ (n_samples,), each sample's mean over the members
    that have not drawn it, nan where all have; oob_error_, their mean squared error.

    >>> from mlteach.linear_regression import LinearRegression
    >>> model = BaggingRegressor(LinearRegression(), 5).fit([[0], [1], [2], [3]], [0, 2, 4, 6])
    >>> print(model.predict([[1.5]]).round(6), model.predictions([[1.5]]).shape)
    [3.] (5, 1)
    """

    task, params = "regression", {"make": ANY, "n": Whole(1)}

    def __init__(self, make, n=25, rng=0):
        self.make, self.n, self.rng = make, n, rng

    def learn(self, X, y):
        """Fit one member to each bootstrap sample."""
        self.samples_, self.models_ = bootstrap(len(X), self.n, self.rng), []
        for row in self.samples_:
            self.models_.append(new_model(self.make, self.models_, name="a member", kind="regressor", rng=self.rng))
            self.models_[-1].fit(X[row], y[row])
        # Each sample is judged by those that have not drawn it
        out = in_bag(self.samples_) == 0
        with np.errstate(invalid="ignore"):
            self.oob_predictions_ = (out * self.predictions(X)).sum(axis=0) / out.sum(axis=0)
        judged = out.any(axis=0)
        self.oob_error_ = float(np.mean((self.oob_predictions_ - y)[judged] ** 2)) if judged.any() else float("nan")

    def predictions(self, X):
        """Return the answer of each member, (n, n_samples)."""
        X = self._points(X)
        return np.array([model.predict(X) for model in self.models_])

    def predict(self, X):
        """Return the mean of the members' answers."""
        return self.predictions(X).mean(axis=0)
