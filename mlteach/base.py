"""The little that all estimators share: their repr, their parameters, and the not-fitted error."""

import inspect

from mlteach.validation import NotFittedError


class Estimator:
    """Base of every model: hyper-parameters live under their constructor names, learned state ends in ``_``.

    >>> from mlteach.linear_regression import LMSRegressor
    >>> LMSRegressor(learning_rate=0.5)
    LMSRegressor(learning_rate=0.5)
    """

    task = None  # what it learns: "regression", "binary" (two classes) or "classification"

    def get_params(self, deep=True):
        """Return the hyper-parameters as a dict (``deep`` is there for scikit-learn's callers)."""
        return {name: getattr(self, name) for name in _defaults(type(self))}

    def set_params(self, **params):
        """Set hyper-parameters by name and return self; what was learned stays until the next ``fit``."""
        known = _defaults(type(self))
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}.")
            setattr(self, name, value)
        return self

    def _require_fit(self, attribute):
        if not hasattr(self, attribute):
            raise NotFittedError(f"{type(self).__name__} has not been fitted; call fit(X, y) first.")

    def __repr__(self):
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name, default in _defaults(type(self)).items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _defaults(cls):
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return {p.name: p.default for p in parameters}
