"""Dyna-Q: learn from what happens, and again from what is remembered (section 29.11.5)."""

from mlteach.temporal_difference._run import Control
from mlteach.validation import check_integer


def dyna_q(
    env, episodes=50, alpha=0.1, gamma=0.95, epsilon=0.1, rng=0, initial=0.0, *, planning=10, max_steps=None,
    history=False,
):  # fmt: skip
    """Learn Q* by Q-learning, with ``planning`` steps of memory after each real one (Sutton 1990).

    The model is a memory: what followed the last time that a was done in s. Each planning step takes a pair that was
    tried before, at random, and updates it as if it had just happened. ``planning=0`` is `q_learning`; other arguments
    and the answer are as there. The history records the real steps.
    """
    planning = check_integer(planning, "planning", low=0)
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    Q, gamma, draw = run.Q, run.gamma, run.draw
    model, tried = {}, []
    for s in run.starts():
        while not run.over:
            # 1. Act and learn, as Q-learning does
            a = run.choose(s)
            s2, r, terminated = run.step(a)
            target = r if terminated else r + gamma * max(Q[s2])
            value = run.learn(s, a, target)
            run.note(s, a, r, s2, terminated, target, value)
            # 2. Remember
            if (s, a) not in model:
                tried.append((s, a))
            model[s, a] = r, s2, terminated
            # 3. Learn from memories
            for _ in range(planning):
                x, b = tried[int(draw() * len(tried))]
                r, y, ended = model[x, b]
                run.learn(x, b, r if ended else r + gamma * max(Q[y]))
            s = s2
    return run.result()
