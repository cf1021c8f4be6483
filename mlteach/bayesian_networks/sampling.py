"""Approximate inference by samples: from the prior, rejected, weighted, and by Gibbs (section 11.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.bayesian_networks.graph import children
from mlteach.validation import as_rng, check_integer

_STARTS = 200  # weighted samples among which Gibbs chooses its first state


class Estimate(dict):
    """An estimated distribution, a dict from state to probability, with the samples behind it.

    drawn     (n,) the number of the state that each sample has
    weights   (n,) what each sample counts: 0 or 1 where samples are rejected
    """

    def __init__(self, states, drawn, weights):
        totals = np.bincount(drawn, weights, minlength=len(states))
        super().__init__(zip(states, (totals / totals.sum()).tolist()))
        self.states, self.drawn, self.weights = tuple(states), drawn, weights

    @property
    def effective_size(self):
        """How many equally weighted samples would vary as little: (sum w)^2 / sum w^2 (11.13)."""
        w = self.weights / self.weights.max()
        return float(w.sum() ** 2 / (w @ w))

    def running(self, state):
        """Return the estimate of P(state) after each sample (n,), nan as long as all weights are zero."""
        hit = np.cumsum(self.weights * (self.drawn == self.states.index(state)))
        total = np.cumsum(self.weights)
        return np.divide(hit, total, out=np.full(len(hit), np.nan), where=total > 0)


class WeightedSample(NamedTuple):
    """Complete assignments in which the evidence holds, and their weights."""

    columns: dict  # from each name to the values (n,): numbers of states, or real numbers
    weights: np.ndarray  # (n,), the largest is one


def weighted_sample(net, evidence, n, rng):
    """Draw every variable that is not observed from its table, and weight by the chance of the evidence (11.12)."""
    n, rng = check_integer(n, "n", low=1), as_rng(rng)
    evidence = net.check_evidence(evidence)
    columns, log_w = {}, np.zeros(n)
    for name in net.names:  # parents come first
        if name in evidence:
            columns[name] = np.full(n, net.code(name, evidence[name]))
            with np.errstate(divide="ignore"):
                log_w += np.log(net.chances(name, columns))
        else:
            columns[name] = net.draw_values(name, columns, n, rng)
    top = log_w.max()
    return WeightedSample(columns, np.exp(log_w - top) if np.isfinite(top) else np.zeros(n))


def likelihood_weighting(net, variable, evidence, n, rng):
    """Estimate P(variable | evidence) from weighted samples."""
    net.check_discrete_variable(variable)
    evidence = net.check_evidence(evidence)
    sample = weighted_sample(net, evidence, n, rng)
    if not sample.weights.any():
        raise ValueError(
            f"all {n} weights are zero: the evidence {_pairs(evidence)} is impossible, or so rare that no sample "
            "allows it. Check it with probability(evidence), or draw more."
        )
    return Estimate(net.states[variable], sample.columns[variable], sample.weights)


def rejection_sampling(net, variable, evidence, n, rng):
    """Estimate P(variable | evidence) from the samples of the prior in which the evidence happens to hold (11.11)."""
    net.check_discrete_variable(variable)
    evidence = net.check_evidence(evidence)
    for name in evidence:
        net.check_discrete_variable(name)
    sample = weighted_sample(net, {}, n, rng)
    agrees = np.ones(n, dtype=bool)
    for name, state in evidence.items():
        agrees &= sample.columns[name] == net.code(name, state)
    if not agrees.any():
        raise ValueError(
            f"none of the {n} samples has {_pairs(evidence)}, so nothing is left to count. Draw more, or use "
            "likelihood_weighting, which rejects none."
        )
    return Estimate(net.states[variable], sample.columns[variable], agrees.astype(float))


def gibbs(net, variable, evidence, n, rng, burn_in):
    """Estimate P(variable | evidence) from a walk that redraws one variable at a time, given its blanket (11.14)."""
    net.check_discrete("Gibbs sampling")
    net.check_names([variable])
    n, burn_in = check_integer(n, "n", low=1), check_integer(burn_in, "burn_in", low=0)
    rng, evidence = as_rng(rng), net.check_evidence(evidence)
    # 1. Start where the evidence holds and the joint is not zero
    start = weighted_sample(net, evidence, _STARTS, rng)
    if not start.weights.any():
        raise ValueError(
            f"no start was found for Gibbs sampling: {_STARTS} samples with {_pairs(evidence)} weigh zero. The "
            "evidence is impossible or very rare; probability(evidence) tells which."
        )
    pick = rng.choice(_STARTS, p=start.weights / start.weights.sum())
    x = {name: int(column[pick]) for name, column in start.columns.items()}
    # 2. Sweep: redraw each hidden variable from P(x | blanket)
    hidden = [name for name in net.names if name not in evidence]
    conditionals = [_Conditional(net, name) for name in hidden]
    drawn = np.empty(burn_in + n, dtype=int)
    for sweep in range(burn_in + n):
        for name, conditional, u in zip(hidden, conditionals, rng.random(len(hidden)).tolist()):
            x[name] = conditional.draw(x, u)
        drawn[sweep] = x[variable]
    # 3. Forget the beginning, which remembers the start
    return Estimate(net.states[variable], drawn[burn_in:], np.ones(n))


def walled_off(net, evidence, most=5000):
    """Return into how many parts zeros in the tables divide the cases that are possible with the evidence.

    A walk that changes one variable at a time never leaves the part in which it starts. 1 is said also where there are
    more than ``most`` cases, too many to look at.
    """
    evidence = net.check_evidence(evidence)
    factors = [net.factor(name) for name in net.names]  # parents come first
    if all(factor.table.all() for factor in factors):
        return 1
    # 1. The possible cases, one variable after the other
    cases = [()]
    for name, factor in zip(net.names, factors):
        states = [net.code(name, evidence[name])] if name in evidence else range(len(net.states[name]))
        places = [net.names.index(n) for n in factor.names]
        cases = [(*case, s) for case in cases for s in states if factor.table[tuple((*case, s)[p] for p in places)]]
        if len(cases) > most:
            return 1
    # 2. Walk from case to case until none is left
    left, parts, hidden = set(cases), 0, [k for k, name in enumerate(net.names) if name not in evidence]
    while left:
        queue, parts = [left.pop()], parts + 1
        for case in queue:
            for k in hidden:
                near = {(*case[:k], s, *case[k + 1 :]) for s in range(len(net.states[net.names[k]]))} & left
                left -= near
                queue += near
    return parts


class _Conditional:
    """P(x | Markov blanket), computed when a state of the blanket is first met, then looked up."""

    def __init__(self, net, name):
        self.name, self.known = name, {}
        self.factors = [net.factor(name)] + [net.factor(child) for child in children(net.parents, name)]
        self.blanket = net.markov_blanket(name)

    def draw(self, x, u):
        """Return the state whose share of the unit interval holds ``u``."""
        key = tuple([x[name] for name in self.blanket])
        if key not in self.known:
            around = dict(zip(self.blanket, key))
            p = np.prod([f.restrict(around).table for f in self.factors], axis=0)
            self.known[key] = (np.cumsum(p) / p.sum()).tolist()
        edges = self.known[key]
        state = 0
        while u >= edges[state] and state < len(edges) - 1:
            state += 1
        return state


def _pairs(evidence):
    return ", ".join(f"{name}={state}" for name, state in evidence.items()) or "(none)"
