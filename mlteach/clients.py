"""What scikit-learn's tools ask of a model: its kind, what its methods take besides X and y, weights, data frames.

Nothing here is needed to learn anything. scikit-learn is imported only where it asks itself, pandas and polars only
where their frames are wanted.
"""

import functools
import inspect
import sys

import numpy as np

from mlteach.validation import check_choice

KINDS = {  # the tasks, in scikit-learn's words
    "regression": "regressor",
    "binary": "classifier",
    "classification": "classifier",
    "cluster": "clusterer",
    "transform": "transformer",
}
CONSUMERS = ("fit", "predict", "score")  # the methods that may take more than X and y
FRAMES = ("default", "pandas", "polars")


class Client:
    """A model that scikit-learn knows what to do with: tags, and the routing of further arguments (metadata)."""

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

    def get_metadata_routing(self):
        """Return what ``fit``, ``predict`` and ``score`` take besides X and y, as scikit-learn's router wants it."""
        from sklearn.utils.metadata_routing import MetadataRequest

        if hasattr(self, "_metadata_request"):
            return self._metadata_request
        request = MetadataRequest(owner=self)
        for method in CONSUMERS:
            for name in _further_arguments(type(self), method):
                getattr(request, method).add_request(param=name, alias=None)
        return request

    def set_fit_request(self, **wanted):
        """Say which further arguments of ``fit`` scikit-learn shall pass on, as in ``sample_weight=True``."""
        return self._wish("fit", wanted)

    def set_predict_request(self, **wanted):
        """Say which further arguments of ``predict`` scikit-learn shall pass on, as in ``return_std=True``."""
        return self._wish("predict", wanted)

    def set_score_request(self, **wanted):
        """Say which further arguments of ``score`` scikit-learn shall pass on, as in ``sample_weight=True``."""
        return self._wish("score", wanted)

    def _wish(self, method, wanted):
        known = _further_arguments(type(self), method)
        for name in wanted:
            if name not in known:
                has = ", ".join(known) or "no further arguments"
                raise TypeError(f"{method} of {type(self).__name__} takes no {name!r}; it has {has}.")
        self._metadata_request = self.get_metadata_routing()
        for name, wish in wanted.items():
            getattr(self._metadata_request, method).add_request(param=name, alias=wish)
        return self


class Weights:
    """A model of weights ``w_`` (d,) or ``W_`` (K, d) and biases ``b_``, under the names that scikit-learn's tools ask.

    They have its shapes: (d,) and a number for one output, a row for each output or class, one row for two classes.
    """

    @property
    def coef_(self):
        """The weights, as scikit-learn has them."""
        return self._plane()[0]

    @property
    def intercept_(self):
        """The biases, as scikit-learn has them."""
        return self._plane()[1]

    def _plane(self):
        classes = KINDS[self.task] == "classifier"
        if hasattr(self, "w_"):
            return (self.w_[None, :], np.array([self.b_])) if classes else (self.w_, self.b_)
        if not hasattr(self, "W_"):
            raise AttributeError(f"this {type(self).__name__} has no weights: it is not fitted, or not linear.")
        if classes and len(self.W_) == 2:
            return self.W_[1:] - self.W_[:1], self.b_[1:] - self.b_[:1]
        return self.W_, self.b_


class Frames:
    """A transformer whose output can be a data frame, with names for its columns."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "transform" in vars(cls):
            cls.transform = _framed(cls.transform)

    def set_output(self, *, transform=None):
        """Let ``transform`` return data frames of "pandas" or "polars", or arrays again ("default"); return self."""
        if transform is not None:
            self._sklearn_output_config = {"transform": check_choice(transform, "transform", FRAMES)}
        return self

    def get_feature_names_out(self, input_features=None):
        """Return the names of the columns of ``transform``, such as pca0, pca1; ``input_features`` are only checked."""
        self._require_fit()
        known = getattr(self, "feature_names_in_", None)
        if input_features is not None:
            given = list(input_features)
            if known is not None and given != known.tolist():
                raise ValueError(f"input_features is not equal to feature_names_in_; got {given}.")
            if len(given) != self.n_features_in_:
                raise ValueError(
                    f"input_features should have length equal to the number of features of fit, "
                    f"{self.n_features_in_}; got {len(given)}."
                )
        m = type(self).transform.__wrapped__(self, np.zeros((1, self.n_features_in_))).shape[1]
        return np.array([f"{type(self).__name__.lower()}{k}" for k in range(m)], dtype=object)


def _further_arguments(cls, method):
    """Return the names of the arguments of a method besides the points and the targets."""
    if not hasattr(cls, method):
        return []
    named = list(inspect.signature(getattr(cls, method)).parameters.values())[2:]
    return [p.name for p in named if p.name not in ("y", "Z") and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _framed(transform):
    @functools.wraps(transform)
    def framed(self, X):
        return _as_frame(self, transform(self, X), X)

    return framed


def _as_frame(model, Z, X):
    """Return codes Z (n, m) in the container that the model, or scikit-learn's configuration, asks for."""
    sklearn = sys.modules.get("sklearn")
    asked = sklearn.get_config().get("transform_output", "default") if sklearn else "default"
    asked = getattr(model, "_sklearn_output_config", {}).get("transform", asked)
    if asked == "default":
        return Z
    names = model.get_feature_names_out()
    if asked == "pandas":
        import pandas

        return pandas.DataFrame(Z, columns=names, index=X.index if isinstance(X, pandas.DataFrame) else None)
    import polars

    return polars.DataFrame(Z, schema=names.tolist(), orient="row")
