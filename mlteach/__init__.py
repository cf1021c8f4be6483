"""mlteach: the algorithms of an interactive machine-learning course, one module per chapter.

``mlteach.<slug>`` holds a chapter's algorithms, ``mlteach.explore`` its sliders and pictures,
``mlteach.exercises`` its checks. A module is loaded when it is first named, so ``import mlteach`` costs nothing, and
an algorithm module loads numpy and nothing heavier.

Some names mean the same everywhere, and not every docstring explains them again:

    X (n, d), x    samples or places          max_iter, tol   when to stop
    y              targets or classes         history         whether to keep the whole run
    w              weights                    intercept       whether there is a free constant
    n              how many                   log             whether to return logarithms
    rng            a seed or a Generator      training        whether a network is being trained

And where decisions are made over time (chapters 26 to 32):

    env            a world to act in          alpha           step size
    mdp, pomdp     a known model              epsilon         share of random actions
    gamma          discount                   initial         the first guess of all values
    episodes       how many, or their list    max_steps       of an episode
    first_visit    whether only these count   at              when to keep what is known
    cut            what becomes of episodes that were cut off
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
