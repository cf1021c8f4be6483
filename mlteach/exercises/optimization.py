"""Tasks of chapter 05: slopes, factors, step counts, gains, batch sizes, momentum, Nesterov, Adam and backtracking."""

from types import SimpleNamespace

import numpy as np

from mlteach.exercises.base import Wrong, brief, exercise, expect_close, expect_function, numbers

ROUGH = {"rtol": 1e-3, "atol": 1e-3, "reveal": False}  # for numbers found on paper


@exercise(
    "5.a",
    "The steepest way down",
    start="What are the two slopes at (2, -1)?",
    hints=[
        "The slope in w1 is w1, the slope in w2 is 10 w2. Downhill is against them.",
        "The gradient is (2, -10). Divide its opposite by its length, which is also the fall.",
    ],
    solution=([-2 / 104**0.5, 10 / 104**0.5], 104**0.5),
    explanation="g = (2, -10) has the length sqrt(104) = 10.198. The direction is -g divided by that length (5.3).",
)
def _(direction, fall):
    expect_close(
        direction,
        np.array([-2, 10]) / 104**0.5,
        "The direction",
        known=[
            (np.array([2, -10]) / 104**0.5, "That is the gradient's own direction: uphill. Turn it round."),
            ([-2, 10], "The way is right, the length is not one: divide by the length of the gradient."),
            ([2, -10], "That is the gradient: it points uphill, and its length is not one."),
            (np.array([-2, 20]) / 404**0.5, "The slope in w2 is 10 w2: the ½ of the bowl cancels the 2 of the square."),
            (np.array([-2, 1]) / 5**0.5, "The second slope is 10 times w2: the bowl is steeper that way."),
            (np.array([-2, -10]) / 104**0.5, "Look at the sign of w2: it is -1, so its slope is negative."),
            ([0, 1], "Both weights have a slope here; walk against both of them."),
            (np.array([-2, 10]) / 12, "Divide by the length of the gradient: squares add up, not the slopes."),
            (np.array([-1, -1]) / 2**0.5, "That is the direction at (10, 1), the place of the example."),
        ],
        **ROUGH,
    )
    expect_close(
        fall,
        104**0.5,
        "The fall",
        known=[
            (12, "You add the two slopes. Lengths add by squares: take the length of the gradient."),
            (10, "That is the slope in w2 alone. The steepest way is steeper than either axis."),
            (7, "That is the height at (2, -1). The slope there is asked for."),
        ],
        **ROUGH,
    )
    return "Right. No other direction falls faster than the length of the gradient."


def slowest_factor(curvatures, eta):
    return np.max(np.abs(1 - eta * np.asarray(curvatures)))


@exercise(
    "5.b",
    "The last to arrive",
    start="What is the factor of one direction (5.5)?",
    hints=[
        "Each direction has the factor 1 - eta lambda. Which of them shrinks least?",
        "The largest of |1 - eta lambda| over all curvatures; the sign does not matter.",
    ],
    solution=slowest_factor,
    explanation="A factor of -0.9 is as slow as +0.9, so the sign is dropped before the largest is taken.",
)
def _(answer):
    two = np.array([1.0, 10.0])
    cases = [(two, 0.19), (two, 0.02), (two, 0.205), (two, 0.1), (np.array([4.0, 0.5, 2.0, 3.0]), 0.3)]
    cases += [(np.array([2.5, 8.0, 5.0]), 0.25), (np.array([4.0, 3.0]), 0.5), (np.array([3.0]), 1 / 3)]
    slips = [
        (lambda c, eta: np.max(1 - eta * c), "Drop the signs first: -0.9 is as slow as 0.9."),
        (lambda c, eta: np.min(np.abs(1 - eta * c)), "That is the fastest direction; the slowest is asked for."),
        (lambda c, eta: abs(1 - eta * c.max()), "You look at the steepest direction only; a flat one can be slow."),
        (lambda c, eta: abs(1 - eta * c.min()), "You look at the flattest direction only; a steep one can leave."),
        (lambda c, eta: abs(1 - eta * c[-1]), "You look at the last curvature only; take the largest factor."),
        (lambda c, eta: abs(1 - eta * c[0]), "You look at the first curvature only; take the largest factor."),
        (lambda c, eta: np.max(np.abs(1 - eta * c[[0, -1]])), "You look at the first and the last curvature only."),
        (lambda c, eta: np.max(np.abs(1 - c)), "The rate is missing: the factor is 1 - eta lambda."),
        (lambda c, eta: np.max(eta * c), "One minus is missing: the factor is 1 - eta lambda."),
        (lambda c, eta: np.max(1 + eta * c), "The sign is wrong: the factor is 1 - eta lambda."),
        (
            lambda c, eta: np.max((1 - eta * c) ** 2),
            "That is the factor of the height, a square; the weight's is wanted.",
        ),
        (lambda c, eta: np.abs(1 - eta * c), "You return the factors of all directions; return the largest."),
        (lambda c, eta: abs(np.prod(1 - eta * c)), "Factors of different directions do not multiply."),
        (lambda c, eta: np.sum(np.abs(1 - eta * c)), "Factors of different directions do not add up."),
        (lambda c, eta: np.mean(np.abs(1 - eta * c)), "You return the mean; the slowest direction decides."),
        (lambda c, eta: abs(1 - eta * np.mean(c)), "You use the mean curvature; the slowest direction decides."),
        (lambda c, eta: min(slowest_factor(c, eta), 1), "Do not stop at 1: beyond, it says how fast it leaves."),
        (lambda c, eta: max(1 - eta * c, key=abs), "Return the factor without its sign."),
    ]
    expect_function(answer, slowest_factor, cases, "The slowest factor", slips=slips)
    return "Right. Below one it converges, above one it diverges."


