"""Chapter 25: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math
from itertools import combinations

import numpy as np

from mlteach.exercises import learning_theory as right


def _by_counting_up(h_size, epsilon, delta, consistent):
    n, rate = 0, epsilon if consistent else 2 * epsilon**2
    while math.log(h_size) - rate * n > math.log(delta) + 1e-12:
        n += 1
    return np.array([n])


def _always_140(h_size, epsilon, delta, consistent):
    return 140 if consistent else 700


def _wanted_by_subsets(X):
    points = [tuple(x) for x in X]
    count = 0
    for size in range(len(points) + 1):
        for inside in combinations(range(len(points)), size):
            box = [points[i] for i in inside]
            count += not any(
                box and all(min(b[c] for b in box) <= points[j][c] <= max(b[c] for b in box) for c in (0, 1))
                for j in range(len(points))
                if j not in inside
            )
    return float(count)


def _random_labellings(X):
    """Tries 40 labellings by chance in the place of all."""
    rng, made = np.random.default_rng(0), set()
    for _ in range(40):
        y = rng.integers(2, size=len(X))
        inside, outside = X[y == 1], X[y == 0]
        if len(inside) == 0 or not any(((inside.min(0) <= x) & (x <= inside.max(0))).all() for x in outside):
            made.add(tuple(y))
    return min(len(made), 3)


def _boxes_that_differ(X):
    """Counts the smallest boxes: each belongs to one labelling."""
    groups = (X[list(g)] for size in range(1, len(X) + 1) for g in combinations(range(len(X)), size))
    return 1 + len({(*g.min(axis=0), *g.max(axis=0)) for g in groups})


def _spoils_points(X):
    answer = right.count_rectangles(X)
    X -= X.mean(axis=0)
    return answer


def _radon_by_solve(X):
    """Sets λ of point 0 to 1 and solves for the others."""
    A = np.vstack([X.T, np.ones(len(X))])
    rest = np.linalg.solve(A[:, 1:], -A[:, 0])
    return np.array([0, *(i + 1 for i in range(len(rest)) if rest[i] > 0)])


def _always_opposite_corners(X):
    return [0, 2]


def _union_by_sauer(n, k):
    return sum(math.comb(n, j) for j in range(2 * k + 1))


def _union_by_listing(n, k):
    return sum(
        sum(bit and not (i and y[i - 1]) for i, bit in enumerate(y)) <= k
        for y in ([(m >> i) & 1 for i in range(n)] for m in range(2**n))
    )


def _rectangle_of_the_example(epsilon, delta):
    return 176


def _rectangle_in_numpy(epsilon, delta):
    return float(np.ceil(4 * (np.log(4) - np.log(delta)) / epsilon))


WRONG = {
    "25.a": [((75, 0.5), "per cent"), ((0.5, 0.75), "another order"), ((0.7, 0.5), "not 0.7")],
    "25.b": [
        ((0.0865, 0.0183), "order"),
        ((1.83, 0.0865), "per cent"),
        ((0.0183, 0.05), "the risk"),
        ((0.0183, 0.07), "would be 0.14"),
    ],
    "25.c": [
        ((0.0536, 1440), "base 10"),
        ((0.0814, 3000), "too much"),
        ((0.0814, 3311.4), "not 3311"),
        ((0.0433, 3312), "one setting"),
    ],
    "25.d": [(_always_140, "sample size")],
    "25.e": [((11, 16), "order"), ((15, 10), "empty")],
    "25.f": [(_random_labellings, "number of labellings"), (_spoils_points, "chang")],
    "25.g": [((176, 3), "shattered"), ((4, 176), "order")],
    "25.h": [((0.1686, 2.5), "4/δ"), ((0.1232, 1.83), "4/δ")],
    "25.i": [((2, 2), "tie"), ((1, 3), "wrong")],
    "25.1": [
        (_always_opposite_corners, "whatever it is given"),
    ],
    "25.2": [(lambda n, k: 16, "whatever it is given")],
    "25.3": [(_rectangle_of_the_example, "whatever it is given")],
}

RIGHT = {
    "25.a": [(np.float32(0.75), [0.5])],
    "25.b": [(np.exp(-4), np.sqrt(np.log(20) / 400)), ([0.018], [0.087])],
    "25.c": [(0.0814, 3312.0), (np.array([0.08138]), np.int64(3312))],
    "25.d": [_by_counting_up],
    "25.e": [(16.0, np.array([11]))],
    "25.f": [_wanted_by_subsets, _boxes_that_differ],
    "25.g": [(np.int64(176), 4.0)],
    "25.i": [([1], np.float32(2))],
    "25.1": [_radon_by_solve],
    "25.2": [_union_by_sauer, _union_by_listing],
    "25.3": [_rectangle_in_numpy],
}
