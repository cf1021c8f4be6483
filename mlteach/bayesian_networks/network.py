"""The Bayesian network: a graph, a table for each variable, and what can be asked of them (sections 11.2 and 11.3)."""

import itertools
import math
import numbers
import warnings
from collections.abc import Mapping

import numpy as np

from mlteach.bayesian_networks import exact, graph, learning, sampling
from mlteach.bayesian_networks.factor import Factor
from mlteach.bayesian_networks.hybrid import LinearGaussian, Probit
from mlteach.probability import JointTable
from mlteach.validation import ConvergenceWarning, NotFittedError, as_rng, check_choice, is_hashable

_METHODS = {"elimination": exact.eliminate, "enumeration": exact.enumerate_cases}
_LARGEST = 2**22  # entries of the largest full joint table that is built


class BayesNet:
    """A joint distribution as a product of small tables, one for each variable given its parents.

    Joint   P(x_1, ..., x_n) = prod_i P(x_i | parents of X_i)                                           (11.3)

    >>> net = BayesNet()
    >>> net.add("Rain", table=0.2)
    BayesNet(Rain)
    >>> net.add("Wet", ("Rain",), {True: 0.9, False: 0.1})
    BayesNet(Rain, Rain -> Wet)
    >>> round(net.joint({"Rain": True, "Wet": True}), 4)
    0.18
    >>> {state: round(p, 4) for state, p in net.query("Rain", {"Wet": True}).items()}
    {True: 0.6923, False: 0.3077}
    """

    def __init__(self):
        self._parents, self._states, self._laws = {}, {}, {}

    # --- Building -------------------------------------------------------------------------------------------------

    def add(self, name, parents=(), table=None, states=(True, False)):
        """Add a variable below parents that are already there; return the network.

        table    P(name=True) for a Boolean variable, or a list with one probability per state, or a dict from state to
                 probability; with parents, a dict from the tuple of their values to such a number, list or dict (one
                 parent's value may stand alone). A `LinearGaussian` makes the variable continuous, a `Probit` gives it
                 a continuous parent; a dict from the values of the discrete parents chooses among
                 several. None: learn it with `fit`.
        states   the values that a discrete variable can take
        """
        parents = (parents,) if isinstance(parents, str) else tuple(parents)
        self._check_new(name, parents)
        cases = table.values() if isinstance(table, Mapping) else [table]
        continuous = any(isinstance(case, LinearGaussian) for case in cases)
        own = None if continuous else _check_states(name, states)
        law = self._law(name, parents, table, own)
        self._parents[name], self._states[name], self._laws[name] = parents, own, law
        return self

    def _law(self, name, parents, table, own):
        """Return the checked table as an array, or a dict from the discrete parents' case to a continuous law."""
        discrete = [p for p in parents if self._states[p] is not None]
        real = len(parents) - len(discrete)
        if table is None and own is not None and not real:
            return None
        if own is not None and not real:
            return _check_table(name, parents, self._states, table, own)
        kind = LinearGaussian if own is None else Probit
        if kind is Probit and (real != 1 or set(own) != {True, False}):
            raise ValueError(f"{name} has {real} continuous parents; a Probit makes a Boolean child of exactly one.")
        cases = _check_cases(name, discrete, self._states, table)
        for case, law in cases.items():
            if not isinstance(law, kind):
                raise ValueError(f"{name} needs a {kind.__name__} for {_case(discrete, case)}; got {law!r}.")
            if kind is LinearGaussian and len(law.weights) != real:
                raise ValueError(f"{name} has {real} continuous parents; {law!r} has {len(law.weights)} weights.")
        return cases

    def _check_new(self, name, parents):
        if not isinstance(name, str) or not name:
            raise ValueError(f"the name of a variable must be text; got {name!r}.")
        if name in parents:
            raise ValueError(f"{name} cannot be its own parent: the arrow would close the cycle {name} -> {name}.")
        if name in self._parents:
            below = [p for p in parents if p in graph.descendants(self._parents, name)]
            if below:
                raise ValueError(f"{below[0]} depends on {name}; an arrow back from it would close a cycle.")
            raise ValueError(f"the network already has a variable {name!r}.")
        unknown = [p for p in parents if p not in self._parents]
        if unknown:
            raise ValueError(
                f"{name} has the parent {unknown[0]!r}, which the network does not have ({self._known()}). Add parents "
                "before their children; where no such order exists, the arrows close a cycle."
            )
        if len(set(parents)) < len(parents):
            raise ValueError(f"the parents of {name} must differ; got {', '.join(map(repr, parents))}.")

    # --- What it is ------------------------------------------------------------------------------------------------

    @property
    def names(self):
        """The variables in the order in which they were added: parents before children."""
        return tuple(self._parents)

    @property
    def parents(self):
        """A dict from each variable to the tuple of its parents."""
        return dict(self._parents)

    @property
    def states(self):
        """A dict from each variable to the tuple of its states, None for a continuous one."""
        return dict(self._states)

    @property
    def n_parameters(self):
        """How many numbers must be given: for each case of the parents one less than there are states."""
        self.check_discrete("counting parameters")
        sizes = {name: len(states) for name, states in self._states.items()}
        return sum((sizes[v] - 1) * math.prod(sizes[p] for p in group) for v, group in self._parents.items())

    def table(self, name):
        """Return P(name | parents) as a new array: one axis per parent in their order, the last for ``name``."""
        return self.factor(name).table.copy()

    def children(self, name):
        """Return the variables that have ``name`` as a parent."""
        return graph.children(self._parents, *self.check_names([name]))

    def markov_blanket(self, name):
        """Return parents, children and the children's other parents."""
        return graph.markov_blanket(self._parents, *self.check_names([name]))

    def d_separated(self, x, y, given=()):
        """Return whether the arrows alone make x and y independent given the rest; each is a name or several."""
        X, Y, Z = (self.check_names((part,) if isinstance(part, str) else part) for part in (x, y, given))
        if not X or not Y or len({*X, *Y, *Z}) < len(X) + len(Y) + len(Z):
            raise ValueError(f"x, y and given must be distinct variables, x and y not empty; got {X}, {Y}, {Z}.")
        return graph.d_separated(self._parents, X, Y, Z)

    def __repr__(self):
        arrows = [f"{' + '.join(group)} -> {v}" if group else v for v, group in self._parents.items()]
        return f"BayesNet({', '.join(arrows)})"

    # --- What it answers ---------------------------------------------------------------------------------------------

    def joint(self, values):
        """Return P(x_1, ..., x_n), a density where variables are continuous, for a value of every variable (11.3)."""
        values = self.check_evidence(values)
        missing = [name for name in self.names if name not in values]
        if missing:
            raise ValueError(
                f"joint needs a value of every variable; {', '.join(missing)} is missing. For the probability of a "
                "part use probability(...)."
            )
        columns = {name: np.array([self.code(name, value)]) for name, value in values.items()}
        return float(np.prod([self.chances(name, columns)[0] for name in self.names]))

    def query(self, variable, evidence=None, method="elimination"):
        """Return P(variable | evidence) as a dict from state to probability; the method is exact either way.

        ``method`` is "elimination" (11.10) or "enumeration" (11.9), which takes a time exponential in the number of
        variables.
        """
        answer = _METHODS[check_choice(method, "method", tuple(_METHODS))](self, variable, evidence)
        return dict(zip(self._states[variable], answer.p.tolist()))

    def marginals(self, evidence=None):
        """Return P(variable | evidence) of every variable: a dict of dicts."""
        return {name: self.query(name, evidence) for name in self.names}

    def probability(self, event):
        """Return the probability that some variables have the given values: ``probability({"Alarm": True})``."""
        event = self.check_evidence(event)
        if not event:
            raise ValueError("probability needs an event: a dict from variables to their values.")
        try:
            return math.exp(exact.eliminate(self, next(iter(event)), event).log_evidence)
        except ValueError as error:
            if "probability zero" in str(error):
                return 0.0
            raise

    def most_probable(self, evidence=None):
        """Return the most probable case of all variables given the evidence, a dict, and its probability."""
        return exact.most_probable(self, evidence)

    def joint_table(self):
        """Return the full joint distribution as chapter 03's JointTable: one entry for every case of all variables."""
        self.check_discrete("the joint table")
        shape = [len(states) for states in self._states.values()]
        if math.prod(shape) > _LARGEST:
            raise ValueError(f"the joint table of {len(shape)} variables has {math.prod(shape):,} entries; too many.")
        product = Factor(self.names, np.ones(shape))
        for name in self.names:
            product = product * self.factor(name)
        return JointTable(product.table, self.states)

    # --- Samples ------------------------------------------------------------------------------------------------------

    def sample(self, n=1, rng=0):
        """Draw n samples, each a dict with a value of every variable, parents before children."""
        columns = sampling.weighted_sample(self, {}, n, rng).columns
        plain = {name: self._decode(name, column) for name, column in columns.items()}
        return [dict(zip(plain, row)) for row in zip(*plain.values())]

    def rejection_sampling(self, variable, evidence=None, n=1000, rng=0):
        """Estimate P(variable | evidence): draw n samples, throw away those that disagree with the evidence."""
        return sampling.rejection_sampling(self, variable, evidence, n, rng)

    def likelihood_weighting(self, variable, evidence=None, n=1000, rng=0):
        """Estimate P(variable | evidence): fix the evidence, draw the rest, weight by the chance of the evidence."""
        return sampling.likelihood_weighting(self, variable, evidence, n, rng)

    def gibbs(self, variable, evidence=None, n=1000, rng=0, burn_in=100):
        """Estimate P(variable | evidence) by n sweeps that redraw each hidden variable given its Markov blanket.

        Tables with zeros can hold the walk in one part of the cases for ever, nearly certain ones for long (11.9.1):
        the estimate is then steady and wrong. A warning says so where zeros part the cases (if there are not too many
        to look at). Compare walks from several seeds, or with `likelihood_weighting`.
        """
        found = sampling.gibbs(self, variable, evidence, n, rng, burn_in)
        parts = sampling.walled_off(self, evidence)
        if parts > 1:
            words = (
                f"zeros in the tables divide the possible cases into {parts} parts, and a walk of Gibbs never leaves "
                "the one in which it starts: the estimate may be steady and wrong. Use query or likelihood_weighting."
            )
            warnings.warn(words, ConvergenceWarning, stacklevel=2)
        return found

    def weighted_sample(self, evidence=None, n=1000, rng=0):
        """Return n samples with the evidence fixed and their weights; for averages over continuous variables.

        ``columns`` holds numbers of states for discrete variables and real numbers for continuous ones.
        """
        return sampling.weighted_sample(self, evidence, n, as_rng(rng))

    # --- Learning -----------------------------------------------------------------------------------------------------

    def fit(self, rows, prior=0.0):
        """Learn all tables from complete samples, and return the network (11.15, 11.17).

        rows    a list of dicts such as `sample` returns, or a dict from each variable to its column of values
        prior   how many samples are imagined beforehand for every entry of every table; 0 is maximum likelihood
        """
        self.check_discrete("fit")
        counts = learning.count_rows(self, rows)
        self._laws = learning.estimate_tables(self, counts, prior)
        self.counts_ = counts
        return self

    # --- For the algorithms -------------------------------------------------------------------------------------------

    def factor(self, name):
        """Return the table of a discrete variable as a `Factor` over its parents and itself."""
        self.check_names([name])
        law = self._laws[name]
        if law is None:
            raise NotFittedError(f"{name} has no table yet; give one to add, or learn all of them with fit.")
        if not isinstance(law, np.ndarray):
            raise ValueError(f"{name} has no table of numbers: it, or a parent of it, is continuous.")
        return Factor((*self._parents[name], name), law)

    def gaussian(self, name):
        """Return the `LinearGaussian` of a continuous variable without discrete parents."""
        self.check_names([name])
        law = self._laws[name]
        if not isinstance(law, dict) or not isinstance(law.get(()), LinearGaussian):
            raise ValueError(f"{name} is not linear-Gaussian with continuous parents only.")
        return law[()]

    def chances(self, name, columns):
        """Return for each row of ``columns`` the chance or density of its value of ``name`` given its parents (n,)."""
        own = columns[name]
        if self._is_table(name):
            return self.factor(name).table[tuple(columns[p] for p in self._parents[name]) + (own,)]
        result = np.zeros(len(own))
        for law, here, real in self._split(name, columns, len(own)):
            if isinstance(law, LinearGaussian):
                result[here] = law.pdf(own[here], real)
            else:
                p = law.probability(real[0])
                is_true = own[here] == self._states[name].index(True)
                result[here] = np.where(is_true, p, 1 - p)
        return result

    def draw_values(self, name, columns, n, rng):
        """Return one value of ``name`` for each of the n rows of its parents' columns (n,)."""
        if self._is_table(name):
            cumulative = self.factor(name).table.cumsum(axis=-1)
            edges = cumulative[tuple(columns[p] for p in self._parents[name])]
            return (rng.random(n)[..., None] >= edges[..., :-1]).sum(axis=-1)
        result = np.zeros(n)
        for law, here, real in self._split(name, columns, n):
            if isinstance(law, LinearGaussian):
                result[here] = law.draw(real, rng) if real else rng.normal(law.intercept, law.sigma, here.sum())
            else:
                result[here] = rng.random(here.sum()) >= law.probability(real[0])
        return result if self._states[name] is None else self._boolean_codes(name, result)

    def code(self, name, value):
        """Return the number of a state, or the value itself of a continuous variable."""
        return value if self._states[name] is None else self._states[name].index(value)

    def check_names(self, names):
        """Return the names as a tuple, or say which of them the network does not have."""
        names = tuple(names)
        for name in names:
            if not isinstance(name, str) or name not in self._parents:
                raise ValueError(f"the network has no variable {name!r}; {self._known()}.")
        return names

    def check_evidence(self, evidence):
        """Return evidence as a dict from name to one of its states, or say what is wrong with it."""
        evidence = {} if evidence is None else evidence
        if not isinstance(evidence, Mapping):
            raise TypeError(f"evidence must be a dict from variables to values; got {evidence!r}.")
        self.check_names(evidence)
        return {name: self._value(name, value) for name, value in evidence.items()}

    def check_discrete(self, what):
        """Refuse a network with continuous variables."""
        real = [name for name, states in self._states.items() if states is None]
        if not self._parents:
            raise ValueError("the network is empty; add a variable first.")
        if real:
            raise ValueError(
                f"{what} needs discrete variables, and {real[0]} is continuous. Use likelihood_weighting or "
                "weighted_sample."
            )

    def check_discrete_variable(self, name):
        """Refuse a continuous variable where states are to be counted."""
        self.check_names([name])
        if self._states[name] is None:
            raise ValueError(f"{name} is continuous and has no states to count; use weighted_sample.")

    def _value(self, name, value):
        states = self._states[name]
        if states is None:
            if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
                raise ValueError(f"{name} is continuous and needs a finite number; got {value!r}.")
            return float(value)
        if np.ndim(value) or not is_hashable(value) or value not in states:
            raise ValueError(f"{name} has no state {value!r}; it has {', '.join(map(repr, states))}.")
        return states[states.index(value)]

    def _is_table(self, name):
        return not isinstance(self._laws[name], dict)

    def _split(self, name, columns, n):
        """Yield each continuous law with the rows to which it applies, and their continuous parents' values."""
        discrete = [p for p in self._parents[name] if self._states[p] is not None]
        real = [p for p in self._parents[name] if self._states[p] is None]
        for case, law in self._laws[name].items():
            here = np.ones(n, dtype=bool)
            for parent, value in zip(discrete, case):
                here &= columns[parent] == self.code(parent, value)
            if here.any():
                yield law, here, [columns[p][here] for p in real]

    def _boolean_codes(self, name, is_false):
        states = self._states[name]
        return np.where(is_false.astype(bool), states.index(False), states.index(True))

    def _decode(self, name, column):
        states = self._states[name]
        return column.tolist() if states is None else [states[k] for k in column.tolist()]

    def _known(self):
        return f"it has {', '.join(map(repr, self._parents))}" if self._parents else "it is empty"


