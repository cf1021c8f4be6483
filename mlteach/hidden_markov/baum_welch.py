"""Baum-Welch: expectation maximisation along a chain (section 31.8), from one sequence or several.

E-step   gamma_t(i) = P(x_t = i | z), xi_t(i, j) = P(x_t = i, x_{t+1} = j | z)                             (31.13)
M-step   start = gamma_1, A_ij = sum_t xi_t(i, j) / sum_{t<T} gamma_t(i), emissions weighed by gamma        (31.14)
"""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.hidden_markov.backward import posteriors
from mlteach.hidden_markov.emissions import TableEmission, shares
from mlteach.validation import ConvergenceWarning


class Climb(NamedTuple):
    """The log-likelihood of the parameters beside it, after so many steps."""

    log_likelihood: float
    start: np.ndarray
    transition: np.ndarray
    emission: object


class Expected(NamedTuple):
    """What the E-step expects: the log-likelihood, first states (S,), moves (S, S), weights gamma (all T, S)."""

    log_likelihood: float
    first: np.ndarray
    moves: np.ndarray
    weights: np.ndarray


def e_step(start, A, law, sequences):
    """Return the `Expected` counts of all sequences under the present parameters (31.13)."""
    total, first, moves, weights = 0.0, np.zeros(len(start)), np.zeros(A.shape), []
    for z in sequences:
        log_b = law.log_likelihood(z)
        log_c, gamma, xi = posteriors(start, A, log_b, moves=True)
        total += log_c.sum()
        first += gamma[0]
        if len(z) > 1:  # no move leads from the end of one sequence to the beginning of the next
            moves += xi.sum(axis=0)
        weights.append(gamma)
    return Expected(float(total), first, moves, np.concatenate(weights))


def m_step(expected, A, law, z):
    """Return start, transition and emission that fit the expected counts best (31.14); z holds all observations."""
    return expected.first / expected.first.sum(), shares(expected.moves, A), law.estimate(z, expected.weights)


def climb(model, sequences, max_iter, tol):
    """Return the history of `Climb` records and whether the last step rose by less than ``tol``."""
    start, A, law = model.start_, model.transition_, model.law
    z, history, converged = np.concatenate(sequences), [], False
    expected = e_step(start, A, law, sequences)
    history.append(_record(expected, start, A, law))
    while not converged and len(history) <= max_iter:
        # 1. The parameters that fit the expected counts; 2. the counts to expect under them
        start, A, law = m_step(expected, A, law, z)
        expected = e_step(start, A, law, sequences)
        history.append(_record(expected, start, A, law))
        converged = history[-1].log_likelihood - history[-2].log_likelihood < tol
    _advise(history, expected, converged, max_iter, tol)
    return history, converged


def _record(expected, start, A, law):
    return Climb(expected.log_likelihood, start, A, law.table if isinstance(law, TableEmission) else law)


def _advise(history, expected, converged, max_iter, tol):
    """Warn where the climb has not ended, and where a state got no counts."""
    if not converged:
        rise = history[-1].log_likelihood - history[-2].log_likelihood
        warnings.warn(
            f"HMM.fit stopped after max_iter={max_iter} steps; the last one still raised the log-likelihood by "
            f"{rise:.2g}, more than tol={tol:g}. Raise max_iter.",
            ConvergenceWarning,
            stacklevel=4,
        )
    never = np.flatnonzero(expected.moves.sum(axis=1) == 0)
    if len(never) and expected.moves.sum() > 0:
        warnings.warn(
            f"no step starts in state {', '.join(map(str, never))}, not even one that stays: the sequences end there, "
            "or never come there. They say nothing about its row of the transition matrix, which was kept.",
            ConvergenceWarning,
            stacklevel=4,
        )
