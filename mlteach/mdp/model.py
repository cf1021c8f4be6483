"""What an agent can do, what follows and what it is paid: the Markov decision process (section 27.2)."""

import copy

import numpy as np

from mlteach.mdp._rows import SparseRows, rows_of
from mlteach.validation import as_array, check_integer, check_number


class MDP:
    """A finite Markov decision process.

        Transitions   p(s' | s, a) = P[s, a, s']
        Rewards       r(s, a) = R[s, a],  or  sum_s' p(s' | s, a) R[s, a, s']
        Return        G = R_1 + gamma R_2 + gamma^2 R_3 + ...            (27.2)

    An action that is not possible in a state has the reward -inf; its row of P is not read. A state in which every
    possible action leads back to it for nothing is terminal. ``gamma`` = 1 is allowed; the algorithms then ask that
    what matters comes to an end, and say where it does not.

    Parameters
    ----------
    P : (S, A, S) probabilities
    R : (S, A) or (S, A, S) rewards
    gamma : discount, from 0 to 1
    states, actions : names, for pictures; numbers where none are given

    Attributes
    ----------
    R : (S, A) expected rewards, -inf where the action is not possible
    feasible : (S, A), terminal : (S,), True or False
    n_states, n_actions, gamma, states, actions
    world : the `GridWorld` that it comes from, or None

    >>> stay_or_go = MDP([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], [[1, 0], [2, 0]], gamma=0.9)
    >>> stay_or_go.n_states, stay_or_go.n_actions, stay_or_go.outcomes(0, 1)
    (2, 2, [(1.0, 1, 0.0)])
    """

    def __init__(self, P, R, gamma, *, states=None, actions=None):
        P = _read_transitions(P)
        R = _read_rewards(R, P.shape)
        feasible = ~np.isneginf(R).any(axis=2) if R.ndim == 3 else ~np.isneginf(R)
        _check_rows(P, feasible)
        P = np.where(feasible[:, :, None], P, 0.0)
        by_next = np.where(P > 0, R, 0.0) if R.ndim == 3 else None
        mean = (P * by_next).sum(axis=2) if R.ndim == 3 else np.where(feasible, R, 0.0)
        size = (P.shape[0] * P.shape[1], P.shape[2])
        rows = rows_of(P.reshape(size))
        if by_next is not None:
            by_next = by_next.reshape(size)
            if isinstance(rows, SparseRows):
                by_next = by_next[rows.row_of_each(), rows.next]
        self._set(rows, by_next, mean, feasible, gamma, states, actions)

    @classmethod
    def _of_rows(cls, rows, by_next, mean, feasible, gamma, states=None, actions=None):
        new = cls.__new__(cls)
        new._set(rows, by_next, mean, feasible, gamma, states, actions)
        return new

    def _set(self, rows, by_next, mean, feasible, gamma, states, actions):
        """Keep what was read; ``by_next`` has the rewards in the form of ``rows``, or is None."""
        self._rows, self._by_next, self.feasible = rows, by_next, feasible
        self.n_states, self.n_actions = feasible.shape
        stuck = ~feasible.any(axis=1)
        if stuck.any():
            raise ValueError(
                f"every state needs an action that is possible; state {int(stuck.argmax())} has reward -inf for all. "
                "A terminal state leads back to itself with reward 0."
            )
        self.R = np.where(feasible, mean, -np.inf)
        self.gamma = check_number(gamma, "gamma", low=0, high=1)
        self.states = _names(states, self.n_states, "states")
        self.actions = _names(actions, self.n_actions, "actions")
        self.world = None
        away = self.pays | (rows.stay() < 1 - 1e-12)
        self.terminal = ~(away & feasible).any(axis=1)

    def __repr__(self):
        """Say how large it is."""
        return f"MDP of {self.n_states} states, {self.n_actions} actions, gamma = {self.gamma:g}"

    @property
    def P(self):
        """Return the probabilities (S, A, S) as one array, with zeros where an action is not possible."""
        return self._rows.dense().reshape(self.n_states, self.n_actions, self.n_states)

    def expect(self, V):
        """Return sum_s' p(s' | s, a) V(s') as an array (S, A), 0 where the action is not possible."""
        return self._rows.expect(V).reshape(self.n_states, self.n_actions)

    @property
    def pays(self):
        """Say for which pairs (S, A) a reward other than 0 is possible."""
        if self._by_next is None:
            return self.feasible & (self.R != 0)
        if isinstance(self._rows, SparseRows):
            some = np.add.reduceat((self._rows.prob * self._by_next != 0).astype(int), self._rows.start[:-1]) > 0
        else:
            some = ((self._rows.table > 0) & (self._by_next != 0)).any(axis=1)
        return self.feasible & some.reshape(self.feasible.shape)

    def outcomes(self, s, a):
        """Return what may follow: a list of (probability, next state, reward), in which a state may stand twice."""
        s = check_integer(s, "s", low=0, high=self.n_states - 1)
        a = check_integer(a, "a", low=0, high=self.n_actions - 1)
        if not self.feasible[s, a]:
            return []
        i = s * self.n_actions + a
        places, prob = self._rows.row(i)
        if self._by_next is None:
            rewards = np.full(len(places), self.R[s, a])
        elif isinstance(self._rows, SparseRows):
            rewards = self._by_next[self._rows.start[i] : self._rows.start[i + 1]]
        else:
            rewards = self._by_next[i, places]
        return [out for out in zip(prob.tolist(), places.tolist(), rewards.tolist()) if out[0] > 0]

    def under(self, policy):
        """Return the chain that a policy makes of it: its matrix (S, S) and the expected rewards (S,)."""
        weights = as_policy(self, policy)
        return self._rows.mix(weights), (weights * np.where(self.feasible, self.R, 0.0)).sum(axis=1)

    def with_gamma(self, gamma):
        """Return the same process with another discount."""
        new = copy.copy(self)
        new.gamma = check_number(gamma, "gamma", low=0, high=1)
        return new


