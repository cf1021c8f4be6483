"""Entropy, KL divergence and mutual information of finite distributions, in bits unless ``base`` says otherwise.

Derived in section 3.12 of the chapter.
"""

import numpy as np

from mlteach.probability.logs import deviance
from mlteach.probability.table import JointTable
from mlteach.validation import check_number, check_probabilities


def entropy(p, *, base=2):
    """Return the entropy of a distribution: the expected surprise.

    H(p) = - sum_i p_i log p_i,  with 0 log 0 = 0   (3.43)

    ``p`` is an array of any shape that sums to one in all, or a `JointTable`. ``base=2`` gives bits, ``base=math.e``
    nats. The least value is 0 (certainty), the largest log n (all n outcomes equally likely).

    >>> round(entropy([9 / 14, 5 / 14]), 6)
    0.940286
    """
    p, unit = _distribution(p, "p"), _unit(base)
    p = p[p > 0]
    return max(0.0, float(-(p * np.log(p)).sum() / unit))


def kl_divergence(p, q, *, base=2):
    """Return the Kullback-Leibler divergence of q from p: the extra code length when q is taken for p.

    KL(p || q) = sum_i p_i log(p_i / q_i) >= 0,  zero only for p = q, infinite if q_i = 0 < p_i   (3.45)

    ``p`` and ``q`` have one shape and sum to one in all; two `JointTable` must have the same names and states. It is
    not symmetric, so not a distance. ``base`` as in `entropy`.

    >>> round(kl_divergence([0.5, 0.5], [0.9, 0.1]), 6)
    0.736966
    """
    (p, q), unit = _pair(p, q), _unit(base)
    # sum (q_i - p_i) = 0 may be added: each term of the sum is then >= 0, and nothing cancels when p is close to q
    return float(deviance(p / p.sum(), q / q.sum()).sum() / unit)


def mutual_information(joint, *, base=2):
    """Return the mutual information of two variables: what knowing one tells about the other.

    I(X; Y) = KL( p(x, y) || p(x) p(y) ) = H(X) + H(Y) - H(X, Y),  zero only for independent X and Y   (3.47)

    ``joint`` is the table p(x, y), shape (r, c), or a `JointTable` of two variables. ``base`` as in `entropy`.

    >>> round(mutual_information([[0.4, 0.1], [0.1, 0.4]]), 6)
    0.278072
    """
    if isinstance(joint, JointTable) and len(joint.names) != 2:
        raise ValueError(f"joint must have two variables; it has {len(joint.names)}. Use joint.marginal(a, b).")
    joint = _distribution(joint, "joint")
    if joint.ndim != 2:
        raise ValueError(f"joint must be a table of shape (r, c); got shape {joint.shape}.")
    joint, unit = joint / joint.sum(), _unit(base)
    p_x, p_y = joint.sum(axis=1, keepdims=True), joint.sum(axis=0)
    seen = p_y > 0
    joint, p_y = joint[:, seen], p_y[seen]
    # sum_y p(y) KL( p(x | y) || p(x) ): the same number, and no product p(x) p(y) that could underflow
    return float((p_y * deviance(joint / p_y, p_x)).sum() / unit)


def total_variation(p, q):
    """Return the total-variation distance, the largest difference in the probability of any event.

    TV(p, q) = max_A |p(A) - q(A)| = 1/2 sum_i |p_i - q_i|,  between 0 and 1

    ``p`` and ``q`` have one shape and sum to one in all; two `JointTable` must have the same names and states.

    >>> total_variation([0.5, 0.5], [0.75, 0.25])
    0.25
    """
    p, q = _pair(p, q)
    return float(0.5 * np.abs(p - q).sum())


def _distribution(p, name):
    return p.p if isinstance(p, JointTable) else check_probabilities(p, name, axis=None)


def _pair(p, q):
    """Return two distributions over the same outcomes, in the same order."""
    if isinstance(p, JointTable) and isinstance(q, JointTable):
        if p.names != q.names:
            raise ValueError(f"p and q must have the same variables in one order; got {p.names} and {q.names}.")
        for name in p.names:
            if p.states[name] != q.states[name]:
                raise ValueError(
                    f"p and q must list the same states of {name} in one order; "
                    f"got {p.states[name]} and {q.states[name]}."
                )
    p, q = _distribution(p, "p"), _distribution(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"p and q must have the same shape; p has {p.shape}, q has {q.shape}.")
    return p, q


def _unit(base):
    return np.log(check_number(base, "base", low=1, open_low=True))
