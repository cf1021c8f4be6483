"""Judge one policy by what another one did: importance sampling (sections 28.9 to 28.11)."""

from typing import NamedTuple

import numpy as np

from mlteach.monte_carlo.control import ActionValues, Control
from mlteach.monte_carlo.episodes import as_table, first_visits, play, seed_of, settings
from mlteach.monte_carlo.policies import as_actor, as_probabilities, count_actions, uniforms
from mlteach.validation import as_rng, check_integer


class OffPolicyEstimates(NamedTuple):
    """Values of the target policy: arrays where the states are whole numbers, else dicts from observations."""

    V: object  # the initial value where no visit counts
    N: object  # visits
    effective: object  # (sum of ratios)^2 / sum of squared ratios: visits under the target that are worth as much
    n_cut: int
    history: list  # `OffPolicySnapshot`s: before the first episode, after those asked for with ``at``, after the last


class OffPolicySnapshot(NamedTuple):
    """The estimates after some episodes."""

    episode: int
    V: object
    N: object


class Tails(NamedTuple):
    """What off-policy control learned, and how much of what it saw it could use."""

    control: Control
    used: np.ndarray  # (episodes,) steps at the end of each episode that were learned from
    length: np.ndarray  # (episodes,) steps of each episode


def importance_ratio(policy, behaviour, states, actions, n_actions=None):
    """Return rho, the product over the steps of pi(A | S) / b(A | S), as a number (28.12).

    policy, behaviour   in any form that `mc_estimates` takes; None takes every action alike
    states, actions     those of an episode, or of its end from some step on
    n_actions           how many actions there are, where neither policy holds probabilities that tell

    >>> importance_ratio([[0.1, 0.9], [0.1, 0.9]], [[0.5, 0.5], [0.5, 0.5]], [0, 1], [1, 1])
    3.24
    """
    states, actions = list(states), [int(a) for a in actions]
    if len(states) != len(actions):
        raise ValueError(f"states and actions must have the same length; got {len(states)} and {len(actions)}.")
    n = _size(policy, behaviour, states) if n_actions is None else check_integer(n_actions, "n_actions", low=1)
    if any(not 0 <= a < n for a in actions):
        raise ValueError(f"actions must be whole numbers from 0 to {n - 1}; got {actions}.")
    pi, b = as_probabilities(policy, n), as_probabilities(behaviour, n, "behaviour")
    rho = 1.0
    for s, a in zip(states, actions):
        rho *= _ratio(pi(s), b(s), s, a)
    return float(rho)


def mc_off_policy(
    env, policy, behaviour=None, episodes=1000, gamma=1.0, rng=0, *, weighted=True, per_decision=False,
    first_visit=True, initial=0.0, cut="bootstrap", at=(), max_steps=10_000,
):  # fmt: skip
    """Estimate the values of ``policy`` from episodes that ``behaviour`` plays; return `OffPolicyEstimates`.

        ordinary   V(s) = sum of rho G / number of visits                    (28.14)
        weighted   V(s) = sum of rho G / sum of rho                          (28.14)

    where rho runs from the visit to the end of its episode. ``per_decision=True`` (ordinary only) gives each reward
    the ratio of the steps before it: G <- rho_t (R + gamma G). Other settings as in `mc_estimates`.

    >>> from mlteach.monte_carlo import Blackjack
    >>> stop_late = lambda hand: int(hand[0] < 20)
    >>> found = mc_off_policy(Blackjack(), stop_late, episodes=2000)
    >>> bool(found.V[20, 10, 0] > found.V[15, 10, 0])
    True
    """
    if weighted and per_decision:
        raise ValueError("per_decision needs weighted=False: its returns have no common ratio to divide by.")
    n_actions, rng = count_actions(env), as_rng(rng)
    told = settings(episodes, gamma, cut, None, initial, at, max_steps)
    seed = seed_of(rng)
    act = as_actor(behaviour, n_actions, uniforms(rng), "behaviour")
    pi, b = as_probabilities(policy, n_actions), as_probabilities(behaviour, n_actions, "behaviour")
    tally, quotients = _Tally(env, told.initial, weighted), {}
    history, n_cut = [tally.snapshot(0)], 0
    for k in range(1, told.episodes + 1):
        # 1. The behaviour plays an episode
        s, _ = env.reset(seed=seed) if k == 1 else env.reset()
        states, actions, rewards, last, terminated = play(env, act, s, told.max_steps)
        n_cut += not terminated
        G, rho = 0.0 if terminated or told.cut != "bootstrap" else tally.value(last), 1.0
        first = first_visits(states) if first_visit else None
        if not terminated and told.cut == "drop":
            first = {}
        for t in range(len(states) - 1, -1, -1):
            # 2. Return and ratio from step t on, both backwards             (28.12)
            s, a = states[t], actions[t]
            r = quotients.get((s, a))
            if r is None:
                r = quotients[s, a] = _covered_ratio(pi(s), b(s), s, a)
            G = rewards[t] + told.gamma * G
            if per_decision:
                G *= r
            rho *= r
            # 3. Add what this visit counts
            if first is None or first.get(s) == t:
                tally.add(s, G if per_decision else rho * G, rho)
        if k in told.at or k == told.episodes:
            history.append(tally.snapshot(k))
    return OffPolicyEstimates(history[-1].V, history[-1].N, tally.effective(), n_cut, history)


