"""Problems to solve: the tiger, a plant, a pump, and two rooms (sections 32.1, 32.3, 32.12, 32.6)."""

import numpy as np

from mlteach.pomdp.model import POMDP
from mlteach.validation import check_number


def tiger(accuracy=0.85, gamma=0.95, *, listen=-1.0, treasure=10.0, bite=-100.0):
    """Return the tiger behind one of two doors: listen, or open a door; after opening, the tiger is placed anew.

    A growl comes from the right side with probability ``accuracy``; after a door was opened it says nothing.

    ``listen``, ``treasure`` and ``bite`` are what listening and the two doors pay.

    >>> tiger()
    POMDP of 2 states, 3 actions, 2 observations, gamma = 0.95
    """
    q = check_number(accuracy, "accuracy", low=0, high=1)
    stay, anew = np.eye(2), np.full((2, 2), 0.5)
    transition = np.stack([stay, anew, anew], axis=1)
    observation = [[[q, 1 - q], [1 - q, q]], anew, anew]
    pay = [check_number(x, name) for x, name in ((listen, "listen"), (treasure, "treasure"), (bite, "bite"))]
    reward = [[pay[0], pay[2], pay[1]], [pay[0], pay[1], pay[2]]]
    sides = ("left", "right")
    return POMDP(transition, observation, reward, gamma, states=sides, observations=sides,
                 actions=("listen", "open left", "open right"))  # fmt: skip


def thirsty_plant(gamma=0.9):
    """Return a plant whose soil is "moist" or "dry": wait, touch the soil, or water it; leaves are "firm" or "limp".

    Nothing in it is symmetric: moist soil dries with 0.2 a day, water reaches dry soil with 0.9, leaves tell little
    (a dry plant hangs its leaves with 0.6, a moist one with 0.15), a finger in the soil tells more and costs a little.
    """
    transition = np.zeros((2, 3, 2))
    transition[:, 0] = transition[:, 1] = [[0.8, 0.2], [0.05, 0.95]]
    transition[:, 2] = [[0.95, 0.05], [0.9, 0.1]]
    leaves, finger = [[0.85, 0.15], [0.4, 0.6]], [[0.95, 0.05], [0.1, 0.9]]
    reward = [[2.0, 1.5, -1.0], [-4.0, -4.5, -2.5]]
    return POMDP(transition, [leaves, finger, leaves], reward, gamma, states=("moist", "dry"),
                 actions=("wait", "touch", "water"), observations=("firm", "limp"))  # fmt: skip


def worn_pump(gamma=0.95):
    """Return a pump that is "sound", "worn" or "failing": run, inspect or replace it; it is "quiet" or "rattles".

    Three states, so beliefs fill a triangle. It only gets worse by itself; a failing pump runs at a loss.
    """
    worse = [[0.88, 0.1, 0.02], [0.0, 0.8, 0.2], [0.0, 0.0, 1.0]]
    transition = np.stack([worse, worse, np.tile([0.97, 0.03, 0.0], (3, 1))], axis=1)
    running, looking = [[0.9, 0.1], [0.7, 0.3], [0.35, 0.65]], [[0.97, 0.03], [0.25, 0.75], [0.02, 0.98]]
    reward = [[5.0, 3.0, -9.0], [3.0, 1.0, -8.0], [-12.0, -14.0, -7.0]]
    return POMDP(transition, [running, looking, running], reward, gamma, states=("sound", "worn", "failing"),
                 actions=("run", "inspect", "replace"), observations=("quiet", "rattles"))  # fmt: skip


def two_rooms(gamma=1.0):
    """Return Russell and Norvig's two states: room 1 pays 1, "stay" and "go" work with 0.9, the sensor with 0.6."""
    transition = [[[0.9, 0.1], [0.1, 0.9]], [[0.1, 0.9], [0.9, 0.1]]]
    sensor = [[0.6, 0.4], [0.4, 0.6]]
    return POMDP(transition, [sensor, sensor], [[0, 0], [1, 1]], gamma, actions=("stay", "go"))
