"""Tasks and exercises of chapter 27: laws, returns, Bellman's equations, sweeps, flips, ties, deadlines, models."""

import math

import numpy as np

from mlteach.exercises.tasks import chosen, number, spelt, task

task("27.a", "What may follow",
    start="Where does it go if it slides to the left of up, and where if it slides to the right?",
    hints=["It goes up with 0.8. Left of up is left, right of up is right; each has 0.1.",
           "To the left is the wall, so it stays. To the right is the pit."],
    top=number("The probability of the top row", 0.8, to=6e-3, slips="""
        0.9 | That is the probability not to fall. If it slides to the left, the wall keeps it where it is.
        1   | It may slide off: 0.8 is for where it wants to go.
        0.6 | 0.2 is for both sides together, 0.1 each: 0.8 remain.
        0   | Rows and columns are counted from 1: it stands in the middle row, between wall and pit.
        0.1 | That is one of the two sides. Up is where it wants to go.
        """),
    pit=number("The probability of the pit", 0.1, to=6e-3, slips="""
        0.2 | 0.2 is for both sides together; the pit lies on one of them.
        0   | It wants to go up, but it may slide to the right.
        0.8 | That is for where it wants to go.
        """),
    stay=number("The probability to stay", 0.1, to=6e-3, slips="""
        0   | Where would it slide to on the left? There is a wall.
        0.2 | Only one of the two sides is a wall.
        0.8 | That is for where it wants to go.
        """),
    right="Right. A wall is one more place where the agent may end: the present one.",
    explanation="Up with 0.8. It slides right with 0.1, into the pit, and left with 0.1, against the wall: it stays.",
)  # fmt: skip

task("27.b", "Two returns",
    start="Which power of γ stands before the first reward, and which before the third?",
    hints=["4 + 0.5 · 0 + 0.25 · 2.", "3 for ever: 3(1 + γ + γ² + …) = 3/(1 - γ)."],
    three=number("The first return", "4 + 0.5 * 0 + 0.5**2 * 2", to=6e-3, slips="""
        5    | The third reward is two steps late: γ², not γ.
        6    | That is the sum without a discount.
        2.25 | The first reward is not discounted: it starts with γ⁰ = 1.
        3    | That would be the rewards in reverse: 2, 0, 4.
        15   | That is the return of the endless rewards. The three rewards come first.
        4.25 | The third reward is two steps late: γ², not γ³.
        5.28 | That has γ = 0.8, which is for the endless rewards.
        """),
    ever=number("The endless return", "3 / (1 - 0.8)", to=6e-3, slips="""
        5     | That is 1/(1 - γ), for a reward of 1.
        3.75  | That is 3/γ. A geometric series has the sum 1/(1 - γ).
        12    | The first reward is not discounted: the series starts with 1.
        0.6   | That is 3(1 - γ). Divide.
        6     | That has γ = 0.5, which is for the three rewards.
        30    | That has γ = 0.9.
        np.inf | With γ < 1 the series has a finite sum: late rewards count for less and less.
        """),
    right="Right. And 1/(1 - γ) is about how many steps ahead the agent looks: 5 here.",
    explanation="4 + 0 + 0.25 · 2 = 4.5, and 3/(1 - 0.8) = 15.",
)  # fmt: skip

