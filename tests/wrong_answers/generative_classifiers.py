"""Chapter 10: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math

import numpy as np

from mlteach.exercises import generative_classifiers as right
from mlteach.exercises.generative_classifiers import HIGH, LOW, OFFSET, V, chances, plane, section_of, urns_of_words


def _chances_in_place(J):
    J -= J.max(axis=1, keepdims=True)
    return chances(J)


def _plane_in_place(mu_0, mu_1, Sigma, pi_1):
    mu_1 -= mu_0
    return plane(mu_0, mu_1 + mu_0, Sigma, pi_1)


def _urns_in_place(X, y, alpha):
    X *= 2
    return urns_of_words(X / 2, y, alpha)


def _sections_counted(texts, labels, sentence, alpha):
    """A right answer with arrays instead of lists."""
    words = sorted({word for text in texts for word in text.lower().split()})
    X = np.array([[text.lower().split().count(word) for word in words] for text in texts])
    theta = urns_of_words(X, np.array(labels), alpha)
    names, shares = np.unique(labels, return_counts=True)
    x = np.array([sentence.lower().split().count(word) for word in words])
    return names[np.argmax(np.log(shares / len(labels)) + np.log(theta) @ x)]


WRONG = {
    "10.a": [(1 - 0.009 / 0.0585, "one minus"), (15.4, "per cent"), (0.3, "is not 0.3"), ("0.154", "text")],
    "10.b": [((1, 2), "2 entries; 3 are wanted"), ((1, 2, -3), "b is not -3"), ((2, 1, OFFSET), "exchanged")],
    "10.c": [((V, 1.36), "rounded"), ((V, 2.0), "w is not"), ((3.0, 5 / 3), "variance is not 3")],
    "10.d": [((111, 48), "another order"), ((48, 100), "own covariances is not 100"), ((49, 112), "K - 1")],
    "10.e": [(36.7, "per cent"), (36.66, "per cent"), (0.5, "is not 0.5")],
    "10.f": [(0.7, "is not 0.7"), (46.2, "per cent")],
    "10.g": [((4 / 7, 5 / 17), "another order"), ((5 / 17, 0.5), "coin is not"), ((0.1, 0.2), "urn is not 0.1")],
    "10.1": [
        (_chances_in_place, "changes its argument"),
        (lambda J: np.exp(J) / np.exp(J).sum(axis=0), "Subtract the largest"),
        (lambda J: np.array([[0.5, 0.5]]), "whatever it is given"),
        (lambda J: np.full(J.shape, 1 / J.shape[1]), "0.5"),
    ],
    "10.2": [
        (lambda a, b, S, p: plane(a, b, S, 0.3), "0.3"),
        (_plane_in_place, "changes its argument mu_1 in place"),
        (lambda a, b, S, p: plane(a, b, S, p)[0], "two|b"),
    ],
    "10.3": [
        (_urns_in_place, "changes its argument X in place"),
        (lambda X, y, alpha: urns_of_words(X, y, alpha)[:, ::-1], "table"),
    ],
    "10.4": [
        ((HIGH, LOW), "another order"),
        ((-1.85, 1.18), "rounded"),
        ((LOW, 2.0), "larger end is not"),
        ((-2.0, HIGH), "smaller end is not"),
        ((-1.0, 1.0), "is not"),
    ],
    "10.5": [
        (lambda texts, labels, sentence, alpha: math.log(0.0), "logarithm of 0"),
        (lambda texts, labels, sentence, alpha: "sport", "whatever it is given"),
        (lambda texts, labels, sentence, alpha: 0.7, "One of the labels"),
        (lambda texts, labels, sentence, alpha: labels[len(sentence) % 2], "the class is"),
        (lambda texts, labels, *more: labels.sort() or section_of(texts, labels, *more), "in place"),
    ],
}

RIGHT = {
    "10.a": [2 / 13, 0.154, np.array([0.15385]), np.float32(0.1538)],
    "10.b": [[1, 2, -3.386], np.array([1, 2, OFFSET]), {"w1": 1, "w2": 2, "b": -3.3863}],
    "10.c": [[V, 15 / 11], np.array([3.667, 1.364]), (3.6667, 1.3636)],
    "10.d": [[48, 111], ([48], [111]), np.array([48, 111]), (48.0, 111.0)],
    "10.e": [0.367, right.YES / (right.YES + right.NO), np.array(0.3666)],
    "10.f": [2 / 3 * np.log(2), 0.462, [0.4621]],
    "10.g": [[5 / 17, 4 / 7], (0.294, 0.571), (np.array([5 / 17]), [4 / 7])],
    "10.1": [
        lambda J: np.exp(J - np.logaddexp.reduce(J, axis=1, keepdims=True)),
        lambda J: chances(J).tolist(),
    ],
    "10.2": [
        lambda *case: list(plane(*case)),
        lambda a, b, S, p: (np.linalg.inv(S) @ (b - a), np.array([plane(a, b, S, p)[1]])),
    ],
    "10.3": [
        lambda X, y, alpha: urns_of_words(X, y, alpha).tolist(),
        lambda X, y, alpha: (
            ((y == np.unique(y)[:, None]) @ X + alpha)
            / ((y == np.unique(y)[:, None]) @ X.sum(axis=1, keepdims=True) + alpha * X.shape[1])
        ),
    ],
    "10.4": [[-1.848, 1.181], np.array([LOW, HIGH]), (-1.8476, 1.1809)],
    "10.5": [_sections_counted],
}
