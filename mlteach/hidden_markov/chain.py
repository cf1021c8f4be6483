"""A Markov chain: the next state hangs on the present one alone (section 31.2).

p_{t+1} = p_t A, with A[i, j] = P(next is j | now in i). A law with pi = pi A is stationary.
"""

from math import gcd

import numpy as np

from mlteach.validation import as_rng, check_integer, check_number, check_probabilities


class MarkovChain:
    """A chain of S states with the transition matrix A (S, S): rows sum to one.

    >>> MarkovChain([[0.9, 0.1], [0.5, 0.5]]).stationary().round(4).tolist()
    [0.8333, 0.1667]
    """

    def __init__(self, transition):
        self.transition = as_transition(transition)
        self.n_states = len(self.transition)

    def after(self, start, steps):
        """Return the laws (steps + 1, S) of the state, p_{t+1} = p_t A (31.1), from the law ``start`` (S,)."""
        laws = [self._read_law(start)]
        for _ in range(check_integer(steps, "steps", low=0)):
            laws.append(laws[-1] @ self.transition)
        return np.array(laws)

    def stationary(self):
        """Return the law (S,) with pi = pi A (31.2); where there are several, say which classes hold them."""
        closed = self.closed()
        if len(closed) > 1:
            raise ValueError(
                f"the chain has {len(closed)} closed classes, {' and '.join(map(str, closed))}, so its stationary law "
                "is not unique: where it ends hangs on where it starts."
            )
        # pi (A - I) = 0 and sum(pi) = 1: one equation too many, and they agree
        S = self.n_states
        equations = np.vstack([self.transition.T - np.eye(S), np.ones(S)])
        pi = np.linalg.lstsq(equations, np.append(np.zeros(S), 1.0), rcond=None)[0]
        transient = np.setdiff1d(np.arange(S), closed[0])
        pi[transient] = 0.0
        return np.maximum(pi, 0) / np.maximum(pi, 0).sum()

    def classes(self):
        """Return the communicating classes: lists of states that lead to each other."""
        reach, left, found = self._reach(), list(range(self.n_states)), []
        while left:
            together = [j for j in left if j == left[0] or (reach[left[0], j] and reach[j, left[0]])]
            found.append(together)
            left = [j for j in left if j not in together]
        return found

    def closed(self):
        """Return the classes that are never left once entered."""
        inside = [(c, self.transition[np.ix_(c, c)].sum(axis=1)) for c in self.classes()]
        return [c for c, stay in inside if np.allclose(stay, 1, atol=1e-12)]

    def period(self, state=0):
        """Return the greatest common divisor of the lengths of all ways from ``state`` back to itself.

        >>> MarkovChain([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).period()
        3
        """
        start = check_integer(state, "state", low=0, high=self.n_states - 1, why=f"{self.n_states} states")
        group = next(c for c in self.classes() if start in c)
        depth, queue, found = {start: 0}, [start], 0
        for i in queue:  # breadth first: each link inside the class closes a loop of known length
            for j in (j for j in group if self.transition[i, j] > 0):
                if j not in depth:
                    depth[j] = depth[i] + 1
                    queue.append(j)
                found = gcd(found, depth[i] + 1 - depth[j])
        if found == 0:
            raise ValueError(f"state {start} is never entered again once it is left, so it has no period.")
        return found

    def mixing_time(self, distance=0.25, *, longest=10_000):
        """Return the least n at which every start is within ``distance`` (total variation) of the stationary law."""
        distance = check_number(distance, "distance", low=0, high=1, open_low=True)
        pi, power = self.stationary(), np.eye(self.n_states)
        for n in range(longest + 1):
            if 0.5 * np.abs(power - pi).sum(axis=1).max() <= distance:
                return n
            power = power @ self.transition
        raise ValueError(f"the chain is not within {distance:g} of its stationary law after {longest} steps.")

    def sample(self, n, rng=0, *, start=0):
        """Return n states (n,), the first of them ``start``: a state, or a law (S,) to draw it from."""
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        if np.ndim(start):
            first = draw(self._read_law(start).cumsum(), rng.random())
        else:
            first = check_integer(start, "start", low=0, high=self.n_states - 1, why=f"{self.n_states} states")
        return walk(first, self.transition, rng.random(n - 1))

    def _read_law(self, start):
        p = check_probabilities(start, "start")
        if p.shape != (self.n_states,):
            raise ValueError(f"start must have one entry per state, shape ({self.n_states},); got {p.shape}.")
        return p

    def _reach(self):
        """Return which state can be reached from which, in one step or more: (S, S) truth values."""
        reach = self.transition > 0
        for k in range(self.n_states):
            reach = reach | (reach[:, [k]] & reach[[k], :])
        return reach


def walk(first, transition, numbers):
    """Return the states of a chain from ``first``, one uniform number a step."""
    steps, states = np.cumsum(transition, axis=1), [int(first)]
    for u in numbers:
        states.append(draw(steps[states[-1]], u))
    return np.array(states)


def draw(cumulative, u):
    """Return the index at which the running sum of probabilities passes u; no state of probability zero."""
    return int(np.searchsorted(cumulative, u * cumulative[-1], side="right"))


def as_transition(transition, name="transition"):
    """Return a square matrix whose rows are probabilities."""
    A = check_probabilities(transition, name)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"{name} must have shape (S, S), one row per state; got {A.shape}.")
    return A
