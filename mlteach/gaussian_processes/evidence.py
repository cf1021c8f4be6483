"""The marginal likelihood ln p(t) of the training targets: a fit, a price of flexibility, and a constant.

Derived in section 17.6 of the chapter, its gradient as well.
"""

import dataclasses
from typing import NamedTuple

import numpy as np

from mlteach.gaussian_processes.gram import gram, solve_lower, triangle
from mlteach.kernels import Kernel
from mlteach.validation import as_matrix, as_vector, check_number

STEP = 1e-5  # in ln theta: central differences of a Gram matrix are then good to ten digits


class Evidence(NamedTuple):
    """ln p(t) = fit + complexity + constant, three terms of (17.16)."""

    total: float
    fit: float  # -1/2 t' C^-1 t: how well the prior foresaw the targets
    complexity: float  # -1/2 ln |C|: the price of being able to foresee many things
    constant: float  # -n/2 ln 2 pi


def log_evidence(kernel, noise_variance, X, y):
    """Return the log marginal likelihood of targets ``y`` (n,) at ``X`` (n, d), with its terms (17.16).

    ``kernel`` and ``noise_variance`` are those of the process.

    >>> squares = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0]
    >>> from mlteach.kernels import rbf_kernel
    >>> round(log_evidence(rbf_kernel(0.5), 0.1, *squares).total, 3)
    -40.97
    """
    X, y, noise_variance = checked(X, y, noise_variance)
    return terms(triangle(gram(kernel, X), noise_variance), y)


def terms(L, y):
    """Return the Evidence of targets with covariance L L'."""
    z = solve_lower(L, y)  # t' C^-1 t = |L^-1 t|^2
    fit, complexity = -0.5 * float(z @ z), -float(np.log(np.diag(L)).sum())
    constant = -0.5 * len(y) * float(np.log(2 * np.pi))
    return Evidence(fit + complexity + constant, fit, complexity, constant)


def log_evidence_gradient(kernel, noise_variance, X, y):
    """Return d ln p(t) / d ln theta for each hyper-parameter of the kernel and for the noise, a dict (17.18).

    How the Gram matrix changes with a hyper-parameter is asked of the kernel itself, by central differences.

    >>> from mlteach.kernels import rbf_kernel
    >>> g = log_evidence_gradient(rbf_kernel(0.5), 0.1, [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0])
    >>> {name: round(value, 2) for name, value in g.items()}
    {'beta': 2.67, 'noise_variance': 4.08}
    """
    X, y, noise_variance = checked(X, y, noise_variance)
    L = triangle(gram(kernel, X), noise_variance)
    root = solve_lower(L, np.eye(len(y)))
    alpha = root.T @ (root @ y)
    A = np.outer(alpha, alpha) - root.T @ root  # alpha alpha' - C^-1
    slopes = {name: 0.5 * float(np.sum(A * dK)) for name, dK in _derivatives(kernel, X)}
    return slopes | {"noise_variance": 0.5 * noise_variance * float(np.trace(A))}


def hyperparameters(kernel):
    """Return the positive real parameters of a kernel, also of one made of others, by name.

    >>> from mlteach.kernels import linear_kernel, rbf_kernel
    >>> hyperparameters(3.0 * rbf_kernel(0.5) + linear_kernel)
    {'left.scale': 3.0, 'left.kernel.beta': 0.5}
    """
    found = {}
    for name, value in _fields(kernel):
        if isinstance(value, Kernel):
            found |= {f"{name}.{inner}": v for inner, v in hyperparameters(value).items()}
        elif isinstance(value, float) and value > 0:
            found[name] = value
    return found


def with_hyperparameters(kernel, values):
    """Return the same kernel with other values of some hyper-parameters, named as in `hyperparameters`.

    >>> from mlteach.kernels import rbf_kernel
    >>> with_hyperparameters(3.0 * rbf_kernel(0.5), {"kernel.beta": 2.0})
    3 * rbf_kernel(beta=2.0)
    """
    unknown = [name for name in values if name not in hyperparameters(kernel)]
    if unknown:
        raise ValueError(f"{kernel!r} has no hyper-parameter {unknown[0]!r}; it has {list(hyperparameters(kernel))}.")
    changed = {}
    for name, value in _fields(kernel):
        inner = {k.removeprefix(f"{name}."): v for k, v in values.items() if k.startswith(f"{name}.")}
        if inner:
            changed[name] = with_hyperparameters(value, inner)
        elif name in values:
            changed[name] = float(values[name])
    return dataclasses.replace(kernel, **changed) if changed else kernel


def checked(X, y, noise_variance):
    """Return points, targets and noise as the formulas take them."""
    X = as_matrix(X)
    return X, as_vector(y, length=len(X)), check_number(noise_variance, "noise_variance", low=0)


def _fields(kernel):
    known = dataclasses.is_dataclass(kernel) and not isinstance(kernel, type)
    return [(f.name, getattr(kernel, f.name)) for f in dataclasses.fields(kernel)] if known else []


def _derivatives(kernel, X):
    """Yield the name and dK / d ln theta of each hyper-parameter."""
    for name, value in hyperparameters(kernel).items():
        high, low = (with_hyperparameters(kernel, {name: value * np.exp(s)}) for s in (STEP, -STEP))
        yield name, (high(X, X) - low(X, X)) / (2 * STEP)
