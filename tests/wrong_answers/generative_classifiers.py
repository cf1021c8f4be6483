"""Typical wrong answers to the tasks of chapter 10, each with words that the check must say, and right ones in form."""

import math

import numpy as np

from mlteach.exercises.generative_classifiers import (
    _HIGH,
    _LOW,
    _NO,
    _OFFSET,
    _YES,
    _coins,
    _divided,
    _plane_with,
    _section_with,
    _smoothed_counts,
    _urns_with,
    chances,
    plane,
    section_of,
    urns_of_words,
)

_V = 22 / 6


def _log_then_divide(J):
    p = np.exp(J)
    return np.nan_to_num(p / p.sum(axis=1, keepdims=True))


def _one_shift(J):
    p = np.exp(J - J.max())
    return p / p.sum(axis=1, keepdims=True)


def _tiny(J):
    p = np.exp(J) + 1e-300
    return p / p.sum(axis=1, keepdims=True)


def _lost_infinity(J):
    J = np.where(np.isinf(J), 0.0, J)
    return chances(J)


def _chances_in_place(J):
    J -= J.max(axis=1, keepdims=True)
    return chances(J)


def _stuck_plane(mu_0, mu_1, Sigma, pi_1):
    return plane(mu_0, mu_1, Sigma, 0.3)


def _plane_by(means):
    """A plane whose b has another term with the means."""

    def wrong(mu_0, mu_1, Sigma, pi_1):
        w = np.linalg.solve(Sigma, mu_1 - mu_0)
        return w, -0.5 * means(mu_0, mu_1, w) + np.log(pi_1 / (1 - pi_1))

    return wrong


def _by_appearance(X, y, alpha):
    T = np.array([X[y == c].sum(axis=0) for c in dict.fromkeys(y.tolist())]) + alpha
    return T / T.sum(axis=1, keepdims=True)


def _plane_in_place(mu_0, mu_1, Sigma, pi_1):
    mu_1 -= mu_0
    return plane(mu_0, mu_1 + mu_0, Sigma, pi_1)


def _seen_labels(X, y, alpha):
    T = np.array([X[y == k].sum(axis=0) + alpha for k in range(len(np.unique(y)))])
    return T / T.sum(axis=1, keepdims=True)


def _urns_in_place(X, y, alpha):
    X += 0
    X *= 2
    return urns_of_words(X / 2, y, alpha)


