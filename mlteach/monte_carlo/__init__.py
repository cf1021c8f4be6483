"""Monte Carlo methods: learn values and policies from whole episodes (chapter 28)."""

from mlteach.monte_carlo.blackjack import Blackjack
from mlteach.monte_carlo.control import Control, mc_epsilon_soft, mc_exploring_starts
from mlteach.monte_carlo.episodes import Episode, discounted_returns, first_visits, play
from mlteach.monte_carlo.evaluate import Estimates, mc_estimates, mc_evaluate
from mlteach.monte_carlo.exact import BlackjackSolution, dealer_ends, exact_blackjack, first_hands
from mlteach.monte_carlo.hands import Hands, Spread, play_hands, ratio_spread
from mlteach.monte_carlo.loop import Loop, LoopLaw, loop_law, loop_ratio_variance
from mlteach.monte_carlo.off_policy import (
    OffPolicyEstimates,
    Tails,
    importance_ratio,
    mc_off_policy,
    mc_off_policy_control,
)
from mlteach.monte_carlo.policies import as_actor, as_probabilities, soft_greedy

__all__ = [
    "Blackjack",
    "BlackjackSolution",
    "Control",
    "Episode",
    "Estimates",
    "Hands",
    "Loop",
    "LoopLaw",
    "OffPolicyEstimates",
    "Spread",
    "Tails",
    "as_actor",
    "as_probabilities",
    "dealer_ends",
    "discounted_returns",
    "exact_blackjack",
    "first_hands",
    "first_visits",
    "importance_ratio",
    "loop_law",
    "loop_ratio_variance",
    "mc_epsilon_soft",
    "mc_estimates",
    "mc_evaluate",
    "mc_exploring_starts",
    "mc_off_policy",
    "mc_off_policy_control",
    "play",
    "play_hands",
    "ratio_spread",
    "soft_greedy",
]
