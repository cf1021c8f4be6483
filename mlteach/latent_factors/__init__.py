"""Latent factors (chapter 22): the few hidden numbers behind many measured ones.

Principal components keep what varies most, probabilistic PCA and factor analysis put a law on what is kept and what is
left, independent components look for sources that know nothing of each other, and t-SNE draws neighbourhoods.
"""

from mlteach.latent_factors.em import EMRun, EMStep, linear_gaussian_em, ppca_em
from mlteach.latent_factors.gaussian import FactorAnalysis, ProbabilisticPCA
from mlteach.latent_factors.ica import ICA, ica_gradient, ica_log_likelihood, kurtosis
from mlteach.latent_factors.pca import PCA, choose_components
from mlteach.latent_factors.pictures import TurnedDigit, rotate_image, rotated_digit
from mlteach.latent_factors.sounds import mixing_matrix, sources
from mlteach.latent_factors.tsne import Embedding, tsne

__all__ = [
    "EMRun",
    "EMStep",
    "Embedding",
    "FactorAnalysis",
    "ICA",
    "PCA",
    "ProbabilisticPCA",
    "TurnedDigit",
    "choose_components",
    "ica_gradient",
    "ica_log_likelihood",
    "kurtosis",
    "linear_gaussian_em",
    "mixing_matrix",
    "ppca_em",
    "rotate_image",
    "rotated_digit",
    "sources",
    "tsne",
]
