"""Five learners and one car: the race of section 30.13, stored, with the code that runs it.

Every learner may take the same number of steps in the same world: the car begins anywhere and is cut after 200 steps.
After 2,000 to 20,000 steps its greedy policy is judged on 200 such starts, the same for all, and on 41 in the valley.
For each learner the same number of settings is tried, `TRIED`, on the same four seeds, `TUNING`, and the one that earns
most from anywhere at the end is kept, `CHOSEN`; `SEEDS` are twenty others. ``data/runs/car_tuning.csv`` has the means
of all settings, ``data/runs/car.csv`` the runs of the chosen ones; ``python -m mlteach.policy_search.race`` makes both
anew (about a quarter of an hour).
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

FILE, TUNED = datasets.DATA / "runs" / "car.csv", datasets.DATA / "runs" / "car_tuning.csv"
TUNING, SEEDS, AT = range(500, 504), range(1000, 1020), (2_000, 5_000, 10_000, 20_000)
ANYWHERE = np.random.default_rng(30).uniform((-1.2, -0.07), (0.5, 0.07), size=(200, 2))
VALLEY = np.stack([np.linspace(-0.6, -0.4, 41), np.zeros(41)], axis=1)
GAMMA = 0.99


def judge(choose):
    """Return the mean return of a policy from the starts anywhere, and from those in the valley."""
    return float(drive(choose, ANYWHERE).mean()), float(drive(choose, VALLEY).mean())


def scaled(x, v):
    """Return 1, position and velocity, scaled to about one: what the two policy searches see."""
    return np.array([np.ones_like(x), (x + 0.3) / 0.9, v / 0.07])


def pushes(observation):
    """Return features (3, 3) of the three pushes: minus the state, nothing, plus the state. Three weights rule all."""
    return np.outer((-1.0, 0.0, 1.0), scaled(*observation))


def squares(observation):
    """Return the six features of the learnt baseline: `scaled`, its squares and its product."""
    one, x, v = scaled(*observation)
    return np.array([one, x, v, x * x, v * v, x * v])


def throttle(theta):
    """Return the greedy policy of three weights: full throttle to the side that they prefer."""
    return lambda states: np.where(theta @ scaled(*np.transpose(states)) > 0, 2, 0)


def by_table(seed, setting, at=AT):
    """SARSA on a table; the setting is the number of cells an axis and the step size."""
    cells, alpha = setting
    return _by_sarsa(Tiles(LOW, HIGH, cells), seed, at, alpha)


def by_tiles(seed, setting, at=AT):
    """SARSA with tile coding, 8 shifted tilings; the setting: cells an axis and the step size, shared by the 8."""
    cells, alpha = setting
    return _by_sarsa(Tiles(LOW, HIGH, cells, 8), seed, at, alpha / 8)


def _by_sarsa(features, seed, at, alpha):
    world = MountainCar(start="anywhere")
    run = semi_gradient_sarsa(world, features, None, alpha, 1.0, 0.05, seed, steps=max(at), at=at)
    return [judge(LinearQ(features, 3, run.snapshots[k]).greedy) for k in at]


def by_fitted_q(seed, setting, at=AT):
    """Fitted Q iteration with hats on the random steps so far; the setting: points an axis and the penalty."""
    points, lam = setting
    hats, batch = Hats(LOW, HIGH, points), collect(MountainCar(start="anywhere"), max(at), seed)
    judged, theta = [], None
    for k in at:
        fit = fitted_q_iteration(Batch(*(part[:k] for part in batch)), hats, 3, GAMMA, 50, lam=lam, theta=theta)
        theta = fit.q.theta
        judged.append(judge(fit.q.greedy))
    return judged


def by_reinforce(seed, setting, at=AT):
    """REINFORCE with a softmax policy of three weights; the setting: step of the baseline (0: none), step size."""
    beta, alpha = setting
    run = reinforce(
        MountainCar(start="anywhere"), SoftmaxPolicy(pushes), None, alpha, GAMMA, seed, np.zeros(3),
        baseline=squares if beta else 0.0, beta=beta, steps=max(at), at=at,
    )  # fmt: skip
    return [judge(throttle(run.snapshots[k])) for k in at]


def by_perturbation(seed, setting, at=AT):
    """Perturbation search of the same three weights, from 0; the setting: copies a round, starts of each copy.

    The greedy policy hangs on the direction of the weights alone, so the sizes of tries and steps are set to 1.
    """
    copies, m = setting
    rng, taken, kept, theta = np.random.default_rng(seed), 0, {}, np.zeros(3)
    while taken < max(at):
        starts = [(rng.uniform(-1.2, 0.5), rng.uniform(-0.07, 0.07)) for _ in range(m)]
        tries = perturbation_search(
            lambda w, starts=starts: -steps_needed(w, starts), theta, epsilon=1.0, eta=1.0, n=copies, rounds=1, rng=rng
        )
        taken -= int(tries.history[1].results.sum())
        # A round that goes beyond k steps is not yet known after k of them
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
TRIED = {  # six settings each: two ways times three sizes
    "table": [(cells, alpha) for cells in (10, 20) for alpha in (0.1, 0.3, 1.0)],
    "tiles": [(cells, alpha) for cells in (4, 8) for alpha in (0.1, 0.3, 1.0)],
    "fitted Q": [(points, lam) for points in (8, 12) for lam in (0.1, 1.0, 10.0)],
    "REINFORCE": [(beta, alpha) for beta in (0.0, 0.1) for alpha in (1e-4, 3e-4, 1e-3)],
    "perturbation": [(copies, starts) for copies in (5, 10) for starts in (1, 3, 10)],
}
CHOSEN = {
    "table": (10, 1.0),
    "tiles": (4, 0.3),
    "fitted Q": (8, 1.0),
    "REINFORCE": (0.1, 0.0001),
    "perturbation": (5, 3),
}  # the best of the six, from anywhere


def tune(name, setting):
    """Return the mean last returns of one setting on the tuning seeds: from anywhere, and from the valley."""
    return tuple(np.mean([LEARNERS[name](seed, setting)[-1] for seed in TUNING], axis=0).tolist())


@cache
def race(where="anywhere"):
    """Return the stored mean returns, a dict from a learner to an array (seeds, steps), for one kind of start."""
    check_choice(where, "where", ("anywhere", "valley"))
    with open(FILE, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["where"] == where]
    return {name: np.array([[float(r[str(k)]) for k in AT] for r in rows if r["learner"] == name]) for name in LEARNERS}


@cache
def tuning():
    """Return the stored mean returns of all settings: a dict from a learner to an array (6, 2), anywhere and valley."""
    with open(TUNED, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        name: np.array([[float(r["anywhere"]), float(r["valley"])] for r in rows if r["learner"] == name])
        for name in LEARNERS
    }


def write():
    """Run the tuning and the race, and write both files."""
    with open(TUNED, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["learner", "first", "second", "anywhere", "valley"])
        for name in LEARNERS:
            for setting in progress(TRIED[name], f"{name}, tuning"):
                out.writerow([name, *setting, *(f"{x:.1f}" for x in tune(name, setting))])
            file.flush()
    with open(FILE, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["learner", "where", "seed", *AT])
        for name, learner in LEARNERS.items():
            for seed in progress(SEEDS, name):
                returns = zip(*learner(seed, CHOSEN[name]))
                for where, row in zip(("anywhere", "valley"), returns):
                    out.writerow([name, where, seed, *(f"{x:.1f}" for x in row)])
            file.flush()


if __name__ == "__main__":
    write()
