"""Tasks and exercises of chapter 31: a chain, beliefs by hand and in code, constants, a best path, counts, criteria."""

import numpy as np

from mlteach.exercises.tasks import number, spelt, task

task("31.a", "Fog tomorrow, fog in the end",
    start="By which ways can it be foggy two days from now?",
    hints=["Two ways: it stays foggy twice, or it clears and comes back.",
           "In the end: in = out, 0.4 π = 0.1 (1 - π)."],
    two=number("The chance of fog in two days", "0.6 * 0.6 + 0.4 * 0.1", to=6e-4, slips="""
        0.36 | It may also clear up and come back: add the second way.
        0.2  | That is the share in the long run. In two days it is more.
        0.6  | That is tomorrow.
        0.52 | You went along the columns: row 0 says where fog leads, row 1 where clear air leads.
        0.04 | That is the way through a clear day alone. Add the way that stays foggy.
        """),
    share=number("The share of foggy days", "0.1 / (0.1 + 0.4)", to=6e-4, slips="""
        0.8  | That is the share of clear days.
        0.4  | That is the chance of fog in two days. In the long run as many days turn foggy as clear up.
        0.25 | That is foggy days per clear day. As a share of all days it is less.
        0.35 | That is the mean of the first column. Weigh the rows by how often they are visited.
        0.5  | The chances to leave are unequal, so the shares are.
        """),
    right="Right. Two days of fog ahead are still twice as likely as on any day.",
    explanation="0.6 · 0.6 + 0.4 · 0.1 = 0.40. In balance 0.4 π = 0.1 (1 - π), so π = 0.2.",
)  # fmt: skip

task("31.b", "Two lamps in a row",
    start="What is known before the first look? And what happens to a belief between two looks?",
    hints=["First look: weigh (0.3, 0.7) by (0.7, 0.1). No step of the chain yet.",
           "Second: predict 0.75 · 0.6 + 0.25 · 0.1 = 0.475, then weigh."],
    first=number("The belief after the first look", "0.3 * 0.7 / (0.3 * 0.7 + 0.7 * 0.1)", to=6e-4, slips="""
        0.7    | You let the chain step before the first look. The first observation belongs to the first state.
        0.21   | That is α. Divide by the sum over both states.
        0.28   | That is the sum, c. The belief is the foggy part of it.
        0.3    | That is the belief before the look.
        0.875  | You forgot the start: it is not half and half.
        """),
    second=number("The belief after the second look", "0.475 * 0.7 / (0.475 * 0.7 + 0.525 * 0.1)", to=6e-4, slips="""
        0.9277 | You used the transposed matrix: A[i, j] leads from i to j.
        0.9545 | You forgot the step of the chain between the two looks.
        0.475  | That is the prediction. Now weigh it by the look.
        0.3325 | Divide by the sum over both states.
        0.385  | That is the sum, c. The belief is the foggy part of it.
        0.8961 | That is the belief about the *first* day after both looks, a smoothed one.
        0.75   | That is the belief after the first look.
        """),
    right="Right. Each look is a Bayes rule whose prior is the prediction.",
    explanation="0.21/(0.21 + 0.07) = 0.75. Prediction 0.475; 0.3325/(0.3325 + 0.0525) = 0.8636.",
)  # fmt: skip


def belief_step(belief, A, likelihood):
    predicted = np.asarray(belief) @ np.asarray(A)
    weighed = predicted * np.asarray(likelihood)
    return weighed / weighed.sum()


UMBRELLA = np.array([[0.7, 0.3], [0.3, 0.7]])
FOG = np.array([[0.6, 0.4], [0.1, 0.9]])
ROOMS = np.array([[0.5, 0.3, 0.2], [0.0, 0.6, 0.4], [0.25, 0.05, 0.7]])


def _weighs_before_it_predicts(belief, A, likelihood):
    weighed = (np.asarray(belief) * likelihood) @ A
    return weighed / weighed.sum()


