"""How many numbers a model has to learn (section 10.4)."""

from mlteach.validation import check_choice, check_integer

MODELS = {  # the parameters besides the shares of the classes
    "shared": lambda d, k: k * d + d * (d + 1) // 2,
    "own": lambda d, k: k * d + k * d * (d + 1) // 2,
    "shared diagonal": lambda d, k: k * d + d,
    "gaussian naive": lambda d, k: 2 * k * d,
    "boolean naive": lambda d, k: k * d,
}


def count_parameters(d, k=2, model="shared", *, free=True):
    """Return how many parameters a classifier of ``k`` classes and ``d`` features has.

    "shared"            K - 1 + K d + d (d + 1) / 2     Gaussians with one covariance  (10.7)
    "own"               K - 1 + K d + K d (d + 1) / 2   Gaussians with a covariance each
    "shared diagonal"   K - 1 + K d + d                 ... one variance for each feature
    "gaussian naive"    K - 1 + 2 K d                   Gaussian naive Bayes
    "boolean naive"     K - 1 + K d                     naive Bayes for features that are present or absent
    "logistic"          (K - 1)(d + 1)                  logistic regression, for comparison

    The shares of the classes sum to one, so K - 1 of them are free; ``free=False`` counts all K.

    ``model`` is one of these names.

    >>> count_parameters(4, 3), count_parameters(4, 3, "own"), count_parameters(4, 3, "logistic")
    (24, 44, 10)
    >>> count_parameters(9999, 10, "boolean naive", free=False)
    100000
    """
    d, k = check_integer(d, "d", low=1), check_integer(k, "k", low=2)
    check_choice(model, "model", [*MODELS, "logistic"])
    if model == "logistic":
        return (k - 1 if free else k) * (d + 1)
    return (k - 1 if free else k) + MODELS[model](d, k)
