"""The joint distribution of a few discrete variables, as a table of probabilities (section 3.3)."""

import inspect
import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_vector, check_number, check_probabilities

_ROWS = 24  # a longer table is cut in print


class Outcomes(NamedTuple):
    """The atomic events of a table, one per row, and their probabilities."""

    x: np.ndarray  # (n, d) states
    p: np.ndarray  # (n,)


class JointTable:
    """The joint distribution P(X1, ..., Xd) of discrete variables.

    Marginal      P(x) = sum_y P(x, y)                      (3.3)
    Conditional   P(x | y) = P(x, y) / P(y)                 (3.4)
    Independent   P(x, y) = P(x) P(y)  for all x, y         (3.10)

    Parameters: ``p``, an array with one axis per variable that sums to one; ``names``, the variables in the order of
    the axes; ``states``, for each variable its states in the order of the entries (by default 0, 1, 2, ...). Names
    and states may also come together, as a dict from name to states. A table is never changed: each method returns
    a new one, or a number.

    >>> table = JointTable([[0.4, 0.1], [0.2, 0.3]], {"Sky": ["clear", "grey"], "Wind": ["calm", "strong"]})
    >>> table
    P(Sky, Wind)
           calm  strong
    clear   0.4     0.1
    grey    0.2     0.3
    >>> table.condition(Wind="strong")
    P(Sky | Wind=strong)
    clear  grey
     0.25  0.75
    """

    def __init__(self, p, names, states=None):
        p = check_probabilities(p, "p", axis=None)
        if isinstance(names, Mapping):
            if states is not None:
                raise ValueError("states must be left out when names is a dict from name to states.")
            names, states = list(names), list(names.values())
        self.p = p
        self.p.flags.writeable = False
        self.names = _check_names(names, p)
        self._states = _check_states(states, self.names, p)
        self._given = ()

    @property
    def states(self):
        """The states of each variable: a dict of tuples, copied, so that the table keeps its own."""
        return dict(self._states)

    def marginal(self, *names):
        """Return the table of the named variables, in this order; the others are summed out."""
        names = self._known(names)
        if not names:
            raise ValueError(f"marginal needs at least one variable of {', '.join(map(repr, self.names))}.")
        axes = [self.names.index(name) for name in names]
        p = np.einsum(self.p, range(self.p.ndim), axes)
        return self._new(p, names, self._given)

    def condition(self, evidence=None, /, **states):
        """Return the table of the other variables, given the states of some: ``condition(Wind="calm")``.

        A dict serves names that are no Python identifiers: ``condition({"wind speed": "calm"})``.
        """
        evidence = self._evidence(evidence, states)
        rest = [name for name in self.names if name not in evidence]
        if not evidence or not rest:
            raise ValueError(
                f"condition needs at least one and at most {len(self.names) - 1} variables; got {evidence}."
            )
        p = self.p[self._index(evidence)]
        if p.sum() == 0:
            raise ValueError(f"the condition {_pairs(evidence.items())} has probability zero.")
        return self._new(p / p.sum(), rest, (*self._given, *evidence.items()))

    def independent(self, *groups, given=(), tol=1e-9):
        """Return whether variables are independent: whether their joint is the product of their marginals.

        Each of ``groups`` is a name or a tuple of names; with none, all variables are meant. ``given`` (a name or a
        tuple) asks for independence in every state of these. Independent pairs may still depend as a triple.
        ``tol`` is the largest relative difference taken for rounding.
        """
        tol = check_number(tol, "tol", low=0)
        given = self._known(_tuple(given))
        groups = [self._known(_tuple(g)) for g in groups] or [(n,) for n in self.names if n not in given]
        self._known([name for group in (*groups, given) for name in group])  # each variable at most once
        if len(groups) < 2 or not all(groups):
            raise ValueError(f"independent needs at least two variables or groups; got {groups}.")
        axes = {name: i for i, name in enumerate(self.names)}

        def conditional(names):  # P(names | given), zero where P(given) is; axes not named have length one
            others = tuple(i for name, i in axes.items() if name not in (*names, *given))
            joint = self.p.sum(axis=others, keepdims=True)
            total = joint.sum(axis=tuple(axes[name] for name in names), keepdims=True)
            return np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)

        joint = conditional([name for group in groups for name in group])
        product = np.ones(())
        for group in groups:
            product = product * conditional(group)
        return bool(np.allclose(joint, product, rtol=tol, atol=0))

    def probability(self, event=None, /, **states):
        """Return the probability of an event: given states, or a function of the states that is true in it.

        >>> die = JointTable([1 / 6] * 6, {"Die": [1, 2, 3, 4, 5, 6]})
        >>> round(die.probability(lambda eyes: eyes > 4), 6), round(die.probability(Die=6), 6)
        (0.333333, 0.166667)
        """
        if callable(event) and not states:
            self._takes_all(event, "event")
            return float(sum(p for x, p in self._atoms() if event(*x)))
        evidence = self._evidence(event, states)
        if not evidence:
            raise ValueError("probability needs an event: states of variables, or a function of all states.")
        return float(self.p[self._index(evidence)].sum())

    def expectation(self, f):
        """Return E[f(x1, ..., xd)] = sum_x P(x) f(x); f takes the states in the order of ``names``, where P(x) > 0."""
        if not callable(f):
            raise TypeError(f"f must be a function of the {len(self.names)} states; got {f!r}.")
        self._takes_all(f, "f")
        possible = [(x, p) for x, p in self._atoms() if p > 0]
        values = as_vector([f(*x) for x, _ in possible], "f")
        return float(values @ [p for _, p in possible])

    def outcomes(self):
        """Return the atomic events and their probabilities as arrays: ``covariance(x, p=p)`` takes numeric ones."""
        atoms = list(self._atoms())
        x = np.empty((len(atoms), len(self.names)), dtype=object)
        for i, (states, _) in enumerate(atoms):
            x[i] = states
        return Outcomes(x, np.array([p for _, p in atoms]))

    def __repr__(self):
        given = f" | {_pairs(self._given)}" if self._given else ""
        *rows, columns = (self._states[name] for name in self.names)
        lines = [[*("" for _ in rows), *map(str, columns)]]
        cells = self.p.reshape(-1, len(columns))
        for labels, values in itertools.islice(zip(itertools.product(*rows), cells), _ROWS):
            lines.append([*map(str, labels), *(f"{v:.6g}" for v in values)])
        widths = [max(map(len, column)) for column in zip(*lines)]
        n = len(rows)
        text = [f"P({', '.join(map(str, self.names))}{given})"]
        for line in lines:
            padded = [c.ljust(w) if i < n else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))]
            text.append("  ".join(padded).rstrip())
        if len(cells) > _ROWS:
            text.append(f"... and {len(cells) - _ROWS} rows more")
        return "\n".join(text)

    def _new(self, p, names, given):
        table = JointTable(p, {name: self._states[name] for name in names})
        table._given = given
        return table

    def _atoms(self):
        return zip(itertools.product(*self._states.values()), self.p.ravel())

    def _takes_all(self, f, name):
        try:
            inspect.signature(f).bind(*self.names)
        except TypeError:
            raise TypeError(f"{name} must take one argument per variable: {', '.join(self.names)}.") from None
        except ValueError:
            pass  # a function written in C need not tell its arguments

    def _known(self, names):
        names = tuple(names[0]) if len(names) == 1 and isinstance(names[0], list | tuple) else tuple(names)
        for name in names:
            if name not in self.names:
                raise ValueError(f"the table has no variable {name!r}; it has {', '.join(map(repr, self.names))}.")
        if len(set(names)) < len(names):
            raise ValueError(f"each variable may be named once; got {', '.join(map(repr, names))}.")
        return names

    def _evidence(self, evidence, states):
        if evidence is not None and not isinstance(evidence, Mapping):
            raise TypeError(f"the states must be given as name=state or as a dict; got {evidence!r}.")
        self._known([*(evidence or {}), *states])
        return {**(evidence or {}), **states}

    def _index(self, evidence):
        index = [slice(None)] * len(self.names)
        for name, state in evidence.items():
            states = self._states[name]
            if np.ndim(state) or state not in states:
                raise ValueError(f"{name} has no state {state!r}; it has {', '.join(map(repr, states))}.")
            index[self.names.index(name)] = states.index(state)
        return tuple(index)


