"""The curse of dimensionality in four formulas: in many dimensions volume sits at the border and data are sparse.

Derived in section 6.10 of the chapter.
"""

import math

from mlteach.validation import check_integer, check_number


def shell_share(d, thickness):
    """Return the share of a d-dimensional ball (or cube) that lies in its outer shell.

    1 - (1 - thickness)^d,  with the thickness as a share of the radius

    >>> round(shell_share(2, 0.05), 4), round(shell_share(100, 0.05), 4)
    (0.0975, 0.9941)
    """
    d = check_integer(d, "d", low=1)
    thickness = check_number(thickness, "thickness", low=0, high=1)
    return 1.0 if thickness == 1 else -math.expm1(d * math.log1p(-thickness))


def cube_edge(d, share):
    """Return the edge of a cube that holds a share of the unit cube's volume: how far a neighbourhood must reach.

    edge = share^(1/d)

    >>> round(cube_edge(1, 0.01), 4), round(cube_edge(10, 0.01), 4)
    (0.01, 0.631)
    """
    return check_number(share, "share", low=0, high=1) ** (1 / check_integer(d, "d", low=1))


def inscribed_ball_share(d):
    """Return the share of a cube that its inscribed ball fills; the rest is in the corners.

    pi^(d/2) / (2^d Gamma(d/2 + 1))

    >>> round(inscribed_ball_share(2), 4), round(inscribed_ball_share(10), 4)
    (0.7854, 0.0025)
    """
    d = check_integer(d, "d", low=1)
    return math.exp(0.5 * d * math.log(math.pi) - d * math.log(2) - math.lgamma(0.5 * d + 1))


def grid_cells(d, bins):
    """Return bins^d, the number of cells, and so of local basis functions, on a grid with that many bins per axis.

    >>> grid_cells(1, 5), grid_cells(10, 5)
    (5, 9765625)
    """
    return check_integer(bins, "bins", low=1) ** check_integer(d, "d", low=1)
