"""Exact expectations: the best that can be done with two arms, and what each rule earns (section 26.9).

Nothing here is simulated. The state of two Bernoulli arms after t pulls is how often each was pulled and how often it
paid: n1, s1, s2 (and n2 = t - n1), held in arrays [n1, s1, s2].
"""

from typing import NamedTuple

import numpy as np

from mlteach.bandits.agent import Agent, greedy
from mlteach.bandits.worlds import BernoulliBandit
from mlteach.validation import as_array, as_vector, check_integer, check_number

MOST_HISTORIES = 2_000_000


def _priors(prior):
    """Return (a, b) of the first and of the second arm."""
    prior = as_array(prior, "prior")
    if prior.shape not in ((2,), (2, 2)) or prior.min() <= 0:
        raise ValueError(f"prior must be (a, b), or a pair of them, all greater than 0; got {prior.tolist()}.")
    return np.broadcast_to(prior, (2, 2))


def _states(t):
    """Return counts and successes of both arms, each [n1, s1, s2] with every index from 0 to t, and which can be."""
    n1, s1, s2 = np.ogrid[: t + 1, : t + 1, : t + 1]
    possible = (s1 <= n1) & (s2 <= t - n1)
    return n1, t - n1, s1, s2, possible


def _posterior_means(t, prior):
    """Return the posterior means of both arms in every state after t pulls."""
    n1, n2, s1, s2, _ = _states(t)
    (a1, b1), (a2, b2) = _priors(prior)
    return np.broadcast_arrays((a1 + s1) / (a1 + b1 + n1), (a2 + s2) / (a2 + b2 + n2))


def _backward(n, prior):
    """Yield t and the values [n1, s1, s2, arm] of both arms, for t = n - 1 down to 0 (26.15)."""
    V = np.zeros((n + 1,) * 3)
    for t in reversed(range(n)):
        m1, m2 = _posterior_means(t, prior)
        first = m1 * (1 + V[1:, 1:, :-1]) + (1 - m1) * V[1:, :-1, :-1]
        second = m2 * (1 + V[:-1, :-1, 1:]) + (1 - m2) * V[:-1, :-1, :-1]
        yield t, np.stack([first, second], axis=-1)
        V = np.maximum(first, second)


def bayes_optimal_value(n, prior=(1, 1)):
    """Return the largest expected total reward of ``n`` pulls of two Bernoulli arms (26.15).

    prior   (a, b) of the Beta law of both success probabilities, or a pair of such pairs

    >>> round(bayes_optimal_value(10), 4), round(bayes_optimal_value(20), 4)
    (6.0218, 12.4313)
    """
    n = check_integer(n, "n", low=1, high=200, why="the table has n³ entries")
    return float([Q.max(axis=-1)[0, 0, 0] for _, Q in _backward(n, prior)][-1])


class BayesOptimal(Agent):
    """The agent that plays two Bernoulli arms for ``n`` pulls as well as can be, for a given prior (26.15).

    >>> agent = BayesOptimal(10)
    >>> agent.policy(np.array([1.0, 0.0]), np.array([1, 0]), 1).tolist()
    [1.0, 0.0]
    """

    def __init__(self, n, prior=(1, 1)):
        self.n, self.prior = n, prior

    def check(self):
        """Raise a ValueError for parameters that cannot be, and solve the problem."""
        n = check_integer(self.n, "n", low=1, high=200, why="the table has n³ entries")
        if getattr(self, "solved_", None) is None:
            self.solved_ = {t: Q for t, Q in _backward(n, self.prior)}

    def update(self, arm, reward):
        """Learn from one pull."""
        if not np.isin(reward, (0.0, 1.0)).all():
            raise ValueError("BayesOptimal plays coins and needs rewards 0 or 1; got others.")
        super().update(arm, reward)

    def policy(self, Q, N, t):
        """Return the probabilities (..., 2) of the arms; a tie is shared."""
        self.check()
        if np.shape(Q)[-1] != 2:
            raise ValueError(f"BayesOptimal is for two arms; got {np.shape(Q)[-1]}.")
        if t >= self.n:
            raise ValueError(f"BayesOptimal was made for n = {self.n} pulls, and all of them are used.")
        n1, s = np.asarray(N)[..., 0], np.rint(np.asarray(Q) * N)
        index = tuple(np.asarray(x, dtype=int) for x in (n1, s[..., 0], s[..., 1]))
        return greedy(self.solved_[t][index])


class Exact(NamedTuple):
    """Expectations before each pull: ``rewards`` (n,), and ``first`` (n,), the probability of pulling the first arm."""

    rewards: np.ndarray
    first: np.ndarray


