"""Chapter 27: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import mdp as right


def _sweep_in_a_loop(P, R, gamma, V):
    return [
        max(R[s][a] + gamma * sum(p * v for p, v in zip(P[s][a], V)) for a in range(len(R[s]))) for s in range(len(P))
    ]


def _sweep_that_spoils_V(P, R, gamma, V):
    new = right.sweep(P, R, gamma, V)
    V[:] = new
    return new


def _plan_without_its_last_row(P, R, steps):
    V = np.zeros(len(P))
    rows = []
    for _ in range(steps):
        V = (R + P @ V).max(axis=1)
        rows.append(V)
    return np.array(rows[::-1])


def _best_by_isclose_alone(P, R, gamma, V, tol):
    Q = R + gamma * P @ V
    return np.isclose(Q, Q.max(axis=1, keepdims=True), atol=tol, rtol=0)


def _value_by_iteration(P, R, gamma, pi):
    V = np.zeros(len(P))
    for _ in range(3000):
        V = (pi * (R + gamma * (P @ V))).sum(axis=1)
    return V


def _sweeps_by_logarithms(gamma, first_change, epsilon):
    k = np.log(epsilon * (1 - gamma) / first_change) / np.log(gamma)
    return max(1, int(np.ceil(k - 1e-12)))


def _best_as_list(P, R, gamma, V, tol):
    return right.best_actions(P, R, gamma, V, tol).tolist()


def _best_as_numbers(P, R, gamma, V, tol):
    return right.best_actions(P, R, gamma, V, tol).astype(float)


def _plan_by_recursion(P, R, steps):
    if steps == 0:
        return np.zeros((1, len(P)))
    later = _plan_by_recursion(P, R, steps - 1)
    return np.vstack([(R + P @ later[0]).max(axis=1), later])


def _model_pair_by_pair(diary, S, A):
    P, R = np.zeros((S, A, S)), np.zeros((S, A))
    for s in range(S):
        for a in range(A):
            mine = [(r, t) for i, j, r, t in diary if (i, j) == (s, a)]
            P[s, a] = np.bincount([t for _, t in mine], minlength=S) / len(mine) if mine else 1 / S
            R[s, a] = np.mean([r for r, _ in mine]) if mine else 0
    return [P, R]


WRONG = {
    "27.a": [((0.8, 0.2, 0), "lies on one of them"), ((0.1, 0.8, 0.1), ""), ((0, 0.8, 0.1), "counted from 1")],
    "27.b": [
        ((15, 4.5), "come first"),
        ((4.5, 3), "paid for ever"),
        ((4.4, 15), "which power"),
        ((4.5, 13.4), "is 13.72, not 13.4"),
        ((8, 15), "more than"),
        ((3.9, 15), "above 4"),
        ((4.5, float("inf")), "finite sum"),
    ],
    "27.c": [
        ((10, 8), "another order"),
        ((18, 20), "0.9"),
        ((4, 5), "pays 2, not 1"),
        ((9, 10), "0.8 here"),
        ((8, 11), "is 10.8, not 11"),
        ((7, 10), "Is 7 the discounted"),
    ],
    "27.d": [
        ((3.2, 5.2, {0, 1}), "3.2 and staying 5"),
        ((5.2, 3.2, {1}), ""),
        ((8.1, 10.1, {1}), "γ = 0.9"),
        ((3.2, 5.2, []), "Some state changes"),
        ((3.2, 5.2, [0, 0]), "new policy"),
        ((3.2, 5.2, [2]), "called 0 and 1"),
        ((4, 5.2, []), "takes a step"),
    ],
    "27.e": [
        (_sweep_that_spoils_V, ""),
    ],
    "27.f": [
        ((0.04, "S"), "0.90 - 0.18"),
        ((0.2, "L"), "difference of the prizes"),
        ((0.06, "L"), "worth 0.36 and"),
        ((0.04, "LS"), "put 0.02"),
    ],
    "27.g": [
        ((3, {0, 1}), "staying three times"),
        ((4, {0}), "What does going give"),
        ((4, [1, 0, 0]), "action 0 twice"),
        ((4, []), "Some action is optimal"),
        ((4, [2, 2]), "two action values"),
        ((4, (1, 2)), "called 0, stay"),
        ((3, []), "staying three times"),
    ],
    "27.2": [(lambda gamma, first_change, epsilon: 1, "")],
    "27.3": [
        (lambda P, R, gamma, V, tol: np.ones(R.shape, bool), ""),
    ],
    "27.4": [(_plan_without_its_last_row, "shape")],
    "27.5": [
        (lambda diary, S, A: (np.full((S, A, S), 1 / S), np.zeros((S, A))), ""),
    ],
}

RIGHT = {
    "27.a": [(0.8, 0.1, np.float32(0.1))],
    "27.b": [(np.array([4.5]), 15)],
    "27.c": [(8, 10.0)],
    "27.d": [(3.2, 5.2, [1]), (3.2, 5.2, 1)],
    "27.e": [_sweep_in_a_loop],
    "27.f": [(0.04, "l")],
    "27.g": [(4, [0, 1]), (4.0, (1, 0))],
    "27.1": [_value_by_iteration],
    "27.2": [_sweeps_by_logarithms],
    "27.3": [_best_as_list, _best_as_numbers, _best_by_isclose_alone],
    "27.4": [_plan_by_recursion],
    "27.5": [_model_pair_by_pair],
}