def _check_states(name, states):
    if isinstance(states, str) or not hasattr(states, "__iter__"):
        raise ValueError(f"the states of {name} must be a list of values; got {states!r}.")
    states = tuple(states.tolist() if isinstance(states, np.ndarray) else states)
    if not all(map(is_hashable, states)) or len(set(states)) < len(states) or len(states) < 2:
        raise ValueError(f"the states of {name} must be two or more different values; got {list(states)}.")
    return states


def _check_table(name, parents, states, table, own):
    """Return P(name | parents) as an array from a number, a list, or a dict with one of them for each case."""
    if not parents:
        return _check_row(name, _check_cases(name, parents, states, table)[()], own, f"P({name})")
    cases = _check_cases(name, parents, states, table)
    result = np.zeros([*(len(states[p]) for p in parents), len(own)])
    for case, row in cases.items():
        at = tuple(states[p].index(value) for p, value in zip(parents, case))
        result[at] = _check_row(name, row, own, f"P({name} | {_case(parents, case)})")
    return result


def _check_cases(name, parents, states, table):
    """Return the table as a dict with exactly one entry for each case of the discrete parents."""
    if not parents:
        return {(): table.get((), table)} if isinstance(table, Mapping) else {(): table}
    if not isinstance(table, Mapping):
        n = math.prod(len(states[p]) for p in parents)
        raise ValueError(
            f"the table of {name} must be a dict from the values of {', '.join(parents)} ({n} cases) to "
            f"probabilities; got {table!r}."
        )
    given = {key if isinstance(key, tuple) else (key,): row for key, row in table.items()}
    cases = list(itertools.product(*(states[p] for p in parents)))
    missing, extra = [c for c in cases if c not in given], [c for c in given if c not in cases]
    if extra:
        raise ValueError(f"the table of {name} has an entry {extra[0]}, which is no case of {', '.join(parents)}.")
    if missing:
        raise ValueError(f"the table of {name} has no entry for {_case(parents, missing[0])}.")
    return {case: given[case] for case in cases}


