"""Fitted Q iteration with a network in the place of linear features (section 30.6.1)."""

import numpy as np

from mlteach.deep_learning import Dense, Sequential, train
from mlteach.optimization import Adam
from mlteach.policy_search.fitted import read_batch
from mlteach.validation import as_matrix, as_rng, check_integer, check_number


class NeuralQ:
    """A network from a scaled state and an action to one number, trained on Bellman targets that stand still meanwhile.

    Parameters
    ----------
    center, scale : (d,) the state is read as (s - center) / scale
    n_actions, hidden : number of actions, width of the two hidden layers
    """

    def __init__(self, center, scale, n_actions, hidden=24, rng=0):
        rng = as_rng(rng)
        self.center, self.scale = np.asarray(center, float), np.asarray(scale, float)
        self.n_actions, hidden = check_integer(n_actions, "n_actions", low=1), check_integer(hidden, "hidden", low=1)
        sizes = (len(self.center) + self.n_actions, hidden, hidden)
        self.net = Sequential(
            *(Dense(a, b, "tanh", rng=rng) for a, b in zip(sizes, sizes[1:])), Dense(hidden, 1, rng=rng)
        )

    def inputs(self, states, actions):
        """Return the scaled states beside the actions, one column an action."""
        states = as_matrix(states, "states", n_features=len(self.center))
        return np.hstack([(states - self.center) / self.scale, np.eye(self.n_actions)[actions]])

    def values(self, states):
        """Return Q (n, A) of many states (n, d)."""
        n = len(states)
        return np.column_stack(
            [self.net(self.inputs(states, np.full(n, a))).data.ravel() for a in range(self.n_actions)]
        )

    def greedy(self, states):
        """Return the best action (n,) of many states."""
        return self.values(states).argmax(axis=1)


def neural_q_iteration(batch, q, gamma, n_iter=20, *, epochs=10, learning_rate=0.01, unit=1.0, rng=0):
    """Train a `NeuralQ` on a batch of steps: targets from the net as it is, some epochs towards them, again.

        y_i = r_i + gamma max_a' Q(s'_i, a'), or r_i at an end;   lower  mean (y_i - Q(s_i, a_i))^2  by Adam

    Rewards are divided by ``unit``, so that Q stays near 1 inside the net. No theorem says that it converges.
    """
    batch = read_batch(batch, q.n_actions)
    gamma, unit = check_number(gamma, "gamma", low=0, high=1), check_number(unit, "unit", low=0, open_low=True)
    X, rng = q.inputs(batch.states, batch.actions), as_rng(rng)
    for _ in range(check_integer(n_iter, "n_iter", low=1)):
        # 1. Targets: they do not move while the net learns
        y = batch.rewards / unit + gamma * ~batch.terminated * q.values(batch.following).max(axis=1)
        # 2. Some epochs towards them
        train(q.net, X, y[:, None], Adam(learning_rate), epochs, batch_size=128, rng=rng)
    return q
