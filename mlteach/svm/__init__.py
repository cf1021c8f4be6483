"""Support vector machines: the separating plane with the widest margin (chapter 16).

A plane w . x + b = 0 has the signed distance r = y(x) / |w| to x (16.1). Of all planes that separate two classes the
machine takes the one whose nearest points are farthest away, 1/|w| when (w, b) is scaled so that t y(x) = 1 there.
Points that cannot be separated pay C for each unit of slack. The dual problem sees the points through their inner
products only, so any kernel can take their place, and its solution is sparse: a_i > 0 for support vectors alone.

Two solvers share one problem, ``DualProblem``:

- ``smo`` moves two multipliers at a time, in closed form (16.21), inside their box (16.20), and updates the gradient
  (16.23). It stops when the KKT gap m - M is below ``tol``. Few steps from a good start; many for a large C. The
  machines run a faster version of it.
- ``interior_point`` goes through the middle of the box: some twenty linear systems, whatever C is.

``SVC`` and ``NuSVC`` classify, ``SVR`` fits a function, ``DAGSVM`` joins pairwise machines for more classes.
"""

from mlteach.linear_classification import functional_margin, geometric_margin
from mlteach.svm.classification import SVC, NuSVC
from mlteach.svm.dual import DualProblem, Solution, kkt_violation, level
from mlteach.svm.interior import InteriorStep, interior_point
from mlteach.svm.multiclass import DAGSVM
from mlteach.svm.regression import SVR, epsilon_insensitive
from mlteach.svm.smo import PairStep, SMOStep, best_pair, smo, smo_pair, steepest_pair

__all__ = [
    "DAGSVM",
    "SVC",
    "SVR",
    "DualProblem",
    "InteriorStep",
    "NuSVC",
    "PairStep",
    "SMOStep",
    "Solution",
    "best_pair",
    "epsilon_insensitive",
    "functional_margin",
    "geometric_margin",
    "interior_point",
    "kkt_violation",
    "level",
    "smo",
    "smo_pair",
    "steepest_pair",
]
