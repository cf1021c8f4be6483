"""Runs that are kept: penalties chosen by cross-validation on many data sets (sections 6.6.6, 6.7, 6.10 and 6.12).

``data/runs`` has four files: ``diabetes_penalties.csv``, the errors of ten models on twenty splits of the patients;
``lasso_cures.csv``, what cures of the lasso's bias gain on fifty data sets; ``many_features.csv``, the errors of four
models with 5 to 200 features, twenty data sets each; ``twins.csv``, the weights of two similar features in 200 data
sets. ``python -m mlteach.regularization.stored`` computes them anew (some ten minutes).
"""

from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.evaluation import k_fold
from mlteach.linear_regression import LinearRegression, standardize
from mlteach.progress import progress
from mlteach.regularization.lasso import ElasticNet, Lasso, lambda_max
from mlteach.regularization.path import regularization_path
from mlteach.regularization.ridge import Ridge
from mlteach.runs import read_columns, write_rows

PENALISED = {"ridge": Ridge(), "lasso": Lasso(), "elastic net": ElasticNet(l1_ratio=0.5)}
DIABETES = ("mean", "nearest neighbour", *(f"{name} {p}" for p in (10, 64) for name in ("least squares", *PENALISED)))
CHOSEN = tuple(f"λ of {name} {p}" for p in (10, 64) for name in PENALISED)
CURES = ("least squares", "lasso", "lasso, refitted", "λ for the refit", "adaptive lasso")
MEASURES = ("mean of the three", "squared error", "false features")
MODELS = ("mean", "least squares", "ridge", "lasso")
DIMENSIONS = (5, 30, 39, 60, 200)
TWINS = ("lasso", "elastic net")


@cache
def diabetes_penalties():
    """Return a dict from a model's name to its test errors on twenty splits (20,), and the penalties chosen."""
    return read_columns("diabetes_penalties")


@cache
def lasso_cures():
    """Return a dict from a cure's name to its three `MEASURES` on fifty data sets (50, 3)."""
    columns = read_columns("lasso_cures")
    return {name: np.column_stack([columns[f"{name}: {what}"] for what in MEASURES]) for name in CURES}


@cache
def many_features():
    """Return a dict from the number of features to the squared errors of `MODELS` on new data (20, 4)."""
    columns = read_columns("many_features")
    errors = np.column_stack([columns[name] for name in MODELS])
    return {p: errors[columns["features"] == p] for p in DIMENSIONS}


@cache
def twin_weights():
    """Return a dict from a kind of penalty to the three weights in 200 data sets (200, 3)."""
    columns = read_columns("twins")
    return {name: np.column_stack([columns[f"{name}: w{j}"] for j in (1, 2, 3)]) for name in TWINS}


def cross_validated(predict, y, lams, k=10):
    """Return the entry of ``lams`` with the least squared error over k folds; predict(train, test) is (m, n_test)."""
    total = sum(np.sum((predict(a, b) - y[b]) ** 2, axis=1) for a, b in k_fold(len(y), k))
    return lams[np.argmin(total)]


def expand(X, rows, products):
    """Return X, with squares and products of its columns if wanted, standardised by the given rows."""
    if products:  # all but the square of the two-valued sex
        X = standardize(X, like=X[rows])
        i, j = np.array([(i, j) for i in range(10) for j in range(i, 10) if (i, j) != (1, 1)]).T
        X = np.column_stack([X, X[:, i] * X[:, j]])
    return standardize(X, like=X[rows])


def diabetes_split(seed):
    """Return the root mean squared errors of all models on the 142 patients of one split, and the penalties chosen."""
    data = datasets.diabetes()
    order = np.random.default_rng(seed).permutation(442)
    seen, new, y = order[:300], order[300:], data.y
    Z = expand(data.X, seen, False)
    nearest = np.sum((Z[new][:, None] - Z[seen]) ** 2, axis=2).argmin(axis=1)
    guesses, chosen = [np.full(142, y[seen].mean()), y[seen][nearest]], []
    for products in (False, True):
        Z = expand(data.X, seen, products)
        guesses.append(Ridge(0).fit(Z[seen], y[seen]).predict(Z[new]))
        for kind in PENALISED.values():
            lams = np.geomspace(1e5, 1, 31) if isinstance(kind, Ridge) else np.geomspace(3e4, 3, 21)

            def predict(a, b, kind=kind, products=products, lams=lams):
                inner = expand(data.X, seen[a], products)
                return regularization_path(kind, inner[seen[a]], y[seen[a]], lams).predict(inner[seen[b]])

            chosen.append(cross_validated(predict, y[seen], lams))
            guesses.append(regularization_path(kind, Z[seen], y[seen], [chosen[-1]]).predict(Z[new])[0])
    return [float(np.mean((guess - y[new]) ** 2) ** 0.5) for guess in guesses], [float(lam) for lam in chosen]


