"""Tasks of chapter 05: slopes, factors, step counts, gains, batch sizes, momentum, Nesterov, Adam and backtracking."""

from itertools import permutations

import numpy as np
from numpy import log

from mlteach.exercises.base import Wrong, brief, numbers
from mlteach.exercises.slips import wrong_values
from mlteach.exercises.tasks import number, task

ROUGH = {"to": 1e-3, "rtol": 1e-3}  # for numbers found on paper

task("5.a", "The steepest way down",
    start="What are the two slopes at (2, -1)?",
    hints=[
        "The slope in w1 is w1, the slope in w2 is 10 w2. Downhill is against them.",
        "The gradient is (2, -10). Divide its opposite by its length, which is also the fall.",
    ],
    direction=number("The direction", "[-2 / (2**2 + 10**2) ** 0.5, 10 / (2**2 + 10**2) ** 0.5]", **ROUGH, slips="""
        np.array([2, -10]) / 104**0.5  | That is the gradient's own direction: uphill. Turn it round.
        [-2, 10]                       | The way is right, the length is not one: divide by the length of the gradient.
        [2, -10]                       | That is the gradient: it points uphill, and its length is not one.
        np.array([-2, 20]) / 404**0.5  | The slope in w2 is 10 w2: the ½ of the bowl cancels the 2 of the square.
        np.array([-2, 1]) / 5**0.5     | The second slope is 10 times w2: the bowl is steeper that way.
        np.array([-2, -10]) / 104**0.5 | Look at the sign of w2: it is -1, so its slope is negative.
        [0, 1]                         | Both weights have a slope here; walk against both of them.
        np.array([-2, 10]) / 12        | Divide by the length of the gradient: squares add up, not the slopes.
        np.array([-2, 10]) / 104       | You divided by the square of the length. Divide by the length, √104.
        np.array([-1, -1]) / 2**0.5    | That is the direction at (10, 1), the place of the example.
        """),
    fall=number("The fall", "(2**2 + 10**2) ** 0.5", **ROUGH, slips="""
        12       | You add the two slopes. Lengths add by squares: take the length of the gradient.
        10       | That is the slope in w2 alone. The steepest way is steeper than either axis.
        7        | That is the height at (2, -1). The slope there is asked for.
        5**0.5   | That is the distance of (2, -1) from the minimum. Take the length of the gradient.
        404**0.5 | The slope in w2 is 10 w2: the ½ of the bowl cancels the 2 of the square.
        200**0.5 | That is the fall at (10, 1), the place of the example.
        """),
    right="Right. No other direction falls faster than the length of the gradient.",
    explanation="g = (2, -10) has the length sqrt(104) = 10.198. The direction is -g divided by that length (5.3).",
)  # fmt: skip


def slowest_factor(curvatures, eta):
    factors = 1 - eta * np.asarray(curvatures)
    return np.max(np.abs(factors))


BOWL = np.array([1.0, 10.0])

task("5.b", "The last to arrive", slowest_factor, what="The slowest factor",
    cases=[
        (BOWL, 0.19), (BOWL, 0.02), (BOWL, 0.205), (BOWL, 0.1), (np.array([4.0, 0.5, 2.0, 3.0]), 0.3),
        (np.array([2.5, 8.0, 5.0]), 0.25), (np.array([4.0, 3.0]), 0.5), (np.array([3.0]), 1 / 3),
    ],
    start="What is the factor of one direction (5.5)?",
    hints=[
        "Each direction has the factor 1 - eta lambda. Which of them shrinks least?",
        "The largest of |1 - eta lambda| over all curvatures; the sign does not matter.",
    ],
    slips="""
        np.max(np.abs(factors)) => np.max(factors)           | Drop the signs first: -0.9 is as slow as 0.9.
        np.max(np.abs(factors)) => np.min(np.abs(factors))   | That is the fastest direction; the slowest is asked for.
        np.asarray(curvatures) => np.max(curvatures) | You look at the steepest direction only; a flat one can be slow.
        np.asarray(curvatures) => np.min(curvatures) | You look at the flattest direction only; a steep one can leave.
        np.asarray(curvatures) => curvatures[-1]     | You look at the last curvature only; take the largest factor.
        np.asarray(curvatures) => curvatures[0]      | You look at the first curvature only; take the largest factor.
        np.asarray(curvatures) => curvatures[[0, -1]] | You look at the first and the last curvature only.
        np.asarray(curvatures) => np.mean(curvatures) | You use the mean curvature; the slowest direction decides.
        1 - eta * np => 1 - np                       | The rate is missing: the factor is 1 - eta lambda.
        1 - eta => eta                               | One minus is missing: the factor is 1 - eta lambda.
        1 - eta => 1 + eta                           | The sign is wrong: the factor is 1 - eta lambda.
        np.abs(factors) => factors**2          | That is the factor of the height, a square; the weight's is wanted.
        np.max(np.abs(factors)) => np.abs(factors)   | You return the factors of all directions; return the largest.
        np.max(np.abs(factors)) => abs(np.prod(factors))     | Factors of different directions do not multiply.
        np.max(np.abs(factors)) => np.sum(np.abs(factors))   | Factors of different directions do not add up.
        np.max(np.abs(factors)) => np.mean(np.abs(factors))  | You return the mean; the slowest direction decides.
        np.max(np.abs(factors)) => abs(np.sum(factors)) | Factors of different directions do not add up.
        return np.max(np.abs(factors)) => return min(np.max(np.abs(factors)), 1) | Do not stop at 1: beyond, it says how
            fast it leaves.
        np.max(np.abs(factors)) => max(factors, key=abs) | Return the factor without its sign.
        """,
    right="Right. Below one it converges, above one it diverges.",
    explanation="A factor of -0.9 is as slow as +0.9, so the sign is dropped before the largest is taken.",
)  # fmt: skip


