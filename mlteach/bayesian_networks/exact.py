"""Exact inference: enumeration walks through every case, elimination sums as early as it can (section 11.5).

Both take a network of discrete variables and return an `Inference`, which counts the multiplications.
"""

import math
from typing import NamedTuple

import numpy as np

from mlteach.bayesian_networks.factor import Factor
from mlteach.bayesian_networks.graph import ancestors


class Inference(NamedTuple):
    """What exact inference found, and what it cost."""

    p: np.ndarray  # P(variable | evidence), one entry per state
    log_evidence: float  # ln P(evidence)
    multiplications: int
    largest: int  # entries of the largest table that was made
    order: tuple  # the variables in the order in which they were summed out


def enumerate_cases(net, variable, evidence=None):
    """Return P(variable | evidence) by walking through all states of all other variables (11.9).

    P(x | e) = alpha sum_y prod_i P(x_i | parents)

    ``net`` is a `BayesNet`.
    """
    evidence = net.check_evidence(evidence)
    names, states, tables = _tables(net, variable)
    fixed = {name: states[name].index(state) for name, state in evidence.items()}
    count = 0

    def total(k, at):
        """Return the sum over the variables from the k-th on, given those before: one branch of the tree."""
        nonlocal count
        name, table = names[k], tables[k]
        result = 0.0
        for state in [fixed[name]] if name in fixed else range(len(states[name])):
            at[name] = state
            p = table.table[tuple(at[n] for n in table.names)]
            if k + 1 < len(names):
                p = p * total(k + 1, at)
                count += 1
            result += p
        return result

    p = np.zeros(len(states[variable]))
    for state in range(len(p)) if variable not in fixed else [fixed[variable]]:
        was, fixed[variable] = fixed.get(variable), state
        p[state] = total(0, {})
        fixed[variable] = was if was is not None else state
    hidden = tuple(n for n in names if n not in evidence and n != variable)
    return Inference(*_normalised(p, evidence), count, 1, hidden)


def eliminate(net, variable, evidence=None, order=None):
    """Return P(variable | evidence) by variable elimination (11.10).

    ``order`` names the variables in the order in which to sum them out; by default the next one is always the one
    whose elimination makes the smallest table.
    """
    evidence = net.check_evidence(evidence)
    names, states, tables = _tables(net, variable)
    fixed = {name: states[name].index(state) for name, state in evidence.items()}
    # 1. Leave out what has no say: variables below which nothing is asked or observed sum to one
    useful = ancestors(net.parents, [variable, *evidence]) if order is None else set(names)
    factors = [f.restrict(fixed) for f, name in zip(tables, names) if name in useful]
    hidden = [n for n in names if n in useful and n not in fixed and n != variable]
    order = _check_order(order, hidden) if order is not None else None

    done, count, largest, log_scale = [], 0, 1, 0.0
    while hidden:
        # 2. Choose the next variable
        touching = _touching(factors, hidden)
        name = order[len(done)] if order else min(hidden, key=lambda n: _size(touching[n]))
        # 3. Multiply the factors that mention it, and sum it out
        product, cost = _multiply(touching[name])
        factors = [f for f in factors if name not in f.names] + [product.sum_out(name)]
        # 4. Keep numbers near one, so that much evidence does not vanish in rounding
        factors[-1], scale = _rescale(factors[-1])
        count, largest, log_scale = count + cost, max(largest, product.table.size), log_scale + scale
        done.append(name)
        hidden.remove(name)
    # 5. Multiply what is left, a few vectors over the query, and normalise
    product, log_scale, cost = _join(factors, log_scale)
    p = np.zeros(len(states[variable]))
    p[fixed.get(variable, slice(None))] = product.table
    p, log_evidence = _normalised(p, evidence)
    return Inference(p, log_evidence + log_scale, count + cost, largest, tuple(done))


def most_probable(net, evidence=None):
    """Return the most probable case given the evidence, a dict, and its probability: elimination, max for sum (11.5.5).

    >>> from mlteach.bayesian_networks import burglary
    >>> case, p = most_probable(burglary(), {"Alarm": True, "Earthquake": True})
    >>> [name for name, value in case.items() if value], round(p, 3)
    (['Earthquake', 'Alarm', 'JohnCalls', 'MaryCalls'], 0.628)
    """
    evidence = net.check_evidence(evidence)
    names, states, tables = _tables(net)
    at = {name: states[name].index(state) for name, state in evidence.items()}
    factors, hidden, trail = [f.restrict(at) for f in tables], [n for n in names if n not in at], []
    while hidden:
        # 1. Multiply the factors that mention the next variable, and keep the largest entry instead of the sum
        touching = _touching(factors, hidden)
        name = min(hidden, key=lambda n: _size(touching[n]))
        product = _multiply(touching[name])[0]
        trail.append((name, product))
        factors = [f for f in factors if name not in f.names] + [_rescale(product.max_out(name))[0]]
        hidden.remove(name)
    if not all(f.table.all() for f in factors):
        _normalised(np.zeros(1), evidence)  # which says that the evidence cannot happen
    # 2. Go back: each variable takes its best state given those chosen already
    for name, product in reversed(trail):
        at[name] = int(product.restrict(at).table.argmax())
    case = {name: states[name][at[name]] for name in names}
    return case, net.joint(case) / (net.probability(evidence) if evidence else 1.0)


def _tables(net, variable=None):
    net.check_names([] if variable is None else [variable])
    net.check_discrete("exact inference by tables")
    return net.names, net.states, [net.factor(name) for name in net.names]


def _touching(factors, names):
    """Return for each of some variables the factors that mention it."""
    touching = {name: [] for name in names}
    for factor in factors:
        for name in factor.names:
            if name in touching:
                touching[name].append(factor)
    return touching


def _size(factors):
    """Return how many entries the product of some factors has."""
    lengths = {n: length for f in factors for n, length in zip(f.names, f.table.shape)}
    return math.prod(lengths.values())


def _multiply(factors):
    """Return the product of some factors, smallest first, and the number of multiplications."""
    product, *rest = sorted(factors, key=lambda f: f.table.size)
    count = 0
    for factor in rest:
        product = product * factor
        count += product.table.size
    return product, count


def _rescale(factor):
    top = float(factor.table.max())
    if top == 0:
        return factor, 0.0
    return Factor(factor.names, factor.table / top), math.log(top)


def _join(factors, log_scale):
    product, count = Factor((), np.ones(())), 0
    for factor in factors:
        count += factor.table.size if product.names and factor.names else 0
        product, scale = _rescale(product * factor)
        log_scale += scale
    return product, log_scale, count


def _normalised(p, evidence):
    total = p.sum()
    if total == 0:
        pairs = ", ".join(f"{name}={state}" for name, state in evidence.items())
        raise ValueError(f"the evidence {pairs} has probability zero: it cannot happen in this network.")
    return p / total, math.log(total)


def _check_order(order, hidden):
    order = list(order)
    if sorted(map(str, order)) != sorted(map(str, hidden)):
        raise ValueError(f"order must name each of {', '.join(map(repr, hidden))} once; got {order}.")
    return order
