"""Chapter 00: the first explorer tells what the chapter says about it."""

import numpy as np

from mlteach import exercises, explore
from mlteach.explore.start_here import HOURS, MARKS
from mlteach.linear_regression import fit_line


def test_descent_starts_at_the_hand_made_line_and_only_goes_down():
    explorer = explore.first_fit()
    points = explorer.compute(w0=50, w1=-2, n=200)
    misses = [np.mean((w0 + w1 * HOURS - MARKS) ** 2) for w0, w1 in points]
    assert points[0].tolist() == [50, -2]
    assert len(points) == 201
    assert np.all(np.diff(misses) < 0)


def test_every_start_leads_to_the_least_squares_line():
    explorer = explore.first_fit()
    best = fit_line(HOURS, MARKS)
    least = np.sqrt(np.mean((best.predict(HOURS) - MARKS) ** 2))
    for w0, w1 in [(-10, 20), (70, -4), (-10, -4), (70, 20)]:
        w0, w1 = explorer.compute(w0=w0, w1=w1, n=200)[-1]
        assert np.sqrt(np.mean((w0 + w1 * HOURS - MARKS) ** 2)) < least + 0.5


def test_task_0_a_reads_the_explorer():
    w0, w1 = explore.first_fit().compute(n=200)[-1]
    assert abs(w0 + w1 * 4.25 - exercises.REGISTRY["0.a"].solution) < 0.2


def test_the_tour_says_the_truth_about_the_valley():
    """It moves fast across the valley and slowly along it: the two curvatures differ widely."""
    Phi = np.column_stack([np.ones_like(HOURS), HOURS])
    low, high = np.linalg.eigvalsh(Phi.T @ Phi)
    assert high / low > 10


def test_the_lowest_point_is_the_one_named_in_the_text():
    best = fit_line(HOURS, MARKS)
    assert (round(best.w0, 1), round(best.w1, 2)) == (27.8, 8.59)
