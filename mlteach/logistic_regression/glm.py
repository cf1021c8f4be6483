"""The generalised linear model: one recipe, one fit, for every family with a single natural parameter (section 8.8)."""

import math
from dataclasses import dataclass

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearPredictor
from mlteach.linear_regression.summary import coefficient_names, coefficient_table
from mlteach.logistic_regression._safeguards import no_optimum, unfinished
from mlteach.logistic_regression.categorical import Categorical
from mlteach.logistic_regression.families import Family, Gaussian
from mlteach.logistic_regression.newton import irls, records
from mlteach.parameters import By, Real, Whole
from mlteach.validation import as_vector


def _check_family(family):
    if family is None:
        return Gaussian()
    if isinstance(family, Categorical):
        raise ValueError("the categorical family has one score per class; use SoftmaxRegression.")
    if isinstance(family, type) and issubclass(family, Family):
        raise ValueError(f"family must be an object; got the class {family.__name__}. Write {family.__name__}().")
    if not isinstance(family, Family):
        raise ValueError(f"family must be Gaussian(), Bernoulli() or Poisson(); got {family!r}.")
    return family


class GLM(LinearPredictor, Estimator):
    """Generalised linear model with the canonical link, fitted by iteratively reweighted least squares.

    Recipe   1. y | x has a law of the exponential family   2. eta = w . x + b   3. the prediction is E[y | x] = A'(eta)
    Loss     E = deviance / 2 + 1/2 lam |w|^2 = -sum_n ln p(y_n; eta_n) + const + 1/2 lam |w|^2;  b is not penalised
    Step     (b, w) <- (b, w) - H^-1 grad E,  grad E = X~'(A'(eta) - y) + lam (0, w),
             H = X~'R X~ + lam diag(0, 1, ..., 1),  R = diag(A''(eta_n)),  halved while it would raise E

    GLM(Gaussian()) is linear regression (one step), GLM(Bernoulli()) logistic regression, GLM(Poisson()) regression for
    counts; the categorical member has a vector eta and is `SoftmaxRegression`. The fit starts from w = 0 and the b that
    predicts the mean of y. Dependent columns leave many minimisers; the one with the shortest w is returned.

    Parameters
    ----------
    family : `Gaussian()` (None), `Bernoulli()` with y of 0 and 1, or `Poisson()` with counts.
    lam : penalty, >= 0. scikit-learn's PoissonRegressor has alpha = lam / n.
    tol : stop when a step promises to lower E by less than tol times E at the start.
    max_iter : most steps.
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    w_ (d,), b_; deviance_, null_deviance_ (of the best constant; only without an offset), dispersion_ = Pearson's
    chi^2 / (n - M) with M the rank plus one (nan if n <= M): for Poisson near 1 if the variance equals the mean, above
    it for overdispersed counts (single 0/1 responses cannot be overdispersed); n_iter_, converged_; history_, a list
    of `FitStep`.

    >>> from mlteach.logistic_regression import Poisson
    >>> model = GLM(Poisson()).fit([[0], [0], [1], [1]], [2, 4, 5, 7])
    >>> print(round(model.b_, 6), model.w_.round(6), model.predict([[0], [1]]).round(6))
    1.098612 [0.693147] [3. 6.]
    """

    task, largest = "regression", 1e100
    params = {"family": By(_check_family), "lam": Real(0, 1e100), "tol": Real(0), "max_iter": Whole(1)}

    def __init__(self, family=None, lam=0.0, *, tol=1e-12, max_iter=1000, history=True):
        self.family, self.lam, self.tol, self.max_iter, self.history = family, lam, tol, max_iter, history

    def fit(self, X, y, offset=None):
        """Maximise the penalised likelihood; return self.

        ``offset`` (n,) is added to eta with weight one: for counts over unequal exposures, the logarithm of the
        exposure.
        """
        return self._fit(X, y, offset=offset)

    def learn(self, X, y, offset=None):
        """Maximise the penalised likelihood."""
        family, offset = self.family, _check_offset(offset, len(X))
        # 1. Start from the constant that predicts the mean
        start = _check_start(family.link(y.mean()) - offset.mean(), family, y, offset)
        # 2. Newton's method
        problem, run = irls(X, y, family, self.lam, tol=self.tol, max_iter=self.max_iter, start=start, offset=offset)
        self.history_, self.converged_, self._runs_away = records(problem, run, self.history), *run[2:]
        self.w_, self.b_, _, _ = self.history_[-1]
        # 3. How well does it fit?
        eta = problem.scores(run.places[-1])
        r = family.curvature(eta)
        self._family, self._evidence = family, (self.lam, problem.design, r, len(y))
        self.deviance_ = float(2 * family.loss(y, eta).sum())
        self.null_deviance_ = math.nan if offset.any() else family.deviance(y, np.full(len(y), y.mean()))
        self.dispersion_ = _pearson(family.residual(y, eta), r, len(y) - problem.design.Z.shape[1])

    def advice(self, X, y):
        """Say that there is no optimum, or that the run was too short."""
        if self._runs_away:
            yield no_optimum(self, f"some {self.family.name} means run to the edge of their range")
        elif not self.converged_:
            yield unfinished(self)

    def _read_targets(self, y, n):
        return self.family.check(super()._read_targets(y, n))

    def linear_predictor(self, X, offset=None):
        """Return eta = w . x + b + offset."""
        eta = self._scores(X)
        return eta + _check_offset(offset, len(eta))

    def predict(self, X, offset=None):
        """Return the mean of y for each row of ``X``; without ``offset``, for exposure one."""
        eta = self.linear_predictor(X, offset)
        return self._family.mean(eta)

    def summary(self, feature_names=None):
        """Return a `GLMSummary`: estimates, standard errors, tests of each weight against zero, deviances.

        Covariance  phi (X~'R X~)^-1, the inverse Fisher information; phi = 1, for the Gaussian the dispersion

        >>> from mlteach.logistic_regression import Poisson
        >>> print(GLM(Poisson()).fit([[0], [0], [1], [1]], [2, 4, 5, 7]).summary(["dose"]))
                          coef       stderr            z            p
        intercept      1.09861     0.408248        2.691      0.00712
        dose          0.693147          0.5        1.386        0.166
        deviance 1.01449, of the constant 3.05328, with 2 degrees of freedom
        dispersion 0.5
        """
        self._require_fit()
        return _summarise(self, coefficient_names(feature_names, len(self.w_)))


