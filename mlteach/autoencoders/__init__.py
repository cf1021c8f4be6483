"""Autoencoders (chapter 23): codes that are learnt by copying, laws over codes, and samples drawn from them.

`Autoencoder` copies through a narrow layer, `VariationalAutoencoder` makes the code a law and maximises chapter 21's
bound, `GAN` trains a generator against a discriminator, and `fast_gradient_attack` turns a gradient against its net.
"""

from mlteach.autoencoders.anomaly import anomaly_threshold
from mlteach.autoencoders.attack import fast_gradient_attack, input_gradient
from mlteach.autoencoders.bottleneck import Autoencoder, Copying
from mlteach.autoencoders.gan import GAN, Round
from mlteach.autoencoders.linear import LinearPath, linear_descent
from mlteach.autoencoders.pictures import stored_pictures
from mlteach.autoencoders.rivals import stored_rivals
from mlteach.autoencoders.stored import (
    PLACES,
    digit_vae,
    normal_digits,
    riddle,
    stored_game,
    stored_losses,
    train_copier,
    two_bumps,
    two_bumps_density,
)
from mlteach.autoencoders.variational import Bound, VariationalAutoencoder, gaussian_kl

__all__ = [
    "Autoencoder",
    "Bound",
    "Copying",
    "GAN",
    "LinearPath",
    "PLACES",
    "Round",
    "VariationalAutoencoder",
    "anomaly_threshold",
    "digit_vae",
    "fast_gradient_attack",
    "gaussian_kl",
    "input_gradient",
    "linear_descent",
    "normal_digits",
    "riddle",
    "stored_game",
    "stored_losses",
    "stored_pictures",
    "stored_rivals",
    "train_copier",
    "two_bumps",
    "two_bumps_density",
]
