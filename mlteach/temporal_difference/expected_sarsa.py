"""Expected SARSA: the mean over the next action in place of one draw (section 29.6)."""

from mlteach.temporal_difference._run import Control


def expected_sarsa(
    env, episodes=500, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, initial=0.0, *, max_steps=None, history=False
):
    """Learn Q of the epsilon-greedy policy with the expectation over a'.

        Q(s, a) <- Q(s, a) + alpha [r + gamma sum_a' pi(a' | s') Q(s', a') - Q(s, a)]          (29.11)

    Arguments and answer are those of `q_learning`.
    """
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    gamma = run.gamma
    for s in run.starts():
        while not run.over:
            # 1. Act
            a = run.choose(s)
            s2, r, terminated = run.step(a)
            # 2. Learn from the mean of what might be chosen next
            target = r if terminated else r + gamma * run.expected(s2)
            value = run.learn(s, a, target)
            run.note(s, a, r, s2, terminated, target, value)
            s = s2
    return run.result()
