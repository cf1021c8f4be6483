"""Chapter 22 against scikit-learn: components, factors and sources of the same tables."""

from sklearn import decomposition

from mlteach.latent_factors import ICA, PCA, FactorAnalysis, ProbabilisticPCA

CASES = {
    "PCA, 2 components": ("transform", lambda: PCA(2), lambda: decomposition.PCA(2)),
    "ProbabilisticPCA, 1 factor": ("transform", lambda: ProbabilisticPCA(1), lambda: decomposition.PCA(1)),
    "FactorAnalysis, 1 factor": (
        "transform",
        lambda: FactorAnalysis(1, tol=1e-4),
        lambda: decomposition.FactorAnalysis(1, svd_method="lapack"),
    ),
    "ICA": ("transform", lambda: ICA(0), lambda: decomposition.FastICA(whiten="unit-variance", random_state=0)),
}
