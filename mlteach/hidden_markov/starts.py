"""Baum-Welch from many starts: each climbs to a top of its own (section 31.8)."""

import warnings

import numpy as np

from mlteach.hidden_markov.emissions import TableEmission
from mlteach.hidden_markov.model import HMM
from mlteach.validation import ConvergenceWarning, as_rng, check_integer


def fit_from_starts(model, observations, n_starts=10, rng=0):
    """Return ``n_starts`` fitted models of the kind of ``model``, the best first, each from random parameters.

    ``observations`` as in `HMM.fit`.
    """
    n_starts, rng, found = check_integer(n_starts, "n_starts", low=1), as_rng(rng), []
    z = np.concatenate(model.sequences(observations))
    for _ in range(n_starts):
        law, ones = model.law.guess(z, rng), np.ones(model.n_states)
        emission = law.table if isinstance(law, TableEmission) else law
        start, transition = rng.dirichlet(ones), rng.dirichlet(ones, size=model.n_states)
        with warnings.catch_warnings():  # a start that has not ended is listed with the others; its tops tells
            warnings.simplefilter("ignore", ConvergenceWarning)
            fresh = HMM(start, transition, emission, max_iter=model.max_iter, tol=model.tol)
            found.append(fresh.fit(observations))
    return sorted(found, key=lambda one: -one.history_[-1].log_likelihood)


def n_parameters(model):
    """Return the free numbers of a model: S - 1 + S (S - 1), and those of its emission, for AIC and BIC."""
    S, law = model.n_states, model.law
    of_law = S * (law.n_symbols - 1) if isinstance(law, TableEmission) else S * (2 if hasattr(law, "variances") else 1)
    return S - 1 + S * (S - 1) + of_law