WRONG = {
    "10.a": [
        (0.009, "joint probability, ill"),
        (0.9, "the other way round"),
        (0.0585, "denominator"),
        (0.0495, "healthy and positive"),
        (0.9 / 0.95, "same share"),
        (0.009 / 0.0495, "odds"),
        (0.009 / 0.059, "not from all"),
        (0.01, "before the test"),
        (1 - 0.009 / 0.0585, "one minus"),
        (0.95, "negative test"),
        (0.009 / 0.054, "rounded the share"),
        (15.4, "per cent"),
        (0.3, "is not 0.3"),
        ("0.154", "text"),
    ],
    "10.b": [
        ((4, 0.5, _OFFSET), "by its inverse"),
        ((2, 1, -2.5 + np.log(0.25)), "Σ⁻¹ is missing"),
        ((-1, -2, -_OFFSET), "The sign of w"),
        ((2 / np.sqrt(2), 1 / np.sqrt(0.5), -1.0), "standard deviations"),
        ((1, 2, -2), "shares are missing"),
        ((1, 2, -1.75), "logarithm of the quotient"),
        ((1, 2, -2 - np.log(0.25)), "yours is positive"),
        ((1, 2, -2 + np.log(0.2)), "by that of class 0"),
        ((1, 2, -4 + np.log(0.25)), "factor ½"),
        ((1, 2, 2 + np.log(0.25)), "has a minus"),
        ((1, 2, -_OFFSET), "b has the wrong sign"),
        ((1, 2, -2 + np.log10(0.25)), "base 10"),
        ((1, 2, np.log(0.25)), "terms with the means"),
        ((1, 2, -2.5 + np.log(0.25)), "μ1·μ1"),
        ((1, 2), "2 entries; 3 are wanted"),
        ((1, 2, -3), "b is not -3"),
    ],
    "10.c": [
        ((np.var([0, 4, 5, 6, 7, 10]), 1.0), "mean of all"),
        ((3.75, 5 / 3.75), "plain mean"),
        ((5.5, 5 / 5.5), "N - K"),
        ((4.4, 5 / 4.4), "N - 1"),
        ((22, 5 / 22), "sum of the squares"),
        ((_V**0.5, 1.0), "standard deviation"),
        ((7.5, 5 / 7.5), "added the two"),
        ((_V, 5 / _V**0.5), "not by its root"),
        ((_V, -5 / _V), "points to class 1"),
        ((_V, 5 * _V), "divided by it"),
        ((_V, 5), "divided by it"),
        ((3.5, 5 / 3.5), "class 1 alone"),
        ((4, 5 / 4), "class 0 alone"),
        (((8 + 14 / 3) / 2, 5), "N_k - 1"),
        ((_V, 1.36), "rounded too far"),
        ((_V, 2.0), "w is not"),
        ((3.0, 5 / 3), "the variance is not 3"),
    ],
    "10.d": [
        ((49, 112), "K - 1"),
        ((45, 108), "shares are missing"),
        ((63, 171), "symmetric"),
        ((42, 87), "diagonal"),
        ((30, 93), "mean of its own"),
        ((111, 48), "wrong order"),
        ((33, 51), "only variances"),
        ((24, 87), "means are missing"),
        ((21, 84), "shares and the means"),
        ((27, 27), "covariances are missing"),
        ((48, 69), "first is right"),
        ((48, 100), "first is right"),
        ((47, 111), "shared is not 47"),
    ],
    "10.e": [
        (_YES, "joint probability of Yes"),
        (_NO, "joint probability of No"),
        (_YES / _NO, "odds"),
        (_NO / (_YES + _NO), "chance of No"),
        ((_YES / 9) / (_YES / 9 + _NO / 5), "are missing"),
        (
            _YES * (9 / 14) ** 3 / (_YES * (9 / 14) ** 3 + _NO * (5 / 14) ** 3),
            "enters once",
        ),
        (0.4464, "smoothed"),
        (0.2046, "day of the text"),
        (_YES + _NO, "denominator"),
        (36.7, "per cent"),
        (36.66, "per cent"),
        (2 * _YES / (2 * _YES + _NO), "not mild"),
        (9 / 14 * 3 * 2 * 3 * 6 / (5 * 4 * 7 * 8) / (9 / 14 * 108 / 1120 + 5 / 14 * 32 / 1120), "among the rainy days"),
        (_YES / 2 / (_YES / 2 + _NO * 1.5), "not strong"),
        (0.5, "is not 0.5"),
    ],
    "10.f": [
        (2 * np.log(2), "count 2"),
        (np.log(2), "idf alone"),
        (2 / 3, "tf alone"),
        (2 / 3 * np.log(4 / 3), "not its occurrences"),
        (np.log(2) / 3, "not in all of them"),
        (2 / 3 * np.log10(2), "base 10"),
        (-2 / 3 * np.log(2), "not negative"),
        (4 / 3, "logarithm of N"),
        (2 / 3 * (np.log(2) + 1), "has no 1"),
        (2 / 3 * np.log(4), "ln N"),
        (np.log(2) / 2, "2/3"),
        (2 / 3 * np.log(3), "N counts documents"),
        (2 / 9 * np.log(2), "not of all"),
        (2 / 3 * (np.log(5 / 3) + 1), "nothing is smoothed"),
        (0.7, "is not 0.7"),
    ],
    "10.g": [
        ((4 / 7, 5 / 17), "wrong order"),
        ((3 / 7, 2 / 3), "no smoothing"),
        ((4 / 12, 3 / 5), "α = 1"),
        ((3 / 7, 4 / 7), "urn is not smoothed"),
        ((5 / 9, 4 / 7), "each of the five"),
        ((5 / 11, 4 / 7), "not T_k"),
        ((5 / 13, 4 / 7), "every word of the vocabulary"),
        ((5 / 7, 4 / 7), "missing below"),
        ((4 / 17, 4 / 7), "how often"),
        ((5 / 17, 2 / 3), "coin is not smoothed"),
        ((5 / 17, 4 / 5), "two sides"),
        ((5 / 17, 5 / 7), "counts documents"),
        ((5 / 17, 4 / 13), "not five"),
        ((5 / 17, 0.5), "coin is not"),
        ((0.5, 4 / 7), "urn is not"),
        ((0.1, 0.2), "urn is not 0.1"),
    ],
    "10.1": [
        (np.exp, "joint probabilities"),
        (lambda J: np.exp(J - J.max(axis=1, keepdims=True)), "division by the sum"),
        (lambda J: J - np.logaddexp.reduce(J, axis=1, keepdims=True), "logarithms"),
        (lambda J: chances(J.T).T, "Each row must sum to one"),
        (lambda J: np.exp(J) / np.exp(J).sum(), "whole table"),
        (lambda J: J / J.sum(axis=1, keepdims=True), "take the exponential first"),
        (lambda J: np.eye(J.shape[1])[J.argmax(axis=1)], "winner only"),
        (lambda J: J, "as they came"),
        (lambda J: chances(J * np.log(10)), "powers of 10"),
        (lambda J: np.exp(J - J.max()) / np.exp(J - J.max()).sum(), "whole table"),
        (_divided, "Subtract the largest"),
        (_log_then_divide, "entries such as -5000"),
        (_one_shift, "rows of very different size"),
        (_tiny, "entries such as -5000"),
        (_lost_infinity, "a class with -inf"),
        (_chances_in_place, "changes its argument"),
        (lambda J: np.array([[0.5, 0.5]]), "whatever it is given"),
        (lambda J: np.full(J.shape, 1 / J.shape[1]), "0.5"),
    ],
    "10.2": [
        (_plane_with(matrix=lambda S: S), "by its inverse"),
        (_plane_with(matrix=lambda S: np.eye(len(S))), "nearest means"),
        (_plane_with(matrix=lambda S: np.diag(1 / np.diag(S))), "only the variances"),
        (_plane_with(prior="none"), "shares are missing"),
        (_plane_with(prior="plain"), "not the quotient itself"),
        (_plane_with(prior="minus"), "sign of the shares"),
        (_plane_with(prior="alone"), "alone is not enough"),
        (_plane_with(half=1.0), "factor ½"),
        (_plane_with(sign=-1.0), "wrong signs"),
        (_plane_with(swap=True), "swapped"),
        (_plane_with(own=False), "term of class 0"),
        (lambda a, b, S, p: (plane(a, b, S, p)[0], -plane(a, b, S, p)[1]), "wrong sign"),
        (_plane_with(prior="ten"), "base 10"),
        (_plane_with(matrix=lambda S: np.diag(np.diag(S) ** -0.5)), "standard deviations"),
        (_plane_by(lambda a, b, w: (b - a) @ w), "sum of the means"),
        (_plane_by(lambda a, b, w: b @ w), "μ0 is missing"),
        (_plane_by(lambda a, b, w: b @ b - a @ a), "In b Σ⁻¹ is missing"),
        (lambda a, b, S, p: (np.linalg.solve(S, a + b), plane(a, b, S, p)[1]), "not their sum"),
        (lambda a, b, S, p: tuple(z / np.linalg.norm(plane(a, b, S, p)[0]) for z in plane(a, b, S, p)), "length one"),
        (_stuck_plane, "0.3"),
        (_plane_in_place, "changes its argument mu_1 in place"),
        (lambda a, b, S, p: plane(a, b, S, p)[0], "two|b"),
    ],
    "10.3": [
        (lambda X, y, alpha: urns_of_words(X, y, 0), "no smoothing"),
        (lambda X, y, alpha: urns_of_words(X, y, 1), "add alpha"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + a)), "alpha times d"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / A.sum()), "missing in the divisor"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + 2 * a)), "that of coins"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (len(A) + 2 * a)), "number of documents"),
        (_urns_with(lambda A, a, X: ((A > 0).sum(axis=0) + a) / (len(A) + 2 * a)), "coins of"),
        (
            _urns_with(lambda A, a, X: ((A > 0).sum(axis=0) + a) / ((A > 0).sum() + a * A.shape[1])),
            "how often it occurs",
        ),
        (
            _urns_with(lambda A, a, X: ((A + a) / (A.sum(axis=1, keepdims=True) + a * A.shape[1])).sum(axis=0)),
            "document by document",
        ),
        (
            _urns_with(lambda A, a, X: ((A + a) / (A.sum(axis=1, keepdims=True) + a * A.shape[1])).mean(axis=0)),
            "averaged",
        ),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (X.sum() + a * A.shape[1])), "own urn"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (X.sum(axis=0) + a)), "in all classes"),
        (lambda X, y, alpha: urns_of_words(X, y, alpha).T, "transposed"),
        (lambda X, y, alpha: np.log(urns_of_words(X, y, alpha)), "logarithms"),
        (lambda X, y, alpha: urns_of_words(X, y, alpha)[::-1], "sorted order"),
        (_seen_labels, "np.unique"),
        (_by_appearance, "in which they appear"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + 3 * a)), "as in the example"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + A.shape[1])), "alpha times d, not d"),
        (_urns_with(lambda A, a, X: (A.sum(axis=0) + 1) / (A.sum() + a * A.shape[1])), "Above you add 1"),
        (lambda X, y, alpha: urns_of_words(X, y, alpha / X.shape[1]), "divided by d"),
        (_urns_with(lambda A, a, X: (A.mean(axis=0) + a) / (A.mean(axis=0) + a).sum()), "mean over the documents"),
        (
            lambda X, y, alpha: _smoothed_counts(X, y, alpha) / _smoothed_counts(X, y, alpha).sum(axis=0),
            "columns sum to one",
        ),
        (lambda X, y, alpha: _smoothed_counts(X, y, alpha) / _smoothed_counts(X, y, alpha).sum(), "whole table"),
        (_urns_with(lambda A, a, X: A.sum(axis=0) + a), "smoothed counts"),
        (_urns_in_place, "changes its argument X in place"),
    ],
    "10.4": [
        (tuple((-1 + s * 2) / 3 for s in (-1, 1)), "factors 1/√v"),
        (tuple((-1 + s * np.sqrt(4 + 48 * np.log(2))) / 3 for s in (-1, 1)), "the ½ is missing"),
        ((_HIGH, _LOW), "smaller first"),
        ((-1.3596, 1.3596), "equal means"),
        ((0.5, 0.5), "Halfway"),
        ((-_HIGH, -_LOW), "The mean of class 1"),
        ((-1.85, 1.18), "Rounded too far"),
        ((-0.3596, 2.3596), "stays at 0"),
        ((_LOW, 2.0), "larger is not"),
        ((-2.0, _HIGH), "smaller is not"),
        (tuple(np.sort(np.roots([15 / 32, 1 / 16, -1 / 32 - np.log(4)]).real)), "variance already"),
        ((-1.0, 1.0), "is not"),
    ],
}


