"""Runs that are kept: how often each decision of blackjack is wrong after many episodes (section 28.7).

Twenty runs of exploring starts take minutes. ``data/runs/blackjack.csv`` has, for each of the 200 hands and each number
of episodes, in how many of the twenty runs the action that looked best was not the best one.
``python -m mlteach.monte_carlo.stored`` plays them anew and writes the file.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.monte_carlo.blackjack import DECISIONS, Blackjack
from mlteach.monte_carlo.control import mc_exploring_starts
from mlteach.monte_carlo.exact import exact_blackjack
from mlteach.progress import progress

FILE = datasets.DATA / "runs" / "blackjack.csv"
RUNS, COUNTS = 20, (2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)


@cache
def wrong_decisions():
    """Return the stored counts: a dict from a number of episodes to a dict from a hand to the wrong runs, of 20."""
    with open(FILE, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    hand = [(int(row["sum"]), int(row["dealer"]), int(row["ace"])) for row in rows]
    return {n: {h: int(row[str(n)]) for h, row in zip(hand, rows)} for n in COUNTS}


def one_run(seed, counts=COUNTS):
    """Return, for each number of episodes, the array (200,) that says which decisions are wrong in one run."""
    game, right = Blackjack(), exact_blackjack().best
    run = mc_exploring_starts(game, max(counts), rng=seed, starts=game.states, at=counts)
    return [np.array([_wrong(step.Q, right, hand) for hand in DECISIONS]) for step in run.history[1:]]


def _wrong(Q, right, hand):
    """Say whether the action with the larger value is not the best one; an even table counts as wrong."""
    q = Q.get(hand)
    return q is None or q[0] == q[1] or int(q[1] > q[0]) not in right[hand]


def write():
    """Play all runs and write the file."""
    wrong = sum(np.array(one_run(seed), dtype=int) for seed in progress(range(RUNS), "runs"))
    with open(FILE, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["sum", "dealer", "ace", *COUNTS])
        rows.writerows([*hand, *counts] for hand, counts in zip(DECISIONS, wrong.T.tolist()))


if __name__ == "__main__":
    write()
