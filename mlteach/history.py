"""The records of a run: all of them, to be replayed, or only the first and the last.

Every iterative estimator has the parameter ``history``. True (the default) keeps one record per iteration, so
``len(history_) == n_iter_ + 1``. False keeps the start and the end of the run; all answers and ``n_iter_`` are the
same, and memory and pickle no longer grow with the number of iterations.

A run whose records would take more than `MOST_BYTES` keeps every second of them, or every fourth, and so on, besides
the first and the last, and ``fit`` says so: a run can still be looked at, and no default fills the memory.
"""

import sys

import numpy as np

from mlteach.validation import check_choice

MOST_BYTES = 2**27  # of the records of one run
RECORD = 300  # bytes of a record without its arrays, about


class History(list):
    """A list of records; with ``whole=False`` each new one takes the place of the last, and the first one stays.

    The first record is the state before the first step, ``n_steps`` the number of those after it, kept or not. Kept
    are the records of every ``every``-th step, and the last one; ``bounded=False`` is for a run that its own learner
    reads in the end, and lifts the limit.

    >>> history = History(whole=False)
    >>> for step in ("start", "first", "second", "third"):
    ...     history.append(step)
    >>> list(history), history.n_steps
    (['start', 'third'], 3)
    """

    def __init__(self, records=(), *, whole, bounded=True):
        super().__init__(records)
        self.whole, self.n_steps = check_choice(whole, "history", (True, False)), len(self) - 1
        self.every, self.bounded, self._most = 1 if whole else sys.maxsize, bounded, sys.maxsize

    def append(self, record):
        """Add the record of one more step."""
        if self.n_steps % self.every and len(self) > 1:
            self.pop()  # it was there as the last one
        super().append(record)
        self.n_steps += 1
        if self.n_steps == 2 and self.whole and self.bounded:
            self._most = max(8, MOST_BYTES // (RECORD + _bytes(record, self[1])))
        if len(self) > self._most:
            self._thin()

    def _thin(self):
        last, kept = self[-1], self[::2]
        self[:] = kept if kept[-1] is last else [*kept, last]
        self.every *= 2


def _bytes(record, before):
    """Return how many bytes a record's arrays take; those that it shares with the record before cost nothing."""
    known = {id(array) for array in _arrays(before)}
    return sum(array.nbytes for array in _arrays(record) if id(array) not in known)


def _arrays(thing):
    """Return the arrays in a record, also in tuples and lists inside."""
    if isinstance(thing, np.ndarray):
        return [thing]
    parts = thing if isinstance(thing, tuple | list) else getattr(thing, "__dict__", {}).values()
    return [array for part in parts for array in _arrays(part)]


def kept(states, whole):
    """Return those of ``states`` that a history keeps: all, or the first and the last.

    >>> kept([5, 4, 3, 2], whole=False), kept([5], whole=False), kept([5, 4, 3], whole=True)
    ([5, 2], [5], [5, 4, 3])
    """
    history = History(whole=whole)
    for state in states:
        history.append(state)
    return list(history)
