"""Five learners and one car: the race of section 30.13, stored, with the code that runs it.

Every learner may take the same number of steps in the same world: the car begins anywhere and is cut after 200 steps.
After 2,000 to 40,000 steps its greedy policy is judged on 200 such starts, the same for all, and on 41 in the valley.
``data/runs/car.csv`` has the mean returns of twenty seeds; ``python -m mlteach.policy_search.race`` runs them anew
(some minutes). `tune` shows how the one setting of each learner was chosen, on other seeds.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.policy_search.fitted import Batch, collect, fitted_q_iteration
from mlteach.policy_search.hats import Hats
from mlteach.policy_search.linear_q import LinearQ, semi_gradient_sarsa
from mlteach.policy_search.mountain_car import HIGH, LOW, MountainCar, drive, push
from mlteach.policy_search.perturbation import perturbation_search
from mlteach.policy_search.policies import SoftmaxPolicy
from mlteach.policy_search.reinforce import reinforce
from mlteach.policy_search.tiles import Tiles
from mlteach.progress import progress
from mlteach.validation import check_choice

FILE = datasets.DATA / "runs" / "car.csv"
SEEDS, AT = 20, (2_000, 5_000, 10_000, 20_000, 40_000)
ANYWHERE = np.random.default_rng(30).uniform((-1.2, -0.07), (0.5, 0.07), size=(200, 2))
VALLEY = np.stack([np.linspace(-0.6, -0.4, 41), np.zeros(41)], axis=1)
TABLE, TILES, HATS = Tiles(LOW, HIGH, 20), Tiles(LOW, HIGH, 8, 8), Hats(LOW, HIGH, 12)
GAMMA = 0.99


def judge(choose):
    """Return the mean return of a policy from the starts anywhere, and from those in the valley."""
    return float(drive(choose, ANYWHERE).mean()), float(drive(choose, VALLEY).mean())


def scaled(x, v):
    """Return 1, position and velocity, scaled to about one: what the two policy searches see."""
    return np.array([1.0, (x + 0.3) / 0.9, v / 0.07])


def pushes(observation):
    """Return features (3, 3) of the three pushes: minus the state, nothing, plus the state. Three weights rule all."""
    return np.outer((-1.0, 0.0, 1.0), scaled(*observation))


def squares(observation):
    """Return the six features of the learnt baseline: `scaled`, its squares and its product."""
    one, x, v = scaled(*observation)
    return np.array([one, x, v, x * x, v * v, x * v])


def throttle(theta):
    """Return the greedy policy of three weights: full throttle to the side that they prefer."""
    return lambda states: np.where(theta @ np.array([scaled(x, v) for x, v in states]).T > 0, 2, 0)


def by_table(seed, setting, at=AT):
    """SARSA on a table of 20 x 20 cells; the setting is the step size."""
    return _by_sarsa(TABLE, seed, at, setting)


def by_tiles(seed, setting, at=AT):
    """SARSA with tile coding, 8 shifted tilings of 8 x 8; the setting is the step size, shared by the 8."""
    return _by_sarsa(TILES, seed, at, setting / 8)


def _by_sarsa(features, seed, at, alpha):
    world = MountainCar(start="anywhere")
    run = semi_gradient_sarsa(world, features, None, alpha, 1.0, 0.05, seed, steps=max(at), at=at)
    return [judge(LinearQ(features, 3, run.snapshots[k]).greedy) for k in at]


def by_fitted_q(seed, setting, at=AT):
    """Fitted Q iteration on the random steps so far, with hats on a grid of 12 x 12; the setting is the penalty."""
    batch = collect(MountainCar(start="anywhere"), max(at), seed)
    scores, theta = [], None
    for k in at:
        fit = fitted_q_iteration(Batch(*(part[:k] for part in batch)), HATS, 3, GAMMA, 50, lam=setting, theta=theta)
        theta = fit.q.theta
        scores.append(judge(fit.q.greedy))
    return scores


def by_reinforce(seed, setting, at=AT):
    """REINFORCE with a softmax policy of three weights and a learnt baseline; the setting is the step size."""
    run = reinforce(
        MountainCar(start="anywhere"), SoftmaxPolicy(pushes), None, setting, GAMMA, seed, np.zeros(3),
        baseline=squares, beta=0.3, steps=max(at), at=at,
    )  # fmt: skip
    return [judge(throttle(run.snapshots[k])) for k in at]


def by_perturbation(seed, setting, at=AT):
    """Perturbation search of the same three weights, 5 copies a round; the setting is the number of starts of each."""
    rng, taken, kept, theta, m = np.random.default_rng(seed), 0, {}, np.zeros(3), int(setting)
    while taken < max(at):
        starts = [(rng.uniform(-1.2, 0.5), rng.uniform(-0.07, 0.07)) for _ in range(m)]
        tries = perturbation_search(
            lambda w, starts=starts: -steps_needed(w, starts), theta, epsilon=0.3, eta=0.15, n=5, rounds=1, rng=rng
        )
        taken -= int(tries.history[1].scores.sum())
        kept |= {k: judge(throttle(theta)) for k in at if k <= taken and k not in kept}
        theta = tries.theta
    return [kept[k] for k in at]


def steps_needed(theta, starts):
    """Return the number of steps of the greedy policy from all starts, each cut after 200."""
    total, (bias, by_x, by_v) = 0, theta.tolist()
    for x, v in starts:
        for _ in range(200):
            x, v = push(x, v, 2 if bias + by_x * ((x + 0.3) / 0.9) + by_v * (v / 0.07) > 0 else 0)
            total += 1
            if x >= 0.5 and v >= 0:
                break
    return total


LEARNERS = {
    "table": by_table,
    "tiles": by_tiles,
    "fitted Q": by_fitted_q,
    "REINFORCE": by_reinforce,
    "perturbation": by_perturbation,
}
TRIED = {
    "table": (0.03, 0.1, 0.3, 1.0),
    "tiles": (0.03, 0.1, 0.3, 1.0),
    "fitted Q": (0.01, 0.1, 1.0, 10.0),
    "REINFORCE": (1e-4, 3e-4, 1e-3, 3e-3),
    "perturbation": (2, 5, 10, 20),
}
CHOSEN = {"table": 0.3, "tiles": 0.3, "fitted Q": 1.0, "REINFORCE": 3e-4, "perturbation": 5}


def tune(name, seeds=range(100, 105)):
    """Return the mean last score of every setting that was tried, on seeds that the race does not use."""
    return {s: float(np.mean([LEARNERS[name](k, s)[-1][0] for k in seeds])) for s in TRIED[name]}


@cache
def race(where="anywhere"):
    """Return the stored mean returns, a dict from a learner to an array (seeds, steps), for one kind of start."""
    check_choice(where, "where", ("anywhere", "valley"))
    with open(FILE, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["where"] == where]
    return {name: np.array([[float(r[str(k)]) for k in AT] for r in rows if r["learner"] == name]) for name in LEARNERS}


def write():
    """Run the race and write the file."""
    with open(FILE, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["learner", "where", "seed", *AT])
        for name, learner in LEARNERS.items():
            for seed in progress(range(SEEDS), name):
                scores = zip(*learner(seed, CHOSEN[name]))
                for where, row in zip(("anywhere", "valley"), scores):
                    out.writerow([name, where, seed, *(f"{x:.1f}" for x in row)])
            file.flush()


if __name__ == "__main__":
    write()
