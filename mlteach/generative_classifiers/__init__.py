"""Generative classifiers (chapter 10): describe how each class makes its inputs, then let Bayes' rule decide.

Model  P(C_k | x) = p(x | C_k) P(C_k) / sum_j p(x | C_j) P(C_j). The classes differ in what they assume about
p(x | C_k): a Gaussian with a shared or an own covariance, or features that are independent given the class. Every
product of probabilities is a sum of logarithms here, so long documents do not underflow.
"""

from mlteach.generative_classifiers.bayes import log_posterior
from mlteach.generative_classifiers.calibration import isotonic, platt
from mlteach.generative_classifiers.categorical import NaiveBayes
from mlteach.generative_classifiers.discriminant import GaussianDiscriminant
from mlteach.generative_classifiers.gaussian import GaussianNaiveBayes
from mlteach.generative_classifiers.parameters import count_parameters
from mlteach.generative_classifiers.text import STOP_WORDS, Vocabulary, stem, tokenize
from mlteach.generative_classifiers.words import BernoulliNaiveBayes, MultinomialNaiveBayes

__all__ = [
    "STOP_WORDS",
    "BernoulliNaiveBayes",
    "GaussianDiscriminant",
    "GaussianNaiveBayes",
    "MultinomialNaiveBayes",
    "NaiveBayes",
    "Vocabulary",
    "count_parameters",
    "isotonic",
    "log_posterior",
    "platt",
    "stem",
    "tokenize",
]
