"""Numbers by machine: what refers to a figure, an equation or a task follows it, and nothing is guessed."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlteach import chapter, course, renumber
from mlteach.renumber import Rewriter, counted, unclear

FIVE = next(c for c in course.chapters() if c.number == 5)
SHIFTED = {(kind, f"5.{k}"): f"5.{k + (k > 1)}" for kind in ("eq", "fig", "ex", "sec") for k in range(1, 13)}
SHIFTED |= {("turn", "5.a"): "5.a", ("turn", "5.b"): "5.c", ("eq", "5.?rest"): "5.2", ("sec", "5.2.1"): "5.3.1"}

FORMS = [
    ("md", "$$a\\tag{5.3}$$ by (5.1) and (5.3), (5.?rest)", "$$a\\tag{5.4}$$ by (5.1) and (5.4), (5.2)"),
    ("md", "Figures 5.2, 5.3 and 5.10; *Figure 5.2: it.*", "Figures 5.3, 5.4 and 5.11; *Figure 5.3: it.*"),
    ("md", "## 5.2 · Descent\n### 5.2.1 · Deeper: why", "## 5.3 · Descent\n### 5.3.1 · Deeper: why"),
    ("md", "see 5.2.1 and section 5.4", "see 5.3.1 and section 5.5"),
    ("md", "**Your turn 5.b** (one minute). As in 5.a?", "**Your turn 5.c** (one minute). As in 5.a?"),
    ("md", "### Exercise 5.2 · Steps\n\nLike Exercise 5.1.", "### Exercise 5.3 · Steps\n\nLike Exercise 5.1."),
    ("py", '# Confirm (5.2)\ncheck("5.2", f(5.2), x[5.2])', '# Confirm (5.3)\ncheck("5.3", f(5.2), x[5.2])'),
    (
        "py",
        "y = (5.2) + 5.e-3  # in sections 5.2\n# and 5.4 (5.3)",
        "y = (5.2) + 5.e-3  # in sections 5.3\n# and 5.5 (5.4)",
    ),
    ("py", 'verdict("5.b", 1).startswith("5.2 ✓ x(5.2)")', 'verdict("5.c", 1).startswith("5.3 ✓ x(5.2)")'),
    ("py", 'match(r"by \\(5.3\\)")', 'match(r"by \\(5.4\\)")'),
    ("tasks", '    "5.2": [("5.2", 5.2)],', '    "5.3": [("5.2", 5.2)],'),
    ("csv", "S2,5.2,descent (5.2),5.2 · Descent", "S2,5.2,descent (5.2),5.3 · Descent"),
    ("", "4.5.2.1, 15.2.1, (15.2), Figure 15.3, $5.2$ %", "4.5.2.1, 15.2.1, (15.2), Figure 15.3, $5.2$ %"),
]


@pytest.mark.parametrize(("form", "before", "after"), FORMS)
def test_a_reference_follows(form, before, after):
    rewrite = Rewriter(5, SHIFTED)
    assert rewrite(before, lambda at: "here", form) == after
    assert rewrite.complaints == []


def test_what_is_gone_is_a_complaint_and_a_decimal_elsewhere_is_not():
    new = {("eq", "5.1"): "5.1", ("eq", "5.3"): "5.2"}
    rewrite = Rewriter(5, new)
    assert rewrite("(5.1) (5.2) (5.3) (5.75) (5.?x)", lambda at: f"at {at}") == "(5.1) (5.2) (5.2) (5.75) (5.?x)"
    assert rewrite.complaints == ["at 7: there is no equation 5.2 (any more)", "at 26: nothing is called 5.?x"]
    rewrite("(5.75)", lambda at: "home", own=True)
    assert rewrite.complaints[2:] == ["home: there is no equation 5.75 (any more)"]


def test_bare_numbers_are_listed_in_the_chapters_own_files_only():
    rewrite = Rewriter(5, SHIFTED)
    text = "The bound of 5.8, $5.8$, 5.8 %, 1.5.8, -5.8, (5.8) and 5.1"
    assert rewrite(text, lambda at: "f.py:1", "md", own=True) == text.replace("(5.8)", "(5.9)")
    assert rewrite.bare == ["f.py:1: 5.8 in 'The bound of 5.8, $5.8$, 5'"]
    rewrite(text, lambda at: "f.py:1", "md")
    assert len(rewrite.bare) == 1


@given(st.permutations(range(1, 9)), st.integers(0, 8))
def test_counting_back_gives_the_text_back(order, at):
    """Move all equations and insert one; then cut it and move them back."""
    text = " ".join(f"(5.{k})" for k in range(1, 9)) + " Figure 5.1 f(5.3) 5.a"
    labels = [*order[:at], "?new", *order[at:]]
    there = counted(chapter.Chapter(5, [_text(f"$$\\tag{{5.{k}}}$$") for k in labels]))
    moved = Rewriter(5, there | {("fig", "5.1"): "5.1", ("turn", "5.a"): "5.a"})(text, lambda at: "")
    left = [there["eq", f"5.{k}"] for k in range(1, 9)]
    back = counted(chapter.Chapter(5, [_text(f"$$\\tag{{{k}}}$$") for k in left]))
    assert Rewriter(5, back | {("fig", "5.1"): "5.1", ("turn", "5.a"): "5.a"})(moved, lambda at: "") == text


def test_sections_are_counted_in_two_levels():
    heads = [
        "## 5.1 · A",
        "## 5.?b · B",
        "### 5.1.1 · Deeper: c",
        "### 5.?b.?d · D",
        "### Exercise 5.1 · E",
        "## 5.2 · F",
    ]
    new = counted(chapter.Chapter(5, [_text(head) for head in heads]))
    wanted = {"5.1": "5.1", "5.?b": "5.2", "5.1.1": "5.2.1", "5.?b.?d": "5.2.2", "5.2": "5.3"}
    assert {old: after for (kind, old), after in new.items() if kind == "sec"} == wanted


def test_two_labels_with_one_number_are_named_with_their_cells():
    cells = [_text("$$\\tag{5.1}$$"), _text("$$\\tag{5.1}$$"), _text("*Figure 5.1: a*"), _text("$$\\tag{6.2}$$")]
    found = list(unclear(chapter.Chapter(5, cells)))
    assert found == [
        "chapter 5, cell 3: equation 6.2 has the number of another chapter",
        "chapter 5: 5.1 stands 2 times, in the cells 0, 1; write the new one as 5.?name",
    ]


# --- Files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A course of one small chapter with the files that belong to it, and another chapter that refers to it."""
    files = {
        "mlteach/optimization/descent.py": '"""Descent (5.2)."""\n\nRATE = (5.2)\n',
        "mlteach/exercises/optimization.py": 'task(\n    "5.a", "By (5.2)"\n)\ntask("5.?now", 5.1)\ntask("5.b", 5.2)\n',
        "data/selftest/optimization.toml": 'answer = "By (5.1) and (5.2)."\n',
        "tests/test_optimization.py": "# (5.2)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    cells = ["# 05 · Optimisation", "## 5.1 · A", "$$\\tag{5.1}$$", "$$\\tag{5.?rest}$$", "$$\\tag{5.2}$$"]
    cells += ["**Your turn 5.a** (one minute). Go.", "**Your turn 5.?now** (one minute). Go.", "**Your turn 5.b**: so"]
    _write(tmp_path / FIVE.notebook, [_text(cell) for cell in cells])
    _write(tmp_path / "notebooks/06_regularization.ipynb", [_text("# 06"), _text("By (5.2), (6.1).")])
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "NOTEBOOKS", tmp_path / "notebooks")
    return tmp_path


