"""Chapter 04 against scikit-learn."""

from sklearn import linear_model

from mlteach.linear_regression import LinearRegression, LMSRegressor

CASES = {
    "LinearRegression": ("regression", LinearRegression, linear_model.LinearRegression),
    "LMSRegressor, batch, 20 epochs": (
        "regression",
        lambda: LMSRegressor(learning_rate=0.1, epochs=20, tol=0),
        lambda: linear_model.SGDRegressor(alpha=0, learning_rate="constant", max_iter=20, tol=None),
    ),
    "LMSRegressor, one by one, 20 epochs": (
        "regression",
        lambda: LMSRegressor(learning_rate=0.01, epochs=20, batch_size=1, tol=0),
        lambda: linear_model.SGDRegressor(alpha=0, learning_rate="constant", max_iter=20, tol=None),
    ),
}
