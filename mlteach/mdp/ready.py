"""Decision processes of lectures and textbooks, ready to be solved: grids, salmon, cars, coins (section 27.6)."""

import math

import numpy as np

from mlteach.mdp._rows import SparseRows
from mlteach.mdp.grid import GridWorld
from mlteach.mdp.model import MDP
from mlteach.validation import check_integer, check_number


def two_states(gamma=0.9):
    """Return two states that one can solve by hand: stay (0) pays 1 or 2, go (1) pays nothing and leads across."""
    return MDP([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], [[1, 0], [2, 0]], gamma, actions=("stay", "go"))


def small_grid(gamma=0.9):
    """Return the 2 x 3 grid with 100 for entering the goal: states S0, S1, S2 below, S3, S4 and the goal above.

    Actions 0 up, 1 right, 2 down, 3 left; those that leave the grid are not possible.
    """
    world = GridWorld("..G\n...", rewards={"G": 100.0}, off_grid="forbidden", from_below=True)
    return world.mdp(gamma)


def jumping_grid(gamma=0.9):
    """Return the 5 x 5 grid of Sutton and Barto: from A to A' for 10, from B to B' for 5, off the grid -1."""
    layout = ".A.B.\n.....\n...b.\n.....\n.a..."
    return GridWorld(layout, rewards={}, jumps={"A": ("a", 10.0), "B": ("b", 5.0)}, rim=-1.0).mdp(gamma)


def shortest_path_grid(gamma=1.0):
    """Return the 4 x 4 grid of Sutton and Barto: -1 a step, two opposite corners are ends; undiscounted."""
    return GridWorld("G...\n....\n....\n...G", rewards={"G": 0.0}, step=-1.0).mdp(gamma)


def four_by_three_world(reward=-0.04, slip=0.2):
    """Return the grid of `four_by_three` as a `GridWorld`.

    ``reward`` is what each step pays, ``slip`` the chance to move to one of the sides.
    """
    layout = "...G\n.#.P\nS..."
    return GridWorld(layout, rewards={"G": 1.0, "P": -1.0}, step=check_number(reward, "reward"), slip=slip)


def four_by_three(reward=-0.04, gamma=1.0):
    """Return the 4 x 3 world of Russell and Norvig: ends +1 and -1, ``reward`` in every other state, 0.2 to slip.

    Eleven states in reading order, the top row first. The ends' own rewards are paid on entering them, so their value
    is 0; the values of the other states are the book's.
    """
    return four_by_three_world(reward).mdp(gamma)


def salmon(gamma=0.9, *, restock=200):
    """Return the salmon of a river: states empty, low, medium, high; actions 0 fish, 1 leave them; thousands of $.

    Restocking an empty river costs ``restock``.
    """
    restock = check_number(restock, "restock")
    P, R = np.zeros((4, 2, 4)), np.full((4, 2), -np.inf)
    P[1, 0], R[1, 0] = (0.75, 0.25, 0, 0), 5
    P[2, 0], R[2, 0] = (0, 0.75, 0.25, 0), 50
    P[3, 0], R[3, 0] = (0, 0, 0.6, 0.4), 100
    P[0, 1], R[0, 1] = (0, 1, 0, 0), -restock
    P[1, 1], R[1, 1] = (0, 0.3, 0.7, 0), 0
    P[2, 1], R[2, 1] = (0, 0, 0.25, 0.75), 0
    P[3, 1], R[3, 1] = (0, 0, 0.05, 0.95), 0
    return MDP(P, R, gamma, states=("empty", "low", "medium", "high"), actions=("fish", "leave"))


def gambler(p=0.4, goal=100):
    """Return the gambler's problem: in state s, action a stakes a of at most min(s, goal - s); 1 for reaching the goal.

    Each stake is doubled with probability ``p`` and lost otherwise. Undiscounted, so V is the probability to win.
    """
    p, goal = check_number(p, "p", low=0, high=1), check_integer(goal, "goal", low=2)
    A = goal // 2 + 1
    feasible, mean = np.zeros((goal + 1, A), bool), np.zeros((goal + 1, A))
    start, places, prob, rewards = [0], [], [], []
    for s in range(goal + 1):
        most = min(s, goal - s)
        for a in range(A):
            feasible[s, a] = 1 <= a <= most or a == most == 0
            outcomes = [(p, s + a), (1 - p, s - a)] if 1 <= a <= most else [(float(a == most), s)]
            for q, t in outcomes:
                places.append(t)
                prob.append(q)
                rewards.append(1.0 if t == goal != s else 0.0)
                mean[s, a] += q * rewards[-1]
            start.append(len(places))
    rows = SparseRows(np.array(start), np.array(places), np.array(prob), goal + 1)
    return MDP._of_rows(rows, np.array(rewards), mean, feasible, 1.0)