task("27.c", "Bellman by hand",
    start="Which of the two equations has one unknown only?",
    hints=["V(1) = 2 + 0.8 V(1).", "V(0) = 0 + 0.8 V(1)."],
    V0=number("V(0)", "0.8 * 2 / (1 - 0.8)", to=6e-3, slips="""
        5    | That is for staying in 0. This policy goes.
        18   | That is for γ = 0.9.
        10   | One step passes before state 1 is reached: discount its value once.
        9    | γ is 0.8 here, and going from state 0 pays nothing: V(0) = 0 + 0.8 V(1).
        4    | That is 0.8 · 5. Staying in state 1 pays 2, not 1.
        2    | That is 0.8 · 2.5. V(1) = 2 + 0.8 V(1), so V(1) is not 2/γ.
        6.4  | That is discounted twice. One step passes.
        1.6  | That counts one reward in state 1. It is paid for ever.
        0    | Going pays nothing at once, but what follows has a value.
        """),
    V1=number("V(1)", "2 / (1 - 0.8)", to=6e-3, slips="""
        20   | That is for γ = 0.9.
        4    | That is V = 0.8 · 5 for going. This policy stays in state 1.
        2    | That is the first reward alone.
        5    | Staying in state 1 pays 2, not 1.
        2.5  | That is 2/γ. V(1) = 2 + 0.8 V(1).
        """),
    right="Right. With γ = 0.8, too, this is the best policy.",
    explanation="V(1) = 2 + 0.8 V(1) gives 10, and V(0) = 0.8 · 10 = 8.",
)  # fmt: skip

task("27.d", "A greedy step",
    start="What does the first step pay, and where does it lead? From there on V holds.",
    hints=["Q(0, go) = 0 + 0.8 · V(1). Q(1, stay) = 2 + 0.8 · V(1).", "Compare each with the value of its own state."],
    go=number("Q(0, go)", 3.2, to=6e-3, slips="""
        4    | Go leads from 0 to 1 and takes a step: 0.8 · V(1).
        8    | That is the optimal value. Q_π goes on with the policy as it is, V(1) = 4.
        4.2  | Going pays nothing, not 1.
        5    | That is V(0), the value of staying.
        5.2  | That is Q(1, stay). Q(0, go) comes first.
        8.1  | That is the example of the text, with γ = 0.9. Here γ = 0.8.
        3.6  | That has γ = 0.9. Here γ = 0.8.
        """),
    stay_here=number("Q(1, stay)", 5.2, to=6e-3, slips="""
        6    | Stay leads from 1 to 1 and takes a step: 2 + 0.8 · V(1).
        10   | That is staying for ever. Q_π stays once and follows the policy from then on.
        3.2  | Staying in 1 pays 2 at once.
        4    | That is V(1), the value of going.
        4.8  | The reward comes at once: only V(1) is discounted.
        4.2  | Staying pays 2 in state 1, not 1.
        10.1 | That is the example of the text, with γ = 0.9. Here γ = 0.8.
        5.6  | That has γ = 0.9. Here γ = 0.8.
        """),
    changed=chosen("The set of states that change", {1}, 2, noun="state", slips="""
        {0, 1} | In state 0, going is worth 3.2 and staying 5.
        {0}    | In state 0, going is worth 3.2 and staying 5. Look at state 1.
        """),
    right="Right. The next round changes state 0 as well: only then does state 1 have its full value.",
    explanation="Q(0, go) = 0.8 · 4 = 3.2 < 5: keep staying. Q(1, stay) = 2 + 3.2 = 5.2 > 4: change.",
)  # fmt: skip


def sweep(P, R, gamma, V):
    Q = R + gamma * (P @ V)
    return Q.max(axis=1)


TWO_P = np.array([[[1.0, 0], [0, 1]], [[0, 1], [1, 0]]])
TWO_R = np.array([[1.0, 0], [2, 0]])
P3 = np.array([[[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]], [[0, 0.4, 0.6], [1, 0, 0]], [[0.25, 0.25, 0.5], [0.1, 0.6, 0.3]]])
R3 = np.array([[1.0, -2], [0.5, 3], [-1, 2.5]])
SHUT = np.array([[1.0, -np.inf], [0.5, 3], [-np.inf, 2.5]])
V3 = np.array([4.0, -1.5, 7])
BARRED = np.array([[1.0, -2], [-np.inf, 3], [-np.inf, 2.5]])  # the row of a barred action holds zeros


def sweep_in_place(P, R, gamma, V):
    V = np.array(V, dtype=float)
    for s in range(len(V)):
        V[s] = (R[s] + gamma * (P[s] @ V)).max()
    return V


def reward_inside(P, R, gamma, V):
    return (P * (R[:, :, None] + gamma * V)).sum(axis=2).max(axis=1)


