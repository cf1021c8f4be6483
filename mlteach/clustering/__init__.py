"""Clustering (chapter 21): groups without labels, by k-means, by Gaussian mixtures, and by merging.

k-means gives every point to the nearest of K centres and moves each centre to the mean of its points. A mixture gives
every point to all components, in shares; EM fits it, as it fits any model with hidden variables.
"""

from mlteach.clustering.bound import EMBound, em_bound, one_mean_em, one_mean_log_joint
from mlteach.clustering.choice import adjusted_rand, elbow, silhouette, silhouette_values
from mlteach.clustering.kmeans import KMeans, KMeansStep
from mlteach.clustering.merging import Merge, agglomerate, merge_tree
from mlteach.clustering.mixture import GaussianMixture, MixtureStep
from mlteach.clustering.starts import kmeans_plus_plus, random_centers

__all__ = [
    "EMBound",
    "GaussianMixture",
    "KMeans",
    "KMeansStep",
    "Merge",
    "MixtureStep",
    "adjusted_rand",
    "agglomerate",
    "elbow",
    "em_bound",
    "kmeans_plus_plus",
    "merge_tree",
    "one_mean_em",
    "one_mean_log_joint",
    "random_centers",
    "silhouette",
    "silhouette_values",
]
