"""Chapter 08 against scikit-learn, with the same penalty: its C is 1 / lam."""

from sklearn import linear_model

from benchmarks.bounds import tall
from mlteach.logistic_regression import GLM, LogisticRegression, Poisson, SoftmaxRegression

CASES = {
    "LogisticRegression, IRLS, lam=1": ("binary", lambda: LogisticRegression(lam=1), linear_model.LogisticRegression),
    "SoftmaxRegression, lam=1": ("classes", lambda: SoftmaxRegression(lam=1), linear_model.LogisticRegression),
    "GLM, Gaussian": ("regression", GLM, lambda: linear_model.TweedieRegressor(power=0, alpha=0)),
}

BOUNDS = {
    "GLM, Poisson, n = 30,000, against scikit-learn": (
        tall("counts", lambda: GLM(Poisson()), lambda: linear_model.PoissonRegressor(alpha=0)), 5, "times"
    ),
    "LogisticRegression, n = 30,000, against scikit-learn": (
        tall("binary", lambda: LogisticRegression(lam=1), linear_model.LogisticRegression), 5, "times"
    ),
}  # fmt: skip
