"""mlteach: the algorithms of an interactive machine-learning course, one module per chapter.

``mlteach.<slug>`` holds a chapter's algorithms, ``mlteach.explore`` its sliders and pictures,
``mlteach.exercises`` its checks. A module is loaded when it is first named, so ``import mlteach`` costs nothing, and
an algorithm module loads numpy and nothing heavier.
"""

__version__ = "1.0.0"


def __getattr__(name):
    """Load the module ``mlteach.<name>`` when it is first asked for."""
    from importlib import import_module

    if name in _modules():
        return import_module(f"mlteach.{name}")
    raise AttributeError(f"mlteach has no module {name!r}; it has {', '.join(_modules())}")


def __dir__():
    return sorted([*globals(), *_modules()])


def _modules():
    from pkgutil import iter_modules

    return sorted(module.name for module in iter_modules(__path__))
