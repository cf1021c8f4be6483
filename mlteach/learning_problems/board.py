"""The geometry of a checkers board, and the moves on it, with one bit per dark square (section 1.7).

Each row has k dark squares. The bits run row by row, with one unused bit after every second row: then a diagonal
step is always a shift by k or k + 1 places, a jump by twice as many, and nothing wraps around the edge, because
the unused bits are never empty squares. On the usual 8x8 board:

    row 0    0   1   2   3          row 2    9  10  11  12
    row 1  4   5   6   7            row 3 13  14  15  16     ...   bits 8, 17, 26 are unused
"""

from functools import cache
from typing import NamedTuple


class Move(NamedTuple):
    """One move: a step, or a jump with all the jumps that follow it."""

    path: tuple[int, ...]  # squares visited, numbered 1, 2, ... row by row, the start first
    start: int  # bit of the first square
    end: int  # bit of the last square
    taken: int  # bits of the captured pieces; 0 for a step

    def __str__(self):
        return ("x" if self.taken else "-").join(map(str, self.path))

    def __repr__(self):
        return f"<{self}>"


class Geometry(NamedTuple):
    """Everything about a board that does not change during a game."""

    squares: tuple[int, ...]  # squares[i] is the bit of square i + 1
    number: dict[int, int]  # from the bit to the number of its square
    board: int  # the bits of all squares
    n_men: int  # men of each side at the start
    black_start: int
    red_start: int
    first_row: int  # where red men are crowned
    last_row: int  # where black men are crowned
    shifts: tuple[int, int]  # the two diagonals
    steps: tuple  # (down, up): for each diagonal, a dict from the bit of the start to the `Move`


@cache
def geometry(size):
    """Return the `Geometry` of a board with ``size`` rows."""
    k, rows = size // 2, range(size)
    squares = tuple(1 << (r * k + r // 2 + c) for r in rows for c in range(k))
    number = {bit: i for i, bit in enumerate(squares, start=1)}
    n_men = k * (k - 1)
    down = tuple({bit: _step(number, bit, bit << d) for bit in squares if bit << d in number} for d in (k, k + 1))
    up = tuple({bit: _step(number, bit, bit >> d) for bit in squares if bit >> d in number} for d in (k, k + 1))
    return Geometry(
        squares,
        number,
        board=sum(squares),
        n_men=n_men,
        black_start=sum(squares[:n_men]),
        red_start=sum(squares[-n_men:]),
        first_row=sum(squares[:k]),
        last_row=sum(squares[-k:]),
        shifts=(k, k + 1),
        steps=(down, up),
    )


def bits(mask):
    """Yield the single bits of ``mask``, the lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def steps(geo, going_down, going_up, empty):
    """Return the steps to an empty square of the pieces that may go down and of those that may go up."""
    moves = []
    down, up = geo.steps
    for d, table_down, table_up in zip(geo.shifts, down, up):
        moves += [table_down[bit] for bit in bits(going_down & (empty >> d))]
        moves += [table_up[bit] for bit in bits(going_up & (empty << d))]
    return moves


def can_jump(geo, going_down, going_up, other, empty):
    """Return the bits of the pieces that can jump over a piece of ``other``."""
    d, e = geo.shifts
    below = (other >> d) & (empty >> 2 * d) | (other >> e) & (empty >> 2 * e)
    above = (other << d) & (empty << 2 * d) | (other << e) & (empty << 2 * e)
    return going_down & below | going_up & above


def jumps(geo, going_down, going_up, other, empty):
    """Return all captures, each with every jump it is obliged to make; crowning ends a capture."""
    moves = []
    for start in bits(can_jump(geo, going_down, going_up, other, empty)):
        down, up = bool(start & going_down), bool(start & going_up)
        crown = 0 if down and up else geo.last_row if down else geo.first_row
        # The squares of the moving piece and of those it took: free to cross, not to take twice
        stack = [((geo.number[start],), start, 0)]
        while stack:
            path, here, taken = stack.pop()
            onward = []
            if not (taken and here & crown):
                for victim, landing in _single_jumps(geo.shifts, here, down, up, other & ~taken, empty | start):
                    onward.append(((*path, geo.number[landing]), landing, taken | victim))
            if onward:
                stack += reversed(onward)
            elif taken:
                moves.append(Move(path, start, here, taken))
    return moves


def threatened(geo, going_down, going_up, other, empty):
    """Return the bits of the pieces of ``other`` that some capture takes."""
    victims = far_down = far_up = 0
    for d in geo.shifts:
        over = going_down << d & other & (empty >> d)
        under = going_up >> d & other & (empty << d)
        victims |= over | under
        far_down |= over << d
        far_up |= under >> d
    if not victims:
        return 0
    # Where no jump can be followed by one over another piece, the first jumps tell all: quick, and mostly so
    if going_down & going_up:
        far_down = far_up = far_down | far_up
    others = other ^ victims if victims & (victims - 1) == 0 else other
    if can_jump(geo, far_down, far_up, others, empty | going_down | going_up):
        for move in jumps(geo, going_down, going_up, other, empty):
            victims |= move.taken
    return victims


def _single_jumps(shifts, here, down, up, other, empty):
    """Yield (square jumped over, landing square) for each jump from ``here``."""
    for d in shifts:
        if down and here << d & other and here << 2 * d & empty:
            yield here << d, here << 2 * d
        if up and here >> d & other and here >> 2 * d & empty:
            yield here >> d, here >> 2 * d


def _step(number, start, end):
    return Move((number[start], number[end]), start, end, 0)
