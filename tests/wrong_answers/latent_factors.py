"""Typical wrong answers to the exercises of chapter 22, each with words that the check must say."""

import numpy as np

from mlteach.exercises import latent_factors as right


def _svd(X, m):
    mean = X.mean(axis=0)
    V = np.linalg.svd(X - mean, full_matrices=False)[2][:m]
    return ((X - mean) @ V.T @ V + mean).tolist()


def _scaled(X, m):
    s = X.std(axis=0)
    return right.rebuild(X / s, m) * s


def _spoils_X(X, m):
    answer = right.rebuild(X, m)
    X -= X.mean(axis=0)
    return answer


def _one(X, m):
    return right.rebuild(X, 1)


def _regression_line(X, m):
    answer = X.copy()
    answer[:, 1] = np.polyval(np.polyfit(X[:, 0], X[:, 1], 1), X[:, 0])
    return answer


def _unit_v_in_place(X, v, lam):
    v /= np.linalg.norm(v)
    return X.T @ v / np.sqrt(len(X) * lam)


def _lift_by_parts(X, v, lam):
    v = v / np.linalg.norm(v)
    return (X.T @ v / np.sqrt(len(X) * lam)).tolist()


def _by_woodbury(x, mu, W, s2):
    d, m = W.shape
    r, M = x - mu, W.T @ W + s2 * np.eye(m)
    distance = (r @ r - (W.T @ r) @ np.linalg.solve(M, W.T @ r)) / s2
    return np.float32(-0.5 * (d * np.log(2 * np.pi) + np.linalg.slogdet(M)[1] + (d - m) * np.log(s2) + distance))


def _small_determinant(x, mu, W, s2):
    d, r = len(x), x - mu
    C, M = W @ W.T + s2 * np.eye(d), W.T @ W + s2 * np.eye(W.shape[1])
    return -0.5 * (d * np.log(2 * np.pi) + np.linalg.slogdet(M)[1] + r @ np.linalg.solve(C, r))


def _stuck_noise(x, mu, W, s2):
    return right.ppca_log_density(x, mu, W, 0.5)


def _fill_by_joint(x, mu, L, psi):
    seen, C = ~np.isnan(x), L @ L.T + np.diag(psi)
    answer = x.copy()
    answer[~seen] = mu[~seen] + C[np.ix_(~seen, seen)] @ np.linalg.solve(C[np.ix_(seen, seen)], (x - mu)[seen])
    return answer.tolist()


def _fill_by_huge_noise(x, mu, L, psi):
    z = right._factors(np.nan_to_num(x - mu), L, np.where(np.isnan(x), 1e15, psi))
    return np.where(np.isnan(x), mu + L @ z, x)


def _fills_in_place(x, mu, L, psi):
    x[:] = right.fill_in(x, mu, L, psi)
    return x


def _all_rows_in_G(x, mu, L, psi):
    seen, G = ~np.isnan(x), np.linalg.inv(np.eye(L.shape[1]) + L.T / psi @ L)
    return np.where(seen, x, mu + L @ (G @ (L[seen].T / psi[seen]) @ (x - mu)[seen]))


def _only_the_missing(x, mu, L, psi):
    return right.fill_in(x, mu, L, psi)[np.isnan(x)]


def _by_tanh(W, x, eta):
    return (W + eta * (np.outer(-np.tanh(W @ x / 2), x) + np.linalg.inv(W.T))).tolist()


def _spoils_W(W, x, eta):
    answer = right.ica_step(W, x, eta)
    W += 1
    return answer


def _sigmoid(W, x):
    return 1 / (1 + np.exp(-W @ x))