def as_policy(mdp, policy, name="policy"):
    """Return a policy, actions (S,) or probabilities (S, A), as probabilities (S, A).

    ``name`` is what messages call it.
    """
    given = np.asarray(policy)
    if given.ndim == 1:
        return _of_actions(mdp, given, name)
    if given.shape != (mdp.n_states, mdp.n_actions):
        raise ValueError(
            f"{name} must hold {mdp.n_states} actions or probabilities ({mdp.n_states}, {mdp.n_actions}); "
            f"got shape {given.shape}."
        )
    weights = as_array(policy, name)
    if (weights < 0).any():
        s, a = np.argwhere(weights < 0)[0]
        raise ValueError(f"{name} must not be negative; {name}[{s}, {a}] is {weights[s, a]:g}.")
    off = np.abs(weights.sum(axis=1) - 1) > 1e-8
    if off.any():
        s = int(off.argmax())
        raise ValueError(f"each row of {name} must sum to one; {name}[{s}] sums to {weights[s].sum():.6g}.")
    if (weights[~mdp.feasible] > 0).any():
        s, a = np.argwhere((weights > 0) & ~mdp.feasible)[0]
        raise ValueError(f"{name}[{s}, {a}] is {weights[s, a]:g}, but action {a} is not possible in state {s}.")
    return weights


def _of_actions(mdp, actions, name):
    if len(actions) != mdp.n_states:
        raise ValueError(f"{name} must hold one action for each of the {mdp.n_states} states; got {len(actions)}.")
    numbers = as_array(actions, name)
    known = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < mdp.n_actions)
    if not known.all():
        s = int(np.argmin(known))
        raise ValueError(f"{name}[{s}] is {actions[s]}; the actions are the whole numbers 0 to {mdp.n_actions - 1}.")
    numbers = numbers.astype(int)
    possible = mdp.feasible[np.arange(mdp.n_states), numbers]
    if not possible.all():
        s = int(np.argmin(possible))
        which = np.flatnonzero(mdp.feasible[s]).tolist()
        raise ValueError(f"{name}[{s}] is {numbers[s]}, which is not possible in state {s}; possible are {which}.")
    return np.eye(mdp.n_actions)[numbers]


def as_values(mdp, V, name="V"):
    """Return values (S,), one for each state."""
    V = as_array(V, name)
    if V.shape == (mdp.n_states, mdp.n_actions) and V.ndim == 2:
        raise ValueError(f"{name} must hold one value for each state, shape ({mdp.n_states},); got {V.shape}: is it Q?")
    if V.shape != (mdp.n_states,):
        raise ValueError(f"{name} must have shape ({mdp.n_states},), one value for each state; got {V.shape}.")
    return V