def refit(X, y, W):
    """Return least squares on the columns that each row of ``W`` (m, p) uses: weights (m, p), intercepts (m,)."""
    V, b = np.zeros_like(W), np.full(len(W), y.mean())
    for v, w, i in zip(V, W, range(len(W))):
        if w.any():
            least = LinearRegression().fit(X[:, w != 0], y)
            v[w != 0], b[i] = least.w_, least.b_
    return V, b


def cures(seed):
    """Return the three `MEASURES` of all `CURES` on one data set: 100 samples, 20 features, three true weights of 1."""
    rng = np.random.default_rng(seed)
    X, truth = rng.normal(size=(100, 20)), np.repeat([1.0, 0.0], [3, 17])
    y = X @ truth + rng.normal(size=100)
    lams, low = np.geomspace(120, 0.6, 20), np.geomspace(120, 0.06, 20)

    def lasso(a, b):
        return regularization_path("lasso", X[a], y[a], lams).predict(X[b])

    def refitted(a, b):
        W, free = refit(X[a], y[a], regularization_path("lasso", X[a], y[a], lams).coefficients)
        return W @ X[b].T + free[:, None]

    def adaptive(a, b):
        scale = abs(LinearRegression().fit(X[a], y[a]).w_)
        return regularization_path("lasso", X[a] * scale, y[a], low).predict(X[b] * scale)

    plain = LinearRegression().fit(X, y).w_
    first, second = (Lasso(cross_validated(way, y, lams)).fit(X, y).w_ for way in (lasso, refitted))
    third = Lasso(cross_validated(adaptive, y, low)).fit(X * abs(plain), y).w_ * abs(plain)
    found = plain, first, refit(X, y, first[None])[0][0], refit(X, y, second[None])[0][0], third
    return [[w[:3].mean(), np.sum((w - truth) ** 2), np.count_nonzero(w[3:])] for w in found]


def features_row(p, seed):
    """Return the squared errors of `MODELS` on 500 new samples: 40 to learn from, p features of which five matter."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(540, p))
    y = X[:, :5].sum(axis=1) + rng.normal(size=540)
    A, t = X[:40], y[:40]
    guesses = [np.full(500, t.mean()), Ridge(0).fit(A, t).predict(X[40:])]
    for kind, lams in (("ridge", np.geomspace(1e4, 1e-2, 40)), ("lasso", np.geomspace(1, 1e-3, 20) * lambda_max(A, t))):

        def predict(a, b, kind=kind, lams=lams):
            return regularization_path(kind, A[a], t[a], lams).predict(A[b])

        lam = cross_validated(predict, t, lams, 5)
        guesses.append(regularization_path(kind, A, t, [lam]).predict(X[40:])[0])
    return [float(np.mean((guess - y[40:]) ** 2)) for guess in guesses]


def twins(seed):
    """Return 50 samples of two features with correlation 0.99, both of weight 1, and a third of weight 0; targets."""
    rng = np.random.default_rng(seed)
    common, own, third = (rng.normal(size=(50, width)) for width in (1, 2, 1))
    X = np.hstack([0.995 * common + 0.1 * own, third])
    return X, X[:, 0] + X[:, 1] + rng.normal(size=50)


def twins_row(seed):
    """Return the weights of lasso and elastic net (ρ = 0.5) on one set of twins, λ chosen by five folds."""
    X, y = twins(seed)
    weights = []
    for name in TWINS:
        kind = PENALISED[name]
        lams = np.geomspace(1, 1e-3, 20) * lambda_max(X, y, l1_ratio=float(kind.l1_ratio))

        def predict(a, b, kind=kind, lams=lams):
            return regularization_path(kind, X[a], y[a], lams).predict(X[b])

        weights += list(regularization_path(kind, X, y, [cross_validated(predict, y, lams, 5)]).coefficients[0])
    return weights


def write(name):
    """Compute one of the four files anew."""
    if name == "diabetes_penalties":
        rows = ([*errors, *chosen] for errors, chosen in map(diabetes_split, progress(range(20), name)))
        write_rows(name, [*DIABETES, *CHOSEN], rows, "{:.5g}")
    elif name == "lasso_cures":
        head = [f"{cure}: {what}" for cure in CURES for what in MEASURES]
        write_rows(name, head, (np.ravel(cures(seed)) for seed in progress(range(50), name)), "{:.4g}")
    elif name == "many_features":
        pairs = progress([(p, seed) for p in DIMENSIONS for seed in range(20)], name)
        write_rows(name, ["features", *MODELS], ([p, *features_row(p, seed)] for p, seed in pairs), "{:.5g}")
    else:
        head = [f"{kind}: w{j}" for kind in TWINS for j in (1, 2, 3)]
        write_rows(name, head, map(twins_row, progress(range(200), name)), "{:.4g}")


if __name__ == "__main__":
    for file_name in ("diabetes_penalties", "lasso_cures", "many_features", "twins"):
        write(file_name)
