"""What an import costs: algorithm modules load numpy and nothing heavier."""

import pkgutil
import subprocess
import sys

import mlteach

HEAVY = ("matplotlib", "ipywidgets", "IPython", "scipy", "sklearn", "tqdm", "nbformat")
SURFACE = {"explore", "exercises", "plots", "notebooks"}
MODULES = [f"mlteach.{m.name}" for m in pkgutil.iter_modules(mlteach.__path__) if m.name not in SURFACE]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_algorithm_modules_load_nothing_heavy():
    code = f"import sys, {', '.join(MODULES)}; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert run(code).strip() == "[]"


def test_algorithm_modules_do_not_know_the_surface():
    code = f"import sys, {', '.join(MODULES)}; print([m for m in sys.modules if m.startswith('mlteach.explore')])"
    assert run(code).strip() == "[]"


def test_scikit_learn_is_never_imported_by_the_course():
    code = "import sys; from mlteach import explore, exercises, notebooks; print('sklearn' in sys.modules)"
    assert run(code).strip() == "False"