task("31.c", "The step of a belief",
    belief_step,
    cases=[
        (np.array([0.818, 0.182]), UMBRELLA, np.array([0.9, 0.2])),
        (np.array([0.75, 0.25]), FOG, np.array([0.7, 0.1])),
        (np.array([0.2, 0.5, 0.3]), ROOMS, np.array([0.1, 0.6, 0.05])),
        (np.array([0.0, 1.0, 0.0]), ROOMS, np.array([0.9, 0.02, 0.3])),
    ],
    what="The belief",
    slips=[
        (_weighs_before_it_predicts, "You weigh the old state by the new look. The chain steps first, then one looks."),
        """
    np.asarray(belief) @ np.asarray(A) => np.asarray(A) @ np.asarray(belief)
        | That uses the transposed matrix: A[i, j] leads from i to j, so sum over the rows.
    predicted = np.asarray(belief) @ np.asarray(A) => predicted = np.asarray(belief)
        | Between two looks the chain takes a step: predict first.
    weighed / weighed.sum() => weighed | That does not sum to one. Divide by the sum.
    weighed / weighed.sum() => weighed / weighed.max() | Divide by the sum: a belief sums to one.
    predicted * np.asarray(likelihood) => predicted + np.asarray(likelihood) | Probabilities of both happening multiply.
    weighed = predicted * np.asarray(likelihood) => weighed = predicted
        | That is the prediction. The observation is missing.
    """],
    start="Where does the belief stand before the new observation is seen?",
    hints=["Predict: belief @ A. Weigh: times the likelihood. Normalise.", "Rows of A are where one comes from."],
    right="Right. Three lines, and a belief moves.",
    explanation="Predict with belief @ A, multiply by the likelihood of each state, divide by the sum.",
)  # fmt: skip

task("31.d", "What the second look says of the first day",
    start="How likely is the second look if the first day was foggy? And if it was clear?",
    hints=["β(foggy) = 0.6 · 0.7 + 0.4 · 0.1.",
           "β(clear) = 0.1 · 0.7 + 0.9 · 0.1 = 0.16; weigh 0.75 and 0.25 by both."],
    beta=number("β₁(foggy)", "0.6 * 0.7 + 0.4 * 0.1", to=6e-4, slips="""
        0.16   | That is β of the clear state.
        0.42   | The second day may also be clear: add 0.4 · 0.1.
        0.322  | The look of the first day does not belong to β: it looks at later ones only.
        0.43   | That goes along the column. From foggy: 0.6 to foggy, 0.4 to clear.
        """),
    smoothed=number("The smoothed belief", "0.75 * 0.46 / (0.75 * 0.46 + 0.25 * 0.16)", to=6e-4, slips="""
        0.75   | That is the filter's. The second look says more.
        0.8636 | That is the belief about the second day.
        0.345  | Divide by the sum over both states.
        0.7419 | That is β alone, normalised. Weigh the belief of the first day by it.
        0.4600 | That is β. Weigh the belief 0.75 by it, and normalise.
        """),
    right="Right. The lamp of day two speaks of day one as well.",
    explanation="β = (0.46, 0.16). 0.75 · 0.46 = 0.345 and 0.25 · 0.16 = 0.04: 0.345/0.385 = 0.8961.",
)  # fmt: skip

task("31.e", "Constants, and the end of the numbers",
    start="What is the product of the constants?",
    hints=["P(z₁, z₂) = c₁ c₂, so the logarithms add.",
           "The smallest positive double is 4.9e-324: what is 0.1 to the 324?"],
    log_p=number("ln P(z₁, z₂)", -2.22748, to=6e-4, slips="""
        2.2275   | The logarithm of a probability is negative.
        0.1078   | That is the probability. Take its logarithm.
        -0.9673  | That is the logarithm to the base 10.
        -1.27297 | That is ln c₁ alone. Add ln c₂.
        -0.95451 | That is ln c₂ alone. Add ln c₁.
        0.665    | That is the sum of the constants. They multiply.
        """),
    steps=number("The number of steps", 324, to=1.5, slips="""
        308 | Below 1e-308 a double loses digits, but it is not yet zero.
        1075 | That is for c = 1/2. Here each step takes a factor of ten.
        """),
    right="Right. A record of a year is enough to kill an unscaled pass.",
    explanation="ln 0.28 + ln 0.385 = -2.2275. 10⁻³²³ can still be written, 10⁻³²⁴ becomes 0.",
)  # fmt: skip

task("31.f", "The best way into a clear day",
    start="Which of the two ways into the clear state is worth more?",
    hints=["Into clear: 0.21 · 0.4 and 0.07 · 0.9.", "Multiply the larger one by 0.9, and compare with foggy."],
    value=number("The probability of the best path", "0.21 * 0.4 * 0.9", to=6e-5, slips="""
        0.1323 | That is the sum over both ways, as in the forward pass. Viterbi keeps the larger one.
        0.0567 | That way comes from a clear day. Another way into the clear state is worth more.
        0.0378 | That path ends in fog. A path that ends in clear air is worth more.
        0.084  | The look at the second day is missing: times 0.9.
        0.126  | That is the way that stays foggy, before the look: times 0.3 it loses.
        """),
    path=spelt("The path", "FC", "FC", slips="""
        CF | The order is day one, then day two.
        CC | Compare 0.21 · 0.4 with 0.07 · 0.9.
        FF | Compare the two ends after the look: 0.0378 in fog.
        """),
    right="Right.",
    explanation="Into clear: max(0.084, 0.063) · 0.9 = 0.0756; into fog: max(0.126, 0.007) · 0.3 = 0.0378. So F, C.",
)  # fmt: skip

