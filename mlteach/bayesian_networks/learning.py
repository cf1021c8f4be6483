"""Parameters from data: every row of every table is a count, with or without a prior (section 11.7)."""

from collections.abc import Mapping

import numpy as np

from mlteach.validation import check_number, is_hashable


def count_rows(net, rows):
    """Return for each variable the counts of its states, one row per case of its parents: an array like its table."""
    columns = _columns(net, rows)
    counts = {}
    for name in net.names:
        family = (*net.parents[name], name)
        counts[name] = np.zeros([len(net.states[v]) for v in family])
        np.add.at(counts[name], tuple(columns[v] for v in family), 1)
    return counts


def estimate_tables(net, counts, prior):
    """Return the tables (counts + prior) / (their sum over the states), (11.17); a row without data needs a prior."""
    prior = check_number(prior, "prior", low=0)
    tables = {}
    for name, count in counts.items():
        total = (count + prior).sum(axis=-1, keepdims=True)
        if not total.all():
            case = tuple(int(i) for i in np.argwhere(total[..., 0] == 0)[0])
            given = ", ".join(f"{p}={net.states[p][k]}" for p, k in zip(net.parents[name], case))
            raise ValueError(
                f"no row has {given}, so P({name} | {given}) cannot be counted. Give more data, or a prior above zero."
            )
        tables[name] = (count + prior) / total
    return tables


def _columns(net, rows):
    """Return the numbers of the states, one array (n,) per variable, from a list of dicts or a dict of columns."""
    if not isinstance(rows, Mapping):
        rows = list(rows)
        if not rows or not all(isinstance(row, Mapping) for row in rows):
            raise ValueError("rows must be a list of dicts, one per sample, or a dict of columns, and not empty.")
        for k, row in enumerate(rows):
            missing = [name for name in net.names if name not in row]
            if missing:
                raise ValueError(f"row {k} has no value for {missing[0]!r}; fit needs complete rows.")
        rows = {name: [row[name] for row in rows] for name in net.names}
    missing = [name for name in net.names if name not in rows]
    if missing:
        raise ValueError(f"the data have no column {missing[0]!r}; they have {', '.join(map(repr, rows))}.")
    lengths = {len(rows[name]) for name in net.names}
    if len(lengths) != 1 or lengths == {0}:
        raise ValueError(f"the columns must have one length, above zero; got {sorted(lengths)}.")
    return {name: _codes(net, name, rows[name]) for name in net.names}


def _codes(net, name, values):
    place = {state: k for k, state in enumerate(net.states[name])}
    values = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        return np.array([place[value] for value in values])
    except (KeyError, TypeError):
        odd, k = next((v, k) for k, v in enumerate(values) if not is_hashable(v) or v not in place)
        states = ", ".join(map(repr, net.states[name]))
        raise ValueError(f"{name} has no state {odd!r} (row {k}); it has {states}.") from None
