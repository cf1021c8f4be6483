"""Chapter 00: the first explorer tells what the chapter says about it, and the map shows every prerequisite."""

import matplotlib as mpl
import numpy as np
import pytest
from explorers import made
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from nbconvert import HTMLExporter
from nbformat import v4

from mlteach import exercises, plots
from mlteach.course import chapters
from mlteach.explore.start_here import HOURS, MARKS, plot_map
from mlteach.linear_regression import fit_line


def test_descent_starts_at_the_hand_made_line_and_only_goes_down():
    explorer = made("first_fit")
    points = explorer.compute(w0=50, w1=-2, n=200)
    misses = [np.mean((w0 + w1 * HOURS - MARKS) ** 2) for w0, w1 in points]
    assert points[0].tolist() == [50, -2]
    assert len(points) == 201
    assert np.all(np.diff(misses) < 0)


def test_every_start_leads_to_the_least_squares_line():
    explorer = made("first_fit")
    best = fit_line(HOURS, MARKS)
    least = np.sqrt(np.mean((best.predict(HOURS) - MARKS) ** 2))
    for w0, w1 in [(-10, 20), (70, -4), (-10, -4), (70, 20)]:
        w0, w1 = explorer.compute(w0=w0, w1=w1, n=200)[-1]
        assert np.sqrt(np.mean((w0 + w1 * HOURS - MARKS) ** 2)) < least + 0.5


def test_task_0_a_reads_the_explorer():
    w0, w1 = made("first_fit").compute(n=200)[-1]
    assert abs(w0 + w1 * 4.25 - exercises.REGISTRY["0.a"].solution) < 0.2


def test_the_tour_says_the_truth_about_the_valley():
    """It moves fast across the valley and slowly along it: the two curvatures differ widely."""
    Phi = np.column_stack([np.ones_like(HOURS), HOURS])
    low, high = np.linalg.eigvalsh(Phi.T @ Phi)
    assert high / low > 10


def test_the_lowest_point_is_the_one_named_in_the_text():
    best = fit_line(HOURS, MARKS)
    assert (round(best.w0, 1), round(best.w1, 2)) == (27.8, 8.59)


def test_no_descent_leaves_the_map():
    explorer = made("first_fit")
    ax = explorer.fig.axes[1]
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for start in [(-10, 20), (70, -4), (-10, -4), (70, 20)]:
        w0, w1 = explorer.compute(w0=start[0], w1=start[1], n=200).T
        assert left < w0.min() <= w0.max() < right
        assert low < w1.min() <= w1.max() < high


def test_exercise_0_3_is_one_step_of_the_explorer():
    """LMSRegressor halves the squared miss, so its rate 0.1 is 0.05 here."""
    step, points = exercises.REGISTRY["0.3"].solution, made("first_fit").compute(n=200)
    line = tuple(points[0])
    for point in points[1:]:
        line = step(*line, HOURS, MARKS, 0.05)
        np.testing.assert_allclose(line, point, rtol=1e-9)


def test_exercise_0_2_quotes_the_heights():
    lines = {"A": (40, 5), "B": (30, 8), "C": (20, 11)}
    heights = {name: np.mean((w0 + w1 * HOURS - MARKS) ** 2) for name, (w0, w1) in lines.items()}
    assert {name: round(value) for name, value in heights.items()} == {"A": 60, "B": 23, "C": 39}
    assert "".join(sorted(heights, key=heights.get)) == exercises.REGISTRY["0.2"].solution
    best = fit_line(HOURS, MARKS)
    assert round(np.mean((best.predict(HOURS) - MARKS) ** 2)) == 21


# --- The map -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course_map():
    """Return the axes of the map, drawn as in the notebook."""
    with mpl.rc_context(plots.STYLE):
        figure, ax = plots.canvas(size=(9.8, 7.2), dpi=110)
        plot_map(chapters(), ax=ax)
        figure.canvas.draw()
    return ax


