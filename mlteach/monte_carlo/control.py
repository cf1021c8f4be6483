"""Better policies from episodes: exploring starts and epsilon-soft policies (sections 28.6 and 28.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.monte_carlo.episodes import as_table, first_visits, play, seed_of, settings
from mlteach.monte_carlo.policies import count_actions, uniforms
from mlteach.validation import as_rng, check_number


class QSnapshot(NamedTuple):
    """The action values after some episodes."""

    episode: int
    Q: object  # as in `Control`
    N: object


class Control(NamedTuple):
    """Learned action values: arrays (S, A) where the states are whole numbers, else dicts from observation to (A,)."""

    Q: object
    N: object  # visits of each pair that were averaged
    best: object  # the best actions, ties included: an array (S, A) of True and False, or a dict to sets
    returns: np.ndarray  # (episodes,) discounted return of each episode; nan where it was dropped
    n_cut: int  # episodes that were cut off
    history: list  # `QSnapshot`s: before the first episode, after those asked for with ``at``, after the last


class ActionValues:
    """The table of a learner: values and counts of each pair met so far, and the best actions of each state."""

    def __init__(self, env, n_actions, told, uniform):
        self.env, self.n_actions, self.told, self.uniform = env, n_actions, told, uniform
        self.Q, self.N, self.best = {}, {}, {}
        self._new, self._none = [told.initial] * n_actions, [0] * n_actions

    def greedy(self, s):
        """Return one of the best actions; ties are broken at random."""
        best = self.best.get(s)
        if best is None:
            return int(self.uniform() * self.n_actions)
        return best[0] if len(best) == 1 else best[int(self.uniform() * len(best))]

    def value(self, s, epsilon=0.0):
        """Return what a state is worth to the epsilon-greedy policy."""
        q = self.Q.get(s, self._new)
        return (1 - epsilon) * max(q) + epsilon * sum(q) / self.n_actions

    def learn(self, episode, G, first_visit=True):
        """Take the returns of an episode into the means, from its end (worth ``G``) to its start; return the first."""
        gamma, alpha, rewards = self.told.gamma, self.told.alpha, episode.rewards
        pairs = list(zip(episode.states, episode.actions))
        first = first_visits(pairs) if first_visit else None
        for t in range(len(pairs) - 1, -1, -1):
            G = rewards[t] + gamma * G
            pair = pairs[t]
            if first is None or first[pair] == t:
                s, a = pair
                q, n = self.rows(s)
                n[a] += 1
                q[a] += (G - q[a]) * (1 / n[a] if alpha is None else alpha)
                top = max(q)
                self.best[s] = [b for b, value in enumerate(q) if value == top]
        return G

    def rows(self, s):
        """Return the lists of values and counts of a state, new ones where it was never met."""
        q = self.Q.get(s)
        if q is None:
            q = self.Q[s] = self._new.copy()
            self.N[s] = self._none.copy()
        return q, self.N[s]

    def snapshot(self, episode):
        """Return a copy of the table as it is now."""
        return QSnapshot(episode, as_table(self.env, self.Q, self._new), as_table(self.env, self.N, self._none))

    def sets(self):
        """Return all best actions."""
        if isinstance(self.snapshot(0).Q, dict):
            return {s: set(best) for s, best in self.best.items()}
        rows = {s: [a in best for a in range(self.n_actions)] for s, best in self.best.items()}
        return as_table(self.env, rows, [True] * self.n_actions)


def mc_exploring_starts(
    env, episodes=1000, gamma=1.0, rng=0, *, starts=None, explore=True, initial=0.0, first_visit=True, alpha=None,
    cut="bootstrap", at=(), max_steps=10_000,
):  # fmt: skip
    """Learn with a greedy policy whose episodes begin with a random pair of state and action; return the `Control`.

        Q(s, a) = mean of G_t over the first visits of (s, a);   pi(s) = argmax_a Q(s, a)         (28.8)

    starts    a list of states, one of which is drawn and given to ``env.reset(options={"state": s})``; or a function
              ``starts(env, rng)`` that begins an episode and returns its observation. None: the environment's own
              start, so that only the first action is random
    explore   False: the first action is greedy as well, and pairs that are never tried stay as they are
    Other settings as in `mc_estimates`; ``initial`` is the value of a pair that was never tried.

    >>> from mlteach.monte_carlo import Blackjack
    >>> learned = mc_exploring_starts(Blackjack(), episodes=3000, starts=Blackjack().states)
    >>> learned.best[20, 5, 0]
    {0}
    """
    n_actions, rng = count_actions(env), as_rng(rng)
    told = settings(episodes, gamma, cut, alpha, initial, at, max_steps)
    begin, uniform = _starter(env, starts, rng, seed_of(rng)), uniforms(rng)
    table = ActionValues(env, n_actions, told, uniform)

    def play_one():
        s = begin()
        pending = [int(uniform() * n_actions)] if explore else []

        def act(s):
            return pending.pop() if pending else table.greedy(s)

        return play(env, act, s, told.max_steps)

    return _learn(table, told, play_one, table.value, first_visit)


def mc_epsilon_soft(
    env, episodes=1000, gamma=1.0, epsilon=0.1, rng=0, *, initial=0.0, first_visit=True, alpha=None, cut="bootstrap",
    at=(), max_steps=10_000,
):  # fmt: skip
    """Learn with an epsilon-greedy policy, from the environment's own starts; return the `Control`.

        pi(a | s) = 1 - epsilon + epsilon / A  for the best action,  epsilon / A  for each other one   (28.10)

    Tied actions share the larger probability: one of them is drawn. Other settings as in `mc_estimates`.

    >>> from mlteach.monte_carlo import Blackjack
    >>> mc_epsilon_soft(Blackjack(), episodes=3000).best[20, 10, 0]
    {0}
    """
    n_actions, rng = count_actions(env), as_rng(rng)
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)
    told = settings(episodes, gamma, cut, alpha, initial, at, max_steps)
    begin, uniform = _starter(env, None, rng, seed_of(rng)), uniforms(rng)
    table = ActionValues(env, n_actions, told, uniform)

    def act(s):
        return int(uniform() * n_actions) if uniform() < epsilon else table.greedy(s)

    def play_one():
        return play(env, act, begin(), told.max_steps)

    return _learn(table, told, play_one, lambda s: table.value(s, epsilon), first_visit)


def _learn(table, told, play_one, worth, first_visit):
    """Play and learn, episode by episode: evaluation and improvement take turns."""
    history, gained, n_cut = [table.snapshot(0)], [], 0
    for k in range(1, told.episodes + 1):
        # 1. Play one episode with the policy as it is
        episode = play_one()
        n_cut += not episode.terminated
        # 2. Returns, backwards; 3. means; 4. the best actions of the states that were met
        missing = told.cut == "bootstrap" and not episode.terminated
        if episode.terminated or told.cut != "drop":
            gained.append(table.learn(episode, worth(episode.last) if missing else 0.0, first_visit))
        else:
            gained.append(np.nan)
        if k in told.at or k == told.episodes:
            history.append(table.snapshot(k))
    last = history[-1]
    return Control(last.Q, last.N, table.sets(), np.array(gained), n_cut, history)


def _starter(env, starts, rng, seed):
    """Return a function that begins an episode and returns its first observation."""
    env.reset(seed=seed)
    if starts is None:
        return lambda: env.reset()[0]
    if callable(starts):
        return lambda: starts(env, rng)
    starts = list(starts)
    if not starts:
        raise ValueError("starts must hold at least one state.")
    uniform = uniforms(rng)
    return lambda: env.reset(options={"state": starts[int(uniform() * len(starts))]})[0]
