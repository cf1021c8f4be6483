"""Kernels: inner products in a feature space that is never visited (chapter 15).

    k(x, x') = phi(x) . phi(x')

A kernel is an object; called with two sets of points it gives their Gram matrix K[i, j] = k(x_i, x'_j). Points are
rows of numbers, or words, or sets, as the kernel has it. What the kernel trick needs is that K is symmetric and
positive semi-definite for *every* finite set of points. Ten rules make new kernels from kernels (section 15.4):

 1  ``c * k``                        c k(x, x'),  c > 0
 2  ``weighted_kernel(f, k)``        f(x) k(x, x') f(x')
 3  ``series_kernel([q0, q1], k)``   q0 + q1 k(x, x') + ...,  no q negative
 4  ``exp_kernel(k)``                exp k(x, x')
 5  ``k1 + k2``                      k1(x, x') + k2(x, x')
 6  ``k1 * k2``                      k1(x, x') k2(x, x')
 7  ``mapped_kernel(phi, k)``        k(phi(x), phi(x'))
 8  ``matrix_kernel(A)``             x . A x',  A symmetric and positive semi-definite
 9  ``part_kernel(a, k1) + part_kernel(b, k2)``   k1(x_a, x'_a) + k2(x_b, x'_b) of parts of x
10  ``part_kernel(a, k1) * part_kernel(b, k2)``   their product

``KernelRidge`` and ``KernelPerceptron`` are linear models of earlier chapters that see points through a kernel alone.

>>> k = 0.5 * rbf_kernel(beta=2.0) + polynomial_kernel(degree=3)
>>> k
0.5 * rbf_kernel(beta=2.0) + polynomial_kernel(degree=3, beta=1.0, gamma=1.0)
>>> k([[0.0, 1.0], [2.0, 1.0]]).round(3).tolist()
[[8.5, 8.0], [8.0, 216.5]]
"""

from mlteach.kernels.kernel import Kernel
from mlteach.kernels.mercer import is_positive_semidefinite
from mlteach.kernels.objects import generative_kernel, set_kernel, substring_kernel
from mlteach.kernels.perceptron import KernelPerceptron, Mistake
from mlteach.kernels.ridge import KernelRidge, RidgeCosts, dual_ridge, primal_ridge, ridge_costs
from mlteach.kernels.rules import (
    exp_kernel,
    mapped_kernel,
    matrix_kernel,
    normalized_kernel,
    part_kernel,
    series_kernel,
    weighted_kernel,
)
from mlteach.kernels.vectors import linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel

__all__ = [
    "Kernel",
    "KernelPerceptron",
    "KernelRidge",
    "Mistake",
    "RidgeCosts",
    "dual_ridge",
    "exp_kernel",
    "generative_kernel",
    "is_positive_semidefinite",
    "linear_kernel",
    "mapped_kernel",
    "matrix_kernel",
    "normalized_kernel",
    "part_kernel",
    "polynomial_kernel",
    "primal_ridge",
    "rbf_kernel",
    "ridge_costs",
    "series_kernel",
    "set_kernel",
    "sigmoid_kernel",
    "substring_kernel",
    "weighted_kernel",
]