def roundings(right, table):
    """Return the wrong values of a table as they are, rounded up, down and to some decimals, each with its words."""
    found = {}
    for value, words in wrong_values(table, globals()):
        near = [round(value + shift, digits) for digits in (1, 2, 3, 4) for shift in (-1e-9, 1e-9)]
        for form in {round(float(form), 6) for form in (value, np.floor(value), np.ceil(value), *near)} - {right}:
            found.setdefault(form, []).append(words)
    return [(form, " Or: ".join(words)) for form, words in found.items()]


def steps(kappa):
    return log(1e6) / log((kappa + 1) / (kappa - 1))


task("5.c", "How many steps?",
    start="What does one step at the best rate leave of the distance?",
    hints=[
        "The factor (5.9) multiplies the distance, not its square. What is kappa?",
        "kappa = 250. Solve (249/251)^k <= 1e-6: k >= ln(1e6) / ln(251/249), and round up.",
    ],
    steps=number("The number of steps", "int(np.ceil(log(1e6) / log((50 / 0.2 + 1) / (50 / 0.2 - 1))))", to=1e-6,
        slips=roundings(1727, """
        steps(250)     | Right so far, but with fewer steps the distance may be above a millionth: round up to a whole
            number.
        1728           | Fewer suffice.
        steps(250) / 2 | You used the height, which shrinks by the square of the factor. Use the distance.
        steps(50)      | kappa is L/mu = 250, not 50: divide by mu.
        steps(10)      | kappa is L/mu = 250, not 10: divide 50 by 0.2.
        log(1e6) / -log(1 - 1 / 250)    | You used the rate 1/L with the factor 1 - 1/kappa. The best is 2/(L + mu).
        log(1e6) * 250                  | You approximated the factor by e^(-1/kappa); it is (kappa - 1)/(kappa + 1).
        6 / log(251 / 249)              | You used the logarithm to base 10 in one place only.
        log(1e6) / np.log10(251 / 249)  | You used the logarithm to base 10 in one place only.
        log(1e6) / log((15.8114 + 1) / (15.8114 - 1)) | With the root of kappa, that is momentum. Plain descent has
            kappa itself.
        """)),
    right="Right. About kappa/2 times ln(1e6) = 13.8.",
    explanation="ln(1e6) / ln(251/249) = 1726.93, so 1727 steps; kappa/2 times ln(1e6) = 1726.94 is the rule of thumb.",
)  # fmt: skip


def guaranteed_gain(g, eta, L):
    square = np.sum(np.square(g))
    return eta * (1 - L * eta / 2) * square


SLOPES = np.array([3.0, -1.0])

task("5.d", "What a step is sure to gain", guaranteed_gain, what="The guaranteed gain",
    cases=[
        (SLOPES, 0.1, 4.0), (SLOPES, 0.25, 4.0), (SLOPES, 0.5, 4.0), (SLOPES, 0.7, 4.0),
        (np.array([1.5, 2.0, -0.5]), 0.3, 2.5),
    ],
    start="By how much does (5.16) say that f falls at least?",
    hints=[
        "The right side of (5.16) is f(w) minus something; return that something.",
        "eta * (1 - L * eta / 2) times the squared length of g.",
    ],
    slips="""
        np.sum(np.square(g)) => np.linalg.norm(g)          | You used the length of g; use its square.
        np.sum(np.square(g)) => np.sum(g) ** 2             | Square first, then add up: |g|² is g @ g.
        np.sum(np.square(g)) => np.mean(np.square(g))      | |g|² is the sum of the squares, not their mean.
        eta * (1 - L * eta / 2) => eta | That is what the tangent promises; the parabola takes L eta²/2 |g|² back.
        eta * (1 - L * eta / 2) => eta / 2 | That is the gain asked for in a line search. Use (5.16), with L.
        (1 - L * eta / 2) => (1 - L * eta)                 | The factor ½ is missing: L eta / 2.
        (1 - L * eta / 2) => (1 - eta / 2)                 | L is missing in the bracket: 1 - L eta / 2.
        eta * (1 - L * eta / 2) * square => square / (2 * L) | That is the gain of the best rate 1/L. Use the eta that
            is given.
        eta * (1 - L => (1 - L                             | The factor eta in front is missing.
        (1 - L * eta / 2) => (1 - L / 2) | The second term needs eta twice: the step is eta |g| long.
        eta * (1 - L * eta / 2) => max(eta * (1 - L * eta / 2), 0) | Do not cut it off at 0: below, nothing is sure.
        return eta => return -eta                          | The gain is how much f falls: positive where it falls.
        (1 - L * eta / 2) => (1 + L * eta / 2)             | The sign is wrong: curvature takes gain away.
        """,
    right="Right. It is largest at eta = 1/L, where it is |g|²/(2L).",
    explanation="The gain is zero at eta = 2/L and negative beyond: there the lemma promises nothing.",
)  # fmt: skip

