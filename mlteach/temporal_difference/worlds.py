"""Worlds: a random walk, a cliff, a windy grid, a grid with lucky hops, two doors (from section 29.2 on).

Each has Gymnasium's ``reset`` and ``step``, a table ``P`` and, by ``mdp(gamma)``, the decision process itself: so each
noisy curve can be drawn over its exact answer.
"""

import numpy as np

from mlteach.mdp import MOVES, TabularEnv
from mlteach.validation import check_choice, check_integer, check_number


class RandomWalk(TabularEnv):
    """A walk along ``n`` states between two ends, 0 and n + 1: action 0 steps left, 1 right.

    An episode begins in the middle; reaching the right end pays ``right``, the left end ``left``, all else nothing.
    Under the uniform policy the exact values lie on a line between the two (`values`).

    >>> RandomWalk(5).values()[1:-1].round(3).tolist()
    [0.167, 0.333, 0.5, 0.667, 0.833]
    """

    def __init__(self, n=5, *, left=0.0, right=1.0, start=None, max_steps=None, rng=0):
        self.n = check_integer(n, "n", low=1)
        self.left, self.right = check_number(left, "left"), check_number(right, "right")
        ends = (0, self.n + 1)
        table = {s: {a: [(1.0, s, 0.0, True)] for a in (0, 1)} for s in ends}
        for s in range(1, self.n + 1):
            moves = ((0, s - 1, self.left if s == 1 else 0.0), (1, s + 1, self.right if s == self.n else 0.0))
            table[s] = {a: [(1.0, t, reward, t in ends)] for a, t, reward in moves}
        start = (self.n + 1) // 2 if start is None else start
        super().__init__({s: table[s] for s in range(self.n + 2)}, start=start, max_steps=max_steps, rng=rng)

    def values(self):
        """Return the exact values (n + 2,) of the uniform policy, undiscounted; 0 at both ends."""
        V = np.linspace(self.left, self.right, self.n + 2)
        V[[0, -1]] = 0.0
        return V


class Board(TabularEnv):
    """A grid of cells, drawn as text, whose moves a subclass defines: ``outcomes(s, a)`` lists what may follow.

    It has what pictures of grids need: ``rows``, ``columns``, ``cells``, ``letters``, ``ends``.
    """

    ends = "G"

    def __init__(self, letters, n_actions=4, *, from_below=False, max_steps=None, rng=0):
        self.letters, self.rows, self.columns = letters, len(letters), len(letters[0])
        order = reversed(range(self.rows)) if from_below else range(self.rows)
        self.cells = [(i, j) for i in order for j in range(self.columns)]
        self._place = {cell: s for s, cell in enumerate(self.cells)}
        table = {
            s: {a: what for a in range(n_actions) if (what := self.outcomes(s, a))} for s in range(len(self.cells))
        }
        start = [s for s in table if self.letter(s) == "S"]
        super().__init__(table, start=start[0] if start else None, max_steps=max_steps, rng=rng)

    def outcomes(self, s, a):
        """Return what action ``a`` may lead to, a list of (probability, next state, reward, terminated)."""
        raise NotImplementedError

    def letter(self, s):
        """Return the letter of a state: S the start, G the goal."""
        i, j = self.cells[s]
        return self.letters[i][j]

    def at(self, row, column):
        """Return the state of a cell; one beyond the rim is moved back to it."""
        return self._place[min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)]

    def mdp(self, gamma):
        """Return the decision process; its ``world`` is this board."""
        mdp = super().mdp(gamma)
        mdp.world, mdp.states = self, list(self.cells)
        return mdp


class CliffWalk(Board):
    """A grid with a cliff along its lower rim: -1 a step, -100 for falling, which leads back to the start.

    States (row by row from the top) and actions (0 up, 1 right, 2 down, 3 left) are those of Gymnasium's CliffWalking.
    """

    def __init__(self, rows=4, columns=12, *, fall=-100.0, max_steps=None, rng=0):
        rows, columns = check_integer(rows, "rows", low=2), check_integer(columns, "columns", low=3)
        self.fall, self.home = check_number(fall, "fall"), (rows - 1) * columns
        letters = ["." * columns] * (rows - 1) + ["S" + "C" * (columns - 2) + "G"]
        super().__init__(letters, max_steps=max_steps, rng=rng)

    def outcomes(self, s, a):
        """Return where a step leads; nobody stands on the cliff, but planners may ask all the same."""
        (i, j), (down, right) = self.cells[s], MOVES[a]
        if self.letter(s) == "G":
            return [(1.0, s, 0.0, True)]
        t = self.at(i + down, j + right)
        if "C" in (self.letter(s), self.letter(t)):
            return [(1.0, self.home, self.fall, False)]
        return [(1.0, t, -1.0, self.letter(t) == "G")]

    def path(self, row):
        """Return the policy (S,) that climbs from the start to ``row``, walks right, and comes down over the goal.

        From below the row it climbs, from above it walks right: it never comes down before the last column.
        """
        row = check_integer(row, "row", low=0, high=self.rows - 2)
        return np.array([2 if j == self.columns - 1 else 0 if i > row else 1 for i, j in self.cells])


