"""Q-learning: learn about the best policy while following another (section 29.6)."""

from mlteach.temporal_difference._run import Control


def q_learning(
    env, episodes=500, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, initial=0.0, *, max_steps=None, history=False
):
    """Learn Q* from experience (Watkins 1989), off-policy.

        Q(s, a) <- Q(s, a) + alpha [r + gamma max_a' Q(s', a') - Q(s, a)]          (29.10)

    After a terminated step the target is r alone; a truncated one has a next state like any other.

    env        anything with Gymnasium's ``reset``, ``step`` and ``action_space.n``
    alpha      step size, a number in (0, 1] or a function of the earlier visits to (s, a), as `one_over_visits`
    epsilon    share of random actions, a number or a function of the episode's number
    initial    first values: a number, an array (S, A), or a dict from observation to array
    max_steps  steps after which an episode is cut short
    history    keep a `Step` of every step

    Return `Learned`: ``Q`` (S, A) where the states are whole numbers, else a dict; ``returns``, ``lengths``.
    """
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    Q, gamma = run.Q, run.gamma
    for s in run.starts():
        while not run.over:
            # 1. Act by one policy, epsilon-greedy
            a = run.choose(s)
            s2, r, terminated = run.step(a)
            # 2. Learn about another, the greedy one: the best that could be done next
            target = r if terminated else r + gamma * max(Q[s2])
            value = run.learn(s, a, target)
            run.note(s, a, r, s2, terminated, target, value)
            s = s2
    return run.result()
