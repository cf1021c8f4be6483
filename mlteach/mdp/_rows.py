"""Two ways to keep the rows p(. | s, a) of a transition table: all of them, or only what is not zero.

Both answer the same three questions, so that no algorithm has to know which one it works with. A grid of 2,500 states
has 25 million entries, of which 30,000 are not zero.
"""

import numpy as np

SMALL = 20_000  # entries up to which a dense table is always kept
SPARSE = 0.1  # share of entries that are not zero below which a larger one is not
MANY = 2000  # entries from which scipy multiplies
FEW = 400  # states up to which a linear system is solved by numpy alone


class DenseRows:
    """A table (S * A, S)."""

    def __init__(self, table):
        self.table = table

    def expect(self, V):
        """Return sum_s' p(s' | row) V(s') for every row."""
        return self.table @ V

    def row(self, i):
        """Return the places and the probabilities of row ``i`` that are not zero."""
        places = np.flatnonzero(self.table[i])
        return places, self.table[i, places]

    def dense(self):
        """Return the whole table."""
        return self.table

    def matrix(self):
        """Return the table as one of scipy's sparse matrices."""
        from scipy.sparse import csr_array

        return csr_array(self.table)

    def stay(self):
        """Return the probability (S, A) that the next state is the present one."""
        S = self.table.shape[1]
        return np.einsum("sas->sa", self.table.reshape(S, -1, S))

    def mix(self, weights):
        """Return the matrix (S, S) of the chain that takes the action a in s with probability weights[s, a]."""
        S, A = weights.shape
        return np.einsum("sa,sat->st", weights, self.table.reshape(S, A, S))


class SparseRows:
    """The entries that are not zero, row by row: those of row i stand from ``start[i]`` to ``start[i + 1]``.

    No row is empty; one without entries holds a single probability 0.
    """

    def __init__(self, start, next, prob, n_states):
        self.start, self.next, self.prob, self.n_states = start, next, prob, n_states
        self._matrix = None

    @classmethod
    def of_table(cls, table):
        """Return the rows of a dense table (S * A, S)."""
        table = table.copy()
        empty = ~table.any(axis=1)
        table[empty, 0] = 1  # a place holder, whose probability is put back below
        rows, places = np.nonzero(table)
        prob = np.where(empty[rows], 0.0, table[rows, places])
        start = np.searchsorted(rows, np.arange(len(table) + 1))
        return cls(start, places, prob, table.shape[1])

    def expect(self, V):
        """Return sum_s' p(s' | row) V(s') for every row."""
        if len(self.prob) < MANY:
            return np.add.reduceat(self.prob * V[self.next], self.start[:-1])
        if self._matrix is None:
            self._matrix = self.matrix()
        return self._matrix @ V

    def row(self, i):
        """Return the places and the probabilities of row ``i``."""
        part = slice(self.start[i], self.start[i + 1])
        return self.next[part], self.prob[part]

    def dense(self):
        """Return the whole table (S * A, S)."""
        table = np.zeros((len(self.start) - 1, self.n_states))
        np.add.at(table, (self.row_of_each(), self.next), self.prob)
        return table

    def matrix(self):
        """Return the table as one of scipy's sparse matrices."""
        from scipy.sparse import csr_array

        return csr_array((self.prob, self.next, self.start), shape=(len(self.start) - 1, self.n_states))

    def stay(self):
        """Return the probability (S, A) that the next state is the present one."""
        rows, A = self.row_of_each(), (len(self.start) - 1) // self.n_states
        return np.bincount(rows, self.prob * (self.next == rows // A), len(self.start) - 1).reshape(-1, A)

    def mix(self, weights):
        """Return the chain's matrix (S, S): an array where it is small, else one of scipy's."""
        S, A = weights.shape
        rows = self.row_of_each()
        prob = self.prob * weights.ravel()[rows]
        used = np.flatnonzero(prob)
        rows, places, prob = rows[used] // A, self.next[used], prob[used]
        if S <= FEW:
            matrix = np.zeros((S, S))
            np.add.at(matrix, (rows, places), prob)
            return matrix
        from scipy.sparse import csr_array

        return csr_array((prob, (rows, places)), shape=(S, S))

    def row_of_each(self):
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


def rows_of(table):
    """Return a table (S * A, S) in the form that suits it."""
    few = np.count_nonzero(table) < SPARSE * table.size
    return SparseRows.of_table(table) if few and table.size > SMALL else DenseRows(table)


def solve(matrix, gamma, r):
    """Return the solution of (I - gamma * matrix) v = r, for an array or one of scipy's matrices."""
    if isinstance(matrix, np.ndarray):
        return np.linalg.solve(np.eye(len(r)) - gamma * matrix, r)
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import spsolve

    return spsolve((eye_array(len(r)) - gamma * matrix).tocsc(), r)


def row_max(Q):
    """Return the largest entry of every row of Q (S, A); column by column, since rows are short."""
    best = Q[:, 0]
    for a in range(1, Q.shape[1]):
        best = np.maximum(best, Q[:, a])
    return best