class _Tally:
    """Sums over the visits of each state, and the estimates that they make (28.14)."""

    def __init__(self, env, initial, weighted):
        self.env, self.initial = env, initial
        self.sums, self.ratios, self.squares, self.N = {}, {}, {}, {}
        self.below = self.ratios if weighted else self.N

    def value(self, s):
        return self.sums[s] / self.below[s] if self.below.get(s) else self.initial

    def add(self, s, weighted_return, rho):
        self.N[s] = self.N.get(s, 0) + 1
        self.sums[s] = self.sums.get(s, 0.0) + weighted_return
        self.ratios[s] = self.ratios.get(s, 0.0) + rho
        self.squares[s] = self.squares.get(s, 0.0) + rho * rho

    def snapshot(self, k):
        values = {s: self.value(s) for s in self.N}
        return OffPolicySnapshot(k, as_table(self.env, values, self.initial), as_table(self.env, self.N, 0))

    def effective(self):
        """Return (sum of ratios)^2 / sum of squared ratios for every state."""
        found = {s: self.ratios[s] ** 2 / self.squares[s] if self.squares[s] else 0.0 for s in self.N}
        return as_table(self.env, found, 0.0)


def mc_off_policy_control(
    env, behaviour=None, episodes=1000, gamma=1.0, rng=0, *, initial=0.0, cut="bootstrap", at=(), max_steps=10_000
):
    """Learn the greedy policy from episodes that ``behaviour`` plays, by weighted importance sampling; return `Tails`.

        C(s, a) <- C(s, a) + rho;   Q(s, a) <- Q(s, a) + rho / C(s, a) (G - Q(s, a))

    Read backwards, an episode counts up to the last step, and with it, that the greedy policy would not have taken.
    There rho is 0, and it is 0 for all that came before. Other settings as in `mc_estimates`.
    """
    n_actions, rng = count_actions(env), as_rng(rng)
    told = settings(episodes, gamma, cut, None, initial, at, max_steps)
    seed, uniform = seed_of(rng), uniforms(rng)
    act, b = as_actor(behaviour, n_actions, uniform, "behaviour"), as_probabilities(behaviour, n_actions, "behaviour")
    table, C = ActionValues(env, n_actions, told, uniform), {}
    history, gained, used, length, n_cut = [table.snapshot(0)], [], [], [], 0
    for k in range(1, told.episodes + 1):
        s, _ = env.reset(seed=seed) if k == 1 else env.reset()
        episode = play(env, act, s, told.max_steps)
        n_cut += not episode.terminated
        missing = told.cut == "bootstrap" and not episode.terminated
        G, rho, T = table.value(episode.last) if missing else 0.0, 1.0, len(episode.states)
        t = T
        while t > 0 and (episode.terminated or told.cut != "drop"):
            t -= 1
            s, a = episode.states[t], episode.actions[t]
            G = episode.rewards[t] + told.gamma * G
            C[s, a] = C.get((s, a), 0.0) + rho
            q, n = table.rows(s)
            n[a] += 1
            q[a] += rho / C[s, a] * (G - q[a])
            best = table.best[s] = [i for i, value in enumerate(q) if value == max(q)]
            if a not in best:
                break
            rho *= _ratio(_shares(best, n_actions), b(s), s, a)
        gained.append(sum(r * told.gamma**i for i, r in enumerate(episode.rewards)))
        used.append(T - t)
        length.append(T)
        if k in told.at or k == told.episodes:
            history.append(table.snapshot(k))
    last = history[-1]
    control = Control(last.Q, last.N, table.sets(), np.array(gained), n_cut, history)
    return Tails(control, np.array(used), np.array(length))


def _ratio(pi, b, s, a):
    """Return pi(a | s) / b(a | s)."""
    if b[a] == 0:
        raise ValueError(f"behaviour gives action {a} in state {s!r} probability 0, but the action was taken there.")
    return float(pi[a] / b[a])


def _covered_ratio(pi, b, s, a):
    """Return pi(a | s) / b(a | s), or say which action of the target the behaviour never takes."""
    for lost in np.flatnonzero((b == 0) & (pi > 0)):
        raise ValueError(
            f"behaviour does not cover the policy: in state {s!r} the policy takes action {lost} with probability "
            f"{pi[lost]:g}, the behaviour never does. Give it some probability there."
        )
    return _ratio(pi, b, s, a)


def _shares(best, n_actions):
    shares = np.zeros(n_actions)
    shares[best] = 1 / len(best)
    return shares


def _size(policy, behaviour, states):
    """Return the number of actions, from whichever policy tells it."""
    for given in (policy, behaviour):
        if given is not None and states:
            row = given(states[0]) if callable(given) else given[states[0]]
            if np.ndim(row) == 1:
                return len(row)
    raise ValueError("give n_actions: neither the policy nor the behaviour holds probabilities that tell it.")