task("31.g", "Two records, counted",
    start="How many moves start in state 0, the border between the records left out?",
    hints=["Moves: 0→1, 1→1, 1→0 and 0→0, 0→1.", "State 0 is seen four times; its looks are 0, 0, 1, 0."],
    a01=number("A₀₁", "2 / 3", to=6e-4, slips="""
        0.5   | You counted a move across the border between the records, or the visits in place of the moves.
        0.4   | Divide by the moves that start in state 0, not by all moves.
        2     | That is the count. Divide by the moves that start in state 0.
        0.75  | Count the moves out of state 0: 0→1, 0→0, 0→1.
        """),
    b=number("P(z = 1 | state 0)", "1 / 4", to=6e-4, slips="""
        0.75  | That is P(z = 0 | state 0).
        0.6667 | That is for state 1.
        0.3333 | The emission counts every visit, the last one of a record as well: four.
        0.1429 | Divide by the visits to state 0, not by all of them.
        """),
    right="Right. Moves are one fewer than visits in each record.",
    explanation="From 0: 0→1 twice, 0→0 once: 2/3. Looks in state 0: 0, 0, 1, 0: 1/4.",
)  # fmt: skip

task("31.h", "The price of a third state",
    start="How many numbers are free in a start law, in a row of A, in the rates?",
    hints=["2 + 6 + 3 for three states.", "AIC = 2k - 2ℓ, BIC = k ln 107 - 2ℓ, with ℓ = -328.53."],
    k=number("The free numbers", 11, to=1e-6, slips="""
        15 | Probabilities that sum to one leave one fewer free.
        12 | The rates are 3, each row of A has 2 free numbers, the start has 2.
        9  | The law of the first state is learned, too: two numbers more.
        8  | The rates count as well.
        6  | That is A alone.
        3  | Those are the rates alone.
        """),
    of_aic=number("AIC", "2 * 11 + 2 * 328.53", to=0.06, slips="""
        350.53  | Twice the log-likelihood: -2ℓ.
        -635.06 | The sign: -2ℓ is positive here.
        708.46  | That is BIC.
        """),
    of_bic=number("BIC", "11 * 4.6728 + 2 * 328.53", to=0.06, slips="""
        679.06  | That is AIC.
        379.93  | Twice the log-likelihood: -2ℓ.
        699.11  | The price of a number is ln 107 = 4.67, not 2 ln 107 or less.
        """),
    right="Right. Against 693.8 and 707.1 of two states the two criteria disagree.",
    explanation="k = 2 + 6 + 3 = 11. AIC = 22 + 657.06 = 679.06; BIC = 51.40 + 657.06 = 708.46.",
)  # fmt: skip


def smooth_all(start, A, b):
    T = len(b)
    alpha, beta = np.zeros(b.shape), np.ones(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, T):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    for t in range(T - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    both = alpha * beta
    return both / both.sum(axis=1, keepdims=True)


FOUR_LOOKS = np.array([[0.9, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.2]])
LOPSIDED = np.array([[0.7, 0.1], [0.3, 0.9], [0.3, 0.9], [0.7, 0.1], [0.7, 0.1]])
THREE_WAYS = np.array([[0.2, 0.5, 0.9], [0.6, 0.1, 0.3], [0.4, 0.4, 0.05], [0.3, 0.8, 0.6]])

task("31.1", "Forward, backward, together",
    smooth_all,
    cases=[
        (np.array([0.5, 0.5]), UMBRELLA, FOUR_LOOKS),
        (np.array([0.3, 0.7]), FOG, LOPSIDED),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([1.0, 0.0]), FOG, LOPSIDED[:1]),
    ],
    what="The smoothed beliefs",
    slips="""
    b[t + 1] * beta[t + 1] => b[t] * beta[t + 1] | β looks at later observations only: b[t + 1], not b[t].
    A @ (b[t + 1] => A.T @ (b[t + 1] | In the backward pass the sum runs over where one goes to: A, not its transpose.
    (alpha[t - 1] @ A) * b[t] => (A @ alpha[t - 1]) * b[t] | In the forward pass the sum runs over where one comes from.
    alpha[0] = start * b[0] => alpha[0] = (start @ A) * b[0]
        | The first observation belongs to the first state: no step of the chain before it.
    alpha[0] = start * b[0] => alpha[0] = start | The first observation is missing.
    both = alpha * beta => both = alpha
        | That is the filter: β says nothing. Without the emission b[t + 1] in it, β is all ones.
    both / both.sum(axis=1, keepdims=True) => both / both.sum(axis=0, keepdims=True)
        | Each row, one time, must sum to one.
    both / both.sum(axis=1, keepdims=True) => both | Divide each row by its sum.
    range(T - 2, -1, -1) => range(T - 2, 0, -1) | The backward pass goes down to the first time.
    """,
    start="Which pass begins with the start law, and which one with ones?",
    hints=["α₀ = start · b₀; β at the end is 1.",
           "alpha[t] = (alpha[t-1] @ A) * b[t]; beta[t] = A @ (b[t+1] * beta[t+1])."],
    right="Right. Two passes answer for all times at once.",
    explanation="One pass each way, then multiply and normalise each row.",
)  # fmt: skip


