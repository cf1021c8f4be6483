"""Chapter 08 against scikit-learn, with the same penalty: its C is 1 / lam."""

from sklearn import linear_model

from mlteach.logistic_regression import GLM, LogisticRegression, SoftmaxRegression

CASES = {
    "LogisticRegression, IRLS, lam=1": ("binary", lambda: LogisticRegression(lam=1), linear_model.LogisticRegression),
    "SoftmaxRegression, lam=1": ("classes", lambda: SoftmaxRegression(lam=1), linear_model.LogisticRegression),
    "GLM, Gaussian": ("regression", GLM, lambda: linear_model.TweedieRegressor(power=0, alpha=0)),
}
