"""Chapter 23 against scikit-learn: the linear autoencoder finds the plane of its PCA."""

from sklearn import decomposition

from mlteach.autoencoders import Autoencoder

CASES = {
    "Autoencoder, linear, 1 unit": (
        "transform",
        lambda: Autoencoder((None, 1, None), None),
        lambda: decomposition.PCA(1),
    ),
}
