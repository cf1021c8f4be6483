"""Runs that are kept: portraits and tuned rivals on many training sets (sections 10.6.5, 10.8 and 10.10).

They take some minutes. ``data/runs/portrait_race.csv`` has the errors on 3,000 new points after 60 training sets of
each size, in a world whose features are correlated inside the classes, and 20 in one where they are independent.
For twenty splits each, ``portrait_wines.csv`` has the wrong wines of 60, ``portrait_news.csv`` the wrong sentences of
55 after 25 and after 110 others, ``portrait_digits.csv`` the shares of right digits, ``portrait_tumours.csv`` squared
errors of chances and wrong masses of 200. Knobs are chosen by five folds inside the training part: the fewest
mistakes, and of equals the smallest log loss. ``python -m mlteach.generative_classifiers.stored`` computes all anew.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.evaluation import stratified_k_fold
from mlteach.generative_classifiers.calibration import isotonic, platt
from mlteach.generative_classifiers.discriminant import GaussianDiscriminant
from mlteach.generative_classifiers.gaussian import GaussianNaiveBayes
from mlteach.generative_classifiers.text import STOP_WORDS, Vocabulary
from mlteach.generative_classifiers.words import BernoulliNaiveBayes, MultinomialNaiveBayes
from mlteach.logistic_regression import LogisticRegression, SoftmaxRegression, sigmoid
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.progress import progress

RUNS, SPLITS = datasets.DATA / "runs", 20
SIZES, DRAWS = (40, 80, 160, 320, 640), {0.1: 60, 0.0: 20}  # training sets of each size, for each correlation
LAMBDAS = 10.0 ** np.arange(-1, 3.1, 0.5)
SHRINK = (0.0, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
ALPHAS = 10.0 ** np.arange(-2, 1.1, 0.5)
WORD_LAMBDAS = 10.0 ** np.arange(-3, 1.1, 0.5)
RACERS = ("naive Bayes", "logistic, λ = 0.01", "logistic, λ = 1", "logistic, λ chosen", "Gaussians",
          "Gaussians, s chosen", "nearest neighbour")  # fmt: skip
WINES = ("majority", "nearest neighbour", "one covariance", "one, s chosen", "own covariances", "own, s chosen",
         "naive Bayes", "softmax regression")  # fmt: skip
NEWS = ("guessing", "nearest neighbour", "multinomial, α = 1", "multinomial", "Bernoulli", "softmax regression")
DIGITS = ("naive Bayes", "Gaussians", "nearest neighbour")
TUMOURS = ("majority", "naive Bayes", "Platt", "isotonic", "logistic regression")


def tuned(make, grid, X, y, rng=0):
    """Return make(knob), fitted to X and y, with the knob of ``grid`` that is best in five folds, and the knob."""
    folds = stratified_k_fold(y, 5, rng=rng)

    def cost(knob):
        wrong = loss = 0.0
        for train, test in folds:
            try:
                model = make(knob).fit(X[train], y[train])
            except ValueError:  # a covariance without an inverse
                return np.inf, np.inf
            place = np.searchsorted(model.classes_, y[test])
            p = model.predict_proba(X[test])
            wrong += np.sum(model.predict(X[test]) != y[test])
            loss -= np.log(np.maximum(p[np.arange(len(test)), place], 1e-300)).sum()
        return wrong, round(loss, 6)

    best = min(grid, key=cost)
    return make(best).fit(X, y), best


def logistic(lam):
    """Return logistic regression for two classes with the penalty ``lam``."""
    return LogisticRegression(lam, history=False)


def world(n, seed, link=0.1):
    """Return n points (n, 30) of two Gaussian classes in turn, all features correlated by ``link``, and the classes."""
    draw, kind = np.random.default_rng(seed), np.arange(n) % 2
    tilt = np.linalg.cholesky((1 - link) * np.eye(30) + link)
    return draw.normal(size=(n, 30)) @ tilt.T + kind[:, None] * 0.6 * np.linspace(1, 0, 30), kind


def race_run(link, n, run):
    """Return the errors on 3,000 new points in the order of `RACERS`, then the chosen lambda and s."""
    X, y = world(n, [n, run], link)
    X_new, y_new = world(3000, 999, link)
    line, lam = tuned(logistic, LAMBDAS, X, y)
    shrunk, s = tuned(lambda s: GaussianDiscriminant(shrinkage=s), SHRINK, X, y)
    models = (
        GaussianNaiveBayes().fit(X, y),
        logistic(0.01).fit(X, y),
        logistic(1.0).fit(X, y),
        line,
        GaussianDiscriminant().fit(X, y),
        shrunk,
        KNNClassifier(1).fit(X, y),
    )
    return [np.mean(model.predict(X_new) != y_new) for model in models] + [lam, s]


def parted(y, n_test, seed):
    """Return the rows for training and for the test, every class with its share in both."""
    rng = np.random.default_rng([10, seed])
    order = rng.permutation(len(y))
    order = order[np.argsort(np.unique(y, return_inverse=True)[1][order], kind="stable")]
    test = order[np.floor(np.arange(n_test) * len(y) / n_test + rng.random() * len(y) / n_test).astype(int)]
    return rng.permutation(np.setdiff1d(order, test)), test


def wine_split(seed):
    """Return how many of 60 wines each of `WINES` gets wrong, trained on the other 118 in their units of scatter."""
    wine = datasets.wine()
    train, test = parted(wine.y, 60, seed)
    mean, scale = wine.X[train].mean(axis=0), wine.X[train].std(axis=0)
    X, y, X_new, y_new = (wine.X[train] - mean) / scale, wine.y[train], (wine.X[test] - mean) / scale, wine.y[test]
    models = (
        KNNClassifier(1).fit(X, y),
        GaussianDiscriminant().fit(X, y),
        tuned(lambda s: GaussianDiscriminant(True, shrinkage=s), SHRINK, X, y)[0],
        GaussianDiscriminant(False).fit(X, y),
        tuned(lambda s: GaussianDiscriminant(False, shrinkage=s), SHRINK, X, y)[0],
        GaussianNaiveBayes().fit(X, y),
        tuned(SoftmaxRegression, LAMBDAS, X, y)[0],
    )
    lazy = np.sum(y_new != np.bincount(y).argmax())
    return [lazy, *(np.sum(model.predict(X_new) != y_new) for model in models)]


def news_split(n, seed):
    """Return how many of 55 sentences each of `NEWS` gets wrong after ``n`` others; words from those n only."""
    news = datasets.news()
    train, test = parted(news.y, 55, seed)
    train = np.concatenate([train[news.y[train] == label][: n // 5] for label in np.unique(news.y)])
    y, y_new = news.y[train], news.y[test]
    words = Vocabulary(news.X[train], stop_words=STOP_WORDS)
    counts, counts_new = words.counts(news.X[train]), words.counts(news.X[test])
    bits, bits_new = words.boolean(news.X[train]), words.boolean(news.X[test])
    A, A_new = (_unit(words.tf_idf(news.X[rows])) for rows in (train, test))
    U = np.linalg.svd(A, full_matrices=False)[2].T  # fewer columns, same fit
    said = (
        np.full(55, np.unique(y)[0]),
        y[np.argmax(A_new @ A.T, axis=1)],
        MultinomialNaiveBayes(1.0).fit(counts, y).predict(counts_new),
        tuned(MultinomialNaiveBayes, ALPHAS, counts, y)[0].predict(counts_new),
        tuned(BernoulliNaiveBayes, ALPHAS, bits, y)[0].predict(bits_new),
        tuned(SoftmaxRegression, WORD_LAMBDAS, A @ U, y)[0].predict(A_new @ U),
    )
    return [int(np.sum(answer != y_new)) for answer in said]


def tumour_split(seed):
    """Return the truth, 0 or 1, of 200 masses and the chances that `TUMOURS` but the last give them, (4, 200)."""
    cancer = datasets.breast_cancer()
    train, test = parted(cancer.y, 200, seed)
    X, y, X_new, t = cancer.X[train], cancer.y[train] == 1, cancer.X[test], (cancer.y[test] == 1).astype(float)
    # 1. Scores of samples that the model has not seen, to learn the translation from
    held_out = np.zeros(len(y))
    for part, rest in stratified_k_fold(y, 5, rng=seed):
        held_out[rest] = GaussianNaiveBayes().fit(X[part], y[part]).decision_function(X[rest])
    A, B = platt(held_out, y)
    curve = isotonic(held_out, y)
    # 2. The scores of the model that saw all of the training part, translated
    a = GaussianNaiveBayes().fit(X, y).decision_function(X_new)
    return t, np.array([np.full(len(t), y.mean()), sigmoid(a), sigmoid(A * a + B), np.interp(a, *curve)])


def tumour_line(seed):
    """Return the chances that logistic regression, its penalty chosen, gives the 200 masses of one split."""
    cancer = datasets.breast_cancer()
    train, test = parted(cancer.y, 200, seed)
    mean, scale = cancer.X[train].mean(axis=0), cancer.X[train].std(axis=0)
    line = tuned(logistic, LAMBDAS, (cancer.X[train] - mean) / scale, cancer.y[train])[0]
    return line.predict_proba((cancer.X[test] - mean) / scale)[:, 1]


def digit_split(seed):
    """Return the shares of 897 digits that each of `DIGITS` gets right, trained on the other 900."""
    digits = datasets.digits()
    train, test = np.split(np.random.default_rng([12, seed]).permutation(len(digits.y)), [900])
    models = (GaussianNaiveBayes(0.01), GaussianDiscriminant(False, shrinkage=0.02), KNNClassifier(1))
    return [model.fit(digits.X[train], digits.y[train]).score(digits.X[test], digits.y[test]) for model in models]


@cache
def race_runs(link=0.1):
    """Return a dict from the name of a racer, "lambda" and "s" to an array (5 sizes, training sets)."""
    columns = _read("portrait_race")
    rows = columns["link"] == link
    return {name: columns[name][rows].reshape(len(SIZES), -1) for name in (*RACERS, "lambda", "s")}


@cache
def wine_runs():
    """Return a dict from the name of a rival to how many of 60 wines it got wrong, (20,)."""
    return {name: _read("portrait_wines")[name] for name in WINES}


@cache
def news_runs(n=110):
    """Return a dict from the name of a rival to how many of 55 sentences it got wrong after ``n`` others, (20,)."""
    columns = _read("portrait_news")
    return {name: columns[name][columns["n"] == n] for name in NEWS}


@cache
def digit_runs():
    """Return a dict from the name of a rival to the shares of new digits it has right, (20,)."""
    return {name: _read("portrait_digits")[name] for name in DIGITS}


@cache
def tumour_runs():
    """Return squared errors of the chances and wrong masses of tuned logistic regression, (20,) each."""
    columns = _read("portrait_tumours")
    return columns["squared error"], columns["wrong"]


def _unit(A):
    """Scale every row to length one; a row of zeros stays."""
    size = np.linalg.norm(A, axis=1, keepdims=True)
    return A / np.where(size > 0, size, 1)


def _read(name):
    with open(RUNS / f"{name}.csv", encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, np.array(rows, dtype=float).T))


def _write(name, head, rows):
    with open(RUNS / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(head)
        out.writerows([f"{value:.6g}" for value in row] for row in rows)


def _line_of(seed):
    t, p = tumour_split(seed)[0], tumour_line(seed)
    return np.mean((p - t) ** 2), np.sum((p > 0.5) != t)


def main():
    """Write the five files anew."""
    splits = range(SPLITS)
    _write("portrait_tumours", ("split", "squared error", "wrong"),
           [(k, *_line_of(k)) for k in progress(splits, "masses")])  # fmt: skip
    _write("portrait_digits", ("split", *DIGITS), [(k, *digit_split(k)) for k in progress(splits, "digits")])
    _write("portrait_wines", ("split", *WINES), [(k, *wine_split(k)) for k in progress(splits, "wines")])
    _write("portrait_news", ("n", "split", *NEWS),
           [(n, k, *news_split(n, k)) for n in (25, 110) for k in progress(splits, "sentences")])  # fmt: skip
    _write("portrait_race", ("link", "n", "run", *RACERS, "lambda", "s"),
           [(c, n, r, *race_run(c, n, r)) for c in DRAWS for n in SIZES
            for r in progress(range(DRAWS[c]), f"{n} samples")])  # fmt: skip


if __name__ == "__main__":
    main()
