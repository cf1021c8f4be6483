"""The instruments find what they look for, and nothing where there is nothing."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from instruments import jitter, rerun, seeds
from profiles import PROFILES, ask, setting

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