def _sections_counted(texts, labels, sentence, alpha):
    """A right answer with arrays instead of lists."""
    words = sorted({word for text in texts for word in text.lower().split()})
    X = np.array([[text.lower().split().count(word) for word in words] for text in texts])
    theta = urns_of_words(X, np.array(labels), alpha)
    names, shares = np.unique(labels, return_counts=True)
    x = np.array([sentence.lower().split().count(word) for word in words])
    return names[np.argmax(np.log(shares / len(labels)) + np.log(theta) @ x)]


WRONG["10.5"] = [
    (_section_with(logs=False), "underflow"),
    (_section_with(prior=False), "shares of the classes"),
    (_section_with(unknown=True), "pass over it"),
    (_section_with(smooth=1.0), "add alpha"),
    (_section_with(smooth=1e-9), "no smoothing"),
    (_section_with(smooth=0.0), "no smoothing"),
    (_section_with(size=False), "number of words in the vocabulary"),
    (_section_with(own=True), "not that of the class alone"),
    (_section_with(once=True), "counts twice"),
    (_section_with(lower=False), "Capitals"),
    (_section_with(seen=True), "twice in its urn"),
    (_section_with(asked_too=True), "from the texts alone"),
    (_section_with(everybody=True), "words of the class"),
    (_section_with(by_words=True), "not of its words"),
    (_section_with(best=min), "least probable"),
    (_coins, "coins of"),
    (lambda texts, labels, sentence, alpha: labels[0], "first label"),
    (lambda texts, labels, sentence, alpha: math.log(0.0), "logarithm of 0"),
    (lambda texts, labels, sentence, alpha: max(sorted(set(labels)), key=labels.count), "ignore the sentence"),
    (lambda texts, labels, sentence, alpha: "sport", "whatever it is given"),
    (lambda texts, labels, sentence, alpha: 0.7, "One of the labels"),
    (lambda texts, labels, sentence, alpha: labels[len(sentence) % 2], "the class is"),
    (lambda texts, labels, sentence, alpha: labels.sort() or section_of(texts, labels, sentence, alpha), "in place"),
]