def viterbi_path(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta, back = start + b[0], []
    for t in range(1, len(b)):
        ways = delta[:, None] + A
        back.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) + b[t]
    path = [int(delta.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


def _states_one_by_one(start, A, b):
    return smooth_all(start, A, b).argmax(axis=1)


def _states_so_far(start, A, b):
    belief, path = start * b[0], []
    for t in range(len(b)):
        belief = belief if t == 0 else (belief @ A) * b[t]
        belief = belief / belief.sum()
        path.append(int(belief.argmax()))
    return path


def _greedy(start, A, b):
    path = [int((start * b[0]).argmax())]
    for look in b[1:]:
        path.append(int((A[path[-1]] * look).argmax()))
    return path


def _without_logarithms(start, A, b):
    delta, back = start * b[0], []
    for look in b[1:]:
        ways = delta[:, None] * A
        back.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) * look
    path = [int(delta.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


SHUT = np.array([[0.75, 0.25, 0.0], [0.4, 0.1, 0.5], [0.0, 0.3, 0.7]])
CALLS = np.array([[0.2, 0.33, 0.6], [0.6, 0.34, 0.2], [0.6, 0.34, 0.2], [0.2, 0.33, 0.6], [0.2, 0.33, 0.6]])
NOTHING_SEEN = np.ones((2, 3))
LONG_LOOKS = np.tile(np.array([[0.002, 0.001], [0.001, 0.003], [0.0005, 0.001]]), (60, 1))

task("31.2", "The best path",
    viterbi_path,
    cases=[
        (np.array([0.3, 0.7]), FOG, np.array([[0.7, 0.1], [0.3, 0.9]])),
        (np.array([0.4, 0.3, 0.3]), np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 1.0, 0]]), NOTHING_SEEN),
        (np.array([0.5, 0.2, 0.3]), SHUT, CALLS),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([0.5, 0.5]), FOG, LONG_LOOKS),
        (np.array([0.2, 0.3, 0.5]), ROOMS, THREE_WAYS[:1]),
    ],
    what="The path",
    slips=[
        (_states_one_by_one, "Those are the most likely states one by one. As a path they may even be impossible."),
        (_states_so_far, "Those are the states that the filter finds most likely, one by one. Keep whole ways."),
        (_greedy, "You take the best step each time. A way that begins worse may end better: keep one for each state."),
        (_without_logarithms, "On a long record your products become 0, and all ways look alike. Add logarithms."),
        """
    ways = delta[:, None] + A => ways = delta[None, :] + A
        | The column that is maximised runs over where one comes from: delta[:, None].
    ways.max(axis=0) + b[t] => ways.max(axis=0) | The look at time t is missing in δ.
    delta, back = start + b[0], [] => delta, back = start, [] | The first look is missing.
    return path[::-1] => return path | You found it backwards: turn it round.
    path = [int(delta.argmax())] => path = [int(delta.argmin())] | The path ends in the state with the largest δ.
    int(came[path[-1]]) => int(came.argmax()) | Go back from the state in which you are: came[path[-1]].
    """],
    start="What must be remembered at each step so that one can go back?",
    hints=["For each state: from which state the best way came.",
           "ways = delta[:, None] + log A; argmax and max over axis 0."],
    right="Right. Sums became maxima, and a memory was added.",
    explanation="Keep δ and the state from which each maximum came; at the end follow the memory backwards.",
)  # fmt: skip


def new_parameters(gamma, xi, z, n_symbols):
    start = gamma[0]
    A = xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None]
    seen = np.eye(n_symbols)[z]
    B = gamma.T @ seen / gamma.sum(axis=0)[:, None]
    return start, A, B