@exercise(
    "5.c",
    "How many steps?",
    start="First the condition number, then the factor per step (5.9), then a logarithm.",
    hints=[
        "The factor (5.9) multiplies the distance, not its square. What is kappa?",
        "kappa = 250. Solve (249/251)^k <= 1e-6: k >= ln(1e6) / ln(251/249), and round up.",
    ],
    solution=1727,
    explanation="ln(1e6) / ln(251/249) = 1726.93, so 1727 steps; kappa/2 times ln(1e6) = 1726.94 is the rule of thumb.",
)
def _(answer):
    digits, of = np.log(1e6), lambda kappa: np.log((kappa + 1) / (kappa - 1))
    known = [
        (digits / of(250) / 2, "You used the height, which shrinks by the square of the factor. Use the distance."),
        (digits / of(50), "kappa is L/mu = 250, not 50: divide by mu."),
        (digits / of(10), "kappa is L/mu = 250, not 10: divide 50 by 0.2."),
        (digits / -np.log(1 - 1 / 250), "You used the rate 1/L with the factor 1 - 1/kappa. The best is 2/(L + mu)."),
        (digits * 250, "You approximated the factor by e^(-1/kappa); it is (kappa - 1)/(kappa + 1)."),
        (6 / of(250), "You used the logarithm to base 10 in one place only."),
        (digits / np.log10(251 / 249), "You used the logarithm to base 10 in one place only."),
    ]
    enough = "Right so far, but with fewer steps the distance may be above a millionth: round up to a whole number."
    _expect_whole(answer, digits / of(250), "The number of steps", enough, known)
    return "Right. About kappa/2 times ln(1e6) = 13.8."


def guaranteed_gain(g, eta, L):
    return eta * (1 - L * eta / 2) * np.sum(np.square(g))


@exercise(
    "5.d",
    "What a step is sure to gain",
    start="By how much does (5.16) say that f falls at least?",
    hints=[
        "The right side of (5.16) is f(w) minus something; return that something.",
        "eta * (1 - L * eta / 2) times the squared length of g.",
    ],
    solution=guaranteed_gain,
    explanation="The gain is zero at eta = 2/L and negative beyond: there the lemma promises nothing.",
)
def _(answer):
    g = np.array([3.0, -1.0])
    cases = [(g, 0.1, 4.0), (g, 0.25, 4.0), (g, 0.5, 4.0), (g, 0.7, 4.0), (np.array([1.5, 2.0, -0.5]), 0.3, 2.5)]
    expect_function(answer, guaranteed_gain, cases, "The guaranteed gain", slips=GAIN_SLIPS)
    return "Right. It is largest at eta = 1/L, where it is |g|²/(2L)."


def _gain(rule):
    """Return the gain that a rule gives for the square g2 of the gradient's length."""
    return lambda g, eta, L: rule(float(g @ g), eta, L)


GAIN_SLIPS = [
    (_gain(lambda g2, eta, L: eta * (1 - L * eta / 2) * g2**0.5), "You used the length of g; use its square."),
    (lambda g, eta, L: eta * (1 - L * eta / 2) * g.sum() ** 2, "Square first, then add up: |g|² is g @ g."),
    (lambda g, eta, L: eta * (1 - L * eta / 2) * np.mean(g**2), "|g|² is the sum of the squares, not their mean."),
    (_gain(lambda g2, eta, L: eta * g2), "That is what the tangent promises; the parabola takes L eta²/2 |g|² back."),
    (_gain(lambda g2, eta, L: eta * g2 / 2), "That is the gain asked for in a line search. Use (5.16), with L."),
    (_gain(lambda g2, eta, L: eta * (1 - L * eta) * g2), "The factor ½ is missing: L eta / 2."),
    (_gain(lambda g2, eta, L: eta * (1 - eta / 2) * g2), "L is missing in the bracket: 1 - L eta / 2."),
    (_gain(lambda g2, eta, L: g2 / (2 * L)), "That is the gain of the best rate 1/L. Use the eta that is given."),
    (_gain(lambda g2, eta, L: (1 - L * eta / 2) * g2), "The factor eta in front is missing."),
    (_gain(lambda g2, eta, L: eta * (1 - L / 2) * g2), "The second term needs eta twice: the step is eta |g| long."),
    (_gain(lambda g2, eta, L: max(eta * (1 - L * eta / 2), 0) * g2), "Do not cut it off at 0: below, nothing is sure."),
    (_gain(lambda g2, eta, L: -eta * (1 - L * eta / 2) * g2), "The gain is how much f falls: positive where it falls."),
    (_gain(lambda g2, eta, L: eta * (1 + L * eta / 2) * g2), "The sign is wrong: curvature takes gain away."),
]