task("5.e", "Buy less noise",
    start="Which quantity of (5.26) does the standard deviation of w fix?",
    hints=[
        "V is a variance: the standard deviation 0.2 means V = 0.04.",
        "V = 0.1 * 9 / (B * 2 * (2 - 0.2)) = 0.25 / B.",
        "0.25 / B <= 0.04 means B >= 6.25.",
    ],
    size=number("The batch size", "int(np.ceil(0.1 * 3**2 / (2 * (2 - 0.1 * 2) * 0.2**2)))", to=1e-6,
        slips=roundings(7, """
        6.25     | By the exact form, with 2 - eta lambda = 1.8, a whole number so small leaves V above 0.04: round up.
        8        | Fewer suffice.
        5.625    | That is the form for small eta. Use the exact one, with 2 - eta lambda = 1.8, and round up.
        1.25     | You compared the variance with 0.2. The standard deviation is asked for: V must be at most 0.04.
        6.25 / 3 | You used sigma instead of its square: variances add, so sigma² = 9 enters.
        11.25    | In the denominator the factor (2 - eta lambda) is missing, or lambda itself.
        0.9 / 1.9 / 0.04 | lambda is missing in the denominator; it stands there in two places.
        12.5     | lambda is missing in front of the bracket: the denominator is B lambda (2 - eta lambda).
        62.5     | The factor eta in front is missing: V = eta sigma² / (B lambda (2 - eta lambda)).
        """)),
    right="Right. A smaller rate lowers the floor too, at no cost per step, but takes more steps to get there.",
    explanation="V = eta sigma^2 / (B lambda (2 - eta lambda)) = 0.9 / (3.6 B) = 0.25 / B, and 0.25 / 7 = 0.036.",
)  # fmt: skip


def best_momentum(mu, L):
    eta = 4 / (np.sqrt(L) + np.sqrt(mu)) ** 2
    root = (np.sqrt(L) - np.sqrt(mu)) / (np.sqrt(L) + np.sqrt(mu))
    return eta, root**2


task("5.f", "The best pair", best_momentum, what="The best pair", names="eta, beta",
    cases=[(1.0, 100.0), (0.5, 32.0), (3.0, 3.0), (2.0, 18.0)],
    start="What is the root of kappa, and what does (5.35) say about the root of beta?",
    hints=[
        "First kappa = L/mu, then the root of beta from (5.35); beta is its square.",
        "eta = 4 / (sqrt(L) + sqrt(mu))**2, and beta = ((sqrt(L) - sqrt(mu)) / (sqrt(L) + sqrt(mu)))**2.",
    ],
    slips="""
        eta, root**2 => eta, root                    | You return the root of beta, the factor per step: square it.
        eta, root**2 => 2 / (L + mu), root**2 | 2/(L + mu) is the best rate without momentum; here it is 4/(√L + √mu)².
        eta, root**2 => 4 / (L + mu), root**2        | Add the roots, then square: (√L + √mu)² is not L + mu.
        eta, root**2 => 1 / L, root**2 | 1/L is the safe rate without momentum; here it is 4/(√L + √mu)².
        eta, root**2 => 4 / (L + mu) ** 2, root**2   | The roots are missing in eta: (√L + √mu)².
        np.sqrt(mu)) ** 2 => np.sqrt(mu))            | The denominator of eta is a square: (√L + √mu)².
        eta = 4 => eta = 2                           | The numerator of eta is 4.
        eta = 4 / (np.sqrt(L) + np.sqrt(mu)) => eta = 4 / (np.sqrt(L) - np.sqrt(mu)) | The sign in eta is wrong: add the
            roots of L and mu.
        eta = 4 / (np.sqrt(L) + np.sqrt(mu)) => eta = 4 / (np.sqrt(L / mu) + 1) | eta needs L and mu themselves, not
            only kappa: 4/(√L + √mu)².
        eta, root**2 => eta, ((L - mu) / (L + mu)) ** 2 | beta needs the root of kappa, not kappa.
        eta, root**2 => eta, (L - mu) / (L + mu)     | That is the factor of plain descent; beta has roots.
        eta, root**2 => 2 / (L + mu), (L - mu) / (L + mu) | That is plain descent, its best rate and its factor (5.9).
        eta, root**2 => root**2, eta                 | Both are right, but in another order: return (eta, beta).
        """,
    right="Right. On a quadratic no other pair is faster in the long run.",
    explanation="Equation (5.35). With mu = L the bowl is round, beta is 0 and one plain step with 1/L arrives.",
)  # fmt: skip