def exact_curve(agent, n, p=None, prior=(1, 1)):
    """Return the exact expectations of an agent's ``n`` pulls of two Bernoulli arms, as `Exact`.

    agent   one whose ``policy(Q, N, t)`` needs only means and counts
    p       success probabilities (2,); None: drawn anew for every game from Beta laws with ``prior``

    >>> from mlteach.bandits import EpsilonGreedy
    >>> exact_curve(EpsilonGreedy(0.1), 3, [0.9, 0.4]).rewards.round(6).tolist()
    [0.65, 0.70625, 0.725938]
    """
    n = check_integer(n, "n", low=1, high=100, why="the table has n³ entries")
    agent = _two_armed(agent)
    p = None if p is None else _two(p)
    law = np.ones((1, 1, 1))  # of the states [n1, s1, s2]
    rewards, first = np.zeros(n), np.zeros(n)
    for t in range(n):
        n1, n2, s1, s2, possible = _states(t)
        N = np.stack(np.broadcast_arrays(n1, n2, s1)[:2], axis=-1) + np.zeros((t + 1,) * 3 + (1,))
        S = np.stack(np.broadcast_arrays(s1, s2, n1)[:2], axis=-1)
        Q = np.where(N > 0, S / np.maximum(N, 1), agent.initial)
        here = np.nonzero(possible)
        pi = np.zeros_like(N)
        pi[here] = agent.policy(Q[here], N[here], t)
        m1, m2 = _posterior_means(t, prior) if p is None else p
        one, two = law * pi[..., 0], law * pi[..., 1]
        rewards[t], first[t] = np.sum(one * m1 + two * m2), np.sum(one)
        law = np.zeros((t + 2,) * 3)
        law[1:, 1:, :-1] += one * m1
        law[1:, :-1, :-1] += one * (1 - m1)
        law[:-1, :-1, 1:] += two * m2
        law[:-1, :-1, :-1] += two * (1 - m2)
    return Exact(rewards, first)


def exact_on_table(agent, table):
    """Return the exact expectations of an agent that meets rewards fixed in advance, as `Exact`.

    table   (2, n) of 0 and 1: the j-th pull of an arm gives the j-th entry of its row, for everybody who plays

    With the luck fixed, n1 pulls of the first arm after t pulls in all are the whole state.

    >>> from mlteach.bandits import UCB
    >>> exact_on_table(UCB(0.3), [[1, 0, 1, 1], [0, 0, 1, 1]]).rewards.tolist()
    [0.5, 0.5, 0.0, 1.0]
    """
    table = as_array(table, "table", ndim=2)
    if len(table) != 2 or not np.isin(table, (0, 1)).all():
        raise ValueError(f"table must hold two rows of 0 and 1; got shape {table.shape}.")
    agent, n = _two_armed(agent), table.shape[1]
    won = np.column_stack([[0, 0], table.cumsum(axis=1)])
    law, rewards, first = np.ones(1), np.zeros(n), np.zeros(n)
    for t in range(n):
        N = np.column_stack([np.arange(t + 1), t - np.arange(t + 1)])
        S = np.column_stack([won[a, N[:, a]] for a in range(2)])
        pi = law[:, None] * agent.policy(np.where(N > 0, S / np.maximum(N, 1), agent.initial), N, t)
        rewards[t] = sum(pi[:, a] @ table[a, N[:, a]] for a in range(2))
        first[t] = pi[:, 0].sum()
        law = np.append(0, pi[:, 0]) + np.append(pi[:, 1], 0)
    return Exact(rewards, first)


def enumerated_curve(agent, p, n):
    """Return the exact expected rewards (n,) of any agent's first ``n`` pulls of Bernoulli arms ``p`` (k,).

    All histories are played at the same time: the leading axis of the agent's tables counts them, and every pull
    splits each into one for every arm and reward. There are (2k)^n of them, so n must be small.

    >>> from mlteach.bandits import GradientBandit
    >>> enumerated_curve(GradientBandit(0.5), [0.2, 0.9], 3).round(4).tolist()
    [0.55, 0.55, 0.5652]
    """
    p, n = as_vector(p, "p"), check_integer(n, "n", low=1)
    k = len(p)
    if (2.0 * k) ** (n - 1) > MOST_HISTORIES:
        raise ValueError(f"{k} arms and {n} pulls make (2·{k})^{n - 1} histories; at most {MOST_HISTORIES:,} fit.")
    agent = agent.start(BernoulliBandit(p[None]))
    weight, rewards = np.ones(1), np.zeros(n)
    for t in range(n):
        pi = agent.probabilities()
        rewards[t] = weight @ (pi @ p)
        if t == n - 1:
            break
        _split(agent, 2 * k, len(weight))
        arm, reward = (np.tile(x, len(weight)) for x in (np.repeat(np.arange(k), 2), np.tile([1.0, 0.0], k)))
        chance = pi[:, :, None] * np.stack([p, 1 - p], axis=1)
        weight = np.ravel(weight[:, None, None] * chance)
        agent.update(arm, reward)
    return rewards


