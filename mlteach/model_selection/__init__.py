"""Model selection (chapter 24): where errors come from, and how to choose without fooling oneself.

`bias_variance` takes the error apart, `leave_one_out_linear`, `mallows_cp`, `aic` and `bic` correct the training error,
`best_subsets` and its relatives choose columns, `best_of_many` says what a winner's score is worth, and `nested_cv`
judges a choice on data that it has not seen.
"""

from mlteach.model_selection.best_of_many import Winner, best_of_many
from mlteach.model_selection.criteria import aic, aicc, bic, gaussian_log_likelihood, mallows_cp, one_standard_error
from mlteach.model_selection.curves import ExactCurve, LearningCurve, gaussian_curve, learning_curve
from mlteach.model_selection.decomposition import BiasVariance, ExactParts, bias_variance, linear_bias_variance
from mlteach.model_selection.filters import correlations, information, mutual_information_ranking, pearson_ranking
from mlteach.model_selection.flexibility import (
    BaggedParts,
    bagged_tree_fits,
    bagged_tree_parts,
    neighbor_weights,
    polynomial_weights,
    tree_fits,
)
from mlteach.model_selection.freedom import covariance_freedom, degrees_of_freedom, smoother_matrix
from mlteach.model_selection.leave_out import (
    Leverages,
    generalized_cross_validation,
    leave_one_out,
    leave_one_out_linear,
    leverages,
)
from mlteach.model_selection.nested import Choice, NestedCV, OneColumn, Screened, choose_by_cv, judge, nested_cv
from mlteach.model_selection.subsets import Subset, all_subsets, backward_elimination, best_subsets, forward_selection
from mlteach.model_selection.two_points import TwoPoints, two_point_fit, two_point_sine

__all__ = [
    "BaggedParts",
    "BiasVariance",
    "Choice",
    "ExactCurve",
    "ExactParts",
    "LearningCurve",
    "Leverages",
    "NestedCV",
    "OneColumn",
    "Screened",
    "Subset",
    "TwoPoints",
    "Winner",
    "aic",
    "aicc",
    "all_subsets",
    "backward_elimination",
    "bagged_tree_fits",
    "bagged_tree_parts",
    "best_of_many",
    "best_subsets",
    "bias_variance",
    "bic",
    "choose_by_cv",
    "correlations",
    "covariance_freedom",
    "degrees_of_freedom",
    "forward_selection",
    "gaussian_curve",
    "gaussian_log_likelihood",
    "generalized_cross_validation",
    "information",
    "judge",
    "learning_curve",
    "leave_one_out",
    "leave_one_out_linear",
    "leverages",
    "linear_bias_variance",
    "mallows_cp",
    "mutual_information_ranking",
    "nested_cv",
    "neighbor_weights",
    "one_standard_error",
    "pearson_ranking",
    "polynomial_weights",
    "smoother_matrix",
    "tree_fits",
    "two_point_fit",
    "two_point_sine",
]