class WindyGrid(Board):
    """A 7 x 10 grid with an upward wind in its middle columns: -1 a step, the goal ends the episode.

    The wind of the cell that is left adds to the move; the rim stops both. ``kings=True`` allows the eight moves of a
    king: after 0 up, 1 right, 2 down, 3 left they are 4 up-right, 5 down-right, 6 down-left, 7 up-left.
    """

    WIND = (0, 0, 0, 1, 1, 1, 2, 2, 1, 0)
    DIAGONALS = ((-1, 1), (1, 1), (1, -1), (-1, -1))

    def __init__(self, *, kings=False, max_steps=None, rng=0):
        self.moves = MOVES + self.DIAGONALS if check_choice(kings, "kings", (True, False)) else MOVES
        letters = ["." * 10] * 3 + ["S......G.."] + ["." * 10] * 3
        super().__init__(letters, len(self.moves), max_steps=max_steps, rng=rng)

    def outcomes(self, s, a):
        """Return where a step and the wind lead."""
        (i, j), (down, right) = self.cells[s], self.moves[a]
        if self.letter(s) == "G":
            return [(1.0, s, 0.0, True)]
        t = self.at(i + down - self.WIND[j], j + right)
        return [(1.0, t, -1.0, self.letter(t) == "G")]


class HopGrid(Board):
    """The 2 x 3 grid of chapter 27 with 100 for entering the goal; Right goes two squares with probability ``hop``.

    Where there is only one square to the right, that is where it leads. Moves off the grid are not possible. States
    are numbered from below: S0, S1, S2, then S3, S4 and the goal. An episode begins anywhere but there.
    """

    def __init__(self, hop=0.5, *, max_steps=None, rng=0):
        self.hop = check_number(hop, "hop", low=0, high=1)
        super().__init__(["..G", "..."], from_below=True, max_steps=max_steps, rng=rng)

    def outcomes(self, s, a):
        """Return where a step leads, or a hop."""
        (i, j), (down, right) = self.cells[s], MOVES[a]
        if self.letter(s) == "G":
            return [(1.0, s, 0.0, True)]
        one, two = self.at(i + down, j + right), self.at(i + down, j + 2 * right)
        if one == s:
            return []
        hop = self.hop if a == 1 and two != one else 0.0
        ways = [(1 - hop, one), (hop, two)]
        return [(p, t, 100.0 * (self.letter(t) == "G"), self.letter(t) == "G") for p, t in ways if p > 0]


class TwoDoors(TabularEnv):
    """Two doors: the right one (action 1) leads out for 0, the left one into a room with ``games`` that pay -0.1.

    Each game pays 1 with probability 0.45, else -1, and ends the episode. So the right door is better; but the best
    of ten noisy estimates is nearly always positive. State 0 has the doors, 1 the games, 2 is outside.
    """

    def __init__(self, games=10, *, win=0.45, max_steps=None, rng=0):
        self.games, self.win = check_integer(games, "games", low=2), check_number(win, "win", low=0, high=1)
        game = [(self.win, 2, 1.0, True), (1 - self.win, 2, -1.0, True)]
        table = {
            0: {0: [(1.0, 1, 0.0, False)], 1: [(1.0, 2, 0.0, True)]},
            1: {a: list(game) for a in range(self.games)},
            2: {a: [(1.0, 2, 0.0, True)] for a in range(self.games)},
        }
        super().__init__(table, start=0, max_steps=max_steps, rng=rng)


class MovingGoal(TabularEnv):
    """A corridor of 13 cells between two ends, 0 and 14; an episode begins in the middle, action 0 is left, 1 right.

    The right end pays 1 for the first ``until`` episodes, the left end afterwards.
    """

    def __init__(self, until=30, *, max_steps=None, rng=0):
        self.until, self.count = check_integer(until, "until", low=0), 0
        ends = (0, 14)
        table = {s: {a: [(1.0, s, 0.0, True)] for a in (0, 1)} for s in ends}
        for s in range(1, 14):
            table[s] = {a: [(1.0, t, 0.0, t in ends)] for a, t in ((0, s - 1), (1, s + 1))}
        super().__init__({s: table[s] for s in range(15)}, start=7, max_steps=max_steps, rng=rng)

    def reset(self, seed=None, options=None):
        """Begin one more episode."""
        self.count += 1
        return super().reset(seed=seed, options=options)

    def step(self, action):
        """Take a step; which end pays depends on the number of episodes so far."""
        s, _, terminated, truncated, info = super().step(action)
        goal = 14 if self.count <= self.until else 0
        return s, float(terminated and s == goal), terminated, truncated, info


class Relabelled:
    """A world whose ends are reported in another way: two mistakes of learners, made by the messenger.

    ``ends_as_cuts=True`` reports every terminated step as truncated: an agent then believes that the end has a value,
    as if its terminal mask were forgotten. ``cuts_as_ends=True`` reports truncated steps as terminated: an agent then
    believes that nothing comes after the time limit.
    """

    def __init__(self, env, *, ends_as_cuts=False, cuts_as_ends=False):
        self.env, self.action_space, self.observation_space = env, env.action_space, env.observation_space
        self.P = getattr(env, "P", None)  # which actions are possible
        self.ends_as_cuts = check_choice(ends_as_cuts, "ends_as_cuts", (True, False))
        self.cuts_as_ends = check_choice(cuts_as_ends, "cuts_as_ends", (True, False))

    def reset(self, seed=None, options=None):
        """Begin an episode."""
        return self.env.reset(seed=seed, options=options)

    def step(self, action):
        """Take an action, and twist the report."""
        s, reward, terminated, truncated, info = self.env.step(action)
        over = (terminated and not self.ends_as_cuts) or (truncated and self.cuts_as_ends)
        return s, reward, over, (terminated or truncated) and not over, info
