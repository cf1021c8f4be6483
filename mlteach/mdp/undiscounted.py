"""Where an undiscounted sum of rewards exists: what must end, and what may go on for nothing (section 27.12).

With gamma = 1 nothing shrinks by itself. A sum of rewards exists where the process reaches, sooner or later, states in
which nothing is paid any more. `resting` finds them, `stopping_policy` is a policy that reaches them from everywhere.
"""

import numpy as np


class NeverEnds(ValueError):
    """An undiscounted sum of rewards does not exist; ``state`` is one from which nothing ends."""

    def __init__(self, message, state):
        super().__init__(message)
        self.state = state

    def __reduce__(self):
        """Keep the state where the error is sent to another process."""
        return type(self), (self.args[0], self.state)


def resting(mdp, allowed=None):
    """Return the states (S,) in which one can stay for ever for nothing: the largest set that allowed actions keep."""
    free = free_actions(mdp) if allowed is None else free_actions(mdp) & allowed
    inside = np.ones(mdp.n_states, bool)
    while True:
        kept = inside & (free & ~_may_reach(mdp, ~inside)).any(axis=1)
        if (kept == inside).all():
            return inside
        inside = kept


def ends_for_good(mdp, weights):
    """Return the states (S,) from which a policy (S, A) is never paid again."""
    inside = np.ones(mdp.n_states, bool)
    while True:
        kept = inside & ((free_actions(mdp) & ~_may_reach(mdp, ~inside)) | (weights == 0)).all(axis=1)
        if (kept == inside).all():
            return inside
        inside = kept


def steps_to(mdp, goal, allowed):
    """Return the least number of allowed steps (S,) after which ``goal`` may be reached; inf where it never is."""
    steps, found, k = np.where(goal, 0.0, np.inf), goal, 0
    while True:
        k += 1
        new = (_may_reach(mdp, found) & allowed).any(axis=1) & ~found
        if not new.any():
            return steps
        steps = np.where(new, k, steps)
        found = found | new


def stopping_policy(mdp):
    """Return actions (S,) that come to rest from every state; with gamma = 1 say from which state none does."""
    rest = resting(mdp)
    steps = steps_to(mdp, rest, mdp.feasible)
    if mdp.gamma == 1 and not np.isfinite(steps).all():
        state = int(np.argmax(steps))
        raise NeverEnds(
            f"with gamma = 1 every state must be able to reach an end; state {state} cannot, whatever is done, so its "
            "rewards have no sum. Use gamma < 1, or finite_horizon.",
            state,
        )
    stay = np.where(rest[:, None], free_actions(mdp) & ~_may_reach(mdp, ~rest), mdp.feasible)
    return _approach(mdp, steps, mdp.feasible, start=np.argmax(stay, axis=1))


def seeking_policy(mdp, best, V):
    """Return, out of the best actions (S, A) for the values V, actions (S,) that come to rest wherever best ones can.

    With gamma = 1 a greedy action need not be a good one: where steps cost nothing, walking to and fro has the same
    value as walking home, as long as one goes home in the end. So of the best actions the one that comes nearer is
    taken.
    """
    steps = steps_to(mdp, mdp.terminal, best)
    idle = resting(mdp, best) & ~np.isfinite(steps) & (np.abs(V) <= 1e-7 * max(1.0, np.abs(V).max()))
    stay = best & free_actions(mdp) & ~_may_reach(mdp, ~idle)
    policy = np.argmax(np.where(idle[:, None], stay, best), axis=1)
    policy = _approach(mdp, steps_to(mdp, idle, best), best, start=policy)
    return _approach(mdp, steps, best, start=policy)


def _approach(mdp, steps, allowed, start):
    """Return ``start`` with an action in it that may bring each state with a finite number of steps nearer."""
    policy = start
    for k in range(1, int(np.max(steps, where=np.isfinite(steps), initial=0)) + 1):
        nearer = allowed & _may_reach(mdp, steps < k)
        policy = np.where(steps == k, np.argmax(nearer, axis=1), policy)
    return policy


def free_actions(mdp):
    """Say which actions (S, A) are possible and never pay."""
    return mdp.feasible & ~mdp.pays


def _may_reach(mdp, goal):
    """Say which actions (S, A) may lead to ``goal`` (S,) at once."""
    return mdp.expect(goal.astype(float)) > 0
