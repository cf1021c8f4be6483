"""What all estimators share: scikit-learn's protocol, and the memory of the features they were fitted on.

scikit-learn itself is imported only where it asks for its tags: a program that does not use it never loads it.
"""

import copy
import inspect

import numpy as np

from mlteach.validation import as_array, as_labels, as_matrix, column_names, not_fitted

KINDS = {  # the tasks, in scikit-learn's words
    "regression": "regressor",
    "binary": "classifier",
    "classification": "classifier",
    "cluster": "clusterer",
    "transform": "transformer",
}


class Model:
    """What learns: hyper-parameters live under their constructor names, learned state ends in ``_``.

    >>> from mlteach.autoencoders import GAN
    >>> GAN(latent=2)
    GAN(latent=2)
    """

    def get_params(self, deep=True):
        """Return the hyper-parameters as a dict; ``deep`` adds those of models inside, as in ``make__C``."""
        params = {name: getattr(self, name) for name in _defaults(type(self))}
        if deep:
            for name, value in list(params.items()):
                if is_model(value):
                    params |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
        return params

    def set_params(self, **params):
        """Set hyper-parameters by name and return self; what was learned stays until the next ``fit``."""
        known = _defaults(type(self))
        for name, value in params.items():
            name, _, inner = name.partition("__")
            if name not in known or (inner and not is_model(getattr(self, name))):
                wrong = f"{name}__{inner}" if inner else name
                raise ValueError(f"{type(self).__name__} has no parameter {wrong!r}; it has {', '.join(known)}.")
            if inner:
                getattr(self, name).set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def _keep_features(self, n_features, names):
        """Remember the features that the model was fitted on; the last step of every ``fit`` that succeeds."""
        vars(self).pop("feature_names_in_", None)
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = names

    def _points(self, X):
        """Return ``X`` (n, d) if the model is fitted and X has the features of ``fit``."""
        self._require_fit()
        names, known = column_names(X), getattr(self, "feature_names_in_", None)
        if names is not None and known is not None and names.tolist() != known.tolist():
            raise ValueError(
                f"X must have the columns of fit in their order, {_listed(known)}; got {_listed(names)}. "
                f"Use X[model.feature_names_in_]."
            )
        return self._read_points(X)

    def _read_points(self, X):
        """Return ``X`` in the form that the model computes with."""
        return as_matrix(X, n_features=self.n_features_in_)

    def _require_fit(self):
        if not self.__sklearn_is_fitted__():
            raise not_fitted(f"{type(self).__name__} has not been fitted; call fit first.")

    def __sklearn_is_fitted__(self):
        return hasattr(self, "n_features_in_")

    def __repr__(self):
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name, default in _defaults(type(self)).items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


class Estimator(Model):
    """Base of every model that scikit-learn knows what to do with: it has a task, tags and a score.

    >>> from mlteach.linear_regression import LMSRegressor
    >>> LMSRegressor(learning_rate=0.5)
    LMSRegressor(learning_rate=0.5)
    """

    task = None  # what it learns: a key of KINDS; "binary" is for two classes, "classification" for any number
    inputs = "numbers"  # what it learns from; also "counts" (not negative), "switches" (0 and 1), "categories"

    def score(self, X, y):
        """Return how good the predictions for ``X`` are, 1 at best: accuracy, or R2 = 1 - RSS / TSS (2.28).

        For k outputs it is the mean of their R2; a constant y, which has no spread to explain, is refused.
        """
        predicted = self.predict(X)
        if KINDS[self.task] == "classifier":
            classes, index = as_labels(y, length=len(predicted), min_classes=1)
            return float(np.mean(predicted == classes[index]))
        y = as_array(y, "y")
        if y.shape != predicted.shape:
            raise ValueError(f"y must have the shape of the predictions, {predicted.shape}; got {y.shape}.")
        spread = np.ptp(y, axis=0)
        if np.any(spread == 0):
            raise ValueError(f"R2 compares with the spread of y, but all {len(y)} values of y are equal.")
        rss, tss = (np.sum((error / spread) ** 2, axis=0) for error in (y - predicted, y - y.mean(axis=0)))
        return float(np.mean(1 - rss / tss))

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags, TransformerTags

        kind = KINDS[self.task]
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=kind in ("classifier", "regressor")),
            classifier_tags=ClassifierTags(multi_class=self.task != "binary") if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            transformer_tags=TransformerTags() if hasattr(self, "transform") else None,
        )


class Transformer(Estimator):
    """Base of the models with ``transform``."""

    def fit_transform(self, X, y=None):
        """Fit, then transform the same points."""
        return self.fit(X, y).transform(X)


def is_model(thing):
    """Return True for an object with scikit-learn's protocol, of this package or another; not for a class."""
    return hasattr(thing, "get_params") and hasattr(thing, "fit") and not isinstance(thing, type)


def fresh(model):
    """Return a new model with the same hyper-parameters that has learned nothing.

    >>> from mlteach.svm import SVC
    >>> fresh(SVC(C=3).fit([[0], [1]], ["no", "yes"]))
    SVC(C=3)
    """
    params = model.get_params(deep=False)
    return type(model)(**{name: fresh(v) if is_model(v) else copy.deepcopy(v) for name, v in params.items()})


def new_model(make, others=(), *, name="make", kind="classifier", rng=None):
    """Return a model that ``others`` does not hold yet from ``make``, a model to copy or a function.

    A copy that draws random numbers gets a seed of its own from ``rng``: equal seeds would make equal members.
    """
    if is_model(make):
        model, verb = fresh(make), "be"
        if rng is not None and "rng" in model.get_params(deep=False):
            model.set_params(rng=int(rng.integers(2**31)))
    elif callable(make):
        model, verb = make(), "give"
    else:
        raise ValueError(f"{name} must be a {kind}, or a function that returns a new one; got {make!r}.")
    methods = not isinstance(model, type) and all(callable(getattr(model, part, None)) for part in ("fit", "predict"))
    wrong = ("regression",) if kind == "classifier" else ("binary", "classification")
    example = "SVC()" if kind == "classifier" else "Ridge()"
    if not methods or getattr(model, "task", None) in wrong:
        raise ValueError(f"{name} must {verb} a {kind} with fit and predict, such as {example}; got {model!r}.")
    if any(model is other for other in others):
        raise ValueError(
            f"make() must return a new model each time; it gave one twice. Give the model itself: {model!r}."
        )
    return model


def _defaults(cls):
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return {p.name: p.default for p in parameters}


def _listed(names):
    shown = ", ".join(map(repr, names[:5].tolist()))
    return shown + (f", ... ({len(names)} in all)" if len(names) > 5 else "")
