"""How long a learner may go on, and what is kept on the way: counted in steps of the world, the same for all."""

from mlteach.validation import check_integer


class Budget:
    """Episodes or steps that are left, and copies of the weights after the numbers of steps in ``at``."""

    def __init__(self, episodes, steps, at):
        if episodes is None and steps is None:
            raise ValueError("episodes or steps must say when to stop; both are None.")
        self.episodes = None if episodes is None else check_integer(episodes, "episodes", low=1)
        self.steps = None if steps is None else check_integer(steps, "steps", low=1)
        self.at = sorted(check_integer(k, "at", low=1) for k in at)
        self.taken, self.played, self.returns, self.snapshots = 0, 0, [], {}

    def left(self):
        """Say whether another episode may begin."""
        enough = self.episodes is not None and self.played >= self.episodes
        return not enough and (self.steps is None or self.taken < self.steps)

    def step(self, weights):
        """Count one step; say whether the budget is spent with it."""
        self.taken += 1
        while self.at and self.taken >= self.at[0]:
            self.snapshots[self.at.pop(0)] = weights.copy()
        return self.steps is not None and self.taken >= self.steps

    def episode(self, total):
        """Count one episode with the sum of its rewards."""
        self.played += 1
        self.returns.append(total)
