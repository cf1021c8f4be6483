"""SARSA: learn about the policy that is followed (section 29.6)."""

from mlteach.temporal_difference._run import Control


def sarsa(env, episodes=500, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, initial=0.0, *, max_steps=None, history=False):
    """Learn Q of the epsilon-greedy policy while it improves, on-policy: s, a, r, s', a'.

        Q(s, a) <- Q(s, a) + alpha [r + gamma Q(s', a') - Q(s, a)]          (29.9)

    a' is drawn at s', once: it is what the agent does next. Arguments and answer are those of `q_learning`.
    """
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    Q, gamma = run.Q, run.gamma
    for s in run.starts():
        a = run.choose(s)
        while not run.over:
            # 1. Act, and choose what to do next
            s2, r, terminated = run.step(a)
            a2 = None if terminated else run.choose(s2)
            # 2. Learn from that very choice
            target = r if terminated else r + gamma * Q[s2][a2]
            value = run.learn(s, a, target)
            run.note(s, a, r, s2, terminated, target, value)
            s, a = s2, a2
    return run.result()
