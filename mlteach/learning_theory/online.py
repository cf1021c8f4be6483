"""Learning with no law behind the examples: the halving algorithm and its mistake bound (section 25.11)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array


class Halving(NamedTuple):
    """A run of the halving algorithm over T rounds."""

    predicted: np.ndarray  # (T,) the majority's answers
    mistakes: int
    survivors: np.ndarray  # (T + 1,) hypotheses without an error so far; the first entry is |H|


def halving(predictions, labels):
    """Predict with the majority of the hypotheses that were never wrong; return predictions, mistakes, survivors.

    predictions   (|H|, T): what each hypothesis says in each round, 0 or 1
    labels        (T,): what turns out to be true; some hypothesis must be right in all rounds
    A mistake is one of at least half of the survivors, so there are at most log2|H| mistakes (25.21).

    >>> halving([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1]).mistakes
    1
    """
    H, y = _bits(predictions, "predictions", 2), _bits(labels, "labels", 1)
    if H.shape[1] != len(y):
        raise ValueError(f"predictions must have one column per label; got {H.shape[1]} columns and {len(y)} labels.")
    alive, predicted, survivors = np.ones(len(H), dtype=bool), [], [len(H)]
    for t in range(len(y)):
        # 1. The majority votes; a tie counts as 1
        predicted.append(int(2 * H[alive, t].sum() >= alive.sum()))
        # 2. The truth is told; whoever was wrong leaves
        alive &= H[:, t] == y[t]
        survivors.append(int(alive.sum()))
        if not alive.any():
            raise ValueError(f"after round {t} no hypothesis is left: halving needs one that is always right.")
    predicted = np.array(predicted)
    return Halving(predicted, int((predicted != y).sum()), np.array(survivors))


def _bits(values, name, ndim):
    array = as_array(values, name, ndim=ndim)
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"{name} must hold 0 and 1 only; got {array[~np.isin(array, (0, 1))][0]:g}.")
    return array.astype(int)
