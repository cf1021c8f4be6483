"""The same passes for long sequences: many stretches side by side, borders passed on until nothing changes.

A loop over 10,000 times costs 10,000 small numpy calls. Here the sequence is cut into stretches that run at the same
time, each from a guess. Then every stretch starts anew from the end of the one before it, and stops as soon as it
meets what it had computed already. After k rounds the first k stretches are exact, so it ends; where the model forgets
its past, as most do, the second round is short and the last. Beliefs are compared entry by entry, relative to the
entry: the passes are non-expansive in that (Hilbert's) measure, so what agrees to 1e-13 spoils nothing after it.
"""

import numpy as np

LONG = 100  # times from which on stretches are faster than the plain loop
SAME = 1e-13  # of beliefs, relative; logarithms in Viterbi's pass may differ by NEAR
NEAR = 1e-9
LOOK = 6  # compare at every so many times


def scaled_forward(start, A, b):
    """Return what `forward.scaled_forward` returns."""
    weighed = _predictions(start, A, b) * b
    c = weighed.sum(axis=1)
    return weighed / np.where(c > 0, c, 1)[:, None], c


def scaled_backward(A, b):
    """Return what `backward.scaled_backward` returns: the same pass with time and matrix turned round."""
    S = len(A)
    return _predictions(np.full(S, 1 / S), A.T, b[::-1])[::-1]


def viterbi(log_start, log_A, log_b):
    """Return what `viterbi.viterbi` returns."""
    T, S = log_b.shape
    b, cut, n = _side_by_side(log_b, 0.0)
    ways_in = log_A[:, :, None]

    def advance(best, t, stretches):
        return ((best + b[t][:, stretches])[:, None] + ways_in).max(axis=0)

    first = np.zeros((S, n))
    first[:, 0] = log_start
    delta = _pass_borders(advance, first, _near, cut)
    delta += b  # each time's up to a constant
    path = _back(delta, log_A, T)
    value = log_start[path[0]] + log_A[path[:-1], path[1:]].sum()
    return path, float(value + log_b.ravel().take(np.arange(0, T * S, S) + path).sum())


def _predictions(start, A, b):
    """Return P(x_t | z before t) (T, S), up to rounding as the plain loop has it."""
    T, S = b.shape
    b, cut, n = _side_by_side(b, 1.0)
    turned = np.ascontiguousarray(A.T)

    def advance(predicted, t, stretches):
        weighed = turned @ (predicted * b[t][:, stretches])
        total = weighed.sum(axis=0)
        total[total == 0] = 1
        return weighed / total

    first = np.full((S, n), 1 / S)
    first[:, 0] = start
    return _in_a_row(_pass_borders(advance, first, _alike, cut))[:T]


def _pass_borders(advance, first, alike, cut):
    """Return the states (cut, S, n) of n stretches, the first of which starts from ``first[:, 0]``, the others guess.

    ``advance(state, t, stretches)`` makes one step of those stretches.
    """
    n, kept = first.shape[1], np.empty((cut, *first.shape), dtype=first.dtype)
    state = first
    for t in range(cut):  # all of them, from their guesses
        kept[t] = state
        state = advance(state, t, slice(None))
    todo, state = np.arange(1, n), state[:, :-1]
    while len(todo):  # each from the end of the one before it, as long as that changes anything
        for t in range(cut):
            if t % LOOK == 0:
                changed = ~alike(kept[t][:, todo], state)
                todo, state = todo[changed], state[:, changed]
                if not len(todo):
                    break
            kept[t][:, todo] = state
            state = advance(state, t, todo)
        state, todo = state[:, todo < n - 1], todo[todo < n - 1] + 1
    return kept


def _side_by_side(b, filler):
    """Return b (T, S) as (cut, S, n), stretch beside stretch, with the length and the number of stretches."""
    T, S = b.shape
    cut = max(int(np.sqrt(T / 16)), 2)
    n = -(-T // cut)
    beside, full = np.full((cut, S, n), filler), (n - 1) * cut
    beside[:, :, :-1] = b[:full].reshape(n - 1, cut, S).transpose(1, 2, 0)
    beside[: T - full, :, -1] = b[full:]
    return beside, cut, n


def _in_a_row(stretches):
    """Return (cut, S, n) as (n * cut, S), in the order of time."""
    return stretches.transpose(2, 0, 1).reshape(-1, stretches.shape[1])


def _back(delta, log_A, T):
    """Return the path (T,) from delta (cut, S, n), by the same passing on, with time turned round."""
    cut, _, n = delta.shape
    last = T - 1 - (n - 1) * cut  # where in the last stretch the record ends
    came_from = _winners(delta, log_A)
    came_from[last:, :, -1] = delta[last, :, -1].argmax()  # nothing comes after it
    came_from *= n  # state i of stretch k stands at i * n + k
    flat, column = came_from.reshape(cut, -1)[::-1], np.arange(n)[::-1]

    def advance(state, r, stretches):
        return flat[r].take(state + column[stretches])

    guess = n * delta[-1, :, ::-1].argmax(axis=0)[None]
    path = _in_a_row(_pass_borders(advance, guess, _equal, cut)).ravel()[::-1]  # from the second time on
    return np.append(flat[-1, path[0]], path[: T - 1]) // n


def _winners(delta, log_A):
    """Return for each time and next state j the first i with the largest delta_i + ln A_ij (cut, S, n)."""
    winner = np.zeros(delta.shape, dtype=np.int32)
    for t in range(0, len(delta), LOOK):  # a few times at once: large enough for numpy, small enough for the cache
        some, won = delta[t : t + LOOK], winner[t : t + LOOK]
        best = some[:, :1] + log_A[0, :, None]
        for i in range(1, len(log_A)):
            ways = some[:, i : i + 1] + log_A[i, :, None]
            np.copyto(won, i, where=ways > best)
            np.maximum(best, ways, out=best)
    return winner


def _equal(old, new):
    """Say which columns are the same."""
    return (old == new).all(axis=0)


def _alike(old, new):
    """Say which columns agree in every entry, relative to the entry."""
    return (np.abs(old - new) <= SAME * new).all(axis=0)


def _near(old, new):
    """Say which columns of logarithms agree up to one constant, minus infinity with itself."""
    with np.errstate(invalid="ignore"):
        gap = old - new  # nan where both are minus infinity, which fmax and fmin pass over
        return np.fmax.reduce(gap) - np.fmin.reduce(gap) <= NEAR
