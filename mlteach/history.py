"""The records of a run: all of them, to be replayed, or only the first and the last.

Every iterative estimator has the parameter ``history``. True (the default) keeps one record per iteration, so
``len(history_) == n_iter_ + 1``. False keeps the start and the end of the run; all answers and ``n_iter_`` are the
same, and memory and pickle no longer grow with the number of iterations.
"""

from mlteach.validation import check_choice


class History(list):
    """A list of records; with ``whole=False`` each new one takes the place of the last, and the first one stays.

    The first record is the state before the first step, ``n_steps`` the number of those after it, kept or not.

    >>> history = History(whole=False)
    >>> for step in ("start", "first", "second", "third"):
    ...     history.append(step)
    >>> list(history), history.n_steps
    (['start', 'third'], 3)
    """

    def __init__(self, records=(), *, whole):
        super().__init__(records)
        self.whole, self.n_steps = check_choice(whole, "history", (True, False)), len(self) - 1

    def append(self, record):
        """Add the record of one more step."""
        if not self.whole:
            del self[1:]
        super().append(record)
        self.n_steps += 1


def kept(states, whole):
    """Return those of ``states`` that a history keeps: all, or the first and the last.

    >>> kept([5, 4, 3, 2], whole=False), kept([5], whole=False), kept([5, 4, 3], whole=True)
    ([5, 2], [5], [5, 4, 3])
    """
    history = History(whole=whole)
    for state in states:
        history.append(state)
    return list(history)
