"""The small car in the valley: Gymnasium's MountainCar-v0, without Gymnasium (section 30.1)."""

import math

import numpy as np

from mlteach.mdp import Discrete
from mlteach.validation import as_array, as_matrix, as_rng, as_vector, check_choice, check_integer

LOW, HIGH = np.array([-1.2, -0.07]), np.array([0.6, 0.07])  # of position and velocity
GOAL, FORCE, GRAVITY = 0.5, 0.001, 0.0025


class Box:
    """The points between two corners, as Gymnasium's space of that name."""

    def __init__(self, low, high):
        self.low, self.high = np.array(low, np.float32), np.array(high, np.float32)
        self.shape, self.dtype = self.low.shape, np.dtype(np.float32)

    def contains(self, x):
        """Say whether ``x`` is one of them."""
        x = np.asarray(x)
        return bool(x.shape == self.shape and (x >= self.low).all() and (x <= self.high).all())

    __contains__ = contains

    def __repr__(self):
        """Write the corners."""
        return f"Box({self.low.tolist()}, {self.high.tolist()})"


def push(position, velocity, action):
    """Return position and velocity after one step of the car.

    v <- v + 0.001 (a - 1) - 0.0025 cos(3 x), held in [-0.07, 0.07];  x <- x + v, held in [-1.2, 0.6]     (30.1)

    The wall on the left stops the car: there v = 0.

    ``action`` a is 0, 1 or 2.
    """
    velocity += (action - 1) * FORCE - GRAVITY * math.cos(3 * position)
    velocity = min(max(velocity, -0.07), 0.07)
    position = min(max(position + velocity, -1.2), 0.6)
    if position == -1.2 and velocity < 0:
        velocity = 0.0
    return position, velocity


class MountainCar:
    """A car too weak for its hill: actions 0 (back), 1 (nothing), 2 (forward), -1 a step until x >= 0.5.

    ``reset``, ``step`` and the numbers are those of Gymnasium's MountainCar-v0; observations are (position, velocity).

    Parameters
    ----------
    start : "valley" (at rest, x in [-0.6, -0.4], as Gymnasium), or "anywhere" (any position left of the goal, any
        velocity)
    max_steps : number of steps after which an episode is cut off, or None
    rng : seed or Generator, until ``reset`` gets a seed

    >>> car = MountainCar()
    >>> x, v = car.reset(options={"state": (-0.5, 0.0)})[0]
    >>> observation, reward, terminated, truncated, info = car.step(2)
    >>> [f"{value:.5f}" for value in observation], reward, terminated, truncated
    (['-0.49918', '0.00082'], -1.0, False, False)
    """

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, *, start="valley", max_steps=200, rng=0):
        self.start = check_choice(start, "start", ("valley", "anywhere"))
        self.max_steps = None if max_steps is None else check_integer(max_steps, "max_steps", low=1)
        self.action_space, self.observation_space = Discrete(3), Box(LOW, HIGH)
        self._rng, self.state, self._steps, self._over = as_rng(rng), None, 0, True

    @property
    def unwrapped(self):
        """Return the environment itself, as Gymnasium's do."""
        return self

    def reset(self, seed=None, options=None):
        """Begin an episode; ``options={"state": (x, v)}`` begins there."""
        if seed is not None:
            self._rng = as_rng(seed)
        if options and "state" in options:
            given = as_vector(options["state"], "options['state']", length=2, like="position and velocity")
            if (given < LOW).any() or (given > HIGH).any():
                raise ValueError(f"options['state'] must lie in [-1.2, 0.6] x [-0.07, 0.07]; got {given.tolist()}.")
            self.state = tuple(given.tolist())
        elif self.start == "valley":
            self.state = (float(self._rng.uniform(-0.6, -0.4)), 0.0)
        else:
            self.state = (float(self._rng.uniform(-1.2, GOAL)), float(self._rng.uniform(-0.07, 0.07)))
        self._steps, self._over = 0, False
        return np.array(self.state, np.float32), {}

    def step(self, action):
        """Push the car; return observation, reward -1, whether it is up, whether time is up, a dict."""
        if self._over:
            raise ValueError("the episode is over, or has not begun; call reset() first.")
        if action not in self.action_space:
            raise ValueError(f"the actions are 0, 1 and 2; got {action!r}.")
        self.state = push(*self.state, int(action))
        self._steps += 1
        terminated = self.state[0] >= GOAL and self.state[1] >= 0
        truncated = self._steps == self.max_steps and not terminated
        self._over = terminated or truncated
        return np.array(self.state, np.float32), -1.0, terminated, truncated, {}

    def close(self):
        """Do nothing: there is nothing to close."""


def car_model(states):
    """Return what follows from each of many states (n, 2) of the car: next (n, 3, 2), reward (n, 3), ended (n, 3)."""
    states = as_matrix(states, "states", n_features=2)
    x, v = states[:, :1], states[:, 1:]
    v = np.clip(v + (np.arange(3) - 1) * FORCE - GRAVITY * np.cos(3 * x), -0.07, 0.07)
    x = np.clip(x + v, -1.2, 0.6)
    v = np.where((x == -1.2) & (v < 0), 0.0, v)
    return np.stack([x, v], axis=2), np.full(x.shape, -1.0), (x >= GOAL) & (v >= 0)


def height(position):
    """Return the height of the hill at a position, as Gymnasium draws it."""
    return 0.45 * np.sin(3 * as_array(position, "position")) + 0.55


def pump(observation):
    """Return the push that always adds energy: in the direction of the motion.

    ``observation`` is position and velocity.
    """
    return 2 if observation[1] >= 0 else 0


def drive(choose, starts, max_steps=200):
    """Return the return (n,) of a policy from many starts (n, 2) at once, each cut after ``max_steps``.

    ``choose(states)`` gives an action for each of the states (n, 2).
    """
    states, lengths = as_matrix(starts, "starts", n_features=2).copy(), np.zeros(len(starts))
    going = np.ones(len(states), bool)
    for _ in range(check_integer(max_steps, "max_steps", low=1)):
        if not going.any():
            break
        moving = np.flatnonzero(going)
        a = np.asarray(choose(states[moving])).astype(int)
        following, _, ended = car_model(states[moving])
        rows = np.arange(len(moving))
        states[moving], going[moving] = following[rows, a], ~ended[rows, a]
        lengths[moving] += 1
    return -lengths
