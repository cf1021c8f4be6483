"""Learning to evaluate checkers boards by self-play and LMS (section 1.8)."""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.learning_problems.checkers import Checkers
from mlteach.learning_problems.players import Game, as_weights, board_vector, check_position, linear_player, play_game
from mlteach.validation import ConvergenceWarning, as_rng, as_vector, check_choice, check_integer, check_number

OUTCOME = 100.0
TOO_LARGE = 1e4 * OUTCOME  # weights beyond this are running away


class Training(NamedTuple):
    """The weights after one game of self-play."""

    w: np.ndarray  # (7,)
    winner: str | None  # of the game; None before the first
    n_moves: int
    error: float  # root mean square of V_train - V_hat over the updates of this game


class SelfPlay(NamedTuple):
    """What `lms_train` learned."""

    w: np.ndarray  # (7,) weights w0 to w6
    history: tuple[Training, ...]  # history[n]: after n games


def lms_update(w, x, v_train, learning_rate):
    """Return the weights after one step of LMS towards the training value of one board.

    w <- w + eta (V_train - V_hat) x,   V_hat = w . x

    This is a step down the gradient of 1/2 (V_train - V_hat)^2, so the sign is +, and every weight moves by its own
    feature, w0 by x0 = 1.

    >>> lms_update([0, 0], [1, 0.5], v_train=100, learning_rate=0.1).tolist()
    [10.0, 5.0]
    """
    w = as_vector(w, "w")
    x = as_vector(x, "x", length=len(w), like="w")
    v_train, eta = check_number(v_train, "v_train"), check_number(learning_rate, "learning_rate", low=0, open_low=True)
    with np.errstate(over="ignore", invalid="ignore"):
        new = _step(w, x, v_train, eta)
    if not np.isfinite(new).all():
        raise ValueError("the new weights are too large for floating-point numbers; use smaller w, x or learning_rate.")
    return new


def training_boards(game, colour, boards="after"):
    """Return X (k, 7), the boards of one side in one game in order, and the value V of the end for that side.

    ``boards="after"``: the boards after each of its own moves; "before": those on which it is its turn.
    The end counts +100 for a win, -100 for a loss, 0 for a draw.

    ``colour`` is the side that learns.
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, as play_game returns it; got {game!r}.")
    check_choice(colour, "colour", ("black", "red"))
    check_choice(boards, "boards", ("after", "before"))
    mine = [n for n, position in enumerate(game.positions[:-1]) if position.turn == colour]
    X = [board_vector(game.positions[n + (boards == "after")], colour) for n in mine]
    V = 0.0 if game.winner == "draw" else OUTCOME if game.winner == colour else -OUTCOME
    return np.array(X).reshape(len(mine), 7), V


def lms_train(games=100, learning_rate=0.1, rng=0, *, start=None, epsilon=0.1, depth=1, boards=None, w=None):
    """Learn the weights of the evaluation function by playing against oneself.

    Model    V_hat(b) = w . x,  x = (1, bp, rp, bk, rk, bt, rt) / scale, see `board_vector`
    Target   V_train(b) = V_hat(Successor(b)), at the end +100, -100 or 0
    Update   w <- w + eta (V_train(b) - V_hat(b)) x

    Both sides use the same weights, each seeing itself as black, and both learn from the game. Successor(b) is the
    next board of the same kind for the same side. Which boards are learned from matters: V_hat must be trained on
    the kind of boards among which the player chooses with it.

    Parameters: ``games``; ``learning_rate`` eta; ``start`` position, by default 8x8; ``epsilon``, the share of random
    moves while learning; ``depth`` half-moves of look-ahead; ``boards`` to learn from, "after" a side's own move or
    "before" it (its turn), by default the kind that ``depth`` looks at: "after" if it is odd, "before" if even;
    ``w`` weights to start from, by default 0. Returns `SelfPlay`. On divergence it warns and keeps the last good game.

    >>> learned = lms_train(games=20, start=Checkers(size=6))
    >>> len(learned.history), bool(learned.w[1] > 0 > learned.w[2])
    (21, True)
    """
    games, depth = check_integer(games, "games", low=1), check_integer(depth, "depth", low=1)
    eta = check_number(learning_rate, "learning_rate", low=0, open_low=True)
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)
    boards = check_choice(boards or ("after" if depth % 2 else "before"), "boards", ("after", "before"))
    start = Checkers() if start is None else check_position(start, "start")
    w, rng = np.zeros(7) if w is None else as_weights(w), as_rng(rng)
    if not np.abs(w).max() < TOO_LARGE:
        raise ValueError(f"w must start with weights below {TOO_LARGE:g} in size; got {np.abs(w).max():g}.")
    history = [Training(w, None, 0, 0.0)]
    for n in range(games):
        # 1. Performance system: play one game with the present weights
        player = linear_player(w, rng, depth=depth, epsilon=epsilon)
        game = play_game(player, player, start)
        # 2. Critic and generaliser: values for the boards of the game, one LMS step for each
        errors = []
        for colour in ("black", "red"):
            X, V = training_boards(game, colour, boards)
            w = _learn(w, X, V, eta, errors)
        if not np.abs(w).max() < TOO_LARGE:
            text = f"LMS diverged in game {n + 1} with learning_rate={eta:g}; the weights before it are kept. Use less."
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
            break
        error = float(np.sqrt(np.mean(np.square(errors)))) if errors else 0.0
        history.append(Training(w, game.winner, len(game.moves), error))
    return SelfPlay(history[-1].w, tuple(history))


def _learn(w, X, V, eta, errors):
    """Return the weights after one LMS step for each board of one side; append each error to ``errors``."""
    for n, x in enumerate(X):
        v_train = X[n + 1] @ w if n + 1 < len(X) else V
        errors.append(v_train - x @ w)
        w = _step(w, x, v_train, eta)
        if not np.abs(w).max() < TOO_LARGE:
            break
    return w


def _step(w, x, v_train, eta):
    return w + eta * (v_train - w @ x) * x