def test_all_files_of_a_chapter_follow(small):
    assert renumber.renumber(FIVE) == []
    texts = {path.name: path.read_text(encoding="utf-8") for path in small.rglob("*.*") if path.is_file()}
    assert texts["descent.py"] == '"""Descent (5.3)."""\n\nRATE = (5.2)\n'
    exercises = 'task(\n    "5.a", "By (5.3)"\n)\ntask("5.b", 5.1)\ntask("5.c", 5.2)\n'
    assert texts["optimization.py"] == exercises
    assert texts["optimization.toml"] == 'answer = "By (5.1) and (5.3)."\n'
    assert texts["test_optimization.py"] == "# (5.3)\n"
    assert "By (5.3), (6.1)." in texts["06_regularization.ipynb"]
    assert renumber.renumber(FIVE) is None


def test_where_anything_is_unclear_nothing_is_written(small):
    (small / "tests/test_optimization.py").write_text("#\n# (5.?what)\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in small.rglob("*.*") if path.is_file()}
    with pytest.raises(SystemExit, match=r"tests/test_optimization.py:2: nothing is called 5.\?what"):
        renumber.renumber(FIVE)
    assert {path: path.read_bytes() for path in small.rglob("*.*") if path.is_file()} == before


STRUCTURE = "numbered_in_order or has_its_label or exercises_are_those or normal_form"


@pytest.mark.slow
def test_a_figure_and_an_equation_in_the_middle_of_real_chapters_and_out_again(tmp_path):
    """In a copy of the course: what compares numbers is green with them, and without them every byte is as before."""
    for name in ("mlteach", "notebooks", "data", "tests", "benchmarks"):
        shutil.copytree(course.ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    before = _bytes(tmp_path)
    figure, equation = tmp_path / "notebooks/21_clustering.ipynb", tmp_path / "notebooks/05_optimization.ipynb"
    cells = json.loads(figure.read_text(encoding="utf-8"))["cells"]
    at = next(i for i, cell in enumerate(cells) if chapter.caption(cell))  # a caption under its drawing
    drawing = {**cells[at - 1], "source": "# Figure 21.?twice: the same again\nplt.show()"}
    caption = _text("*Figure 21.?twice: a picture that has been seen before.*\n\nFigure 21.?twice says no more.")
    _insert(figure, [drawing, caption])
    _insert(equation, [_text("Nothing is nothing (5.?rest):\n\n$$0=0\\tag{5.?rest}$$")])
    _run(tmp_path, "mlteach.renumber", "21", "05")
    changed = {name for name, data in _bytes(tmp_path).items() if data != before[name]}
    assert {"mlteach/explore/clustering.py", "mlteach/optimization/optimizers.py"} < changed
    slugs = "clustering or optimization or deep_learning"
    _run(tmp_path, "pytest", "-q", "tests/test_notebooks.py", "-k", f"({STRUCTURE}) and ({slugs})")
    for path in (figure, equation):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        new = ("the same again", "seen before", "Nothing is nothing")
        _write(path, [cell for cell in cells if not any(words in chapter.source(cell) for words in new)])
    _run(tmp_path, "mlteach.renumber", "21", "05")
    assert _bytes(tmp_path) == before


def _text(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _write(path, cells):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")


def _insert(path, new):
    """Insert cells before the heading that is nearest to the middle of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    at = min((i for i, cell in enumerate(cells) if chapter.heading_level(cell)), key=lambda i: abs(i - len(cells) / 2))
    _write(path, [*cells[:at], *new, *cells[at:]])


def _bytes(folder):
    paths = [
        path
        for path in folder.rglob("*.*")
        if path.is_file() and not {"__pycache__", ".pytest_cache", ".hypothesis"} & set(path.parts)
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _run(folder, *words):
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-m", *words], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