G = np.array([0.003, -40])
DOWN = np.array([-1, 1])  # against both slopes

task("5.g", "Slopes of any size",
    start="What is left of a slope when it is divided by the root of its own mean square?",
    hints=[
        "If the slope stays the same, the corrected averages are g and g²: each entry moves by eta against its sign.",
        "RMSProp does not correct: its first denominator is the root of (1 - rho) g².",
    ],
    adam=number("Adam's place", "[-3 * 0.1, 3 * 0.1]", **ROUGH, slips="""
        -0.3 * G        | The size of a slope cancels: divide by the root of the corrected mean square.
        -0.1 * G        | The size of a slope cancels, and three steps are asked for.
        0.1**0.5 * DOWN | 0.316 is a first step without correction. Adam corrects; it makes three steps.
        3 * DOWN        | The rate 0.1 is missing: a step is eta long, not 1.
        1.2362 * DOWN   | The corrections are missing: divide m by 1 - beta1^k and s by 1 - beta2^k.
        0.2284 * DOWN   | That is AdaGrad, whose steps get shorter. Adam divides by a mean, not by a sum.
        0.1 * DOWN      | That is the place after one step; three are asked for.
        [0.3, -0.3]     | That is uphill: step against the sign of the slope.
        [-0.3, -0.3]    | The second slope is negative, so the second weight rises.
        [0.3, 0.3]      | The first slope is positive, so the first weight falls.
        """),
    rmsprop=number("RMSProp's place", "[-0.1 / (1 - 0.9) ** 0.5, 0.1 / (1 - 0.9) ** 0.5]", **ROUGH, slips="""
        0.1 * DOWN       | RMSProp does not correct its average: the first denominator holds only a tenth of g².
        -(0.1**0.5) * DOWN | That is uphill: step against the sign of the slope.
        1 * DOWN         | The denominator is the root of a tenth of g², not a tenth of |g|.
        10**0.5 * DOWN   | The rate 0.1 is missing: multiply by eta.
        0.3 * DOWN       | That is Adam's place; RMSProp makes one step, and does not correct its average.
        0.7377 * DOWN    | That is the place after three steps; for RMSProp one is asked for.
        0.3 * 10**0.5 * DOWN | That is three times the first step. One step is asked for; later ones are shorter.
        0.1**1.5 * DOWN  | Divide by the root of the mean square; you multiply by it.
        DOWN / 9         | The share of the new square is 1 - rho = 0.1, not rho, and under the root.
        0.1 / 0.9**0.5 * DOWN | The share of the new square is 1 - rho = 0.1, not rho.
        -(0.1**0.5) * G  | The size of a slope cancels: divide by the root of the mean square.
        """),
    right="Right. A slope of 0.003 and one of 40 make equally long steps.",
    explanation="Adam: m' = g and s' = g² in every step, so each entry moves by 0.1, three times. RMSProp: the first "
    "denominator is sqrt(0.1) |g|, so the step is 0.1 / sqrt(0.1) = 0.316.",
)  # fmt: skip


def rates(H):
    curvatures = np.linalg.eigvalsh(H)
    mu, L = curvatures[0], curvatures[-1]
    return 2 / L, 2 / (L + mu)


def hessians():
    """Return positive definite matrices whose `eigvals` come in no order."""
    turn = np.linalg.qr(np.random.default_rng(51).normal(size=(5, 5)))[0]
    mixed = turn @ np.diag([2.0, 9.0, 0.7, 5.0, 3.0]) @ turn.T
    three = np.array([[4.0, 1, -0.5], [1, 2, 0.3], [-0.5, 0.3, 6]])
    return [(np.array([[5.5, 4.5], [4.5, 5.5]]),), (three,), ((mixed + mixed.T) / 2,), (np.diag([2.0, 7.0, 0.4, 1.5]),)]


