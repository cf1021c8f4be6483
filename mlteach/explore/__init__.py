"""All explorers, each a function that returns a widget: ``explore.soft_margin()``.

``REGISTRY`` maps a name to the function that makes it. The explorers of a chapter live in the module of its slug.
"""

import importlib
import pkgutil

from mlteach.explore.base import REGISTRY, Explorer, explorer

for _module in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "base"):
    importlib.import_module(f"{__name__}.{_module}")

globals().update(REGISTRY)
__all__ = ["REGISTRY", "Explorer", "explorer", *sorted(REGISTRY)]