def _patches(ax, kind):
    return [patch for patch in ax.patches if isinstance(patch, kind)]


def test_the_words_of_the_map_stay_in_their_boxes(course_map):
    boxes = [box.get_window_extent() for box in _patches(course_map, FancyBboxPatch)]
    words = [text.get_window_extent() for text in course_map.texts]
    assert len(boxes) == len(chapters())
    for k, word in enumerate(words):
        touched = [box for box in boxes if box.overlaps(word)]
        assert len(touched) <= 1, course_map.texts[k]  # none for the names of the parts
        for box in touched:
            inside = box.x0 < word.x0 and word.x1 < box.x1 and box.y0 < word.y0 and word.y1 < box.y1
            assert inside, course_map.texts[k]
        assert not any(word.overlaps(other) for other in words[:k]), course_map.texts[k]
        assert course_map.get_window_extent().x0 <= word.x0


def test_every_prerequisite_is_an_arrow_or_a_number_in_the_box(course_map):
    boxes = [box.get_bbox() for box in _patches(course_map, FancyBboxPatch)]  # in the order of the chapters
    number = {c.slug: c.number for c in chapters()}
    drawn = set()
    for arrow in _patches(course_map, FancyArrowPatch):
        (*_, end), start = arrow._path_original.vertices, arrow._path_original.vertices[0]
        drawn.add(tuple(next(k for k, box in enumerate(boxes) if _touches(box, point)) for point in (start, end)))
    for text in course_map.texts:
        if text.get_text().startswith("after"):
            k = next(k for k, box in enumerate(boxes) if box.contains(*text.get_position()))
            drawn |= {(int(other), k) for other in text.get_text().removeprefix("after").split(",")}
    assert drawn == {(number[need], c.number) for c in chapters() for need in c.needs}


def _touches(box, point):
    (x, y), slack = point, 1e-6
    return box.x0 - slack <= x <= box.x1 + slack and box.y0 - slack <= y <= box.y1 + slack


def test_arrows_run_past_boxes_and_never_along_each_other(course_map):
    boxes = [box.get_bbox().padded(-0.01) for box in _patches(course_map, FancyBboxPatch)]
    arrows = [arrow._path_original.vertices for arrow in _patches(course_map, FancyArrowPatch)]
    pieces = [(k, *sorted(map(tuple, pair))) for k, line in enumerate(arrows) for pair in zip(line, line[1:])]
    for k, (x0, y0), (x1, y1) in pieces:
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        assert not any(box.contains(*middle) for box in boxes)
        for other, (a0, b0), (a1, b1) in pieces:
            if other != k and y0 == y1 == b0 == b1:
                assert x1 <= a0 or a1 <= x0
            if other != k and abs(x0 - x1) + abs(a0 - a1) + abs(x0 - a0) < 0.05:
                assert y1 <= b0 or b1 <= y0


def test_what_is_said_of_exports_is_true():
    """Section 0.3: what JupyterLab's HTML and nbconvert lose. Once they do not, the sentence goes."""
    data = {"image/png": "aaaa", "application/vnd.jupyter.widget-view+json": {"model_id": "m"}}
    shown = v4.new_code_cell("explore.first_fit()", outputs=[v4.new_output("display_data", data)])
    text = v4.new_markdown_cell("<details><summary>Answer</summary>\n\nYes.\n\n</details>")
    state = {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"m": {"model_name": "a"}}}}}

    def page(sanitize, metadata):
        notebook = v4.new_notebook(cells=[text, shown], metadata=metadata)
        return HTMLExporter(sanitize_html=sanitize).from_notebook_node(notebook)[0].partition("<body")[2]

    assert "<details>" in page(False, {})
    assert "<details>" not in page(True, {})
    assert "data:image/png" in page(False, {}), "without the state of the widgets the picture is taken"
    assert "data:image/png" not in page(False, state)