@dataclass(frozen=True, repr=False, eq=False)
class GLMSummary:
    """Tests on a fitted generalised linear model; vectors have the intercept first, then one entry per feature."""

    names: tuple[str, ...]  # d + 1
    coef: np.ndarray  # (d + 1,)
    stderr: np.ndarray  # (d + 1,), roots of the diagonal of the inverse Fisher information
    z: np.ndarray  # (d + 1,), coef / stderr
    p: np.ndarray  # (d + 1,), two-sided, normal; Student's t for the Gaussian
    deviance: float
    null_deviance: float  # of the best constant; nan with an offset
    dof: int  # N - M, with M = d + 1
    dispersion: float  # Pearson's chi^2 / dof

    def __repr__(self):
        lines = coefficient_table(self.names, self.coef, self.stderr, self.z, self.p, letter="z")
        constant = "" if math.isnan(self.null_deviance) else f" of the constant {self.null_deviance:.6g},"
        degrees = "degree" if self.dof == 1 else "degrees"
        lines.append(f"deviance {self.deviance:.6g},{constant} with {self.dof} {degrees} of freedom")
        return "\n".join([*lines, f"dispersion {self.dispersion:.6g}"])


def _summarise(model, names):
    from scipy.special import ndtr, stdtr

    lam, design, r, n = model._evidence
    d, dof = len(model.w_), n - len(model.w_) - 1
    if lam > 0:
        raise ValueError(f"summary needs lam=0: a penalty biases the weights, and lam={lam:g} was set.")
    if not model.converged_:
        raise ValueError("summary needs a fit that converged; the likelihood of this one is not at its maximum.")
    if dof <= 0:
        raise ValueError(f"summary needs more samples than parameters; got {n} samples and {d + 1} parameters.")
    if design.B.shape[1] < d:
        raise ValueError(
            f"summary needs independent features; the {d} features have rank {design.B.shape[1]}, so single weights "
            "are not determined. Drop constant or dependent columns."
        )
    # 1. T'T = Z'RZ, so T^-1 T^-T is the inverse Fisher information of v = (c, u)
    T = np.linalg.qr(np.sqrt(r)[:, None] * design.Z, mode="r")
    root = np.linalg.inv(T)
    # 2. From v to (b, w): w = Bu and b = c - mean . w
    root_w = design.B @ root[1:]
    root_b = root[0] - design.mean @ root_w
    known = model._family.scale_known
    phi = 1.0 if known else model.dispersion_
    stderr = np.sqrt(phi) * np.linalg.norm(np.vstack([root_b, root_w]), axis=1)
    # 3. Each weight against zero
    coef = np.append(model.b_, model.w_)
    with np.errstate(divide="ignore", invalid="ignore"):  # an exact Gaussian fit has stderr 0
        z = coef / stderr
    p = 2 * (ndtr(-np.abs(z)) if known else stdtr(dof, -np.abs(z)))
    return GLMSummary(names, coef, stderr, z, p, model.deviance_, model.null_deviance_, dof, model.dispersion_)


def _pearson(residual, variance, dof):
    """Return Pearson's chi^2 over its degrees of freedom; a mean that is exactly right adds nothing."""
    if dof <= 0:
        return math.nan
    with np.errstate(divide="ignore"):
        terms = np.divide(residual**2, variance, where=residual != 0, out=np.zeros(len(residual)))
    return float(terms.sum() / dof)


def _check_offset(offset, n):
    return np.zeros(n) if offset is None else as_vector(offset, "offset", length=n)


def _check_start(b, family, y, offset):
    """Return the constant to start from, if the loss there can be computed."""
    if not math.isfinite(b):
        raise ValueError(f"y must vary; all its values are {y[0]:g}, and no finite b gives that as a mean.")
    with np.errstate(over="ignore", invalid="ignore"):
        if not family.loss(y, b + offset).sum() < 1e200:
            raise ValueError("y or offset is too large to compute with; change the unit of y, or check offset.")
    return b
