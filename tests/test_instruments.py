"""The instruments find what they look for, and nothing where there is nothing."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import profiles
import pytest
from instruments import jitter, rerun, seeds
from profiles import PROFILES, ask, setting

from mlteach import explore

FRAGILE = [
    "import numpy as np\nrng = np.random.default_rng(0)",
    "x = rng.normal(size=50)\nprint(f'{x.sum():.3f}')",
    "print(x.sum())",  # all digits
    "assert x[0] > 0.125",  # the luck of seed 0, which draws 0.1257
    "assert len(x) == 50",
    "x = 'another meaning'",
    "assert np.random.default_rng([3, 0]).normal() > 2",  # the luck of a seed of two numbers, which draws 2.04
]
SOLID = ["import numpy as np", "total = np.random.default_rng(0).normal(size=9).sum()", "assert abs(total) < 30"]


@pytest.fixture
def notebooks(tmp_path):
    for name, sources in {"98_fragile": FRAGILE, "99_solid": SOLID}.items():
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    return sorted(tmp_path.glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize(("instrument", "cells"), [(jitter, [2]), (seeds, [3, 6]), (rerun, [2, 3, 4])])
def test_finds_the_fragile_cells_only(notebooks, instrument, cells):
    with ThreadPoolExecutor(2) as pool:
        found = dict(instrument(pool, notebooks, 4))
    assert {name: sorted(places) for name, places in found.items()} == {"98_fragile": cells, "99_solid": []}


@pytest.mark.slow
def test_the_gate_compares_the_first_run_and_runs_every_cell_again(notebooks):
    """As the instrument `rerun`, in the kernel that nbval has compared: a cell's output, and three cells run again."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "run_again", "-p", "no:cacheprovider", "--nbval"]
    command += ["--nbval-current-env", *map(str, notebooks)]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path[:2]])}
    run = subprocess.run(command, env=here, cwd=notebooks[0].parent, capture_output=True, text=True)
    assert "1 failed, 11 passed" in run.stdout, run.stdout[-2000:]
    assert set(re.findall(r"cell (\d+) fails when run again", run.stdout)) == {"2", "3", "4"}
    cells = nbformat.read(notebooks[1], as_version=4)
    cells.cells[0].update(execution_count=1, outputs=[nbformat.v4.new_output("stream", text="other words")])
    nbformat.write(cells, notebooks[1])
    run = subprocess.run(command[:-2] + command[-1:], env=here, cwd=notebooks[0].parent, capture_output=True, text=True)
    assert "1 failed, 3 passed" in run.stdout, run.stdout[-2000:]


DRAWN = """
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter
plt.plot([1, 2])
plt.gca().xaxis.set_major_formatter(FuncFormatter({form}))
plt.show()
"""
EXPLORED = "from mlteach import explore\nshown = explore.first_fit()\nshown"


@pytest.mark.slow
def test_without_pixels_words_are_compared_and_what_cannot_be_drawn_fails(tmp_path):
    """A number in an explorer's read-out, and a formatter that fails, are found; what has its words passes."""
    words = explore.first_fit()._repr_mimebundle_()[0]["text/plain"]
    right, wrong = ([nbformat.v4.new_output("execute_result", {"text/plain": t})] for t in (words, words + "9"))
    cells = [
        nbformat.v4.new_code_cell(DRAWN.format(form="lambda x, _: 'm'")),
        nbformat.v4.new_code_cell(EXPLORED, outputs=right),
        nbformat.v4.new_code_cell("assert len(shown.image.value) < 200"),
        nbformat.v4.new_code_cell(DRAWN.format(form="lambda x, _: 1 / 0")),
        nbformat.v4.new_code_cell(EXPLORED, outputs=wrong),
    ]
    figure = nbformat.v4.new_output("display_data", {"text/plain": "<Figure size 640x480 with 1 Axes>"})
    cells[0].outputs = cells[3].outputs = [figure]
    for k, cell in enumerate(cells):
        cell.execution_count = k + 1
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "drawn.ipynb")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no_pixels", "-p", "no:cacheprovider", "--nbval"]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path[:2]])}
    command += ["--nbval-current-env", "drawn.ipynb"]
    run = subprocess.run(command, env=here, cwd=tmp_path, capture_output=True, text=True)
    assert "2 failed, 3 passed" in run.stdout, run.stdout[-3000:]
    assert re.findall(r"FAILED .*Cell (\d)", run.stdout) == ["3", "4"], run.stdout[-3000:]


def test_profiles_run_side_by_side_and_each_is_heard(capsys):
    offered = {"one": {"PROFILE": "one"}, "other": {"PROFILE": "other"}}
    command = [
        sys.executable,
        "-c",
        "import os; print({n}, os.environ['PROFILE']); exit(os.environ['PROFILE'] == 'other')",
    ]
    for jobs, processes in ((1, 0), (2, 0), (4, 2)):
        assert profiles.run(command, offered, jobs) == ["other"]
        said = capsys.readouterr().out
        assert f"{processes} one\n== profile one:" in said
        assert f"{processes} other\n== profile other:" in said


@pytest.mark.parametrize("profile", PROFILES)
def test_profile_takes_effect_or_says_why_not(profile):
    environment, reason = setting(profile)
    if reason is None and PROFILES[profile]:
        core, _ = PROFILES[profile]
        answer = ask(environment)
        assert set(answer["cores"]) == {core}
        assert not set(environment.get("NPY_DISABLE_CPU_FEATURES", "").split()) & set(answer["on"])
    else:
        assert environment == {}
        assert reason != ""
