"""``check``, ``hint`` and ``solution`` for every task of the course; a chapter's are in the module of its slug."""

import importlib
import pkgutil

from mlteach.exercises.base import REGISTRY, check, hint, solution, verdict

for _module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")

__all__ = ["REGISTRY", "check", "hint", "solution", "verdict"]