@exercise(
    "5.e",
    "Buy less noise",
    start="Write (5.26) with the numbers, B left open, and compare with 0.2 squared.",
    hints=[
        "V is a variance: the standard deviation 0.2 means V = 0.04.",
        "V = 0.1 * 9 / (B * 2 * (2 - 0.2)) = 0.25 / B.",
        "0.25 / B <= 0.04 means B >= 6.25.",
    ],
    solution=7,
    explanation="V = eta sigma^2 / (B lambda (2 - eta lambda)) = 0.9 / (3.6 B) = 0.25 / B, and 0.25 / 7 = 0.036.",
)
def _(answer):
    known = [
        (5.625, "That is the form for small eta. Use the exact one, with 2 - eta lambda = 1.8, and round up."),
        (1.25, "You compared the variance with 0.2. The standard deviation is asked for: V must be at most 0.04."),
        (6.25 / 3, "You used sigma instead of its square: variances add, so sigma² = 9 enters."),
        (11.25, "In the denominator the factor (2 - eta lambda) is missing, or lambda itself."),
        (0.9 / 1.9 / 0.04, "lambda is missing in the denominator; it stands there in two places."),
        (12.5, "lambda is missing in front of the bracket: the denominator is B lambda (2 - eta lambda)."),
    ]
    enough = "By the exact form, with 2 - eta lambda = 1.8, a whole number so small leaves V above 0.04: round up."
    _expect_whole(answer, 6.25, "The batch size", enough, known)
    return "Right. A smaller rate lowers the floor too, at no cost per step, but takes more steps to get there."


def best_momentum(mu, L):
    eta = 4 / (np.sqrt(L) + np.sqrt(mu)) ** 2
    root = (np.sqrt(L) - np.sqrt(mu)) / (np.sqrt(L) + np.sqrt(mu))
    return eta, root**2


@exercise(
    "5.f",
    "The best pair",
    start="What is the root of kappa, and what does (5.35) say about the root of beta?",
    hints=[
        "First kappa = L/mu, then the root of beta from (5.35); beta is its square.",
        "eta = 4 / (sqrt(L) + sqrt(mu))**2, and beta = ((sqrt(L) - sqrt(mu)) / (sqrt(L) + sqrt(mu)))**2.",
    ],
    solution=best_momentum,
    explanation="Equation (5.35). With mu = L the bowl is round, beta is 0 and one plain step with 1/L arrives.",
)
def _(answer):
    cases = [(1.0, 100.0), (0.5, 32.0), (3.0, 3.0), (2.0, 18.0)]
    expect_function(answer, best_momentum, cases, "The best pair", names="eta, beta", slips=PAIR_SLIPS)
    return "Right. On a quadratic no other pair is faster in the long run."


def _pair(eta=lambda a, b: 4 / (a + b) ** 2, beta=lambda a, b: ((b - a) / (b + a)) ** 2):
    """Return a function of mu and L that uses these two rules of their roots a and b."""
    return lambda mu, L: (eta(np.sqrt(mu), np.sqrt(L)), beta(np.sqrt(mu), np.sqrt(L)))


def _plain(a, b):
    return (b**2 - a**2) / (b**2 + a**2)


PAIR_SLIPS = [
    (_pair(beta=lambda a, b: (b - a) / (b + a)), "You return the root of beta, the factor per step: square it."),
    (_pair(lambda a, b: 2 / (b**2 + a**2)), "2/(L + mu) is the best rate without momentum; here it is 4/(√L + √mu)²."),
    (_pair(lambda a, b: 4 / (b**2 + a**2)), "Add the roots, then square: (√L + √mu)² is not L + mu."),
    (_pair(lambda a, b: 1 / b**2), "1/L is the safe rate without momentum; here it is 4/(√L + √mu)²."),
    (_pair(lambda a, b: 4 / (b**2 + a**2) ** 2), "The roots are missing in eta: (√L + √mu)²."),
    (_pair(lambda a, b: 4 / (a + b)), "The denominator of eta is a square: (√L + √mu)²."),
    (_pair(lambda a, b: 2 / (a + b) ** 2), "The numerator of eta is 4."),
    (_pair(lambda a, b: 4 / (b - a) ** 2), "The sign in eta is wrong: add the roots of L and mu."),
    (_pair(lambda a, b: 4 / (b / a + 1) ** 2), "eta needs L and mu themselves, not only kappa: 4/(√L + √mu)²."),
    (_pair(beta=lambda a, b: _plain(a, b) ** 2), "beta needs the root of kappa, not kappa."),
    (_pair(beta=_plain), "That is the factor of plain descent; beta has roots."),
    (_pair(lambda a, b: 2 / (b**2 + a**2), _plain), "That is plain descent, its best rate and its factor (5.9)."),
    (lambda mu, L: best_momentum(mu, L)[::-1], "Both are right, but in another order: return (eta, beta)."),
]