def car_rental(gamma=0.9, *, most=20, moves=5, requests=(3.0, 4.0), returns=(3.0, 2.0), rent=10.0, cost=2.0):
    """Return Jack's car rental: state 21 first + second, action a moves a - 5 cars from the first place to the second.

    At most 20 cars stand at each place, requests and returns are Poisson, a rented car earns ``rent``, a moved one
    costs ``cost``. What happens at one place does not depend on the other, so the table is a product of two small
    ones: that is why it takes milliseconds.
    """
    most, moves = check_integer(most, "most", low=1), check_integer(moves, "moves", low=0)
    requests, returns = _two_rates(requests, "requests"), _two_rates(returns, "returns")
    rent, cost = check_number(rent, "rent"), check_number(cost, "cost")
    n = most + 1
    tables = [_one_place(most, requests[k], returns[k]) for k in range(2)]
    P, R = np.zeros((n, n, 2 * moves + 1, n, n)), np.full((n, n, 2 * moves + 1), -np.inf)
    for a in range(2 * moves + 1):
        k = a - moves
        for first in range(max(0, k), n):
            for second in range(max(0, -k), n):
                i, j = min(first - k, most), min(second + k, most)
                P[first, second, a] = np.multiply.outer(tables[0][0][i], tables[1][0][j])
                R[first, second, a] = rent * (tables[0][1][i] + tables[1][1][j]) - cost * abs(k)
    names = [(i, j) for i in range(n) for j in range(n)]
    shape = (n * n, 2 * moves + 1)
    return MDP(P.reshape(*shape, n * n), R.reshape(shape), gamma, states=names, actions=range(-moves, moves + 1))


def _one_place(most, requests, returns):
    """Return the law (from, to) of a day at one place, and the expected number of cars rented."""
    ask, back = _poisson(requests, most), _poisson(returns, most)
    P, rented = np.zeros((most + 1, most + 1)), np.zeros(most + 1)
    for i in range(most + 1):
        out = np.append(ask[:i], 1 - ask[:i].sum())  # 0, 1, ..., i cars go
        rented[i] = out @ np.arange(i + 1)
        for gone, share in enumerate(out):
            left = i - gone
            P[i, left:most] += share * back[: most - left]
            P[i, most] += share * (1 - back[: most - left].sum())
    return P / P.sum(axis=1, keepdims=True), rented


def _two_rates(rates, name):
    if np.shape(rates) != (2,):
        raise ValueError(f"{name} must hold two mean numbers of cars a day, one for each place; got {rates!r}.")
    return [check_number(rate, f"{name}[{k}]", low=0) for k, rate in enumerate(rates)]


def _poisson(mean, most):
    return np.array([math.exp(-mean) * mean**k / math.factorial(k) for k in range(most + 1)])


LAKE = "SFFF\nFHFH\nFFFH\nHFFG"


def ice(slip=2 / 3, layout=None, max_steps=None):
    """Return a frozen lake, Gymnasium's 4 x 4 map unless another is given: H a hole, G the goal for 1, F ice.

    ``slip`` is the chance to move to one of the sides, ``layout`` the rows of the map.
    """
    text = (LAKE if layout is None else layout).replace("F", ".")
    return GridWorld(text, rewards={"G": 1.0, "H": 0.0}, slip=slip, max_steps=max_steps)


OBSTACLES = "......G\n.##.#.G\n....#.G\n.#....G\n...#..G"


def obstacle_grid(stochastic=False, gamma=0.9, layout=OBSTACLES):
    """Return the grid with obstacles: 1000 for the last column, -10 for running into an obstacle.

    Deterministic: four moves. Stochastic: left or right alone, each a diagonal step up or down with probability 0.1
    (0.05 to either side), and +1 for every right, -1 for every left, besides.

    ``stochastic`` says which, ``layout`` is the map, # an obstacle and G a goal.
    """
    world = GridWorld(layout, rewards={"G": 1000.0}, bump=-10.0)
    if not stochastic:
        return world.mdp(gamma)
    P, R = np.zeros((world.n_states, 2, world.n_states)), np.zeros((world.n_states, 2, world.n_states))
    for s, (i, j) in enumerate(world.cells):
        for a, side in ((0, -1), (1, 1)):
            for p, up in ((0.9, 0), (0.05, -1), (0.05, 1)):
                t, reward = _slide(world, s, i + up, j + side)
                P[s, a, t] += p
                R[s, a, t] += p * (reward + side) * (world.letter(s) != "G")
    with np.errstate(invalid="ignore"):
        R = np.where(P > 0, R / np.where(P > 0, P, 1), 0.0)
    mdp = MDP(P, R, gamma, states=world.cells, actions=("left", "right"))
    mdp.world = world
    return mdp


def _slide(world, s, i, j):
    """Return where a slanted or straight step ends, and what is paid there."""
    if world.letter(s) == "G" or not (0 <= i < world.rows and 0 <= j < world.columns):
        return s, 0.0
    if world.letters[i][j] == "#":
        return s, -10.0
    return world.at(i, j), 1000.0 * (world.letters[i][j] == "G")