def _check_row(name, row, own, what):
    """Return one distribution over the states ``own``: a number is P(True) of a Boolean variable."""
    if isinstance(row, numbers.Real) and not isinstance(row, bool):
        if set(own) != {True, False}:
            raise ValueError(f"{what} needs a list with one probability for each of {list(own)}; got {row!r}.")
        row = [row if state else 1 - row for state in own]
    if isinstance(row, Mapping):
        if set(row) != set(own):
            raise ValueError(f"{what} must have one entry for each of {list(own)}; got {list(row)}.")
        row = [row[state] for state in own]
    try:
        p = np.array([float(value) for value in row])
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be a probability, or a list of them for {list(own)}; got {row!r}.") from None
    if len(p) != len(own):
        raise ValueError(f"{what} must have {len(own)} entries, one for each of {list(own)}; got {len(p)}.")
    if not np.isfinite(p).all() or (p < 0).any() or (p > 1).any():
        raise ValueError(f"{what} must hold probabilities between 0 and 1; got {row!r}.")
    if abs(p.sum() - 1) > 1e-8:
        raise ValueError(f"{what} must sum to one; it sums to {p.sum():.9g}.")
    return p / p.sum()


def _case(parents, case):
    return ", ".join(f"{p}={value}" for p, value in zip(parents, case)) or "no parents"
