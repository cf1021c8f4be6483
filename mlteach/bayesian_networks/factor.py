"""Factors: tables over a few variables, and the two operations of exact inference (section 11.5)."""

from typing import NamedTuple

import numpy as np


class Factor(NamedTuple):
    """A table of non-negative numbers with one axis per variable; it need not sum to one."""

    names: tuple
    table: np.ndarray

    def __mul__(self, other):
        """Return the product: entries that agree on the shared variables are multiplied."""
        names = (*self.names, *(n for n in other.names if n not in self.names))
        return Factor(names, _spread(self, names) * _spread(other, names))

    def sum_out(self, name):
        """Return the factor without ``name``, summed over its states."""
        axis = self.names.index(name)
        return Factor(self.names[:axis] + self.names[axis + 1 :], self.table.sum(axis=axis))

    def max_out(self, name):
        """Return the factor without ``name``, with the largest entry over its states."""
        axis = self.names.index(name)
        return Factor(self.names[:axis] + self.names[axis + 1 :], self.table.max(axis=axis))

    def restrict(self, states):
        """Return the factor with some variables fixed: ``states`` maps a name to the number of its state."""
        index = tuple(states.get(name, slice(None)) for name in self.names)
        return Factor(tuple(n for n in self.names if n not in states), self.table[index])


def _spread(factor, names):
    """Return the factor's table with its axes in the order of ``names``, of length one where it has none."""
    axes = [factor.names.index(n) for n in names if n in factor.names]
    table = factor.table.transpose(axes)
    return table[tuple(slice(None) if n in factor.names else None for n in names)]
