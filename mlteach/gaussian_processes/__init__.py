"""Gaussian processes (chapter 17): a normal law over functions, conditioned on data.

Prior f ~ GP(0, k): the values at any finitely many points are jointly normal, with the Gram matrix of the kernel as
their covariance. Data t = f(x) + noise condition it; what remains is a mean curve with a band around it.
"""

from mlteach.gaussian_processes.evidence import (
    Evidence,
    hyperparameters,
    log_evidence,
    log_evidence_gradient,
    with_hyperparameters,
)
from mlteach.gaussian_processes.process import GaussianProcess, draw_normal, smooth_kernel

__all__ = [
    "Evidence",
    "GaussianProcess",
    "draw_normal",
    "hyperparameters",
    "log_evidence",
    "log_evidence_gradient",
    "smooth_kernel",
    "with_hyperparameters",
]