WRONG = {
    "22.a": [
        ((4.04, 6), "counts twice"),
        ((3.08, 6), "off-diagonal terms are missing"),
        ((5**0.5, 6), "standard deviation"),
        ((7.4, 6), "squared"),
        ((5.96, 6), "exchanged"),
        ((7, 6), "trace"),
        ((5, 1), "smallest variance"),
        ((5, 7), "cannot hold the variance of both"),
        ((5, 5), "Others have more"),
        ((5, 6**0.5), "standard deviation"),
        ((6, 5), "comes first"),
        ((5, 12), "more than the trace"),
    ],
    "22.b": [
        ((12, 12 / 14), "what is kept"),
        ((1.0, 12 / 14), "mean"),
        ((0.8, 12 / 14), "not one"),
        ((2 / 14, 12 / 14), "share that is lost"),
        ((2, 2 / 14), "share that is lost"),
        ((2, 0.5), "share of the components"),
        ((2, 8 / 14), "first component alone"),
        ((2, 6.0), "kept over lost"),
        ((2, 85.7), "per cent"),
        ((4, 12 / 14), "that you keep"),
        ((12 / 14, 2), "comes first"),
    ],
    "22.c": [
        ((8950, 2500), "Centring takes one more"),
        ((49, 2500), "need not be zero"),
        ((9000, 2500), "Not all"),
        ((8951, 50), "number of rows"),
        ((8951, 2401), "row for each photograph"),
        ((8951, 81_000_000), "large matrix"),
        ((8951, 450_000), "table of data"),
        ((8951.01, 2500), "zeros"),
        ((8949, 2500), "Two too few"),
        ((2500, 8951), "come first"),
        ((8951, 2500.05), "entries"),
    ],
    "22.d": [
        ((7, 6, 2), "89 %"),
        ((9, 6, 2), "eight hold 93 %"),
        ((8, 5, 2), "5.5 %"),
        ((8, 7, 2), "4.5 %"),
        ((8, 10, 2), "over their sum"),
        ((8, 6, 3), "bend itself"),
        ((8, 6, 1), "the third 2.49"),
        ((8.08, 6, 2), "90 % rule"),
        ((8, 3, 2), "counts too"),
        ((8, 6, 4), "2.18"),
        ((8, 6.01, 2), "5 % rule"),
        ((8, 6, 2.02), "elbow"),
    ],
    "22.e": [
        ((1.4, 0.091), "lengths of W"),
        ((0.091, 1.273), "mean comes first"),
        ((7 / 5**0.5, 0.091), "axis of length 1"),
        ((7 / 6, 0.091), "0.5"),
        ((7, 0.091), "Divide by M"),
        ((1.273, 1 / 5.5), "Multiply by σ²"),
        ((1.273, 2.75), "σ²M⁻¹"),
        ((1.273, 0.1), "M also contains σ²"),
        ((1.273, (0.5 / 5.5) ** 0.5), "standard deviation"),
        ((1.273, 0.5), "noise of x"),
    ],
    "22.f": [
        ((400, 60, 11), "symmetric"),
        ((190, 60, 11), "diagonal"),
        ((210, 40, 11), "noise counts too"),
        ((210, 41, 11), "one noise variance per feature"),
        ((210, 60, 12), "Centring"),
        ((210, 60, 20), "cannot span"),
        ((210, 60, 2), "loadings"),
        ((210.01, 60, 11), "full covariance"),
        ((60, 210, 11), "comes first"),
        ((210, 60.05, 11), "noise"),
        ((210, 60, 11.01), "rank"),
    ],
    "22.g": [
        (-0.125, "volumes are positive"),
        (1 / 16, "|det W| is missing"),
        (1 / 32, "multiplies"),
        (0.5, "two sources"),
        (np.log(0.125), "logarithm"),
        (0.25, "one source"),
    ],
    "22.1": [
        (right._rebuilt(lambda U, m: U[:, :m]), "least variance"),
        (right._rebuilt(back=False), "mean is missing"),
        (right._rebuilt(centre=False), "Centre first"),
        (right._rebuilt(lambda U, m: U[:m].T), "rows of U"),
        (lambda X, m: X, "X itself"),
        (lambda X, m: X - right.rebuild(X, m), "what is lost"),
        (_scaled, "standardised"),
        (_one, "one axis whatever"),
        (right._codes, "codes"),
        (right._by_correlations, "correlations"),
        (right._axes_of_origin, "Centre before"),
        (lambda X, m: X.mean(axis=0) + X @ right._axes(X, m) @ right._axes(X, m).T, "counted twice"),
        (lambda X, m: X[:, :1], "shape"),
        (lambda X, m: right.rebuild(X, 2), "two axes whatever"),
        (lambda X, m: np.tile(X.mean(axis=0), (len(X), 1)), "mean alone"),
        (_regression_line, "picture"),
        (lambda X, m: right.rebuild(X, m).round(3), "rounded"),
        (_spoils_X, "X"),
    ],
    "22.2": [
        (lambda X, v, lam: X.T @ v / np.sqrt(len(X) * lam), "only if v has length 1"),
        (lambda X, v, lam: X.T @ v, "length 1"),
        (lambda X, v, lam: X.T @ v / np.sqrt(lam), "N is missing"),
        (lambda X, v, lam: -right.lift(X, v, lam), "other way"),
        (lambda X, v, lam: X @ (X.T @ v), "10 are wanted"),
        (lambda X, v, lam: X.T @ v / (np.linalg.norm(v) * np.sqrt(lam)), "N is missing under the root"),
        (lambda X, v, lam: X.T @ v / np.linalg.norm(v), "length of X'v"),
        (lambda X, v, lam: X.T @ v / np.sum((X.T @ v) ** 2), "not by its square"),
        (lambda X, v, lam: np.linalg.eigh(X.T @ X)[1][:, -1], "always the first axis"),
        (_unit_v_in_place, "in place"),
    ],
    "22.3": [
        (right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2**2 * np.eye(d))), "do not square"),
        (right._density(lambda d, r, W, s2: right._normal(d, r, s2 * np.eye(d))), "W is missing"),
        (
            right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2 * np.eye(d), constant=False)),
            "2π is missing",
        ),
        (right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2 * np.eye(d), half=False)), "½"),
        (
            right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2 * np.eye(d), det=0.0)),
            "ln |C| is missing",
        ),
        (lambda x, mu, W, s2: np.exp(right.ppca_log_density(x, mu, W, s2)), "logarithm"),
        (lambda x, mu, W, s2: right.ppca_log_density(x, 0 * mu, W, s2), "mean is missing"),
        (_stuck_noise, "s2"),
        (
            right._density(lambda d, r, W, s2: right._normal(d, r, np.diag(np.diag(W @ W.T + s2 * np.eye(d))))),
            "diagonal of C only",
        ),
        (
            right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2 * np.eye(d), inverse=False)),
            "inverted",
        ),
        (right._density(lambda d, r, W, s2: right._normal(W.shape[1], r, W @ W.T + s2 * np.eye(d))), "not m ln 2π"),
        (_small_determinant, "ln |M|"),
        (
            right._density(lambda d, r, W, s2: right._normal(d, r, W @ W.T + s2 * np.eye(d), det=2.0)),
            "halved too",
        ),
        (right._density(lambda d, r, W, s2: right._normal(d, right._across(r, W, s2), s2 * np.eye(d))), "summed out"),
    ],
    "22.4": [
        (lambda x, mu, L, psi: np.where(np.isnan(x), mu, x), "others say more"),
        (right._mean_as_seen, "mean in and treat it as seen"),
        (right._zero_as_seen, "0 in and treat it as seen"),
        (right._filled(right._factors, full=True), "Keep what was seen"),
        (right._filled(right._factors, mean=False), "mean is missing"),
        (right._filled(lambda r, L, psi: np.linalg.lstsq(L, r, rcond=None)[0]), "least squares"),
        (right._filled(lambda r, L, psi: np.linalg.pinv(L.T / psi @ L) @ (L.T / psi @ r)), "I is missing"),
        (right._filled(lambda r, L, psi: right._factors(r, L, np.ones(len(psi)))), "psi is not used"),
        (right._filled(lambda r, L, psi: right._factors(r, L, psi**2)), "do not square"),
        (right._filled(lambda r, L, psi: right._factors(r, L, np.sqrt(psi))), "no root"),
        (right._filled(lambda r, L, psi: right._factors(r, L, 1 / psi)), "Divide by the noise"),
        (right._filled(lambda r, L, psi: L.T / psi @ r), "G is missing"),
        (
            right._filled(lambda r, L, psi: np.linalg.solve(np.eye(L.shape[1]) + L.T / psi @ L, L.T @ r)),
            "Ψ⁻¹ is missing",
        ),
        (_all_rows_in_G, "in G too"),
        (lambda x, mu, L, psi: x, "still nan"),
        (right._first_only, "fill them all"),
        (lambda x, mu, L, psi: np.nan_to_num(x), "0 is no guess"),
        (lambda x, mu, L, psi: right.fill_in(x, 0 * mu, L, psi), "µ is not used"),
        (lambda x, mu, L, psi: right.fill_in(x, mu, L, np.full(len(psi), psi.mean())), "one noise for all"),
        (_only_the_missing, "entries"),
        (_fills_in_place, "x"),
    ],
    "22.5": [
        (lambda W, x, eta: W + eta * (np.outer(1 - 2 * _sigmoid(W, x), x) + np.linalg.inv(W)), "Transpose"),
        (lambda W, x, eta: W + eta * np.outer(1 - 2 * _sigmoid(W, x), x), "det W"),
        (lambda W, x, eta: 2 * W - right.ica_step(W, x, eta), "downhill"),
        (lambda W, x, eta: W + eta * (np.outer(x, 1 - 2 * _sigmoid(W, x)) + np.linalg.inv(W).T), "other way round"),
        (lambda W, x, eta: W + eta * (np.outer(1 - _sigmoid(W, x), x) + np.linalg.inv(W).T), "1 - 2g"),
        (lambda W, x, eta: W + eta * (np.outer(-np.tanh(W @ x), x) + np.linalg.inv(W).T), "tanh"),
        (lambda W, x, eta: right.ica_step(W, x, eta) - W, "Add it to W"),
        (lambda W, x, eta: right.ica_step(W, x, 0.1), "eta"),
        (_spoils_W, "W"),
        (lambda W, x, eta: W + eta * (np.outer(2 * _sigmoid(W, x) - 1, x) + np.linalg.inv(W).T), "not 2g - 1"),
        (lambda W, x, eta: W + eta * (np.outer(1 - 2 * _sigmoid(W, x), x) - np.linalg.inv(W).T), "plus W⁻ᵀ"),
        (lambda W, x, eta: W + eta * ((1 - 2 * _sigmoid(W, x)) * x + np.linalg.inv(W).T), "entry by entry"),
        (lambda W, x, eta: W + eta * ((1 - 2 * _sigmoid(W, x)) @ x + np.linalg.inv(W).T), "inner product"),
        (lambda W, x, eta: W + eta * (np.outer(1 - 2 * _sigmoid(W.T, x), x) + np.linalg.inv(W).T), "not W' x"),
        (lambda W, x, eta: W + np.outer(1 - 2 * _sigmoid(W, x), x) + np.linalg.inv(W).T, "eta is missing"),
        (
            lambda W, x, eta: W + eta * (np.outer(_sigmoid(W, x) * (1 - _sigmoid(W, x)), x) + np.linalg.inv(W).T),
            "the density",
        ),
    ],
}

RIGHT = {
    "22.a": [([5.0], np.float32(6)), (5.0, np.array([6.0]))],
    "22.b": [(2, 0.857), (np.float32(2), 12 / 14)],
    "22.c": [(8951.0, 2500.0), (np.int64(8951), 50 * 50)],
    "22.d": [(8.0, 6.0, 2.0), [8, 6, 2]],
    "22.e": [(1.2727, 0.0909), (np.array([1.273]), np.float32(0.091))],
    "22.f": [(210.0, np.int32(60), 11), [210, 60, 11]],
    "22.g": [np.array([0.125]), 1 / 8],
    "22.1": [_svd, lambda X, m: right.rebuild(X, m).astype(np.float32)],
    "22.2": [_lift_by_parts, lambda X, v, lam: X.T @ v / np.sqrt(v @ X @ X.T @ v)],
    "22.3": [_by_woodbury, lambda *a: np.array([right.ppca_log_density(*a)])],
    "22.4": [_fill_by_joint, _fill_by_huge_noise],
    "22.5": [_by_tanh],
}
