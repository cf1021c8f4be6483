"""Climb a hill of few dimensions by its value and its gradient (section 17.6): BFGS with backtracking, in a box.

Chapter 05 has the ideas: a quadratic model whose curvature is learned from the gradients seen, and a step that is
halved until the hill really rises.
"""

import numpy as np

LONGEST = 2.0  # of one step, in ln theta: a factor of seven


def climb(value, gradient, start, low, high, *, max_iter, tol):
    """Return the places visited, first the start, and whether the slope fell below ``tol`` in every free direction."""
    theta, H = np.array(start, dtype=float), np.eye(len(start))
    height, slope = value(theta), gradient(theta)
    places = [theta]
    for _ in range(max_iter):
        free = ~((theta <= low) & (slope < 0) | (theta >= high) & (slope > 0))  # a wall holds the others
        if np.abs(slope[free]).max(initial=0.0) <= tol:
            return places, True
        step = np.where(free, np.where(free, slope, 0.0) @ H, 0.0)
        if step @ slope <= 0:  # the learned curvature misleads: take the slope itself
            H, step = np.eye(len(theta)), np.where(free, slope, 0.0)
        step *= min(1.0, LONGEST / np.abs(step).max())
        new = _backtrack(value, theta, height, slope, step, low, high)
        if new is None:
            return places, bool(np.abs(slope[free]).max() <= 1e3 * tol)
        moved, (theta, height) = new[0] - theta, new
        before, slope = slope, gradient(theta)
        H = _learned(H, moved, before - slope)
        places.append(theta)
    return places, False


def _backtrack(value, theta, height, slope, step, low, high):
    """Halve the step until the hill rises by a share of what the slope promises; None if it never does."""
    for k in range(40):
        place = np.clip(theta + step / 2**k, low, high)
        there = value(place)
        if there >= height + 1e-4 * slope @ (place - theta) and there > height:
            return place, there
    return None


def _learned(H, s, d):
    """Return the inverse curvature after a move ``s`` along which the downhill gradient grew by ``d``."""
    if s @ d <= 1e-12 * np.linalg.norm(s) * np.linalg.norm(d):
        return H
    rho = 1 / (s @ d)
    V = np.eye(len(s)) - rho * np.outer(d, s)
    return V.T @ H @ V + rho * np.outer(s, s)