task("27.e", "The heart of value iteration", sweep,
    cases=[(TWO_P, TWO_R, 0.9, np.array([1.0, 2])), (P3, R3, 0.7, V3), (P3, SHUT, 0.7, V3), (P3, R3, 1.0, -V3),
           (P3, -R3, 0.5, V3), (TWO_P, TWO_R, 0.9, np.zeros(2)), (TWO_P, TWO_R, 0.9, np.array([10.0, 20])),
           (P3, BARRED, 0.8, V3)],
    what="The new values",
    start="For each state and action: what is paid at once, and what is expected to follow?",
    hints=["Q[s, a] = R[s, a] + gamma * sum over s' of P[s, a, s'] * V[s'].",
           "P @ V has shape (S, A). Then the maximum over a."],
    slips=["""
        R + gamma * (P @ V) => gamma * (R + P @ V) | The reward comes at once; only what follows is discounted.
        gamma * (P @ V) => (P @ V) | The discount is missing.
        R + gamma * (P @ V) => gamma * (P @ V) | The rewards are missing.
        return Q.max(axis=1) => return Q[np.arange(len(Q)), R.argmax(axis=1)] | That takes the action with the best
            reward *now*. The best action has the largest sum of reward and what follows.
        return Q.max(axis=1) => return R.max(axis=1) + gamma * (P @ V).max(axis=1) | One action must serve for both:
            add first, then take the maximum.
        P @ V => np.where(P > 0, V, -np.inf).max(axis=2) | The next state is drawn: average V with P, do not pick the
            best.
        Q.max(axis=1) => Q[:, 0] | That is the first action alone. Take the best one.
        Q.max(axis=1) => Q.mean(axis=1) | That is the mean over the actions, the random policy. Take the best one.
        Q.max(axis=1) => Q.argmax(axis=1) | Those are the actions. Asked are the values: max, not argmax.
        Q.max(axis=1) => Q.max(axis=0) | The maximum runs over the actions, for each state: the other axis.
        Q.max(axis=1) => Q.min(axis=1) | That is the worst action.
        P @ V => P.transpose(2, 1, 0) @ V | P[s, a, s'] is summed over s', its last index.
        R + gamma * (P @ V) => R + gamma * V[:, None] | What follows
            is the value of the *next* state, averaged with P, not that of the present one.
        return Q.max(axis=1) => return Q | Those are the action values. The new value of a state is the best of them.
        """,
        (sweep_in_place, "A sweep sees the old values alone: you use new ones as soon as they are there."),
        (reward_inside, "0 · (−∞) is not a number: add R outside the sum over s', where nothing multiplies it."),
    ],
    right="Right. Repeat it and you have value iteration: the next cell does.",
    explanation="Q = R + gamma * (P @ V) has shape (S, A); its maximum over the actions is the new value.",
)  # fmt: skip

task("27.f", "Two lines cross",
    start="Write both values as lines in the cost c. Where are they equal?",
    hints=["0.90 - 9c = 0.70 - 4c.", "0.20 = 5c. At a smaller cost the prize counts more."],
    cost=number("The cost", 0.04, to=6e-4, slips="""
        0.2          | That is the difference of the prizes. Divide it by the difference of the steps.
        5            | That is the difference of the steps.
        25           | Divide the other way round: prize over steps.
        0.1          | Prize over steps of the long way alone. Both ways cost: take differences.
        0.175        | Prize over steps of the short way alone. Both ways cost: take differences.
        1.6 / 13     | Subtract, do not add: 0.90 - 0.70 and 9 - 4.
        0.2 / 13     | The steps are subtracted too: 9 - 4.
        0.2 / 9      | Those are the steps of the long way alone: divide by the difference, 9 - 4.
        0.2 / 4      | Those are the steps of the short way alone: divide by the difference, 9 - 4.
        0.54         | That is the value at the crossing. Asked is the cost there.
        0.075        | That is a difference of quotients. Divide the difference of the prizes by that of the steps.
        """),
    way=spelt("The better way", "L", "LS", slips="""
        S | At 0.02 the long way is worth 0.90 - 0.18 and the short one 0.70 - 0.08.
        """),
    right="Right. Below 0.04 the long, safe way; above it the short one.",
    explanation="0.90 - 9c = 0.70 - 4c at c = 0.04. At 0.02: 0.72 against 0.62.",
)  # fmt: skip

