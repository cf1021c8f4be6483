"""Runs that are kept: climbs from many starts (section 31.8), forecasts and choices of earthquakes (section 31.12).

They take minutes. ``data/runs/climbs.csv`` has Baum-Welch's log-likelihood, and the chance of a six in both states, at
every fourth step of 12 starts for three records of a casino. ``data/runs/forecasts.csv`` has the logarithm of the
probability that each rival gave to each year's earthquakes from 1957 on, learned from the years before it.
``data/runs/choices.csv`` has the numbers of states that AIC and BIC choose for series drawn from fitted models.
``python -m mlteach.hidden_markov.stored`` computes them anew.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.hidden_markov.emissions import PoissonEmission
from mlteach.hidden_markov.model import HMM
from mlteach.hidden_markov.ready import casino
from mlteach.hidden_markov.starts import fit_from_starts, n_parameters
from mlteach.progress import progress

RUNS = datasets.DATA / "runs"
THROWS, STARTS, STEPS, EVERY = (100, 300, 1000), 12, 160, 4
FIRST_YEAR, DRAWS = 57, 40
ALPHAS, SIZES = np.round(np.arange(0.05, 1.0, 0.05), 2), (5.0, 10.0, 20.0, 40.0, 1e6)


@cache
def climbs():
    """Return a dict from the number of throws to (starts, records, 3): log-likelihood, P(six) in states 0 and 1."""
    rows = np.array(_read("climbs"), dtype=float)
    return {n: rows[rows[:, 0] == n][:, 3:].reshape(STARTS, -1, 3) for n in THROWS}


@cache
def forecasts():
    """Return a dict from a rival's name to ln P(count of the year) for 1957 to 2006 (50,)."""
    names, rows = _read("forecasts", head=True)
    return dict(zip(names[1:], np.array(rows, dtype=float).T[1:]))


@cache
def choices():
    """Return the chosen numbers of states (true states 2 and 3; draws; AIC, BIC, BIC with the start not counted)."""
    return np.array(_read("choices"), dtype=int)[:, 2:].reshape(2, DRAWS, 3)


def climb_of(throws, start):
    """Return one climb (records, 3) from random parameters; a climb that has ended stays where it is."""
    z = casino().sample(throws, rng=throws)[1]
    model = HMM([0.5, 0.5], np.full((2, 2), 0.5), np.full((2, 6), 1 / 6), max_iter=STEPS, tol=1e-6)
    run = fit_from_starts(model, z, 1, rng=100 * throws + start)[0].history_
    run = run + [run[-1]] * (STEPS + 1 - len(run))
    return np.array([[step.log_likelihood, *step.emission[:, 5]] for step in run[::EVERY]])


def quakes_model(S, y):
    """Return an HMM of S Poisson states, fitted from rates spread over the counts and from a few random starts."""
    A = np.full((S, S), 0.2 / S) + 0.8 * np.eye(S)
    rates = np.quantile(y, (np.arange(S) + 0.5) / S) + 0.1
    model = HMM(np.full(S, 1 / S), A, PoissonEmission(rates), max_iter=300, tol=1e-5)
    found = [_quiet(model, y), *fit_from_starts(model, y, 3, rng=S)]
    return max(found, key=lambda one: one.history_[-1].log_likelihood)


def forecast(name, past, now):
    """Return ln P(now | past) of one rival: "one rate", "moving mean", or an HMM of "2 states" or "3 states"."""
    if name == "one rate":
        return float(_log_count(now, past.mean(), 1e6))
    if name == "moving mean":
        means = {a: moving_mean(past, a) for a in ALPHAS}
        a, size = max(((a, r) for a in ALPHAS for r in SIZES), key=lambda k: _past_score(past, means[k[0]], k[1]))
        return float(_log_count(now, means[a][-1], size))
    model = quakes_model(int(name[0]), past)
    law = model.predict(past, 1)[0]
    return float(np.log(law @ np.exp(model.law.log_likelihood(np.array([float(now)]))[0])))


def moving_mean(y, a):
    """Return for each time the mean m <- m + a (y - m) of what came before, and the one after the last (T + 1,)."""
    m = [float(y[0])]
    for k in y:
        m.append(m[-1] + a * (k - m[-1]))
    return np.array(m)


def chosen(y):
    """Return the number of states, 1 to 4, by AIC, by BIC, and by BIC with the law of the first state not counted."""
    n, found = len(y), []
    for S in (1, 2, 3, 4):
        model = quakes_model(S, y)
        value, k = model.history_[-1].log_likelihood, n_parameters(model)
        found.append([2 * k - 2 * value, k * np.log(n) - 2 * value, (k - S + 1) * np.log(n) - 2 * value])
    return [int(best) + 1 for best in np.argmin(found, axis=0)]


def _past_score(y, means, size):
    return _log_count(y[10:], means[10:-1], size).sum()


def _log_count(k, mean, size):
    """Return ln P(k) of a count with this mean and variance mean + mean^2 / size: a Poisson law as size grows."""
    from scipy.special import gammaln, xlogy

    k, mean = np.asarray(k, dtype=float), np.asarray(mean, dtype=float)
    if size >= 1e6:
        return xlogy(k, mean) - mean - gammaln(k + 1)
    p = mean / (mean + size)
    return gammaln(k + size) - gammaln(size) - gammaln(k + 1) + size * np.log1p(-p) + xlogy(k, p)


def _quiet(model, y):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(y)


def _read(name, head=False):
    with open(RUNS / f"{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return (rows[0], rows[1:]) if head else rows[1:]


def _write(name, header, rows):
    with open(RUNS / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def write_climbs():
    """Climb from all starts and write the file."""
    rows = []
    for n in THROWS:
        for start in progress(range(STARTS), f"{n} throws"):
            for i, (value, *six) in enumerate(climb_of(n, start)):
                rows.append([n, start, EVERY * i, f"{value:.3f}", *(f"{p:.3f}" for p in six)])
    _write("climbs", ["throws", "start", "step", "log_likelihood", "six_0", "six_1"], rows)


def write_forecasts():
    """Forecast every year from 1957 on and write the file."""
    names, y = ["one rate", "moving mean", "2 states", "3 states"], datasets.earthquakes().y
    rows = [
        [1900 + t, *(f"{forecast(name, y[:t], y[t]):.4f}" for name in names)]
        for t in progress(range(FIRST_YEAR, len(y)), "years")
    ]
    _write("forecasts", ["year", *names], rows)


def write_choices():
    """Draw series of 107 years from the fitted models, choose the number of states, and write the file."""
    y, rows = datasets.earthquakes().y, []
    for S in (2, 3):
        truth = quakes_model(S, y)
        for k in progress(range(DRAWS), f"{S} states"):
            rows.append([S, k, *chosen(truth.sample(len(y), rng=k)[1])])
    _write("choices", ["true", "draw", "aic", "bic", "bic_start_not_counted"], rows)


if __name__ == "__main__":
    write_climbs()
    write_forecasts()
    write_choices()
