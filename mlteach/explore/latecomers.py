"""Values that a browser sent before it heard of a reset.

While a player runs, or a slider is dragged, values are on their way from the browser when Reset is pressed, some of
them held back until the kernel has answered an earlier one; and each of them can send the linked control off once more.
They would arrive after the reset and undo it. So after a reset the kernel asks the browser until it has answered three
times with nothing else between, and what arrives until then is put back.
"""

import time

import ipywidgets as W

ROUNDS = 3  # one for what was on its way, one for what was held back, one for what a linked player still sends
PATIENCE = 5.0  # seconds; where no browser answers, values count again after that


class Latecomers:
    """Ask the browser through a trait that nobody sees: it copies ``asks.placeholder`` into ``answers.placeholder``."""

    def __init__(self, asks, answers):
        self._asks, self._link = asks, W.jsdlink((asks, "placeholder"), (answers, "placeholder"))
        self._left, self._end, self._number = 0, 0.0, 0
        answers.observe(self._answered, "placeholder")

    @property
    def expected(self):
        """Whether a value that arrives now may be older than the reset."""
        return self._left > 0 and time.monotonic() < self._end

    def expect(self):
        """Begin: a reset has just happened."""
        self._end = time.monotonic() + PATIENCE
        self.again()

    def again(self):
        """Begin to count again: a late value has just been put back."""
        self._left = ROUNDS
        self._ask()

    def free(self):
        """Give the link back."""
        self._link.close()

    def _ask(self):
        self._number += 1
        self._asks.placeholder = str(self._number)

    def _answered(self, change):
        if change.new == str(self._number) and self.expected:
            self._left -= 1
            if self._left:
                self._ask()
