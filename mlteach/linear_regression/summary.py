"""What a fitted linear model says about its own weights: standard errors, t-tests, R2, the F-test.

Derived in sections 4.8 and 4.9 of the chapter.
"""

from dataclasses import dataclass

import numpy as np

from mlteach.linear import power_of_two


@dataclass(frozen=True, repr=False, eq=False)
class Summary:
    """Tests on a fitted linear model; vectors have the intercept first, then one entry per feature.

    An exact fit leaves nothing to estimate the noise from: stderr is 0, F and t are inf, and t is nan where the
    coefficient is 0 as well.
    """

    names: tuple[str, ...]  # d + 1
    coef: np.ndarray  # (d + 1,)
    stderr: np.ndarray  # (d + 1,), roots of the diagonal of (4.15)
    t: np.ndarray  # (d + 1,), coef / stderr            (4.16)
    p: np.ndarray  # (d + 1,), two-sided
    sigma: float  # residual standard deviation                   (4.14)
    dof: int  # N - M, with M = d + 1
    r2: float  # (4.19)
    adjusted_r2: float  # (4.20)
    f: float  # all weights but the intercept zero?               (4.17)
    f_p: float

    def __repr__(self):
        table = coefficient_table(self.names, self.coef, self.stderr, self.t, self.p, letter="t")
        degrees = "degree" if self.dof == 1 else "degrees"
        exact = ["the fit is exact: no noise is left to test against"] * (self.sigma == 0)
        return "\n".join(
            [
                *table,
                *exact,
                f"residual standard deviation {self.sigma:.6g} with {self.dof} {degrees} of freedom",
                f"R2 {self.r2:.6g}, adjusted R2 {self.adjusted_r2:.6g}",
                f"F {self.f:.4g} with {len(self.names) - 1} and {self.dof} degrees of freedom, p {self.f_p:.3g}",
            ]
        )


def summarise(w, b, n, x_mean, R, rank, rss, tss, feature_names=None):
    """Return the `Summary` of weights ``w`` (d,) and intercept ``b``; ``R`` factors the centred inputs."""
    from scipy.special import fdtrc, stdtr

    d = len(w)
    M = d + 1
    dof = n - M
    names = coefficient_names(feature_names, d)
    if dof <= 0:
        raise ValueError(
            f"summary needs more samples than parameters; got {n} samples and {M} parameters "
            f"({d} weight{'s' * (d != 1)} and the intercept), which leaves {dof} degrees of freedom."
        )
    if rank < d:
        raise ValueError(
            f"summary needs independent features; the {d} features have rank {rank}, so single weights are not "
            "determined. Drop constant or dependent columns."
        )
    if tss == 0:
        raise ValueError("summary needs targets that vary; y is constant, so R2 and F are not defined.")
    # 1. Noise: the residuals have N - M degrees of freedom                   (4.14)
    sigma = np.sqrt(rss / dof)
    # 2. Spread of the weights, sigma^2 (X'X)^-1 = sigma^2 R^-1 R^-T          (4.15)
    R, unit = power_of_two(R)
    spread = np.linalg.norm(np.linalg.solve(R, np.eye(d)), axis=1) / unit
    spread_b = np.sqrt(1 / n + np.sum(np.linalg.solve(R.T, x_mean / unit) ** 2))
    coef, stderr = np.append(b, w), sigma * np.append(spread_b, spread)
    with np.errstate(divide="ignore", invalid="ignore"):  # an exact fit has stderr 0
        # 3. Each weight against zero                                         (4.16)
        t = coef / stderr
        # 4. All weights but the intercept against zero                       (4.17)
        f = np.divide((tss - rss) / d, rss / dof)
    return Summary(
        names, coef, stderr, t, p=2 * stdtr(dof, -np.abs(t)), sigma=float(sigma), dof=dof,
        r2=1 - rss / tss, adjusted_r2=1 - (rss / dof) / (tss / (n - 1)),  # (4.19), (4.20)
        f=float(f), f_p=float(fdtrc(d, dof, f)),
    )  # fmt: skip


def coefficient_names(feature_names, d):
    """Return the names of the d + 1 coefficients: the intercept first, then the features, x1, x2, ... by default."""
    if feature_names is None:
        feature_names = [f"x{j}" for j in range(1, d + 1)]
    if isinstance(feature_names, str) or not np.iterable(feature_names):
        raise ValueError(f"feature_names must be a list with one name per feature ({d}); got {feature_names!r}.")
    feature_names = [str(name) for name in feature_names]
    if len(feature_names) != d:
        raise ValueError(f"feature_names must hold one name per feature: {d} are needed, got {len(feature_names)}.")
    return ("intercept", *feature_names)


def coefficient_table(names, coef, stderr, ratio, p, *, letter):
    """Return the lines of a table with one coefficient per row; ``letter`` names the ratio coef / stderr."""
    width = max(map(len, names))
    lines = [f"{'':{width}}{'coef':>13}{'stderr':>13}{letter:>13}{'p':>13}"]
    for row in zip(names, coef, stderr, ratio, p):
        lines.append("{:{width}}{:>13.6g}{:>13.6g}{:>13.4g}{:>13.3g}".format(*row, width=width))
    return lines