RIGHT = {
    "10.a": [2 / 13, 0.154, np.array([0.15385]), np.float32(0.1538)],
    "10.b": [[1, 2, -3.386], np.array([1, 2, _OFFSET]), {"w1": 1, "w2": 2, "b": -3.3863}],
    "10.c": [[_V, 15 / 11], np.array([3.667, 1.364]), (3.6667, 1.3636)],
    "10.d": [[48, 111], ([48], [111]), np.array([48, 111]), (48.0, 111.0)],
    "10.e": [0.367, _YES / (_YES + _NO), np.array(0.3666)],
    "10.f": [2 / 3 * np.log(2), 0.462, [0.4621]],
    "10.g": [[5 / 17, 4 / 7], (0.294, 0.571), (np.array([5 / 17]), [4 / 7])],
    "10.1": [
        lambda J: np.exp(J - np.logaddexp.reduce(J, axis=1, keepdims=True)),
        lambda J: chances(J).tolist(),
        lambda J: (
            np.array([1 / np.exp(J - row[:, None]).sum(axis=1) for row in J.T]).T
            if np.abs(J).max() < 600
            else chances(J)
        ),
    ],
    "10.2": [
        lambda mu_0, mu_1, Sigma, pi_1: list(plane(mu_0, mu_1, Sigma, pi_1)),
        lambda mu_0, mu_1, Sigma, pi_1: (
            np.linalg.inv(Sigma) @ (mu_1 - mu_0),
            np.array([plane(mu_0, mu_1, Sigma, pi_1)[1]]),
        ),
    ],
    "10.3": [
        lambda X, y, alpha: urns_of_words(X, y, alpha).tolist(),
        lambda X, y, alpha: (
            ((y == np.unique(y)[:, None]) @ X + alpha)
            / ((y == np.unique(y)[:, None]) @ X.sum(axis=1, keepdims=True) + alpha * X.shape[1])
        ),
    ],
    "10.5": [_sections_counted],
    "10.4": [[-1.848, 1.181], np.array([_LOW, _HIGH]), (-1.8476, 1.1809)],
}