task("27.g", "Three steps to go",
    start="With one step to go: V₁ = (1, 2). What then with two, and with three?",
    hints=["Two to go in state 0: stay 1 + V₁(0), go 0 + V₁(1).",
           "V₂ = (2, 4). Three to go in state 0: 1 + 2 or 0 + 4."],
    value=number("V₃(0)", 4, to=6e-3, slips="""
        3    | That is staying three times. What if it goes first?
        3.42 | That has the discount 0.9. Here there is none.
        2    | That is with two steps to go.
        6    | That is V₃(1), from the other state.
        5    | Going takes a step and pays nothing: then two steps remain.
        """),
    actions=chosen("The set of actions", {0, 1}, 2, noun="action", slips="""
        {0}   | Staying gives 1 + 1. What does going give?
        {1}   | Going gives 0 + 2. What does staying give?
        """),
    right="Right. With one step to go stay, with two a tie, with three go: the clock decides.",
    explanation="V₁ = (1, 2). Two to go in 0: stay 1 + 1, go 0 + 2, a tie. V₂ = (2, 4), so V₃(0) = max(1 + 2, 0 "
    "+ 4) = 4.",
)  # fmt: skip


def value_of(P, R, gamma, pi):
    P_pi = np.einsum("sa,sat->st", pi, P)
    r_pi = (pi * R).sum(axis=1)
    return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi)


PI3 = np.array([[0.2, 0.8], [1, 0], [0.55, 0.45]])


def values_of_the_best(P, R, gamma, pi):
    V = np.zeros(len(P))
    for _ in range(1000):
        V = (R + gamma * (P @ V)).max(axis=1)
    return V


task("27.1", "A policy that draws lots", value_of,
    cases=[(TWO_P, TWO_R, 0.9, np.full((2, 2), 0.5)), (P3, R3, 0.7, PI3), (P3, R3, 0.0, PI3),
           (P3, -R3, 0.95, PI3[::-1])],
    what="The values",
    start="Which chain does the policy make? Average rows and rewards over the actions first.",
    hints=["P_pi[s, s'] = sum over a of pi[s, a] P[s, a, s'].", "Solve (I - gamma P_pi) V = r_pi."],
    slips=["""
        gamma * P_pi => P_pi.T * gamma | The matrix is transposed: row s holds the law of what follows s.
        (pi * R).sum(axis=1) => R.mean(axis=1) | Weigh the rewards with the policy; you took all actions alike.
        (pi * R).sum(axis=1) => R.max(axis=1) | That is the best reward. The policy draws its action.
        "sa,sat->st", pi, P => "sa,sat->st", np.full(pi.shape, 1 / pi.shape[1]), P | Weigh the
            rows of P with the policy; you took all actions alike.
        return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => return r_pi + gamma * P_pi @ r_pi | Two steps
            are not for ever: solve the system.
        - gamma * P_pi => + gamma * P_pi | The sign: V - γ P V = r.
        np.einsum("sa,sat->st", pi, P) => P[np.arange(len(P)), pi.argmax(axis=1)] ;; (pi * R).sum(axis=1) =>
            R[np.arange(len(P)), pi.argmax(axis=1)] | That follows the likeliest action alone. The policy draws lots.
        np.einsum("sa,sat->st", pi, P) => P.mean(axis=1) ;; (pi * R).sum(axis=1) => R.mean(axis=1) | You took all
            actions alike. Weigh rows and rewards with the policy.
        """,
        (values_of_the_best, "Those are the values of the best policy. This one draws lots, whatever is best."),
    ],
    right="Right. A random policy is a policy: one linear system.",
    explanation="P_pi and r_pi are averages over the actions; then (27.5).",
)  # fmt: skip


