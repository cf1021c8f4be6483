"""Evaluation (chapter 02): how wrong is a hypothesis, how sure are we, and which of two learners is better.

Every measure takes what is true first and what was said second: ``measure(y, predicted)``. Labels may be numbers
or text. Measures of one class against the rest take ``positive``, the class that counts as positive; by default it
is the larger of the two labels, so 1 of {0, 1}, +1 of {-1, +1}, "spam" of {"ham", "spam"}.
"""

from mlteach.evaluation.bootstrap import bootstrap_interval
from mlteach.evaluation.classification import (
    Outcomes,
    accuracy,
    confusion_matrix,
    error_rate,
    f1_score,
    outcomes,
    precision,
    recall,
    specificity,
)
from mlteach.evaluation.intervals import (
    Interval,
    difference_interval,
    error_interval,
    mcnemar_test,
    paired_difference_interval,
    wilson_interval,
    z_value,
)
from mlteach.evaluation.losses import absolute, hinge, huber, log_loss, logistic, squared, zero_one
from mlteach.evaluation.regression import adjusted_r2, mae, mse, r2_score, rmse
from mlteach.evaluation.resampling import (
    Comparison,
    Fold,
    Split,
    compare_learners,
    corrected_interval,
    cross_val_error,
    cross_val_errors,
    fold_errors,
    k_fold,
    stratified_k_fold,
    train_test_split,
)
from mlteach.evaluation.roc import (
    ROC,
    PrecisionRecall,
    auc,
    average_precision,
    precision_recall_curve,
    roc_auc,
    roc_curve,
)

__all__ = [
    "ROC",
    "Comparison",
    "Fold",
    "Interval",
    "Outcomes",
    "PrecisionRecall",
    "Split",
    "absolute",
    "accuracy",
    "adjusted_r2",
    "auc",
    "average_precision",
    "bootstrap_interval",
    "compare_learners",
    "confusion_matrix",
    "corrected_interval",
    "cross_val_error",
    "cross_val_errors",
    "difference_interval",
    "error_interval",
    "error_rate",
    "f1_score",
    "fold_errors",
    "hinge",
    "huber",
    "k_fold",
    "log_loss",
    "logistic",
    "mae",
    "mcnemar_test",
    "mse",
    "outcomes",
    "paired_difference_interval",
    "precision",
    "precision_recall_curve",
    "r2_score",
    "recall",
    "rmse",
    "roc_auc",
    "roc_curve",
    "specificity",
    "squared",
    "stratified_k_fold",
    "train_test_split",
    "wilson_interval",
    "z_value",
    "zero_one",
]
