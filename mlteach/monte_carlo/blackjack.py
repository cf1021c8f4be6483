"""The game of blackjack, as a simulator: it deals, and says nothing of its probabilities (section 28.1).

Cards are drawn with replacement. Aces count 11 where that does not pass 21 (then the ace is usable), picture cards 10.
The player sees one card of the dealer and asks for cards (hit, 1) or stops (stick, 0); above 21 he loses. Then the
dealer draws up to 17 or more. The higher sum wins 1, the lower loses 1, equal sums win nothing.
"""

import numpy as np

from mlteach.mdp import Discrete
from mlteach.validation import check_integer

CARDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
STICK, HIT = 0, 1
DECISIONS = tuple((total, dealer, ace) for ace in (1, 0) for total in range(12, 22) for dealer in range(1, 11))


class Blackjack:
    """Blackjack with the interface of Gymnasium: an observation is (sum, dealer's card, usable ace).

    natural : a two-card 21 of the player wins against every hand but a two-card 21 (Gymnasium's ``sab=True``)

    ``reset(options={"state": (13, 2, 1)})`` begins with that hand; such a hand is no natural.
    ``states`` holds the 200 hands that leave a choice: below 12 another card is free of risk.

    >>> game = Blackjack()
    >>> hand, info = game.reset(seed=3)
    >>> hand
    (7, 10, 0)
    >>> game.step(1)[1:]
    (0.0, False, False, {})
    """

    def __init__(self, natural=False):
        self.natural = natural
        self.action_space = Discrete(2)
        self.states = DECISIONS
        self._cards, self._over = None, True

    def reset(self, *, seed=None, options=None):
        """Deal a new game and return its first observation and an empty dict; ``seed`` shuffles anew."""
        if seed is not None or self._cards is None:
            self._cards = _deck(np.random.default_rng(seed)).__next__
        card = self._cards
        self._up, self._hole = card(), card()
        if options is None:
            self._sum, self._ace = add_card(*add_card(0, 0, card()), card())
            self._is_natural = self._sum == 21
        else:
            self._sum, self._up, self._ace = read_hand(_state(options))
            self._is_natural = False
        self._over = False
        return (self._sum, self._up, self._ace), {}

    def step(self, action):
        """Hit (1) or stick (0); return observation, reward, terminated, truncated and an empty dict."""
        if self._over:
            raise RuntimeError("the game is over; call reset() to deal a new one.")
        if action == HIT:
            self._is_natural = False
            self._sum, self._ace = add_card(self._sum, self._ace, self._cards())
            self._over = self._sum > 21
            reward = -1.0 if self._over else 0.0
        elif action == STICK:
            self._over, reward = True, self._settle()
        else:
            raise ValueError(f"action must be 0 (stick) or 1 (hit); got {action!r}.")
        return (self._sum, self._up, self._ace), reward, self._over, False, {}

    def _settle(self):
        """Let the dealer draw up to 17 or more, and compare."""
        total, ace = add_card(*add_card(0, 0, self._up), self._hole)
        if self.natural and self._is_natural and total != 21:
            return 1.0
        natural = self.natural and self._is_natural and total == 21
        while total < 17:
            total, ace = add_card(total, ace, self._cards())
        if natural:
            return 0.0
        return 1.0 if total > 21 or total < self._sum else (-1.0 if total > self._sum else 0.0)


def add_card(total, ace, card):
    """Return sum and usable ace (0 or 1) of a hand after one more card.

    >>> add_card(0, 0, 1), add_card(16, 1, 9), add_card(12, 0, 10)
    ((11, 1), (15, 0), (22, 0))
    """
    total += card
    if card == 1 and total <= 11:
        return total + 10, 1
    if ace and total > 21:
        return total - 10, 0
    return total, ace


def _deck(rng):
    """Yield cards for ever."""
    while True:
        yield from map(CARDS.__getitem__, rng.integers(13, size=1024).tolist())


def _state(options):
    """Return the state in ``options``, or say that there is none."""
    if not isinstance(options, dict) or "state" not in options:
        raise ValueError(f'options must be {{"state": (sum, dealer, usable ace)}}; got {options!r}.')
    return options["state"]


def read_hand(state):
    """Return sum, dealer's card and usable ace of a state, or say what is wrong with it."""
    try:
        total, dealer, ace = state
    except (TypeError, ValueError):
        raise ValueError(f"the state must be (sum, dealer, usable ace); got {state!r}.") from None
    ace = check_integer(int(ace), "the usable ace", low=0, high=1)
    total = check_integer(total, "the sum", low=12 if ace else 4, high=21)
    return total, check_integer(dealer, "the dealer's card", low=1, high=10), ace