def sweeps_needed(gamma, first_change, epsilon):
    k = 1
    while gamma**k / (1 - gamma) * first_change > epsilon:
        k += 1
    return k


def sweeps_by_logarithm(gamma, first_change, epsilon):
    return math.log(epsilon * (1 - gamma) / first_change) / math.log(gamma)


task("27.2", "How many sweeps?", sweeps_needed,
    cases=[(0.9, 2.0, 1e-6), (0.5, 3.0, 0.3), (0.5, 4.0, 1.0), (0.99, 1.0, 0.01), (0.8, 0.001, 10.0), (0.3, 40.0, 1e-3),
           (0.75, 5.0, 5.0)],
    what="The number of sweeps",
    start="By how much can the k-th sweep change a value, if the first changed it by first_change?",
    hints=["The k-th change is at most γ^(k-1) times the first.",
           "(27.12): the error after k sweeps is at most γ^k/(1 - γ) times first_change."],
    slips=["""
        gamma**k / (1 - gamma) * first_change => gamma**k * first_change | That bounds
            the next change. The error may be 1/(1 - γ) times as large.
        gamma**k / (1 - gamma) * first_change => gamma ** (k - 1) / (1 - gamma) * first_change | One sweep
            too many: the k-th change is γ^(k-1) times the first, and the error γ/(1 - γ) times that.
        gamma**k / (1 - gamma) * first_change => gamma ** (k - 1) * first_change | That is
            the k-th change itself. The error is up to γ/(1 - γ) times as large.
        gamma**k / (1 - gamma) => gamma**k * (1 - gamma) | Divide by 1 - γ.
        k = 1 => k = 0 | At least one sweep: first_change is known only after it.
        first_change > epsilon => first_change > 10 * epsilon | The error must be at most epsilon.
        gamma**k / (1 - gamma) => gamma ** (k + 1) / (1 - gamma) | One γ too many: the k-th change is γ^(k-1) times the
            first.
        first_change > epsilon => first_change >= epsilon | A bound that equals epsilon is good enough: stop there.
        """,
        (
            lambda *given: math.ceil(sweeps_by_logarithm(*given)),
            "At least one sweep: first_change is known only after it.",
        ),
        (lambda *given: max(1, sweeps_by_logarithm(*given)), "A number of sweeps is whole: round up."),
        (
            lambda *given: max(1, math.floor(sweeps_by_logarithm(*given))),
            "Round up: with fewer sweeps the bound is above epsilon.",
        ),
        (
            lambda *given: max(1, round(sweeps_by_logarithm(*given))),
            "Round up, always: with fewer sweeps the bound is above epsilon.",
        ),
    ],
    right="Right. The bound is safe, and often far too large: the sweeps of the 4 × 3 world needed fewer.",
    explanation="Changes shrink: ‖V_k - V_(k-1)‖ ≤ γ^(k-1) first_change. With (27.12) the error is at most "
    "γ^k/(1 - γ) first_change.",
)  # fmt: skip


def best_actions(P, R, gamma, V, tol):
    Q = R + gamma * (P @ V)
    return Q >= Q.max(axis=1, keepdims=True) - tol


TIED = np.array([[1.0, 1.0 + 1e-12], [2, 1], [5, 5.5]])
EVEN = np.array([[1.0, 1.0], [2, 1], [5, 5.5]])
LARGE = 1000 + np.array([[0.0, 1e-3], [2, 1], [5, 5.5]])
SAME = np.repeat(np.array([[0.2, 0.3, 0.5], [0.1, 0.9, 0], [1, 0, 0]])[:, None], 2, axis=1)

