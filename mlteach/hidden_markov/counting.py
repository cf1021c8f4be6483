"""Learning where the states were seen: count, and divide (section 31.8)."""

import numpy as np


def count(states, sequences, law, alpha):
    """Return start, transition and emission from labelled sequences; ``alpha`` is added to every count (31.12)."""
    S = law.n_states
    first, moves = np.full(S, alpha), np.full((S, S), alpha)
    for x in states:
        first[x[0]] += 1
        np.add.at(moves, (x[:-1], x[1:]), 1)  # inside one sequence only: borders are no moves
    x, z = np.concatenate(states), np.concatenate(sequences)
    _refuse_rows(np.bincount(x, minlength=S) + alpha, "state {} is never seen, so nothing about it can be counted")
    _refuse_rows(
        moves.sum(axis=1),
        "state {} stands only at the end of a sequence, so no step from it (nor one that stays) can be counted",
    )
    weights = np.eye(S)[x]
    if hasattr(law, "table") and alpha:  # each symbol once more in each state, with weight alpha
        M = law.n_symbols
        z, weights = np.append(z, np.tile(np.arange(M), S)), np.vstack([weights, alpha * np.repeat(np.eye(S), M, 0)])
    return first / first.sum(), moves / moves.sum(axis=1, keepdims=True), law.estimate(z, weights)


def _refuse_rows(totals, why):
    if (totals == 0).any():
        state = int(np.argmax(totals == 0))
        raise ValueError(
            f"{why.format(state)}. Add pseudo-counts, as in fit_supervised(states, observations, alpha=1), or give "
            "sequences that go through it."
        )
