"""What an import costs: algorithm modules load numpy and nothing heavier."""

import pkgutil
import subprocess
import sys

import pytest

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


def test_modules_load_when_first_named():
    code = "import sys, mlteach; print([m for m in sys.modules if m.startswith('mlteach.') or m == 'numpy'])"
    assert run(code).strip() == "[]"
    assert run("import mlteach; print(mlteach.svm.SVC.__name__, mlteach.kernels.__name__)").split() == [
        "SVC",
        "mlteach.kernels",
    ]


def test_package_lists_its_modules():
    assert {"svm", "kernels", "explore", "exercises", "__version__"} <= set(dir(mlteach))
    for name in MODULES:
        assert getattr(mlteach, name.removeprefix("mlteach.")) is sys.modules[name]


def test_unknown_module_is_named_with_those_that_exist():
    with pytest.raises(AttributeError, match="mlteach has no module 'svn'; it has .*probability, .*svm"):
        mlteach.svn  # noqa: B018
    assert not hasattr(mlteach, "__wrapped__")