def _check_names(names, p):
    if not hasattr(names, "__iter__"):
        raise ValueError(f"names must be a list with one name per axis of p; got {names!r}.")
    if isinstance(names, str):
        raise ValueError(
            f"names must be a list with one name per axis of p; got the string {names!r}. Use [{names!r}]."
        )
    names = tuple(names)
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"names must be strings; got {list(names)}.")
    if len(names) != p.ndim or p.ndim == 0:
        raise ValueError(f"names must have one name per axis of p: p has shape {p.shape}, names are {list(names)}.")
    if len(set(names)) < len(names):
        raise ValueError(f"names must differ; got {list(names)}.")
    return names


def _check_states(states, names, p):
    if isinstance(states, str) or not hasattr(states, "__iter__") and states is not None:
        raise ValueError(f"states must have one list per variable; got {states!r}.")
    states = [range(r) for r in p.shape] if states is None else list(states)
    if len(states) != len(names):
        raise ValueError(f"states must have one list per variable: {len(names)} variables, {len(states)} lists.")
    checked = {}
    for name, values, r in zip(names, states, p.shape):
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise ValueError(f"the states of {name} must be a list; got {values!r}.")
        values = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
        if len(values) != r:
            raise ValueError(f"{name} must have {r} states, as its axis of p; got {len(values)}: {list(values)}.")
        try:
            repeated = len(set(values)) < r
        except TypeError:
            raise ValueError(f"the states of {name} must be hashable; got {list(values)}.") from None
        if repeated:
            raise ValueError(f"the states of {name} must differ; got {list(values)}.")
        checked[name] = values
    return checked


def _tuple(names):
    return tuple(names) if isinstance(names, list | tuple) else (names,)


def _pairs(items):
    return ", ".join(f"{name}={state}" for name, state in items)
