"""n-step methods: n rewards that were seen, then a guess (section 29.11)."""

import math

from mlteach.temporal_difference._run import Prediction
from mlteach.validation import as_vector, check_choice, check_integer, check_number


def n_step_return(rewards, values, n, gamma=1.0, t=0, *, terminated=True):
    """Return the n-step return of time ``t`` of an episode.

        G = r_1 + gamma r_2 + ... + gamma^(n-1) r_n + gamma^n V(s_n)          (29.17)

    ``rewards`` (T,) are those of the whole episode, ``values`` (T + 1,) the guesses for the states in it, the last one
    included; if the episode ``terminated``, the guess for the last is not used.

    >>> n_step_return([1, 2, 4], [9, 9, 10, 9], n=2, gamma=0.5)
    4.5
    """
    rewards = as_vector(rewards, "rewards").tolist()
    values = as_vector(values, "values").tolist()
    T = len(rewards)
    if len(values) != T + 1:
        raise ValueError(f"values must have one entry more than rewards: {T + 1}; got {len(values)}.")
    n, gamma = check_steps(n), check_number(gamma, "gamma", low=0, high=1)
    t = check_integer(t, "t", low=0, high=T - 1)
    end = min(t + n, T)
    G = 0.0 if end == T and check_choice(terminated, "terminated", (True, False)) else values[end]
    for r in reversed(rewards[t:end]):
        G = r + gamma * G
    return G


def n_step_td(
    env, policy=None, episodes=100, alpha=0.1, gamma=1.0, rng=0, initial=0.0, *, n=4, max_steps=None, history=False
):
    """Learn V of a policy from n-step returns; n = 1 is `td0`, n = infinity Monte Carlo with a constant step.

        V(s_t) <- V(s_t) + alpha [G - V(s_t)],  G = r_{t+1} + ... + gamma^(n-1) r_{t+n} + gamma^n V(s_{t+n})

    A state is updated n steps after its visit, those at the end of an episode with what is left of it. Arguments and
    answer are those of `td0`; a record of the ``history`` stands where its update took place.
    """
    n = check_steps(n)
    run = Prediction(env, policy, episodes, alpha, gamma, rng, initial, max_steps, history)
    V, gamma = run.V, run.gamma
    for s in run.starts():
        way, rewards = [], []  # (state, action) of each step, and what it paid
        while not run.over:
            a = run.act(s)
            way.append((s, a))
            s, r, terminated = run.step(a)
            rewards.append(r)
            # 1. The state of n steps ago: n rewards, then a guess
            t = len(rewards) - n
            if t >= 0 and not run.over:
                G = V[s]
                for r in reversed(rewards[t:]):
                    G = r + gamma * G
                _update(run, way, rewards, t, G, way[t + 1][0] if n > 1 else s, False)
        # 2. The episode is over: what is left has fewer rewards, and a guess only where it was cut short
        G, rest = 0.0 if terminated else V[s], []
        for t in reversed(range(max(0, len(rewards) - n) if n < math.inf else 0, len(rewards))):
            G = rewards[t] + gamma * G
            rest.append((t, G))
        for t, G in reversed(rest):
            last = t + 1 == len(way)
            _update(run, way, rewards, t, G, s if last else way[t + 1][0], terminated and last)
    return run.result()


def _update(run, way, rewards, t, G, after, terminated):
    """Move the value of the state of time ``t`` towards G, and note it."""
    s, a = way[t]
    run.note(s, a, rewards[t], after, terminated, G, run.learn(s, G))


def check_steps(n):
    """Return the number of steps ``n``: a whole number of at least 1, or infinity."""
    if isinstance(n, float) and n == math.inf:
        return n
    return check_integer(n, "n", low=1)
