"""A fixed batch of experience: what TD and Monte Carlo make of the same episodes (section 29.5)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import check_integer, check_number, is_hashable


class Counted(NamedTuple):
    """The Markov process that explains a batch best: relative frequencies and mean rewards."""

    states: list
    P: np.ndarray  # (S, S), rows sum to less than one where episodes ended
    r: np.ndarray  # (S,)


def count_transitions(episodes):
    """Return the maximum-likelihood model of a batch: how often which state followed, and what was paid.

    ``episodes`` is a list of episodes, each a list of pairs (state, reward on leaving it); after the last pair the
    episode is over.

    >>> count_transitions([[("A", 0), ("B", 0)], [("B", 1)]]).P.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    episodes = _read(episodes)
    states = list(dict.fromkeys(s for episode in episodes for s, _ in episode))
    place = {s: i for i, s in enumerate(states)}
    N, paid = np.zeros((len(states), len(states) + 1)), np.zeros(len(states))
    for episode in episodes:
        for (s, r), after in zip(episode, [*episode[1:], None]):
            N[place[s], place[after[0]] if after else -1] += 1
            paid[place[s]] += r
    visits = N.sum(axis=1)
    return Counted(states, N[:, :-1] / visits[:, None], paid / visits)


def certainty_equivalence(episodes, gamma=1.0):
    """Return the exact values of the model that `count_transitions` finds: V = r + gamma P V, as a dict."""
    gamma = check_number(gamma, "gamma", low=0, high=1)
    states, P, r = count_transitions(episodes)
    V = np.linalg.solve(np.eye(len(states)) - gamma * P, r)
    return dict(zip(states, V.tolist()))


def batch_mc(episodes, gamma=1.0):
    """Return the mean of the returns that followed each state, over all visits, as a dict."""
    gamma = check_number(gamma, "gamma", low=0, high=1)
    returns = {}
    for episode in _read(episodes):
        G = 0.0
        for s, r in reversed(episode):
            G = r + gamma * G
            returns.setdefault(s, []).append(G)
    order = dict.fromkeys(s for episode in episodes for s, _ in episode)
    return {s: float(np.mean(returns[s])) for s in order}


def batch_td(episodes, gamma=1.0, alpha=0.1, sweeps=1000, initial=0.0):
    """Show the batch to TD(0) again and again; return the values after each sweep, a list of dicts.

    A sweep adds up all changes and makes them at its end, each state's divided by its number of visits, so that the
    values converge for every step size ``alpha`` of (0, 1].

    ``sweeps`` is how often.
    """
    gamma, sweeps = check_number(gamma, "gamma", low=0, high=1), check_integer(sweeps, "sweeps", low=1)
    alpha = check_number(alpha, "alpha", low=0, high=1, open_low=True)
    episodes, start = _read(episodes), check_number(initial, "initial")
    V = dict.fromkeys((s for episode in episodes for s, _ in episode), start)
    history = [V]
    for _ in range(sweeps):
        errors = {s: [] for s in V}
        for episode in episodes:
            for (s, r), after in zip(episode, [*episode[1:], None]):
                target = r + gamma * V[after[0]] if after else r
                errors[s].append(target - V[s])
        V = {s: V[s] + alpha * sum(errors[s]) / len(errors[s]) for s in V}
        history.append(V)
    return history


def _read(episodes):
    try:
        episodes = [[(s, r) for s, r in episode] for episode in episodes]
    except (TypeError, ValueError):
        raise ValueError("episodes must be a list of episodes, each a list of pairs (state, reward).") from None
    if not episodes or not all(episodes):
        raise ValueError("episodes must hold at least one episode, and each at least one pair (state, reward).")
    for k, episode in enumerate(episodes):
        for s, r in episode:
            if not is_hashable(s):
                raise ValueError(f"a state must be hashable: a number, a text, a tuple; got {s!r} in episode {k}.")
            check_number(r, f"a reward of episode {k}")
    return episodes