def _posteriors(start, A, B, z):
    """Return gamma and xi of a small model, for the cases."""
    b = B[:, z].T
    alpha, beta = np.zeros(b.shape), np.ones(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, len(z)):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    for t in range(len(z) - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    xi = alpha[:-1, :, None] * A * (b * beta)[1:, None, :]
    both = alpha * beta
    return both / both.sum(axis=1, keepdims=True), xi / xi.sum(axis=(1, 2), keepdims=True)


FEW, MORE = np.array([0, 0, 1, 0, 0]), np.array([2, 0, 1, 1, 2, 0, 2])
B_FOG = np.array([[0.7, 0.3], [0.1, 0.9]])
B_ROOMS = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.05, 0.15, 0.8]])

task("31.3", "One M-step",
    new_parameters,
    cases=[
        (*_posteriors(np.array([0.3, 0.7]), FOG, B_FOG, FEW), FEW, 2),
        (*_posteriors(np.array([0.1, 0.6, 0.3]), ROOMS, B_ROOMS, MORE), MORE, 3),
        (*_posteriors(np.array([0.5, 0.5]), UMBRELLA, B_FOG, FEW[:3]), FEW[:3], 2),
    ],
    what="The M-step", names="start, A, B",
    slips="""
    xi.sum(axis=(0, 2))[:, None] => gamma.sum(axis=0)[:, None]
        | Divide by the moves out of each state: the last time has none. γ sums to T - 1 there, not to T.
    xi.sum(axis=(0, 2))[:, None] => xi.sum(axis=(0, 1))[:, None] | Divide each row by the moves that *leave* the state.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi.mean(axis=0)
        | That is the joint probability of a move. Divide each row by its sum.
    start = gamma[0] => start = gamma.mean(axis=0) | The start law is that of the first time alone.
    start = gamma[0] => start = gamma[-1] | The start law is that of the first time.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / len(z)
        | Divide by the expected visits of each state, not by T.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / xi.sum(axis=(0, 2))[:, None]
        | Emissions count every visit, the last time as well.
    return start, A, B => return A, B, start | The order is start, A, B.
    """,
    start="Which sum of ξ is the expected number of moves from i to j?",
    hints=["A: expected moves over expected departures.", "np.eye(n_symbols)[z] says which symbol was seen when."],
    right="Right. The same shares as in counting, of expected counts.",
    explanation="start = γ₁; A = Σξ divided by its row sums; B = weighted shares of the symbols.",
)  # fmt: skip


def log_likelihood(start, A, b):
    predicted, total = np.asarray(start, dtype=float), 0.0
    for look in b:
        weighed = predicted * look
        c = weighed.sum()
        total += np.log(c)
        predicted = (weighed / c) @ A
    return total


def _unscaled(start, A, b):
    alpha = start * b[0]
    for look in b[1:]:
        alpha = (alpha @ A) * look
    return float(np.log(alpha.sum())) if alpha.sum() > 0 else -np.inf


def _of_the_best_path(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta = start + b[0]
    for look in b[1:]:
        delta = (delta[:, None] + A).max(axis=0) + look
    return float(delta.max())


task("31.4", "Three thousand looks",
    log_likelihood,
    cases=[
        (np.array([0.3, 0.7]), FOG, np.array([[0.7, 0.1], [0.7, 0.1]])),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([0.3, 0.7]), FOG, np.tile(LOPSIDED, (600, 1))),
        (np.array([1.0, 0.0]), FOG, LOPSIDED[2:]),
    ],
    what="The log-likelihood",
    slips=[
        (_unscaled, "On 3,000 looks your numbers become 0. Normalise at each step, and keep the constants."),
        (_of_the_best_path, "That is the probability of the best path alone. The likelihood sums over all paths."),
        """
    total += np.log(c) => total += c | Add the logarithms of the constants: they multiply.
    total += np.log(c) => total = np.log(c) | Keep all constants: their logarithms add up.
    (weighed / c) @ A => A @ (weighed / c) | Predict with belief @ A: the sum runs over where one comes from.
    (weighed / c) @ A => weighed / c | Between two looks the chain takes a step.
    total += np.log(c) => total -= np.log(c) | The logarithms of probabilities are negative: add them as they are.
    """],
    start="What becomes of the constant by which a belief is divided?",
    hints=["ln P(z) = Σ ln c.", "c = (predicted * look).sum(); then divide, then predict."],
    right="Right. 3,000 looks or 3,000,000: the numbers stay near one.",
    explanation="Normalise at each step and add up the logarithms of the constants.",
)  # fmt: skip