@exercise(
    "5.g",
    "Slopes of any size",
    start="What is left of a slope when it is divided by the root of its own mean square?",
    hints=[
        "If the slope stays the same, the corrected averages are g and g²: each entry moves by eta against its sign.",
        "RMSProp does not correct: its first denominator is the root of (1 - rho) g².",
    ],
    solution=([-0.3, 0.3], [-(0.1**0.5), 0.1**0.5]),
    explanation="Adam: m' = g and s' = g² in every step, so each entry moves by 0.1, three times. RMSProp: the first "
    "denominator is sqrt(0.1) |g|, so the step is 0.1 / sqrt(0.1) = 0.316.",
)
def _(adam, rmsprop):
    g = np.array([0.003, -40])
    expect_close(
        adam,
        [-0.3, 0.3],
        "Adam's place",
        known=[
            (-0.3 * g, "The size of a slope cancels: divide by the root of the corrected mean square."),
            (-0.1 * g, "The size of a slope cancels, and three steps are asked for."),
            ([-(0.1**0.5), 0.1**0.5], "0.316 is a first step without correction. Adam corrects; it makes three steps."),
            ([-3, 3], "The rate 0.1 is missing: a step is eta long, not 1."),
            ([-1.2362, 1.2362], "The corrections are missing: divide m by 1 - beta1^k and s by 1 - beta2^k."),
            ([-0.2284, 0.2284], "That is AdaGrad, whose steps get shorter. Adam divides by a mean, not by a sum."),
            ([-0.1, 0.1], "That is the place after one step; three are asked for."),
            ([0.3, -0.3], "That is uphill: step against the sign of the slope."),
            ([-0.3, -0.3], "The second slope is negative, so the second weight rises."),
        ],
        **ROUGH,
    )
    expect_close(
        rmsprop,
        [-(0.1**0.5), 0.1**0.5],
        "RMSProp's place",
        known=[
            ([-0.1, 0.1], "RMSProp does not correct its average: the first denominator holds only a tenth of g²."),
            ([0.1**0.5, -(0.1**0.5)], "That is uphill: step against the sign of the slope."),
            ([-1, 1], "The denominator is the root of a tenth of g², not a tenth of |g|."),
            ([-(10**0.5), 10**0.5], "The rate 0.1 is missing: multiply by eta."),
            ([-0.3, 0.3], "That is Adam's place; RMSProp makes one step, and does not correct its average."),
            ([-0.7377, 0.7377], "That is the place after three steps; for RMSProp one is asked for."),
            ([-0.0316, 0.0316], "Divide by the root of the mean square; you multiply by it."),
            ([-1 / 9, 1 / 9], "The share of the new square is 1 - rho = 0.1, not rho, and under the root."),
            ([-0.1 / 0.9**0.5, 0.1 / 0.9**0.5], "The share of the new square is 1 - rho = 0.1, not rho."),
            (-(0.1**0.5) * g, "The size of a slope cancels: divide by the root of the mean square."),
        ],
        **ROUGH,
    )
    return "Right. A slope of 0.003 and one of 40 make equally long steps."


def rates(H):
    curvatures = np.linalg.eigvalsh(H)
    mu, L = curvatures[0], curvatures[-1]
    return 2 / L, 2 / (L + mu)


@exercise(
    "5.1",
    "The limit and the best rate",
    start="Start from the eigenvalues of H: which of them forbids large steps?",
    hints=[
        "np.linalg.eigvalsh(H) returns the curvatures in ascending order.",
        "L is the largest, mu the smallest. The limit is 2/L (5.8), the best rate 2/(L + mu) (5.9).",
    ],
    solution=rates,
    explanation="Each eigen-direction is multiplied by 1 - eta lambda; the steepest one fixes the limit, and the best "
    "rate makes the steepest and the flattest shrink equally fast.",
)
def _(answer):
    expect_function(answer, rates, _hessians(), "The pair (limit, best)", names="limit, best", slips=RATE_SLIPS)
    return "Right. All eigenvalues in between shrink faster than these two."


def _hessians():
    """Return positive definite matrices whose `eigvals` come in no order."""
    turn = np.linalg.qr(np.random.default_rng(51).normal(size=(5, 5)))[0]
    mixed = turn @ np.diag([2.0, 9.0, 0.7, 5.0, 3.0]) @ turn.T
    three = np.array([[4.0, 1, -0.5], [1, 2, 0.3], [-0.5, 0.3, 6]])
    return [(np.array([[5.5, 4.5], [4.5, 5.5]]),), (three,), ((mixed + mixed.T) / 2,), (np.diag([2.0, 7.0, 0.4, 1.5]),)]


def _ends(rule):
    return lambda H: rule(*np.linalg.eigvalsh(H)[[-1, 0]])


def _of(values, top, bottom):
    return lambda H: (2 / values(H)[top], 2 / (values(H)[top] + values(H)[bottom]))


