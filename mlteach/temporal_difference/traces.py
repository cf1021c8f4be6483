"""Eligibility traces: every error is sent back to the states that led to it (section 29.11.3)."""

from mlteach.temporal_difference._run import Control, Prediction
from mlteach.validation import as_vector, check_choice, check_number

FAINT = 1e-16  # a trace below this is forgotten: it no longer moves a number of the size of its fellows
KINDS = ("accumulating", "replacing")


def lambda_returns(rewards, values, lam, gamma=1.0, *, terminated=True):
    """Return the lambda-return of every time of an episode, by the recursion from its end.

        G_t = r_{t+1} + gamma [(1 - lam) V(s_{t+1}) + lam G_{t+1}]          (29.18)

    ``rewards`` (T,), ``values`` (T + 1,) as in `n_step_return`.

    ``terminated=False`` says that the episode was cut off, so that its last value counts.

    >>> lambda_returns([0, 1], [0.5, 0.5, 0.0], lam=0.5)
    [0.75, 1.0]
    """
    rewards, values = as_vector(rewards, "rewards").tolist(), as_vector(values, "values").tolist()
    if len(values) != len(rewards) + 1:
        raise ValueError(f"values must have one entry more than rewards: {len(rewards) + 1}; got {len(values)}.")
    lam, gamma = check_number(lam, "lam", low=0, high=1), check_number(gamma, "gamma", low=0, high=1)
    last = 0.0 if check_choice(terminated, "terminated", (True, False)) else values[-1]
    G, all_of_them, after = last, [], [*values[1:-1], last]
    for r, v in zip(reversed(rewards), reversed(after)):
        G = r + gamma * ((1 - lam) * v + lam * G)
        all_of_them.append(G)
    return all_of_them[::-1]


def td_lambda(
    env, policy=None, episodes=100, alpha=0.1, gamma=1.0, rng=0, initial=0.0, *, lam=0.8, traces="accumulating",
    online=True, max_steps=None, history=False,
):  # fmt: skip
    """Learn V of a policy with traces; lam = 0 is `td0`.

        e <- gamma lam e;  e(s) <- e(s) + 1;  V <- V + alpha delta e          (29.20)

    with delta = r + gamma V(s') - V(s). "replacing" traces are set to 1 in place of growing. With ``online=False`` all
    changes of an episode are made at its end: then with accumulating traces and one step size for all every state moves
    towards its `lambda_returns`, to rounding. Other arguments and the answer are those of `td0`.
    """
    lam, traces = check_number(lam, "lam", low=0, high=1), check_choice(traces, "traces", KINDS)
    check_choice(online, "online", (True, False))
    run = Prediction(env, policy, episodes, alpha, gamma, rng, initial, max_steps, history)
    V, gamma, decay = run.V, run.gamma, run.gamma * lam
    for s in run.starts():
        e, changes = {}, {}
        while not run.over:
            a = run.act(s)
            s2, r, terminated = run.step(a)
            # 1. How wrong was the guess?
            target = r if terminated else r + gamma * V[s2]
            delta = target - V[s]
            # 2. Who led here? Old traces fade, the present state is fresh
            fade(e, decay)
            e[s] = 1.0 if traces == "replacing" else e.get(s, 0.0) + 1.0
            # 3. All of them learn, each by its share
            step = run.rate(s, None) * delta
            for x, share in e.items():
                if online:
                    V[x] += step * share
                else:
                    changes[x] = changes.get(x, 0.0) + step * share
            run.note(s, a, r, s2, terminated, target, V[s], 0, run.history is not None and dict(e))
            s = s2
        for x, change in changes.items():
            V[x] += change
    return run.result()


def sarsa_lambda(
    env, episodes=500, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, initial=0.0, *, lam=0.8, traces="replacing",
    max_steps=None, history=False,
):  # fmt: skip
    """Learn Q of the epsilon-greedy policy with traces; lam = 0 is `sarsa`.

        delta = r + gamma Q(s', a') - Q(s, a);  Q <- Q + alpha delta e

    "replacing" traces are the default: an agent that runs into a wall ten times would otherwise give that pair a
    weight of ten. Other arguments and the answer are those of `sarsa`.
    """
    lam, traces = check_number(lam, "lam", low=0, high=1), check_choice(traces, "traces", KINDS)
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    Q, gamma, decay = run.Q, run.gamma, run.gamma * lam
    for s in run.starts():
        a, e = run.choose(s), {}
        while not run.over:
            s2, r, terminated = run.step(a)
            a2 = None if terminated else run.choose(s2)
            target = r if terminated else r + gamma * Q[s2][a2]
            delta = target - Q[s][a]
            fade(e, decay)
            e[s, a] = 1.0 if traces == "replacing" else e.get((s, a), 0.0) + 1.0
            step = run.rate(s, a) * delta
            for (x, b), share in e.items():
                Q[x][b] += step * share
            run.note(s, a, r, s2, terminated, target, Q[s][a], 0, run.history is not None and dict(e))
            s, a = s2, a2
    return run.result()


def fade(e, decay):
    """Multiply all traces by ``decay``, and forget those that have become too faint to matter."""
    for x in [x for x, share in e.items() if share * decay < FAINT]:
        del e[x]
    for x in e:
        e[x] *= decay
