"""Finitely many hypotheses: their posterior, the best single one, and what all of them predict together.

Derived in sections 9.2 and 9.3 of the chapter. Products of probabilities are sums of logarithms here, so a thousand
observations do not underflow.
"""

import numpy as np

from mlteach.validation import as_array, as_labels, as_rng, as_vector, check_integer, check_probabilities


def posterior(prior, likelihood, *, log=False):
    """Return P(h | D) for each hypothesis, (H,): prior times likelihood, divided by their sum.

    P(h | D) = P(D | h) P(h) / P(D),  P(D) = sum_h P(D | h) P(h)   (9.1)

    Parameters: ``prior`` (H,), probabilities that sum to one; ``likelihood`` (H,) holds P(D | h), up to a factor that
    all hypotheses share, or (n, H) with one row P(d_i | h) per observation, independent given h (9.2). ``log=True``
    takes ln P instead, -inf for impossible.

    >>> posterior([0.1, 0.2, 0.4, 0.2, 0.1], [0, 0.25, 0.5, 0.75, 1]).round(4).tolist()
    [0.0, 0.1, 0.4, 0.3, 0.2]
    """
    scores = _log_joint(prior, likelihood, log)
    p = np.exp(scores - scores.max())
    return p / p.sum()


def map_hypothesis(prior, likelihood=None, *, log=False):
    """Return the index of the most probable hypothesis given the data, the first of equals.

    h_MAP = argmax_h P(D | h) P(h)   (9.5)

    Arguments as in `posterior`; without a likelihood there are no data, and ``prior`` alone decides.

    >>> map_hypothesis([0.1, 0.2, 0.4, 0.2, 0.1], [0, 0.25, 0.5, 0.75, 1])
    2
    """
    if likelihood is None:
        likelihood, log = np.ones(np.shape(prior)), False
    return _first_largest(_log_joint(prior, likelihood, log))


def ml_hypothesis(likelihood, *, log=False):
    """Return the index of the hypothesis under which the data are most probable, the first of equals.

    h_ML = argmax_h P(D | h)   (9.6)

    ``likelihood`` as in `posterior`. It is the MAP hypothesis under a uniform prior.

    >>> ml_hypothesis([0, 0.25, 0.5, 0.75, 1])
    4
    """
    return _first_largest(_log_likelihood(likelihood, None, log))


def predictive(posterior, probabilities):
    """Return the average of what the hypotheses predict, weighed by belief in them.

    P(v | x, D) = sum_h P(v | x, h) P(h | D)   (9.4)

    Parameters: ``posterior`` (H,); ``probabilities`` (H,), the chance of one event under each hypothesis, or (H, K), a
    row of chances over K values. Returns a number or (K,).

    >>> round(predictive([0, 0.1, 0.4, 0.3, 0.2], [0, 0.25, 0.5, 0.75, 1]), 4)
    0.65
    """
    belief = _belief(posterior)
    P = as_array(probabilities, "probabilities")
    if P.ndim not in (1, 2) or len(P) != len(belief):
        raise ValueError(
            f"probabilities must have one row per hypothesis, ({len(belief)},) or ({len(belief)}, K); got {P.shape}."
        )
    if P.ndim == 2:
        check_probabilities(P, "each row of probabilities")
        return belief @ P
    if P.min() < 0 or P.max() > 1:
        raise ValueError(f"probabilities must lie between 0 and 1; got {P.min() if P.min() < 0 else P.max():g}.")
    return float(min(belief @ P, 1.0))


def vote_weights(posterior, votes):
    """Return a dict from each class to the posterior weight of the hypotheses that vote for it (9.7).

    Parameters: ``posterior`` (H,); ``votes`` (H,), the class that each hypothesis gives to the same input.

    >>> {v: round(w, 2) for v, w in vote_weights([0.4, 0.3, 0.3], ["+", "-", "-"]).items()}
    {'+': 0.4, '-': 0.6}
    """
    belief = _belief(posterior)
    classes, index = as_labels(votes, "votes", length=len(belief), like="posterior", min_classes=1)
    return dict(zip(classes.tolist(), np.bincount(index, weights=belief).tolist()))