NO_ORDER = "np.linalg.eigvals keeps no order: its first or last entry need not be the largest. Use eigvalsh."
RATE_SLIPS = [
    (_ends(lambda L, mu: (1 / L, 2 / (L + mu))), "You return 1/L, the safe rate, as the limit. That is 2/L."),
    (_ends(lambda L, mu: (2 / mu, 2 / (L + mu))), "You divide by the smallest curvature. The steepest diverges first."),
    (_ends(lambda L, mu: (2 / mu, 1 / mu)), "You used the smallest curvature twice. The limit needs the largest."),
    (_ends(lambda L, mu: (L / 2, 2 / (L + mu))), "That is one over the limit: the steeper, the smaller the rate."),
    (_ends(lambda L, mu: (2 / L, 1 / L)), "1/L is the safe rate for any smooth function; 2/(L + mu) is faster here."),
    (_ends(lambda L, mu: (2 / L, 1 / (L + mu))), "The numerator is 2: solve 1 - eta mu = eta L - 1 for eta."),
    (_ends(lambda L, mu: (2 / L, 2 / (L - mu))), "The sign of mu is wrong: solve 1 - eta mu = eta L - 1 for eta."),
    (_ends(lambda L, mu: (2 / L, 2 / (L / mu + 1))), "The best rate needs L + mu, not kappa + 1."),
    (_ends(lambda L, mu: (2 / L, (L - mu) / (L + mu))), "That is the factor per step (5.9), not the rate."),
    (_ends(lambda L, mu: (2 / L, best_momentum(mu, L)[0])), "That is momentum's rate; without momentum, 2/(L + mu)."),
    (lambda H: (2 / np.trace(H), rates(H)[1]), "You divide by the trace, the sum of all curvatures, not the largest."),
    (lambda H: (2 / np.diag(H).max(), rates(H)[1]), "You took the largest diagonal entry. Use the eigenvalues of H."),
    (lambda H: (2 / np.linalg.norm(H), rates(H)[1]), "np.linalg.norm(H) mixes all eigenvalues; take the largest."),
    (_of(lambda H: np.sort(np.diag(H)), -1, 0), "You took diagonal entries. Use the eigenvalues of H."),
    (_of(np.linalg.eigvalsh, 1, 0), "You use the first two eigenvalues only; here are more. Take the last."),
    *((_of(np.linalg.eigvals, top, bottom), NO_ORDER) for top, bottom in ((-1, 0), (0, -1), (0, 1), (1, 0))),
]


def nesterov_step(w, v, gradient, eta, beta):
    v = beta * v - eta * gradient(w + beta * v)
    return w + v, v


@exercise(
    "5.2",
    "One step of Nesterov",
    start="Start from the look-ahead place: where will the old velocity carry w?",
    hints=[
        "The slope is measured at w + beta v, not at w.",
        "v = beta * v - eta * gradient(w + beta * v), then w + v with the new v.",
    ],
    solution=nesterov_step,
    explanation="Equation (5.36). The look-ahead uses the old velocity, the move the new one.",
)
def _(answer):
    w, v = np.array([1.0, -0.5, 2.0]), np.array([0.3, 0.8, -0.4])
    cases = [(w, v, _slope, 0.05, 0.9), (w, v, _slope, 0.13, 0.6), (v, 0 * v, _slope, 0.05, 0.6)]
    expect_function(answer, nesterov_step, cases, "The step", names="w, v", slips=AHEAD_SLIPS)
    return "Right. With beta = 0 it is gradient descent."


def _slope(w):
    """A gradient that is not linear, of a surface in three dimensions."""
    return np.array([[3.0, 1, 0], [1, 2, -0.5], [0, -0.5, 4]]) @ w - [1, -0.5, 2] + 0.2 * w**3


def _ahead(place=lambda w, v, eta, beta: w + beta * v, sign=1, end=lambda w, v, new, beta: (w + new, new)):
    """Return a step that looks for the slope at ``place``, and ends as ``end`` says."""

    def step(w, v, gradient, eta, beta):
        return end(w, v, beta * v - sign * eta * gradient(place(w, v, eta, beta)), beta)

    return step


AHEAD_SLIPS = [
    (
        _ahead(lambda w, v, eta, beta: w),
        "You measure the slope at w. That is plain momentum; look ahead to w + beta v.",
    ),
    (_ahead(lambda w, v, eta, beta: w + v), "You look ahead by the whole v; only the part beta of it survives."),
    (_ahead(lambda w, v, eta, beta: w + eta * v), "You look ahead by eta v. The step already decided is beta v."),
    (_ahead(lambda w, v, eta, beta: w - beta * v), "You look back: the look-ahead is w plus beta v."),
    (_ahead(sign=-1), "The sign of the slope is wrong: this accelerates uphill."),
    (_ahead(end=lambda w, v, n, beta: (w - n, n)), "You subtract the velocity. It already points downhill: add it."),
    (_ahead(end=lambda w, v, n, beta: (w + v, n)), "You move with the old velocity. Update v, then move with the new."),
    (_ahead(end=lambda w, v, n, beta: (w + n, v)), "You return the old velocity; the next step needs the new one."),
    (_ahead(end=lambda w, v, n, beta: (w + n, n - beta * v)), "The new velocity keeps the part beta of the old one."),
    (
        _ahead(end=lambda w, v, n, beta: (w + n + (1 - beta) * v, n + (1 - beta) * v)),
        "v must fade: keep beta * v of it.",
    ),
    (_ahead(end=lambda w, v, n, beta: (w + beta * v + n, n)), "You overwrite w with the look-ahead place; start at w."),
    (
        _ahead(end=lambda w, v, n, beta: (w + beta * v, beta * v)),
        "That is the look-ahead place; the slope is not used.",
    ),
    (_ahead(end=lambda w, v, n, beta: (n, w + n)), "You return (v, w); the place comes first."),
    (lambda w, v, f, eta, beta: (w - eta * f(w), v), "That is plain gradient descent: the velocity is missing."),
]


