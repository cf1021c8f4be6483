"""Models of the chapter, ready made: casino (section 31.1), umbrella, fog, fork, traffic light, a robot's corridor."""

import numpy as np

from mlteach.hidden_markov.emissions import GaussianEmission
from mlteach.hidden_markov.model import HMM
from mlteach.validation import check_integer, check_number


def umbrella(stay=0.7, seen_in_rain=0.9, seen_when_dry=0.2):
    """Return the umbrella world: states rain, dry; symbols umbrella, none. Symmetric, so it hides mistakes.

    ``stay`` is the chance of the same weather, ``seen_in_rain`` and ``seen_when_dry`` are those of an umbrella.
    """
    A = [[stay, 1 - stay], [1 - stay, stay]]
    return HMM([0.5, 0.5], A, [[seen_in_rain, 1 - seen_in_rain], [seen_when_dry, 1 - seen_when_dry]])


def fog():
    """Return a lopsided twin: states foggy, clear; symbols lamp on, lamp off. It shows a transposed matrix at once."""
    return HMM([0.3, 0.7], [[0.6, 0.4], [0.1, 0.9]], [[0.7, 0.3], [0.1, 0.9]])


def fork():
    """Return the smallest model whose most likely states form an impossible path; its one symbol says nothing."""
    return HMM([0.4, 0.3, 0.3], [[1, 0, 0], [0, 1, 0], [0, 1, 0]], [[1.0], [1.0], [1.0]])


def casino(switch=0.05, back=0.1, six=0.5):
    """Return the occasionally dishonest casino: a fair and a loaded die; symbols 0 to 5 are the spots less one.

    ``switch`` is the chance to take the loaded die, ``back`` that of the fair one again, ``six`` that of a six with the
    loaded die.
    """
    loaded = [(1 - six) / 5] * 5 + [six]
    return HMM([0.5, 0.5], [[1 - switch, switch], [back, 1 - back]], [[1 / 6] * 6, loaded])


def traffic_light():
    """Return a light seen in photos: red, amber, green in turn; a photo gives a noisy hue in degrees."""
    A = [[0.90, 0.00, 0.10], [0.50, 0.50, 0.00], [0.00, 0.15, 0.85]]
    return HMM([0.5, 0.1, 0.4], A, GaussianEmission([5.0, 45.0, 130.0], [400.0, 900.0, 1600.0]))


def corridor(doors=(2, 5, 11, 13), cells=18, stay=0.3, reliability=0.9):
    """Return a robot in a corridor: states are cells; it reads "door" (1) or "wall" (0), rightly so often.

    It stays with probability ``stay``; otherwise three moves of four go right, one goes left; walls hold it back.

    ``doors`` are the cells with a door, ``reliability`` is how often it reads rightly.
    """
    cells = check_integer(cells, "cells", low=2)
    stay = check_number(stay, "stay", low=0, high=1)
    right = check_number(reliability, "reliability", low=0, high=1)
    A = np.zeros((cells, cells))
    for i in range(cells):
        for j, p in ((i, stay), (min(i + 1, cells - 1), 0.75 * (1 - stay)), (max(i - 1, 0), 0.25 * (1 - stay))):
            A[i, j] += p
    door = np.isin(np.arange(cells), doors)
    return HMM(np.full(cells, 1 / cells), A, np.where(door[:, None], [1 - right, right], [right, 1 - right]))
