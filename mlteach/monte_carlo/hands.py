"""Many hands of blackjack at once, and the exact spread of importance sampling on them (section 28.10).

The simulator of the lecture plays one hand after the other; here all hands take their next card together.
"""

from typing import NamedTuple

import numpy as np

from mlteach.monte_carlo.blackjack import CARDS, add_card, read_hand
from mlteach.monte_carlo.exact import AFTER, ORDER, stick_law
from mlteach.monte_carlo.policies import as_probabilities
from mlteach.validation import as_rng, check_integer, check_number

DECK = np.array(CARDS)
BUST = np.array([-1.0, 1, -1, 1])  # of a lost hand: G, then G^2, G and 1


class Hands(NamedTuple):
    """Returns and ratios of many hands, all begun in the same state."""

    returns: np.ndarray  # (n,) 1, 0 or -1
    ratios: np.ndarray  # (n,) rho of the whole hand


class Spread(NamedTuple):
    """What the spread of both estimates follows from, exactly (28.15)."""

    value: float  # V of the target
    ordinary: float  # standard deviation of rho G: divide by the root of n
    weighted: float  # the same for rho (G - V), the spread of the weighted estimate for large n
    ratio_square: float  # mean of rho^2: n hands are worth n / this many of the target


def play_hands(state, n, policy, behaviour=None, rng=0):
    """Play ``n`` hands from ``state`` with ``behaviour`` (None: both actions alike); return the `Hands`.

    >>> hands = play_hands((13, 2, 1), 1000, policy=lambda hand: int(hand[0] < 20))
    >>> hands.returns.shape, sorted(set(hands.ratios.tolist()))[:4]
    ((1000,), [0.0, 4.0, 8.0, 16.0])
    """
    n, rng, state = check_integer(n, "n", low=1), as_rng(rng), read_hand(state)
    pi, b = (_hit_table(p, state[1], name) for p, name in ((policy, "policy"), (behaviour, "behaviour")))
    total, ace = np.full(n, state[0]), np.full(n, state[2])
    ratios, returns, open_ = np.ones(n), np.zeros(n), np.arange(n)
    while len(open_):
        p, q = pi[ace[open_], total[open_]], b[ace[open_], total[open_]]
        hits = rng.random(len(open_)) < q
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios[open_] *= np.where(hits, p / q, (1 - p) / (1 - q))
        open_ = open_[hits]
        total[open_], ace[open_] = _add_cards(total[open_], ace[open_], DECK[rng.integers(13, size=len(open_))])
        returns[open_[total[open_] > 21]] = -1
        open_ = open_[total[open_] <= 21]
    stuck = np.flatnonzero(returns == 0)
    dealer = _dealer_sums(state[1], len(stuck), rng)
    returns[stuck] = np.where(dealer > 21, 1, np.sign(total[stuck] - dealer))
    return Hands(returns, ratios)


def ratio_spread(state, policy, behaviour, *, offset=0.0):
    """Return the exact `Spread` of importance sampling from ``state``; infinite where the policy is not covered.

    ``offset`` is paid at the end of each hand besides what it wins: 1 gives the stake back.

    ``behaviour`` is the policy that played.

    >>> ratio_spread((13, 2, 1), lambda hand: int(hand[0] < 20), None).ratio_square
    10.79...
    """
    offset, state = check_number(offset, "offset"), read_hand(state)
    pi, b = as_probabilities(policy, 2), as_probabilities(behaviour, 2, "behaviour")
    moments = {}  # (sum, ace) -> means of G under the target; of rho^2 G^2, rho^2 G, rho^2 under the behaviour
    for total, ace in ORDER:
        hand = (total, state[1], ace)
        stick, stick2 = stick_law(total, state[1])
        hit = sum(p * (BUST if n > 21 else moments[n, a]) for p, n, a in AFTER[total, ace])
        mine, other = pi(hand), b(hand)
        with np.errstate(divide="ignore", invalid="ignore"):
            square = np.where(mine > 0, mine**2 / other, 0.0)
        weight = np.array([mine, square, square, square])  # (4, 2)
        both = np.column_stack([[stick, stick2, stick, 1.0], hit])
        with np.errstate(invalid="ignore"):
            moments[total, ace] = np.where(weight > 0, weight * both, 0.0).sum(axis=1)
    V, squares, means, ones = moments[state[0], state[2]]
    if not np.isfinite(ones):
        return Spread(float(V) + offset, np.inf, np.inf, np.inf)
    centred = squares - 2 * V * means + V**2 * ones
    V, squares = V + offset, squares + 2 * offset * means + offset**2 * ones
    return Spread(float(V), float(np.sqrt(squares - V**2)), float(np.sqrt(centred)), float(ones))


def _hit_table(policy, dealer, name):
    """Return the probability of a hit for [ace, sum]."""
    look, table = as_probabilities(policy, 2, name), np.zeros((2, 22))
    for total, ace in ORDER:
        table[ace, total] = look((total, dealer, ace))[1]
    return table


def _add_cards(total, ace, card):
    """Do what `add_card` does, for arrays."""
    total = total + card
    new = (card == 1) & (total <= 11)
    total, ace = total + 10 * new, np.where(new, 1, ace)
    over = (ace == 1) & (total > 21)
    return total - 10 * over, np.where(over, 0, ace)


def _dealer_sums(up, n, rng):
    """Return the final sums (n,) of a dealer who shows ``up``."""
    total, ace = (np.full(n, part) for part in add_card(0, 0, up))
    open_ = np.arange(n)
    while len(open_):
        total[open_], ace[open_] = _add_cards(total[open_], ace[open_], DECK[rng.integers(13, size=len(open_))])
        open_ = open_[total[open_] < 17]
    return total
