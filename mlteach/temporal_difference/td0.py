"""TD(0): learn the value of a state from the value of the next (section 29.2)."""

from mlteach.temporal_difference._run import Prediction


def td0(env, policy=None, episodes=100, alpha=0.1, gamma=1.0, rng=0, initial=0.0, *, max_steps=None, history=False):
    """Learn V of a policy, one step at a time.

        V(s) <- V(s) + alpha [r + gamma V(s') - V(s)]          (29.1)

    ``policy`` is None (any action alike), actions (S,), probabilities (S, A), or a function of the observation.
    ``alpha`` is a number or a function of the earlier visits to s. Return `Evaluated`, with ``V``.
    """
    run = Prediction(env, policy, episodes, alpha, gamma, rng, initial, max_steps, history)
    V, gamma = run.V, run.gamma
    for s in run.starts():
        while not run.over:
            a = run.act(s)
            s2, r, terminated = run.step(a)
            target = r if terminated else r + gamma * V[s2]
            value = run.learn(s, target)
            run.note(s, a, r, s2, terminated, target, value)
            s = s2
    return run.result()
