"""Q-learning in a deterministic world: each value is simply overwritten (section 29.7)."""

from mlteach.temporal_difference._run import Control


def q_learning_deterministic(
    env, episodes=100, gamma=0.9, epsilon=1.0, rng=0, initial=0.0, *, max_steps=None, history=True
):
    """Learn Q* of a world without chance, in which one visit tells all.

        Q(s, a) <- r + gamma max_a' Q(s', a')          (29.12)

    If no reward is negative and ``initial`` is 0, no value ever falls or passes Q* (29.13). With ``epsilon`` = 1
    actions are drawn at random, so that every pair is tried again and again. The answer is that of `q_learning`.
    """
    run = Control(env, episodes, 1.0, gamma, epsilon, rng, initial, max_steps, history)
    Q, gamma = run.Q, run.gamma
    for s in run.starts():
        while not run.over:
            a = run.choose(s)
            s2, r, terminated = run.step(a)
            target = float(r) if terminated else r + gamma * max(Q[s2])
            Q[s][a] = target
            run.note(s, a, r, s2, terminated, target, target)
            s = s2
    return run.result()
