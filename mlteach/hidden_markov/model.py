"""The hidden Markov model: a chain that nobody sees, and what each of its states lets us see (section 31.3).

P(x, z) = start(x_1) b(z_1 | x_1) prod_t A(x_{t-1}, x_t) b(z_t | x_t)                                      (31.3)
"""

import numpy as np

from mlteach.hidden_markov.backward import fixed_lag, posteriors
from mlteach.hidden_markov.baum_welch import climb
from mlteach.hidden_markov.chain import as_transition, draw, walk
from mlteach.hidden_markov.counting import count
from mlteach.hidden_markov.emissions import TableEmission, as_emission
from mlteach.hidden_markov.forward import run_forward
from mlteach.hidden_markov.viterbi import run_viterbi
from mlteach.validation import as_rng, check_integer, check_number, check_probabilities


class HMM:
    """A hidden Markov model with S states.

    start       (S,) law of the first state, to which the first observation belongs
    transition  (S, S) A[i, j] = P(next is j | now in i)
    emission    a table (S, symbols), then observations are whole numbers; or a `GaussianEmission`, `PoissonEmission`
    max_iter, tol   of `fit`: it stops when a step raises the log-likelihood by less than ``tol``

    Attributes: ``start_``, ``transition_``, ``emission_`` are what all questions are answered with: as given, and
    after `fit` or `fit_supervised` as learned. A missing observation is None or nan.

    >>> umbrella = HMM([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]])
    >>> umbrella.filter([0, 0])[:, 0].round(4).tolist()
    [0.8182, 0.8834]
    """

    def __init__(self, start, transition, emission, *, max_iter=200, tol=1e-6):
        self.start, self.transition, self.emission = start, transition, emission
        self.max_iter, self.tol = max_iter, tol
        self._take(check_probabilities(start, "start"), as_transition(transition), as_emission(emission))
        S = len(self.transition_)
        if self.start_.shape != (S,):
            raise ValueError(f"start must have one entry per state: {S} states, but its shape is {self.start_.shape}.")
        if self.law.n_states != S:
            raise ValueError(f"emission must have one row per state: {S} states, but it has {self.law.n_states}.")
        self.n_states = S

    def filter(self, observations):
        """Return the beliefs P(x_t | z_1 ... z_t) (T, S): the present, from what has been seen so far (31.4)."""
        return self._forward(observations).belief

    def predict(self, observations, steps=1):
        """Return P(x_{T+n} | z_1 ... z_T) for n = 1 to ``steps`` (steps, S): the future (31.6)."""
        law = [self.filter(observations)[-1]]
        for _ in range(check_integer(steps, "steps", low=1)):
            law.append(law[-1] @ self.transition_)
        return np.array(law[1:])

    def smooth(self, observations):
        """Return P(x_t | z_1 ... z_T) (T, S): the past, from all that has been seen (31.8)."""
        return posteriors(self.start_, self.transition_, self._log_b(observations))[1]

    def fixed_lag(self, observations, lag):
        """Return P(x_t | z_1 ... z_{t+lag}) (T, S): lag 0 is the filter, a lag of T the smoother."""
        lag = check_integer(lag, "lag", low=0)
        return fixed_lag(self.start_, self.transition_, self._log_b(observations), lag)

    def pairs(self, observations):
        """Return P(x_t = i, x_{t+1} = j | z_1 ... z_T) (T - 1, S, S) (31.13)."""
        return posteriors(self.start_, self.transition_, self._log_b(observations), moves=True)[2]

    def viterbi(self, observations):
        """Return the most likely path (T,) as a whole (31.11): not the path of the most likely states."""
        return run_viterbi(self.start_, self.transition_, self._log_b(observations))[0]

    def pointwise(self, observations):
        """Return for each time the most likely state (T,); as a path it may be impossible."""
        return self.smooth(observations).argmax(axis=1)

    def log_joint(self, states, observations):
        """Return ln P(states, observations) (31.3), minus infinity where the path is impossible."""
        log_b = self._log_b(observations)
        x = self._read_states(states, len(log_b))
        with np.errstate(divide="ignore"):
            log_start, log_A = np.log(self.start_), np.log(self.transition_)
        return float(log_start[x[0]] + log_A[x[:-1], x[1:]].sum() + log_b[np.arange(len(x)), x].sum())

    def log_likelihood(self, observations):
        """Return ln P(z_1 ... z_T), the sum over all paths; of several sequences the sum over them (31.9)."""
        return float(sum(self._forward(z).log_c.sum() for z in self.sequences(observations)))

    def sample(self, n, rng=0):
        """Return ``(states, observations)`` of n steps."""
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        states = walk(draw(self.start_.cumsum(), rng.random()), self.transition_, rng.random(n - 1))
        return states, self.law.sample(states, rng)

    def fit(self, observations):
        """Learn from one sequence or a list of them, states unseen, by Baum-Welch (31.14); return self.

        The climb starts from the parameters given to the constructor. ``history_[i]`` has ``log_likelihood`` and the
        parameters after i steps; ``converged_`` says whether ``tol`` was met before ``max_iter``.
        """
        first = HMM(self.start, self.transition, self.emission)
        max_iter = check_integer(self.max_iter, "max_iter", low=1)
        history, converged = climb(first, first.sequences(observations), max_iter, check_number(self.tol, "tol", low=0))
        self.history_, self.converged_, self.n_iter_ = history, converged, len(history) - 1
        self._take(history[-1].start, history[-1].transition, as_emission(history[-1].emission))
        return self

    def fit_supervised(self, states, observations, alpha=0.0):
        """Learn from sequences whose states were seen, by counting (31.12); ``alpha`` is added to every count."""
        alpha = check_number(alpha, "alpha", low=0)
        z = self.sequences(observations)
        if not hasattr(states, "__len__") or not len(states):
            raise ValueError(f"states must be a sequence of states, or a list of such sequences; got {states!r}.")
        states = [states] if len(z) == 1 and np.ndim(states[0]) == 0 else list(states)
        if len(states) != len(z):
            raise ValueError(f"states and observations must be as many sequences: {len(states)} and {len(z)}.")
        x = [self._read_states(one, len(seen)) for one, seen in zip(states, z)]
        self._take(*count(x, z, self.law, alpha))
        return self

    def reordered(self, order):
        """Return the same model with its states in another order: state i of the new is ``order[i]`` of the old."""
        order = np.atleast_1d(order)
        if sorted(order.tolist()) != list(range(self.n_states)):
            raise ValueError(f"order must hold each of the states 0 to {self.n_states - 1} once; got {order.tolist()}.")
        law = self.law.reordered(order)
        emission = law.table if isinstance(law, TableEmission) else law
        return HMM(self.start_[order], self.transition_[np.ix_(order, order)], emission)

    @property
    def law(self):
        """The emission as an object, also where a table was given."""
        return as_emission(self.emission_)

    def sequences(self, observations):
        """Return a list of sequences, each read and checked, from one sequence or a list of them."""
        several = isinstance(observations, list | tuple) and len(observations) and np.ndim(observations[0]) == 1
        return [self.law.read(z) for z in (observations if several else [observations])]

    def _take(self, start, transition, law):
        """Answer with these parameters from now on; a table is kept as a table."""
        self.start_, self.transition_ = start, transition
        self.emission_ = law.table if isinstance(law, TableEmission) else law

    def _log_b(self, observations):
        law = self.law
        return law.log_likelihood(law.read(observations))

    def _forward(self, observations):
        return run_forward(self.start_, self.transition_, self._log_b(observations))

    def _read_states(self, states, T):
        x = np.asarray(states)
        if x.shape != (T,) or x.dtype.kind not in "iu":
            raise ValueError(
                f"states must be {T} whole numbers, one per observation; got {x.dtype} of shape {x.shape}."
            )
        if x.min() < 0 or x.max() >= self.n_states:
            bad = x[(x < 0) | (x >= self.n_states)][0]
            raise ValueError(f"states must be 0 to {self.n_states - 1}, the rows of transition; got {bad}.")
        return x
