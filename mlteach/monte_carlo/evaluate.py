"""What a policy is worth, as the mean of the returns that follow each visit (sections 28.4 to 28.5)."""

from typing import NamedTuple

import numpy as np

from mlteach.monte_carlo.episodes import as_table, first_visits, play, seed_of, settings
from mlteach.monte_carlo.policies import as_actor, count_actions, uniforms
from mlteach.validation import as_rng


class Snapshot(NamedTuple):
    """The estimates after some episodes."""

    episode: int
    V: object  # as in `Estimates`
    N: object


class Estimates(NamedTuple):
    """Values estimated from episodes: arrays where the states are whole numbers, else dicts from observations."""

    V: object  # mean return after each state; the initial value where it was never seen
    N: object  # visits that were averaged
    stderr: object  # standard error of V; nan with fewer than two visits, for every visit, and for a constant alpha
    returns: np.ndarray  # (episodes,) discounted return of each episode; nan where it was dropped
    n_cut: int  # episodes that were cut off
    history: list  # `Snapshot`s: before the first episode, after those asked for with ``at``, after the last


def mc_evaluate(env, policy=None, episodes=1000, gamma=1.0, rng=0, *, first_visit=True, **more):
    """Return V, estimated as the mean of returns: an array where states are whole numbers, else a dict.

        V(s) = mean of G_t over the (first) visits S_t = s                   (28.3)

    ``policy=None`` takes every action alike. All settings, and what else is known at the end: `mc_estimates`.

    ``more`` are those settings.

    >>> from mlteach.monte_carlo import Blackjack
    >>> V = mc_evaluate(Blackjack(), lambda hand: int(hand[0] < 20), episodes=2000)
    >>> bool(V[20, 10, 0] > V[15, 10, 0])
    True
    """
    return mc_estimates(env, policy, episodes, gamma, rng, first_visit=first_visit, **more).V


def mc_estimates(
    env, policy=None, episodes=1000, gamma=1.0, rng=0, *, first_visit=True, alpha=None, initial=0.0, cut="bootstrap",
    at=(), max_steps=10_000,
):  # fmt: skip
    """Return the `Estimates` of a policy's values.

    env           reset(seed=...), step(action) and action_space.n as in Gymnasium
    policy        None, or a function, array or dict with an action or probabilities for each state
    first_visit   average only the return after the first visit of a state in each episode; else after every visit
    alpha         None: V <- V + (G - V) / N; a number: V <- V + alpha (G - V), from ``initial``       (28.4)
    cut           an episode that was truncated has no return. "bootstrap": what is missing is the present V of the
                  state where it was cut; "drop": it is left out; "complete": as if nothing had been missing
    at            episodes after which the estimates are kept in ``history``
    """
    n_actions, rng = count_actions(env), as_rng(rng)
    told = settings(episodes, gamma, cut, alpha, initial, at, max_steps)
    seed = seed_of(rng)
    act = as_actor(policy, n_actions, uniforms(rng))
    means, gained, n_cut = {}, [], 0  # of each state: visits, mean, sum of squared deviations
    history = [_snapshot(env, 0, means, told.initial)]
    for k in range(1, told.episodes + 1):
        # 1. Play one episode to its end
        s, _ = env.reset(seed=seed) if k == 1 else env.reset()
        episode = play(env, act, s, told.max_steps)
        n_cut += not episode.terminated
        # 2. Walk it backwards; G is the return after step t                (28.1)
        missing = told.cut == "bootstrap" and not episode.terminated
        G = means.get(episode.last, (0, told.initial))[1] if missing else 0.0
        if episode.terminated or told.cut != "drop":
            gained.append(_walk_back(episode, G, told, first_visit, means))
        else:
            gained.append(np.nan)
        if k in told.at or k == told.episodes:
            history.append(_snapshot(env, k, means, told.initial))
    independent = first_visit and told.alpha is None
    stderr = {s: _stderr(n, squares) if independent else np.nan for s, (n, _, squares) in means.items()}
    last = history[-1]
    return Estimates(last.V, last.N, as_table(env, stderr, np.nan), np.array(gained), n_cut, history)


def _walk_back(episode, G, told, first_visit, means):
    """Take the returns of one episode into the means, from its end to its start; return the first of them."""
    states, rewards = episode.states, episode.rewards
    gamma, alpha = told.gamma, told.alpha
    first = first_visits(states) if first_visit else None
    for t in range(len(states) - 1, -1, -1):
        G = rewards[t] + gamma * G
        s = states[t]
        if first is None or first[s] == t:
            # 3. Move the mean by its share of the error                    (28.4)
            mine = means.get(s)
            if mine is None:
                mine = means[s] = [0, told.initial, 0.0]
            mine[0] += 1
            error = G - mine[1]
            mine[1] += error * (1 / mine[0] if alpha is None else alpha)
            mine[2] += error * (G - mine[1])
    return G


def _stderr(n, squares):
    return np.sqrt(squares / (n - 1) / n) if n > 1 else np.nan


def _snapshot(env, k, means, initial):
    V, N = ({s: mine[i] for s, mine in means.items()} for i in (1, 0))
    return Snapshot(k, as_table(env, V, initial), as_table(env, N, 0))
