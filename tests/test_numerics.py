"""The arithmetic that several chapters share."""

import numpy as np
import pytest
from scipy.special import logsumexp

from mlteach.numerics import (
    LARGEST,
    Units,
    as_codes,
    as_gram,
    centre,
    check_range,
    constant_columns,
    log_sum_exp,
    one_hot,
    pack,
    softplus,
    squarable,
    triangular_factor,
    unpack,
    upper_blocks,
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: squarable(np.array([[1, -1e141]]), "init"),
            r"init has entries of size 1e\+141, too large for their sq",
        ),
        (lambda: check_range(np.array([[1, 1e150]]), "X"), r"X holds values up to 1e\+150; .* Change the unit of X"),
        (lambda: check_range(np.array([[1, 1e-150]]), "X"), "X holds values up to 1e-150"),
        (lambda: check_range(np.array([1e101]), "y", largest=1e100), r"y holds values up to 1e\+101"),
        (lambda: as_codes([[1, 2]], 3), "Z must have 3 columns, one for each number of a code; got 2"),
        (lambda: as_gram(np.eye(3), 2, "K"), r"K must have shape \(2, 2\); got \(3, 3\)"),
        (lambda: as_gram(np.diag([1, np.inf]), 2, "K"), "K must be finite; some of its entries overflow. Scale"),
        (lambda: as_gram(np.diag([1, np.nan]), 2, "K"), "K must be finite"),
        (lambda: as_gram([[1, 2j], [2j, 1]], 2, "K"), "K must hold real numbers"),
        (lambda: as_gram([[1, 2], [0, 1]], 2, "K"), r"K must be symmetric; entry \[0, 1\] is 2 and \[1, 0\] is 0"),
    ],
)
def test_bad_input_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_values_in_range_and_zeros_pass():
    check_range(np.array([[0, 1e139, -1e-139]]), "X")
    check_range(np.array([1e200]), "X", largest=1e290)
    X = np.array([[LARGEST, 0.0, -1e-300]])
    assert squarable(X) is X
    assert np.isfinite((np.full(10**6, LARGEST) ** 2).sum())


def test_sums_of_exponentials():
    L = np.random.default_rng(0).normal(size=(20, 3)) * 300
    L[3, 1], L[4] = -np.inf, -np.inf
    assert np.allclose(log_sum_exp(L), logsumexp(L, axis=1), rtol=1e-14)
    assert log_sum_exp(L)[4] == -np.inf
    a = np.array([-1e6, -2.0, 0.0, 3.0, 1e6])
    assert np.allclose(softplus(a), np.logaddexp(0, a), rtol=1e-14)


def test_one_hot_rows():
    index = np.array([2, 0, 1, 2])
    assert one_hot(index, 4).argmax(axis=1).tolist() == index.tolist()
    assert one_hot(index, 4).sum(axis=1).tolist() == [1, 1, 1, 1]


def test_unpack_gives_back_what_pack_joined_as_views():
    arrays = [np.arange(6.0).reshape(2, 3), np.array(7.0), np.array([8.0, 9.0])]
    w = pack(arrays)
    again = unpack(w, [a.shape for a in arrays])
    assert all(np.array_equal(a, b) for a, b in zip(arrays, again, strict=True))
    w[0], arrays[2][0] = -1, -2
    assert again[0][0, 0] == -1
    assert again[2][0] == 8


def test_units_leave_out_what_does_not_vary():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(5, 3, 30), np.full(30, 0.1), rng.normal(size=30) * 1e-3])
    unit = Units(X)
    Z = unit.inside(X)
    assert np.allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(Z.std(axis=0), [1, 0, 1])
    assert unit.scale[1] == 1
    assert np.allclose(unit.outside(Z), X, rtol=1e-14)
    common = Units(X, per_feature=False)
    assert np.allclose(common.scale, np.sqrt(X.var(axis=0).mean()))
    y = Units(X[:, 0])
    assert np.isclose(y.inside(X[:, 0]).std(), 1)
    assert Units(np.ones(3)).scale == 1


@pytest.mark.parametrize("n", [5, 256, 300])
def test_a_gram_matrix_is_not_copied_and_every_entry_is_compared(n):
    K = np.ones((n, n))
    assert as_gram(K, n, "K") is K
    for i, j in ((0, n - 1), (n - 2, n - 1), (n // 2, 1)):
        off = K.copy()
        off[i, j] += 1e-8
        with pytest.raises(ValueError, match="must be symmetric"):
            as_gram(off, n, "K")
        as_gram(off, n, "K", slip=1e-6)
    seen = np.zeros((n, n))
    for rows, columns in upper_blocks(n):
        seen[rows, columns] += 1
    assert seen[np.triu_indices(n)].all()
    assert seen.max() == 1


def test_constant_columns_are_those_that_differ_by_rounding():
    column = np.array([0.1, 0.3 - 0.2, 0.7 - 0.6, 0.1])
    table = np.column_stack([column, 1e6 + column, column * 0, column + [0, 1e-14, 0, 0], 1e8 + np.arange(4.0)])
    assert constant_columns(table).tolist() == [True, True, True, False, False]
    assert constant_columns(column)
    assert not constant_columns(np.arange(3.0))
    centred, mean = centre(table)
    assert not centred[:, :3].any()
    assert centred[:, 4].tolist() == [-1.5, -0.5, 0.5, 1.5]
    assert mean[:2].tolist() == [0.1, 1e6 + 0.1]


@pytest.mark.parametrize("n", [30, 40_000])
@pytest.mark.parametrize("columns", [0, 1, 2])
def test_the_triangle_of_a_tall_matrix_is_that_of_its_blocks(n, columns):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(n, 4)) * [1, 1e3, 1e-3, 1]
    A[:, 3] += 5 * A[:, 0]
    t = rng.normal(size=n) if columns < 2 else rng.normal(size=(n, 2))
    R = np.abs(np.linalg.qr(A, mode="r"))
    if not columns:
        np.testing.assert_allclose(np.abs(triangular_factor(A)), R, rtol=1e-9, atol=1e-12)
        return
    mine, z = triangular_factor(A, t)
    np.testing.assert_allclose(np.linalg.solve(mine, z), np.linalg.lstsq(A, t)[0], rtol=1e-9, atol=1e-12)