task("5.1", "The limit and the best rate", rates, cases=hessians, what="The pair (limit, best)", names="limit, best",
    start="Start from the eigenvalues of H: which of them forbids large steps?",
    hints=[
        "np.linalg.eigvalsh(H) returns the curvatures in ascending order.",
        "L is the largest, mu the smallest. The limit is 2/L (5.8), the best rate 2/(L + mu) (5.9).",
    ],
    slips="""
        2 / L, => 1 / L,                       | You return 1/L, the safe rate, as the limit. That is 2/L.
        2 / L, => 2 / mu,                      | You divide by the smallest curvature. The steepest diverges first.
        2 / (L + mu) => 1 / mu                 | You divide by the smallest curvature. The best rate is 2/(L + mu).
        return 2 / L, 2 / (L + mu) => return 2 / mu, 1 / mu | You used the smallest curvature twice. The limit needs the
            largest.
        2 / L, => L / 2,                       | That is one over the limit: the steeper, the smaller the rate.
        2 / (L + mu) => 1 / L | 1/L is the safe rate for any smooth function; 2/(L + mu) is faster here.
        2 / (L + mu) => 1 / (L + mu)           | The numerator is 2: solve 1 - eta mu = eta L - 1 for eta.
        2 / (L + mu) => 2 / (L - mu)           | The sign of mu is wrong: solve 1 - eta mu = eta L - 1 for eta.
        2 / (L + mu) => 2 / (L / mu + 1)       | The best rate needs L + mu, not kappa + 1.
        2 / (L + mu) => (L - mu) / (L + mu)    | That is the factor per step (5.9), not the rate.
        2 / (L + mu) => 4 / (L**0.5 + mu**0.5) ** 2 | That is momentum's rate; without momentum, 2/(L + mu).
        2 / L, => 2 / np.trace(H),             | You divide by the trace, the sum of all curvatures, not the largest.
        2 / L, => 2 / np.diag(H).max(),        | You took the largest diagonal entry. Use the eigenvalues of H.
        2 / L, => 2 / np.linalg.norm(H),       | np.linalg.norm(H) mixes all eigenvalues; take the largest.
        np.linalg.eigvalsh(H) => np.sort(np.diag(H)) | You took diagonal entries. Use the eigenvalues of H.
        curvatures[-1] => curvatures[1]  | You use the first two eigenvalues only; here are more. Take the last.
        eigvalsh => eigvals | np.linalg.eigvals keeps no order: its first or last entry need not be the largest. Use
            eigvalsh.
        eigvalsh => eigvals ;; curvatures[0], curvatures[-1] => curvatures[-1], curvatures[0] | np.linalg.eigvals keeps
            no order: its first or last entry need not be the largest. Use eigvalsh.
        eigvalsh => eigvals ;; curvatures[0], curvatures[-1] => curvatures[1], curvatures[0] | np.linalg.eigvals keeps
            no order: its first or last entry need not be the largest. Use eigvalsh.
        eigvalsh => eigvals ;; curvatures[-1] => curvatures[1] | np.linalg.eigvals keeps no order: its first or last
            entry need not be the largest. Use eigvalsh.
        """,
    right="Right. All eigenvalues in between shrink faster than these two.",
    explanation="Each eigen-direction is multiplied by 1 - eta lambda; the steepest one fixes the limit, and the best "
    "rate makes the steepest and the flattest shrink equally fast.",
)  # fmt: skip


def nesterov_step(w, v, gradient, eta, beta):
    ahead = w + beta * v
    v = beta * v - eta * gradient(ahead)
    return w + v, v


def curved(w):
    """A gradient that is not linear, of a surface in three dimensions."""
    return np.array([[3.0, 1, 0], [1, 2, -0.5], [0, -0.5, 4]]) @ w - [1, -0.5, 2] + 0.2 * w**3


PLACE, VELOCITY = np.array([1.0, -0.5, 2.0]), np.array([0.3, 0.8, -0.4])

