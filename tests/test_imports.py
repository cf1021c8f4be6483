"""What an import costs, and which way imports point: towards earlier chapters, by public names."""

import ast
import functools
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mlteach
from mlteach.chapter import read
from mlteach.course import chapters

HEAVY = ("matplotlib", "ipywidgets", "IPython", "scipy", "sklearn", "tqdm", "nbformat")
SURFACE = {"explore", "exercises", "plots", "chapter", "glossary", "notebooks", "paths", "renumber", "publish"}
SURFACE |= {"classroom"}
MODULES = [f"mlteach.{m.name}" for m in pkgutil.iter_modules(mlteach.__path__) if m.name not in SURFACE]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_algorithm_modules_load_nothing_heavy():
    code = f"import sys, {', '.join(MODULES)}; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert run(code).strip() == "[]"


def test_algorithm_modules_do_not_know_the_surface():
    code = f"import sys, {', '.join(MODULES)}; print(*(m.split('.')[1] for m in sys.modules if m[:8] == 'mlteach.'))"
    assert "validation" in (loaded := run(code).split())
    assert SURFACE.isdisjoint(loaded)


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


PACKAGE = Path(mlteach.__file__).parent
NUMBER = {chapter.slug: chapter.number for chapter in chapters()}


def imports(source):
    """Yield the (module, name) pairs of all imports from mlteach in a source, also those inside functions.

    The package loads a module when it is first named, so ``mlteach.svm`` in an expression counts as one of them.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((node.module, alias.name) for alias in node.names if node.module.split(".")[0] == "mlteach")
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "mlteach")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "mlteach":
            yield "mlteach", node.attr


def faults(source, slug, *, in_order):
    """Return what is wrong with the imports of a source that belongs to the chapter ``slug``, or to none."""
    found = []
    for module, name in imports(source):
        parts = [part for part in [*module.split("."), name][1:] if part]
        if not parts or parts[0] == slug:
            continue  # a chapter may do as it likes at home
        if in_order and parts[0] in SURFACE:
            found.append(f"{parts[0]} is the surface, and algorithms do not know it")
        if any(part.startswith("_") for part in parts):
            found.append(f"{'.'.join(parts)} is private")
        if in_order and slug in NUMBER and NUMBER.get(parts[0], -1) >= NUMBER[slug]:
            found.append(f"{parts[0]} comes after {slug}")
        if in_order and slug not in NUMBER and parts[0] in NUMBER:
            found.append(f"{parts[0]} is a chapter, and this is shared by all")
    return found


def room(path):
    """Return the slug, or the name of the shared module, to which a file of the package belongs."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


ALGORITHMS = [p for p in sorted(PACKAGE.rglob("*.py")) if room(p) not in {*SURFACE, "selftest", "__init__"}]
EXPLORERS = sorted([*PACKAGE.glob("explore/*.py"), *PACKAGE.glob("exercises/*.py")])
NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", ALGORITHMS, ids=lambda path: f"{room(path)}-{path.stem}")
def test_chapters_import_earlier_chapters_by_public_names(path):
    """Only `stored.py`, which a chapter's algorithms never load, may compare them with those of later chapters."""
    in_order = path.stem != "stored"
    assert faults(path.read_text(encoding="utf-8"), room(path), in_order=in_order) == []


def test_stored_runs_with_later_rivals_are_loaded_by_no_algorithm():
    later = [p for p in ALGORITHMS if p.stem == "stored" and faults(p.read_text("utf-8"), room(p), in_order=True)]
    modules = [f"mlteach.{room(path)}.stored" for path in later]
    code = f"import sys, {', '.join(MODULES)}; print([m for m in {modules!r} if m in sys.modules])"
    assert run(code).strip() == "[]"


@pytest.mark.parametrize("path", EXPLORERS, ids=lambda path: f"{room(path)}-{path.stem}")
def test_explorers_and_exercises_use_public_names(path):
    assert faults(path.read_text(encoding="utf-8"), None, in_order=False) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_use_public_names(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "mlteach" in source:
            lines = (line for line in source.splitlines() if not line.startswith("%"))
            assert faults("\n".join(lines), None, in_order=False) == []


@pytest.mark.parametrize(
    ("source", "slug", "fault"),
    [
        ("from mlteach.svm import SVC", "linear_classification", "svm comes after"),
        ("def f():\n    from mlteach import svm", "kernels", "svm comes after"),
        ("import mlteach.svm.smo", "kernels", "svm comes after"),
        ("from mlteach.linear_regression.summary import _names", "svm", "_names is private"),
        ("from mlteach.linear_classification._data import read_signs", "svm", "_data.read_signs is private"),
        ("from mlteach.svm import SVC", "linear", "shared by all"),
        ("from mlteach import plots", "svm", "plots is the surface"),
        ("import mlteach.explore", "validation", "explore is the surface"),
        ("import mlteach\nmlteach.explore.bayesian_networks.draw(net)", "bayesian_networks", "explore is the surface"),
        (
            "class Net:\n    def draw(self):\n        from mlteach.explore.bayesian_networks import draw",
            "bayesian_networks",
            "explore is the surface",
        ),
    ],
)
def test_import_in_the_wrong_direction_is_found(source, slug, fault):
    assert any(fault in found for found in faults(source, slug, in_order=True))


def test_import_in_the_right_direction_is_fine():
    source = "import numpy\nfrom mlteach.kernels import Kernel\nfrom mlteach.svm._x import _y\nimport mlteach.linear"
    assert faults(source, "svm", in_order=True) == []


@functools.cache
def headings(slug):
    """Return the numbers of all sections of a chapter's notebook, such as "7.1"; none if it is not written."""
    chapter = chapters()[NUMBER[slug]]
    return set(read(chapter).numbers("sec")) if chapter.written else set()


TAUGHT = [p for p in ALGORITHMS if room(p) in NUMBER and p.stem[0] != "_" and headings(room(p))]


@pytest.mark.parametrize("path", TAUGHT, ids=lambda path: f"{room(path)}-{path.stem}")
def test_file_says_which_section_derives_it(path):
    says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert re.search(r"\bsections? \d", says), "the docstring names no section of the chapter"
    named = re.search(r"\bsections? ([\d., and]+)", says).group(1)
    assert set(re.findall(r"\d+\.\d+", named)) <= headings(room(path))
