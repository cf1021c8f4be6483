"""Temporal differences (chapter 29): learn a guess from a guess.

`td0`, `n_step_td` and `td_lambda` learn the values of a policy; `sarsa`, `expected_sarsa`, `q_learning`,
`double_q_learning`, `sarsa_lambda` and `dyna_q` learn what to do. They take any environment with Gymnasium's ``reset``,
``step`` and ``action_space.n``. `CliffWalk`, `RandomWalk`, `WindyGrid` and others are such worlds, and
`best_epsilon_soft` and its kin solve them exactly.
"""

from mlteach.temporal_difference._run import Evaluated, Learned, Step, one_over_visits
from mlteach.temporal_difference.acting import Played, greedy, learn_with, play, table_after
from mlteach.temporal_difference.batch import Counted, batch_mc, batch_td, certainty_equivalence, count_transitions
from mlteach.temporal_difference.deterministic import q_learning_deterministic
from mlteach.temporal_difference.double_q_learning import double_q_learning
from mlteach.temporal_difference.dyna import dyna_q
from mlteach.temporal_difference.exact import (
    Range,
    Soft,
    best_epsilon_soft,
    epsilon_soft,
    optimal_under_exploration,
    soften,
)
from mlteach.temporal_difference.expected_sarsa import expected_sarsa
from mlteach.temporal_difference.n_step import n_step_return, n_step_td
from mlteach.temporal_difference.q_learning import q_learning
from mlteach.temporal_difference.sarsa import sarsa
from mlteach.temporal_difference.td0 import td0
from mlteach.temporal_difference.traces import lambda_returns, sarsa_lambda, td_lambda
from mlteach.temporal_difference.worlds import (
    CliffWalk,
    HopGrid,
    MovingGoal,
    RandomWalk,
    Relabelled,
    TwoDoors,
    WindyGrid,
)

__all__ = [
    "CliffWalk",
    "Counted",
    "Evaluated",
    "HopGrid",
    "Learned",
    "MovingGoal",
    "Played",
    "RandomWalk",
    "Range",
    "Relabelled",
    "Soft",
    "Step",
    "TwoDoors",
    "WindyGrid",
    "batch_mc",
    "batch_td",
    "best_epsilon_soft",
    "certainty_equivalence",
    "count_transitions",
    "double_q_learning",
    "dyna_q",
    "epsilon_soft",
    "expected_sarsa",
    "greedy",
    "lambda_returns",
    "learn_with",
    "n_step_return",
    "n_step_td",
    "one_over_visits",
    "optimal_under_exploration",
    "play",
    "q_learning",
    "q_learning_deterministic",
    "sarsa",
    "sarsa_lambda",
    "soften",
    "table_after",
    "td0",
    "td_lambda",
]
