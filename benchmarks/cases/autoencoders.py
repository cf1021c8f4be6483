"""Chapter 23 against scikit-learn's PCA, the plane that linear nets find: what it costs to learn it by copying."""

from sklearn import decomposition

from mlteach.autoencoders import Autoencoder, VariationalAutoencoder

CASES = {
    "Autoencoder, linear, 1 unit": (
        "transform",
        lambda: Autoencoder((None, 1, None), None),
        lambda: decomposition.PCA(1),
    ),
    "VariationalAutoencoder, 2 units, 20 epochs": (
        "transform",
        lambda: VariationalAutoencoder((None, 2), epochs=20),
        lambda: decomposition.PCA(2),
    ),
}