_CURVES = (0.1, 0.205, 0.02, 0.18)


@exercise(
    "5.3",
    "Read the curves",
    start="Begin with the one that is above the limit 2/L = 0.2.",
    hints=[
        "Only one rate is above the limit 2/L = 0.2: its curve rises in the end.",
        "Below the limit the long run belongs to the slower direction. For the rates 0.02, 0.1 and 0.18 the flat one "
        "has the factors 0.98, 0.9 and 0.82.",
        "B rises, so it is 0.205. The flattest of the others, C, is 0.02 and the steepest, D, is 0.18.",
    ],
    solution=list(_CURVES),
    explanation="In the long run the height shrinks by the square of the worst factor a step: 0.96 for 0.02, 0.81 for "
    "0.1, 0.67 for 0.18. At 0.205 the steep direction has the factor -1.05; the height falls first, as long as the "
    "flat direction dominates, and then rises.",
)
def _(answer):
    values = np.array(numbers(answer, "A, B, C, D"))
    if not np.allclose(np.sort(values), np.sort(_CURVES)):
        raise Wrong(f"Use each of 0.02, 0.1, 0.18 and 0.205 once; you have {brief(values)}.")
    wrong = [name for name, value, right in zip("ABCD", values, _CURVES) if not np.isclose(value, right)]
    if not wrong:
        return "Right. The falling start of B shows that the first steps say little about stability."
    if "B" in wrong:
        raise Wrong("One rate is above 2/L = 0.2. It must belong to the curve that rises in the end.")
    if np.allclose(values[[0, 2, 3]], [0.1, 0.18, 0.02]):
        raise Wrong("C and D are swapped: the smallest rate crawls, it does not dive.")
    raise Wrong(f"{', '.join(wrong)}: below the limit, a larger rate (up to 0.1818) falls faster in the long run.")


def adam_step(w, m, s, g, k, eta, beta1, beta2, eps):
    m = beta1 * m + (1 - beta1) * g
    s = beta2 * s + (1 - beta2) * g**2
    mean, square = m / (1 - beta1**k), s / (1 - beta2**k)
    return w - eta * mean / (np.sqrt(square) + eps), m, s


@exercise(
    "5.4",
    "One step of Adam",
    start="First the two averages, then their correction, then the step.",
    hints=[
        "m = beta1 * m + (1 - beta1) * g, and s likewise with beta2 and g squared.",
        "Divide m by 1 - beta1**k and s by 1 - beta2**k, into new names: the averages themselves are returned as they "
        "are.",
        "w - eta * mean / (np.sqrt(square) + eps).",
    ],
    solution=adam_step,
    explanation="Equation (5.42): the weights of k slopes sum to 1 - beta^k, so dividing by it makes them an average.",
)
def _(answer):
    rng = np.random.default_rng(56)
    (w, m, g), s, none = rng.normal(size=(3, 4)), rng.uniform(0.1, 2, 4), np.zeros(4)
    cases = [(w, none, none, g, 1, 0.1, 0.9, 0.999, 1e-8), (w, m, s, g, 3, 0.1, 0.8, 0.95, 0.05)]
    cases += [(g, m, s, w, 7, 0.3, 0.8, 0.95, 0.2), (w, m, s, g, 2, 0.3, 0.9, 0.99, 0.2)]
    expect_function(answer, adam_step, cases, "Adam's step", names="w, m, s", slips=ADAM_SLIPS)
    return "Right. At k = 1 the step is eta times the sign of the slope, whatever its size."


def _powers(change):
    return lambda q: q.moved(q.M / (1 - q.b1 ** change(q.k)), q.S / (1 - q.b2 ** change(q.k)))


def _adam(rule):
    """Return a step that goes wrong as ``rule`` says; it gets all quantities of a right step by name."""

    def step(w, m, s, g, k, eta, b1, b2, eps):
        _, M, S = adam_step(w, m, s, g, k, eta, b1, b2, eps)
        a, b = 1 - b1**k, 1 - b2**k

        def moved(mean, square):
            return w - eta * mean / (np.sqrt(square) + eps)

        def kept(M, S):
            return moved(M / a, S / b), M, S

        names = {"w": w, "m": m, "s": s, "M": M, "S": S, "a": a, "b": b, "g": g, "k": k, "eta": eta, "eps": eps}
        return rule(SimpleNamespace(**names, b1=b1, b2=b2, moved=moved, kept=kept))

    return step


