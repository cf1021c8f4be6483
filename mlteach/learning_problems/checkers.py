"""Checkers (English draughts): positions, legal moves, and the six features of the linear evaluation (section 1.7)."""

from typing import NamedTuple

from mlteach.learning_problems.board import can_jump, geometry, jumps, steps, threatened
from mlteach.validation import check_choice, check_integer

SIZES = (4, 6, 8, 10)


class Features(NamedTuple):
    """What the evaluation function sees of a board."""

    bp: int  # black pieces, men and kings
    rp: int  # red pieces
    bk: int  # black kings
    rk: int  # red kings
    bt: int  # black pieces that red can capture
    rt: int  # red pieces that black can capture

    def swapped(self):
        """Return the features with the colours exchanged: what red sees when it thinks of itself as black."""
        bp, rp, bk, rk, bt, rt = self
        return Features(rp, bp, rk, bk, rt, bt)


class _Position(NamedTuple):
    black: int  # bits of the black pieces
    red: int
    kings: int  # bits of the kings of both colours
    turn: str  # "black" or "red"
    quiet: int  # moves since the last capture or move of a man
    size: int
    draw_after: int


class Checkers(_Position):
    """A position of checkers by the English rules; immutable, `play` returns the next one.

    Black moves first and downwards, to higher squares; red moves upwards. A man steps diagonally forwards, a king
    both ways. A capture jumps over one piece to the empty square behind it; it is obligatory where one exists, and
    goes on while the same piece can jump again. A man that reaches the far row becomes a king, and its move ends.
    Who cannot move has lost. After ``draw_after`` moves in a row (both sides counted) with neither a capture nor a
    move of a man the game is drawn.

    Parameters: ``size`` 4, 6, 8 or 10 rows; ``draw_after``. ``Checkers()`` is the start of a game,
    `from_text` any position. Attributes: ``turn``, "black" or "red"; ``size``; ``quiet``; and as bits ``black``,
    ``red``, ``kings``.

    >>> position = Checkers(size=6)
    >>> position.legal_moves()
    [<5-7>, <6-8>, <4-7>, <5-8>, <6-9>]
    >>> print(position.play("5-7"))
    . b . b . b
    b . . . b .
    . b . . . .
    . . . . . .
    . r . r . r
    r . r . r .
    red to move
    """

    __slots__ = ()

    def __new__(cls, size=8, *, draw_after=40):
        """Return the start position."""
        size = check_choice(check_integer(size, "size"), "size", SIZES)
        draw_after = check_integer(draw_after, "draw_after", low=1)
        geo = geometry(size)
        return cls._make((geo.black_start, geo.red_start, 0, "black", 0, size, draw_after))

    @classmethod
    def from_text(cls, text, turn=None, *, draw_after=40):
        """Return the position drawn in ``text``: b, r men, B, R kings, dots elsewhere, as `print` shows it.

        Black is to move, unless ``turn`` or the last line of the text, "red to move", says otherwise.

        >>> Checkers.from_text(". b . .  r . . .  . . . .  . . . .").features()
        Features(bp=1, rp=1, bk=0, rk=0, bt=0, rt=0)
        """
        draw_after = check_integer(draw_after, "draw_after", low=1)
        if not isinstance(text, str):
            raise TypeError(f"text must be a string with one character per square; got {type(text).__name__}.")
        says_red = text.strip().endswith("red to move")
        turn = check_choice(("red" if says_red else "black") if turn is None else turn, "turn", ("black", "red"))
        cells = "".join(text.strip().removesuffix("black to move").removesuffix("red to move").split())
        size = next((s for s in SIZES if s * s == len(cells)), None)
        if size is None or set(cells) - set("brBR."):
            raise ValueError(
                "text must draw 4x4, 6x6, 8x8 or 10x10 squares with the characters b r B R and dots; "
                f"got {len(cells)} characters out of {''.join(sorted(set(cells)))!r}."
            )
        geo = geometry(size)
        dark = [i for i in range(size * size) if (i // size + i % size) % 2]
        if any(cells[i] != "." for i in set(range(size * size)) - set(dark)):
            raise ValueError("text has a piece on a light square; the upper left corner of the board is light.")
        on = {letter: sum(bit for bit, i in zip(geo.squares, dark) if cells[i] == letter) for letter in "brBR"}
        if on["b"] & geo.last_row or on["r"] & geo.first_row:
            raise ValueError("text has a man on its last row, where it would be a king: write B or R there.")
        black, red = on["b"] | on["B"], on["r"] | on["R"]
        if max(black.bit_count(), red.bit_count()) > geo.n_men:
            raise ValueError(f"text has more than {geo.n_men} pieces of one colour, the number at the start.")
        return cls._make((black, red, on["B"] | on["R"], turn, 0, size, draw_after))

    @property
    def men_at_start(self):
        """The number of men of each side at the start of a game on this board: 12 on 8x8."""
        return geometry(self.size).n_men

    def legal_moves(self):
        """Return the list of legal moves: all captures where there is one, else all steps; [] when drawn or lost."""
        if self.quiet >= self.draw_after:
            return []
        geo, down, up, other, empty = self._sides(self.turn)
        if can_jump(geo, down, up, other, empty):
            return jumps(geo, down, up, other, empty)
        return steps(geo, down, up, empty)

    def play(self, move):
        """Return the position after ``move``, one of `legal_moves`; a string such as "11-15" will do.

        >>> Checkers().play("11-15").play("22-18").legal_moves()
        [<15x22>]
        """
        legal = self.legal_moves()
        found = next((m for m in legal if m is move or m == move), None)
        if found is None:
            named = [m for m in legal if str(m) == str(move)]
            if len(named) != 1:
                choice = ", ".join(map(str, legal)) or "none, the game is over"
                raise ValueError(f"{move} is not a legal move of {self.turn}; legal moves: {choice}.")
            found = named[0]
        return self._after(found)

    def winner(self):
        """Return "black" or "red" who has won, "draw", or None while the game goes on."""
        if self.quiet >= self.draw_after:
            return "draw"
        geo, down, up, other, empty = self._sides(self.turn)
        d, e = geo.shifts
        if down & (empty >> d | empty >> e) or up & (empty << d | empty << e):
            return None
        if can_jump(geo, down, up, other, empty):
            return None
        return "red" if self.turn == "black" else "black"

    def features(self):
        """Return (bp, rp, bk, rk, bt, rt): pieces, kings among them, and threatened pieces of black and red.

        bt counts the black pieces that occur in at least one capture which red would have on this board if it
        were red's turn, whoever's turn it is; rt likewise with the colours exchanged.

        >>> Checkers().play("11-15").play("22-18").features()
        Features(bp=12, rp=12, bk=0, rk=0, bt=1, rt=1)
        """
        return Features(*self._counts())

    def perft(self, depth):
        """Return the number of different sequences of ``depth`` moves: the usual check of a move generator.

        >>> [Checkers().perft(depth) for depth in (1, 2, 3)]
        [7, 49, 302]
        """
        depth = check_integer(depth, "depth", low=0)
        if depth == 0:
            return 1
        moves = self.legal_moves()
        return len(moves) if depth == 1 else sum(self._after(move).perft(depth - 1) for move in moves)

    def _sides(self, colour):
        """Return the geometry, the pieces of ``colour`` that go down and up, the other side's, the empty squares."""
        black, red, kings, _, _, size, _ = self
        geo = geometry(size)
        empty = geo.board & ~(black | red)
        if colour == "black":
            return geo, black, black & kings, red, empty
        return geo, red & kings, red, black, empty

    def _counts(self, threats=True):
        """Return the six features as plain numbers; without ``threats`` the last two are left at 0."""
        black, red, kings, _, _, size, _ = self
        black_kings, red_kings, bt, rt = black & kings, red & kings, 0, 0
        if threats:
            geo = geometry(size)
            empty = geo.board & ~(black | red)
            bt = threatened(geo, red_kings, red, black, empty).bit_count()
            rt = threatened(geo, black, black_kings, red, empty).bit_count()
        return black.bit_count(), red.bit_count(), black_kings.bit_count(), red_kings.bit_count(), bt, rt

    def _after(self, move):
        """Return the position after a move known to be legal."""
        black, red, kings, turn, quiet, size, draw_after = self
        start, end, taken = move.start, move.end, move.taken
        geo = geometry(size)
        king = start & kings
        kings &= ~(start | taken)
        if turn == "black":
            black, red, turn, crown = (black ^ start) | end, red & ~taken, "red", geo.last_row
        else:
            red, black, turn, crown = (red ^ start) | end, black & ~taken, "black", geo.first_row
        if king or end & crown:
            kings |= end
        quiet = quiet + 1 if king and not taken else 0
        return self._make((black, red, kings, turn, quiet, size, draw_after))

    def __str__(self):
        rows = []
        squares = iter(geometry(self.size).squares)
        for r in range(self.size):
            cells = [self._letter(next(squares)) if (r + c) % 2 else "." for c in range(self.size)]
            rows.append(" ".join(cells))
        return "\n".join([*rows, f"{self.turn} to move"])

    def _letter(self, bit):
        if not bit & (self.black | self.red):
            return "."
        letter = "b" if bit & self.black else "r"
        return letter.upper() if bit & self.kings else letter

    def __repr__(self):
        pieces = f"{self.black.bit_count()} black and {self.red.bit_count()} red pieces"
        return f"<Checkers {self.size}x{self.size}: {pieces}, {self.turn} to move>"

    def __reduce__(self):
        return Checkers._make, (tuple(self),)
