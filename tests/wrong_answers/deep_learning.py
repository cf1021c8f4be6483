"""Typical wrong answers to the exercises of chapter 19, each with words that the check must say."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import deep_learning as right

X, G = right.X_B, right.G_B


def _spoils_g(g, a, b):
    shares = right.quotient_shares(g, a, b)
    g *= 0
    return shares


def _loses_axis(g, shape):
    return right.undo_copies(g, shape).reshape([n for n in shape if n != 1])


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


def _listed_rows(g, shape):
    whole = right.undo_copies(g, shape)
    return list(whole) if whole.ndim == 2 else whole


def _row_by_row(g, a, b):
    return [g[i] / b[i] for i in range(len(g))], [-g[i] * a[i] / b[i] ** 2 for i in range(len(g))]


def _stops_at_inputs(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        if not edges[k]:
            break
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


def _stops_at_zero(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        if grads[k] == 0:
            break
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


def _pairs_once(edges):
    return right.backward_pass([sorted(set(pairs)) for pairs in edges])


def _one_step_back(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for j, slope in edges[-1]:
        grads[j] += slope
    return grads


def _mask_from_output(h, g, u, p):
    out = h * (u >= p) / (1 - p)
    return out, g * (out != 0) / (1 - p)


def _array_pass(edges):
    grads = np.zeros(len(edges))
    grads[-1] = 1
    for k in range(len(edges) - 1, -1, -1):
        for j, slope in edges[k]:
            grads[j] = grads[j] + slope * grads[k]
    return grads


def _by_paths(edges):
    """Add up all paths (19.1)."""
    users = [[(k, s) for k in range(len(edges)) for i, s in edges[k] if i == j] for j in range(len(edges))]

    def slope(j):
        return 1.0 if j == len(edges) - 1 else sum(s * slope(k) for k, s in users[j])

    return tuple(slope(j) for j in range(len(edges)))


def _spoils_edges(edges):
    grads = right.backward_pass(edges)
    edges[-1].clear()
    return grads


def _counter(losses, patience):
    best, kept, waited = np.inf, 0, 0
    for k, loss in enumerate(losses):
        if loss < best:
            best, kept, waited = loss, k, 0
        else:
            waited += 1
            if waited == patience:
                return [k, kept]
    return [k, kept]


def _where(h, g, u, p):
    keep = np.where(u < p, 0.0, 1 / (1 - p))
    return keep * h, keep * g


WRONG = {
    "19.a": [
        ((-24, -72), "d sends back"),
        ((120, -72), "c sends back"),
        ((-144, -72), "opposite signs"),
        ((64, 32), "worked example"),
        ((96, -24), "slope a"),
        ((96, 120), "is a, not b"),
        ((96, 32), "worked example"),
        ((96, -36), "2d"),
        ((-4, 3), "2d"),
        ((-2880, -72), "added"),
        ((-96, 72), "sign is wrong"),
        ((-72, 96), "comes second"),
        ((144, -72), "value of L"),
    ],
    "19.b": [
        ((X @ G, [3, -1]), "transpose is missing"),
        ((G @ X.T, [3, -1]), "over the samples"),
        ((G.T @ X, [3, -1]), "transpose"),
        ((X.T @ G / 2, [3, -1]), "mean"),
        ((X.T @ G, G), "copied"),
        ((X.T @ G, [1, 1]), "along the rows"),
        ((X.T @ G, [1.5, -0.5]), "mean"),
        ((X.T @ G, 2), "each output"),
    ],
    "19.c": [
        ((0.01, 1.5**8), "variance"),
        ((200**-0.5, 1.5**8), "tanh"),
        ((0.15, 1.5**8), "1.5 times"),
        ((0.1, 12), "multiply"),
        ((0.1, 1.5**16), "mean square"),
        ((0.1, 1.5), "one layer"),
        ((0.1, 1.5**7), "seven"),
    ],
    "19.d": [
        ((4.0, 1.2**20), "multiply"),
        ((0.2**10, 1.2**20), "here are 20"),
        ((0.0, 1.2**20), "plain part"),
        ((0.2**20, 5.0), "multiply"),
        ((0.2**20, 1.2**10), "here are 20"),
        ((0.2**20, 1 + 0.2**20), "its own short cut"),
        ((1.2**20, 0.2**20), "comes second"),
        ((0.2, 1.2), "one layer"),
        ((1e-14, 38.3), "three significant digits"),
        ((1.1e-14, 38.3), "three significant digits"),
    ],
    "19.e": [
        ((1.7, 0.95**10), "without decay"),
        ((0.7, 0.95**10), "λ itself"),
        ((1.5, 0.95**10), "2λw"),
        ((1.6, 0.5), "power"),
        ((1.6, 0.95), "one step"),
        ((1.6, 1 - 0.95**10), "lost"),
        ((1.6, 2 * 0.95**10), "part of it"),
        ((1.8, 0.95**10), "smaller"),
        ((1.65, 0.95**10), "λw = 1"),
        ((2.2, 0.95**10), "subtract"),
    ],
    "19.f": [
        ((3, 2), "first that is not better"),
        ((5, 4), "not yet patience"),
        ((7, 7), "stopped before"),
        ((6, 6), "not the last"),
        ((6, 7), "never gets there"),
        ((4, 6), "exchanged"),
        ((6, 0.58), "loss"),
        ((7, 5), "counted from 0"),
        ((6, 2), "0.58"),
    ],
    "19.g": [
        ((15, 2.25), "divided by p"),
        ((3, 2.25), "scaled up"),
        ((2.4, 2.25), "older habit"),
        ((3.75, 0.75), "squared"),
        ((3.75, 0.25), "Multiply by h²"),
        ((3.75, 1.44), "without scaling"),
        ((3.75, 11.25), "mean square"),
        ((3.75, 36), "upside down"),
        ((3.75, 1.5), "standard deviation"),
    ],
    "19.1": [
        (lambda g, a, b: (g / b, g * a / b**2), "wrong sign"),
        (lambda g, a, b: (g / b, -g * a / b), "square is missing"),
        (lambda g, a, b: (1 / b, -a / b**2), "Multiply them by g"),
        (lambda g, a, b: (-g * a / b**2, g / b), "exchanged"),
        (lambda g, a, b: (g * b, g * a), "product"),
        (_spoils_g, "changes"),
    ],
    "19.2": [
        (lambda g, shape: g, "nothing was summed"),
        (_loses_axis, "keepdims"),
        (right._mean_of_copies, "mean"),
        (lambda g, shape: np.full(shape, g.sum()), "copied axes only"),
        (right._only_leading, "shape"),
        (lambda g, shape: g.sum(), "whatever"),
        (_bare_number, "axes of length 1"),
        (lambda g, shape: [[1.0], [2.0, 3.0]], "equal length"),
    ],
    "19.3": [
        (right._overwriting, "Shares add"),
        (right._wrong_order, "backwards"),
        (right._slopes_only, "slopes alone"),
        (right._no_start, "dL/dL = 1"),
        (right._all_ones, "begin with 0"),
        (lambda edges: right.backward_pass(edges)[::-1], "opposite order"),
        (lambda edges: right.backward_pass(edges)[:-1], "last entry is missing"),
        (lambda edges: [64.0, 32.0, 16.0, 16.0, 1.0], "One gradient for each"),
        (_spoils_edges, "changes"),
        (_stops_at_inputs, "it should be"),
        (_stops_at_zero, "it should be"),
        (_pairs_once, "it should be"),
        (_one_step_back, "all values"),
    ],
    "19.4": [
        (right._bad_in_a_row, "one before"),
        (right._not_strict, "equal loss"),
        (right._one_more, "too late"),
        (right._whole_best, "whole list"),
        (lambda l, p: right.early_stop(l, p)[::-1], "exchanged"),
        (lambda l, p: (len(l) - 1, int(np.argmin(l))), "never stop"),
        (lambda l, p: (right.early_stop(l, p)[0],) * 2, "last epoch"),
        (lambda l, p: tuple(n + 1 for n in right.early_stop(l, p)), "counted from 0"),
        (lambda l, p: right.early_stop(l, 2), "patience"),
    ],
    "19.5": [
        (lambda h, g, u, p: (h * (u >= p), g * (u >= p)), "scaled up"),
        (lambda h, g, u, p: (h * (u >= p) / (1 - p), g), "lacks the mask"),
        (lambda h, g, u, p: (h * (u >= p) / (1 - p), g * (u >= p)), "lacks the factor"),
        (lambda h, g, u, p: (h * (u < p) / (1 - p), g * (u < p) / (1 - p)), "should be dropped"),
        (lambda h, g, u, p: (h * (u > p) / (1 - p), g * (u > p) / (1 - p)), "at u = p it stays"),
        (lambda h, g, u, p: (h * (u >= p) / p, g * (u >= p) / p), "not by p"),
        (lambda h, g, u, p: right.dropout_pass(h, g, u, p)[::-1], "exchanged"),
        (lambda h, g, u, p: right.dropout_pass(h, g, u, 0.4), "p"),
        (_mask_from_output, "mask from u"),
        (lambda h, g, u, p: (h * (u >= p) / (1 - p), g / (1 - p)), "lacks the mask"),
        (lambda h, g, u, p: (h * (u >= p), g * (u >= p) / (1 - p)), "as you do on the way back"),
    ],
}

RIGHT = {
    "19.a": [(96, -72), [96.0, -72.0], np.array([96, -72], dtype=np.float32)],
    "19.b": [(X.T @ G, np.array([3, -1])), ([[7, -3], [10, -4]], (3, -1)), (X.T @ G, G.sum(axis=0, keepdims=True))],
    "19.c": [(0.1, 25.6), (Fraction(1, 10), 1.5**8), (np.sqrt(2 / 200), 25.63)],
    "19.d": [(1.05e-14, 38.3), (0.2**20, 38.34)],
    "19.e": [(1.6, 0.599), (Fraction(8, 5), 0.95**10), (1.6, 0.6)],
    "19.f": [[6, 4], (6.0, 4.0), np.array([6, 4])],
    "19.g": [(3.75, 2.25), (Fraction(15, 4), 2.25)],
    "19.1": [
        lambda g, a, b: [g / b, -g * (a / b) / b],
        lambda g, a, b: np.array([g / b, -g * a / (b * b)]),
        _row_by_row,
    ],
    "19.2": [_loop_copies, _listed_rows],
    "19.3": [_array_pass, _by_paths],
    "19.4": [_counter, lambda l, p: np.array(right.early_stop(l, p))],
    "19.5": [_where],
}