def bayes_optimal(posterior, votes):
    """Return the class with the largest posterior probability, all hypotheses taken together.

    v* = argmax_v sum_h P(v | x, h) P(h | D)   (9.7)

    Parameters: ``posterior`` (H,); ``votes`` (H,), the class that each hypothesis gives to the same input, or (H, K),
    its probabilities over classes 0 to K-1. Of classes with equal weight the first in sorted order wins.

    >>> bayes_optimal([0.4, 0.3, 0.3], ["+", "-", "-"])
    '-'
    >>> bayes_optimal([0.4, 0.3, 0.3], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    0
    """
    if np.ndim(votes) == 2:
        return _first_largest(np.log(np.maximum(predictive(posterior, votes), np.finfo(float).tiny)))
    weights = vote_weights(posterior, votes)
    return list(weights)[_first_largest(np.log(np.maximum(list(weights.values()), np.finfo(float).tiny)))]


def gibbs_classifier(posterior, votes, *, n=1, rng=0):
    """Return ``n`` answers, each the vote of one hypothesis drawn from the posterior, (n,) (section 9.3.4).

    Parameters: ``posterior`` (H,); ``votes`` (H,), the class that each hypothesis gives to the same input.

    >>> sorted(set(gibbs_classifier([0.4, 0.3, 0.3], ["+", "-", "-"], n=50).tolist()))
    ['+', '-']
    """
    belief, n = _belief(posterior), check_integer(n, "n", low=1)
    classes, index = as_labels(votes, "votes", length=len(belief), like="posterior", min_classes=1)
    return classes[index[as_rng(rng).choice(len(belief), size=n, p=belief)]]


def _log_joint(prior, likelihood, log):
    """Return ln P(D | h) + ln P(h), (H,), -inf where it is impossible."""
    prior = as_vector(check_probabilities(prior, "prior"), "prior")
    with np.errstate(divide="ignore"):
        scores = np.log(prior) + _log_likelihood(likelihood, len(prior), log)
    if scores.max() == -np.inf:
        raise ValueError(
            "every hypothesis with a positive prior gives these data probability 0, so there is no posterior. Give "
            "a hypothesis that can explain them a prior above 0, or look at the data."
        )
    return scores


def _log_likelihood(likelihood, n_hypotheses, log):
    """Return ln P(D | h), (H,)."""
    if log:
        L = _logarithms(likelihood)
    else:
        L = as_array(likelihood, "likelihood")
        if L.min() < 0:
            raise ValueError(f"likelihood must not be negative; its smallest entry is {L.min():g}. For ln P: log=True.")
        with np.errstate(divide="ignore"):
            L = np.log(L)
    if L.ndim not in (1, 2) or (n_hypotheses is not None and L.shape[-1] != n_hypotheses):
        H = "H" if n_hypotheses is None else n_hypotheses
        raise ValueError(f"likelihood must have shape ({H},), or (n, {H}) with a row per observation; got {L.shape}.")
    return L.sum(axis=0) if L.ndim == 2 else L


def _logarithms(likelihood):
    """Return ln P as floats; -inf is ln 0, all else must be finite."""
    try:
        L = np.array(likelihood, dtype=float)
    except (TypeError, ValueError):
        L = as_array(likelihood, "likelihood")  # says what is wrong with it
    as_array(np.where(L == -np.inf, 0.0, L), "likelihood")
    return L


def _belief(posterior):
    p = as_vector(check_probabilities(posterior, "posterior"), "posterior")
    return p / p.sum()


def _first_largest(scores):
    """Return the index of the largest entry, the first of those that differ by rounding only."""
    top = scores.max()
    if top == -np.inf:
        raise ValueError("the data have probability 0 under every hypothesis: none of them is the most likely.")
    return int(np.argmax(scores >= top - 1e-12 * max(1.0, abs(top))))
