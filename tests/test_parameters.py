"""The template: declared parameters, ``fit`` around ``learn``, and what it promises every estimator."""

import ast
import inspect
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from test_protocol import SURFACE, data, estimators, make, quietly

import mlteach
from mlteach.autoencoders import GAN
from mlteach.base import Model
from mlteach.linear_classification import Perceptron
from mlteach.parameters import ANY, EVERYWHERE, FLAG, By, Choice, Maybe, Real, Sizes, Whole
from mlteach.validation import ConvergenceWarning

SIZES = Sizes(n=60, d=2)
models = [*estimators(), GAN]
each = pytest.mark.parametrize("cls", models, ids=lambda cls: cls.__name__)


def n_lines(definition):
    """Return the number of lines of a parsed function without its head and docstring."""
    documented = len(definition.body) > 1 and ast.get_docstring(definition) is not None
    return definition.end_lineno - definition.body[1 if documented else 0].lineno + 1


def body(function):
    return n_lines(ast.parse(textwrap.dedent(inspect.getsource(function))).body[0])


def data_for(cls):
    return data(cls) if cls.task else (np.random.default_rng(0).normal(size=(60, 2)), None)


@each
def test_fit_is_the_template_and_learn_fits_on_a_slide(cls):
    own = cls.fit
    assert own is Model.fit or "return self._fit(" in inspect.getsource(own)
    assert body(own) == 1
    assert body(cls.learn) <= 40
    assert inspect.getdoc(cls.learn)


def test_no_function_of_an_algorithm_is_longer_than_a_slide():
    rooms = [path for path in Path(mlteach.__path__[0]).glob("*/*.py") if path.parent.name not in SURFACE]
    assert len(rooms) > 150
    for path in rooms:
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(part, ast.FunctionDef):
                assert n_lines(part) <= 40, f"{path.parent.name}/{path.name}: {part.name} is two ideas"


@each
def test_every_parameter_is_declared(cls):
    names = set(make(cls).get_params(deep=False))
    assert names <= set(cls.params) | set(EVERYWHERE)


def checked_parameters():
    for cls in models:
        for name in make(cls).get_params(deep=False):
            kind = (EVERYWHERE | cls.params)[name]
            kind = kind.kind if isinstance(kind, Maybe) else kind
            if isinstance(kind, Whole | Real | Choice) or name == "rng":
                yield pytest.param(cls, name, id=f"{cls.__name__}-{name}")


@pytest.mark.parametrize(("cls", "name"), list(checked_parameters()))
def test_nonsense_is_refused_by_name(cls, name):
    X, y = data_for(cls)
    with pytest.raises(ValueError, match=rf"{name} must .*got 'nonsense'"):
        make(cls, **{name: "nonsense"}).fit(X, y)


class Sum(Model):
    """Adds up the columns; fails on request."""

    params = {"scale": Real(0), "fail": FLAG, "size": Maybe(Whole(1, "n", "X has {samples}"), "n")}

    def __init__(self, scale=1, fail=False, *, size=None, rng=0, history=True):
        self.scale, self.fail, self.size, self.rng, self.history = scale, fail, size, rng, history

    def learn(self, X):
        self.sum_, self.size_, self.draw_ = self.scale * X.sum(axis=0), self.size, self.rng.random()
        self.history_, self.converged_ = [1, 2, 3], np.bool_(False)
        if self.size == 2:
            self.extra_ = True
        if self.fail:
            raise ValueError("as wanted")

    def advice(self, X):
        yield f"scale={self.scale:g} after {self.n_iter_} steps"


def test_learn_sees_checked_parameters_and_the_model_keeps_those_given():
    model = quietly(Sum(scale=3).fit, [[1, 2], [3, 4]])
    assert model.sum_.tolist() == [12, 18]
    assert model.size_ == 2
    assert model.get_params(deep=False) == {"scale": 3, "fail": False, "size": None, "rng": 0, "history": True}
    assert type(model.scale) is int
    assert (model.n_iter_, model.converged_, model.n_features_in_) == (2, False, 2)
    assert quietly(Sum(history=False).fit, [[1.0]]).history_ == [1, 3]
    assert model.draw_ == quietly(model.fit, [[1.0]]).draw_ == np.random.default_rng(0).random()


def test_a_generator_goes_on():
    model = Sum(rng=np.random.default_rng(0))
    first = quietly(model.fit, [[1.0]]).draw_
    assert quietly(model.fit, [[1.0]]).draw_ != first


def test_fit_forgets_and_a_fit_that_fails_changes_nothing():
    model = quietly(Sum().fit, [[1, 2], [3, 4]])
    model._theirs = "of a program that has lent the model"
    assert model.extra_
    before = vars(model).copy()
    with pytest.raises(ValueError, match="as wanted"):
        model.set_params(fail=True).fit([[9.0]])
    assert vars(model.set_params(fail=False)) == before
    assert not hasattr(quietly(model.fit, [[1.0]]), "extra_")
    assert model._theirs


def test_advice_is_a_warning_at_the_line_of_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Sum(scale=2).fit([[1.0]])
        Perceptron(epochs=1).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert [w.category for w in caught] == [ConvergenceWarning] * 2
    assert {w.filename for w in caught} == {__file__}
    assert str(caught[0].message) == "scale=2 after 2 steps"


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (Whole(1), 0, "a must be at least 1; got 0."),
        (Whole(1), 1.5, "a must be a whole number; got 1.5."),
        (Whole(1, "d"), 3, "a must be at most 2; got 3."),
        (Whole(1, "min(n, d)", "X is {n} times {d}"), 3, r"a must be at most 2 \(X is 60 times 2\); got 3."),
        (Real(0, 1), 2, "a must be at least 0 and at most 1; got 2."),
        (Real(above=0, below=1), 1, "a must be greater than 0 and less than 1; got 1."),
        (Real(), np.nan, "a must be a finite number; got nan."),
        (Choice("x", "y"), "z", "a must be one of 'x', 'y'; got 'z'."),
        (FLAG, 2, "a must be one of True, False; got 2."),
        (Maybe(Whole(1)), 0, "a must be at least 1; got 0."),
    ],
)
def test_what_the_kinds_say(kind, value, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        kind.check(value, "a", SIZES)


def test_what_the_kinds_return():
    assert type(Real(0).check(1, "a", SIZES)) is float
    assert Whole(1, "n").check(np.int64(60), "a", SIZES) == 60
    assert Maybe(Real(0)).check(None, "a", SIZES) is None
    assert [Maybe(Whole(1), name).check(None, "a", SIZES) for name in ("n", "d", "min(n, d)", 7)] == [60, 2, 2, 7]
    assert By(abs).check(-3, "a", SIZES) == 3
    assert ANY.check(sum, "a", SIZES) is sum
