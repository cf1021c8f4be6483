"""Blackjack solved: what every hand is worth, by dynamic programming over the cards (section 28.3).

A hand never comes back, so each value follows from those of the hands it can become: one pass is enough.
"""

from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np

from mlteach.monte_carlo.blackjack import CARDS, HIT, STICK, add_card
from mlteach.monte_carlo.policies import as_probabilities
from mlteach.validation import check_integer, check_number

CHANCES = {card: CARDS.count(card) / 13 for card in range(1, 11)}
# Each hand stands after those that one card makes of it: hard 21 to 11, soft 21 to 12, hard 10 to 4
ORDER = [
    *((n, 0) for n in range(21, 10, -1)),
    *((n, 1) for n in range(21, 11, -1)),
    *((n, 0) for n in range(10, 3, -1)),
]

AFTER = {(n, ace): [(p, *add_card(n, ace, card)) for card, p in CHANCES.items()] for n, ace in ORDER}


class BlackjackSolution(NamedTuple):
    """What hands are worth; a state is (sum, dealer's card, usable ace), and an action 0 (stick) or 1 (hit)."""

    V: dict  # state -> value
    Q: dict  # state -> array (value of stick, value of hit)
    spread: dict  # state -> array: standard deviation of the return after stick, after hit
    best: dict  # state -> set of the actions with the larger Q
    value: float  # of a game, before the cards are dealt

    def margin(self, state):
        """Return by how much hit is better than stick (negative: worse)."""
        stick, hit = self.Q[state]
        return float(hit - stick)


def exact_blackjack(policy=None, natural=False, *, epsilon=0.0):
    """Return the exact `BlackjackSolution` of a policy, or of the best one.

        Q(s, stick) = P(win) - P(lose);    Q(s, hit) = sum over cards c of P(c) V(s + c), -1 above 21     (28.2)

    policy    a function of the observation that returns 1 (hit), 0 (stick) or the probabilities of stick and hit;
              None is the best policy there is
    natural   a two-card 21 wins at once, as Gymnasium's ``sab=True`` pays. V and Q are those of a hand of three cards
              or more; what differs for a natural counts in ``value``
    epsilon   with ``policy=None``: the best among policies that take each action with probability epsilon / 2 or more

    >>> solved = exact_blackjack()
    >>> round(solved.value, 4), solved.best[16, 10, 0]
    (-0.0466, {1})
    >>> round(exact_blackjack(lambda hand: hand[0] < 20).V[13, 2, 1], 6)
    -0.277204
    """
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)
    if policy is not None and epsilon:
        raise ValueError("epsilon belongs to the best policy (policy=None); give the policy itself as you want it.")
    probabilities = None if policy is None else as_probabilities(policy, 2)
    V, Q, squares, spread, best = {}, {}, {}, {}, {}
    for dealer in range(1, 11):
        for total, ace in ORDER:
            state = (total, dealer, ace)
            stick, stick2 = stick_law(total, dealer)
            hit = sum(p * (-1.0 if n > 21 else V[n, dealer, a]) for p, n, a in AFTER[total, ace])
            hit2 = sum(p * (1.0 if n > 21 else squares[n, dealer, a]) for p, n, a in AFTER[total, ace])
            best[state] = _larger(stick, hit)
            p0, p1 = _soft(best[state], epsilon) if policy is None else probabilities(state).tolist()
            V[state], squares[state] = p0 * stick + p1 * hit, p0 * stick2 + p1 * hit2
            Q[state] = np.array([stick, hit])
            spread[state] = np.array([sqrt(max(stick2 - stick**2, 0)), sqrt(max(hit2 - hit**2, 0))])
    return BlackjackSolution(V, Q, spread, best, _of_a_game(V, Q, natural, probabilities, epsilon))


def dealer_ends(up):
    """Return the probabilities of the dealer's final sum: a dict from 17, ..., 21 and 22 (above 21) for a card ``up``.

    >>> round(dealer_ends(6)[22], 4)
    0.4232
    """
    return dict(_ends(check_integer(up, "the dealer's card", low=1, high=10)))


@cache
def _ends(up):
    ends = dict.fromkeys(range(17, 23), 0.0)
    open_hands = {add_card(0, 0, up): 1.0}
    while open_hands:
        (total, ace), p = open_hands.popitem()
        for card, chance in CHANCES.items():
            hand = add_card(total, ace, card)
            if hand[0] >= 17:
                ends[min(hand[0], 22)] += p * chance
            else:
                open_hands[hand] = open_hands.get(hand, 0.0) + p * chance
    return ends


def first_hands():
    """Return the probabilities of the first observation: a dict from states."""
    chances = {}
    for up, p in CHANCES.items():
        for one, q in CHANCES.items():
            for two, r in CHANCES.items():
                total, ace = add_card(*add_card(0, 0, one), two)
                chances[total, up, ace] = chances.get((total, up, ace), 0.0) + p * q * r
    return chances


@cache
def stick_law(total, dealer):
    """Return mean and mean square of the reward for sticking."""
    ends = _ends(dealer)
    win = ends[22] + sum(p for end, p in ends.items() if end < total)
    lose = sum(p for end, p in ends.items() if total < end < 22)
    return win - lose, win + lose


def _larger(stick, hit):
    """Return the set of the better actions; values that differ by rounding alone are equal."""
    top = max(stick, hit) - 1e-12
    return {a for a, q in ((STICK, stick), (HIT, hit)) if q >= top}


def _soft(best, epsilon):
    """Return the probabilities of stick and hit of the epsilon-greedy policy; equal actions share."""
    return [epsilon / 2 + (1 - epsilon) / len(best) * (a in best) for a in (STICK, HIT)]


def _of_a_game(V, Q, natural, probabilities, epsilon):
    """Return the mean of V over the first hands; a natural has its own value where it pays."""
    total = 0.0
    for (n, up, ace), p in first_hands().items():
        value = V[n, up, ace]
        if natural and n == 21:
            wins = 1 - {1: 4 / 13, 10: 1 / 13}.get(up, 0.0)  # unless the dealer has one too
            hit = Q[21, up, 1][1]
            p0, p1 = _soft(_larger(wins, hit), epsilon) if probabilities is None else probabilities((n, up, ace))
            value = float(p0 * wins + p1 * hit)
        total += p * value
    return total