def _split(agent, times, m):
    """Repeat the m rows of every table of an agent."""
    for name, table in vars(agent).items():
        if name.endswith("_") and isinstance(table, np.ndarray) and table.ndim and len(table) == m:
            setattr(agent, name, np.repeat(table, times, axis=0))


def _two_armed(agent):
    """Return the agent ready for two Bernoulli arms, or say why exact values need another."""
    agent = agent.start(BernoulliBandit([0.5, 0.5]))
    if not agent.by_counts or agent.step is not None:
        raise ValueError(f"exact_curve needs a rule of means and counts; {agent!r} is not one. Use enumerated_curve.")
    return agent


def _two(p):
    p = as_vector(p, "p")
    if len(p) != 2:
        raise ValueError(f"p must hold the success probabilities of two arms; got {len(p)}.")
    return BernoulliBandit(p).means


def gittins_index(a, b, gamma=0.9, horizon=300):
    """Return the Gittins index of an arm with a Beta(a, b) law: the fair sure reward a pull, discounted by ``gamma``.

    It is the rate at which one is indifferent between the arm (with the right to stop) and a sure reward for ever.
    The values are those of ``horizon`` pulls; bisection finds the rate to 1e-7.

    >>> round(gittins_index(1, 1), 4)
    0.7029
    """
    a, b = check_number(a, "a", low=0, open_low=True), check_number(b, "b", low=0, open_low=True)
    gamma = check_number(gamma, "gamma", low=0, high=1, open_high=True)
    horizon = check_integer(horizon, "horizon", low=1)
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        rate = (low + high) / 2
        sure = rate / (1 - gamma)
        s = np.arange(horizon + 1)
        V = np.maximum(sure, (a + s) / (a + b + horizon) / (1 - gamma))
        for t in reversed(range(horizon)):
            m = (a + s[: t + 1]) / (a + b + t)
            pull = m * (1 + gamma * V[1 : t + 2]) + (1 - m) * gamma * V[: t + 1]
            V = np.maximum(sure, pull)
        low, high = (rate, high) if pull[0] > sure else (low, rate)
    return (low + high) / 2


class FirstLook(NamedTuple):
    """Exact answers for the pull after every arm was tried once: expected reward, and how often it is the best arm."""

    reward: float
    best: float


def first_look(arms=10, noise=1.0):
    """Return what the arm with the largest of k single rewards is worth, if means are N(0, 1) (26.9).

        reward = E max of k standard normals / sqrt(1 + noise^2)

    ``arms`` is the k, ``noise`` the standard deviation of a reward.

    >>> first_look(10).reward.__round__(4), first_look(10).best.__round__(3)
    (1.0881, 0.432)
    """
    k, noise = check_integer(arms, "arms", low=2), check_number(noise, "noise", low=0)
    reward = largest_of(k) / np.sqrt(1 + noise**2)
    if noise == 0:
        return FirstLook(float(reward), 1.0)
    from scipy.special import ndtr

    # x is an arm's mean, y its first reward in units of its own spread; all others must lie below in both
    rho = 1 / np.sqrt(1 + noise**2)
    x, h = np.linspace(-7, 7, 561, retstep=True)
    phi = np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)
    spread = np.sqrt(1 - rho**2)
    away = (x[None, :] - rho * x[:, None]) / spread
    strip = phi[:, None] * ndtr(away) * h  # P(X in a strip, Y < y)
    both = np.cumsum(strip, axis=0) - strip / 2  # P(X < x, Y < y)
    density = phi[:, None] * np.exp(-0.5 * away**2) / spread / np.sqrt(2 * np.pi)
    return FirstLook(float(reward), float(k * np.sum(density * np.clip(both, 0, 1) ** (k - 1)) * h * h))


def largest_of(k):
    """Return the expected maximum of k standard normal numbers.

    >>> round(largest_of(10), 4)
    1.5388
    """
    from scipy.special import ndtr

    x, h = np.linspace(-9, 9, 2001, retstep=True)
    phi = np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)
    return float(np.sum(x * k * phi * ndtr(x) ** (k - 1)) * h)
