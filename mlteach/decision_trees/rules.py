"""Rules: IF a conjunction of tests THEN an answer (section 12.2.2)."""

from typing import NamedTuple

import numpy as np


class Condition(NamedTuple):
    """One test: the column ``feature`` (its number is ``column``) compared with ``value`` by "=", "<=" or ">"."""

    feature: str
    sign: str
    value: object
    column: int

    def holds(self, X):
        """Return for each row of ``X`` whether the test is true."""
        if self.sign == "=":
            return np.array([row[self.column] == self.value for row in np.asarray(X, dtype=object)], dtype=bool)
        x = np.asarray(X)[:, self.column]
        return x <= self.value if self.sign == "<=" else x > self.value

    def __str__(self):
        value = f"{self.value:.4g}" if isinstance(self.value, float | np.floating) else self.value
        return f"{self.feature} {self.sign} {value}"


class Rule(NamedTuple):
    """IF all ``conditions`` hold THEN ``label``.

    >>> print(Rule((Condition("Outlook", "=", "Sunny", 0), Condition("Humidity", "=", "High", 2)), "No"))
    IF Outlook = Sunny AND Humidity = High THEN No
    """

    conditions: tuple
    label: object

    def covers(self, X):
        """Return for each row of ``X`` whether all conditions hold."""
        covered = np.ones(len(X), dtype=bool)
        for condition in self.conditions:
            covered &= condition.holds(X)
        return covered

    @property
    def answer(self):
        """The label as text, a number to four digits."""
        return f"{self.label:.4g}" if isinstance(self.label, float | np.floating) else str(self.label)

    def __str__(self):
        tests = " AND ".join(map(str, self.conditions))
        return f"IF {tests} THEN {self.answer}" if tests else f"ALWAYS {self.answer}"


def simplified(conditions):
    """Return the conditions of a path without those that a later, tighter one makes idle.

    >>> wide, tight = Condition("x1", "<=", 3.0, 0), Condition("x1", "<=", 2.0, 0)
    >>> [str(c) for c in simplified((wide, tight))]
    ['x1 <= 2']
    """
    last = {(c.column, c.sign): c for c in conditions}  # deeper in the tree is tighter
    return tuple(last.values())
