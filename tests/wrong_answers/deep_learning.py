"""Answers to the exercises of chapter 19 that no table holds: right ones of another form, and wrong ones."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import deep_learning as right

X, G = right.X_B, right.G_B
LEFT = 0.95**10


def _spoils_g(g, a, b):
    shares = right.quotient_shares(g, a, b)
    g *= 0
    return shares


def _row_by_row(g, a, b):
    return [g[i] / b[i] for i in range(len(g))], [-g[i] * a[i] / b[i] ** 2 for i in range(len(g))]


def _loop_copies(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            g = g.sum(axis=i, keepdims=True)
    return g


def _bare_number(g, shape):
    whole = right.undo_copies(g, shape)
    return whole.item() if whole.size == 1 else whole


def _one_axis_lost(g, shape):
    whole = right.undo_copies(g, shape)
    return whole[0] if shape == (1,) else whole


def _listed_rows(g, shape):
    whole = right.undo_copies(g, shape)
    return list(whole) if whole.ndim == 2 else whole


def _pass_until(stop):
    def answer(edges):
        grads = [0.0] * (len(edges) - 1) + [1.0]
        for k in reversed(range(len(edges))):
            if stop(edges, grads, k):
                break
            for j, slope in edges[k]:
                grads[j] += grads[k] * slope
        return grads

    return answer


def _array_pass(edges):
    grads = np.zeros(len(edges))
    grads[-1] = 1
    for k in range(len(edges) - 1, -1, -1):
        for j, slope in edges[k]:
            grads[j] = grads[j] + slope * grads[k]
    return grads


def _by_paths(edges):
    """Add up all paths (19.1): right, but the work doubles with each doubling."""
    users = [[(k, s) for k in range(len(edges)) for i, s in edges[k] if i == j] for j in range(len(edges))]

    def slope(j):
        return 1.0 if j == len(edges) - 1 else sum(s * slope(k) for k, s in users[j])

    return tuple(slope(j) for j in range(len(edges)))


def _spoils_edges(edges):
    grads = right.backward_pass(edges)
    edges[-1].clear()
    return grads


def _counter(losses, patience, best=np.inf, least=0.0, digits=9):
    kept, waited = 0, 0
    for k, loss in enumerate(losses):
        if round(loss, digits) < best - least:
            best, kept, waited = round(loss, digits), k, 0
        else:
            waited += 1
            if waited == patience:
                return [k, kept]
    return [k, kept]


def _where(h, g, u, p):
    keep = np.where(u < p, 0.0, 1 / (1 - p))
    return keep * h, keep * g


WRONG = {
    "19.a": [((-72, 96), "another order"), ((-4, 3), "2d"), ((216, 108), "sign of b"), ((-160, 200), "exchanged")],
    "19.b": [((X.T @ G, G.T), "dL/db"), (([3, -1], X.T @ G), "another order"), ((X.T @ G, [[3], [1]]), "dL/db")],
    "19.c": [((25.6, 0.1), "another order"), ((0.2 / 2**0.5, 25.6), "2 as well"), ((0.1, 26), "round")],
    "19.d": [((38.3, 1.05e-14), "another order"), ((0.0, 38.3), "not 0"), ((1.0486e-10, 38.3), "plain part is not")],
    "19.e": [
        ((5 - 0.1 * (3 + 0.5 / 2 * 5**2), LEFT), "penalty"), ((5 - 0.1 * (3 + 0.5 * 5**2), LEFT), "λw²"),
        ((4.45, 59.87), "per cent"), ((LEFT, 4.45), "another order"),
    ],
    "19.f": [((4, 6), "another order"), ((7, 7), "stopped before"), ((3, 2), "first that is not better")],
    "19.g": [((2.25, 3.75), "another order"), ((3.75, 2.2), "rounded"), ((3.75, 0.16), "keeping or not")],
    "19.1": [(_spoils_g, "changes its argument g"), (lambda g, a, b: g / b - g * a / b**2, "2 things")],
    "19.2": [
        (lambda g, shape: g.sum(), "over everything"),
        (_bare_number, "axes of length 1 stay"),
        (_one_axis_lost, r"the shape \(\)"),
        (lambda g, shape: [[1.0], [2.0, 3.0]], "equal length"),
    ],
    "19.3": [
        (lambda edges: [64.0, 32.0, 16.0, 16.0, 1.0], "worked example only"),
        (_spoils_edges, "changes its argument edges"),

        (_pass_until(lambda edges, grads, k: grads[k] == 0), "it should be"),


        (_by_paths, "every path"),
    ],
    "19.4": [
        (lambda l, p: right.early_stop(l, 2), "You use patience = 2"),


        (lambda l, p: _counter(l, p, best=5.0), "it should be"),
    ],
    "19.5": [(lambda h, g, u, p: right.dropout_pass(h, g, u, 0.4), "You use p = 0.4")],
}  # fmt: skip

RIGHT = {
    "19.a": [(96, -72), [96.0, -72.0], np.array([96, -72], dtype=np.float32)],
    "19.b": [([[7, -3], [10, -4]], (3, -1)), (X.T @ G, G.sum(axis=0, keepdims=True)), (X.T @ G, [[3], [-1]])],
    "19.c": [(0.1, 25.6), (Fraction(1, 10), 1.5**8), (np.sqrt(2 / 200), 25.63)],
    "19.d": [(1.05e-14, 38.3), (0.2**20, 38.34)],
    "19.e": [(4.45, 0.599), (Fraction(89, 20), LEFT), (4.45, 0.6)],
    "19.f": [[6, 4], (6.0, 4.0), np.array([6, 4])],
    "19.g": [(3.75, 2.25), (Fraction(15, 4), 2.25)],
    "19.1": [lambda g, a, b: np.array([g / b, -g * (a / b) / b]), _row_by_row],
    "19.2": [_loop_copies, _listed_rows],
    "19.3": [_array_pass],
    "19.4": [_counter, lambda l, p: np.array(right.early_stop(l, p))],
    "19.5": [_where],
}