task("5.2", "One step of Nesterov", nesterov_step, what="The step", names="w, v",
    cases=[
        (PLACE, VELOCITY, curved, 0.05, 0.9), (PLACE, VELOCITY, curved, 0.13, 0.6),
        (VELOCITY, 0 * VELOCITY, curved, 0.05, 0.6),
    ],
    start="Start from the look-ahead place: where will the old velocity carry w?",
    hints=[
        "The slope is measured at w + beta v, not at w.",
        "v = beta * v - eta * gradient(w + beta * v), then w + v with the new v.",
    ],
    slips="""
        ahead = w + beta * v => ahead = w | You measure the slope at w. That is plain momentum; look ahead to w + beta
            v.
        ahead = w + beta * v => ahead = w + v       | You look ahead by the whole v; only the part beta of it survives.
        ahead = w + beta * v => ahead = w + eta * v | You look ahead by eta v. The step already decided is beta v.
        ahead = w + beta * v => ahead = w - beta * v | You look back: the look-ahead is w plus beta v.
        - eta * gradient => + eta * gradient        | The sign of the slope is wrong: this accelerates uphill.
        return w + v => return w - v | You subtract the velocity. It already points downhill: add it.
        return w + v, v => return ahead + (1 - beta) * (ahead - w) / beta, v | You move with the old velocity. Update v,
            then move with the new.
        return w + v, v => return w + v, (ahead - w) / beta | You return the old velocity; the next step needs the new
            one.
        return w + v, v => return w + v, v - (ahead - w) | The new velocity keeps the part beta of the old one.
        v = beta * v - eta => v = v - eta           | v must fade: keep beta * v of it.
        return w + v => return ahead + v            | You overwrite w with the look-ahead place; start at w.
        - eta * gradient(ahead) =>                  | That is the look-ahead place; the slope is not used.
        return w + v, v => return v, w + v          | You return (v, w); the place comes first.
        ahead = w + beta * v => return w - eta * gradient(w), v | That is plain gradient descent: the velocity is
            missing.
        """,
    right="Right. With beta = 0 it is gradient descent.",
    explanation="Equation (5.36). The look-ahead uses the old velocity, the move the new one.",
)  # fmt: skip

CURVES = (0.1, 0.205, 0.02, 0.18)


def misread(rates):
    """Say what is wrong with an order of the four rates."""
    if rates[1] != 0.205:
        return "One rate is above 2/L = 0.2. It must belong to the curve that rises in the end."
    if rates[0] == 0.1:
        return "C and D are swapped: the smallest rate crawls, it does not dive."
    wrong = ", ".join(name for name, rate, right in zip("ABCD", rates, CURVES) if rate != right)
    return f"{wrong}: below the limit, a larger rate (up to 0.1818) falls faster in the long run."


def each_once(rates):
    values = np.array(numbers(rates, "A, B, C, D"))
    if not np.allclose(np.sort(values), np.sort(CURVES)):
        raise Wrong(f"Use each of 0.02, 0.1, 0.18 and 0.205 once; you have {brief(values)}.")


task("5.3", "Read the curves", guard=each_once,
    start="Which of the four rates cannot converge, and how would its curve look?",
    hints=[
        "Only one rate is above the limit 2/L = 0.2: its curve rises in the end.",
        "Below the limit the long run belongs to the slower direction. For the rates 0.02, 0.1 and 0.18 the flat one "
        "has the factors 0.98, 0.9 and 0.82.",
        "B rises, so it is 0.205. The flattest of the others, C, is 0.02 and the steepest, D, is 0.18.",
    ],
    rates=number("The list of rates", CURVES, to=1e-5, names="A, B, C, D",
        slips=[(rates, misread(rates)) for rates in permutations(CURVES) if rates != CURVES]),
    right="Right. The falling start of B shows that the first steps say little about stability.",
    explanation="In the long run the height shrinks by the square of the worst factor a step: 0.96 for 0.02, 0.81 for "
    "0.1, 0.67 for 0.18. At 0.205 the steep direction has the factor -1.05; the height falls first, as long as the "
    "flat direction dominates, and then rises.",
)  # fmt: skip


def adam_step(w, m, s, g, k, eta, beta1, beta2, eps):
    m = beta1 * m + (1 - beta1) * g
    s = beta2 * s + (1 - beta2) * g**2
    mean, square = m / (1 - beta1**k), s / (1 - beta2**k)
    return w - eta * mean / (np.sqrt(square) + eps), m, s


def adam_cases():
    rng = np.random.default_rng(56)
    (w, m, g), s, none = rng.normal(size=(3, 4)), rng.uniform(0.1, 2, 4), np.zeros(4)
    cases = [(w, none, none, g, 1, 0.1, 0.9, 0.999, 1e-8), (w, m, s, g, 3, 0.1, 0.8, 0.95, 0.05)]
    return [*cases, (g, m, s, w, 7, 0.3, 0.8, 0.95, 0.2), (w, m, s, g, 2, 0.3, 0.9, 0.99, 0.2)]