AVERAGES = [
    (lambda q: (q.b1 * q.m + q.g, q.S), "The share 1 - beta1 is missing in front of g: this is a sum, not an average."),
    (lambda q: ((1 - q.b1) * q.m + q.b1 * q.g, q.S), "beta1 and 1 - beta1 are swapped: the old average keeps beta1."),
    (lambda q: (q.M, q.s + q.g**2), "You add up the squares. That is AdaGrad; Adam averages them with beta2."),
    (lambda q: (q.M, q.b2 * q.s + (1 - q.b2) * q.g), "s averages the squares of the slopes: use g**2."),
    (lambda q: (q.M, q.b1 * q.s + (1 - q.b1) * q.g**2), "s has its own memory: beta2, not beta1."),
    (lambda q: (q.M, q.b2 * q.s + (1 - q.b2) * q.g @ q.g), "s keeps a square for each entry, g**2, not their sum."),
    (
        lambda q: (q.M / q.a, q.S / q.b),
        "You return the corrected m and s. Keep them for the next step, and correct copies.",
    ),
    (lambda q: (q.M / q.a, q.S), "You return the corrected m. Keep m itself for the next step, and correct a copy."),
    (lambda q: (q.M, q.S / q.b), "You return the corrected s. Keep s itself for the next step, and correct a copy."),
    (lambda q: (q.m, q.s), "You return the old m and s; the next step needs the new ones."),
    (lambda q: (q.m, q.S), "You return the old m; the next step needs the new one."),
    (lambda q: (q.M, q.s), "You return the old s; the next step needs the new one."),
]
POWERS = "The powers are k - 1; after k steps there are k weights: divide by 1 - beta^k."
MOVES = [
    (lambda q: q.moved(q.M, q.S), "The correction is missing: divide m by 1 - beta1^k and s by 1 - beta2^k."),
    (lambda q: q.moved(q.M / q.a, q.S), "The correction of s is missing: divide by 1 - beta2^k."),
    (lambda q: q.moved(q.M, q.S / q.b), "The correction of m is missing: divide by 1 - beta1^k."),
    (lambda q: q.w - q.eta * q.M / q.a / np.sqrt(q.S / q.b + q.eps), "eps is inside the root; it stands outside."),
    (lambda q: q.w - q.eta * q.M / q.a / (q.S / q.b + q.eps), "The root is missing: divide by a root mean square."),
    (
        lambda q: q.w - q.eta * q.M / q.a / np.sqrt(q.S / q.b),
        "eps is missing in the denominator, or is not the one given.",
    ),
    (
        lambda q: q.w - q.eta * np.sqrt(q.b) / q.a * q.M / (np.sqrt(q.S) + q.eps),
        "eps is added to the root of s before the correction. Correct s first, then take the root and add eps.",
    ),
    (lambda q: 2 * q.w - q.moved(q.M / q.a, q.S / q.b), "The sign is wrong: this step climbs."),
    (lambda q: q.moved(q.m / q.a, q.s / q.b), "You step with the old m and s. Update both first."),
    (lambda q: q.moved(q.g, q.S / q.b), "You step along g. Adam steps along the average m."),
    (_powers(lambda k: 1), "You divide by 1 - beta in every step. After k steps the weights sum to 1 - beta^k."),
    (_powers(lambda k: k + 1), "The powers are k + 1; here k counts from 1, so the first step divides by 1 - beta."),
    *((_powers(rule), POWERS) for rule in (lambda k: k - 1, lambda k: max(k - 1, 1))),
]
ADAM_SLIPS = [
    *((_adam(lambda q, rule=rule: (q.moved(q.M / q.a, q.S / q.b), *rule(q))), words) for rule, words in AVERAGES),
    *((_adam(lambda q, rule=rule: q.kept(*rule(q))), words) for rule, words in AVERAGES[:6]),
    *((_adam(lambda q, rule=rule: (rule(q), q.M, q.S)), words) for rule, words in MOVES),
]


def backtrack(f, gradient, w):
    g, eta = gradient(w), 1.0
    while not f(w - eta * g) <= f(w) - 0.5 * eta * g @ g:
        eta = eta / 2
    return eta


@exercise(
    "5.5",
    "Find the step without knowing L",
    start="Compute the gradient once, then test eta = 1, 1/2, 1/4, ... until the inequality holds.",
    hints=[
        "A while loop that halves eta as long as the inequality does not hold.",
        "Not enough: f(w - eta g) > f(w) - eta |g|²/2. g @ g is the squared length. Return eta, not the new place.",
    ],
    solution=backtrack,
    explanation="As soon as eta is at most 1/L the inequality is sure to hold, so the loop ends with eta above 1/(2L) "
    "(or at 1). Where the surface is flatter it accepts a larger step: the search adapts to the place.",
)
def _(answer):
    answer = _stopped_in_time(answer)
    expect_function(answer, backtrack, _places(), "The rate", slips=SEARCH_SLIPS)
    expect_function(answer, backtrack, [(lambda w: w @ w / 2, lambda w: w, np.zeros(3))], "The rate")
    return "Right. It never needs L, and it notices where the surface is flat."


