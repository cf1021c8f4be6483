"""Double Q-learning: one table chooses, the other judges (section 29.10)."""

from mlteach.temporal_difference._run import Control, Learned, Table, best_action, step_size


def double_q_learning(
    env, episodes=500, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, initial=0.0, *, max_steps=None, history=False
):
    """Learn Q* with two tables, so that no maximum judges itself (van Hasselt 2010).

        Q1(s, a) <- Q1(s, a) + alpha [r + gamma Q2(s', argmax_a' Q1(s', a')) - Q1(s, a)]          (29.16)

    and, with probability 1/2, the other way round. The agent acts by Q1 + Q2. Arguments are those of `q_learning`;
    ``Q`` is the mean of the two ``tables``.
    """
    run = Control(env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history)
    mean, gamma, draw, rates = run.Q, run.gamma, run.draw, (run.rate, step_size(alpha))
    tables = Table(run.new_row), Table(run.new_row)
    for s in run.starts():
        while not run.over:
            # 1. Act by both tables together; ``mean`` is kept as half their sum
            a = run.choose(s)
            s2, r, terminated = run.step(a)
            # 2. A coin says which table learns: it chooses the next action, the other one judges it
            k = int(draw() < 0.5)
            mine, other = tables[k], tables[1 - k]
            target = r if terminated else r + gamma * other[s2][best_action(mine[s2], draw)]
            mine[s][a] += rates[k](s, a) * (target - mine[s][a])
            mean[s][a] = (mine[s][a] + other[s][a]) / 2
            run.note(s, a, r, s2, terminated, target, mine[s][a], k)
            s = s2
    return Learned(run.table(), *run.counts(), tuple(map(run.table, tables)))
