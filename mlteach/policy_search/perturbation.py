"""Search by perturbation: try small changes, step where they helped (section 30.12)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_rng, as_vector, check_choice, check_integer, check_number


class Round(NamedTuple):
    """One round of a search."""

    theta: np.ndarray  # (d,) after it
    tried: np.ndarray  # (n, d) the weights that were tried in it
    results: np.ndarray  # (n,) what each of them gave


class Searched(NamedTuple):
    """What `perturbation_search` found."""

    theta: np.ndarray  # (d,)
    history: list  # of `Round`; the first has the start and no tries


def combined_step(signs, results, eta):
    """Return the step (d,) of length ``eta`` that the tries suggest, axis by axis; zero if they suggest none.

        A_j = 0 if Avg_0 > Avg_+ and Avg_0 > Avg_-, else Avg_+ - Avg_-;   step = eta A / |A|          (30.20)

    Avg_-, Avg_0, Avg_+ are the mean results of the tries whose entry j was moved down, left, or moved up (``signs``
    (n, d) of -1, 0, 1). Where one of Avg_- and Avg_+ has no tries, the axis suggests nothing.
    """
    signs, results = np.asarray(signs), np.asarray(results, float)
    A = np.zeros(signs.shape[1])
    for j, column in enumerate(signs.T):
        low, same, high = (results[column == k].mean() if (column == k).any() else None for k in (-1, 0, 1))
        if low is None or high is None or (same is not None and same > low and same > high):
            continue
        A[j] = high - low
    size = np.linalg.norm(A)
    return A if size == 0 else eta * A / size


def perturbation_search(F, theta, *, epsilon=0.1, eta=0.2, n=30, rounds=60, rng=0, how="combined", enough=None):
    """Climb ``F(theta)`` with its values alone.

    1. Make n copies of theta, each entry moved by -epsilon, 0 or +epsilon at random.
    2. Measure F of each copy.
    3. "best": go to the best copy. "combined": take the step (30.20) of length eta.

    ``enough()`` may stop it after a round. Robots learned to walk this way (Kohl and Stone 2004).

    ``rounds`` is how often, ``how`` one of these two words.

    >>> found = perturbation_search(lambda t: -(t[0] - 1) ** 2 - (t[1] + 2) ** 2, [0, 0])
    >>> found.theta.round(4).tolist()
    [0.9543, -2.0218]
    """
    theta, rng = as_vector(theta, "theta"), as_rng(rng)
    epsilon = check_number(epsilon, "epsilon", low=0, open_low=True)
    eta, n = check_number(eta, "eta", low=0, open_low=True), check_integer(n, "n", low=1)
    rounds, how = check_integer(rounds, "rounds", low=0), check_choice(how, "how", ("combined", "best"))
    history = [Round(theta, np.empty((0, len(theta))), np.empty(0))]
    for _ in range(rounds):
        signs = rng.choice([-1, 0, 1], size=(n, len(theta)))
        tried = theta + epsilon * signs
        results = np.array([F(copy) for copy in tried], float)
        theta = tried[results.argmax()] if how == "best" else theta + combined_step(signs, results, eta)
        history.append(Round(theta, tried, results))
        if enough is not None and enough():
            break
    return Searched(theta, history)