def _stopped_in_time(answer):
    """Return the search, but stop it where it goes uphill, leaves its line, does not end or returns a place."""

    def rate(f, gradient, w):
        value = answer(_Height(f, w, gradient(w)), gradient, w)
        if isinstance(value, np.ndarray) and value.shape == (3,):
            raise Wrong("You return a place; the rate eta is wanted.")
        return value

    return rate


def _places():
    """Return surfaces from flat to steep, each with a place to start from."""
    rng, cases = np.random.default_rng(57), []
    for scale, reach in ((0.3, 1), (0.02, 200), (3.0, 1), (40.0, 1)):
        M = rng.normal(size=(3, 3))
        H = scale * (M @ M.T + 0.2 * np.eye(3))
        cases += [(lambda w, H=H: 0.5 * w @ H @ w, lambda w, H=H: H @ w, reach * rng.normal(size=3)) for _ in range(4)]
    for _ in range(6):
        w = 2 * rng.normal(size=3)
        cases.append((lambda w: np.sum(w**4) + np.sum(np.cosh(w)), lambda w: 4 * w**3 + np.sinh(w), w))
    return cases


class _Height:
    """A surface that watches where a search from w asks for it, and how often."""

    def __init__(self, f, w, g):
        self.f, self.w, self.g, self.calls, self.began = f, w, g, 0, False

    def __call__(self, u):
        self.calls += 1
        step, square = self.w - np.asarray(u), self.g @ self.g
        eta = step @ self.g / square if square else 0.0
        aside = np.abs(step - eta * self.g).max() > 1e-6 * np.abs(step).max() + 1e-9 * np.abs(self.w).max()
        if aside or (eta > 1.01 and self.began):
            raise Wrong(
                "A trial does not start at w, or eta grows. Every trial is w - eta g: w and g stay, eta halves."
            )
        if eta < -1e-6:
            raise Wrong("You try f uphill, at w + eta g. The step goes against the gradient: f(w - eta g).")
        if self.calls > 5000:
            raise Wrong(ENDLESS if square else "Where the slope is zero eta = 1 is fine: ask for <=, not for <.")
        self.began |= 0 < eta < 1.01
        return self.f(u)


ENDLESS = (
    "Your search calls f without end. Go on while the inequality fails, halve eta in every round, and ask "
    "for a gain of eta |g|²/2: without the factor eta a short step can never gain enough."
)


def _search(wanted=lambda g, eta: 0.5 * eta * g @ g, first=1.0, shrink=0.5, after=1.0):
    """Return a search that asks for another gain, starts at another rate, or goes wrong at its end."""

    def search(f, gradient, w):
        g, eta = gradient(w), first
        while eta > 0 and not f(w - eta * g) <= f(w) - wanted(g, eta):
            eta *= shrink
        return after * eta

    return search


ANY_FALL = "You accept nearly any decrease. The gain must be at least eta |g|²/2, with the factor ½."
FIRST = "Start every search with eta = 1."
SEARCH_SLIPS = [
    (_search(lambda g, eta: 0), ANY_FALL),
    (_search(lambda g, eta: 1e-4 * eta * g @ g), ANY_FALL),
    (
        _search(lambda g, eta: -0.5 * eta * g @ g),
        "The sign is wrong: f must fall by eta |g|²/2, not stay below a rise.",
    ),
    (_search(lambda g, eta: eta * g @ g), "The factor ½ in front of eta |g|² is missing."),
    (_search(lambda g, eta: 0.25 * eta * g @ g), "The factor in front of eta |g|² is ½, not ¼."),
    (_search(lambda g, eta: 0.5 * eta * np.sqrt(g @ g)), "You used the length of the gradient, not its square, g @ g."),
    (_search(lambda g, eta: 0.5 * g @ g), "The factor eta in front of |g|² is missing: a shorter step promises less."),
    (_search(lambda g, eta: 0.5 * eta**2 * g @ g), "eta stands there once, not squared: eta |g|²/2."),
    (_search(after=0.5), "You halve once more after the inequality holds. Return the first eta that satisfies it."),
    (_search(after=2.0), "You return the last eta that failed. Return the first that satisfies the inequality."),
    *((_search(shrink=shrink), "Halve eta in each round: times ½.") for shrink in (0.1, 0.8, 0.9)),
    *((_search(first=first), FIRST) for first in (0.1, 0.5, 2.0, 4.0, 10.0)),
    (lambda *case: max(backtrack(*case), 0.5), "One halving need not be enough: repeat it (while, not if)."),
    (lambda *case: -np.log2(backtrack(*case)), "You return the number of halvings; the rate eta is wanted."),
]


def _expect_whole(answer, exact, what, enough, known):
    """Ask for the smallest whole number from ``exact`` on; wrong ones may come rounded up, down or not at all."""
    right = np.ceil(exact)
    wrong = [(exact, enough), (right + 1, "Fewer suffice."), *known]
    forms = [(form, words) for value, words in wrong for form in _forms(value) if form != right]
    expect_close(answer, right, what, known=forms, atol=1e-6, rtol=0, reveal=False)


def _forms(value):
    rounded = [np.round(value + shift, digits) for digits in (1, 2, 3, 4) for shift in (-1e-9, 1e-9)]
    return [value, np.floor(value), np.ceil(value), *rounded]