task("27.3", "All of them", best_actions,
    cases=[(TWO_P, TWO_R, 0.9, np.array([18.0, 20]), 1e-9), (P3, R3, 0.5, V3, 0.0), (SAME, TIED, 0.5, V3, 1e-8),
           (SAME, TIED, 0.5, V3, 0.6), (P3, SHUT, 0.7, V3, 1e-9),
           (P3, R3, 0.9, V3, 2.0), (SAME, TIED - 7, 0.5, -V3, 1e-8), (SAME, EVEN, 0.5, V3, 1e-8),
           (P3, R3, 0.2, 2 * V3, 1e-8), (SAME, LARGE, 0.5, V3, 1e-8), (SAME, LARGE, 0.5, V3, 2e-3)],
    what="The set of best actions",
    start="What is the best action value of each state, and which ones come within tol of it?",
    hints=["Q = R + gamma * (P @ V).", "Compare Q with its row maximum, kept as a column."],
    slips=["""
        Q.max(axis=1, keepdims=True) - tol => Q.max() - tol | Each state has its own best value: the maximum of its row.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q == Q.max(axis=1, keepdims=True) | Two action
            values that differ by a rounding error are a tie: use tol.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.arange(Q.shape[1]) == Q.argmax(axis=1)[:, None] | argmax names
            one action. All that tie are asked for.
        R + gamma * (P @ V) => gamma * (P @ V) | The rewards belong to the action values.
        R + gamma * (P @ V) => R + P @ V | The discount is missing.
        Q.max(axis=1, keepdims=True) => V[:, None] | Compare with the best of the row: V is given, and need not be V*.
        axis=1 => axis=0 | The maximum runs over the actions of a state: the other axis.
        - tol => + tol | Within tol *below* the best.
        - tol => - 1e-8 | Your tolerance is a fixed number. Use tol, whatever it is.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q <= Q.min(axis=1, keepdims=True) + tol | Those are the worst
            actions.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.abs(Q - V[:, None]) <= tol | Compare with the
            best of the row: V is given, and need not be V* here.
        Q >= Q.max(axis=1, keepdims=True) - tol => R >= R.max(axis=1, keepdims=True) - tol | Those pay
            best now. Compare action values, with what follows.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.isclose(Q, Q.max(axis=1, keepdims=True), atol=tol) | np.isclose
            adds a relative tolerance of its own, 1e-5: set rtol=0.
        """,
    ],
    right="Right. Sets can be compared; the first index of a maximum cannot.",
    explanation="Q >= Q.max(axis=1, keepdims=True) - tol.",
)  # fmt: skip


def plan_values(P, R, steps):
    V = np.zeros((steps + 1, len(P)))
    for t in range(steps - 1, -1, -1):
        V[t] = (R + P @ V[t + 1]).max(axis=1)
    return V


task("27.4", "Backward in time", plan_values,
    cases=[(TWO_P, TWO_R, 3), (P3, R3, 4), (P3, SHUT, 2), (P3, R3, 0), (P3, R3, 1)],
    what="The table of values",
    start="Which row is known at once, and which one follows from it?",
    hints=["The last row is 0: no step to go.", "V[t] = max over a of R + P @ V[t + 1], for t = steps - 1, ..., 0."],
    slips="""
        return V => return V[::-1] | Row 0 has all steps to go, the last row none: the table is upside down.
        R + P @ V[t + 1] => P @ V[t + 1] | The rewards are missing.
        .max(axis=1) => .mean(axis=1) | The best action, not the mean over the actions.
        range(steps - 1, -1, -1) => range(steps) | Every row has the best reward at once
            and nothing else: going forward, V[t + 1] is not known yet. Go backward.
        return V => return V[:-1] | The last row, with no step to go, belongs to the table.
        R + P @ V[t + 1] => R + 0.9 * P @ V[t + 1] | There is no discount here.
        range(steps - 1, -1, -1) => range(steps - 1, 0, -1) | Row 0 is never filled: the last t is 0.
        np.zeros((steps + 1, len(P))) => np.zeros((steps + 1, len(P)), dtype=int) | A table of
            whole numbers cuts off what is not whole: leave out dtype=int.
        (R + P @ V[t + 1]).max(axis=1) => R.max(axis=1) + (P @ V[t + 1]).max(axis=1) | One action must serve for both:
            add first, then take the maximum.
        (R + P @ V[t + 1]).max(axis=1) => (R + P @ V[t + 1])[np.arange(len(P)), R.argmax(axis=1)] | That takes the
            action with the best reward *now*. The best one has the largest sum of reward and what follows.
        P @ V[t + 1] => np.where(P > 0, V[t + 1], -np.inf).max(axis=2) | The next state is drawn: average with P, do not
            pick the best.
        """,
    right="Right. Its rows are the sweeps of value iteration, read from below.",
    explanation="V[steps] = 0, and V[t] = max over a of R + P @ V[t + 1].",
)  # fmt: skip


