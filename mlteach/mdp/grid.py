"""Grid worlds: drawn as text, read as a decision process and as an environment (section 27.2)."""

import textwrap

import numpy as np

from mlteach.mdp._rows import SparseRows
from mlteach.mdp.environment import TabularEnv
from mlteach.mdp.model import MDP
from mlteach.validation import check_choice, check_integer, check_number

ACTIONS = ("up", "right", "down", "left")
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # row, column


class GridWorld(TabularEnv):
    """A grid with walls, ends, rewards and slippery ground; an environment, and with ``mdp(gamma)`` an `MDP`.

    ``layout`` is text: ``#`` a wall, ``.`` free, ``S`` free and the start, other letters as ``rewards`` and ``jumps``
    say. The actions are 0 up, 1 right, 2 down, 3 left. With probability ``slip`` the agent slides off to one side of
    where it wanted to go, to both sides alike. Where a wall or the rim is in the way, it stays. States are the cells
    that are no wall, in reading order.

    Parameters
    ----------
    layout : text, one line a row
    rewards : dict from a letter to the reward for entering such a cell; {"G": 1} by default
    ends : letters of cells that end the episode; by default all of ``rewards``
    step : reward of every step, added to the others
    slip : probability to slide off, 0 to 1
    bump : reward for running into a wall ``#``, added to the others
    rim : reward for running into the rim, added to the others
    jumps : dict from a letter to (letter, reward): every action leads from the one to the other, for that reward
    off_grid : "stay", or "forbidden": an action that leads out of the grid or into a wall is not possible
    from_below : number the rows of states from the bottom
    max_steps, rng : as in `TabularEnv`

    Attributes
    ----------
    rows, columns : size; cells : list of (row, column), one a state; letters : the layout, a list of texts
    n_states, n_actions, P, start, observation_space, action_space : as in `TabularEnv`

    >>> world = GridWorld("..G\\n.#P\\nS..", rewards={"G": 1, "P": -1}, step=-0.04, slip=0.2)
    >>> world.n_states, world.at(2, 0), world.P[0][1]
    (8, 5, [(0.8, 1, -0.04, False), (0.1, 3, -0.04, False), (0.1, 0, -0.04, False)])
    """

    def __init__(
        self,
        layout,
        *,
        rewards=None,
        ends=None,
        step=0.0,
        slip=0.0,
        bump=0.0,
        rim=0.0,
        jumps=None,
        off_grid="stay",
        from_below=False,
        max_steps=None,
        rng=0,
    ):
        self.letters = _read_layout(layout)
        self.rows, self.columns = len(self.letters), len(self.letters[0])
        self.rewards = {"G": 1.0} if rewards is None else _read_letters(rewards, "rewards", "reward")
        self.jumps = {} if jumps is None else _read_letters(jumps, "jumps", "(letter, reward)")
        self.ends = set(self.rewards if ends is None else ends)
        self.step_reward, self.slip = check_number(step, "step"), check_number(slip, "slip", low=0, high=1)
        self.bump, self.rim = check_number(bump, "bump"), check_number(rim, "rim")
        self.off_grid = check_choice(off_grid, "off_grid", ("stay", "forbidden"))
        if self.off_grid == "forbidden" and self.slip > 0:
            raise ValueError("where off_grid is 'forbidden' nothing may slip; got slip > 0.")
        self._check_letters()
        order = reversed(range(self.rows)) if from_below else range(self.rows)
        self.cells = [(i, j) for i in order for j in range(self.columns) if self.letters[i][j] != "#"]
        self._state = {cell: s for s, cell in enumerate(self.cells)}
        starts = np.array([self.letter(s) == "S" for s in range(len(self.cells))], float)
        start = starts / starts.sum() if starts.any() else None
        super().__init__(None, start=start, max_steps=max_steps, rng=rng)

    def mdp(self, gamma):
        """Return the decision process; its ``world`` is this grid."""
        prob, target, reward, over = self._outcomes()
        possible = self._possible(target, over)
        rows = SparseRows(np.arange(0, prob.size + 1, 3), target.ravel(), prob.ravel(), len(target))
        mdp = MDP._of_rows(rows, reward.ravel(), (prob * reward).sum(axis=2), possible, gamma)
        mdp.world, mdp.states, mdp.actions = self, list(self.cells), list(ACTIONS)
        return mdp

    def _read(self, model):
        return None, self._table()

    def letter(self, s):
        """Return the letter of a state."""
        i, j = self.cells[s]
        return self.letters[i][j]

    def at(self, row, column):
        """Return the state of a cell, rows counted from the top."""
        row = check_integer(row, "row", low=0, high=self.rows - 1)
        column = check_integer(column, "column", low=0, high=self.columns - 1)
        if (row, column) not in self._state:
            raise ValueError(f"the cell ({row}, {column}) is a wall.")
        return self._state[row, column]

    @property
    def terminal(self):
        """Say which states end the episode (S,)."""
        return np.array([self.letter(s) in self.ends for s in range(len(self.cells))])

    def as_grid(self, values, wall=np.nan):
        """Return one number for each state as a table (rows, columns), with ``wall`` where a wall is."""
        table = np.full((self.rows, self.columns), wall, dtype=float)
        for (i, j), value in zip(self.cells, values):
            table[i, j] = value
        return table

    def _moves(self):
        """Return where a step in each direction leads: next state, reward, end or not, arrays (S, 4)."""
        number = np.full((self.rows, self.columns), -1)
        number[tuple(np.transpose(self.cells))] = np.arange(len(self.cells))
        here = np.arange(len(self.cells))[:, None]
        row, column = (np.add.outer(*pair) for pair in zip(np.transpose(self.cells), np.transpose(MOVES)))
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.columns)
        target = np.where(inside, number[row % self.rows, column % self.columns], -1)
        letters = [self.letter(s) for s in range(len(self.cells))]
        prize = np.array([self.rewards.get(letter, 0.0) for letter in letters])
        blocked = np.where(inside, self.bump, self.rim)
        reward = self.step_reward + np.where(target < 0, blocked, prize[target])
        target = np.where(target < 0, here, target)
        over = np.array([letter in self.ends for letter in letters])
        for letter, (to, prize) in self.jumps.items():
            cells = np.array([other == letter for other in letters])
            target[cells], reward[cells] = letters.index(to), self.step_reward + prize
        target[over], reward[over] = here[over], 0.0
        return target, reward, over

    def _outcomes(self):
        """Return what each action may lead to, arrays (S, 4, 3): straight on, and off to either side."""
        target, reward, over = self._moves()
        turned = np.add.outer(np.arange(4), (0, 1, 3)) % 4
        target, reward = target[:, turned], reward[:, turned]
        prob = np.broadcast_to([1 - self.slip, self.slip / 2, self.slip / 2], target.shape).copy()
        sure = over | np.array([self.letter(s) in self.jumps for s in range(len(self.cells))])
        prob[sure] = (1.0, 0.0, 0.0)
        return prob, target, reward, over

    def _possible(self, target, over):
        """Say which actions are possible (S, 4)."""
        if self.off_grid == "stay":
            return np.ones(target.shape[:2], bool)
        return (target[:, :, 0] != np.arange(len(target))[:, None]) | over[:, None]

    def _table(self):
        """Return the table P[s][a]."""
        prob, target, reward, over = self._outcomes()
        possible, ends = self._possible(target, over).tolist(), over.tolist()
        lists = [
            list(zip(*row))
            for row in zip(prob.reshape(-1, 3).tolist(), target.reshape(-1, 3).tolist(), reward.reshape(-1, 3).tolist())
        ]
        table = {}
        for s in range(len(target)):
            table[s] = {
                a: [(p, t, r, ends[t]) for p, t, r in lists[4 * s + a] if p > 0] for a in range(4) if possible[s][a]
            }
        return table

    def _check_letters(self):
        for letter, jump in self.jumps.items():
            if not (isinstance(jump, list | tuple) and len(jump) == 2):
                raise ValueError(f"the jump from {letter!r} must be (letter, reward); got {jump!r}.")
        known = set("#.S") | set(self.rewards) | set(self.jumps) | {to for to, _ in self.jumps.values()} | self.ends
        unknown = sorted(set("".join(self.letters)) - known)
        if unknown:
            raise ValueError(f"the layout has {unknown[0]!r}, which neither rewards nor jumps nor ends name.")
        for letter, reward in self.rewards.items():
            check_number(reward, f"the reward of {letter!r}")
        for letter, (to, reward) in self.jumps.items():
            check_number(reward, f"the reward of the jump from {letter!r}")
            if sum(row.count(to) for row in self.letters) != 1:
                raise ValueError(f"the jump from {letter!r} needs exactly one cell {to!r} to land on.")


def _read_letters(given, name, what):
    if not isinstance(given, dict):
        raise ValueError(f"{name} must be a dict from a letter to its {what}; got {given!r}.")
    return dict(given)


def _read_layout(layout):
    if not isinstance(layout, str):
        raise ValueError(f"layout must be text, one line a row; got {type(layout).__name__}.")
    rows = [line.strip() for line in textwrap.dedent(layout).strip().splitlines()]
    if not rows or not rows[0]:
        raise ValueError("layout is empty; it needs one line for each row of the grid.")
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        k = next(k for k, row in enumerate(rows) if len(row) != len(rows[0]))
        raise ValueError(
            f"the lines of layout must have one length; line 0 has {len(rows[0])}, line {k} {len(rows[k])}."
        )
    if all(set(row) == {"#"} for row in rows):
        raise ValueError("layout has walls only; at least one cell must be free.")
    return rows
