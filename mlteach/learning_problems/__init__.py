"""Learning problems (chapter 01): concepts and version spaces, and a checkers player that teaches itself.

Concept learning is a search in a space of hypotheses, listed one by one or kept between two boundaries. Checkers
is the example of a learning problem in full: task, performance, experience, target function, representation, LMS.
"""

from mlteach.learning_problems.board import Move
from mlteach.learning_problems.boundaries import Boundary, Candidates, FindS, candidate_elimination, find_s
from mlteach.learning_problems.checkers import Checkers, Features
from mlteach.learning_problems.conjunction import (
    ConceptData,
    Conjunction,
    HypothesisCount,
    all_conjunctions,
    attribute_domains,
    count_conjunctions,
    enjoy_sport,
)
from mlteach.learning_problems.players import (
    Game,
    Score,
    board_vector,
    evaluate,
    greedy_player,
    linear_player,
    play_game,
    random_player,
    tournament,
)
from mlteach.learning_problems.self_play import SelfPlay, Training, lms_train, lms_update, training_boards
from mlteach.learning_problems.version_spaces import (
    Elimination,
    all_intervals,
    all_subsets,
    consistent,
    list_then_eliminate,
    predicts,
    version_space,
    votes,
)

__all__ = [
    "Boundary",
    "Candidates",
    "Checkers",
    "ConceptData",
    "Conjunction",
    "Elimination",
    "Features",
    "FindS",
    "Game",
    "HypothesisCount",
    "Move",
    "Score",
    "SelfPlay",
    "Training",
    "all_conjunctions",
    "all_intervals",
    "all_subsets",
    "attribute_domains",
    "board_vector",
    "candidate_elimination",
    "consistent",
    "count_conjunctions",
    "enjoy_sport",
    "evaluate",
    "find_s",
    "greedy_player",
    "linear_player",
    "list_then_eliminate",
    "lms_train",
    "lms_update",
    "play_game",
    "predicts",
    "random_player",
    "tournament",
    "training_boards",
    "version_space",
    "votes",
]
