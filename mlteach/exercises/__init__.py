"""``check``, ``hint`` and ``solution`` for every task of the course; a chapter's are in the module of its slug."""

from mlteach.exercises import base
from mlteach.exercises.base import check, hint, solution, verdict

__all__ = ["REGISTRY", "check", "hint", "solution", "verdict"]


def __getattr__(name):
    """Load the tasks of all chapters when the whole registry is asked for; ``check`` loads one chapter's."""
    if name != "REGISTRY":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    base.load()
    return base.REGISTRY