task("5.4", "One step of Adam", adam_step, cases=adam_cases, what="Adam's step", names="w, m, s",
    start="What does Adam remember from step to step, and what does it correct?",
    hints=[
        "m = beta1 * m + (1 - beta1) * g, and s likewise with beta2 and g squared.",
        "Divide m by 1 - beta1**k and s by 1 - beta2**k, into new names: the averages themselves are returned as they "
        "are.",
        "w - eta * mean / (np.sqrt(square) + eps).",
    ],
    slips="""
        (1 - beta1) * g => g | The share 1 - beta1 is missing in front of g: this is a sum, not an average.
        beta1 * m + (1 - beta1) * g => (1 - beta1) * m + beta1 * g | beta1 and 1 - beta1 are swapped: the old average
            keeps beta1.
        beta2 * s + (1 - beta2) * g**2 => s + g**2 | You add up the squares. That is AdaGrad; Adam averages them with
            beta2.
        (1 - beta2) * g**2 => (1 - beta2) * g      | s averages the squares of the slopes: use g**2.
        (1 - beta2) * g**2 => g**2 | The share 1 - beta2 is missing in front of g**2: this is a sum, not an average.
        beta2 * s + (1 - beta2) * g**2 => (1 - beta2) * s + beta2 * g**2 | beta2 and 1 - beta2 are swapped: the old
            average keeps beta2.
        beta2 * s + (1 - beta2) * g**2 => beta1 * s + (1 - beta1) * g**2 | s has its own memory: beta2, not beta1.
        (1 - beta2) * g**2 => (1 - beta2) * g @ g  | s keeps a square for each entry, g**2, not their sum.
        , m, s => , mean, s | You return the corrected m. Keep m itself for the next step, and correct a copy.
        , m, s => , m, square | You return the corrected s. Keep s itself for the next step, and correct a copy.
        , m, s => , mean, square | You return the corrected m and s. Keep them for the next step, and correct copies.
        , m, s => , (m - (1 - beta1) * g) / beta1, s | You return the old m; the next step needs the new one.
        , m, s => , m, (s - (1 - beta2) * g**2) / beta2 | You return the old s; the next step needs the new one.
        , m, s => , (m - (1 - beta1) * g) / beta1, (s - (1 - beta2) * g**2) / beta2 | You return the old m and s; the
            next step needs the new ones.
        m / (1 - beta1**k), s / (1 - beta2**k) => m, s | The correction is missing: divide m by 1 - beta1^k and s by 1 -
            beta2^k.
        s / (1 - beta2**k) => s                    | The correction of s is missing: divide by 1 - beta2^k.
        m / (1 - beta1**k) => m                    | The correction of m is missing: divide by 1 - beta1^k.
        (np.sqrt(square) + eps) => np.sqrt(square + eps) | eps is inside the root; it stands outside.
        np.sqrt(square) => square                  | The root is missing: divide by a root mean square.
        (np.sqrt(square) + eps) => np.sqrt(square) | eps is missing in the denominator, or is not the one given.
        np.sqrt(square) + eps => np.sqrt(square) + eps / np.sqrt(1 - beta2**k) | eps is added to the root of s before
            the correction. Correct s first, then take the root and add eps.
        w - eta => w + eta                         | The sign is wrong: this step climbs.
        mean, square = m / (1 - beta1**k), s / (1 - beta2**k)
            => mean, square = (m - (1 - beta1) * g) / beta1 / (1 - beta1**k), (s - (1 - beta2) * g**2) / beta2 / (1 -
            beta2**k) | You step with the old m and s. Update both first.
        eta * mean => eta * g                      | You step along g. Adam steps along the average m.
        eta * mean / (np => mean / (np             | The rate eta is missing in front of the step.
        beta1**k => beta1 ;; beta2**k => beta2 | You divide by 1 - beta in every step. After k steps the weights sum to
            1 - beta^k.
        beta1**k => beta1 ** (k + 1) ;; beta2**k => beta2 ** (k + 1) | The powers are k + 1; here k counts from 1, so
            the first step divides by 1 - beta.
        beta1**k => beta1 ** (k - 1) ;; beta2**k => beta2 ** (k - 1) | The powers are k - 1; after k steps there are k
            weights: divide by 1 - beta^k.
        beta1**k => beta1 ** max(k - 1, 1) ;; beta2**k => beta2 ** max(k - 1, 1) | The powers are k - 1; after k steps
            there are k weights: divide by 1 - beta^k.
        """,
    right="Right. At k = 1 the step is eta times the sign of the slope, whatever its size.",
    explanation="Equation (5.42): the weights of k slopes sum to 1 - beta^k, so dividing by it makes them an average.",
)  # fmt: skip


def backtrack(f, gradient, w):
    g, eta = gradient(w), 1.0
    while not f(w - eta * g) <= f(w) - 0.5 * eta * g @ g:
        eta = eta / 2
    return eta


class Surface:
    """A surface; its copy, which a student's search gets, watches where the search asks for heights, and how often."""

    def __init__(self, f, gradient, w, watch=False):
        self.f, self.gradient, self.w, self.watch = f, gradient, w, watch
        self.calls, self.began = 0, False

    def __deepcopy__(self, memo):
        return Surface(self.f, self.gradient, self.w, watch=True)

    def __call__(self, u):
        if self.watch:
            self.refuse(np.asarray(u))
        return self.f(u)

    def refuse(self, u):
        """Raise Wrong where a search goes uphill, leaves its line, or does not end."""
        self.calls += 1
        g = self.gradient(self.w)
        step, square = self.w - u, g @ g
        eta = step @ g / square if square else 0.0
        aside = np.abs(step - eta * g).max() > 1e-6 * np.abs(step).max() + 1e-9 * np.abs(self.w).max()
        if aside or (eta > 1.01 and self.began):
            raise Wrong(
                "A trial does not start at w, or eta grows. Every trial is w - eta g: w and g stay, eta halves."
            )
        if eta < -1e-6:
            raise Wrong("You try f uphill, at w + eta g. The step goes against the gradient: f(w - eta g).")
        if self.calls > 3000:
            raise Wrong(ENDLESS if square else "Where the slope is zero eta = 1 is fine: ask for <=, not for <.")
        self.began |= 0 < eta < 1.01


