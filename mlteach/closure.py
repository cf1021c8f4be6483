"""What a module depends on: every module of the package that it imports, itself or through others."""

import ast
import functools
from pathlib import Path

from mlteach.course import DATA, PACKAGE

ALL = {"mlteach", "mlteach.explore"}  # the lists of all that there is decide nothing


def imported(code):
    """Return the modules of the package, and names in them, that a piece of Python imports.

    >>> sorted(imported("import numpy\\nfrom mlteach.svm import SVC"))
    ['mlteach.svm', 'mlteach.svm.SVC']
    """
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mlteach"):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("mlteach")}
    return found


def file(module):
    """Return the file of a module of the package, or None where the name is none."""
    path = PACKAGE.parent / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.exists() else None


@functools.cache
def _imports(module):
    return frozenset(imported(file(module).read_text(encoding="utf-8"))) - ALL


def behind(modules):
    """Return the files of these modules and of all that they import, sorted."""
    seen, left = set(), set(modules) - ALL
    while left:
        module = left.pop()
        if file(module):
            seen.add(module)
            left |= _imports(module) - seen
    return sorted(map(file, seen))


def tables():
    """Return the files of all data sets and recorded runs."""
    return [*sorted(DATA.glob("*.csv")), *sorted((DATA / "runs").glob("*.csv"))]
