"""Chapter 10 against scikit-learn, with the same smoothing and the same covariances."""

from sklearn import discriminant_analysis, naive_bayes

from mlteach.generative_classifiers import (
    BernoulliNaiveBayes,
    GaussianDiscriminant,
    GaussianNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
)

CASES = {
    "GaussianDiscriminant, shared": (
        "classes",
        GaussianDiscriminant,
        lambda: discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
    ),
    "GaussianDiscriminant, own": (
        "classes",
        lambda: GaussianDiscriminant(shared_covariance=False),
        discriminant_analysis.QuadraticDiscriminantAnalysis,
    ),
    "GaussianNaiveBayes": ("classes", GaussianNaiveBayes, naive_bayes.GaussianNB),
    "NaiveBayes, Laplace": ("categories", NaiveBayes, naive_bayes.CategoricalNB),
    "BernoulliNaiveBayes": ("switches", BernoulliNaiveBayes, naive_bayes.BernoulliNB),
    "MultinomialNaiveBayes": ("counts", MultinomialNaiveBayes, naive_bayes.MultinomialNB),
}