ENDLESS = (
    "Your search calls f without end. Go on while the inequality fails, halve eta in every round, and ask "
    "for a gain of eta |g|²/2: without the factor eta a short step can never gain enough."
)


def places():
    """Return surfaces from flat to steep, each with a place to start from; the last place is a minimum."""
    rng, cases = np.random.default_rng(57), []
    for scale, reach in ((0.3, 1), (0.02, 200), (3.0, 1), (40.0, 1)):
        M = rng.normal(size=(3, 3))
        H = scale * (M @ M.T + 0.2 * np.eye(3))
        cases += [(lambda w, H=H: 0.5 * w @ H @ w, lambda w, H=H: H @ w, reach * rng.normal(size=3)) for _ in range(4)]
    for _ in range(6):
        w = 2 * rng.normal(size=3)
        cases.append((lambda w: np.sum(w**4) + np.sum(np.cosh(w)), lambda w: 4 * w**3 + np.sinh(w), w))
    cases.append((lambda w: w @ w / 2, lambda w: w, np.zeros(3)))
    return [(Surface(f, gradient, w), gradient, w) for f, gradient, w in cases]


def no_place(value):
    if isinstance(value, np.ndarray) and value.shape == (3,):
        raise Wrong("You return a place; the rate eta is wanted.")
    return value


task("5.5", "Find the step without knowing L", backtrack, cases=places, what="The rate", read=no_place,
    start="When may the search stop, and what changes from one trial to the next?",
    hints=[
        "A while loop that halves eta as long as the inequality does not hold.",
        "Not enough: f(w - eta g) > f(w) - eta |g|²/2. g @ g is the squared length. Return eta, not the new place.",
    ],
    slips="""
        - 0.5 * eta * g @ g => | You accept nearly any decrease. The gain must be at least eta |g|²/2, with the factor
            ½.
        0.5 * eta * g @ g => 1e-4 * eta * g @ g | You accept nearly any decrease. The gain must be at least eta |g|²/2,
            with the factor ½.
        - 0.5 * eta => + 0.5 * eta | The sign is wrong: f must fall by eta |g|²/2, not stay below a rise.
        while not => while eta > 1e-9 and not ;; 0.5 * eta => eta   | The factor ½ in front of eta |g|² is missing.
        0.5 * eta => 0.25 * eta                                  | The factor in front of eta |g|² is ½, not ¼.
        while not => while eta > 1e-9 and not ;; 0.5 * eta * g @ g => 0.5 * eta * np.sqrt(g @ g) | You used the length
            of the gradient, not its square, g @ g.
        while not => while eta > 1e-9 and not ;; 0.5 * eta * g @ g => 0.5 * g @ g | The factor eta in front of |g|² is
            missing: a shorter step promises less.
        0.5 * eta * g @ g => 0.5 * eta**2 * g @ g                | eta stands there once, not squared: eta |g|²/2.
        return eta => return eta / 2 | You halve once more after the inequality holds. Return the first eta that
            satisfies it.
        return eta => return 2 * eta | You return the last eta that failed. Return the first that satisfies the
            inequality.
        eta / 2 => eta * 0.1                                     | Halve eta in each round: times ½.
        eta / 2 => eta * 0.8                                     | Halve eta in each round: times ½.
        eta / 2 => eta * 0.9                                     | Halve eta in each round: times ½.
        1.0 => 0.1                                               | Start every search with eta = 1.
        1.0 => 0.5                                               | Start every search with eta = 1.
        1.0 => 2.0                                               | Start every search with eta = 1.
        1.0 => 4.0                                               | Start every search with eta = 1.
        1.0 => 10.0                                              | Start every search with eta = 1.
        return eta => return max(eta, 0.5)           | One halving need not be enough: repeat it (while, not if).
        return eta => return -np.log2(eta)           | You return the number of halvings; the rate eta is wanted.
        """,
    right="Right. It never needs L, and it notices where the surface is flat.",
    explanation="As soon as eta is at most 1/L the inequality is sure to hold, so the loop ends with eta above 1/(2L) "
    "(or at 1). Where the surface is flatter it accepts a larger step: the search adapts to the place.",
)  # fmt: skip