def from_gymnasium(P, gamma):
    """Return the MDP of a table ``P[s][a] = [(probability, next state, reward, terminated), ...]``.

    ``env.unwrapped.P`` of Gymnasium's tabular environments is one. A state that some transition reaches with
    ``terminated`` is terminal: it leads to itself with reward 0, whatever its own rows say (those of the cliff's goal
    lead on; nobody walks them). An action that a state does not list is not possible there.

    >>> from_gymnasium({0: {0: [(1.0, 1, 5.0, True)]}, 1: {0: [(1.0, 0, 7.0, False)]}}, 0.9).R.tolist()
    [[5.0], [0.0]]
    """
    P = getattr(getattr(P, "unwrapped", P), "P", P)
    table = _read_table(P)
    S, A = len(table), 1 + max(max(row, default=0) for row in table)
    ends = {t for row in table for outcomes in row.values() for _, t, _, over in outcomes if over}
    feasible, mean = np.zeros((S, A), bool), np.zeros((S, A))
    start, places, prob, rewards = [0], [], [], []
    for s, row in enumerate(table):
        for a in range(A):
            outcomes = row.get(a, [])
            if s in ends:
                outcomes = [(1.0, s, 0.0, True)]
            feasible[s, a] = bool(outcomes)
            for p, t, r, _ in outcomes or [(0.0, s, 0.0, False)]:
                places.append(t)
                prob.append(p)
                rewards.append(r)
                mean[s, a] += p * r
            start.append(len(places))
    rows = SparseRows(np.array(start), np.array(places), np.array(prob), S)
    return MDP._of_rows(rows, np.array(rewards, float), mean, feasible, gamma)


def _read_table(P):
    """Return a table P[s][a] as a list of dicts of lists of (float, int, float, bool), or say what is wrong with it."""
    if not hasattr(P, "__getitem__") or not hasattr(P, "__len__") or isinstance(P, str):
        raise ValueError(
            f"P must be a table P[s][a] = [(prob, next, reward, terminated), ...]; got {type(P).__name__}."
        )
    if isinstance(P, dict) and set(P) != set(range(len(P))):
        raise ValueError(f"the states of P must be numbered from 0 to {len(P) - 1}; got {sorted(P, key=str)[:5]}.")
    if len(P) == 0:
        raise ValueError("P is empty; at least one state is needed.")
    return [_read_state(P[s], s, len(P)) for s in range(len(P))]


def _read_state(row, s, n_states):
    pairs = row.items() if isinstance(row, dict) else enumerate(row)
    read = {}
    for a, outcomes in pairs:
        a = check_integer(a, f"an action of P[{s}]", low=0)
        read[a] = [_read_outcome(outcome, s, a, n_states) for outcome in outcomes]
        total = sum(p for p, *_ in read[a])
        if read[a] and abs(total - 1) > 1e-8:
            raise ValueError(f"P[{s}][{a}] must sum to one; it sums to {total:.6g} (state {s}, action {a}).")
    return read


def _read_outcome(outcome, s, a, n_states):
    try:
        p, t, r, over = outcome
    except (TypeError, ValueError):
        raise ValueError(f"P[{s}][{a}] must list (prob, next, reward, terminated); got {outcome!r}.") from None
    p, r = check_number(p, f"a probability of P[{s}][{a}]", low=0), check_number(r, f"a reward of P[{s}][{a}]")
    return p, check_integer(t, f"a next state of P[{s}][{a}]", low=0, high=n_states - 1), r, bool(over)


def _read_transitions(P):
    P = as_array(P, "P")
    if P.ndim != 3 or P.shape[0] != P.shape[2]:
        remedy = ""
        if P.ndim == 3 and P.shape[1] == P.shape[2]:
            remedy = " That is (A, S, S): use P.transpose(1, 0, 2)."
        raise ValueError(f"P must have shape (S, A, S): state, action, next state; got {P.shape}.{remedy}")
    return P


def _read_rewards(R, shape):
    given = np.asarray(R, dtype=object) if isinstance(R, list | tuple) else np.asarray(R)
    if given.shape not in (shape, shape[:2]):
        remedy = ""
        if given.shape == shape[:1] and not any(np.ndim(r) for r in given):
            remedy = f" One reward for each state: use np.repeat(R[:, None], {shape[1]}, axis=1)."
        elif given.shape == (shape[1], shape[0]):
            remedy = " Use R.T."
        raise ValueError(f"R must have shape {shape[:2]} (state, action) or {shape}; got {given.shape}.{remedy}")
    try:
        closed = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("R must hold numbers; it holds something that is none.") from None
    as_array(np.where(np.isneginf(closed), 0.0, closed), "R")
    return closed


def _check_rows(P, feasible):
    low = (P < 0) & feasible[:, :, None]
    if low.any():
        s, a, t = np.argwhere(low)[0]
        raise ValueError(f"P must not be negative; P[{s}, {a}, {t}] is {P[s, a, t]:g}.")
    total = P.sum(axis=2)
    off = feasible & (np.abs(total - 1) > 1e-8)
    if off.any():
        s, a = np.argwhere(off)[0]
        raise ValueError(f"P[{s}, {a}] must sum to one; it sums to {total[s, a]:.6g} (state {s}, action {a}).")


def _names(names, n, what):
    if names is None:
        return list(range(n))
    names = list(names)
    if len(names) != n:
        raise ValueError(f"{what} must hold {n} names; got {len(names)}.")
    return names
