"""Chapter 06 against scikit-learn, with the same penalty: its alpha is lam for ridge, lam / n for the others."""

from sklearn import linear_model

from benchmarks.bounds import tall
from mlteach.regularization import BayesianLinearRegression, ElasticNet, Lasso, Ridge

CASES = {
    "Ridge, lam=1": ("regression", lambda: Ridge(lam=1), lambda: linear_model.Ridge(alpha=1)),
    "Lasso, lam=30": ("regression", lambda: Lasso(lam=30), lambda: linear_model.Lasso(alpha=0.1, tol=1e-10)),
    "ElasticNet, lam=30": (
        "regression",
        lambda: ElasticNet(lam=30, l1_ratio=0.5),
        lambda: linear_model.ElasticNet(alpha=0.1, l1_ratio=0.5, tol=1e-10),
    ),
    "BayesianLinearRegression": ("regression", BayesianLinearRegression, linear_model.BayesianRidge),
}

BOUNDS = {
    "Ridge, n = 30,000, against scikit-learn": (
        tall("regression", lambda: Ridge(lam=1), lambda: linear_model.Ridge(alpha=1)), 10, "times"
    ),
    "Lasso, n = 30,000, against scikit-learn": (
        tall("regression", lambda: Lasso(lam=3000), lambda: linear_model.Lasso(alpha=0.1)), 5, "times"
    ),
    "ElasticNet, n = 30,000, against scikit-learn": (
        tall("regression", lambda: ElasticNet(lam=3000), lambda: linear_model.ElasticNet(alpha=0.1)), 5, "times"
    ),
}  # fmt: skip
