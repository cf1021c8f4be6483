"""Checkers players, single games, and matches between players (section 1.7).

A player is any function that takes a position and returns one of its legal moves.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from mlteach.learning_problems.board import Move
from mlteach.learning_problems.checkers import Checkers
from mlteach.validation import as_rng, as_vector, check_choice, check_integer, check_number

N_WEIGHTS = 7
TIE = 1e-9  # values that differ by no more are equal


class Game(NamedTuple):
    """A game from its first position to its last."""

    positions: tuple[Checkers, ...]  # one more than there are moves
    moves: tuple[Move, ...]
    winner: str  # "black", "red" or "draw"


class Score(NamedTuple):
    """Result of a match, seen from the first player."""

    wins: int
    draws: int
    losses: int

    @property
    def rate(self):
        """Share of the points won, a draw counting one half."""
        return (self.wins + self.draws / 2) / sum(self)


def board_vector(position, colour="black"):
    """Return x (7,) = (1, bp, rp, bk, rk, bt, rt), all but the 1 divided by the men of a side at the start.

    For ``colour="red"`` the colours are exchanged, so that each side sees itself as black. All entries are
    between 0 and 1, which keeps the learning rate of `lms_train` below its limit.

    ``position`` is a board, as `evaluate` and the players get it.

    >>> board_vector(Checkers().play("11-15").play("22-18")).round(3).tolist()
    [1.0, 1.0, 1.0, 0.0, 0.0, 0.083, 0.083]
    """
    check_position(position)
    check_choice(colour, "colour", ("black", "red"))
    features = position.features() if colour == "black" else position.features().swapped()
    men = position.men_at_start
    return np.array([1, *(count / men for count in features)])


def evaluate(w, position, colour="black"):
    """Return the value of a board for ``colour`` by the linear evaluation function.

    V_hat(b) = w . x = w0 + w1 bp + w2 rp + w3 bk + w4 rk + w5 bt + w6 rt,  x from `board_vector`

    ``w`` (7,) are the weights, ``position`` is the board.

    >>> round(evaluate([0, 12, -12, 0, 0, 0, 0], Checkers().play("11-15").play("22-18").play("15x22")), 9)
    1.0
    """
    return float(as_weights(w) @ board_vector(position, colour))


def random_player(rng=0):
    """Return a player that draws each move with equal chances."""
    rng = as_rng(rng)

    def player(position):
        return _draw(_moves(position), rng)

    return player


def greedy_player(rng=0, *, depth=1):
    """Return a player that counts pieces, kings twice, ``depth`` half-moves ahead; ties are drawn.

    With depth 1 it looks no further than its own move. Captures being obligatory anyway, that is little better than
    chance; depth 2 sees the answer.
    """
    return linear_player([0, 1, -1, 1, -1, 0, 0], rng, depth=depth)


def linear_player(w, rng=0, *, depth=1, epsilon=0.0):
    """Return a player that moves to the board with the highest V_hat.

    With ``depth=1`` it compares the boards after its own move; with more, those after that many half-moves, the
    opponent choosing the lowest V_hat. Games won or lost on the way outweigh all else. ``epsilon`` is the share of
    moves drawn at random; ties are drawn too.

    >>> player = linear_player([0, 12, -12, 0, 0, -12, 0])
    >>> print(player(Checkers().play("11-15").play("22-18")))
    15x22
    """
    w = as_weights(w)
    rng, depth = as_rng(rng), check_integer(depth, "depth", low=1)
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)

    def player(position):
        moves = _moves(position)
        if len(moves) == 1:
            return moves[0]
        if epsilon and rng.random() < epsilon:
            return _draw(moves, rng)
        scale = position.men_at_start
        weights = (float(w[0]), *(w[1:] / scale).tolist())
        values, best = [], -inf
        for move in moves:
            values.append(_look_ahead(position._after(move), weights, position.turn, depth - 1, best - 2 * TIE))
            best = max(best, values[-1])
        return _draw([move for move, value in zip(moves, values) if value >= best - TIE], rng)

    return player


def play_game(black, red, start=None):
    """Let two players play from ``start`` (by default the beginning on 8x8) to the end; return the `Game`.

    >>> play_game(random_player(1), random_player(2)).winner in ("black", "red", "draw")
    True
    """
    for name, player in (("black", black), ("red", red)):
        if not callable(player):
            raise TypeError(f"{name} must be a player, a function from a position to a move; got {player!r}.")
    position = Checkers() if start is None else check_position(start, "start")
    positions, moves = [position], []
    while (winner := position.winner()) is None:
        move = (black if position.turn == "black" else red)(position)
        position = position.play(move)
        positions.append(position)
        moves.append(move)
    return Game(tuple(positions), tuple(moves), winner)


def tournament(player_a, player_b, games, rng=0, *, start=None, opening=2):
    """Let two players meet ``games`` times with alternating colours; return the `Score` of ``player_a``.

    Each game begins with ``opening`` random half-moves from ``rng``, so that players without chance of their own do
    not repeat one game.

    ``player_b`` is the opponent; a player is a function from a position to a move.

    >>> tournament(greedy_player(depth=2), random_player(), games=20, start=Checkers(size=6)).wins > 15
    True
    """
    games = check_integer(games, "games", low=1)
    opening = check_integer(opening, "opening", low=0)
    start = Checkers() if start is None else check_position(start, "start")
    rng, wins, draws = as_rng(rng), 0, 0
    for n in range(games):
        position = start
        for _ in range(opening):
            if moves := position.legal_moves():
                position = position._after(_draw(moves, rng))
        colour = "black" if n % 2 == 0 else "red"
        black, red = (player_a, player_b) if colour == "black" else (player_b, player_a)
        winner = play_game(black, red, position).winner
        wins, draws = wins + (winner == colour), draws + (winner == "draw")
    return Score(wins, draws, games - wins - draws)


def as_weights(w, name="w"):
    """Return the seven weights of the evaluation function as an array."""
    w = as_vector(w, name)
    if len(w) != N_WEIGHTS:
        raise ValueError(f"{name} must hold the {N_WEIGHTS} weights w0 to w6; got {len(w)}.")
    return w


def check_position(position, name="position"):
    """Return ``position`` if it is one."""
    if not isinstance(position, Checkers):
        raise TypeError(f"{name} must be a Checkers position; got {position!r}.")
    return position


def _look_ahead(position, w, me, depth, hopeless=-inf):
    """Return the value of a position for ``me``, ``depth`` half-moves deep; ``w`` weighs the plain counts.

    Where an answer of the opponent leaves less than ``hopeless``, the others are not looked at.
    """
    winner = position.winner()
    if winner is not None:
        return 0.0 if winner == "draw" else inf if winner == me else -inf
    if depth == 0:
        w0, w1, w2, w3, w4, w5, w6 = w
        bp, rp, bk, rk, bt, rt = position._counts(threats=bool(w5 or w6))
        if me == "black":
            return w0 + w1 * bp + w2 * rp + w3 * bk + w4 * rk + w5 * bt + w6 * rt
        return w0 + w1 * rp + w2 * bp + w3 * rk + w4 * bk + w5 * rt + w6 * bt
    if position.turn == me:
        return max(_look_ahead(position._after(move), w, me, depth - 1) for move in position.legal_moves())
    lowest = inf
    for move in position.legal_moves():
        lowest = min(lowest, _look_ahead(position._after(move), w, me, depth - 1))
        if lowest < hopeless:
            break
    return lowest


def _moves(position):
    if moves := check_position(position).legal_moves():
        return moves
    raise ValueError("the game is over: there is no legal move in this position.")


def _draw(moves, rng):
    return moves[0] if len(moves) == 1 else moves[rng.integers(len(moves))]