def model_of(diary, S, A):
    N, total = np.zeros((S, A, S)), np.zeros((S, A))
    for s, a, r, t in diary:
        N[s, a, t] += 1
        total[s, a] += r
    n = N.sum(axis=2)
    P = np.where(n[:, :, None] > 0, N / np.maximum(n, 1)[:, :, None], 1 / S)
    R = total / np.maximum(n, 1)
    return P, R


DIARY = [
    (0, 0, 1.0, 0),
    (0, 0, 3.0, 1),
    (0, 0, -1.0, 1),
    (1, 1, 2.0, 2),
    (2, 0, 0.5, 0),
    (2, 0, 0.5, 2),
    (1, 1, 4.0, 0),
    (1, 1, 4.0, 0),
    (0, 1, -3.0, 2),
]

task("27.5", "From a diary", model_of,
    cases=[(DIARY, 3, 2), (7 * [(0, 0, 2.0, 0)] + 2 * [(0, 0, 1.0, 1)] + [(0, 0, 5.0, 2)], 3, 1), ([], 2, 2),
           (DIARY[3:4], 4, 3)],
    what="The model",
    start="Count first. Which counts do you divide by which?",
    hints=["N[s, a, t] += 1 for each entry, and the rewards summed in a table (S, A).",
           "Divide by N.sum(axis=2) where it is not 0."],
    slips="""
        1 / S => 0 | The rows of pairs that were never tried must sum to one: all states alike.
        1 / S => 1 / A | A row runs over the S next states: 1/S.
        R = total / np.maximum(n, 1) => R = total | Those are the sums of the rewards. Asked are their means.
        return P, R => return N, R | Those are the counts. Divide by the number of tries of the pair.
        N / np.maximum(n, 1)[:, :, None] => N / max(len(diary), 1) | Divide by
            how often the *pair* was tried, not by the length of the diary.
        N[s, a, t] += 1 => N[s, a, t] = 1 | Count every visit: += 1.
        N[s, a, t] += 1 => N[t, a, s] += 1 | The first
            index is the state that was left, the last the one that was reached.
        total[s, a] += r => total[s, a] = r | That keeps the last reward of a pair. Add them up.
        n = N.sum(axis=2) => n = N.sum(axis=0).T | A pair's tries are summed over the next states, the last axis.
        return P, R => return R, P | First P, then R.
        N / np.maximum(n, 1)[:, :, None] => N / np.maximum(N.sum(axis=(1, 2)), 1)[:, None, None] | That divides by the
            visits of the state. Divide by how often the *pair* (s, a) was tried.
        R = total / np.maximum(n, 1) => R = total / max(len(diary), 1) | Divide the rewards by how often the *pair* was
            tried, not by the length of the diary.
        1 / S => np.eye(S)[:, None] | A pair that was never tried leads to all states alike, not back to its own.
        total[s, a] += r => total[s, a] = r ;; R = total / np.maximum(n, 1) => R = total | That is the last reward of a
            pair. Asked is the mean of all of them.
        np.where(n[:, :, None] > 0, N / np.maximum(n, 1)[:, :, None], 1 / S) => N / n[:, :, None] ;; total /
            np.maximum(n, 1) => total / n | Pairs that were never tried give 0/0. Treat them first: 1/S and reward 0.
        P = np.where => N += 1; n = N.sum(axis=2); P = np.where | One visit too many of every triple: the shares of
            (27.17) are of the counts as they are.
        """,
    right="Right. Plan with it as if it were true, and look at the counts before you trust it.",
    explanation="Counts over counts, sums over counts; 1/S where a pair was never tried.",
)  # fmt: skip
